"""Which rows of a table are near each other: all pairs, by ‖x‖² + ‖y‖² - 2x·y with a radius, then by their differences.

Let u = 2^-53, rows scaled by a power of two to entries of at most 1 and moved by some centre (rounding: u of each entry). Then

* ‖x‖² + ‖y‖² - 2x·y is off by at most (d+5)·2u·(‖x‖² + ‖y‖²) for d <= 2^20, the rounding of the move included
  [dot products: Higham, Accuracy and Stability, §3.1]. The code uses (d+8), which covers the rounding of the bound.
* Pairs that this does not place beyond the limit are computed again as Σ(x_k - y_k)², which is off by a relative
  (d+3)u. The code uses (d+8).
* Underflow, in the scaling too, loses less than 2^-1000 (d+8).

Pairs that stay undecided are compared in integers (`squares`).

A table whose entries are small integer multiples of one number needs no radius: sums of integers below 2^53 are exact, in
any order.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple, final

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls.ball import float_above
from headwright.kernel.frozen import computed_once
from headwright.kernel.inputs import need_gradual_underflow
from headwright.theories.positions.exact_squares import WholeRows

_BLOCK = 1024  # rows: a block of pairs is 8 MiB
_DIFFERENCES = 2**20  # entries of the differences held at once
_WIDEST = 2**20
_FEW = 4096  # a table with more different numbers is not searched for a common unit


class Pairs(NamedTuple):
    """Rows i < j with bounds on their squared distances, in squared units; all other pairs of the block lie beyond the limit."""

    i: np.ndarray
    j: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def within(self, limit: float) -> Pairs:
        """Without the pairs that lie beyond `limit`."""
        kept = ~(self.low > limit)
        return Pairs(*(part[kept] for part in self))


@final
class Points:
    """A table (L, d) of finite float64 numbers, made ready for the search; `unit` is the length of one of its units."""

    def __init__(self, table: np.ndarray) -> None:
        need_gradual_underflow()
        budget.spend(200 * table.size)
        budget.hold(24 * table.size)
        if table.shape[1] > _WIDEST:
            raise ValueError(f"rows must have at most 2^20 entries, got {table.shape[1]}")
        self._table = table
        whole = _whole(table)
        self.exact = whole is not None
        if whole is not None:
            self.unit, self._near = whole
            self._direct = self._near
        else:
            power = int(np.frexp(np.abs(table).max())[1])
            self.unit = Fraction(2) ** power
            self._direct = np.ldexp(table, -power)
            self._near = self._direct - self._direct.mean(axis=0)
        self._squares = np.einsum("ij,ij->i", self._near, self._near)

    def limit(self, square: Fraction) -> float:
        """A squared distance in the units of `blocks`, rounded up."""
        return float_above(square / self.unit**2)

    @computed_once
    def blocks(self) -> tuple[tuple[slice, slice], ...]:
        """Blocks of rows i and j that cover all pairs i < j."""
        starts = range(0, len(self._table), _BLOCK)
        return tuple((slice(a, a + _BLOCK), slice(b, b + _BLOCK)) for b in starts for a in starts if a <= b)

    def least(self, block: tuple[slice, slice]) -> float:
        """An upper bound on the least squared distance in the block."""
        square, radius = self._products(block)
        first, second = block
        later = np.arange(len(self._table))[first, None] < np.arange(len(self._table))[second]
        return float((square + 2 * radius)[later].min(initial=math.inf))  # twice, for the rounding of this sum

    def _products(self, block: tuple[slice, slice]) -> tuple[np.ndarray, np.ndarray | float]:
        """‖x‖² + ‖y‖² - 2x·y for all rows x and y of the block, and how far it may be off."""
        first, second = block
        budget.spend(len(self._squares[first]) * len(self._squares[second]) * (self._table.shape[1] // 2 + 20))
        together = self._squares[first, None] + self._squares[None, second]
        square = together - 2 * (self._near[first] @ self._near[second].T)
        d = self._table.shape[1]
        return square, 0.0 if self.exact else (d + 8) * 2.0**-52 * together + (d + 8) * 2.0**-1000

    def near(self, block: tuple[slice, slice], limit: float) -> Pairs:
        """The pairs of the block whose squared distance may be `limit` or less; all others are certainly further apart."""
        first, second = block
        square, radius = self._products(block)
        square -= radius
        i, j = np.nonzero(~(square > limit))
        i, j = i + first.start, j + second.start
        i, j = i[i < j], j[i < j]
        if self.exact:
            squares = square[i - first.start, j - second.start]
            return Pairs(i, j, squares, squares)
        return Pairs(i, j, *self._differences(i, j)).within(limit)

    def _differences(self, i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        d = self._table.shape[1]
        budget.spend(len(i) * (5 * d + 20))
        square = np.empty(len(i))
        step = max(1, _DIFFERENCES // d)
        for start in range(0, len(i), step):
            part = slice(start, start + step)
            difference = self._direct[i[part]] - self._direct[j[part]]
            square[part] = np.einsum("ij,ij->i", difference, difference)
        slack, lost = (d + 8) * 2.0**-53, (d + 8) * 2.0**-1000
        return square * (1 - slack) - lost, square * (1 + slack) + lost

    def cost(self, pairs: Pairs) -> int:
        """The cost of `squares`, in products of 64-bit words."""
        return 0 if self.exact else self._integers.cost(pairs.i, pairs.j)

    def squares(self, pairs: Pairs) -> tuple[np.ndarray, Fraction]:
        """(integers N, unit) with the squared distances of these pairs equal to N·unit², exactly."""
        if self.exact:
            return pairs.low.astype(np.int64).astype(object), self.unit
        return self._integers.squares(pairs.i, pairs.j), self._integers.unit

    @computed_once
    def _integers(self) -> WholeRows:
        return WholeRows(self._table)


def _whole(table: np.ndarray) -> tuple[Fraction, np.ndarray] | None:
    """(unit, integers) with table = unit · integers and 4·d·(largest integer)² <= 2^53; None if there is no such unit."""
    values = np.unique(np.abs(table[:1]))
    if len(values) <= _FEW:
        values = np.unique(np.abs(table))
    if len(values) > _FEW:
        return None
    exact = [Fraction(value) for value in values.tolist()]
    common = math.lcm(*(value.denominator for value in exact))
    divisor = math.gcd(*(int(value * common) for value in exact)) or 1
    largest = int(max(exact) * common) // divisor
    if 4 * table.shape[1] * largest**2 > 2**53:
        return None
    whole = np.array([int(value * common) // divisor for value in exact], dtype=np.float64)
    return Fraction(divisor, common), np.sign(table) * whole[np.searchsorted(values, np.abs(table))]
