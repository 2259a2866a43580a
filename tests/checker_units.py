"""Small direct tests of the standalone checker. Each takes the module: the plain one, or one with a slip in it.

Numbers are compared with mpmath, exact fractions or exhaustive search. Of the whole certificates in `FILES`, many are false by
very little, or break a single rule of the format: a checker that has lost a comparison, a slack or a refusal confirms them.
"""

import io
import itertools
import json
import math
import operator
import random
from contextlib import redirect_stdout
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from zlib import compress

import mpmath
import numpy as np
from safetensors.numpy import save

from tests.certificate_files import signed

OPERATIONS = {  # of the checker, and of mpmath
    **{own.__name__: (own, own) for own in (operator.add, operator.sub, operator.mul, operator.truediv)},
    "exp": (lambda x, _: x.exp(), lambda x, _: mpmath.exp(x)),
    "ln": (lambda x, _: x.ln(), lambda x, _: mpmath.log(x)),
    "sqrt": (lambda x, _: x.sqrt(), lambda x, _: mpmath.sqrt(x)),
    "square": (lambda x, _: x.square(), lambda x, _: x * x),
}
NONE, OPEN, TRUE, FALSE = "not a certificate", "open", "confirmed", "refuted"


def at_bits(m, bits):
    m.STATE.bits, m.STATE.left = bits, 10**9


def ends(x):
    return [end * Fraction(2) ** x.e for end in (x.lo, x.hi)]


def real(x):
    return mpmath.mpf(x.numerator) / x.denominator


def holds(x, true):
    """Whether an interval holds a number that is known to 150 digits."""
    low, high = map(real, ends(x))
    return low - abs(true) / mpmath.mpf(10) ** 140 <= true <= high + abs(true) / mpmath.mpf(10) ** 140


def outcome(m, call, *arguments):
    """What a call gives, or the name of the error by which the checker says that it gives nothing."""
    try:
        return call(*arguments)
    except (m.Malformed, m.Uncertain, m.NoValue) as error:
        return type(error).__name__


# Intervals


@mpmath.workdps(150)
def operations_enclose(m):
    """A sum, product, quotient or function of numbers lies in the interval, also at very few bits."""
    rng = random.Random(28)
    for bits, name in itertools.product((4, 8, 11, 16, 53) * 40, OPERATIONS):
        at_bits(m, bits)
        own, true = OPERATIONS[name]
        x, y = (Fraction(rng.randint(1, 999), rng.choice((1, 7, 2**60))) for _ in "xy")
        y, x = -y if rng.random() < 0.5 else y, -x if rng.random() < 0.5 and name not in ("ln", "sqrt") else x
        found = outcome(m, lambda own=own, x=x, y=y: own(m.exact(x), m.exact(y)))
        assert found == "Uncertain" or holds(found, true(real(x), real(y))), (name, bits, x, y)


@mpmath.workdps(150)
def functions_enclose(m):
    """Sines and cosines, and the Gaussian distribution, at every precision up to 200 bits."""
    rng = random.Random(1)
    for bits in range(4, 200):
        at_bits(m, bits)
        x = Fraction(rng.randint(-(10**6), 10**6), rng.choice((999, 2**bits)))
        low, high = m.both_ends(m.exact(x))
        assert [*ends(low), *ends(high)] == [end for end in ends(m.exact(x)) for _ in "lh"]
        cos, sin = m.cos_sin(m.hull([low, high]))
        assert holds(cos, mpmath.cos(real(x)))
        assert holds(sin, mpmath.sin(real(x)))
        for x in (Fraction(-1, 2**bits), Fraction(rng.randint(-40, 40), 9), Fraction(1)):
            assert holds(m.below_normal(x), mpmath.ncdf(real(x))), (bits, x)


def roots_compare(m):
    """x against sqrt(a) + sqrt(b)."""
    for a, b, x, strictly in itertools.product(range(10), range(10), range(-14, 14), (True, False)):
        gap = x / 2 - math.sqrt(a) - math.sqrt(b)
        wanted = not strictly if abs(gap) < 1e-9 else gap > 0
        assert m.exceeds_roots(Fraction(x, 2), Fraction(a), Fraction(b), strictly) == wanted


# Values of JSON, types, arrays

