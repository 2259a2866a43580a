"""Tables of balls: the exponentials of one head, one for each key, with the sums that proofs ask for.

A proof needs the balls of a few keys and the sum of the rest. A table of float64 arrays gives the sum in one pass, without
a ball for every key. A table of balls adds them up.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import final

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls.ball import Ball, around, total


@final
class FloatTable:
    """Balls midpoint ± radius, held as two float64 arrays, but for those keys whose ball is given in `tighter`."""

    def __init__(self, midpoints: np.ndarray, radii: np.ndarray, tighter: Mapping[int, Ball] | None = None) -> None:
        self._midpoints, self._radii, self._tighter = midpoints, radii, tighter or {}

    def __len__(self) -> int:
        return len(self._midpoints)

    def __getitem__(self, j: int) -> Ball:
        known = self._tighter.get(j)
        return around([float(self._midpoints[j])], [float(self._radii[j])])[0] if known is None else known

    def __iter__(self) -> Iterator[Ball]:
        members = around(self._midpoints.tolist(), self._radii.tolist())
        return iter([self._tighter.get(j, ball) for j, ball in enumerate(members)] if self._tighter else members)

    def heaviest(self) -> list[int]:
        """The sixteenth of the keys that is known least well; none if the others leave more than a sixteenth of the doubt."""
        budget.spend(30 * len(self))
        first = len(self) - len(self) // 16
        order = np.argpartition(self._radii, first) if first < len(self) else np.arange(0)
        worth = 16 * self._radii[order[:first]].sum() <= self._radii.sum()
        return [int(j) for j in order[first:]] if worth else []

    def tightened(self, tighter: Mapping[int, Ball]) -> FloatTable:
        """The same table with these balls for some keys."""
        return FloatTable(self._midpoints, self._radii, tighter)

    def total(self, without: Collection[int] = ()) -> Ball:
        """The sum over all keys but those in `without`.

        math.fsum rounds the exact sum once, by at most 2^-53 of itself. The radius allows for twice that.
        """
        midpoints, radii = self._midpoints, self._radii
        budget.spend(100 * len(midpoints))
        if without or self._tighter:
            kept = np.ones(len(midpoints), dtype=bool)
            kept[list(without)] = False
            kept[list(self._tighter)] = False
            midpoints, radii = midpoints[kept], radii[kept]
        middle, spread = math.fsum(midpoints.tolist()), math.fsum(radii.tolist())
        rest = around([middle], [spread * (1 + 2.0**-50) + abs(middle) * 2.0**-52])[0]
        left_out = set(without)
        return total([rest, *(ball for j, ball in self._tighter.items() if j not in left_out)])


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
