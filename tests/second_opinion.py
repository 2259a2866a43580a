"""A second opinion on certificates, sharing no code with headwright: integers, one bracketed exponential, brute force.

`judge` reads a claim (a certificate file, or an object with `kind`, `arrays()` and `fields()`) and says "true", "false",
"not contradicted" or "unknown". Only "true" confirms: a claim about all of infinitely many members is "not contradicted" when it
holds at all that were tried, and `NO_SECOND_PROOF` lists where nothing better is to be had.

Scores are exact rationals; e^x is held between two integers over 2^P, and P grows until the claim is decided. Total variation
is ½ Σ|α - w| for fixed keys, and for one head with moved keys the largest α(T) - w(T) over all sets T that hold every
outsider, each tried by itself. Several heads with moved keys are each taken at their own worst: that may prove the claim, and
moved keys that are tried may refute it.
"""

import json
import math
import random
import zlib
from copy import copy
from fractions import Fraction
from itertools import combinations

import numpy as np

from tests import (
    second_opinion_apart as apart,
    second_opinion_ball as on_balls,
    second_opinion_batches as batches,
    second_opinion_combined as combined,
    second_opinion_comparison as comparisons,
    second_opinion_equivariance as orders,
    second_opinion_families as families,
    second_opinion_image as images,
    second_opinion_layers as layers,
    second_opinion_leads as leads,
    second_opinion_norm as norms,
    second_opinion_out_of_reach as reach,
    second_opinion_probability as chances,
    second_opinion_programs as programs,
    second_opinion_readout as readouts,
    second_opinion_records as records,
    second_opinion_refusals as refusals,
    second_opinion_spectrum as spectra,
    second_opinion_top as tops,
    second_opinion_variance as variances,
)
from tests.brackets import added, bracket, decided, rationals, root, scaled, whole_numbers
from tests.second_opinion_words import in_older_words, parts_of

PRECISIONS = (128, 512, 1536, 4096, 16384)
# A Proved of these kinds is not contradicted at best, always or in the case named: docs/trust.md has the same list.
NO_SECOND_PROOF = {
    "serves-family": "all sizes, tolerances and lengths of keys",
    "serves-keys": "an error that is met exactly",
    "exact-average": "a query given by a formula",
    "reads-out-always": "all bases",
    "low-rank-formula": "all matrices",
    "layer-outputs": "β that grows without bound",
    "inequality": "all points of the ranges",
    "lead-decides": "leads that are enough only by several powers of the odds together",
    "withstands": "goals of more than 10 keys, and several heads that cannot be at their worst together",
    "weight-bound": "keys that move, and several heads that cannot be at their worst together",
    "kept-on-ball": "bounds sharper than the largest distance of two moves and the spread of the moves give",
    "runs-program": "programs whose boxes are too wide without the layout's correlations",
    "block-equivariant": "blocks with a mask or with positions that make no difference",
    "weight-variance": "a key whose length varies: its integral is computed without a bound on the error",
    "within-error-with-probability": "several Gaussian keys, whose scores are drawn",
}
MOST_TRIED, SAMPLES = 10, 6  # support size up to which all subsets are tried; moves tried along each head


def judge(source):
    """ "true", "false", "not contradicted" or "unknown" for the claim in a certificate file or in a claim object."""
    return judge_parts(*parts(source))


def parts(source):
    if hasattr(source, "arrays"):
        return parts_of(source)
    from safetensors import safe_open

    with safe_open(source, framework="numpy") as file:
        fields = json.loads(file.metadata()["claim"])
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    arrays = unpacked(arrays["packed"].tobytes()) if list(arrays) == ["packed"] else arrays
    arrays = {name: own for name, own in arrays.items() if not name.startswith(("said.", "design."))}
    return in_older_words(fields["kind"], arrays, fields)


def unpacked(whole):
    """The arrays of a packed file: eight bytes of size, then a compressed safetensors text, taken apart by hand."""
    text = zlib.decompress(whole[8:])
    assert len(text) == int.from_bytes(whole[:8], "little")
    start = 8 + int.from_bytes(text[:8], "little")
    found = {}
    for name, own in json.loads(text[8:start]).items():
        first, final = (start + place for place in own["data_offsets"])
        assert own["dtype"] == "F64"
        found[name] = np.frombuffer(text[first:final], dtype="<f8").reshape(own["shape"])
    return found


