"""The ranges of a formula's symbols: n >= 2, ε in (0, 1), a large symbol above 0.

A range is written as a rational function of a distance x >= 0, so that coefficients decide signs on the range: low + x for an
unbounded one, low + (high - low)/(1 + x) for a bounded one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from headwright.kernel import inputs
from headwright.kernel.record import written_as
from headwright.theories.formulas.rational_functions import RationalFunction


@final
@dataclass(frozen=True, slots=True)
class Range:
    """The numbers x > low, or low < x < high; with `closed` x >= low, or low < x <= high.

    >>> Range(0, 1).over("x"), Range(2, closed=True).over("x")
    (1/(x + 1), x + 2)
    """

    low: int | Fraction
    high: int | Fraction | None = None
    closed: bool = False

    def __post_init__(self) -> None:
        if self.high is not None and not self.low < self.high:
            raise ValueError(f"`high` must be above `low`, got {self.low} and {self.high}")

    def contains(self, x: Fraction) -> bool:
        """Whether this number lies in the range."""
        if self.high is None:
            return x >= self.low if self.closed else x > self.low
        return self.low < x <= self.high if self.closed else self.low < x < self.high

    def described(self, name: str) -> str:
        """The range in words, for the symbol of this name."""
        if self.high is None:
            return f"{name} {'>=' if self.closed else '>'} {self.low}"
        return f"{name} in ({self.low}, {self.high}{']' if self.closed else ')'}"

    def to_dict(self) -> dict[str, Any]:
        """The range as a certificate holds it.

        >>> Range(0, 9, closed=True).to_dict(), Range(2, closed=True).to_dict()
        ({'>': '0', '<=': '9'}, {'>=': '2'})
        """
        if self.high is None:
            return {">=" if self.closed else ">": str(self.low)}
        return {">": str(self.low), "<=" if self.closed else "<": str(self.high)}

    @classmethod
    def from_dict(cls, stored: Any) -> Self:
        ends = {sign: inputs.rational(text, name="range") for sign, text in stored.items()}
        match sorted(ends):
            case [">" | ">=" as above]:
                return cls(ends[above], None, above == ">=")
            case ["<" | "<=" as below, ">"]:
                return cls(ends[">"], ends[below], below == "<=")
        raise ValueError(f"a range must have a lower end, or an open lower and an upper end, got {', '.join(ends)}")

    def over(self, name: str) -> RationalFunction:
        """The range as a function of the symbol `name` on [0, ∞) if `closed`, on (0, ∞) otherwise."""
        distance, low = RationalFunction.symbol(name), RationalFunction.constant(self.low)
        return (
            low + distance if self.high is None else low + (RationalFunction.constant(self.high) - low) / (distance + 1)
        )


Ranges = Mapping[str, Range]


written_as("Range", Range.to_dict, lambda said, name: Range.from_dict(said))
