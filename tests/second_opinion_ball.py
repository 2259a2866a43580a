"""A second opinion on claims about all queries of a ball: queries tried with exact scores, and both bounds in rationals.

Queries that move far are looked for first: along differences of two keys' moves, at the keys, and at random. One that moves
further than the error makes the claim false, whatever a bound says. If none does, the largest distance of two moves, or the
spread of the moves under weights that cannot exceed their caps, may show that the claim is true.
"""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np

from tests import second_opinion_comparison as comparisons
from tests.brackets import bracket, root, whole_numbers
from tests.second_opinion_words import parts_of

KIND = "kept-on-ball"
SAMPLES, BITS = 12, 96


def judge(arrays, fields):
    sets = [_Set(keys, stored, fields) for keys, stored in zip(arrays["keys"], arrays["stored"], strict=True)]
    tried = arrays.get("tried", [None] * len(sets))
    for one, query in zip(sets, tried, strict=True):
        if any(one.moves_too_far(q) for q in one.queries(query)):
            return "false"
    return "true" if all(one.is_within() for one in sets) else "unknown"


def breaks(verdict):
    """Whether the query that a Refuted names lies in the ball and moves further than the error."""
    (_, arrays, fields), point = parts_of(verdict.record), verdict.counterexample
    seen = point["keys"] if fields["causal"] else None
    keys, stored = (arrays[name][point["set"]][:seen] for name in ("keys", "stored"))
    return _Set(keys, stored, fields | {"causal": False}).moves_too_far(point["query"])


def work(arrays, fields):
    g, n, d = np.shape(arrays["keys"])
    rows = n / 2 if fields["causal"] else 1
    return g * n * (n * d + 4 * rows * (SAMPLES + 2 * n) * (6 + d / 5)) / 4


def _exactly(rows):
    integers, exponent = whole_numbers(rows)
    return [[entry * Fraction(2) ** exponent for entry in row] for row in integers]


def _dot(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def _minus(x, y):
    return [a - b for a, b in zip(x, y, strict=True)]


def _mean(rows):
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


class _Set:
    def __init__(self, keys, stored, fields):
        self.arrays = keys, stored
        self.keys, self.stored = _exactly(keys), _exactly(stored)
        self.moves = [_minus(y, x) for x, y in zip(self.keys, self.stored, strict=True)]
        self.error, self.scale, self.norm = (Fraction(fields[name]) for name in ("error", "scale", "max_norm"))
        self.causal = fields["causal"]

    def queries(self, tried):
        """Float64 queries to try; those that rounding leaves outside of the ball are not counted."""
        chance, d = random.Random(4), len(self.keys[0])
        ways = [_minus(x, y) for x, y in combinations(self.moves, 2)][: 2 * len(self.keys)]
        ways += [_minus(x, _mean(self.keys)) for x in self.keys]
        ways += [[Fraction(chance.gauss(0, 1)) for _ in range(d)] for _ in range(SAMPLES)]
        found = [] if tried is None else [np.asarray(tried)]
        for way in ways:
            square = _dot(way, way)
            if square:
                length = root(square, BITS)[1] or Fraction(1)
                if (largest := float(self.norm * (1 - Fraction(1, 2**40)) / length)) < 1e290:
                    found.append(np.array([float(x) * largest for x in way]))
        return [query for query in found if np.isfinite(query).all()]

    def moves_too_far(self, query):
        (exact,) = _exactly(np.asarray(query)[None])
        if _dot(exact, exact) > self.norm**2:
            return False
        rows = np.repeat(np.asarray(query)[None], len(self.keys) if self.causal else 1, axis=0)  # row i sees i + 1 keys
        one = {"keys": self.arrays[0][None], "stored": self.arrays[1][None], "queries": rows[None]}
        said = {"causal": self.causal, "scale": str(self.scale), "error": str(self.error)}
        return comparisons.judge(one, said) == "false"

    def is_within(self):
        return self.by_diameter() or (not self.causal and self.by_spread())

    def by_diameter(self):
        """tanh(ρD/4) <= e if and only if e^(-ρD/2) >= (1 - e) / (1 + e)."""
        pairs = (_minus(x, y) for x, y in combinations(self.moves, 2))
        widest = root(max((_dot(x, x) for x in pairs), default=Fraction(0)), BITS)[1]
        low, _ = bracket(-self.scale * self.norm * widest / 2, BITS)
        return Fraction(low, 2**BITS) >= (1 - self.error) / (1 + self.error)

    def by_spread(self):
        """ρ² max_i Σ_j α_j |y_i·y_j| v_j/v_i <= 4e² for all weights under their caps, with v about the lengths of y."""
        n, reach = len(self.keys), self.scale * self.norm
        centred = [_minus(x, _mean(self.moves)) for x in self.moves]
        sizes = [root(_dot(x, x), BITS)[1] for x in centred]
        sizes = [max(size, max(sizes) / 2**20, Fraction(1, 2**90)) for size in sizes]
        caps = []
        for rows in zip(self._from_mean(self.keys), self._from_mean(self.stored), strict=True):
            low, _ = bracket(-reach * max(rows), BITS)
            caps.append(Fraction(2**BITS, low * n) if low else Fraction(1))
        worst = Fraction(0)
        for i in range(n):
            entries = [(abs(_dot(centred[i], centred[j])) * sizes[j] / sizes[i], caps[j]) for j in range(n)]
            total, left = Fraction(0), Fraction(1)
            for entry, cap in sorted(entries, reverse=True):
                total, left = total + entry * min(cap, left), left - min(cap, left)
            worst = max(worst, total)
        return reach**2 * worst <= 4 * self.error**2

    def _from_mean(self, rows):
        return [root(_dot(x, x), BITS)[1] for x in (_minus(row, _mean(rows)) for row in rows)]
