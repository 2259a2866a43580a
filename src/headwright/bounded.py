"""A figure is a float that says what it is worth: proved bounds, or an estimate's confidence interval, never alike.

It computes and compares like the float it is; `low` and `high` enclose the true number, certainly where `proved`, else with the
stated confidence.
"""

from __future__ import annotations

import html
import math
from fractions import Fraction
from typing import Any, Self, final

from headwright import balls, exact_inputs

CONFIDENCE = 0.95  # of every interval that is estimated
_WIDE = 1e-4  # proved bounds further apart are shown as a range


@exact_inputs.own
@final
class Figure(float):
    """A number with `low`, `high`, `proved` and `how` it was obtained.

    >>> Figure.proven(Fraction(1, 3), Fraction(1, 3), how="by hand")
    0.3333333333333333 (proved, ±8e-17)
    >>> Figure.estimated(0.80621, 0.8049, 0.80749, how="16 replicates")
    ≈ 0.8062 (estimated: 0.8049 … 0.8075 at 95 %)
    """

    low: float
    high: float
    proved: bool
    how: str

    def __new__(cls, value: float, *, low: float, high: float, proved: bool, how: str) -> Self:
        if not low <= value <= high:
            raise ValueError(f"`value` must lie between `low` and `high`, got {value!r} beside {low!r} and {high!r}")
        if proved and not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError(f"`low` and `high` must be finite where they are proved, got {low!r} and {high!r}")
        figure = super().__new__(cls, value)
        figure.__dict__.update(low=low, high=high, proved=proved, how=how)
        return figure

    @classmethod
    def proven(cls, low: Fraction, high: Fraction, *, how: str) -> Self:
        """The float nearest to the middle of proved bounds; `low` and `high` are rounded outward."""
        bottom, top = balls.float_below(low), balls.float_above(high)
        return cls(min(max(float((low + high) / 2), bottom), top), low=bottom, high=top, proved=True, how=how)

    @classmethod
    def of_ball(cls, ball: balls.Ball, *, how: str, least: int = 0, most: int = 1) -> Self:
        """The same from a ball of a number known to lie between `least` and `most`."""
        low, high = balls.lower(ball), balls.upper(ball)
        bottom = Fraction(least) if low is None else min(max(low, Fraction(least)), Fraction(most))
        top = Fraction(most) if high is None else max(min(high, Fraction(most)), Fraction(least))
        return cls.proven(bottom, top, how=how)

    @classmethod
    def estimated(cls, value: float, low: float, high: float, *, how: str) -> Self:
        return cls(value, low=min(low, value), high=max(high, value), proved=False, how=how)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Figure is frozen; make a new one")

    @property
    def half_width(self) -> float:
        """The farther of the two ends from the value, rounded up."""
        wide = max(self.high - float(self), float(self) - self.low)
        return math.nextafter(wide, math.inf) if wide else 0.0

    def to_dict(self) -> dict[str, Any]:
        kind = "proved" if self.proved else f"estimated at {100 * CONFIDENCE:g} %"
        return {"value": float(self), "low": self.low, "high": self.high, "kind": kind, "how": self.how}

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (float(self), self.low, self.high, self.proved, self.how)

    def __repr__(self) -> str:
        if not self.proved:
            digits = _digits(float(self), self.half_width, 2)
            shown = [f"{x:.{digits}g}" for x in (float(self), self.low, self.high)]
            return f"≈ {shown[0]} (estimated: {shown[1]} … {shown[2]} at {100 * CONFIDENCE:g} %)"
        if self.low == self.high:
            return f"{float(self)!r} (proved, exact)"
        if self.high - self.low > _WIDE:
            ends = balls.decimal_below(Fraction(self.low)), balls.decimal_above(Fraction(self.high))
            return f"between {ends[0]} and {ends[1]} (proved)"
        digits = _digits(float(self), self.half_width, 1)
        text = repr(float(self)) if digits >= 15 else f"{float(self):.{digits}g}"
        # what the printed digits leave out counts as well
        off = max(Fraction(self.high) - Fraction(text), Fraction(text) - Fraction(self.low))
        return f"{text} (proved, ±{balls.decimal_above(off, 1)})"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else repr(self)

    def _repr_html_(self) -> str:
        colour = "#1b7837" if self.proved else "#8c510a"
        return f"<span style='color:{colour}'>{html.escape(repr(self))}</span>"


def _again(value: float, low: float, high: float, proved: bool, how: str) -> Figure:
    return Figure(value, low=low, high=high, proved=proved, how=how)


def _digits(value: float, half: float, spare: int) -> int:
    """How many significant digits are worth printing: down to the first of the half-width, and `spare` beyond the point."""
    if half == 0 or value == 0:
        return 15
    size = math.floor(math.log10(abs(value))) - math.floor(math.log10(half))
    return min(15, max(1, size + spare))
