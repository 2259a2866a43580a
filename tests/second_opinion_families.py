"""A second opinion on claims about formulas: many members, chosen to be awkward, each evaluated by `second_opinion_trees.py`.

Nothing of `balls/`, `forms/` or `proofs/` is used: a claim is read by its `fields()` and `arrays()`. A claim about all members
is "false" where one of those looked at certainly fails, and "not contradicted" where all hold: small n one by one, the n around
every threshold in the record, n up to 10^30, ε near 0 and near 1, large symbols at several rates, exact random bases, random
matrices, growing β. A claim about one setting is "true". Two sides that agree to more than a hundred digits count as equal.
"""

import functools
import itertools
import json
import random
from fractions import Fraction

import mpmath
import numpy as np

from tests import second_opinion_inequality as inequality
from tests.second_opinion_trees import (
    Undefined,
    Unsure,
    column,
    digits_in,
    grid,
    has_array,
    mp,
    names_in,
    sized,
    steady,
    turned,
)
from tests.second_opinion_words import parts_of

KINDS = (
    "serves-family",
    "serves-keys",
    "exact-average",
    "reads-out-always",
    "low-rank-formula",
    "layer-outputs",
    inequality.KIND,
)
LARGE = ("t", "T", "s", "beta")
SIZES = (2, 3, 4, 5, 6, 7, 8, 12, 30, 100, 1000, 10**6, 10**12, 10**30)
TOLERANCES = tuple(map(Fraction, ("1/2", "1/100", "999999/1000000", "1/10000000000", "9/10", f"1/{10**40}", "1/7")))
FAR = (20, 60, 180)  # decimal exponents of a large symbol
FAR_SIZES = (2, 3, 4, 10, 10**6, 10**30)
BETAS = (10, 10**3, 10**7, 10**15)
NOTHING = mpmath.mpf(10) ** -100  # less than this is rounding: a limit may be wrong by 10^-37
_OPPOSITE = {True: False, False: True, None: None}
LONGEST = 10**4  # digits of an n that stays a whole number here
_known = {}


def judge(kind, arrays, fields):
    """ "true", "false", "not contradicted" or "unknown"."""
    key = (kind, json.dumps(fields, sort_keys=True), *((name, x.tobytes()) for name, x in sorted(arrays.items())))
    if key not in _known:
        said = {True: "true", False: "false", None: "unknown"}[_JUDGES[kind](arrays, fields)]
        _known[key] = "not contradicted" if said == "true" and about_all(kind, arrays, fields) else said
    return _known[key]


def about_all(kind, arrays, fields):
    """Whether a claim speaks of more members than can be looked at."""
    one = {
        "serves-keys": True,
        "exact-average": "tree" not in fields,
        "low-rank-formula": "matrix" in arrays,
        "layer-outputs": "beta" in fields,
        inequality.KIND: not fields.get("ranges"),
    }
    return not one.get(kind, False)


def breaks(verdict):
    """Whether the stored point fails, and the condition of a Refuted holds where it is said to; None where neither is seen."""
    claim = verdict.record
    _, arrays, fields = parts_of(claim)
    found = [*_BREAKS.get(claim.kind, lambda *_: [])(verdict, arrays, fields)]
    return False if False in found else True if True in found else None


def work(kind, arrays, fields):
    """In rough units of 10 microseconds: by size, so that no clock decides."""
    key = {"serves-keys": "keys", "low-rank-formula": "matrix"}.get(kind)
    entries = arrays[key].size if key in arrays else 0
    text = len(json.dumps(fields))
    if max((x.size for x in arrays.values()), default=0) > 400:
        return 10**9
    return 500 + text / 10 + entries * (20 if kind == "low-rank-formula" else 2)


def every(states):
    """False where one is, None where one is, True otherwise."""
    open_ = False
    for state in states:
        if state is False:
            return False
        open_ = open_ or state is None
    return None if open_ else True


# Families of queries


