"""Tables of balls: the exponentials of one head, one for each key, with the sums that proofs ask for.

A proof needs the balls of a few keys and the sum of the rest. A table of float64 arrays gives the sum in one pass, without
a ball for every key. A table of balls adds them up.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import final

import numpy as np

from headwright import budget
from headwright.balls.ball import Ball, around, total


@final
class FloatTable:
    """Balls midpoint ± radius, held as two float64 arrays."""

    def __init__(self, midpoints: np.ndarray, radii: np.ndarray) -> None:
        self._midpoints, self._radii = midpoints, radii

    def __len__(self) -> int:
        return len(self._midpoints)

    def __getitem__(self, j: int) -> Ball:
        return around([float(self._midpoints[j])], [float(self._radii[j])])[0]

    def __iter__(self) -> Iterator[Ball]:
        return iter(around(self._midpoints.tolist(), self._radii.tolist()))

    def total(self, without: Collection[int] = ()) -> Ball:
        """The sum over all keys but those in `without`.

        math.fsum rounds the exact sum once, by at most 2^-53 of itself. The radius allows for twice that.
        """
        midpoints, radii = self._midpoints, self._radii
        budget.spend(100 * len(midpoints))
        if without:
            kept = np.ones(len(midpoints), dtype=bool)
            kept[list(without)] = False
            midpoints, radii = midpoints[kept], radii[kept]
        middle, spread = math.fsum(midpoints.tolist()), math.fsum(radii.tolist())
        return around([middle], [spread * (1 + 2.0**-50) + abs(middle) * 2.0**-52])[0]


@final
class BallTable:
    """Balls as they are."""

    def __init__(self, members: list[Ball]) -> None:
        self._members = members

    def __len__(self) -> int:
        return len(self._members)

    def __getitem__(self, j: int) -> Ball:
        return self._members[j]

    def __iter__(self) -> Iterator[Ball]:
        return iter(self._members)

    def total(self, without: Collection[int] = ()) -> Ball:
        if not without:
            return total(self._members)
        left_out = set(without)
        return total([ball for j, ball in enumerate(self._members) if j not in left_out])


Table = FloatTable | BallTable
