"""nearest_pair: which two positions have the nearest codes, in exact numbers or as stored.

- **Waves** (sinusoidal, rotary): ‖Φ_t - Φ_{t+s}‖² = Σ 4 sin²(ω_i s/2) depends on the shift alone, so L-1 shifts stand for
  all L(L-1)/2 pairs, and most of these are given up after their first columns.
- **As stored**, every exact value is rounded to the nearest number of the type, ties to even. Distances then depend on
  the pair; rounding moves them by at most √dim·2^-bits, so only shifts whose exact distance is within that of the best
  are looked at row by row.
- **Tables**: all pairs, block by block, in bounded memory.
- **ALiBi**: rows t and t+s differ by s in L-s+1 places and by s-2, s-4, …, 2-s in those between, in head h times m_h,
  wherever t is: ‖b_t - b_{t+s}‖² = Σ m_h² (s²(L-s+1) + s(s-1)(s-2)/3), least for s = 1.

Screens are float64 with proved radii; what they cannot tell apart is decided in balls or integers. Work that would
take minutes is refused before it is begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from headwright import arrays, balls
from headwright.number_types import round_to, type_name
from headwright.position.codes import Positions
from headwright.position.linear_bias import bias_rows, bias_square, stored_bias
from headwright.position.nearest_search import nearest_in_table, nearest_shift, nearest_stored
from headwright.position.nearness import NearestPair, enclosed
from headwright.proofs import RowSet, StoredWaveRows, TableRows, WaveRows
from headwright.proofs.row_sets import TooLarge


def nearest_pair(table_or_positions: Any, *, dtype: Any = None) -> NearestPair:
    """The two nearest rows of a code or of any table (L, d), L >= 2; with `dtype`, of the rows as stored in that type.

    `dtype` is "float32", "float16" or "bfloat16", or such a dtype of NumPy, torch or JAX.

    >>> from headwright.position import sinusoidal
    >>> near = nearest_pair(sinusoidal(100_000, 2))
    >>> near.pair, near.distance
    ((0, 710), 6.02887067189769e-05)
    >>> nearest_pair(sinusoidal(1000, 2), dtype="bfloat16")
    NearestPair: rows 1 and 711 of sinusoidal positions, 1000 rows of dimension 2, base 10000, as stored in bfloat16: distance 0.0
    """
    positions, name = taken(table_or_positions), None if dtype is None else type_name(dtype)
    if positions.length < 2:
        raise ValueError(f"`table_or_positions` must have at least two rows, got shape {positions.shape}")
    if positions.kind == "alibi" and name is None:
        distance, low, high = enclosed(bias_square(positions))
        return NearestPair((0, 1), distance, low, high, None, positions.summary(), bias_rows(positions))
    rows = row_set(positions, name)
    with sizes_refused():
        pair, square = _nearest(rows)
    return NearestPair(pair, *enclosed(square), name, positions.summary(), rows)


def _nearest(rows: RowSet) -> tuple[tuple[int, int], Fraction | balls.Ball]:
    if isinstance(rows, WaveRows):
        shift, square = nearest_shift(rows)
        return (0, shift), square
    equal = rows.first_equal()
    if equal is not None:
        return equal, Fraction(0)
    return nearest_stored(rows) if isinstance(rows, StoredWaveRows) else nearest_in_table(rows)


@contextmanager
def sizes_refused() -> Iterator[None]:
    """What would take too long is a wrong call: ValueError."""
    try:
        yield
    except TooLarge as work:
        raise ValueError(f"`table_or_positions` is too large: one would have to look at {work}") from None


def taken(table_or_positions: Any) -> Positions:
    """Positions as they are, anything else as a table of finite numbers."""
    if isinstance(table_or_positions, Positions):
        return table_or_positions
    table = arrays.float64(table_or_positions, name="table_or_positions", ndim=2)
    return Positions("learned", len(table), table.shape[1], given=table)


def row_set(positions: Positions, dtype: str | None) -> RowSet:
    """The rows as a claim speaks of them."""
    if positions.base is not None:
        exact = WaveRows(positions.kind, balls.Waves(positions.length, positions.dim, Fraction(positions.base)))
        return exact if dtype is None else StoredWaveRows(exact, dtype)
    if positions.given is None:
        assert dtype is not None, "exact biases need no search"
        return TableRows(stored_bias(positions, dtype), dtype)
    if dtype is not None:
        _refuse_overflow(positions, dtype)
    return TableRows(positions.given, dtype)


def _refuse_overflow(positions: Positions, dtype: str) -> None:
    try:
        round_to(positions.rows(0, positions.length), dtype)
    except ValueError:
        raise ValueError(f"`dtype` {dtype} cannot hold the largest of these numbers") from None
