"""When to leave off a proof by cells: it shows what was asked, or only more digits could help, or not even those.

Bounds that do not close are rare: they happen where the error is a limit of the total variation, as 1/2 often is, so that far
out the two agree in all digits there are.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import final

_MOST_CUTS = 2000  # of cells in one tier; some 200 are usual
_MOST_TIERS = 5  # float64, then 128 to 1024 bits


@final
class Patience:
    """`enough` for `probability_enclosures`, with an end: `wanted`, or so many cells cut in one tier, and so many tiers."""

    def __init__(self, wanted: Callable[[Fraction, Fraction], bool]) -> None:
        self._wanted, self._tiers, self._cuts = wanted, 1, 0

    def enough(self, low: Fraction, high: Fraction) -> bool:
        self._cuts += 1
        return self._wanted(low, high) or self._cuts > _MOST_CUTS

    @property
    def is_over(self) -> bool:
        return self._tiers >= _MOST_TIERS

    def next_tier(self) -> None:
        self._tiers, self._cuts = self._tiers + 1, 0