DEEP = list(itertools.accumulate(range(61), lambda own, _: ["sum", [-1, own]], initial=["number", "1"]))
PART = {"low": "2", "power": 1, "shift": 0, "steps": 1}
PLACE = {"register": 0, "columns": [1], "block": 0}
MEMBER = {"n": "2", "epsilon": "1/2", "further": {}, "path": {}}
WAVES = {"code": "rotary", "length": 1, "dim": 2, "base": str(Fraction(1e-300))}
READ = (  # a function, what is refused, and what is not: lists of arguments
    (
        "read_rational",
        [[x] for x in ("1_0", "+1", " 1", "01", "2/4", "3/1", "-0", "1/0", "0x1", 5, "9" * 4200, "1/" + "9" * 4200)],
        [["-3"], ["1/100"], ["1" + "0" * 4199], ["0x1" + "0" * 4000, "a", 16], ["0x1/0x2", "a", 16]],
    ),
    ("read_rational", [["1/2", "a", 10, False], ["0xA", "a", 16]], [["2", "a", 10, False]]),
    ("read_large", [[5], ["10^299"], ["10^1000001"], ["1" + "0" * 300]], [["10^300"], ["7/2"]]),
    ("read_truth", [[1], ["true"]], [[True]]),
    ("read_list", [["ab"], [[1], "a", 2], [[1], "a", 0, 0], [{}]], [[[1], "a", 1, 1]]),
    ("read_object", [[{"a": 1}, ("b",)], [{"a": 1}, ()], [[], ()]], [[{"a": 1}, ("a",)], [{"a": 1}, (), ("a",)]]),
    (
        "read_tree",
        [[DEEP[61]], [["constant", "x"]], [["number", "x"]], [[5]], [["sum", *[[1, ["number", "1"]]] * 2000]]],
        [[DEEP[60]], [["constant", "pi"]], [["sum", *[[1, ["number", "1"]]] * 1999]]],
    ),
    ("read_member", [[{**MEMBER, "n": "1"}], [{**MEMBER, "further": []}], [{**MEMBER, "path": []}]], [[MEMBER]]),
    ("read_part", [[{**PART, "more": 1}, None], [{"low": "2", "shift": 0}, None]], [[PART, None]]),
    (
        "read_layout",
        [
            [[{**PLACE, **other}], 1, 1]
            for other in ({"columns": ["1"]}, {"columns": [-1]}, {"units": [1]}, {"head": 0}, {"block": 1})
        ],
        [[[{**PLACE, "units": [1, 2]}], 1, 1], [[{**PLACE, "head": 0, "rows": [1]}], 1, 1]],
    ),
    ("Waves", [[{**WAVES, "length": 0}], [{**WAVES, "length": 2**32 + 1}], [{**WAVES, "base": "0"}]], [[WAVES]]),
)


def values_are_read(m):
    """Texts and values of JSON: in one form, within their limits, and refused otherwise."""
    at_bits(m, 64)
    for name, refused, accepted in READ:
        for arguments in refused:
            assert outcome(m, getattr(m, name), *arguments) == "Malformed", (name, str(arguments)[:99])
        for arguments in accepted:
            getattr(m, name)(*arguments)


TYPES = {  # bits of the integer, exponent of the smallest number, the largest
    "float32": (24, -149, 2.0**128 - 2.0**104),
    "float16": (11, -24, 65504.0),
    "bfloat16": (8, -133, 2.0**128 - 2.0**120),
    "fp8-e4m3": (4, -9, 448.0),
    "fp8-e5m2": (3, -16, 57344.0),
}
LARGEST_LEVEL = {"int8": 127, "int4": 7, "int3": 3}


def types_have_their_numbers(m):
    at_bits(m, 64)
    for name, (bits, least, largest) in TYPES.items():
        fits = {0.0, largest, 2.0**least, (2**bits - 1) * 2.0**least, (2**bits - 1) * 2.0 ** (least + 1), 2.0**bits - 1}
        none = {math.nextafter(largest, math.inf), 2.0 ** (least - 1), 3 * 2.0 ** (least - 1), 2.0**bits + 1}
        assert all(m.is_of_type(sign * x, name) for x in fits for sign in (1, -1)), name
        assert not any(m.is_of_type(sign * x, name) for x in none for sign in (1, -1)), name
    for name, top in LARGEST_LEVEL.items():
        assert m.is_quantized([top * 0.5, -0.5, -top * 0.5], m.LEVELS[name])
        assert not m.is_quantized([-(top + 1) * 0.5, top * 0.5, 0.5], m.LEVELS[name])


def array(m, name, rows):
    rows = np.array(rows, float)
    return m.Array(name, rows.shape, rows.tobytes())


# Parts of decisions


def keys_combine(m):
    """Sums of keys and of differences of keys, and the profile of each key in a region."""
    at_bits(m, 64)
    keys = array(m, "keys", [[1, 2], [3, 5], [-4, 0.25]])
    assert m.combination(keys, {0: Fraction(0)}) == [0, 0]
    two, three, five = map(Fraction, (2, 3, 5))
    witness = {(7, 1): {0: two, 2: three}, (7, 2): {0: five, 1: three}, (8, 0): {2: two}}
    total = {}
    for (place, i), numbers in witness.items():
        for j, number in numbers.items():
            move = [number * (b - a) for a, b in zip(keys.fractions(i), keys.fractions(j), strict=True)]
            total[place,] = list(map(operator.add, total.get((place,), [0, 0]), move))
    assert m.all_differences(witness, keys) == total
    profile = {"profile": array(m, "profile", [[1, 2], [3, 4], [0, 9]])}
    claim = m.Claim({"kind": "", "radius": "1", "norm": "ball"}, profile)
    assert [m.Region(claim, 3, 2).row(j) for j in range(3)] == [[1, 2], [3, 4], [0, 9]]


