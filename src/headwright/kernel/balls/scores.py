"""Scores K q and sums Σ u_j (k_j - o) with their rounding error: float64 with an a-priori radius, and exactly as integers.

`float_scores` and `float_sums` read the keys once, in blocks that stay in the processor's cache. `exact_scores` computes in
Python integers, some 50 ns for each key entry, and is used only when the others leave a comparison open. A query is a float64
vector, or `Dyadics` where it is known exactly but no float64 vector is equal to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from headwright.kernel import budget
from headwright.kernel.inputs import need_gradual_underflow

_LONGEST_DOT = 2**20
_ROWS = 4096  # rows held at once as integers: bounds their memory
_GROUP = 16  # rows whose sum is taken at once: the fewer, the smaller the radius
_IN_CACHE = 2**16  # entries of a block of keys: half a megabyte


class Dyadics(NamedTuple):
    """Exact numbers: Python integers (an object array) times 2^exponent."""

    numerators: np.ndarray
    exponent: int

    def tolist(self) -> list[Fraction]:
        """The numbers of a vector, as `tolist` of a float64 vector gives them."""
        budget.spend(len(self.numerators) * (1000 + abs(self.exponent)))
        unit = Fraction(2) ** self.exponent
        return [number * unit for number in self.numerators.tolist()]

    def nearest(self) -> np.ndarray:
        """The nearest float64 numbers, infinite where a number is beyond their range.

        >>> Dyadics(np.array([3, 2**60 + 1], dtype=object), -2).nearest().tolist()
        [0.75, 2.8823037615171174e+17]
        """
        budget.spend(1000 * self.numerators.size)
        unit = Fraction(2) ** self.exponent
        return np.array([_nearest(number * unit) for number in self.numerators.flat]).reshape(self.numerators.shape)


Vector = np.ndarray | Dyadics


def float_scores(keys: np.ndarray, query: Vector) -> tuple[np.ndarray, np.ndarray] | None:
    """(midpoints, radii) with |midpoint - k_j·q| <= radius for every key; None when anything overflows.

    Let u = 2^-53. A dot product of length d, summed in any order and with or without fused multiply-add, has
    |fl(k·q) - k·q| <= γ_d |k|·|q| + (underflow), γ_d = du/(1-du) [Higham, Accuracy and Stability, §3.1]. The same bound for
    the computed |k|·|q| gives |k|·|q| <= fl(|k|·|q|)(1 + 2du) + (underflow). For d <= 2^20 both together stay
    below (d+4)·2^-53·(1+2^-30), so the factor (d+4)·2^-52 leaves a factor of almost two for the rounding of the radius
    itself. Underflow loses at most 2^-1022 per operation even where subnormal numbers are flushed to zero, and a
    subnormal input read as zero loses at most 2^-1022 times its partner: the last term covers these twice over.

    An exact query is rounded to the nearest float64 numbers first, by at most u of what they become, or by 2^-1075: that is one
    more u of |k|·|q|, and less than what a subnormal input may lose.
    """
    n, d = keys.shape
    budget.spend(3 * n * d)
    if d > _LONGEST_DOT:
        return None
    q = query.nearest() if isinstance(query, Dyadics) else query
    midpoints, size = np.empty(n), np.empty(n)
    largest = np.float64(0)
    with np.errstate(all="ignore"):
        for some, rows in _blocks(keys):
            midpoints[some] = keys[some] @ q
            size[some] = rows @ np.abs(q)
            largest = max(largest, rows.max())
        flushed = 4 * (d + 4) * 2.0**-1022 * (1 + largest + np.abs(q).max())
        radii = (d + 4) * 2.0**-52 * size + flushed
    return _if_finite(midpoints, radii)


def float_sums(weights: np.ndarray, keys: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """(midpoints, radii) with |midpoint - Σ_j u_j (k_j - o)| <= radius in every coordinate; None when anything overflows.

    The rows are summed in groups of at most G = 16, and the groups in pairs, pairs of pairs and so on, in ⌈log₂ groups⌉ steps.
    Each difference is rounded once, by u of itself, each product once, and it passes through fewer than G additions in its group
    and one for each step. So the bound of `float_scores` holds for the computed differences with D = G + steps in place of the
    dimension [Higham, §4.2: the error of a sum is bounded by its depth], both for the sums and for the sums of absolute
    values, and the differences add one u: (D+1)(1+2^-30)u in all for D < 100, and (D+8)u leaves 6u for the rounding of the
    radius itself, which is less than 4u. Underflow is that of n operations.
    """
    n, d = keys.shape
    budget.spend(4 * n * d)
    groups = -(-n // _GROUP)
    depth = min(n, _GROUP) + (groups - 1).bit_length()
    sums, sizes = np.empty((groups, d)), np.empty((groups, d))
    rows = _GROUP * max(1, _block_rows(d) // _GROUP)
    held = np.empty((min(rows, n), d))
    largest = np.float64(0)
    with np.errstate(all="ignore"):
        for start in range(0, n, rows):
            some = slice(start, min(start + rows, n))
            apart = np.subtract(keys[some], origin, out=held[: some.stop - start])
            first = start // _GROUP
            _add_groups(weights[some], apart, sums[first:])
            _add_groups(np.abs(weights[some]), np.abs(apart, out=apart), sizes[first:])
            largest = max(largest, apart.max())
        midpoints, size = _add_in_pairs(sums), _add_in_pairs(sizes)
        flushed = 4 * (n + 4) * 2.0**-1022 * (1 + largest + np.abs(weights).max())
        radii = (depth + 8) * 2.0**-53 * size + flushed
    return _if_finite(midpoints, radii)


def _if_finite(midpoints: np.ndarray, radii: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    if not (np.isfinite(midpoints).all() and np.isfinite(radii).all()):
        return None
    return midpoints, radii


def _add_groups(weights: np.ndarray, rows: np.ndarray, sums: np.ndarray) -> None:
    """Write Σ u_j row_j of each group of rows to `sums`."""
    n, d = rows.shape
    whole = n // _GROUP
    stacked = weights[: whole * _GROUP].reshape(whole, 1, _GROUP), rows[: whole * _GROUP].reshape(whole, _GROUP, d)
    np.matmul(*stacked, out=sums[:whole].reshape(whole, 1, d))
    if n > whole * _GROUP:
        sums[whole] = weights[whole * _GROUP :] @ rows[whole * _GROUP :]


def _add_in_pairs(rows: np.ndarray) -> np.ndarray:
    """The sum of the rows, each of which passes through ⌈log₂ rows⌉ additions."""
    while len(rows) > 1:
        half = len(rows) // 2
        added = rows[:half] + rows[half : 2 * half]
        rows = added if len(rows) == 2 * half else np.vstack([added, rows[-1:]])
    total: np.ndarray = rows[0]
    return total


def _block_rows(d: int) -> int:
    return max(1, _IN_CACHE // d)


def _blocks(keys: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Slices of the rows, each with the absolute values of its keys, which the next one overwrites."""
    n, d = keys.shape
    rows = _block_rows(d)
    held = np.empty((min(rows, n), d))
    for start in range(0, n, rows):
        some = slice(start, min(start + rows, n))
        yield some, np.abs(keys[some], out=held[: some.stop - start])


