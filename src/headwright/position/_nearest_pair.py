"""nearest_pair: which two positions have the nearest codes, in exact numbers or as stored.

- **Waves** (sinusoidal, rotary): ‖Φ_t - Φ_{t+s}‖² = Σ 4 sin²(ω_i s/2) depends on the shift alone, so L-1 shifts stand for
  all L(L-1)/2 pairs, and most of these are given up after their first columns.
- **As stored**, every float64 number of the rows is rounded to the nearest number of the type, ties to even. Distances then
  depend on the pair, and the rows are a table like any other.
- **Tables**: all pairs, block by block, in bounded memory.

Screens are float64 with proved radii; what they cannot tell apart is decided in balls or integers. Work that would
take minutes is refused before it is begun.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from numpy.typing import ArrayLike

from headwright import balls
from headwright.bounded import Bounded
from headwright.frozen import computed_once
from headwright.number_types import type_name
from headwright.pickling import Whole
from headwright.position.claimed_rows import refusing_sizes, row_set, taken
from headwright.position.codes import Positions
from headwright.position.nearest_search import distance_of, nearest_in_table, nearest_shift
from headwright.proofs import RowsApart, RowSet, WaveRows
from headwright.shown import Shown
from headwright.verdict import Verdict


@final
@dataclass(frozen=True, eq=False, repr=False)
class NearestPair(Whole, Shown):
    """Rows `pair` = (i, j), i < j, are the nearest; `distance` is their exact distance, between neighbours in float64.

    Among pairs at exactly the same distance it is the one with the smallest j, then the smallest i. `dtype` is the type
    the rows are stored in, None for exact numbers. `verdict` is proved on first access: no two rows are nearer than
    `distance.low`, and this pair is within `distance.high`.

    >>> near = nearest_pair([[0.0], [1.0], [1.5]])
    >>> near.pair, near.shift, near.distance, near.verdict.status
    ((1, 2), 1, 0.5 (exact), 'proved')
    """

    pair: tuple[int, int]
    distance: Bounded
    dtype: str | None
    of: str  # whose rows, in words
    rows: RowSet = field(repr=False)

    @property
    def shift(self) -> int:
        """j - i."""
        return self.pair[1] - self.pair[0]

    @computed_once
    def verdict(self) -> Verdict:
        """The verdict that no two rows are nearer, proved on first access."""
        least = Fraction(self.distance.low) if self.distance.low else None  # of equal rows only that they are equal
        return RowsApart(self.rows, least, self.pair, Fraction(self.distance.high)).prove()

    def summary(self) -> str:
        """The pair and its distance in one line."""
        stored = f", as stored in {self.dtype}" if self.dtype else ""
        return f"rows {self.pair[0]} and {self.pair[1]} of {self.of}{stored}: distance {float(self.distance)!r}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "pair": list(self.pair),
            "shift": self.shift,
            "distance": float(self.distance),
            "low": self.distance.low,
            "high": self.distance.high,
            "dtype": self.dtype,
            "of": self.of,
        }

    def table(self) -> dict[str, list[Any]]:
        """One row, for pandas or polars."""
        return {name: [value] for name, value in self.to_dict().items()}

    def __repr__(self) -> str:
        return f"NearestPair: {self.summary()}"


def nearest_pair(table_or_positions: ArrayLike | Positions, *, dtype: Any = None) -> NearestPair:
    """The two nearest rows of a code or of any table (L, d), L >= 2; with `dtype`, of the rows as stored in that type.

    `dtype` is "float32", "float16" or "bfloat16", or such a dtype of NumPy, torch or JAX.

    >>> from headwright.position import sinusoidal
    >>> near = nearest_pair(sinusoidal(100_000, 2))
    >>> near.pair, near.distance
    ((0, 710), 6.02887067189769e-05 (proved, ±2e-21))
    >>> nearest_pair(sinusoidal(1000, 2), dtype="bfloat16")
    NearestPair: rows 1 and 711 of sinusoidal positions, 1000 rows of dimension 2, base 10000, as stored in bfloat16: distance 0.0
    """
    positions, name = taken(table_or_positions), None if dtype is None else type_name(dtype)
    if positions.length < 2:
        raise ValueError(f"`table_or_positions` must have at least two rows, got shape {positions.shape}")
    rows = row_set(positions, name)
    with refusing_sizes():
        pair, square = _nearest(rows)
    return NearestPair(pair, distance_of(square), name, positions.summary(), rows)


def _nearest(rows: RowSet) -> tuple[tuple[int, int], Fraction | balls.Ball]:
    if isinstance(rows, WaveRows):
        shift, square = nearest_shift(rows)
        return (0, shift), square
    equal = rows.first_equal()
    return nearest_in_table(rows) if equal is None else (equal, Fraction(0))
