"""Waves as a narrow number type stores them: every entry the exact real rounded to nearest, ties to even.

Rounding is monotone, so an entry is settled if the two ends of its enclosure round to the same number. The float64 enclosure
of `waves` settles nearly all of them. The others lie next to a midpoint between two neighbours of the type, and balls of
growing precision decide on which side: sin and cos of a non-zero algebraic number are transcendental (Lindemann), so only
entries of row 0 can be midpoints, and the search ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np

from headwright import budget
from headwright.balls.ball import Ball, float_above, float_below, lower, precision, upper
from headwright.balls.waves import Waves
from headwright.number_types import SIGNIFICANT_BITS, round_to

_FIRST_BITS = 128
_TIMES = 2**14  # rows made together: their arrays fit into the processor's cache


def stored_rows(waves: Waves, start: int, stop: int, dtype: str) -> np.ndarray:
    """Rows start … stop-1 (stop - start, dim), rounded to `dtype`, as float64 without negative zeros."""
    budget.spend(150 * (stop - start) * waves.dim)
    rows = np.empty((stop - start, waves.dim))
    for first in range(start, stop, _TIMES):
        last = min(first + _TIMES, stop)
        for column in range(waves.dim):
            rows[first - start : last - start, column] = _stored_column(waves, first, last, column, dtype)
    return rows


def _stored_column(waves: Waves, start: int, stop: int, column: int, dtype: str) -> np.ndarray:
    times = np.arange(start, stop, dtype=np.uint64)
    middle, radius = waves.steps[column // 2].sines(times, quarter=bool(column % 2))
    low, high = round_to(middle - radius, dtype), round_to(middle + radius, dtype)
    for place in np.flatnonzero(low != high).tolist():
        low[place] = nearest(partial(waves.entry, start + place, column), dtype)
    return low + 0.0


def nearest(entry: Callable[[int], Ball], dtype: str) -> float:
    """The number of the type nearest to a real that `entry(bits)` encloses ever more tightly and that is not a midpoint.

    >>> from headwright.balls.ball import exact, precision
    >>> nearest(lambda bits: exact(Fraction(257, 256) - Fraction(1, 2**90)), "bfloat16")
    1.0
    """
    bits, rounded = _FIRST_BITS, None
    while rounded is None:
        with precision(bits):
            rounded = _settled(entry(bits), dtype)
        bits *= 2
    return rounded


def _settled(ball: Ball, dtype: str) -> float | None:
    """The number of the type that is nearest to every real in the ball; None if the reals have different ones."""
    low, high = lower(ball), upper(ball)
    if low is None or high is None:
        return None
    below, above = round_to(np.array([float_below(low), float_above(high)]), dtype).tolist()
    middle = (Fraction(below) + Fraction(above)) / 2
    # An end that rounds to `above` is at least the midpoint below `above`. So if an end lies on its own side of the middle, no
    # number of the type lies between `below` and `above`, and the whole ball is on one side of their midpoint.
    if below == above or high < middle:
        return float(below)
    return float(above) if low > middle else None


def rounding_reach(dim: int, dtype: str) -> Fraction:
    """By how much rounding can change the distance of two rows: each moves by at most √dim times half a last place of 1."""
    root = Fraction(math.isqrt(4**20 * dim) + 1, 2**20)
    return root / (1 << SIGNIFICANT_BITS[dtype])