TYPES = {"float32": (24, -149, 128), "float16": (11, -24, 16), "bfloat16": (8, -133, 128)}
FP8 = {"fp8-e4m3": (4, -9, 9), "fp8-e5m2": (3, -16, 16)}
INTEGERS = {"int8": 127, "int4": 7, "int3": 3}
# The levels of nf4 times 2^29, of one sign each.
NF4_DOWN = (536870912, 373765664, 281896448, 212019712, 152708304, 99199480, 48882116)
NF4_UP = (536870912, 388134496, 302052704, 236604288, 181416864, 132130536, 86398744, 42724348)


def is_stored(number, precision):
    """Whether a rational is a number of the type: an odd number of so many bits, times a power of two in range."""
    bits, lowest, highest = (TYPES | FP8)[precision]
    if precision == "fp8-e4m3" and abs(number) > 448:
        return False
    if number == 0:
        return True
    top, bottom = abs(number).numerator, number.denominator
    twos = (top & -top).bit_length() - bottom.bit_length()  # bottom is a power of two, and so may be a factor of top
    return (top // (top & -top)).bit_length() <= bits and twos >= lowest and abs(number) < Fraction(2) ** highest


def is_column(numbers, precision):
    """Whether all these rationals are codes of the kind times one float16 number."""
    largest = max(map(abs, numbers))
    if largest == 0:
        return True
    if precision in INTEGERS:  # the scale divides what divides all numbers, and is not too small for the largest
        common = Fraction(math.gcd(*(x.numerator for x in numbers)), math.lcm(*(x.denominator for x in numbers)))
        parts = range(1, math.floor(common * INTEGERS[precision] / largest) + 1)
        return any(is_stored(common / part, "float16") for part in parts)
    levels = {0, *(-x for x in NF4_DOWN), *NF4_UP}
    scales = [largest / abs(level) for level in levels if level]
    return any(is_stored(s * 2**29, "float16") and all(x / s in levels for x in numbers) for s in scales)


def is_labelled(arrays, precision):
    """Whether the keys, and for a number type the queries, are numbers of this kind."""
    if precision in TYPES or precision in FP8:
        names = ("keys", "queries") if precision in TYPES else ("keys",)
        named = [entry for name in names for entry in np.ravel(arrays.get(name, ())).tolist()]
        return all(is_stored(Fraction(entry), precision) for entry in named)
    n, d = np.shape(arrays["keys"])[-2:]
    columns = np.reshape(arrays["keys"], (-1, n, d)).swapaxes(1, 2).reshape(-1, n).tolist()
    return all(is_column([Fraction(entry) for entry in column], precision) for column in columns)


def judge_parts(kind, arrays, fields):
    if kind == batches.KIND:
        return batches.judge(arrays, fields, judge_parts)
    # The claim is about keys of this kind: a false label makes it false.
    if fields.get("precision") is not None and not is_labelled(arrays, fields["precision"]):
        return "false"
    if kind in combined.KINDS:
        return combined.judge(kind, arrays, fields, judge_parts)
    if kind == variances.KIND:
        return variances.judge(arrays, fields)
    if kind == comparisons.KIND:
        return comparisons.judge(arrays, fields)
    if kind == on_balls.KIND:
        return on_balls.judge(arrays, fields)
    if kind == leads.KIND:
        return leads.judge(fields)
    if kind == programs.KIND:
        return programs.judge(arrays, fields)
    if kind in records.JUDGES:
        return records.JUDGES[kind](arrays, fields)
    if kind == refusals.KIND:
        return refusals.judge(fields)
    if kind == apart.KIND:
        return apart.judge(arrays, fields)
    if kind in tops.JUDGES:
        return tops.JUDGES[kind](arrays, fields)
    if kind in readouts.JUDGES:
        return readouts.JUDGES[kind](arrays, fields)
    if kind in spectra.JUDGES:
        return spectra.JUDGES[kind](arrays, fields)
    if kind in reach.KINDS:
        return reach.judge(arrays, fields)
    if kind in norms.JUDGES:
        return norms.JUDGES[kind](arrays, fields)
    if kind in layers.KINDS:
        return layers.judge(kind, arrays, fields, _row)
    if kind in families.KINDS:
        return families.judge(kind, arrays, fields)
    if kind == orders.KIND:
        return orders.judge(arrays, fields)
    if kind == chances.KIND:
        return chances.judge(arrays, fields, lambda factors: _scaled_keys(arrays, fields, factors))
    scores = Scores(arrays, fields)
    asked = _asked(kind, arrays, fields)
    radius = fields.get("radius")
    if radius is None:
        return _raise_precision(lambda p: asked.fixed(*scores.weights(p), p))
    if len(asked.support) <= MOST_TRIED:
        heads = [*scores.heads()]
        if len(heads) == 1:
            return _raise_precision(lambda p: asked.worst(scores.weights(p)[0], scores.pushes(p), p))
        if any(asked.worst_of_each(heads, p) for p in PRECISIONS[:2]):
            return "true"
    for moved in scores.moved(asked.support):
        if _raise_precision(lambda p, s=moved: asked.fixed(*s.weights(p), p)) == "false":
            return "false"
    return "unknown"


def check_counterexample(verdict):
    """Whether the stored point of a Refuted is inside the region and breaks the claim there; None when none is stored."""
    kind, arrays, fields = parts(verdict.record)
    if kind in combined.KINDS:
        return combined.breaks(verdict, judge_parts)
    if kind == batches.KIND:
        return batches.breaks(verdict, judge_parts)
    if kind in (variances.KIND, leads.KIND, *records.JUDGES):
        return None  # the claim's own numbers are the counterexample
    if kind == apart.KIND:
        return apart.breaks(verdict)
    if kind == comparisons.KIND:
        return comparisons.breaks(verdict)
    if kind == on_balls.KIND:
        return on_balls.breaks(verdict)
    if kind in tops.JUDGES:
        return tops.breaks(verdict)
    if kind in readouts.JUDGES:
        return readouts.breaks(verdict)
    if kind in spectra.JUDGES:
        return None  # the matrix itself is the counterexample
    if kind in layers.KINDS:
        return _row_breaks(verdict, arrays, fields)
    if kind in families.KINDS:
        return families.breaks(verdict)
    if kind == orders.KIND:
        return orders.breaks(verdict)
    if kind == chances.KIND:
        return None  # the design itself is the counterexample
    point = verdict.counterexample
    asked = _asked(kind, arrays, fields)
    found = []
    if "keys" in point:
        inside = "radius" not in fields or _inside(arrays, point["keys"], fields)
        there = {**arrays, "keys": np.asarray(point["keys"], dtype=np.float64)}
        there.pop("profile", None)
        fixed = {name: value for name, value in fields.items() if name not in ("radius", "norm")}
        found.append(inside and judge_parts(kind, there, fixed) == "false")
    if "signs" in point:
        scores = Scores(arrays, fields)
        up = {j for j, sign in enumerate(np.asarray(point["signs"]).tolist()) if sign > 0}
        at = _raise_precision(lambda p: asked.vertex(scores.weights(p)[0], scores.pushes(p), up, p))
        found.append(at == "false")
    return all(found) if found else None


def kinds(kind, arrays, fields):
    """Its kind, and those of the claims that it is made of."""
    own = combined.parts(kind, arrays, fields) if kind in combined.KINDS else []
    return {kind}.union(*(kinds(*part) for part in own))


def work(source):
    """How much there is to do, in rough units of 10 microseconds: a rule by size, so that no clock decides."""
    return work_of(*parts(source))


def work_of(kind, arrays, fields):
    if kind in combined.KINDS:
        return sum(work_of(*part) for part in combined.parts(kind, arrays, fields))
    if kind == batches.KIND:
        return batches.work(arrays, fields, work_of)
    if kind == variances.KIND:
        return variances.work(arrays, fields)
    if kind == comparisons.KIND:
        return comparisons.work(arrays, fields)
    if kind == on_balls.KIND:
        return on_balls.work(arrays, fields)
    if kind == leads.KIND:
        return leads.work(fields)
    if kind == programs.KIND:
        return programs.work(arrays, fields)
    if kind in records.JUDGES:
        return records.work(kind, arrays, fields)
    if kind == refusals.KIND:
        return refusals.work(fields)
    if kind == apart.KIND:
        return apart.work(arrays, fields)
    if kind in tops.JUDGES:
        return tops.work(kind, arrays, fields)
    if kind in readouts.JUDGES:
        return readouts.work(kind, arrays, fields)
    if kind in spectra.JUDGES:
        return spectra.work(kind, arrays, fields)
    if kind in reach.KINDS:
        return reach.work(arrays, fields)
    if kind in norms.JUDGES:
        return norms.work(kind, arrays, fields)
    if kind in layers.KINDS:
        return layers.work(kind, arrays, fields)
    if kind in families.KINDS:
        return families.work(kind, arrays, fields)
    if kind == orders.KIND:
        return orders.work(arrays, fields)
    if kind == chances.KIND:
        return chances.work(arrays, fields)
    (n, d), h = np.shape(arrays["keys"]), len(arrays["queries"])
    products, exponentials, sets = n * d * h / 10, 3 * n * h, 0
    support = len(fields["goal"]["indices"]) if "goal" in fields else 0
    if "radius" in fields:
        if h > 1 or support > MOST_TRIED:
            exponentials *= SAMPLES * h
        if support <= MOST_TRIED:
            sets = h * (n * n / 20 if kind == "weight-bound" else n * 2**support / 20)
    return products + exponentials + sets


def _row(scores, goal, wanted, said, tolerance, error):
    """One row of a layer, heads mixed equally: its weights, and its output where one is wanted."""
    row = object.__new__(Scores)
    row.rows, row.shares = scores, [1] * len(scores)
    asked = _Variation({"error": error, "goal": goal}, len(scores[0]))

    def attempt(p):
        numerators, whole = row.weights(p)
        found = [asked.fixed(numerators, whole, p)]
        if wanted is not None:
            found.append(layers.output_within(numerators, whole, said, wanted, tolerance))
        return False if False in found else None if None in found else True

    return _raise_precision(attempt)


def _row_breaks(verdict, arrays, fields):
    """Whether the row that a Refuted names breaks the claim by itself."""
    row = str(verdict.counterexample["row"])
    alone = {**fields, "goals": {row: fields["goals"][row]}}
    return layers.judge("layer-rows", arrays, alone, _row) == "false"


def _scaled_keys(arrays, fields, factors):
    """The claim about fixed keys when the keys named in `factors` are that many times as long."""
    scores = Scores(arrays, fields)
    scores.rows = [[factors.get(j, 1) * s for j, s in enumerate(row)] for row in scores.rows]
    asked = _Variation(fields, len(scores.rows[0]))
    return _raise_precision(lambda p: asked.fixed(*scores.weights(p), p))


def _raise_precision(attempt):
    for p in PRECISIONS:
        answer = attempt(p)
        if answer is not None:
            return "true" if answer else "false"
    return "unknown"


class Scores:
    """The exact scores of every head, the exact shares, and how far the scores of one head may move."""

    def __init__(self, arrays, fields):
        self.scale = Fraction(fields["scale"])
        self.fields = fields
        self.profile = _profile(arrays)
        keys, k_exponent = whole_numbers(arrays["keys"])
        self.queries = images.queries(arrays)
        self.rows = []
        for query in self.queries:
            below = math.lcm(*(number.denominator for number in query))
            q = [int(number * below) for number in query]
            unit = self.scale * Fraction(2) ** k_exponent / below
            self.rows.append([unit * sum(a * b for a, b in zip(key, q, strict=True)) for key in keys])
        mix, _ = whole_numbers(arrays["mix"])
        self.shares = [m // math.gcd(*mix) for m in mix]

    def heads(self):
        """(share of the mean, scores of that head alone) for every head."""
        for share, query, row in zip(self.shares, self.queries, self.rows, strict=True):
            alone = copy(self)
            alone.queries, alone.rows, alone.shares = [query], [row], [1]
            yield Fraction(share, sum(self.shares)), alone

    def weights(self, p):
        """(numerators W_j, their sum Z) as pairs of integers: the weight of key j lies in W_j / Z."""
        heads = []
        for row in self.rows:
            top = max(row)
            known = {s: bracket(s - top, p) for s in set(row)}
            heads.append([known[s] for s in row])
        sums = [added(head) for head in heads]
        numerators = [(0, 0)] * len(self.rows[0])
        for h, head in enumerate(heads):
            others = [sums[g] for g in range(len(heads)) if g != h]
            low = self.shares[h] * math.prod(s[0] for s in others)
            high = self.shares[h] * math.prod(s[1] for s in others)
            numerators = [(w[0] + low * e[0], w[1] + high * e[1]) for w, e in zip(numerators, head, strict=True)]
        return numerators, added(numerators)

    def pushes(self, p):
        """Per key of the one head: (e^{δ_j - M}, e^{-δ_j - M}) over 2^p, each between two integers, with some constant M."""
        reach, query = self.scale * Fraction(self.fields["radius"]), self.queries[0]
        known = {}
        for row in self.profile:
            if tuple(row) not in known:
                known[tuple(row)] = _size(
                    [a * c for a, c in zip(row, query, strict=True)], reach, self.fields["norm"], p
                )
        most = max(high for _, high in known.values())
        ends = {}
        for row, (low, high) in known.items():
            raised = bracket(low - most, p)[0], bracket(high - most, p)[1]
            ends[row] = raised, (bracket(-high - most, p)[0], bracket(-low - most, p)[1])
        return [ends[tuple(row)] for row in self.profile]

    def moved(self, support):
        """Scores after some moves of the keys that stay in the region: all keys along one head, signs by pattern."""
        reach, chance = self.scale * Fraction(self.fields["radius"]), random.Random(0)
        signs = [-1 if j in support else 1 for j in range(len(self.rows[0]))]
        patterns = [signs, [-s for s in signs]]
        patterns += [[chance.choice((-1, 1)) for _ in signs] for _ in range(SAMPLES - 2)]
        for along in self.queries:
            known = {tuple(row): self._lifts(row, along, reach) for row in self.profile}
            lifts = [known[tuple(row)] for row in self.profile]
            for pattern in patterns:
                moved = copy(self)
                moved.rows = [
                    [s + sign * lift[h] for s, sign, lift in zip(row, pattern, lifts, strict=True)]
                    for h, row in enumerate(self.rows)
                ]
                yield moved

    def _lifts(self, row, along, reach):
        """How far a key with this profile lifts its score in every head when it moves along one of them."""
        unit = _unit([a * c for a, c in zip(row, along, strict=True)], self.fields["norm"])
        step = [a * u for a, u in zip(row, unit, strict=True)]
        return [reach * sum(a * b for a, b in zip(step, q, strict=True)) for q in self.queries]


def _size(parts, reach, norm, p):
    """Rationals around how far a score moves, equal where it is rational."""
    if norm == "box":
        return (reach * sum(map(abs, parts)),) * 2
    return root(reach**2 * sum(c * c for c in parts), p)


def _profile(arrays):
    """How far every entry may move at radius 1, as rationals: one row per key."""
    n, d = np.shape(arrays["keys"])
    if "profile" not in arrays:
        return [[Fraction(1)] * d] * n
    rows = [rationals(row) for row in np.asarray(arrays["profile"])]
    rows = [row * d if len(row) == 1 else row for row in rows]
    return rows * n if len(rows) == 1 else rows


def _unit(query, norm):
    """A rational vector of size at most 1 in this norm, along the query as nearly as matters."""
    if norm == "box":
        return [(c > 0) - (c < 0) for c in query]
    length = root(sum(c * c for c in query), 1200)[1]
    return [Fraction(math.trunc(c / length * 2**60), 2**60) if length else Fraction(0) for c in query]


def _inside(arrays, moved, fields):
    keys, radius = arrays["keys"], Fraction(fields["radius"])
    if np.shape(moved) != np.shape(keys):
        return False
    for old, new, row in zip(np.asarray(keys), np.asarray(moved), _profile(arrays), strict=True):
        steps = [b - a for a, b in zip(rationals(old), rationals(new), strict=True)]
        if any(step and not own for step, own in zip(steps, row, strict=True)):
            return False
        parts = [abs(step) / (radius * own) if step else Fraction(0) for step, own in zip(steps, row, strict=True)]
        if (max(parts) if fields["norm"] == "box" else sum(part * part for part in parts)) > 1:
            return False
    return True


class _Variation:
    """Total variation from the goal <= error."""

    def __init__(self, fields, n):
        self.error, goal = Fraction(fields["error"]), fields["goal"]
        self.goal = dict(zip(goal["indices"], map(Fraction, goal["shares"]), strict=True))
        assert sum(self.goal.values()) == 1
        assert min(self.goal.values()) > 0
        self.support, self.n = set(self.goal), n

    def fixed(self, numerators, whole, p):
        common = math.lcm(*(share.denominator for share in self.goal.values()))
        low = high = 0
        for j, w in enumerate(numerators):
            part = int(self.goal.get(j, 0) * common)
            a, b = common * w[0] - part * whole[1], common * w[1] - part * whole[0]
            low, high = low + max(a, -b, 0), high + max(-a, b)
        left, right = self.error.denominator, 2 * common * self.error.numerator
        return decided((left * low - right * whole[1], left * high - right * whole[0]))

    def worst(self, numerators, pushes, p):
        found = [self.vertex(numerators, pushes, up, p) for up in self.sets()]
        return False if False in found else None if None in found else True

    def worst_of_each(self, heads, p):
        """Whether every α(T) is within the error of w(T) although each head has T's scores up and the others down by itself."""
        parts = [(share, head.weights(p)[0], head.pushes(p)) for share, head in heads]

        def most(up):
            sums = [
                (share, *(_sum_over(_pushed(*given, up), up, inside) for inside in (True, False)))
                for share, *given in parts
            ]
            return sum(share * _over(a[1], a[1] + b[0]) for share, a, b in sums)

        return all(
            most(up) <= self.error + sum(share for j, share in self.goal.items() if j in up) for up in self.sets()
        )

    def sets(self):
        """Every set of keys that holds all outsiders."""
        inside, outside = sorted(self.support), set(range(self.n)) - self.support
        for size in range(len(inside) + 1):
            yield from (outside | set(chosen) for chosen in combinations(inside, size))

    def vertex(self, numerators, pushes, up, p):
        """α(T) <= error + w(T) =: c with T's scores up, the others down: (1-c)·A <= c·B."""
        c = self.error + sum(share for j, share in self.goal.items() if j in up)
        ends = _pushed(numerators, pushes, up)
        a, b = (_sum_over(ends, up, inside) for inside in (True, False))
        return decided(added([scaled(a, c.denominator - c.numerator), scaled(b, -c.numerator)]))


def _pushed(numerators, pushes, up):
    """Numerators with the scores of `up` at their highest and the others at their lowest."""
    factors = [raised if j in up else lowered for j, (raised, lowered) in enumerate(pushes)]
    return [(w[0] * f[0], w[1] * f[1]) for w, f in zip(numerators, factors, strict=True)]


def _sum_over(ends, up, inside):
    return added([w for j, w in enumerate(ends) if (j in up) == inside])


def _over(high, low):
    """The quotient; infinite where too few bits leave nothing below."""
    return Fraction(high, low) if low else math.inf


class _Functional:
    """Σ y_j · weight_j <= c, after turning "at least" round."""

    support = frozenset()

    def __init__(self, arrays, fields):
        sign = {"at most": 1, "at least": -1}[fields["side"]]
        over = [sign * (y - Fraction(fields["bound"])) for y in rationals(arrays["values"])]
        common = math.lcm(*(term.denominator for term in over))
        self.over = [int(term * common) for term in over]
        self.order = sorted(range(len(over)), key=lambda j: over[j], reverse=True)

    def fixed(self, numerators, whole, p):
        return decided(added([scaled(w, y) for w, y in zip(numerators, self.over, strict=True)]))

    def worst(self, numerators, pushes, p):
        found = [self.vertex(numerators, pushes, up, p) for up in self.sets()]
        return False if False in found else None if None in found else True

    def worst_of_each(self, heads, p):
        """Whether the mean is at most the bound although each head has its largest value by itself."""

        def most(numerators, pushes):
            for up in self.sets():
                ends = _pushed(numerators, pushes, up)
                high, whole = self.excess(ends)[1], added(ends)
                yield _over(high, whole[0 if high > 0 else 1])

        return sum(share * max(most(head.weights(p)[0], head.pushes(p))) for share, head in heads) <= 0

    def sets(self):
        """The keys of the largest values, one more each time: one of these sets is the worst to raise."""
        return [set(self.order[:size]) for size in range(len(self.order) + 1)]

    def vertex(self, numerators, pushes, up, p):
        return decided(self.excess(_pushed(numerators, pushes, up)))

    def excess(self, ends):
        return added([scaled(w, y) for w, y in zip(ends, self.over, strict=True)])


def _asked(kind, arrays, fields):
    if kind == "weight-bound":
        return _Functional(arrays, fields)
    assert kind in ("within-error", "withstands"), f"a kind of claim without a second opinion: {kind}"
    return _Variation(fields, len(arrays["keys"]))
