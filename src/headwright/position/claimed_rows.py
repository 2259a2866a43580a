"""The rows of a code as claims speak of them: waves, a table, or ALiBi's biases -m_h·|t - j|, exact or as stored in a type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from headwright import balls, inputs
from headwright.number_types import round_to
from headwright.position.codes import Positions, slopes
from headwright.proofs import BiasRows, RowSet, StoredWaveRows, TableRows, WaveRows
from headwright.proofs.bias_rows import stored_size
from headwright.proofs.row_sets import TooLarge

_MOST_ENTRIES = 2**25  # of the whole table of stored biases: 256 MiB


@contextmanager
def refusing_sizes() -> Iterator[None]:
    """What would take too long is a usage error: ValueError."""
    try:
        yield
    except TooLarge as work:
        raise ValueError(f"`table_or_positions` is too large: this would mean looking at {work}") from None


def taken(table_or_positions: Any) -> Positions:
    """Positions as they are, anything else as a table of finite numbers."""
    if isinstance(table_or_positions, Positions):
        return table_or_positions
    table = inputs.float64(table_or_positions, name="table_or_positions", ndim=2)
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
        try:
            round_to(positions.given, dtype)
        except ValueError:
            raise ValueError(f"`dtype` {dtype} cannot hold the largest of these numbers") from None
    return TableRows(positions.given, dtype)


def bias_square(positions: Positions) -> balls.Ball:
    """The squared distance of neighbours, L Σ m_h² = L (1 - 2^-16) / (2^(16/heads) - 1), a geometric series."""
    heads = positions.heads
    assert heads is not None, "biases belong to heads"
    with balls.precision(256):
        ratio = (balls.exact(2).log() * balls.exact(Fraction(16, heads))).exp()
        return positions.length * balls.exact(1 - Fraction(1, 2**16)) / (ratio - 1)


def bias_rows(positions: Positions, dtype: str | None = None) -> BiasRows:
    """The rows as a claim speaks of them; ValueError where the largest bias, m_1·(L-1), is beyond the type."""
    assert positions.heads is not None, "biases belong to heads"
    try:
        return BiasRows(positions.length, positions.heads, dtype)
    except ValueError:
        raise ValueError(f"`dtype` {dtype} cannot hold biases of {positions.length} positions") from None


def stored_bias(positions: Positions, dtype: str) -> np.ndarray:
    """The table (L, heads·L) of biases, each exact value rounded to `dtype`; ValueError where it is too large or overflows."""
    length, heads = positions.length, positions.heads
    assert heads is not None, "biases belong to heads"
    if length * length * heads > _MOST_ENTRIES:
        raise ValueError(
            f"stored biases are compared as a table: `length`²·`heads` must be at most 2^25, got {length}²·{heads}"
        )
    bias_rows(positions, dtype)  # refuses what overflows
    sizes = stored_sizes(length, heads, dtype)
    apart = np.abs(np.arange(length)[:, None] - np.arange(length))
    return np.concatenate([-sizes[h][apart] for h in range(heads)], axis=1) + 0.0


def stored_sizes(length: int, heads: int, dtype: str) -> np.ndarray:
    """m_h·k rounded to `dtype`, (heads, length), k = 0 … length-1."""
    sizes = np.empty((heads, length))
    for h, slope in enumerate(slopes(heads).tolist(), start=1):
        power = Fraction(8 * h, heads)
        if power.denominator == 1:
            sizes[h - 1] = round_to(slope * np.arange(length), dtype)  # the products are exact
        else:
            sizes[h - 1] = [stored_size(k, power, dtype) for k in range(length)]
    return sizes
