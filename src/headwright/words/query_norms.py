"""The norm that a Design shows: in float64, rounded up for queries of an image, and never above a norm that they meet."""

from __future__ import annotations

import math
from fractions import Fraction
from operator import mul

import numpy as np

Image = tuple[np.ndarray, np.ndarray | None]


def query_norm(
    queries: np.ndarray, coordinates: np.ndarray | None, within: Image | None, max_norm: Fraction | None
) -> float:
    """The largest norm of queries (h, d), which are rounded W x + b if `coordinates` x and `within` = (W, b) are given.

    >>> query_norm(np.array([[3.0, 4.0]]), None, None, None)
    5.0
    """
    shown = _rounded(queries, formed=within is not None)
    if max_norm is None or shown <= max_norm or not meets(queries, coordinates, within, max_norm):
        return shown
    most = float(max_norm)
    return most if most <= max_norm else math.nextafter(most, 0.0)


def meets(queries: np.ndarray, coordinates: np.ndarray | None, within: Image | None, max_norm: Fraction) -> bool:
    """Whether no query is longer than `max_norm`, exactly."""
    exact = _exact(queries, coordinates, within)
    return all(sum(entry * entry for entry in query) <= max_norm**2 for query in exact)


def _rounded(queries: np.ndarray, *, formed: bool) -> float:
    largest = float(np.abs(queries).max())
    if largest == 0:
        return 0.0
    if not formed:
        return largest * float(np.linalg.norm(queries / largest, axis=1).max())  # no overflow, no underflow
    # Each entry is off by one rounding, each square by another, their exact sum and its root by one each. The exact norm
    # may be the larger one. It is rounded up by three roundings, so that the queries meet it as `max_norm`.
    power = math.frexp(largest)[1]
    squares = max(math.fsum((row * row).tolist()) for row in np.ldexp(queries, -power))
    return math.ldexp(math.sqrt(squares) * (1 + 3 * 2.0**-53), power)


def _exact(queries: np.ndarray, coordinates: np.ndarray | None, within: Image | None) -> list[list[Fraction]]:
    """The queries without rounding."""
    if within is None or coordinates is None:
        return _fractions(queries)
    matrix, offset = within
    rows = _fractions(matrix)
    starts = [Fraction(0)] * len(rows) if offset is None else _fractions(offset[None])[0]
    return [
        [sum(map(mul, row, point), start) for row, start in zip(rows, starts, strict=True)]
        for point in _fractions(coordinates)
    ]


def _fractions(rows: np.ndarray) -> list[list[Fraction]]:
    return [[Fraction(entry) for entry in row] for row in rows.tolist()]