def exact_scores(keys: np.ndarray, query: Vector) -> tuple[list[int], int]:
    """(integers N_j, exponent e) with k_j·q = N_j · 2^e exactly, for any finite float64 numbers.

    >>> numerators, exponent = exact_scores(np.array([[0.5, 3.0], [1.0, 0.0]]), np.array([4.0, 0.25]))
    >>> [n * 2.0**exponent for n in numerators]
    [2.75, 4.0]
    """
    q_integers, q_exponent = query if isinstance(query, Dyadics) else integers(query, lowest_exponent(query))
    k_exponent = lowest_exponent(keys)
    long = longest_bits(keys, k_exponent), max(abs(int(number)).bit_length() for number in q_integers)
    budget.spend(keys.size * budget.product(*long))
    budget.hold((min(_ROWS, len(keys)) * keys.shape[1] + len(keys)) * (40 + sum(long) // 8))
    numerators: list[int] = []
    for start in range(0, len(keys), _ROWS):
        rows, _ = integers(keys[start : start + _ROWS], k_exponent)
        numerators += (rows @ q_integers).tolist()
    return numerators, k_exponent + q_exponent


def exact_product(*factors: np.ndarray) -> Dyadics:
    """The product of float64 matrices, exactly; the last factor may be a vector.

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
    return Dyadics(total, exponent)


def lowest_exponent(x: np.ndarray) -> int:
    """The least e with every entry an integer multiple of 2^e (a float64 is a 53-bit integer times a power of two)."""
    mantissas, exponents = np.frexp(x)
    return int(exponents[mantissas != 0].min(initial=0)) - 53


def longest_bits(x: np.ndarray, lowest: int) -> int:
    """The length of the longest of the integers x / 2^lowest."""
    return int(np.frexp(np.maximum(x.max(), -x.min()))[1]) - lowest if x.size else 0


def integers(x: np.ndarray, lowest: int) -> Dyadics:
    """x as Python integers times 2^lowest."""
    budget.spend(x.size * (200 + longest_bits(x, lowest) // 4))
    mantissas, exponents = np.frexp(x)
    whole = np.ldexp(mantissas, 53).astype(np.int64).astype(object)
    shifts = np.where(mantissas != 0, exponents - 53 - lowest, 0).astype(object)
    return Dyadics(np.left_shift(whole, shifts), lowest)


def _nearest(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return np.inf