@mpmath.workdps(150)
def worst_keys_are_found(m):
    """Moved keys: the largest alpha(T) - w(T) over all sets T decides, within 10^-9 of it and at few bits."""
    rng = random.Random(5)
    for trial in range(80):
        n, shares = 5, rng.choice(([1], [2, 1], [1, 1, 1], [3, 1, 1], [1, 1, 2, 2], [1] * 5))
        shares = [Fraction(x, sum(shares)) for x in shares]
        moved = [(s, s - Fraction(rng.randint(0, 9), 9)) for s in (Fraction(rng.randint(-9, 9), 5) for _ in range(n))]
        high, low = ([mpmath.exp(real(x)) for x in column] for column in zip(*moved, strict=True))
        goal = m.Goal({"goal": "blend", "indices": [*range(len(shares))], "shares": list(map(str, shares))}, n)
        outside, worst = set(range(len(shares), n)), mpmath.mpf(0)
        for chosen in itertools.product((True, False), repeat=len(shares)):
            t = outside | {a for a, taken in enumerate(chosen) if taken}
            a, b = sum(high[j] for j in t), sum(low[j] for j in range(n) if j not in t)
            worst = max(worst, a / (a + b) - real(sum(shares[a] for a in t - outside)))
        for bits, e in itertools.product((6, 8, 10, 12, 64), (Fraction(10**9 + 1, 10**9), Fraction(10**9 - 1, 10**9))):
            e *= Fraction(int(worst * 10**30), 10**30)
            if 0 < e < 1:
                at_bits(m, bits)
                found = m.every(m.worst_sets(moved, m.Exponentials([x for x, _ in moved]), goal, e))
                assert found in (None, real(e) >= worst), (trial, bits, e)
                assert bits < 64 or found is not None or e < worst, (trial, bits, e)


def formulas_have_values(m):
    """What the calculus says of numbers and matrices, and what it leaves open."""
    at_bits(m, 64)
    c = m.Calculus({"x": (Fraction(0), None, False)}, {})
    x, two = c.names["x"], Fraction(2)
    row = [[Fraction(1), two]]
    log = c.log(m.plus(x, Fraction(3)))
    unsure = m.times(c.log(x), c.log(x))
    for call, wanted in (
        (lambda: c.multiply(row, row), "NoValue"),
        (lambda: c.multiply(row, [[two], [two]]), 6),
        (lambda: c.call("inv", row), "Uncertain"),
        (lambda: c.call("pinv", row), "Uncertain"),
        (lambda: c.call("power", row, two), "Uncertain"),
        (lambda: c.call("inv", Fraction(0)), "NoValue"),
        (lambda: c.power(Fraction(-2), Fraction(1, 2)), "Uncertain"),
        (lambda: c.power(Fraction(4), Fraction(1, 2)).sign(), 1),
        (lambda: c.log(Fraction(-1)), "NoValue"),
        (lambda: c.sqrt(x), "Uncertain"),
        (lambda: c.sqrt(Fraction(-1)), "NoValue"),
        (lambda: c.sqrt(Fraction(9, 4)), Fraction(3, 2)),
        (lambda: c.positive(unsure), False),
        (lambda: c.positive(m.times(x, log)), True),
        (lambda: c.positive(m.times(x, c.log(m.plus(x, Fraction(1, 2)))), False), False),
        (lambda: m.matrix_of(array(m, "a", [1])), "Uncertain"),
        (lambda: m.matrix_of(array(m, "a", [1, 2])), [[1], [2]]),
    ):
        assert outcome(m, call) == wanted


# Programs


def program(step=None, condition=None, terms=None, **other):
    """A program of one step: this one, a count under this condition, or a comparison of a sum."""
    step = step or (condition and {"kind": "count", "select": [condition]})
    step = step or (terms and {"kind": "compare", "sum": terms, "strict": True})
    return {"vocabulary": ["a", "b"], "length": 3, "causal": False, "steps": [step] if step else [], **other}


MEAN = {"kind": "mean", "of": [1], "select": []}
READABLE = (
    program(steps=[MEAN, {"kind": "last", "of": [2], "select": []}]),
    program(condition={"kind": "at", "index": ["0", [1, "1"]]}),
    program(condition={"kind": "below", "key": 0, "mine": 0}),
    program(terms=["9007199254740992", [1, "1/2"]]),
)
UNREADABLE = (
    *(program(vocabulary=tokens) for tokens in ([], ["a", "a"], ["a", ""])),
    program(condition={"kind": "below", "key": 0, "mine": 1}),
    program(condition={"kind": "among", "key": 0, "chosen": ["z"]}),
    *(program(condition={"kind": "at", "index": index}) for index in (["0", [1, "1/2"]], ["1/2", [1, "1"]])),
    *(program(terms=terms) for terms in (["9007199254740993", [1, "1"]], ["0", [1, "1/9007199254740993"]])),
    program(steps=[MEAN, {"kind": "last", "of": [2], "select": [], "default": 0}]),
)


