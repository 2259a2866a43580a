"""Boxes: arrays of intervals, held as midpoints and radii in float64. Every operation encloses all results, whatever is inside.

With u = 2^-53, a sum or product in float64 is off by at most u of its result, or by 2^-1075 where it underflows, and a dot
product of k terms by γ_k Σ|a_i b_i|, γ_k = ku/(1 - ku), in any order of summation [Higham, Accuracy and Stability, §3.1]. Radii
are sums of non-negative terms, so a factor above 1 covers their own rounding: `_up` for up to four operations, `_up_dot` for dot
products.
Non-finite numbers stay non-finite, and no comparison with them holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np

from headwright.kernel.balls.float_exp import LOWEST, WIDEST, exp_enclosed

_UNIT = 2.0**-53
_TINY = 2.0**-1000  # above every loss by underflow in the sums here, and too small to matter


@final
@dataclass(frozen=True, eq=False)
class Boxes:
    """The numbers within `radius` of `middle`, entry by entry.

    >>> third = Boxes.between(np.array([0.0]), np.array([1.0])) + Boxes.exact([2.0])
    >>> float(third.low[0]) <= 2 and float(third.high[0]) >= 3
    True
    """

    middle: np.ndarray
    radius: np.ndarray

    @classmethod
    def exact(cls, numbers: Any) -> Self:
        """These float64 numbers, known exactly."""
        middle = np.asarray(numbers, dtype=np.float64)
        return cls(middle, np.zeros_like(middle))

    @classmethod
    def between(cls, low: np.ndarray, high: np.ndarray) -> Self:
        """All numbers between two ends."""
        one = low == high  # half of a subnormal number may not be one
        middle = np.where(one, low, low / 2 + high / 2)
        return cls(middle, np.where(one, 0.0, _up(np.maximum(high - middle, middle - low))))

    @property
    def low(self) -> np.ndarray:
        """Lower ends, rounded down."""
        exact = self.radius == 0
        return np.asarray(np.where(exact, self.middle, np.nextafter(self.middle - self.radius, -np.inf)))

    @property
    def high(self) -> np.ndarray:
        """Upper ends, rounded up."""
        exact = self.radius == 0
        return np.asarray(np.where(exact, self.middle, np.nextafter(self.middle + self.radius, np.inf)))

    @property
    def size(self) -> np.ndarray:
        """A bound on the absolute values."""
        return np.where(self.radius == 0, np.abs(self.middle), _up(np.abs(self.middle) + self.radius))

    def __getitem__(self, at: Any) -> Boxes:
        return Boxes(self.middle[at], self.radius[at])

    def __add__(self, other: Boxes) -> Boxes:
        middle = self.middle + other.middle
        exact = (self.middle == 0) | (other.middle == 0)  # nothing is rounded
        own = np.where(exact, 0.0, _UNIT * np.abs(middle))
        radius = self.radius + other.radius + own
        return Boxes(middle, np.where(radius == 0, 0.0, _up(radius)))

    def __neg__(self) -> Boxes:
        return Boxes(-self.middle, self.radius)

    def __sub__(self, other: Boxes) -> Boxes:
        return self + -other

    def __mul__(self, other: Boxes) -> Boxes:
        middle = self.middle * other.middle
        spread = np.abs(self.middle) * other.radius + self.radius * (np.abs(other.middle) + other.radius)
        return Boxes(middle, _up(spread + _UNIT * np.abs(middle)))

    def widened(self, by: np.ndarray | float) -> Boxes:
        """The numbers within `by` of these."""
        radius = self.radius + by
        return Boxes(self.middle, np.where(radius == 0, 0.0, _up(radius)))

    def hull(self, axis: int = 0) -> Boxes:
        """The smallest boxes around all boxes along an axis."""
        return Boxes.between(self.low.min(axis=axis), self.high.max(axis=axis))

    def joined(self, other: Boxes) -> Boxes:
        """The smallest boxes around both."""
        return Boxes.between(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def distance(self, numbers: np.ndarray) -> np.ndarray:
        """A bound on the distances from these exact numbers."""
        return (self - Boxes.exact(numbers)).size

    def times(self, matrix: Boxes) -> Boxes:
        """Rows (..., k) times the transpose of a matrix (m, k): (..., m)."""
        k = matrix.middle.shape[-1]
        sizes = np.abs(matrix.middle)
        here = np.abs(self.middle)
        radius = _rounded(matrix) * (here @ sizes.T)
        if matrix.radius.any():
            radius = radius + (here + self.radius) @ matrix.radius.T
        if self.radius.any():
            radius = radius + self.radius @ sizes.T
        middle = self.middle @ matrix.middle.T
        exact = (radius == 0) & _far_from_underflow((here, self.radius), (sizes, matrix.radius))
        return Boxes(middle, np.where(exact, 0.0, _up_dot(radius, k)))


def _rounded(matrix: Boxes) -> np.ndarray:
    """Twice γ_k for each row of a matrix with k entries that are not 0; 0 for one power of two, which is exact."""
    terms = np.count_nonzero(matrix.middle, axis=-1)
    powers = np.abs(np.frexp(matrix.middle)[0])
    exact = (terms == 0) | ((terms == 1) & (np.where(matrix.middle == 0, 0.5, powers) == 0.5).all(axis=-1))
    return np.asarray(np.where(exact, 0.0, 2.0 * (terms + 2) * _UNIT))


def _far_from_underflow(a: tuple[np.ndarray, ...], b: tuple[np.ndarray, ...]) -> bool:
    """Whether all products of entries, none negative, are 0 or at least 2^-900, so that only a factor of 0 makes a product 0."""
    least = [min(own[own > 0].min(initial=1.0) for own in arrays) for arrays in (a, b)]
    return bool(least[0] >= 2.0**-900 / least[1])


def _up(radius: Any) -> np.ndarray:
    return np.asarray(radius * (1 + 2.0**-50) + _TINY)


def _up_dot(radius: Any, k: int) -> np.ndarray:
    return np.asarray(radius * (1 + (k + 8) * 2.0**-51) + _TINY)


def product_above(rows: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Bounds above the product of two matrices without negative entries; 0 where every term is 0."""
    product = rows @ matrix
    return np.where((product == 0) & _far_from_underflow((rows,), (matrix,)), 0.0, _up_dot(product, matrix.shape[0]))


