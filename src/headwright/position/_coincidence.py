"""coincidence, distinct: whether two positions have the same code — never in exact waves, soon enough as stored.

sin t and cos t alone tell all integers apart: if both agree at t and t', then t - t' is a multiple of 2π, and π would be
rational. As stored in a narrow type there are finitely many rows, and positions do coincide.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from numpy.typing import ArrayLike

from headwright.number_types import type_name
from headwright.position._nearest_pair import nearest_pair
from headwright.position.claimed_rows import refusing_sizes, row_set, taken
from headwright.position.codes import Positions
from headwright.proofs import RowsApart, WaveRows
from headwright.proofs.row_sets import TooLarge
from headwright.verdict import Verdict


def coincidence(table_or_positions: ArrayLike | Positions, *, dtype: Any) -> tuple[int, int] | None:
    """The first two rows that are equal as stored in `dtype` (None: as they are), or None where all differ.

    First is the pair (i, j), i < j, with the smallest j, then the smallest i.

    >>> from headwright.position import sinusoidal
    >>> coincidence(sinusoidal(4096, 2), dtype="bfloat16"), coincidence(sinusoidal(4096, 2), dtype="float32")
    ((1, 711), None)
    """
    positions, name = taken(table_or_positions), None if dtype is None else type_name(dtype)
    rows = row_set(positions, name)
    if isinstance(rows, WaveRows):
        return None
    with refusing_sizes():
        return rows.first_equal()


def distinct(table_or_positions: ArrayLike | Positions, *, dtype: Any = None) -> Verdict:
    """Proved when all rows differ, Refuted with the first two that do not; exact, or as stored in `dtype`.

    >>> from headwright.position import sinusoidal
    >>> print(distinct(sinusoidal(1_000_000, 2)).scope)
    all integer positions, by the irrationality of π (ω_0 = 1); the first 1000000 also by balls
    >>> distinct(sinusoidal(4096, 2), dtype="float16").counterexample
    {'pair': (2, 712)}
    """
    positions, name = taken(table_or_positions), None if dtype is None else type_name(dtype)
    rows = row_set(positions, name)
    if not isinstance(rows, WaveRows):
        return RowsApart(rows, Fraction(0)).prove()
    try:
        rows.allow_shifts()
    except TooLarge:  # too many for the computation, which says how far apart they are; not for the theorem
        return RowsApart(rows, Fraction(0), everywhere=True).prove()
    apart = Fraction(nearest_pair(positions).distance.low) if positions.length > 1 else Fraction(0)
    return RowsApart(rows, apart, everywhere=True).prove()