def programs_are_read(m):
    """Programs in their form, and the conditions of a key."""
    at_bits(m, 64)
    for value in READABLE:
        m.Program(value)
    for value in UNREADABLE:
        assert outcome(m, m.Program, value) == "Malformed", value
    own = m.Program(program())
    for factor, label, at in itertools.product((-1, 2), range(-3, 6), range(3)):
        assert own.meets({"kind": "at", "index": (1, {1: factor})}, label, {1: at}) == (label == 1 + factor * at)
    for condition, certain in (
        ({"kind": "matches", "key": 2, "mine": [2]}, True),
        ({"kind": "matches", "key": 2, "mine": [3]}, False),
        ({"kind": "below", "key": 2, "mine": [2]}, False),
        ({"kind": "before", "key": 1, "mine": [1]}, True),
        ({"kind": "among", "key": 1, "mine": [], "chosen": {0}}, False),
        ({"kind": "at", "key": 1, "mine": [1], "index": (0, {1: 1})}, True),
        ({"kind": "at", "key": 1, "mine": [1], "index": (1, {1: 1})}, False),
    ):
        assert bool(m.meets_itself(condition)) == certain, condition


def made(of, **parts):
    """An object of a class, with these attributes alone."""
    new = object.__new__(of)
    vars(new).update(parts)
    return new


def covers(box, points, slack=3):
    """Whether a box of one number holds these points, and reaches no further than a few units beyond them."""
    (mid,), (rad,) = box
    return min(points) - slack <= mid - rad <= min(points) and max(points) <= mid + rad <= max(points) + slack


