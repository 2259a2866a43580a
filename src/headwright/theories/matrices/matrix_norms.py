"""How far A is from X Yᵀ: a proved bound on ‖A - X Yᵀ‖_F from float64 products, in any order of summation.

Let u = 2^-53 and γ_k = ku/(1-ku). The inner dimension m is cut into T pieces of at most b; each piece is one matrix product, and
the T products are taken from A one after the other. Whatever the order of summation inside a product, with or without fused
multiply-add (but not by Strassen's method), no term passes through more than b + T roundings [Higham, Accuracy and Stability,
§3.1]:

    |computed - (A - X Yᵀ)|  <=  γ_{b+T+4} (|A| + |X| |Y|ᵀ) + (underflow),      entry by entry.

The 4 leaves room for one rounding in each entry of A and of X, as when X = U diag(s) has been computed in float64. In the
Frobenius norm ‖|X| |Y|ᵀ‖ <= ‖X‖ ‖Y‖, so the radius needs no second product. Cutting keeps γ small: at n = 20,000 the factor is
γ_285, not γ_20000.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls.ball import exact, lower, precision, upper
from headwright.kernel.balls.scores import integers, lowest_exponent
from headwright.kernel.inputs import need_gradual_underflow

_ENTRIES = 2**20  # held at once: bounds the memory
_PIECE = 128  # of the inner dimension: b above
_BITS = 128
_FLUSHED = Fraction(1, 2**1022)  # the most that underflow loses in one operation, even where subnormals become zero


def scaled(matrix: np.ndarray) -> tuple[np.ndarray, int]:
    """(A · 2^-e, e) with the largest entry in [½, 1); a number that falls below 2^-1022 loses at most that much.

    >>> part, exponent = scaled(np.array([[3e300, -5e-300]]))
    >>> bool(0.5 <= part[0, 0] < 1), bool(part[0, 0] * 2.0**exponent == 3e300)
    (True, True)
    """
    need_gradual_underflow()
    exponent = int(np.frexp(_peak(matrix))[1])
    return np.ldexp(matrix, -exponent), exponent


def residual_norm(matrix: np.ndarray, left: np.ndarray, right: np.ndarray) -> Fraction | None:
    """A number not below ‖A - X Yᵀ‖_F for A (n, k), X (n, m), Y (k, m); None when anything overflows.

    Entries of `matrix` and `left` may each carry one rounding.

    >>> bound = residual_norm(np.array([[6.0, 4.0]]), np.array([[2.0]]), np.array([[3.0], [0.5]]))
    >>> float(bound)
    3.0000000000000093
    """
    (n, m), k = left.shape, len(right)
    budget.spend(n * k * (m // 8 + 10))
    sizes = [norm_above(part) for part in (matrix, left, right)]
    computed = _computed_square(matrix, left, right)
    if computed is None or None in sizes:
        return None
    a, x, y = (size or Fraction(0) for size in sizes)
    steps = min(m, _PIECE) + -(-m // _PIECE) + 4
    rounding = Fraction(steps, 2**53 - steps) * (a + x * y)
    # Each of the operations on one entry loses _FLUSHED, or reads a factor below it as zero; errors grow at most twofold later.
    flushed: Fraction = 8 * (m + steps) * n * k * (1 + a + x + y) * _FLUSHED
    return _root(computed)[1] + rounding + flushed


def norm_above(matrix: np.ndarray) -> Fraction | None:
    """A number not below ‖A‖_F."""
    square = squared_norm(matrix)
    return None if square is None else _root(square[1])[1]


def squared_norm(matrix: np.ndarray) -> tuple[Fraction, Fraction] | None:
    """Numbers on both sides of ‖A‖_F², from float64 sums; None when an entry is not finite.

    Row sums of w squares of numbers below 1 are off by γ_w, and `math.fsum` adds them up with one rounding. The bound
    allows twice that rounding, which covers squares that underflow as well, since the largest is at least ¼.
    """
    peak = _peak(matrix)
    budget.spend(10 * matrix.size + 100 * len(matrix))
    if not math.isfinite(peak):
        return None
    width, exponent = matrix.shape[1], int(np.frexp(peak)[1])
    sums: list[float] = []
    for rows in _blocks(matrix):
        part = np.ldexp(rows, -exponent)
        sums += np.einsum("ij,ij->i", part, part).tolist()
    added, gamma = Fraction(math.fsum(sums)), Fraction(width, 2**53 - width)
    hair, unit = Fraction(1, 2**52), Fraction(4) ** exponent
    return unit * added * (1 - hair) / (1 + gamma), unit * added * (1 + hair) / (1 - gamma)


def exact_squared_norm(matrix: np.ndarray) -> Fraction:
    """‖A‖_F², in integers: some 0.2 µs for each entry.

    >>> exact_squared_norm(np.array([[3.0, 0.5], [-1e-300, 0.0]])) == Fraction(37, 4) + Fraction(1e-300) ** 2
    True
    """
    need_gradual_underflow()
    lowest = lowest_exponent(matrix)
    whole = sum(int((integers(rows, lowest)[0] ** 2).sum()) for rows in _blocks(matrix))
    return whole * Fraction(4) ** lowest


def stretch(left: np.ndarray, right: np.ndarray) -> tuple[Fraction, Fraction] | None:
    """Numbers on both sides of every factor by which U diag(·) Vᵀ may change a singular value, for nearly orthonormal U, V.

    With ‖UᵀU - I‖ <= α and ‖VᵀV - I‖ <= β: √((1-α)(1-β)), 0 where α or β reaches 1, and √((1+α)(1+β)).
    """
    defects = [residual_norm(np.eye(part.shape[1]), part.T, part.T) for part in (left, right)]
    if None in defects:
        return None
    alpha, beta = (defect or Fraction(0) for defect in defects)
    inner = max(1 - alpha, Fraction(0)) * max(1 - beta, Fraction(0))
    return _root(inner)[0], _root((1 + alpha) * (1 + beta))[1]


def _computed_square(matrix: np.ndarray, left: np.ndarray, right: np.ndarray) -> Fraction | None:
    """A number not below ‖C‖_F², C the computed A - X Yᵀ, made and measured a few rows at a time."""
    total, step = Fraction(0), max(1, _ENTRIES // matrix.shape[1])
    for start in range(0, len(matrix), step):
        rest = np.array(matrix[start : start + step])
        with np.errstate(all="ignore"):  # an overflow shows in the norm
            for at in range(0, left.shape[1], _PIECE):
                rest -= left[start : start + step, at : at + _PIECE] @ right[:, at : at + _PIECE].T
        square = squared_norm(rest)
        if square is None:
            return None
        total += square[1]
    return total


def _blocks(matrix: np.ndarray) -> list[np.ndarray]:
    step = max(1, _ENTRIES // matrix.shape[1])
    return [matrix[start : start + step] for start in range(0, len(matrix), step)]


def _peak(matrix: np.ndarray) -> float:
    """The largest |entry|, NaN where there is one."""
    return float(np.maximum(matrix.max(), -matrix.min()))


def _root(square: Fraction) -> tuple[Fraction, Fraction]:
    with precision(_BITS):
        ball = exact(square).sqrt()
        low, high = lower(ball), upper(ball)
    assert low is not None and high is not None, "the root of a rational that is not negative is finite"  # noqa: PT018
    return low, high
