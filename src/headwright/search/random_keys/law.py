"""What every way to the law of an outcome offers: moments of weights and output, and figures of the error.

The ways are `finite` (enumeration), `one_gaussian` (rigorous integrals) and `sampled` (scrambled Sobol points).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.frozen import Frozen, lending, sealed
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.theories.random_keys.with_probability import probability_enclosures
from headwright.words.bounded import Bounded, Close
from headwright.words.key_models import KeyModel


@final
@lending("value", "half")
@dataclass(frozen=True, eq=False)
class Numbers(Frozen):
    """An array of numbers, and beside each the half-width of what it may be off."""

    value: np.ndarray
    half: np.ndarray

    def __post_init__(self) -> None:
        for name in ("value", "half"):
            object.__setattr__(self, name, sealed(getattr(self, name)))


@final
@dataclass(frozen=True, eq=False)
class Moments:
    """mean (n,) and sd (n,) of the mixed weights, head_mean (h, n); output mean (v,) and cov (v, v), or None."""

    mean: Numbers
    sd: Numbers
    head_mean: Numbers
    output_mean: Numbers | None
    output_cov: Numbers | None


class Law(ABC):
    """The law of weights and, where a goal was given, of their total variation from it."""

    method: str
    proved: bool
    samples: int | None = None
    seed: int | None = None

    @abstractmethod
    def moments(self) -> Moments: ...

    @abstractmethod
    def error_mean(self) -> Bounded: ...

    @abstractmethod
    def probability(self, error: Fraction) -> Bounded:
        """P(total variation <= error)."""

    @abstractmethod
    def quantile(self, p: Fraction) -> Bounded:
        """The least e with P(total variation <= e) >= p."""

    def bounds(self, error: Fraction) -> Bounded:
        """Proved bounds on the probability, wider ones where it is estimated."""
        return self.probability(error)


def proved_probability(
    model: KeyModel, heads: Heads, goal: Goal, error: Fraction, *, width: Fraction, tries: int | None = None
) -> Bounded:
    """Proved bounds on P(total variation <= error), refined until they are `width` apart, or no proof (of `tries`) is left."""
    close = Close(width)
    low, high, how = Fraction(0), Fraction(1), ""
    for bounds in islice(probability_enclosures(model, heads, goal, error, enough=close), tries):
        low, high, how = max(low, bounds.low), min(high, bounds.high), bounds.method
        if close(low, high):
            break
    return Bounded.proven(low, high, how=how)


def numbers_of(rows: list[balls.Ball], shape: tuple[int, ...]) -> Numbers:
    """Balls as floats: the midpoint, or 0 where that is possible; the half-width takes in radius and rounding."""
    value, half = np.empty(len(rows)), np.empty(len(rows))
    for k, ball in enumerate(rows):
        radius = float(ball.rad()) if ball.is_finite() else np.inf
        value[k] = float(ball.mid()) if ball.is_finite() and not ball.contains(0) else 0.0
        if ball.is_exact() and ball == value[k]:
            half[k] = 0.0
        elif value[k] == 0:
            half[k] = np.nextafter(2 * radius, np.inf)  # |midpoint| <= radius
        else:
            # 2^-48: Arb rounds a radius to 30 bits upward, float() to nearest; 2^-53: the midpoint's own rounding
            half[k] = np.nextafter(radius * (1 + 2.0**-48) + abs(value[k]) * 2.0**-53, np.inf)
    return Numbers(value.reshape(shape), half.reshape(shape))


def root(square: balls.Ball) -> balls.Ball:
    """√ of a number that is not negative, whatever the ball's own lower end."""
    if square > 0:
        return square.sqrt()
    return balls.exact(0).union(square.upper().max(0).sqrt())
