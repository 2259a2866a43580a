"""Scores K q with their rounding error, two ways: float64 with an a-priori radius, and exactly as integers.

`float_scores` costs two matrix products. `exact_scores` computes in Python integers, some 50 ns for each key entry, and is
used only when the first leaves a comparison open.
"""

from __future__ import annotations

import numpy as np

from headwright import budget
from headwright.balls.exact_vectors import ExactVector
from headwright.inputs import need_gradual_underflow

_LONGEST_DOT = 2**20
_ROWS = 4096  # rows held at once: bounds the memory of |K| and of the integers


Query = np.ndarray | ExactVector


def float_scores(keys: np.ndarray, query: Query) -> tuple[np.ndarray, np.ndarray] | None:
    """(midpoints, radii) with |midpoint - k_j·q| <= radius for every key; None when anything overflows.

    Let u = 2^-53. A dot product of length d, summed in any order and with or without fused multiply-add, has
    |fl(k·q) - k·q| <= γ_d |k|·|q| + (underflow), γ_d = du/(1-du) [Higham, Accuracy and Stability, §3.1]. The same bound for
    the computed |k|·|q| gives |k|·|q| <= fl(|k|·|q|)(1 + 2du) + (underflow). For d <= 2^20 both together stay
    below (d+4)·2^-53·(1+2^-30), so the factor (d+4)·2^-52 leaves a factor of almost two for the rounding of the radius
    itself. Underflow loses at most 2^-1022 per operation even where subnormal numbers are flushed to zero, and a
    subnormal input read as zero loses at most 2^-1022 times its partner: the last term covers these twice over.
    """
    if isinstance(query, ExactVector):
        return _rounded_scores(keys, query)
    n, d = keys.shape
    budget.spend(3 * n * d)
    if d > _LONGEST_DOT:
        return None
    with np.errstate(all="ignore"):
        midpoints = keys @ query
        size = np.empty(n)
        largest = np.float64(0)
        for start in range(0, n, _ROWS):
            rows = np.abs(keys[start : start + _ROWS])
            size[start : start + _ROWS] = rows @ np.abs(query)
            largest = max(largest, rows.max())
        flushed = 4 * (d + 4) * 2.0**-1022 * (1 + largest + np.abs(query).max())
        radii = (d + 4) * 2.0**-52 * size + flushed
    if not (np.isfinite(midpoints).all() and np.isfinite(radii).all()):
        return None
    return midpoints, radii


def _rounded_scores(keys: np.ndarray, query: ExactVector) -> tuple[np.ndarray, np.ndarray] | None:
    """The same for an exact vector, from its nearest float64 vector."""
    near = query.nearest()
    enclosed = None if near is None else float_scores(keys, near)
    if near is None or enclosed is None:
        return None
    midpoints, radii = enclosed
    # each sum of two bounds is rounded once, by at most 2^-53 of itself
    wider = (radii + query.rounding(keys, near)) * (1 + 2.0**-50)
    return (midpoints, wider) if np.isfinite(wider).all() else None


def exact_scores(keys: np.ndarray, query: Query) -> tuple[list[int], int]:
    """(integers N_j, exponent e) with k_j·q = N_j · 2^e exactly, for any finite float64 numbers.

    >>> numerators, exponent = exact_scores(np.array([[0.5, 3.0], [1.0, 0.0]]), np.array([4.0, 0.25]))
    >>> [n * 2.0**exponent for n in numerators]
    [2.75, 4.0]
    """
    if isinstance(query, ExactVector):
        q_integers, q_exponent = query
        q_bits = max(map(int.bit_length, q_integers.tolist()), default=0)
    else:
        q_integers, q_exponent = integers(query, lowest_exponent(query))
        q_bits = longest_bits(query, q_exponent)
    k_exponent = lowest_exponent(keys)
    long = longest_bits(keys, k_exponent), q_bits
    budget.spend(keys.size * budget.product(*long))
    budget.hold((min(_ROWS, len(keys)) * keys.shape[1] + len(keys)) * (40 + sum(long) // 8))
    numerators: list[int] = []
    for start in range(0, len(keys), _ROWS):
        rows, _ = integers(keys[start : start + _ROWS], k_exponent)
        numerators += (rows @ q_integers).tolist()
    return numerators, k_exponent + q_exponent


def exact_product(*factors: np.ndarray) -> tuple[np.ndarray, int]:
    """(integers N, exponent e) with N · 2^e exactly the product of float64 matrices; the last factor may be a vector.

    >>> numerators, exponent = exact_product(np.array([[0.5, 3.0]]), np.array([[1.0, 2.0], [0.25, 0.0]]), np.array([4.0, 1.0]))
    >>> [float(n * 2.0**exponent) for n in numerators]
    [6.0]
    """
    need_gradual_underflow()
    last = factors[-1]
    total, exponent = integers(last, lowest_exponent(last))
    long = longest_bits(last, exponent)
    for factor in reversed(factors[:-1]):
        whole, own = integers(factor, lowest_exponent(factor))
        wide = longest_bits(factor, own)
        budget.spend(len(factor) * total.size * budget.product(wide, long))
        long += wide
        budget.hold((factor.size + len(factor) * total.size // len(total)) * (40 + long // 8))
        total, exponent = whole @ total, exponent + own
    return total, exponent


def lowest_exponent(x: np.ndarray) -> int:
    """The least e with every entry an integer multiple of 2^e (a float64 is a 53-bit integer times a power of two)."""
    mantissas, exponents = np.frexp(x)
    return int(exponents[mantissas != 0].min(initial=0)) - 53


def longest_bits(x: np.ndarray, lowest: int) -> int:
    """The length of the longest of the integers x / 2^lowest."""
    return int(np.frexp(np.maximum(x.max(), -x.min()))[1]) - lowest if x.size else 0


def integers(x: np.ndarray, lowest: int) -> tuple[np.ndarray, int]:
    """x / 2^lowest as an object array of Python integers."""
    budget.spend(x.size * (200 + longest_bits(x, lowest) // 4))
    mantissas, exponents = np.frexp(x)
    whole = np.ldexp(mantissas, 53).astype(np.int64).astype(object)
    shifts = np.where(mantissas != 0, exponents - 53 - lowest, 0).astype(object)
    return np.left_shift(whole, shifts), lowest
