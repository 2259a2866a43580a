"""Which shifts bring two rows of waves near: ‖Φ_t - Φ_{t+s}‖² = Σ 4 sin²(ω_i s/2) depends on the shift s alone.

A shift is dropped as soon as its first columns alone are too far apart, so most shifts need few sines.
The remaining ones are enclosed in float64, and can be computed again in balls (`Waves.square`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from headwright import budget
from headwright.balls.waves import Waves

CHUNK = 2**15  # shifts examined together: their arrays fit into the processor's cache


class Near(NamedTuple):
    """Shifts with bounds on their squared distances; every other shift of the chunk lies beyond the limit."""

    shifts: np.ndarray
    low: np.ndarray
    high: np.ndarray


def near_shifts(waves: Waves, limit: float, *, start: int, stop: int) -> Near:
    """The shifts start … stop-1 whose squared distance may be `limit` or less; all others are certainly further apart.

    Each term has a lower end max(m - r, 0) and an upper end m + r; squares and sums of up to dim/2 such terms round
    by a relative (dim/2 + 4)·2^-53 at most. The bounds are widened by twice that on either side.
    """
    shifts = np.arange(start, stop, dtype=np.uint64)
    slack = (waves.dim + 8) * 2.0**-53
    low, high = np.zeros(len(shifts)), np.zeros(len(shifts))
    for turn in waves.half_steps:
        budget.spend(100 * len(shifts))
        middle, radius = turn.sines(shifts)
        low += 4 * np.maximum(middle - radius, 0) ** 2
        high += 4 * (middle + radius) ** 2
        kept = ~(low * (1 - slack) > limit)
        if not kept.all():
            shifts, low, high = shifts[kept], low[kept], high[kept]
        if not len(shifts):
            break
    return Near(shifts.astype(np.int64), low * (1 - slack), high * (1 + slack))


def all_near_shifts(waves: Waves, limit: float) -> Iterator[int]:
    """Every shift 1 … length-1 that may bring two rows within √limit of each other, in order."""
    for start in range(1, waves.length, CHUNK):
        yield from near_shifts(waves, limit, start=start, stop=min(start + CHUNK, waves.length)).shifts.tolist()
