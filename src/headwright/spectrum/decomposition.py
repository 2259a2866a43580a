"""An approximate singular value decomposition, from LAPACK: search, and trusted for nothing.

The matrix is scaled by a power of two before, so that neither the squares of its entries nor their sum leave the range.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headwright import balls, inputs


class Decomposition(NamedTuple):
    """A ≈ left diag(values) rightᵀ: left (n, q), values (q,) falling, right (d, q)."""

    left: np.ndarray
    values: np.ndarray
    right: np.ndarray


def decomposed(matrix: np.ndarray) -> Decomposition:
    """All min(n, d) singular values and vectors, by divide and conquer, or by QR iteration where that does not converge."""
    from scipy.linalg import LinAlgError, svd

    part, exponent = balls.scaled(matrix)
    try:
        left, values, right = svd(part, full_matrices=False, check_finite=False, overwrite_a=True)
    except LinAlgError:
        left, values, right = svd(balls.scaled(matrix)[0], full_matrices=False, lapack_driver="gesvd")
    with np.errstate(over="ignore"):  # the caller refuses what float64 cannot hold
        return Decomposition(left, np.ldexp(values, exponent), right.T)


def checked_matrix(a: Any) -> np.ndarray:
    return inputs.float64(a, name="a", ndim=2)


def checked_count(value: Any, *, name: str, matrix: np.ndarray) -> int:
    """An integer in 1 … min(n, d), or an error that names the argument."""
    most = min(matrix.shape)
    try:
        number = inputs.index(value, name=name)
    except ValueError:
        number = 0
    if not 1 <= number <= most:
        raise ValueError(
            f"`{name}` must lie in 1 … min(n, d) = {most} for this matrix of shape {matrix.shape}, got {value!r}"
        )
    return number
