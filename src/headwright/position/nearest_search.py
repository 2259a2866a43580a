"""The search for the nearest rows: by shift for waves, by all pairs for a table.

Everything that could be the nearest is kept until exact numbers or balls choose among it; the screens are those of the proofs.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headwright import balls
from headwright.bounded import Bounded
from headwright.proofs import TableRows, WaveRows
from headwright.proofs.row_sets import allow_words

_FIRST_BITS = 256  # of a squared distance; doubled until two shifts are separated

Nearest = tuple[tuple[int, int], Fraction]


def nearest_shift(rows: WaveRows) -> tuple[int, balls.Ball]:
    """The shift s in 1 … length-1 that brings rows nearest, and its squared distance.

    No two shifts tie: the ω_i are algebraic (the base is rational), and Σ cos(ω_i s) = Σ cos(ω_i s') would be a linear
    relation among exponentials of different algebraic numbers, which Lindemann and Weierstrass exclude. So precision
    decides in the end.
    """
    rows.allow_shifts()
    waves = rows.waves
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


def nearest_in_table(rows: TableRows) -> Nearest:
    """The nearest pair of a table without equal rows: all pairs, block by block; ties are decided in integers."""
    points, spent = rows.points(), 0
    limit = points.least(points.blocks[0])
    best: Nearest | None = None
    for block in points.blocks:
        near = points.near(block, limit)
        near = near.within(min(limit, float(near.high.min(initial=math.inf))))
        if not len(near.i):
            continue
        spent += points.cost(near)
        allow_words(spent)
        squares, unit = points.squares(near)
        ties = np.flatnonzero(squares == squares.min())
        first = ties[np.lexsort((near.i[ties], near.j[ties]))[0]]
        candidate = ((int(near.i[first]), int(near.j[first])), int(squares.min()) * unit**2)
        best = candidate if best is None else min(best, candidate, key=_order)
        limit = points.limit(best[1])
    assert best is not None, "there are two rows"
    return best


def _order(pair_and_square: Nearest) -> tuple[Fraction, int, int]:
    (i, j), square = pair_and_square
    return square, j, i


def distance_of(square: Fraction | balls.Ball) -> Bounded:
    """The root of a squared distance."""
    with balls.precision(_FIRST_BITS):
        root = (balls.exact(square) if isinstance(square, Fraction) else square).sqrt()
        low, high = balls.lower(root), balls.upper(root)
    assert low is not None, "the root of a squared distance is finite"
    assert high is not None, "the root of a squared distance is finite"
    return Bounded.proven(max(low, Fraction(0)), high, how="the exact squared distance")
