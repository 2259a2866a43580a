"""Bounded: a float that carries either proved bounds or the confidence interval of an estimate, and says which.

It computes and compares like any float. `low` and `high` enclose the true number, with certainty if `proved`, otherwise with the
stated confidence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from headwright.kernel import balls, exact_inputs
from headwright.kernel.shown import Shown

CONFIDENCE = 0.95  # of every interval that is estimated
_WIDE = Fraction(
    1, 10**4
)  # proved bounds further apart than this part of max(1, |value|) are shown as a range: "±" would claim digits
_SHORT = 40  # bits of numerator and denominator up to which an exact rational is shown as a fraction

Ends = tuple[Fraction, Fraction]


@exact_inputs.own
@final
class Bounded(Shown, float):
    """A number with `low`, `high`, `proved` and `how` it was obtained; `x in bounded` asks whether x lies between the bounds.

    Proved bounds are kept as exact rationals (`ends`, None for an estimate), and `low` and `high` are these rounded outward.
    `exact` is the number itself if both ends agree, otherwise None.

    >>> Bounded.proven(Fraction(2), Fraction(2) + Fraction(1, 10**9))
    2.0000000005 (proved, ±5e-10)
    >>> Bounded.proven(Fraction(1, 3), Fraction(1, 3)), Bounded.proven(Fraction(91), Fraction(91))
    (1/3 (exact), 91 (exact))
    >>> Bounded.estimated(0.80621, 0.8049, 0.80749, how="16 replicates")
    ≈ 0.8062 (estimated: 0.8049 … 0.8075 at 95 %)
    """

    low: float
    high: float
    proved: bool
    how: str
    ends: Ends | None

    def __new__(cls, value: float, *, low: float, high: float, proved: bool, how: str = "") -> Self:
        if not low <= value <= high:
            raise ValueError(f"`value` must lie between `low` and `high`, got {value!r} beside {low!r} and {high!r}")
        if proved and not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError(f"`low` and `high` must be finite where they are proved, got {low!r} and {high!r}")
        return cls._made(value, low, high, how, (Fraction(low), Fraction(high)) if proved else None)

    @classmethod
    def _made(cls, value: float, low: float, high: float, how: str, ends: Ends | None) -> Self:
        made = super().__new__(cls, value)
        made.__dict__.update(low=low, high=high, proved=ends is not None, how=how, ends=ends)
        return made

    @classmethod
    def proven(cls, low: Fraction, high: Fraction, *, how: str = "") -> Self:
        """The float nearest to the middle of proved bounds. Beyond the range of float64 it is infinite, but `ends` stay exact."""
        if low > high:
            raise ValueError(f"`low` must not exceed `high`, got {low} and {high}")
        bottom, top = balls.float_below(low), balls.float_above(high)
        return cls._made(min(max(_nearest((low + high) / 2), bottom), top), bottom, top, how, (low, high))

    @classmethod
    def of_ball(cls, ball: balls.Ball, *, how: str = "", least: int = 0, most: int = 1) -> Self:
        """The same from a ball of a number known to lie between `least` and `most`."""
        low, high = balls.lower(ball), balls.upper(ball)
        bottom = Fraction(least) if low is None else min(max(low, Fraction(least)), Fraction(most))
        top = Fraction(most) if high is None else max(min(high, Fraction(most)), Fraction(least))
        return cls.proven(bottom, top, how=how)

    @classmethod
    def estimated(cls, value: float, low: float, high: float, *, how: str = "") -> Self:
        """An estimate with the ends of its 95 % interval. It is never called proved."""
        return cls(value, low=min(low, value), high=max(high, value), proved=False, how=how)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Bounded is frozen; make a new one")

    @property
    def exact(self) -> Fraction | None:
        """The number itself, if its proved bounds agree."""
        return self.ends[0] if self.ends is not None and self.ends[0] == self.ends[1] else None

    @property
    def half_width(self) -> float:
        """The farther of the two ends from the value, rounded up."""
        wide = max(self.high - float(self), float(self) - self.low)
        return math.nextafter(wide, math.inf) if wide else 0.0

    def __contains__(self, number: Fraction | float) -> bool:
        low, high = self.ends or (self.low, self.high)
        return bool(low <= number <= high)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for numbers beyond the range of float64."""
        kind = "proved" if self.proved else f"estimated at {100 * CONFIDENCE:g} %"
        numbers = {"value": float(self), "low": self.low, "high": self.high}
        finite = {name: number if math.isfinite(number) else None for name, number in numbers.items()}
        return {**finite, "kind": kind, "how": self.how}

    def __reduce__(self) -> tuple[Any, ...]:
        return Bounded._made, (float(self), self.low, self.high, self.how, self.ends)

    def __repr__(self) -> str:
        if self.ends is None:
            digits = _digits(float(self), self.half_width, 2)
            shown = [f"{x:.{digits}g}" for x in (float(self), self.low, self.high)]
            return f"≈ {shown[0]} (estimated: {shown[1]} … {shown[2]} at {100 * CONFIDENCE:g} %)"
        low, high = self.ends
        if low == high:
            return f"{_written(low, float(self))} (exact)"
        if high - low > _WIDE * max(Fraction(1), abs(low), abs(high)):
            return f"between {balls.decimal_below(low)} and {balls.decimal_above(high)} (proved)"
        if math.isfinite(self):
            digits = _digits(float(self), self.half_width, 1)
            text = repr(float(self)) if digits >= 15 else f"{float(self):.{digits}g}"
        else:
            text = balls.decimal_below((low + high) / 2, 15)
        off = max(high - Fraction(text), Fraction(text) - low)  # includes the rounding of the printed digits
        return f"{text} (proved, ±{balls.decimal_above(off, 1)})"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else repr(self)


@final
@dataclass(frozen=True)
class Close:
    """When a proof by refinement may stop: its bounds are at most `width` apart."""

    width: Fraction

    def __call__(self, low: Fraction, high: Fraction) -> bool:
        return high - low <= self.width


@final
@dataclass(frozen=True)
class Decided:
    """When a proof by refinement may stop: its bounds show whether the number is at least `threshold`."""

    threshold: Fraction

    def __call__(self, low: Fraction, high: Fraction) -> bool:
        return low >= self.threshold or high < self.threshold


def _nearest(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _written(number: Fraction, value: float) -> str:
    """A rational as a short decimal or fraction if that is exact, otherwise its first digits and an ellipsis."""
    if number.denominator == 1 and abs(number) < 2**_SHORT:
        return str(number)
    if math.isfinite(value) and Fraction(repr(value)) == number:
        return repr(value)
    if max(number.numerator.bit_length(), number.denominator.bit_length()) <= _SHORT:
        return str(number)
    plain = math.isfinite(value) and value != 0
    return f"{value:.15g}…" if plain else f"{balls.decimal_below(number, 15)}…"


def _digits(value: float, half: float, spare: int) -> int:
    """How many significant digits to print: down to the first digit of the half-width, and `spare` more."""
    if half == 0 or value == 0:
        return 15
    size = math.floor(math.log10(abs(value))) - math.floor(math.log10(half))
    return min(15, max(1, size + spare))
