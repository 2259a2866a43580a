"""Enclosure: a real number known to lie between two rationals."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from headwright import balls


@final
@dataclass(frozen=True, repr=False)
class Enclosure:
    """A number between `low` and `high`, both proved; `float()` gives the nearest float to the middle.

    >>> Enclosure(Fraction(1, 3), Fraction(1, 3))
    1/3 (exact)
    >>> Enclosure(Fraction(2), Fraction(2) + Fraction(1, 10**9))
    2.0000000005 (proved, ±5e-10)
    """

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"`low` must not exceed `high`, got {self.low} and {self.high}")

    @property
    def exact(self) -> bool:
        return self.low == self.high

    @property
    def width(self) -> Fraction:
        return self.high - self.low

    def overlaps(self, other: Enclosure) -> bool:
        return self.low <= other.high and other.low <= self.high

    def __contains__(self, number: Fraction | float | int) -> bool:
        return self.low <= number <= self.high

    def __float__(self) -> float:
        middle = (self.low + self.high) / 2
        return math.inf if math.isinf(balls.float_above(middle)) else float(middle)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else repr(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; the ends rounded outward, and None where float64 does not reach."""
        ends = {"value": float(self), "low": balls.float_below(self.low), "high": balls.float_above(self.high)}
        return {name: end if math.isfinite(end) else None for name, end in ends.items()}

    def __repr__(self) -> str:
        if self.exact:
            short = max(self.low.numerator.bit_length(), self.low.denominator.bit_length()) <= 40
            return f"{self.low} (exact)" if short else f"{self._text()}… (exact)"
        text = self._text()
        off = max(
            self.high - Fraction(text), Fraction(text) - self.low
        )  # what the printed digits leave out counts as well
        return f"{text} (proved, ±{balls.decimal_above(off, 2)})"

    def _text(self) -> str:
        """The middle, with the digits that are known and no more than float64 has."""
        value = float(self)
        if not sys.float_info.min <= abs(value) <= sys.float_info.max:
            return balls.decimal_below((self.low + self.high) / 2, 15)
        spread = balls.float_above(self.width)
        known = math.floor(math.log10(abs(value))) - math.floor(math.log10(spread)) + 2 if spread else 15
        return f"{value:.{min(15, max(2, known))}g}"


def root(square: Enclosure) -> Enclosure:
    """The square root, its ends rounded outward."""
    with balls.precision(128):
        low, high = (balls.exact(end).sqrt() for end in (square.low, square.high))
        ends = balls.lower(low), balls.upper(high)
    if ends[1] is None:
        raise ArithmeticError("the root of a rational that is not negative is finite")
    return Enclosure(max(ends[0] or Fraction(0), Fraction(0)), ends[1])


def squares(low: list[float], high: list[float]) -> Enclosure:
    """Σ σ_i² for 0 <= low_i <= σ_i <= high_i, in rationals."""
    ends = (sum((Fraction(end) ** 2 for end in part), Fraction(0)) for part in (low, high))
    return Enclosure(*ends)
