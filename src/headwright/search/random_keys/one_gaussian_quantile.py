"""Quantiles of the error over one Gaussian: found in float64, then proved from both sides.

q is the p-quantile iff P(TV < q) <= p <= P(TV <= q). A float64 search over z finds q to some 10^-14; then P(TV <= q - δ) < p and
p <= P(TV <= q + δ) are proved by enclosures, with δ widened until both are. What is returned rests on these alone.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.search.random_keys.score_law import gaussian_law
from headwright.theories.random_keys.with_probability import probability_enclosures
from headwright.words.bounded import Bounded, Decided
from headwright.words.key_models import GaussianKeys

_HOW = "a rigorous integral over one Gaussian, on both sides of the quantile"
_FARTHEST = 9.0  # P(|z| > 9) < 10^-18
_GRID = 2049  # points over these 18 deviations: two turns of the error nearer than 0.009 may be missed, and cost a wider figure
_CLOSE = Fraction(1, 2**46)  # of the guess, where the search is believed first: float64 has six more digits in binary
_COARSE = Fraction(1, 2**40)  # a step out from a place where nothing could be proved
_MOST_STEPS_OUT = 14  # each 16 times as far as the one before: 2^-46 of the guess grows beyond 1
_STEPS = 64  # halvings of the search for q: down from 1e-300, then to the last digit


def proved_quantile(model: GaussianKeys, heads: Heads, goal: Goal, p: Fraction) -> Bounded:
    with np.errstate(all="ignore"):
        guess = _guessed(model, heads, goal, float(p))

    def reached(error: Fraction) -> bool | None:
        """Whether P(TV <= error) >= p; None where that stays open."""
        if not 0 < error < 1:
            return error >= 1
        decided = Decided(p)
        for bounds in probability_enclosures(model, heads, goal, error, enough=decided):
            if decided(bounds.low, bounds.high):
                return bounds.low >= p
        return None

    low, high = Fraction(0), Fraction(1)
    for side in (-1, 1):
        step = _CLOSE * Fraction(guess)
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
    return Bounded.proven(max(low, Fraction(0)), min(high, Fraction(1)), how=_HOW)


def _guessed(model: GaussianKeys, heads: Heads, goal: Goal, p: float) -> float:
    """The quantile in float64: by search, and trusted for nothing; 1 where scores leave the range of float64."""
    try:
        return FloatError(model, heads, goal).quantile(p)
    except ValueError:
        return 1.0


@final
class FloatError:
    """Total variation as a function of the one Gaussian z, in float64: for search only."""

    def __init__(self, model: GaussianKeys, heads: Heads, goal: Goal) -> None:
        self._law = gaussian_law(model, heads)
        self._error = self._law.error_from(goal)
        self._grid = self._points()
        self._values = self.at(self._grid)

    def _points(self) -> np.ndarray:
        """A grid of z, with more points where a sharp head turns."""
        points = [np.linspace(-_FARTHEST, _FARTHEST, _GRID)]
        levels = self._law.means[:, 0] - self._law.sums
        for level, slope in zip(levels, self._law.loadings[0, :, 0], strict=True):
            if slope:
                points.append(
                    (np.linspace(-40, 40, 321) - level) / slope
                )  # e^-40 is below rounding: no turn lies beyond
        merged = np.unique(np.concatenate(points))
        kept: np.ndarray = merged[np.abs(merged) <= _FARTHEST]
        return kept

    def at(self, z: np.ndarray) -> np.ndarray:
        return self._error.of(self._law.weights(z[:, None, None]))

    def probability(self, error: float) -> float:
        from scipy.special import ndtr

        met = self._values <= error
        turns = np.flatnonzero(met[1:] != met[:-1])
        low, high = self._grid[turns].copy(), self._grid[turns + 1].copy()
        for _ in range(60):  # halvings of 0.009: to the last digit of z
            middle = (low + high) / 2
            same = (self.at(middle) <= error) == met[turns]
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        ends = np.concatenate([[-np.inf], high, [np.inf]])
        masses = np.where(ends[:-1] > 0, ndtr(-ends[:-1]) - ndtr(-ends[1:]), ndtr(ends[1:]) - ndtr(ends[:-1]))
        inside = np.concatenate([met[:1], met[turns + 1]])
        return float(math.fsum(masses[inside].tolist()))

    def quantile(self, p: float) -> float:
        low, high = 1e-300, 1.0  # a quantile below float64's normal numbers is left to the proof
        for _ in range(_STEPS):
            middle = (low + high) / 2 if high < 2 * low else math.sqrt(low * high)
            if self.probability(middle) >= p:
                high = middle
            else:
                low = middle
        return high
