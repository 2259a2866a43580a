"""Exact vectors: numbers of more than 53 bits, such as the entries of W x + b, as integers times one power of two.

`float_scores` and `exact_scores` take them in place of float64 queries. The first takes the nearest float64 vector, and widens
the radii of the scores by what that rounding may cost.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, final

import numpy as np

from headwright import budget


@final
class ExactVector(NamedTuple):
    """The vector numerators · 2^exponent; `numerators` (d,) is an object array of Python integers.

    >>> ExactVector(np.array([3, -1], dtype=object), -1).tolist()
    [Fraction(3, 2), Fraction(-1, 2)]
    """

    numerators: np.ndarray
    exponent: int

    def tolist(self) -> list[Fraction]:
        """The entries, exactly."""
        budget.spend(len(self.numerators) * (1000 + abs(self.exponent)))
        unit = Fraction(2) ** self.exponent
        return [number * unit for number in self.numerators.tolist()]

    def nearest(self) -> np.ndarray | None:
        """The nearest float64 vector, each entry rounded once; None where one overflows.

        Python's division of integers rounds correctly, also below the normal range. So an entry is off by at most 2^-53 of what
        is returned, or by 2^-1075 if that is subnormal.
        """
        budget.spend(len(self.numerators) * (1000 + abs(self.exponent)))
        above, below = (1 << self.exponent, 1) if self.exponent > 0 else (1, 1 << -self.exponent)
        try:
            return np.array([number * above / below for number in self.numerators.tolist()])
        except OverflowError:
            return None

    def rounding(self, keys: np.ndarray, near: np.ndarray) -> np.ndarray:
        """Bounds of |k_j·(self - near)| for every key, where `near` is the nearest float64 vector; infinite where they overflow.

        |k|·|self - near| <= 2^-53 |k|·|near| + 2^-1075 Σ|k|. The computed |k|·|near| may fall short of the true one by a factor
        of 1 - 2^-32 (for d <= 2^20), so twice that part covers it, and the last term covers all that underflows.
        """
        budget.spend(2 * keys.size)
        with np.errstate(all="ignore"):
            sizes = np.abs(keys)
            bounds: np.ndarray = 2.0**-52 * (sizes @ np.abs(near)) + len(near) * 2.0**-1021 * (1 + sizes.max())
        return bounds