class Asked:
    """The family of a claim, and its queries."""

    def __init__(self, fields):
        self.trees, self.basis = fields["trees"], fields["basis"]
        self.heads, self.each, self.vanishing = fields["heads"], fields["each"], fields["vanishing"]
        self.different = fields["different"]
        self.limit = Fraction(fields["limit"]) if "limit" in fields else None
        self.leaning, self.lengths = Fraction(fields["leaning"]), [Fraction(x) for x in fields["lengths"]]
        self.used = set().union(*map(names_in, self.trees))
        self.large = [name for name in LARGE if name in self.used]
        self.digits = 60 + 2 * max(map(digits_in, self.trees))

    def coefficients(self, do, names):
        """Of every query on the basis; in a space one larger than the span, so that no vector is a number."""
        d = len(self.basis) + 1
        units = {name: column([Fraction(int(i == j)) for i in range(d)]) for j, name in enumerate(self.basis)}
        found = [do.value(tree, {**names, **units}) for tree in self.trees]
        if not all(isinstance(x, tuple) and (len(x), len(x[0])) == (d, 1) for x in found):
            raise Undefined
        return [[row[0] for row in x[:-1]] for x in found]

    def weights(self, queries, n, length, leaning):
        """Mean weights of the targets."""
        shares = []
        for first, *others in queries:
            scores = [mp(first) * mp(length), *map(mp, others)]
            shares.append(softmax(scores, mp(first) * mp(leaning), mp(n) - len(scores)))
        return [sum(parts) / len(queries) for parts in zip(*shares, strict=True)]

    def off(self, queries, n):
        """The largest total variation from equal shares over all lengths and leanings."""
        m = len(self.basis)
        found = [self.weights(queries, n, c, a) for c in self.lengths for a in self.leanings()]
        return max(sum(max(mpmath.mpf(1) / m - w, 0) for w in weights) for weights in found)

    def leanings(self):
        return (self.leaning, Fraction(-1)) if self.leaning else (Fraction(0),)

    def room(self, queries, n, tolerance):
        """What must not be negative."""
        m, tolerance = len(self.basis), mp(tolerance)
        if not self.each:
            return [tolerance / (m + tolerance) - self.off(queries, n)]
        ways = itertools.product(self.lengths, self.leanings())
        return [w - 1 / (m + tolerance) for c, a in ways for w in self.weights(queries, n, c, a)]

    def member(self, n, tolerance, further):
        """True, False or None: whether a member is served."""
        names = {"n": number(n), "eps": tolerance, **further}
        digits = self.digits + max([3 * figures(x) for x in further.values()], default=0)

        def attempt(do):
            try:
                queries = self.coefficients(do, names)
            except Undefined:
                return False
            parts = list(self.room(queries, names["n"], tolerance))
            if self.limit is not None:
                allowed = mp(self.limit) * mpmath.log(mp(names["n"]) / mp(tolerance)) ** 2
                parts.append(allowed - sum(mp(x) ** 2 for x in queries[0]))
            if min(parts) < -do.tiny:
                return False
            gaps = [abs(mp(a) - mp(b)) for a, b in zip(*queries, strict=True)] if self.different else []
            if self.different and max(gaps) <= do.tiny:
                return None
            if min(parts) > do.tiny or (do.tiny < mpmath.mpf(10) ** -100 and not self.vanishing):
                return True
            return None

        return steady(attempt, digits=digits)

    def same(self, members):
        """True where both queries agree at all of these members."""

        def attempt(names):
            def agree(do):
                first, second = self.coefficients(do, names)
                return all(abs(mp(a) - mp(b)) <= do.tiny for a, b in zip(first, second, strict=True))

            try:
                return steady(agree, digits=120)
            except Undefined:
                return None

        return self.different and all(attempt(names) is True for names in members)


def softmax(scores, rest, others):
    """Weights of the first keys beside `others` keys of one more score."""
    top = max([*scores, rest] if others > 0 else scores)

    def grown(score):
        return mpmath.exp(score - top) if score - top > -(10**9) else mpmath.mpf(0)

    powers = [grown(score) for score in scores]
    whole = sum(powers) + (others * grown(rest) if others > 0 else 0)
    return [power / whole for power in powers]


def number(text):
    """A number of keys as a certificate writes it: a very long one is rounded."""
    if not isinstance(text, str):
        return Fraction(text)
    power = text.removeprefix("10^")
    if power == text:
        return Fraction(text)
    return mpmath.mpf(10) ** int(power) if int(power) > LONGEST else Fraction(10) ** int(power)


