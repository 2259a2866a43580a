"""Quantiles of the error over one Gaussian: found in float64, then proved from both sides.

q is the p-quantile iff P(TV < q) <= p <= P(TV <= q). A float64 search over z finds q to some 10^-14; then P(TV <= q - δ) < p and
p <= P(TV <= q + δ) are proved by enclosures, with δ widened until both are. What is returned rests on these alone.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import final

import numpy as np

from headwright.bounded import Figure
from headwright.goals import Goal
from headwright.keys import GaussianKeys
from headwright.noise.patience import Patience
from headwright.proofs import Heads, probability_enclosures
from headwright.proofs.score_noise import ScoreNoise

_HOW = "a rigorous integral over one Gaussian, on both sides of the quantile"
_FARTHEST = 9.0  # P(|z| > 9) < 10^-18
_GRID = 2049
_COARSE = Fraction(1, 2**40)
_MOST_STEPS_OUT = 14  # each many times as far as the one before
_STEPS = 64  # halvings of the search for q


def proved_quantile(model: GaussianKeys, heads: Heads, noise: ScoreNoise, goal: Goal, p: Fraction) -> Figure:
    with np.errstate(all="ignore"):
        guess = FloatError(heads, noise, goal).quantile(float(p))

    def reached(error: Fraction) -> bool | None:
        """Whether P(TV <= error) >= p; None where that stays open."""
        if not 0 < error < 1:
            return error >= 1
        patience = Patience(lambda low, high: low >= p or high < p)
        for found in probability_enclosures(model, heads, goal, error, enough=patience.enough):
            if found.low >= p:
                return True
            if found.high < p:
                return False
            if patience.is_over:
                break
            patience.next_tier()
        return None

    low, high = Fraction(0), Fraction(1)
    for side in (-1, 1):
        step = Fraction(guess) / 2**46
        for _ in range(_MOST_STEPS_OUT):
            error = Fraction(guess) + side * step
            answer = reached(error)
            if answer is True:
                high = min(high, error)
            elif answer is False:
                low = max(low, error)
            if answer is (side > 0) or not 0 < error < 1:
                break
            step = (
                16 * step if answer is not None else max(64 * step, _COARSE)
            )  # what stays open is costly: go far at once
    return Figure.proven(max(low, Fraction(0)), min(high, Fraction(1)), how=_HOW)


@final
class FloatError:
    """Total variation as a function of z, in float64: for search only."""

    def __init__(self, heads: Heads, noise: ScoreNoise, goal: Goal) -> None:
        scores = float(heads.scale) * (heads.keys @ heads.queries.T).T  # (h, n)
        key, n = noise.key, heads.n
        kept = np.arange(n) != key
        others = scores[:, kept]
        top = others.max(axis=1)
        sums = top + np.log(np.exp(others - top[:, None]).sum(axis=1))
        ratios = np.zeros_like(scores)
        ratios[:, kept] = np.exp(others - sums[:, None])
        self._levels = scores[:, key] - sums
        self._slopes = np.array([float(rise) for rise in noise.rises]) * math.sqrt(noise.root)
        shares = np.array([float(share) for share in heads.shares])
        weights = shares[:, None] * ratios
        inside = list(goal.indices)
        # loadings on u, and on 1 - u: only the moving key has the second
        self._inside, self._outside = weights[:, inside], np.delete(weights, inside, axis=1).sum(axis=1)
        self._moved_inside = shares[:, None] * (np.array(inside) == key)
        self._moved_outside = shares * (key not in inside)
        self._wanted = np.array([float(share) for share in goal.shares])
        self._grid = self._points()
        self._values = self.at(self._grid)

    def _points(self) -> np.ndarray:
        """A grid of z, with more points where a sharp head turns."""
        points = [np.linspace(-_FARTHEST, _FARTHEST, _GRID)]
        for level, slope in zip(self._levels, self._slopes, strict=True):
            if slope:
                points.append((np.linspace(-40, 40, 321) - level) / slope)
        merged = np.unique(np.concatenate(points))
        kept: np.ndarray = merged[np.abs(merged) <= _FARTHEST]
        return kept

    def at(self, z: np.ndarray) -> np.ndarray:
        from scipy.special import expit

        line = self._levels + self._slopes * z[:, None]
        u, rest = expit(-line), expit(line)
        leak = u @ self._outside + rest @ self._moved_outside
        if len(self._wanted) == 1:
            return np.asarray(leak)
        weights = u @ self._inside + rest @ self._moved_inside
        return np.asarray(leak + np.maximum(weights - self._wanted, 0).sum(axis=1))

    def probability(self, error: float) -> float:
        from scipy.special import ndtr

        met = self._values <= error
        turns = np.flatnonzero(met[1:] != met[:-1])
        low, high = self._grid[turns].copy(), self._grid[turns + 1].copy()
        for _ in range(60):
            middle = (low + high) / 2
            same = (self.at(middle) <= error) == met[turns]
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        ends = np.concatenate([[-np.inf], high, [np.inf]])
        masses = np.where(ends[:-1] > 0, ndtr(-ends[:-1]) - ndtr(-ends[1:]), ndtr(ends[1:]) - ndtr(ends[:-1]))
        inside = np.concatenate([met[:1], met[turns + 1]])
        return float(math.fsum(masses[inside].tolist()))

    def quantile(self, p: float) -> float:
        low, high = 1e-300, 1.0
        for _ in range(_STEPS):
            middle = (low + high) / 2 if high < 2 * low else math.sqrt(low * high)
            if self.probability(middle) >= p:
                high = middle
            else:
                low = middle
        return high  # 1 where float64 overflowed, and every comparison failed
