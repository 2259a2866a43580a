"""Squared distances of rows in integers: ‖x - y‖² = N·4^e exactly, for many pairs at once.

float64 numbers are integers times one power of two, 2^e, so differences, squares and sums are integers too. If the pairs asked
for are most of the pairs of some rows, one integer matrix product gives them all, ‖x‖² + ‖y‖² - 2x·y. Otherwise each pair
is computed from its difference. Both ways are exact and differ only in cost.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls.scores import integers, lowest_exponent
from headwright.kernel.frozen import computed_once
from headwright.kernel.inputs import need_gradual_underflow

_ENTRIES = 2**21  # integers held at once
_DIRECT = 128  # a Python integer costs about as much as this many products of 64-bit words in a matrix product


@final
class WholeRows:
    """A table (L, d) of finite float64 numbers as integers; squared distances are in units of `unit`².

    >>> rows = WholeRows(np.array([[0.5, 1.0], [0.0, 3.0]]))
    >>> rows.squares(np.array([0]), np.array([1]))[0] * rows.unit**2
    Fraction(17, 4)
    """

    def __init__(self, table: np.ndarray) -> None:
        need_gradual_underflow()
        self._table = table
        self._lowest = lowest_exponent(table)
        self.unit = Fraction(2) ** self._lowest

    @computed_once
    def _words(self) -> int:
        """How many 64-bit words the longest integer has."""
        return max(1, -(-(int(np.frexp(np.abs(self._table).max())[1]) - self._lowest) // 64))

    def cost(self, i: np.ndarray, j: np.ndarray) -> int:
        """The cost of `squares` for these pairs, in products of 64-bit words: some nanoseconds each."""
        return int(self._table.shape[1]) * self._words * min(len(i) * _DIRECT, len(np.unique(i)) * len(np.unique(j)))

    def squares(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """‖row i_k - row j_k‖² for every k, as Python integers."""
        budget.spend(4 * self.cost(i, j) * self._words + 500 * len(i))
        rows, i_place = np.unique(i, return_inverse=True)
        columns, j_place = np.unique(j, return_inverse=True)
        if len(rows) * len(columns) >= _DIRECT * len(i):
            return self._direct(i, j)
        return self._all(rows, columns)[i_place, j_place]

    def _direct(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        squares = np.zeros(len(i), dtype=object)
        step = max(1, _ENTRIES // self._table.shape[1])
        for start in range(0, len(i), step):
            part = slice(start, start + step)
            difference = self._whole(self._table[i[part]]) - self._whole(self._table[j[part]])
            squares[part] = (difference * difference).sum(axis=1)
        return squares

    def _all(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """The squared distances of all `rows` from all `columns`."""
        from flint import fmpz_mat

        product = fmpz_mat(len(rows), len(columns))
        x_square, y_square = np.zeros(len(rows), dtype=object), np.zeros(len(columns), dtype=object)
        d = self._table.shape[1]
        step = max(1, _ENTRIES // (len(rows) + len(columns)))
        for start in range(0, d, step):
            part = slice(start, min(start + step, d))
            x, y = self._whole(self._table[rows, part]), self._whole(self._table[columns, part])
            product += fmpz_mat(*x.shape, x.ravel().tolist()) * fmpz_mat(*y.T.shape, y.T.ravel().tolist())
            x_square, y_square = x_square + (x * x).sum(axis=1), y_square + (y * y).sum(axis=1)
        inner = np.array([int(entry) for entry in product.entries()], dtype=object).reshape(len(rows), len(columns))
        return np.asarray(x_square[:, None] + y_square - 2 * inner)

    def _whole(self, part: np.ndarray) -> np.ndarray:
        return integers(part, self._lowest)[0]


def square_between(x: np.ndarray, y: np.ndarray) -> Fraction:
    """‖x - y‖², exactly.

    >>> square_between(np.array([0.5, 1.0]), np.array([0.0, 3.0]))
    Fraction(17, 4)
    """
    both = WholeRows(np.stack([x, y]))
    return int(both.squares(np.array([0]), np.array([1]))[0]) * both.unit**2


def signs(squares: np.ndarray, limit: Fraction) -> list[int]:
    """The sign of N - limit for every integer N.

    >>> signs(np.array([1, 2, 3], dtype=object), Fraction(2)), signs(np.array([1, 2], dtype=object), Fraction(3, 2))
    ([-1, 0, 1], [-1, 1])
    """
    below, above = (
        math.floor(limit),
        math.ceil(limit),
    )  # an integer exceeds the limit if and only if it exceeds its floor
    return [(square > below) - (square < above) for square in squares.tolist()]