def whole(text):
    """The same number of keys in full."""
    power = text.removeprefix("10^")
    return 10 ** int(power) if power != text else int(Fraction(text))


def sizes(fields, usual):
    """The n of a claim that are looked at: the usual ones, and those around every threshold in the record."""
    if "n" in fields:
        return [Fraction(fields["n"])]
    found = {Fraction(n) for n in usual}
    for part in fields["parts"]:
        found |= {Fraction(whole(part["low"]) + k) for k in ((0,) if part.get("high") == part["low"] else (-1, 0, 1))}
    return sorted(n for n in found if n >= 2)


def tolerances(asked, fields):
    if "epsilon" in fields:
        return [Fraction(fields["epsilon"])]
    return list(TOLERANCES) if asked.each or "eps" in asked.used or not asked.large else [Fraction(1, 2)]


def family(arrays, fields):
    asked = Asked(fields)
    if asked.large:
        return eventually(asked, fields)
    own = [fields["member"]] if "member" in fields else []
    if any(asked.member(x["n"], Fraction(x["epsilon"]), {}) is False for x in own):
        return False
    members = list(itertools.product(sizes(fields, SIZES), tolerances(asked, fields)))
    if asked.different and asked.same([{"n": n, "eps": e} for n, e in members[:: max(1, len(members) // 6)]]):
        return False
    return every(asked.member(n, e, {}) for n, e in members)


def rates(large, powers=FAR):
    """Values of the large symbols: equal, and with each of them far ahead of the others and far behind, size by size."""
    found = [dict.fromkeys(large, 1)]
    if len(large) > 1:
        found += [{name: 1 + (name == first) for name in large} for first in large]
        found += [{name: 1 + 2 * (name != first) for name in large} for first in large]
    return [[{name: Fraction(10) ** (power * rate[name]) for name in large} for power in powers] for rate in found]


def error(asked, n, names, digits):
    """The total variation at a member with large symbols; None where it is not known, "undefined" where there is none."""
    found = far_out(asked, n, names, digits)
    return found if found in (None, "undefined") else found[0]


def far_out(asked, n, names, digits):
    """(total variation, the differences of scores that decide it), None or "undefined"."""

    def attempt(do):
        try:
            queries = asked.coefficients(do, names)
        except Undefined:
            return "undefined"
        gaps = []
        for first, *others in queries:
            scores = [mp(first) * mp(length) for length in asked.lengths] + [mp(x) for x in others]
            gaps += [a - b for a, b in itertools.combinations([*scores, mpmath.mpf(0)], 2)]
        return asked.off(queries, n), gaps

    return steady(attempt, digits=digits)


def settled(found):
    """Whether no difference of scores is still on its way: one that was -10^38 and grows like ln t may take long, and one that
    is 10^-28 and grows like ln(t)/n has not begun to count."""
    before, last = found[-2][1], found[-1][1]
    return all(abs(b - a) < NOTHING or (abs(b) > 1 and (b > 0) == (b > a)) for a, b in zip(before, last, strict=True))


def figures(x):
    """About how many digits a number takes; its text is not made, because Python refuses that for thousands of digits."""
    return 1 + (x.numerator.bit_length() + x.denominator.bit_length()) * 3 // 10


def vanishes(errors):
    """Whether errors at growing sizes go to 0: True, False where they do not, None where that is open."""
    if errors[-1] == "undefined":
        return False
    if None in errors or "undefined" in errors:
        return None
    if errors[-1] < NOTHING or all(b < a * 2 / 3 for a, b in itertools.pairwise(errors)):
        return True
    return False if errors[-1] > NOTHING and errors[-1] > errors[-2] * (1 - mpmath.mpf(10) ** -3) else None


def eventually(asked, fields):
    members = list(itertools.product(sizes(fields, FAR_SIZES), tolerances(asked, fields)[:4]))
    found = []
    for n, tolerance in members:
        for way in rates(asked.large):
            names = [{"n": n, "eps": tolerance, **values} for values in way]
            digits = [asked.digits + 3 * max(figures(x) for x in values.values()) for values in way]
            seen = [far_out(asked, n, x, d) for x, d in zip(names, digits, strict=True)]
            state = vanishes([x if x in (None, "undefined") else x[0] for x in seen])
            if state is False and "undefined" not in seen and not settled(seen):
                state = None
            if state is False:
                return False
            found.append(state)
    far = [{"n": n, "eps": e, **rates(asked.large)[0][0]} for n, e in members]
    return False if asked.different and asked.same(far) else every(found)


def keys(arrays, fields):
    asked = Asked(fields)
    rows, epsilon, slack = grid(arrays["keys"]), Fraction(fields["epsilon"]), Fraction(fields["slack"])
    names = {name: column([Fraction(x) for x in v.tolist()]) for name, v in arrays.items() if name != "keys"}
    names |= {"n": Fraction(len(rows)), "eps": epsilon}
    m, d = len(asked.basis), len(rows[0])

    def attempt(do):
        try:
            queries = [sized(do.value(tree, names), 0) for tree in asked.trees]
        except Undefined:
            return False
        if any((len(query), len(query[0])) != (d, 1) for query in queries):
            return None
        parts = []
        for length in asked.lengths:
            shares = []
            for query in queries:
                scores = [mp(do.dot(row, [x for (x,) in query])) for row in rows]
                shares.append(softmax([scores[0] * mp(length), *scores[1:]], mpmath.mpf(0), 0))
            weights = [sum(parts) / len(queries) for parts in zip(*shares, strict=True)][:m]
            if asked.each:
                parts += [w - 1 / (m + mp(epsilon * (1 + slack))) for w in weights]
            else:
                wanted = epsilon / (m + epsilon)
                allowed = min(wanted * (1 - slack if asked.vanishing else 1 + slack), (1 + wanted) / 2)
                parts.append(mp(allowed) - sum(max(mpmath.mpf(1) / m - w, 0) for w in weights))
        if asked.limit is not None:
            allowed = (1 + mp(slack)) ** 2 * mp(asked.limit) * mpmath.log(mp(len(rows) / epsilon)) ** 2
            parts.append(allowed - sum(mp(x) ** 2 for (x,) in queries[0]))
        gap = max(abs(mp(a) - mp(b)) for (a,), (b,) in zip(*queries, strict=True)) if asked.different else 1
        if min(parts) < -do.tiny or (asked.different and gap == 0):
            return False
        return True if min(parts) > do.tiny and gap > do.tiny else None

    return steady(attempt, digits=asked.digits)


def exact_average(arrays, fields):
    n, tree = fields.get("n"), fields.get("tree")
    if tree is None:
        return n != "2"
    return _even(fields) if n == "2" else False


def _even(fields):
    """Whether two keys score alike at n = 2."""
    tree, d = fields["tree"], 2 if has_array(fields["tree"]) else 3
    units = {name: column([Fraction(int(i == j)) for i in range(d)]) for j, name in enumerate(fields["basis"])}
    found = []
    for eps, size in itertools.product(TOLERANCES[:4], map(Fraction, ("3/2", "1/1000", "10000000000", "7/3"))):
        names = {"n": Fraction(2), "eps": eps, **units, **{x: size + k for k, x in enumerate(LARGE)}}

        def attempt(do, names=names):
            try:
                x = sized(do.value(tree, names), d)
            except Undefined:
                return False
            if (len(x), len(x[0])) != (d, 1):
                return False
            gap = do.plus(x[0][0], do.times(Fraction(-1), x[1][0]))
            return gap == 0 if isinstance(gap, Fraction) else abs(gap) <= do.tiny

        found.append(steady(attempt, digits=120 + 2 * digits_in(tree)))
    return every(found)


# Matrices


def reads_out(arrays, fields):
    given = {name: grid(x) for name, x in arrays.items()}
    if given:
        found = _reads(fields, given)
        if found is not True:
            return found
    if names_in(fields["tree"]) - {fields["first"], fields["second"]}:
        return None
    return every(_reads(fields, bases) for bases in _bases(fields, orthonormal=fields["orthonormal"]))


def _reads(fields, bases):
    """Whether M reads out at these bases."""
    a, b = (bases[fields[name]] for name in ("first", "second"))
    d, share = len(a), Fraction(fields["share"])

    def attempt(do):
        try:
            matrix = sized(do.value(fields["tree"], bases), d)
        except Undefined:
            return False
        if (len(matrix), len(matrix[0])) != (d, d):
            return False
        for basis, wanted in ((a, 1 / share), (b, Fraction(0))):
            got = do.matrix_times(turned(basis), matrix) if fields["rows"] else turned(do.matrix_times(matrix, basis))
            gaps = [
                do.plus(x, -wanted * y)
                for p, q in zip(got, turned(basis), strict=True)
                for x, y in zip(p, q, strict=True)
            ]
            if any(gap != 0 if isinstance(gap, Fraction) else abs(gap) > do.tiny for gap in gaps):
                return False
        return True

    return steady(attempt, digits=120 + 2 * digits_in(fields["tree"]))


@functools.cache
def _frames(orthonormal):
    """Pairs of rational bases of orthogonal spaces: orthonormal by reflections, else combinations of such columns."""
    chance, found = random.Random(7), []
    for d, m, p in ((2, 1, 1), (3, 1, 2), (4, 2, 1), (5, 2, 3), (4, 2, 2)):
        frame = [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]
        for _ in range(3):
            v = [Fraction(chance.randint(-3, 3)) for _ in range(d)]
            v[chance.randrange(d)] += 4
            size = sum(x * x for x in v)
            shares = [2 * sum(v[i] * frame[i][j] for i in range(d)) / size for j in range(d)]
            frame = [[frame[i][j] - v[i] * shares[j] for j in range(d)] for i in range(d)]
        pair = [[row[:m] for row in frame], [row[m : m + p] for row in frame]]
        if not orthonormal:
            for k, basis in enumerate(pair):
                w = len(basis[0])
                mixed = [
                    [Fraction(chance.randint(-3, 3), 2) if i > j else Fraction((i == j) * (2 + k)) for j in range(w)]
                    for i in range(w)
                ]
                pair[k] = [[sum(row[i] * mixed[i][j] for i in range(w)) for j in range(w)] for row in basis]
        found.append(tuple(tuple(map(tuple, basis)) for basis in pair))
    return found


def _bases(fields, *, orthonormal):
    return [{fields["first"]: a, fields["second"]: b} for a, b in _frames(orthonormal)]


def low_rank(arrays, fields):
    if "matrix" in arrays:
        others = {
            name: grid(x) for name, x in arrays.items() if name not in ("left", "right", "directions", "stretched")
        }
        return _low_rank(fields["tree"], arrays["matrix"], fields["k"], others, Fraction(1, 10**9))
    chance, found = np.random.default_rng(5), []
    for n, d in ((3, 2), (2, 4), (5, 5)):
        a = np.round(chance.normal(size=(n, d)), 3)
        found += [_low_rank(fields["tree"], a, k, {}, Fraction(1, 10**12)) for k in range(1, min(n, d) + 1)]
    return every(found)


def _low_rank(tree, a, k, others, slack):
    def attempt(do):
        try:
            found = do.value(tree, {"A": grid(a), "k": Fraction(k), **others})
        except Undefined:
            return False
        value = sized(found, len(a))
        if (len(value), len(value[0])) != a.shape:
            return False
        matrix = np.array([[float(mp(x)) for x in row] for row in value])
        whole = np.linalg.norm(a)
        if not np.isfinite(matrix).all() or np.abs(matrix).max() > 1e150 or whole == 0:
            raise Unsure
        left = np.linalg.svd(matrix, compute_uv=False)[k - 1 :]
        apart = np.linalg.norm(a - matrix, 2)
        rounding = 1e-13 * max(whole, np.abs(matrix).max())
        allowed = float(slack) * whole
        if left.max(initial=0.0) - rounding > allowed or apart - rounding > whole / np.sqrt(k) * (1 + float(slack)):
            return False
        close = np.linalg.norm(left) + rounding <= allowed and apart + rounding <= whole / np.sqrt(k) * (
            1 + float(slack)
        )
        return True if close else None

    return steady(attempt, digits=90 + 2 * digits_in(tree))


# Layers


class Layer:
    def __init__(self, arrays, fields):
        self.fields, self.d = fields, len(fields["basis"])
        self.given = {name: grid(x) for name, x in arrays.items()}
        self.digits = 60 + 2 * max(map(digits_in, fields["maps"].values()))

    def off(self, row, beta):
        """‖c_r - wanted‖/β; "undefined" where the maps have no value, None where it is not known."""
        units = {u: column([beta * (i == j) for i in range(self.d)]) for j, u in enumerate(self.fields["basis"])}

        def attempt(do):
            try:
                maps = {
                    x: sized(do.value(self.fields["maps"][x], {**units, **self.given, "beta": beta}), self.d)
                    for x in "QKV"
                }
            except Undefined:
                return "undefined"
            q, k, v = maps["Q"], maps["K"], maps["V"]
            if any(len(x[0]) != self.d for x in (q, k, v)) or len(q) != len(k) or len(v) != self.d:
                return "undefined"
            tokens = [[Fraction(x) for x in token] for token in self.fields["tokens"]]
            asked = [do.dot(line, tokens[int(row)]) for line in q]
            images = [[do.dot(line, token) for line in k] for token in tokens]
            scores = [mp(do.times(beta * beta, do.dot(asked, image))) for image in images]
            weights = softmax(scores, mpmath.mpf(0), 0)
            values = [[mp(do.dot(line, token)) for line in v] for token in tokens]
            wanted = self.fields["wanted"][row]
            gaps = [sum(w * x[i] for w, x in zip(weights, values, strict=True)) - wanted[i] for i in range(self.d)]
            return mpmath.sqrt(sum(gap * gap for gap in gaps))

        return steady(attempt, digits=self.digits + 6 * figures(beta))


def layer(arrays, fields):
    found, rows = Layer(arrays, fields), fields["wanted"]
    if "beta" not in fields:
        return every(vanishes([found.off(row, Fraction(beta)) for beta in BETAS]) for row in rows)
    allowed = mp(Fraction(fields["error"]) * (1 + Fraction(fields["slack"])))
    offs = [found.off(row, Fraction(fields["beta"])) for row in rows]
    return every(None if x is None else False if x == "undefined" else below(x, allowed) for x in offs)


def below(x, allowed):
    """Whether x is at most what is allowed; None where they are alike to 25 digits."""
    if abs(x - allowed) <= abs(allowed) * mpmath.mpf(10) ** -12:
        return None
    return bool(x < allowed)


# Counterexamples, and the conditions that go with them


def family_breaks(verdict, arrays, fields):
    asked, point = Asked(fields), verdict.counterexample
    if "q1 - q2" in point:
        yield judge("serves-family", arrays, fields) == "false"
        return
    if asked.large:
        yield from eventually_breaks(verdict, asked, fields)
        return
    n, eps = fields["member"]["n"], Fraction(fields["member"]["epsilon"])
    yield point["n"] == n and point.get("eps", str(eps)) == str(eps)
    yield _OPPOSITE[asked.member(n, eps, {})]
    yield from _weights_shown(asked, point, {"n": number(n), "eps": eps})
    if verdict.holds_when:
        yield from _condition(verdict.holds_when, asked, fields, lambda n, eps: asked.member(n, eps, {}))


def _weights_shown(asked, point, names):
    """Whether the weights in a counterexample are those of the member, at the length that it names."""
    shown = [point.get(f"weight of {name}") for name in asked.basis]
    if None in shown:
        return
    with mpmath.workdps(60 + 3 * max(figures(x) for x in names.values() if isinstance(x, Fraction))):
        from tests.second_opinion_trees import Arithmetic

        try:
            queries = asked.coefficients(Arithmetic(mpmath.mpf(10) ** -20), names)
        except Unsure:
            return
        length = Fraction(point.get("c", str(asked.lengths[0])))
        weights = asked.weights(queries, names["n"], length, asked.leaning)
        yield all(
            abs(mpmath.mpf(x) - w) <= abs(w) * mpmath.mpf(10) ** -4 + mpmath.mpf(10) ** -300
            for x, w in zip(shown, weights, strict=True)
        )


def _condition(words, asked, fields, holds):
    """The condition at members inside of it, none of which may fail; and, unless it is said with "at least", just outside."""
    ranges, sharp = condition(words)
    for low, high in ranges:
        inside = {low, low + 1, 2 * low, 10 * low, 10**12} if high is None else {low, (low + high) // 2, high}
        for n in sorted(n for n in inside if n >= low and (high is None or n <= high)):
            for eps in tolerances(asked, fields)[:4]:
                yield holds(Fraction(n), eps) is not False
    if sharp:
        ends = {high + 1 for low, high in ranges if high is not None} | {low - 1 for low, _ in ranges if low > 2}
        ends -= {n for n in ends if any(low <= n and (high is None or n <= high) for low, high in ranges)}
        known = {whole(x["n"]) for x in fields["outside"]}
        yield ends <= known


def condition(words):
    """([(low, high or None), …], whether it leaves nothing out) of "at least for n = 2 or n >= 5"."""
    plain = words.removeprefix("at least for ")
    found = []
    for part in plain.split(" or "):
        name, relation, text = part.split(" ")
        assert name == "n"
        n = whole(text)
        found.append({"=": (n, n), "<=": (2, n), ">=": (n, None)}[relation])
    return found, plain == words


def eventually_breaks(verdict, asked, fields):
    yield _far_fails(asked, fields["member"])
    if verdict.holds_when:

        def holds(n, eps):
            return eventually(asked, {**fields, "n": str(n), "epsilon": str(eps)})

        yield from _condition(verdict.holds_when, asked, fields, holds)
        if not verdict.holds_when.startswith("at least"):
            yield all(_far_fails(asked, far) for far in fields["outside"])


def _far_fails(asked, far):
    """Whether the weights miss the error at a member's large symbols, and further out on the same way."""
    symbols = {name: Fraction(number(x)) for name, x in far["further"].items()}
    n, tolerance = Fraction(whole(far["n"])), Fraction(far["epsilon"])
    eps = symbols.pop("eps", tolerance)
    allowed = mp(tolerance / (len(asked.basis) + tolerance))
    found = []
    for power in (0, 20, 60):
        values = {name: x * Fraction(10) ** (power * far["path"][name]) for name, x in symbols.items()}
        digits = asked.digits + 3 * max(figures(x) for x in values.values())
        off = error(asked, n, {"n": n, "eps": eps, **values}, digits)
        found.append(None if off is None else True if off == "undefined" else below(allowed, off))
    return all(x is not False for x in found) and min(symbols.values()) > 0


def layer_breaks(verdict, arrays, fields):
    if "fault" in verdict.counterexample or "beta" in fields:
        yield judge("layer-outputs", arrays, fields) not in ("true", "not contradicted")
        return
    found, far, error_ = Layer(arrays, fields), Fraction(fields["far"]), mp(Fraction(fields["error"]))
    for beta in (far, far * 1000, far * 10**9):
        off = found.off(str(fields["row"]), beta)
        yield off is None or off == "undefined" or off > error_


def reads_out_breaks(verdict, arrays, fields):
    given = {name: grid(x) for name, x in arrays.items()}
    yield _obeys(fields, given) and _reads(fields, given) is not True
    if verdict.holds_when:
        yield from (_reads(fields, bases) is not False for bases in _bases(fields, orthonormal=True))


def _obeys(fields, given):
    """Whether the bases obey the rules exactly."""
    a, b = (turned(given[fields[name]]) for name in ("first", "second"))
    products = [[sum(x * y for x, y in zip(p, q, strict=True)) for q in (*a, *b)] for p in (*a, *b)]
    apart = all(products[i][len(a) + j] == 0 for i in range(len(a)) for j in range(len(b)))
    if fields["orthonormal"]:
        return apart and all(x == (i == j) for i, row in enumerate(products) for j, x in enumerate(row))
    return apart and np.linalg.matrix_rank(np.array([[float(x) for x in row] for row in (*a, *b)])) == len(a) + len(b)


def exact_breaks(verdict, arrays, fields):
    if verdict.holds_when:
        yield verdict.holds_when == "n = 2" and _even({**fields, "n": "2"}) is not False


_JUDGES = {
    "serves-family": family,
    "serves-keys": keys,
    "exact-average": exact_average,
    "reads-out-always": reads_out,
    "low-rank-formula": low_rank,
    "layer-outputs": layer,
    inequality.KIND: inequality.judge,
}
_BREAKS = {
    "serves-family": family_breaks,
    "layer-outputs": layer_breaks,
    "reads-out-always": reads_out_breaks,
    "exact-average": exact_breaks,
}
