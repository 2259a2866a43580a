"""The rows of a code as claims speak of them: exact waves, or a table, as it is or as stored in a type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from headwright import balls, inputs
from headwright.number_types import round_to
from headwright.position.codes import Positions
from headwright.proofs import RowSet, TableRows, WaveRows
from headwright.proofs.row_sets import TooLarge

_MOST_ENTRIES = 2**20  # of the rows of a code as stored


@contextmanager
def refusing_sizes() -> Iterator[None]:
    """What would take too long is a usage error: ValueError."""
    try:
        yield
    except TooLarge as work:
        raise ValueError(f"`table_or_positions` is too large: this would mean looking at {work}") from None


def taken(table_or_positions: Any) -> Positions:
    """Positions as they are, anything else as a table of finite numbers; ValueError for ALiBi, which no claim speaks of."""
    if isinstance(table_or_positions, Positions):
        if table_or_positions.kind == "alibi":
            raise ValueError(
                "`table_or_positions` must be sinusoidal, rotary or learned positions, or a table, got ALiBi positions. No claim "
                "speaks of their rows. Write `np.asarray(rows)` to judge them as a table of float64 numbers"
            )
        return table_or_positions
    table = inputs.float64(table_or_positions, name="table_or_positions", ndim=2)
    return Positions("learned", len(table), table.shape[1], given=table)


def row_set(positions: Positions, dtype: str | None) -> RowSet:
    """The rows as a claim speaks of them: as stored, those of a code are the table of its float64 rows, each number rounded."""
    if positions.base is not None:
        if dtype is None:
            return WaveRows(positions.kind, balls.Waves(positions.length, positions.dim, Fraction(positions.base)))
        if positions.length * positions.dim > _MOST_ENTRIES:
            raise ValueError(
                f"`table_or_positions` has {positions.length} rows of {positions.dim} numbers, which are judged as a table once "
                f"they are rounded to {dtype}. Such a table may have at most 2^20 numbers: ask about fewer rows, or leave out "
                "`dtype` to ask about the exact codes"
            )
        return TableRows(np.asarray(positions), dtype)
    assert positions.given is not None, "`taken` refuses the other codes without a base"
    if dtype is not None:
        try:
            round_to(positions.given, dtype)
        except ValueError:
            raise ValueError(f"`dtype` {dtype} cannot hold the largest of these numbers") from None
    return TableRows(positions.given, dtype)