def sum_above(*terms: Any) -> np.ndarray:
    """Bounds above the sum of up to eight terms without negative entries; 0 where every term is 0."""
    total = np.asarray(sum(terms))
    return np.where(total == 0, 0.0, _up_dot(total, 8))


def above(*terms: Any) -> np.ndarray:
    """A number that is at least the sum of the terms; a sum that contains -∞ is -∞."""
    total = sum(terms)
    slack = sum(np.abs(term) for term in terms) * (len(terms) + 8) * 2.0**-52 + _TINY
    return np.asarray(np.where(np.isneginf(total), total, total + slack))


def below(*terms: Any) -> np.ndarray:
    """A number that is at most the sum of the terms."""
    return -above(*(-np.asarray(term) for term in terms))


def exp_above(x: np.ndarray) -> np.ndarray:
    """Upper bounds on e^x: infinite where x exceeds 1/4, 0 at -∞."""
    inside = x <= WIDEST
    middle, radius = _exponentials(np.where(inside, np.maximum(x, 2 * LOWEST), 0.0))
    bounds = np.where(inside, _up(middle + radius), np.inf)  # also infinite for NaN
    return np.where(np.isneginf(x), 0.0, bounds)


def exp_below(x: np.ndarray) -> np.ndarray:
    """Lower bounds on e^x, at most e^(1/4)."""
    inside = np.isfinite(x) & (x >= LOWEST)
    middle, radius = _exponentials(np.where(inside, np.minimum(x, WIDEST), 0.0))
    return np.where(inside, np.maximum((middle - radius) * (1 - 2.0**-50), 0.0), 0.0)


def _exponentials(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    powers = exp_enclosed(x, np.zeros_like(x))
    assert powers is not None  # no x exceeds 1/4
    return powers
