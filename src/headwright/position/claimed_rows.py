"""The rows of a code as claims speak of them: waves or a table, exact or as stored in a type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from headwright import balls, inputs
from headwright.number_types import round_to
from headwright.position.codes import Positions
from headwright.proofs import RowSet, StoredWaveRows, TableRows, WaveRows
from headwright.proofs.row_sets import TooLarge


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
    """The rows as a claim speaks of them."""
    if positions.base is not None:
        exact = WaveRows(positions.kind, balls.Waves(positions.length, positions.dim, Fraction(positions.base)))
        return exact if dtype is None else StoredWaveRows(exact, dtype)
    assert positions.given is not None, "`taken` refuses the other codes without a base"
    if dtype is not None:
        try:
            round_to(positions.given, dtype)
        except ValueError:
            raise ValueError(f"`dtype` {dtype} cannot hold the largest of these numbers") from None
    return TableRows(positions.given, dtype)
