"""P(total variation <= error) for keys with finite laws of length: every combination of factors is one set of fixed keys.

A factor c scales a key's scores to c·s, an exact rational. Exponentials are computed once for every key and factor, so that a
combination needs only a few sums. Up to `_MOST_EXACT` combinations are judged in balls, with exact rational probabilities.

More combinations are screened in float64. For non-negative numbers with relative error at most 2^-50 each, sums of V + 2 terms,
H mixed quotients and the total variation over m targets are off by less than (V + H + m + 16)·2^-48. A combination further than
that from the error is decided, and the others are judged in balls. Products of V probabilities and their sum (math.fsum) are off
by less than (V + 4)·2^-52 of themselves, and below the normal numbers by less than (V + 2)·2^-1020 for each combination.

`FiniteLaw` and `FiniteTable` serve `outcome` as well (`search/random_keys/finite.py`), which also needs moments.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy
from fractions import Fraction
from itertools import product
from typing import final

import numpy as np

from headwright.kernel import balls, budget
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.kernel.inputs import need_gradual_underflow
from headwright.kernel.within_error import variation_of
from headwright.theories.random_keys.gaussian_probability import Enclosure
from headwright.theories.random_keys.laws import ScaledLaw

_MOST_EXACT = 2**12  # combinations judged in balls, one by one
_BITS = (128, 256, 512, 1024, 2048)  # the first for all combinations together, the others for each that stays open
_CHUNK = 2**16  # combinations screened at a time: bounds the memory
_MOST_DOUBTFUL = 2**16  # combinations judged in balls after a screening
_MOST_ALONE = 2**10  # combinations judged one by one at higher precision

Combination = tuple[int, ...]  # for every varying key, which of its factors
Row = tuple[list[balls.Ball], list[list[balls.Ball]]]  # of the keys that stay (0 for the others); of each varying key


def finite_enclosures(model: ScaledLaw, heads: Heads, goal: Goal, error: Fraction) -> Iterator[Enclosure]:
    """Bounds on the probability; the first is exact unless a combination lies within 10^-30 or so of the error."""
    law = FiniteLaw(model, heads)
    exactly = model.combinations <= _MOST_EXACT
    with balls.precision(_BITS[0]):
        together = FiniteTable(law, goal)
    met, doubtful = (Fraction(0), list(law.combinations())) if exactly else together.screen(error)
    slack = Fraction(0) if exactly else (len(law.factors) + 4) * Fraction(2) ** -51
    lost = Fraction(0) if exactly else model.combinations * (len(law.factors) + 2) * Fraction(2) ** -1020
    how = (
        "each judged exactly in balls" if exactly else "screened in float64 with a proved margin, then judged in balls"
    )
    for bits in _BITS:
        with balls.precision(bits):
            first = bits == _BITS[0]
            left: list[Combination] = doubtful[_MOST_DOUBTFUL:]
            for combination in doubtful[:_MOST_DOUBTFUL]:
                table = together if first else FiniteTable(law.alone(combination), goal)
                numerator, denominator = table.variation(combination if first else (0,) * len(combination))
                excess = error.denominator * numerator - error.numerator * denominator
                if excess <= 0:
                    met = budget.added(met, law.probability(combination))
                elif not excess > 0:
                    left.append(combination)
        doubtful = left
        undecided = budget.summed(law.probability(combination) for combination in doubtful)
        low = max(Fraction(0), met * (1 - slack) - lost)
        high = min(Fraction(1), (met + undecided) * (1 + slack) + lost)
        yield Enclosure(low, high, f"{model.combinations} combinations, {how}")
        if not doubtful or len(doubtful) > _MOST_ALONE:
            return


@final
class FiniteLaw:
    """The combinations of a model under given heads, with the exact scores that each factor gives."""

    def __init__(self, model: ScaledLaw, heads: Heads) -> None:
        need_gradual_underflow()
        self.heads = heads
        self.keys = tuple(model.laws)
        self.factors = tuple(tuple(law) for law in model.laws.values())
        self.chances = tuple(tuple(law.values()) for law in model.laws.values())
        self.shape = tuple(map(len, self.factors))
        self._scores = [balls.exact_scores(heads.keys, query) for query in heads.queries]

    def combinations(self) -> Iterator[Combination]:
        return product(*map(range, self.shape))

    def probability(self, combination: Combination) -> Fraction:
        chance = Fraction(1)
        for p, c in zip(self.chances, combination, strict=True):
            budget.spend(1000 + 3 * budget.product(budget.bits(chance), budget.bits(p[c])))
            chance *= p[c]
        return chance

    def chunk(self, start: int, size: int) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """The factors, one array a key, and the probabilities in float64 of at most `size` combinations from `start` on."""
        chosen = np.unravel_index(np.arange(start, min(start + size, math.prod(self.shape))), self.shape)
        chances = [np.array([float(p) for p in law]) for law in self.chances]
        return chosen, math.prod((p[c] for p, c in zip(chances, chosen, strict=True)), start=np.ones(len(chosen[0])))

    def exponentials(self) -> list[Row]:
        """One row a head at the present precision, relative to its largest score of all."""
        rows, varying = [], set(self.keys)
        for numerators, exponent in self._scores:
            self._count(numerators, exponent)
            still = [Fraction(x) for j, x in enumerate(numerators) if j not in varying]
            scaled = [[c * numerators[j] for c in f] for j, f in zip(self.keys, self.factors, strict=True)]
            all_scores = {*still, *(x for row in scaled for x in row)}
            top, unit = max(all_scores), self.heads.scale * Fraction(2) ** exponent
            known = {x: balls.exact((x - top) * unit).exp() for x in all_scores}
            given = [balls.exact(0) if j in varying else known[Fraction(x)] for j, x in enumerate(numerators)]
            rows.append((given, [[known[x] for x in row] for row in scaled]))
        return rows

    def _count(self, numerators: list[int], exponent: int) -> None:
        """Exact rationals, long where the factors or the scale are, and their exponentials."""
        numbers = len(numerators) + sum(self.shape)
        long = max(map(int.bit_length, numerators)) + abs(exponent) + budget.bits(self.heads.scale)
        long += max((budget.bits(c) for f in self.factors for c in f), default=0)
        budget.spend(numbers * (3000 + 3 * budget.product(long, long) + balls.function_cost()))
        budget.hold(numbers * (200 + long // 8))

    def alone(self, combination: Combination) -> FiniteLaw:
        """The law in which this combination is certain. Scores count from its largest, so that ties are exact."""
        law = copy(self)
        law.factors = tuple((f[c],) for f, c in zip(self.factors, combination, strict=True))
        law.chances, law.shape = ((Fraction(1),),) * len(self.keys), (1,) * len(self.keys)
        return law


@final
class FiniteTable:
    """Exponentials at the present precision, and the total variation of any combination of them from a goal."""

    def __init__(self, law: FiniteLaw, goal: Goal) -> None:
        self._law, self._goal, self._shares = law, goal, law.heads.shares
        exponentials = law.exponentials()
        self._place = {i: place for place, i in enumerate(goal.indices)}
        self._given = [[given[i] for i in goal.indices] for given, _ in exponentials]
        self._outside = [
            balls.total([e for j, e in enumerate(given) if j not in self._place]) for given, _ in exponentials
        ]
        self._scaled = [scaled for _, scaled in exponentials]

    def variation(self, combination: Combination) -> tuple[balls.Ball, balls.Ball]:
        """Balls (a, b) with total variation a / b, b > 0."""
        rows = []
        budget.spend(len(self._given) * (2000 + 50 * len(self._place) + len(combination) * balls.unit_cost()))
        for inside, outside, scaled in zip(self._given, self._outside, self._scaled, strict=True):
            inside = list(inside)
            for j, choices, c in zip(self._law.keys, scaled, combination, strict=True):
                if j in self._place:
                    inside[self._place[j]] = choices[c]
                else:
                    outside = outside + choices[c]
            rows.append(balls.BallTable([*inside, outside]))
        *own, rest = self._law.heads.mixed(rows)
        return variation_of(own, rest, self._goal)

    def float_variation(self, chosen: tuple[np.ndarray, ...]) -> np.ndarray:
        """Total variation of many combinations in float64; NaN where the exponentials underflow."""
        count = len(chosen[0])
        weights, leak = np.zeros((len(self._place), count)), np.zeros(count)
        for share, given, outer, scaled in zip(self._shares, self._given, self._outside, self._scaled, strict=True):
            inside = [np.full(count, float(e)) for e in given]
            outside = np.full(count, float(outer))
            for j, choices, c in zip(self._law.keys, scaled, chosen, strict=True):
                drawn = np.array([float(e) for e in choices])[c]
                if j in self._place:
                    inside[self._place[j]] = drawn
                else:
                    outside = outside + drawn
            whole = outside + np.sum(inside, axis=0)
            whole[whole < 2.0**-900] = np.nan
            leak += float(share) * outside / whole
            weights += float(share) * np.array(inside) / whole
        wanted = np.array([float(share) for share in self._goal.shares])[:, None]
        return np.asarray(leak + np.maximum(weights - wanted, 0).sum(axis=0))

    def screen(self, error: Fraction) -> tuple[Fraction, list[Combination]]:
        """(about the probability of the combinations that surely meet the error, those that are too near to say)."""
        shape, targets = self._law.shape, len(self._place)
        margin = (len(shape) + len(self._shares) + targets + 16) * 2.0**-48
        budget.hold(8 * _CHUNK * (4 * targets + len(shape)))
        sums, doubtful = [], []
        for start in range(0, math.prod(shape), _CHUNK):
            chosen, probability = self._law.chunk(start, _CHUNK)
            budget.spend(len(probability) * len(self._shares) * (10 * targets + 10 * len(shape) + 50))
            variation = self.float_variation(chosen)
            near = ~(np.abs(variation - float(error)) > margin)  # NaN counts as near
            sums.append(math.fsum(probability[(variation <= float(error)) & ~near].tolist()))
            budget.hold(int(near.sum()) * (100 + 8 * len(shape)))
            doubtful += [tuple(int(c[k]) for c in chosen) for k in np.flatnonzero(near)]
        return Fraction(math.fsum(sums)), doubtful
