"""Whether a symmetric matrix of float64 numbers is positive semi-definite, decided exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright.kernel import budget

# Where the largest entry lies between these, no square and no root of a product underflows unnoticed.
_SMALL, _LARGE = 2.0**-400, 2.0**400


def is_semidefinite(matrix: np.ndarray) -> bool:
    """Whether xᵀAx >= 0 for all x, for a symmetric A of finite float64 numbers.

    First in float64. If the Cholesky factorisation RᵀR of B = A - cI runs to completion, then B + ΔB = RᵀR with
    ‖ΔB‖ <= γ/(1 - γ)·tr B, where γ = (d + 1)u/(1 - (d + 1)u) and u = 2^-53 [Higham, Accuracy and Stability, theorem 10.3]. The
    diagonal of B is rounded by at most u·tr A. So A is positive semi-definite if c exceeds both together, as 4(d + 3)u·tr A does.
    What this leaves open is eliminated in integers.

    >>> is_semidefinite(np.array([[2.0, 1.0], [1.0, 0.5]])), is_semidefinite(np.array([[2.0, 1.0], [1.0, 0.4999]]))
    (True, False)
    """
    d, largest = len(matrix), float(np.abs(matrix).max())
    budget.spend(d**3 + 1000)
    if (matrix.diagonal() < 0).any():
        return False
    if _SMALL < largest < _LARGE:
        shifted = matrix - (d + 3) * 2.0**-51 * float(matrix.trace()) * np.eye(d)
        try:
            if np.isfinite(np.linalg.cholesky(shifted)).all():
                return True
        except np.linalg.LinAlgError:
            pass
    return _by_elimination(_whole(matrix))


def _whole(matrix: np.ndarray) -> list[list[int]]:
    """The matrix times a power of two, in integers."""
    exact = [[Fraction(x) for x in row] for row in matrix.tolist()]
    unit = max(x.denominator for row in exact for x in row)  # powers of two, so that the largest is a multiple of all
    return [[x.numerator * (unit // x.denominator) for x in row] for row in exact]


def _by_elimination(rows: list[list[int]]) -> bool:
    """Symmetric elimination without fractions (Bareiss): every division is exact, and with positive pivots signs are kept.

    A diagonal entry below 0 decides against, and so does a 0 beside an entry of its row that is not 0.
    """
    before = 1
    while rows:
        if any(row[i] < 0 for i, row in enumerate(rows)):
            return False
        place = next((i for i, row in enumerate(rows) if row[i]), None)
        if place is None:
            return not any(map(any, rows))
        long = max(abs(x).bit_length() for x in rows[place])
        budget.spend(len(rows) ** 2 * (300 + 3 * budget.product(long, long)))
        pivot, line = rows[place][place], rows[place]
        others = [i for i in range(len(rows)) if i != place]
        rows = [[(rows[i][k] * pivot - line[i] * line[k]) // before for k in others] for i in others]
        before = pivot
    return True
