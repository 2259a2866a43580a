"""What the results of this folder share: an approximate singular value decomposition, and checks.

The decomposition comes from LAPACK: it is search, and nothing rests on it. The matrix is first scaled by a power of two, so that
neither the squares of its entries nor their sum leave the range.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from headwright.kernel import balls, inputs
from headwright.theories.matrices.matrix_norms import scaled
from headwright.words.bounded import Ends

TOO_LARGE = "`a` must have singular values that float64 can hold: divide it by a power of two first"


class Decomposition(NamedTuple):
    """A ≈ left diag(values) rightᵀ: left (n, q), values (q,) falling, right (d, q)."""

    left: np.ndarray
    values: np.ndarray
    right: np.ndarray


def decomposed(matrix: np.ndarray) -> Decomposition:
    """All min(n, d) singular values and vectors, by divide and conquer, or by QR iteration where that does not converge."""
    from scipy.linalg import LinAlgError, svd

    part, exponent = scaled(matrix)
    try:
        left, values, right = svd(part, full_matrices=False, check_finite=False, overwrite_a=True)
    except LinAlgError:
        left, values, right = svd(scaled(matrix)[0], full_matrices=False, lapack_driver="gesvd")
    with np.errstate(over="ignore"):  # the caller refuses what float64 cannot hold
        return Decomposition(left, np.ldexp(values, exponent), right.T)


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


def root(low: Fraction, high: Fraction) -> Ends:
    """√ of both ends, rounded outward."""
    with balls.precision(128):
        below, above = balls.lower(balls.exact(low).sqrt()), balls.upper(balls.exact(high).sqrt())
    assert above is not None, "the root of a rational that is not negative is finite"
    return max(below or Fraction(0), Fraction(0)), above
