"""Matrices of rationals, small enough for Python's own fractions: products, and whether a symmetric one is positive.

S = LDLᵀ with unit lower triangular L decides it: S >= 0 just when every pivot is non-negative and a zero pivot has a zero column
below it; S > 0 just when all pivots are positive. Nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

Rows = list[list[Fraction]]


def rows_of(array: np.ndarray) -> Rows:
    """The binary values of a float64 matrix."""
    return [[Fraction(x) for x in row] for row in array.tolist()]


def product(a: Rows, b: Rows) -> Rows:
    columns = list(zip(*b, strict=True))
    return [[sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in columns] for row in a]


def transposed(a: Rows) -> Rows:
    return [list(column) for column in zip(*a, strict=True)]


def combined(a: Rows, b: Rows, factor: Fraction) -> Rows:
    """a + factor·b."""
    return [[x + factor * y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


def square(a: Rows) -> Fraction:
    """The squared Frobenius norm."""
    return sum((x * x for row in a for x in row), Fraction(0))


def pivots(symmetric: Rows) -> list[Fraction] | None:
    """The pivots of LDLᵀ; None where one is zero with something below it (then the matrix is indefinite).

    >>> pivots([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(1)]])
    [Fraction(2, 1), Fraction(1, 2)]
    """
    left, found = [list(row) for row in symmetric], []
    for j in range(len(left)):
        pivot = left[j][j]
        found.append(pivot)
        below = range(j + 1, len(left))
        if pivot == 0:
            if any(left[i][j] != 0 for i in below):
                return None
            continue
        for i in below:
            factor = left[i][j] / pivot
            if factor:
                left[i] = [x - factor * y for x, y in zip(left[i], left[j], strict=True)]
    return found


def is_nonnegative(symmetric: Rows) -> bool:
    """Whether xᵀSx >= 0 for all x."""
    found = pivots(symmetric)
    return found is not None and all(pivot >= 0 for pivot in found)


def is_positive(symmetric: Rows) -> bool:
    """Whether xᵀSx > 0 for all x but 0."""
    found = pivots(symmetric)
    return found is not None and all(pivot > 0 for pivot in found)


def plus_identity(symmetric: Rows, factor: Fraction) -> Rows:
    """symmetric + factor·I."""
    return [[x + (factor if i == j else 0) for j, x in enumerate(row)] for i, row in enumerate(symmetric)]


def quadratic(symmetric: Rows, x: Sequence[Fraction]) -> Fraction:
    """xᵀSx."""
    return sum(
        (a * b * s for a, row in zip(x, symmetric, strict=True) for b, s in zip(x, row, strict=True)), Fraction(0)
    )
