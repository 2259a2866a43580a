"""The outcome over a finite law of keys, by enumeration: every combination of factors is one set of keys, and has its weights.

A factor c scales a key's scores to c·s exactly. With exponentials e and sums Z_h a combination has u_h = R_h/Z_h and
β_k = Σ_h π_h e_hk/Z_h (`linear_image`), and moments are sums with rational probabilities, here in balls of 128 bits and more.
Keys that do not vary are the law with one combination.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import final

import numpy as np

from headwright import balls
from headwright.bounded import Bounded
from headwright.frozen import computed_once
from headwright.goals import Goal
from headwright.noise.combinations import EnumeratedScores
from headwright.noise.law import Law, Moments, proved_probability
from headwright.noise.linear_image import NEGLIGIBLE, Balls, ImageMoments, LinearImage, fine_enough
from headwright.proofs import Heads
from headwright.scaled_keys import ScaledKeys

MOST_EXACT = 2**12  # combinations judged in balls; beyond, in float64 with a proved radius
_BITS = (128, 256, 512)  # the first that leaves every number its last digit of float64 is enough
_DIGITS = 64  # bits of a total variation that count as known: float64 and a little more


@final
@dataclass(frozen=True)
class _Case:
    """One combination: its probability, and in balls u (h), w (h, M) and the total variation (0 without a goal)."""

    chance: balls.Ball
    u: Balls
    w: list[Balls]
    variation: balls.Ball


@final
class ExactFinite(Law):
    """Up to some thousand combinations, each in balls."""

    proved = True

    def __init__(self, model: ScaledKeys, heads: Heads, goal: Goal | None, values: np.ndarray | None) -> None:
        self._model, self._heads, self._goal, self._values = model, heads, goal, values
        self._scores = EnumeratedScores(model, heads)
        count = self._scores.count
        self.method = (
            "the keys do not vary: weights in balls" if count == 1 else f"all {count} combinations of factors, in balls"
        )

    def moments(self) -> Moments:
        for bits in _BITS:
            with balls.precision(bits):
                moments = self._moments()
            if fine_enough(moments):
                break
        return moments

    def _moments(self) -> Moments:
        shares = [balls.exact(share) for share in self._heads.shares]
        cases = list(self._cases(goal=None))
        rows = [[*case.u, *_mixed(shares, case.w)] for case in cases]
        mean = [
            balls.total([c.chance * row[i] for c, row in zip(cases, rows, strict=True)]) for i in range(len(rows[0]))
        ]
        apart = [[x - m for x, m in zip(row, mean, strict=True)] for row in rows]
        cov = [[balls.exact(0)] * len(mean) for _ in mean]
        if len(cases) > 1:
            for i in range(len(mean)):
                for k in range(i + 1):
                    cov[i][k] = balls.total([c.chance * a[i] * a[k] for c, a in zip(cases, apart, strict=True)])
                    cov[k][i] = cov[i][k]
        head_means = [
            [balls.total([c.chance * c.w[h][k] for c in cases]) for k in range(len(self._scores.moving))]
            for h in range(len(shares))
        ]
        image = LinearImage(shares, self._scores.table().ratios(), self._scores.moving)
        return image.moments(ImageMoments(mean, cov, head_means), self._values)

    def _cases(self, goal: Goal | None) -> Iterator[_Case]:
        table = self._scores.table()
        for combination in product(*map(range, self._scores.shape)):
            u, w = table.weights(combination)
            variation = balls.exact(0) if goal is None else table.variation(goal, u, w)
            yield _Case(balls.exact(self._scores.probability(combination)), u, w, variation)

    @computed_once
    def _variations(self) -> list[tuple[balls.Ball, Fraction]]:
        """(total variation, probability) of every combination, the smallest first."""
        chances = [self._scores.probability(c) for c in product(*map(range, self._scores.shape))]
        for bits in _BITS:
            with balls.precision(bits):
                variations = [case.variation for case in self._cases(self._goal)]
                fine = all(x.rel_accuracy_bits() >= _DIGITS or x.upper() < NEGLIGIBLE for x in variations)
            if fine:
                break
        return sorted(zip(variations, chances, strict=True), key=lambda pair: _ends(pair[0]))

    def error_mean(self) -> Bounded:
        with balls.precision(_BITS[-1]):
            return Bounded.of_ball(balls.total([balls.exact(p) * x for x, p in self._variations]), how=self.method)

    def probability(self, error: Fraction) -> Bounded:
        assert self._goal is not None
        return proved_probability(self._model, self._heads, self._goal, error, width=Fraction(0))

    def quantile(self, p: Fraction) -> Bounded:
        """Where the summed probability reaches p; combinations whose balls overlap are not told apart, and need not be."""
        summed, low, high = Fraction(0), Fraction(0), Fraction(0)
        for ball, chance in self._variations:
            bottom, top = _ends(ball)
            if bottom > high and summed >= p:
                break
            low, high = (bottom if bottom > high else low), max(high, top)
            summed += chance
        return Bounded.proven(max(low, Fraction(0)), min(high, Fraction(1)), how=self.method)


def _mixed(shares: Balls, w: list[Balls]) -> Balls:
    return [balls.total([share * row[k] for share, row in zip(shares, w, strict=True)]) for k in range(len(w[0]))]


def _ends(ball: balls.Ball) -> tuple[Fraction, Fraction]:
    with balls.precision(balls.FLOAT_BITS):
        low, high = balls.lower(ball), balls.upper(ball)
    return Fraction(0) if low is None else max(low, Fraction(0)), Fraction(1) if high is None else min(
        high, Fraction(1)
    )