def roundings_are_covered(m):
    """What machine arithmetic may do, against its definition, in units of 2^-128."""
    at_bits(m, 64)
    for dtype, digits, largest in (("float32", 24, 128), ("float64", 53, 1024)):
        a = m.Arithmetic(dtype)
        for k, size in itertools.product((1, 2, 7, 1000), (1, 12345, a.one, 3 * a.one)):
            u = Fraction(1, 2**digits)
            assert k * u / (1 - k * u) * size <= a.gamma(k, size) <= 2 * k * u * size + 2 * (k + 1) * a.tiny + 1
            assert 2 * u * size <= a.rounded(size) <= 2 * u * size + a.tiny + 1
        assert outcome(m, a.gamma, 2 ** (digits - 2), 1) == "Uncertain"
        for sizes in ([a.one << largest], [1, a.one << largest], [a.one << largest, 1]):
            assert outcome(m, a.check, sizes) == "Uncertain"
        a.check([a.one << largest // 2])
        assert a.exponential(-(a.one << 128) - 1) == (0, 1)
        assert a.tiny >= a.one >> 149 or dtype == "float64"


def boxes_hold_images(m):
    """Images of boxes, mixtures of two and their inner products, against the corners."""
    at_bits(m, 8)
    a, rng = m.Arithmetic("real"), random.Random(3)
    head = made(m.Attention, real=a)
    for _ in range(300):
        x, y, z, w = ([rng.randint(-(10**6), 10**6) for _ in "ab"] for _ in "xyzw")
        r, s = ([rng.choice((0, 1, 9, 10**5)) for _ in "ab"] for _ in "rs")
        corners = list(itertools.product(*((p - q, p + q) for p, q in zip(x, r, strict=True))))
        others = list(itertools.product(*((p - q, p + q) for p, q in zip(y, s, strict=True))))
        for e in (-9, 0, 2):
            row = [Fraction(v) * Fraction(2) ** e for v in z]
            assert covers(m.image(([z], e), (x, r)), [m.inner_product(row, p) for p in corners])
        least, most = sorted(rng.randint(0, a.one) for _ in "lm")
        mixed = [Fraction((a.one - t) * p[0] + t * q[0], a.one) for p in corners for q in others for t in (least, most)]
        assert covers(a.towards((x[:1], r[:1]), (y[:1], s[:1]), most, least), mixed)
        low, high = head.score((x, r), (y, s))
        products = [Fraction(m.inner_product(p, q), a.one) for p in corners for q in others]
        assert low <= min(products) <= max(products) <= high
        kinks, weights = [-x[0] - r[0] // 3, -x[0] + r[0] // 2, -x[0] + 5], (w[0], w[1], z[0])
        reading = SimpleNamespace(bos=(x[:1], r[:1]), choices=lambda _, box=(x[:1], r[:1]): iter([({2: "a"}, box)]))
        stream = made(m.Stream, real=a, program=SimpleNamespace(steps=[{}, {}, {}]))
        boxes, bos = stream.kinked(SimpleNamespace(register=2), ([[*weights, z[1]]], -5), reading, kinks, [0])
        points = [x[0] - r[0], x[0] + r[0], *(-b for b in kinks if abs(x[0] + b) <= r[0])]
        units = [[max(p + b, 0) for b in kinks] for p in points]
        written = [Fraction(m.inner_product(weights, unit) + z[1] * a.one, 32) for unit in units]
        assert covers(boxes["a"], written)
        assert covers(bos, written)


def heads_are_bounded(m):
    """What a head reads of selected keys, of others and of BOS, against the shares of given exponentials."""
    at_bits(m, 32)
    a = m.Arithmetic("real")
    one, zero, full = a.one, ([0], [0]), ([a.one], [0])
    keys, bos = [(40, 50, 3), (30, 35, 0), (0, 0, 4), (60, 66, 5), (20, 22, 1)], (8, 9)
    view = SimpleNamespace(bos=zero, at=lambda _: zero, choices=lambda _: iter([({0: "a"}, zero)]))
    steps = SimpleNamespace(steps=[{"kind": "last", "of": [0], "default": "z"}], registers=[])
    head = made(m.Attention, real=a, v=view, everything=full, program=steps, length=3, error=0)
    groups = (keys, keys[:2], [(2, 6, 2), (0, 0, 40)])
    head.askers = lambda step, rows: iter([(own, bos) for own in groups])
    for kind in ("last", "pick"):
        steps.steps[0]["kind"], away = kind, []
        for own in groups:
            for k, (low, high, _) in enumerate(own):
                rest = sum(max(h, s) if kind == "last" else s for _, h, s in own[:k])
                rest += sum(s for _, _, s in own[k + 1 :])
                away += [Fraction((bos[1] + rest) * one, bos[1] + rest + low)] if high else []
        boxes = head.written(SimpleNamespace(register=0, rows=[1]))
        assert covers(boxes["a"], [0, max(away)])
        assert covers(boxes["z"], [0, Fraction(42 * one, 42 + bos[0])])
    view.bos, shares = full, {}
    for own in groups:
        can = [key for key in own if key[1]]
        for chosen in itertools.chain.from_iterable(itertools.combinations(can, k) for k in range(len(can) + 1)):
            most = sum(key[1] for key in chosen) + sum(key[2] for key in own if key not in chosen)
            for others, share in ((sum(key[0] for key in chosen), bos[1]), (most, bos[0])):
                shares.setdefault(len(chosen), []).append(Fraction(share * one, share + others))
    found = head.counted(SimpleNamespace(places=dict.fromkeys(range(3))), head.askers(None, None))
    assert set(found) == {0, 1, 2}
    assert all(covers(found[k], shares[k]) for k in found)


@mpmath.workdps(150)
def scores_are_bounded(m):
    """The exponentials of scores, the scores of groups of keys, which keys a position sees, and what BOS reads."""
    at_bits(m, 32)
    a, rng = m.Arithmetic("real"), random.Random(9)
    one = a.one
    for causal, kind in itertools.product((False, True), ("before", "among")):
        read = m.Program(program(causal=causal))
        head = made(m.Attention, real=a, program=read, length=3, error=one // 7)
        scores = [rng.randint(-2 * one, 2 * one) for _ in range(3)]
        group = {"kind": kind, "key": 1, "keys": [1], "mine": [1] if kind == "before" else [], "chosen": {0, 2}}
        boxes = [([x], [k]) for k, x in enumerate(scores)]
        head.k = SimpleNamespace(bos=([0], [0]), at=lambda _, box=boxes[2]: box)
        by_index = [({1: i}, box) for i, box in enumerate(boxes)]
        head.k.choices = lambda registers, own=by_index: own if registers else [({}, ([], []))]
        asking = [({1: i}, ([one], [0])) for i in range(3)]
        head.q = SimpleNamespace(sizes=[0], bos=([one], [0]), choices=lambda _, own=asking: own)
        seen = [len(keys) for keys, _ in head.askers({"kind": "count", "select": [group]}, [1])]
        assert seen == ([1, 2, 3] if causal else [3] * 3)
        for i in range(3):
            meets = [j <= i if kind == "before" else j != 1 for j in range(3)]
            found = head.in_group((group, slice(None), list(enumerate(boxes))), ([one], [0]), {1: i})
            each = [(x - k, x + k, None) if meets[k] else (None, None, x + k) for k, x in enumerate(scores)]
            assert found == each
            found = head.in_group(({**group, "key": 0}, slice(None), list(enumerate(boxes))), ([one], [0]), {1: i})
            lows, highs, misses = ([x for x in column if x is not None] for column in zip(*each, strict=True))
            assert found == [(min(lows, default=None), max(highs, default=None), max(misses, default=None))] * 3
        keys, bos = head.exponentials([(scores[0] - 5, scores[0] + 5, None), (None, None, scores[1])], (-one, one))
        assert keys[0][2] == keys[1][0] == keys[1][1] == 0
        top = max(scores[0] + 5, scores[1], one) + head.error
        given = [(scores[0] - 5, scores[0] + 5), (scores[1], scores[1]), (-one, one)]
        for (low, high), (x, y) in zip((keys[0][:2], (0, keys[1][2]), bos), given, strict=True):
            low_true = one * mpmath.exp(real(Fraction(x - head.error - top, one)))
            high_true = one * mpmath.exp(real(Fraction(y + head.error - top, one)))
            assert low - 1e-9 <= low_true <= min(high_true, one) <= high + 1e-9
        head.v, head.everything = SimpleNamespace(bos=([0], [0])), ([one], [0])
        others = 3 * mpmath.exp(real(Fraction(scores[2] + 2 + 2 * head.error, one)))
        wanted = 0 if causal else min(1, others / (others + 1)) * one
        (mid,), (rad,) = head.asked_by_bos()
        assert mid - rad <= 0 <= wanted - 4 <= mid + rad or (mid, rad) == (0, wanted)


def tables_fill_places(m):
    """The first rows of the stream: a place of tokens holds what any position adds to it, and one of positions likewise."""
    at_bits(m, 32)
    read = m.Program(program(length=2))
    tokens, positions = array(m, "t", [[0, 0], [1, 5], [2, 7]]), array(m, "p", [[0, 0], [10, 1], [20, 2]])
    network = SimpleNamespace(tokens=tokens, positions=positions)
    unit = [[1, 0], [0, 1]], 0
    places = [m.Place(register=k, columns=[k], block=-1) for k in (0, 1)]
    a = m.Arithmetic("real")
    stream = made(m.Stream, program=read, network=network, real=a, basis=unit, inverse=unit)
    vars(stream).update(width=2, places=places, written=[])
    stream.tables(set(), {0, 1})
    wanted = [{"a": (11, 21), "b": (12, 22)}, {0: (6, 8), 1: (7, 9)}]
    for place, own in zip(places, wanted, strict=True):
        assert place.boxes.keys() == own.keys()
        assert all(covers(place.boxes[label], [x * a.one for x in own[label]]) for label in own)
        assert covers(place.bos, [0])


# Whole certificates


def share_of(*indices, name="blend"):
    """The goal of these keys, with shares 1, 2, ... in proportion."""
    total = sum(range(len(indices) + 1))
    return {"goal": name, "indices": indices, "shares": [str(Fraction(k + 1, total)) for k in range(len(indices))]}


def kept(g=1, h=1, n=2, m=1, stored=1):
    """Keys, and others in which the first differ."""
    return {"keys": np.ones((g, n, 1)), "stored": [[[stored], *[[1]] * (n - 1)]] * g, "queries": np.ones((h, m, 1))}


def waves(length, dim, **other):
    return {"kind": "rows-apart", "rows": {**WAVES, "length": length, "dim": dim, "base": "1"}, **other}


def spectrum(r):
    """diag(2, 1/2), whose second singular value the witness takes for 1."""
    arrays = {"left": np.eye(2, r) * 2, "right": np.eye(r, 2), "witness_left": np.eye(2), "witness_right": np.eye(2)}
    return {"matrix": [[2, 0], [0, 0.5]], "witness_values": [2, 1], **arrays}


def family(factor, basis=("a",), **other):
    """A query log(n/eps) times a number times the first target."""
    log = ["call", "log", ["product", [1, ["name", "n"]], [-1, ["name", "eps"]]]]
    tree = ["product", [1, ["number", factor]], [1, log], [1, ["name", basis[0]]]]
    words = {"each": False, "vanishing": False, "different": False, "leaning": "0", "lengths": ["1"], "heads": 1}
    hints = {} if "epsilon" in other else {"parts": [], "outside": []}
    return {"kind": "serves-family", "basis": basis, "trees": [tree], **words, **hints, **other}


@mpmath.workdps(150)
def just_too_long():
    """More than ln 9 / (√2 − 1/2), which is the length of the shortest query, and less than a root rounded down allows."""
    root = mpmath.mpf(math.isqrt(8 * 4**80)) / 2**80
    lengths = [mpmath.log(9) / (mpmath.sqrt(2) * (1 - 1 / x)) for x in (mpmath.sqrt(8), root)]
    return str(Fraction(int(sum(lengths) / 2 * 10**100), 10**100))


TOP = {"top": {"goal": "top", "indices": [0]}}
HEADS = {"keys": np.eye(2), "queries": [[9, 0]], "mix": [1]}
WITHIN = {"kind": "within-error", "goal": share_of(0), "error": "1/10", "scale": "1"}
MOVED = {**WITHIN, "kind": "withstands", "radius": "1/1000", "norm": "box"}
AHEAD = {"kind": "top-gap", "scale": "1", **TOP}
KEPT = {"kind": "attention-kept", "scale": "1", "causal": False, "error": "1/10"}
CHANCE = {**WITHIN, "kind": "within-error-with-probability", "confidence": "1/2"}
GAUSSIAN, VARIANCE = {**CHANCE, "law": "gaussian"}, {"isotropic": [0.0625, 0], "along": [0, 0]}
LAWS = ([[0, [["1", "1"]]], [1, [["2", "1"]]]], [[0, [["1", "1"]]], [0, [["2", "1"]]]], [[2, [["1", "1"]]]])
AFFINE = {"keys": [[0, 1], [0, 0]], "matrix": [[1], [0]]}
REACH = {**WITHIN, "kind": "out-of-reach", "scale": "2", "witness": [[1, 0, "0x1"]], "goal": share_of(1)}
MEET = {"kind": "hulls-meet", "indices": [0, 1], "weights": ["0x1", "0x1"], "scale": "1", **TOP}
GAP = {"kind": "gap-norm", "gap": "1", "scale": "1", "least": "3", **TOP}
ROWS = {"kind": "goals-contradict", "causal": True, "error": "1/10"}
MEANS = {"kind": "outputs-contradict", "goals": [[k, share_of(k)] for k in (0, 1)], "witness": ["0x1", "0x0"]}
RANK = {"kind": "low-rank", "error": "2"}
SHORT = {**WITHIN, "kind": "none-withstands", "radius": "1/4", "norm": "ball"}
APART = {"keys": [[0, 0], [1, 1]], "witness": [0, 1]}
ONES = {"kind": "singular-squares", "low": "1", "high": "1"}
NESTED = list(itertools.accumulate(range(6), lambda own, _: {"kind": "all-of", "claims": [own]}, initial=ONES))
SERVED = {"kind": "serves-keys", "epsilon": "1/10", "slack": "1/10"}
EYE = {"keys": np.eye(3), "vectors.a": [1, 0, 0]}
LONG = ["product", [1, ["number", "59/20"]], [1, ["name", "a"]]]
LAST = {"kind": "last", "of": [0], "select": [{"key": 0, "kind": "among", "chosen": ["b"]}]}
LATER = {"kind": "needs-later", "program": program(LAST), "output": 2, "first": ["a", "b"]}
FILES = (  # the answer, some words of the statement, the claim, and the arrays
    (TRUE, "2 heads mixed", WITHIN, {**HEADS, "queries": [[9, 0]] * 2, "mix": [1, 2]}),
    (NONE, "", {key: part for key, part in WITHIN.items() if key != "error"}, HEADS),
    (NONE, "", {**WITHIN, "goal": share_of(0, 1, name="average")}, HEADS),
    (NONE, "", {**WITHIN, "precision": "float16"}, {**HEADS, "keys": [[1, 1.1], [0, 1]]}),
    (NONE, "", WITHIN, {**HEADS, "saids": [1]}),
    (TRUE, "", NESTED[5], {"claims.0." * 5 + "matrix": [[1]]}),
    (NONE, "", NESTED[6], {"claims.0." * 6 + "matrix": [[1]]}),
    (TRUE, "by up to 1/1000 coordinate by coordinate", MOVED, HEADS),
    (TRUE, "ellipsoid", {**MOVED, "norm": "ball"}, HEADS),
    (NONE, "", MOVED, {**HEADS, "profile": [[1, -1]]}),
    (TRUE, "by more than 0", AHEAD, HEADS),
    (FALSE, "by more than 0", AHEAD, {**HEADS, "queries": [[1, 1]]}),
    (NONE, "", {**AHEAD, "top": {"goal": "blend", "indices": [0]}}, HEADS),
    (TRUE, "", KEPT, kept(h=2)),
    (NONE, "", {**KEPT, "causal": 1}, kept()),
    (NONE, "", KEPT, kept(g=2, h=3, stored=9)),
    (NONE, "", {**KEPT, "causal": True}, kept(n=2, m=3, stored=9)),
    (NONE, "", KEPT, {**kept(), "queries": np.ones((1, 0, 1))}),
    (NONE, "", GAUSSIAN, {**HEADS, "isotropic": [-1, 1], "along": [2, 0]}),
    (NONE, "", GAUSSIAN, {**HEADS, "isotropic": [1, 1], "along": [-2, 0]}),
    (TRUE, "", GAUSSIAN, {**HEADS, **VARIANCE}),
    (
        TRUE,
        "",
        {"kind": "all-of", "claims": [GAUSSIAN]},
        {f"claims.0.{x}": own for x, own in (HEADS | VARIANCE).items()},
    ),
    (NONE, "", {**GAUSSIAN, "precision": "float32"}, {**HEADS, **VARIANCE}),
    *(
        (word, "", {**CHANCE, "law": "scaled", "laws": laws}, HEADS)
        for word, laws in zip((TRUE, NONE, NONE), LAWS, strict=True)
    ),
    (TRUE, "", REACH, {**AFFINE, "offset": [0, -1]}),
    (OPEN, "", REACH, {**AFFINE, "offset": [0, -1.25]}),
    (OPEN, "", {**MEET, "gap": "1"}, {**AFFINE, "offset": [0, 1]}),
    (NONE, "", {**MEET, "gap": "1"}, {"keys": [[0, 0], [0, 0]]}),
    (TRUE, "", GAP, {**AFFINE, "witness": [1, 1], "offset": [0, 5]}),
    (TRUE, "", {**ROWS, "goals": [[1, share_of(0)]], "witness": [[1, 0, 1, "0x1"]]}, {"tokens": [[1, 0], [1, 0]]}),
    (OPEN, "", MEANS, {"tokens": np.eye(2), "outputs": [[1], [1]]}),
    (NONE, "", {**MEANS, "goals": [[k, share_of(0)] for k in (0, 2)]}, {"tokens": np.eye(2), "outputs": [[1], [1]]}),
    (OPEN, "", {**RANK, "best": "1"}, spectrum(1)),
    (TRUE, "", {**RANK, "best": "1/2"}, spectrum(1)),
    (OPEN, "", {**RANK, "best": "1/2"}, {**spectrum(1), "witness_right": np.eye(2) / 2, "witness_values": [4, 1]}),
    (NONE, "", {**RANK, "best": "0"}, spectrum(3)),
    (OPEN, "", {**SHORT, "least": just_too_long()}, APART),
    (TRUE, "", {**SHORT, "least": "12/5"}, APART),
    (TRUE, "", {**SHORT, "radius": "1"}, APART),
    (TRUE, "", waves(4, 2, distance="19/20"), {}),
    (TRUE, "", waves(2, 6, distance="8/5"), {}),
    (FALSE, "", waves(2, 4, distance="7/5"), {}),
    (NONE, "", waves(4, 2, pair=[2, 1], within="3"), {}),
    (NONE, "", waves(4, 2), {}),
    (TRUE, "orthonormal keys", family("2"), {}),
    (TRUE, "", family("2", parts=[PART] * 80), {}),
    (FALSE, "", family("9/20", limit="1/8", lengths=["4"]), {}),
    (OPEN, "", family("3", basis=("a", "b")), {}),
    (NONE, "", family("2", basis=("a", "a")), {}),
    (NONE, "", family("2", basis=("a", "b", "c")), {}),
    (TRUE, "on each of them", family("1", **{**SERVED, "each": True, "trees": [LONG]}), EYE),
    (NONE, "", family("1", **SERVED), {**EYE, "vectors.n": [1, 0, 0]}),
    (NONE, "", family("1", **SERVED), {**EYE, "keys": np.eye(1, 3)}),
    (OPEN, "", {**LATER, "second": ["a", "a"], "position": 0}, {}),
    (NONE, "", {**LATER, "second": ["b", "b"], "position": 1}, {}),
)


def judged(m, folder, claim, arrays, **other):
    arrays = {name: np.array(own, float) for name, own in arrays.items()}
    said = signed(json.dumps(claim), arrays, said='{"verdict": "undecided"}')
    path = Path(folder) / "c"
    path.write_bytes(save(arrays, {**said, **other}))
    word, text = m.check(str(path))
    return word, text


def files_are_judged(m):
    with TemporaryDirectory() as folder:
        for wanted, words, claim, arrays in FILES:
            word, text = judged(m, folder, claim, arrays)
            assert (word, words in text) == (wanted, True), (wanted, word, text, claim)
        assert judged(m, folder, WITHIN, HEADS, digest="0" * 64)[0] == NONE
        for arguments in ([f"{folder}/c"], ["--json", f"{folder}/c"]):
            with redirect_stdout(io.StringIO()) as told:
                assert m.main(arguments) == 2
            assert ("not a certificate" in told.getvalue(), told.getvalue()[0] == "[") == (True, len(arguments) == 2)
    content = save({"a": np.ones(1)})
    for more in (b"", b"!"):
        whole = len(content).to_bytes(8, "little") + compress(content) + more
        assert (outcome(m, m.unpacked, (len(whole),), whole) == "Malformed") == bool(more)


UNITS = [
    roots_compare, values_are_read, types_have_their_numbers, keys_combine, formulas_have_values, programs_are_read,
    roundings_are_covered, boxes_hold_images, heads_are_bounded, scores_are_bounded, tables_fill_places,
    files_are_judged, operations_enclose, functions_enclose, worst_keys_are_found,
]  # fmt: skip
