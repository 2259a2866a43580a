"""The search for the nearest rows: by shift for waves, by shift and then row by row as stored, by all pairs for a table.

Everything that could be the nearest is kept until exact numbers or balls choose among it; the screens are those of the proofs.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headwright import balls
from headwright.position.nearness import enclosed
from headwright.proofs import StoredWaveRows, TableRows

_FIRST_BITS = 256
_BLOCK_ENTRIES = 2**18

Found = tuple[tuple[int, int], Fraction]


def nearest_shift(waves: balls.Waves) -> tuple[int, balls.Ball]:
    """The shift s in 1 … length-1 that brings rows nearest, and its squared distance.

    No two shifts tie: the ω_i are algebraic (the base is rational), and Σ cos(ω_i s) = Σ cos(ω_i s') would be a linear
    relation among exponentials of different algebraic numbers, which Lindemann and Weierstrass exclude. So precision
    decides in the end.
    """
    shifts = _likely_shifts(waves)
    bits = _FIRST_BITS
    while True:
        squares = {shift: waves.square(shift, bits) for shift in shifts}
        with balls.precision(bits):
            least = min(end for end in map(balls.upper, squares.values()) if end is not None)
            shifts = [shift for shift, square in squares.items() if not square > balls.exact(least)]
        if len(shifts) == 1:
            return shifts[0], squares[shifts[0]]
        bits *= 2


def _likely_shifts(waves: balls.Waves) -> list[int]:
    """Shifts that float64 cannot tell from the nearest."""
    limit = math.inf
    kept: list[tuple[float, int]] = []
    step = 64  # a first short chunk sets a limit, which spares most sines of the others
    start = 1
    while start < waves.length:
        stop = min(start + step, waves.length)
        near = balls.near_shifts(waves, limit, start=start, stop=stop)
        limit = min(limit, float(near.high.min(initial=math.inf)))
        kept = [(low, shift) for low, shift in kept if low <= limit]
        kept += [
            (low, shift) for low, shift in zip(near.low.tolist(), near.shifts.tolist(), strict=True) if low <= limit
        ]
        start, step = stop, balls.CHUNK
    return [shift for low, shift in kept if low <= limit]


def nearest_stored(rows: StoredWaveRows) -> Found:
    """The nearest pair as stored, in waves without a coincidence: every shift is tried that rounding could bring first."""
    waves = rows.exact.waves
    reach = balls.rounding_reach(waves.dim, rows.dtype)
    first, _ = nearest_shift(waves)
    best = _nearest_at(rows, first, None)
    high = Fraction(enclosed(best[1])[2])
    for shift in balls.all_near_shifts(waves, balls.float_above((high + reach) ** 2)):
        if shift != first:
            best = _nearest_at(rows, shift, best)
    return best


def _nearest_at(rows: StoredWaveRows, shift: int, best: Found | None) -> Found:
    """The better of `best` and the nearest stored pair `shift` apart."""
    dim = rows.exact.waves.dim
    slack = 1 + (dim + 8) * 2.0**-51
    limit = math.inf if best is None else balls.float_above(best[1]) * slack
    kept: list[tuple[float, int]] = []
    step = max(1, _BLOCK_ENTRIES // dim)
    for start in range(0, rows.length - shift, step):
        stop = min(start + step, rows.length - shift)
        difference = rows.rows(start, stop) - rows.rows(start + shift, stop + shift)
        square = np.einsum("ij,ij->i", difference, difference)
        limit = min(limit, float(square.min()) * slack)
        kept += [(float(square[place]), start + int(place)) for place in np.flatnonzero(square <= limit)]
    pairs = [(i, i + shift) for found, i in kept if found <= limit]
    exact = [
        (pair, balls.square_between(rows.rows(pair[0], pair[0] + 1)[0], rows.rows(pair[1], pair[1] + 1)[0]))
        for pair in pairs
    ]
    return min(([] if best is None else [best]) + exact, key=_order)


def first_equal(rows: StoredWaveRows | TableRows) -> tuple[int, int] | None:
    """The first two equal rows, however many there are to look through; None where all differ."""
    if isinstance(rows, TableRows):
        return balls.first_equal(lambda start, stop: rows.stored[start:stop], rows.length)
    waves = rows.exact.waves
    limit = balls.float_above(balls.rounding_reach(waves.dim, rows.dtype) ** 2)
    if next(balls.all_near_shifts(waves, limit), None) is None:
        return None  # the exact rows are too far apart for rounding to bring them together
    return balls.first_equal(rows.rows, rows.length)


def nearest_in_table(rows: TableRows) -> Found:
    """The nearest pair of a table without equal rows: all pairs, block by block."""
    points = balls.Points(rows.stored)
    limit = math.inf
    kept: list[tuple[float, int, int]] = []
    for block in points.blocks:
        found = points.near(block, limit)
        limit = min(limit, float(found.high.min(initial=math.inf)))
        kept = [entry for entry in kept if entry[0] <= limit]
        places = np.flatnonzero(found.low <= limit)
        if points.exact and len(places):  # ties are exact here, and only the first of them counts
            places = places[np.lexsort((found.i[places], found.j[places]))[:1]]
        kept += [(float(found.low[k]), int(found.i[k]), int(found.j[k])) for k in places]
    pairs = [(i, j) for low, i, j in kept if low <= limit]
    return min(((pair, balls.square_between(rows.stored[pair[0]], rows.stored[pair[1]])) for pair in pairs), key=_order)


def _order(found: Found) -> tuple[Fraction, int, int]:
    (i, j), square = found
    return square, j, i
