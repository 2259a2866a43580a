"""NearestPair: the two nearest rows, their distance between two floats, and the proof that no two are nearer."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from headwright import balls
from headwright.frozen import computed_once
from headwright.proofs import BiasRows, RowsApart, RowSet
from headwright.verdict import Verdict


@final
@dataclass(frozen=True, eq=False, repr=False)
class NearestPair:
    """Rows `pair` = (i, j), i < j, are the nearest; their exact distance is between `low` and `high`, neighbours in float64.

    Among pairs at exactly the same distance it is the one with the smallest j, then the smallest i. `dtype` is the type
    the rows are stored in, None for exact numbers. `verdict` is proved on first access: no two rows are nearer than
    `low`, and this pair is within `high`.
    """

    pair: tuple[int, int]
    distance: float
    low: float
    high: float
    dtype: str | None
    of: str  # whose rows, in words
    rows: RowSet | BiasRows = field(repr=False)

    @property
    def shift(self) -> int:
        """j - i."""
        return self.pair[1] - self.pair[0]

    @computed_once
    def verdict(self) -> Verdict:
        least = Fraction(self.low) if self.low else None  # of equal rows there is no more to say
        return RowsApart(self.rows, least, self.pair, Fraction(self.high)).prove()

    def summary(self) -> str:
        stored = f", as stored in {self.dtype}" if self.dtype else ""
        return f"rows {self.pair[0]} and {self.pair[1]} of {self.of}{stored}: distance {self.distance!r}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "pair": list(self.pair),
            "shift": self.shift,
            "distance": self.distance,
            "low": self.low,
            "high": self.high,
            "dtype": self.dtype,
            "of": self.of,
        }

    def table(self) -> dict[str, list[Any]]:
        """One row, for pandas or polars."""
        return {name: [value] for name, value in self.to_dict().items()}

    def __repr__(self) -> str:
        return f"NearestPair: {self.summary()}"

    def _repr_html_(self) -> str:
        return f"<div><b>NearestPair</b>: {html.escape(self.summary())}</div>"


def enclosed(square: Fraction | balls.Ball) -> tuple[float, float, float]:
    """(distance, low, high) of a squared distance: float64 numbers next to its root, outward."""
    with balls.precision(256):
        root = (balls.exact(square) if isinstance(square, Fraction) else square).sqrt()
        low, high = balls.lower(root), balls.upper(root)
    assert low is not None, "the root of a squared distance is finite"
    assert high is not None, "the root of a squared distance is finite"
    below, above = max(balls.float_below(low), 0.0), balls.float_above(high)
    middle = (low + high) / 2
    return (below if middle - Fraction(below) <= Fraction(above) - middle else above), below, above
