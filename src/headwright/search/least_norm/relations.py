"""Search for exact linear relations between rows: weights found in floating point, corrected until a sum is exactly zero.

A float64 vector of weights x with Σ x_j r_j ≈ 0 proves nothing, but most of its entries can be kept. Pick a basis b of rows on
which the weights are large, and solve Σ_b δ_b r_b = -Σ_j x_j r_j in rationals. Then x + δ sums to zero exactly, and stays
non-negative if the first sum was small. The basis is picked in floating point, which affects only whether a solution is found:
every solution is added up again in integers (`balls.sums_to_zero`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls import integers, lowest_exponent, sums_to_zero
from headwright.kernel.balls.linear import Rows, whole_rows
from headwright.kernel.inputs import need_gradual_underflow

# A pivot this small relative to the first is noise if the rows are exactly dependent, and a direction of its own if they are
# only nearly so. Each reading is tried in turn, and the exact solution shows which is right.
_NOISE = (1e-8, 1e-12, 0.0)
_FLOAT_BITS = 900


def null_combination(rows: Rows, near: np.ndarray) -> list[int] | None:
    """Non-negative integers N, not all zero, with Σ N_j rows_j = 0 exactly and N near a multiple of `near`; None if not found.

    rows (k, d), near (k,) >= 0; N_j = 0 wherever near_j = 0.

    >>> null_combination(np.array([[1.0], [-3.0], [5.0]]), np.array([0.7, 0.2, 0.0]))
    [3, 1, 0]
    """
    weights = null_weights(rows, near)
    if weights is None or not any(weights):
        return None
    common = math.lcm(*(weight.denominator for weight in weights))
    whole = [weight.numerator * (common // weight.denominator) for weight in weights]
    divisor = math.gcd(*whole)
    return [number // divisor for number in whole]


def null_weights(rows: Rows, near: np.ndarray, *, fixed: Sequence[int] | None = None) -> list[Fraction] | None:
    """Non-negative rationals x near `near`, 0 where it is 0, with fixed + Σ x_j rows_j = 0 exactly; None if not found.

    Most entries are the float64 weights themselves; at most d of them have long denominators. `fixed` (d,) is 0 unless given,
    in the units of the rows; without it x = 0 is a solution too, which the caller may not want.
    """
    need_gradual_underflow()
    whole = whole_rows(rows)
    near = np.asarray(near, dtype=np.float64)
    if near.shape != whole.shape[:1] or not np.isfinite(near).all() or (near < 0).any():
        raise ValueError(f"`near` must hold one finite non-negative weight for each of the {len(whole)} rows")
    start = [0] * whole.shape[1] if fixed is None else [int(number) for number in fixed]
    used = np.flatnonzero(near)
    kept, exponent = integers(near[used], min(0, lowest_exponent(near[used])))
    unit = Fraction(2) ** exponent
    here = whole[used]
    rest = [number << -exponent for number in start]  # what is left to cancel, in units of the rows times `unit`
    if len(used):
        rest = [a + int(b) for a, b in zip(rest, kept @ here, strict=True)]
    for basis in _bases(here, near[used]) if any(rest) else ([],):
        moves = _solve(here[basis], rest)
        if moves is None:
            continue
        weights = [Fraction(0)] * len(whole)
        for j, number in zip(used.tolist(), kept.tolist(), strict=True):
            weights[j] = unit * number
        for position, move in zip(basis, moves, strict=True):
            weights[int(used[position])] -= unit * move
        if min(weights, default=Fraction(0)) >= 0 and sums_to_zero(whole, weights, fixed=start):
            return weights
    return None


def exact_differences(keys: np.ndarray, above: np.ndarray | int, below: np.ndarray | int) -> tuple[np.ndarray, int]:
    """(integers D, exponent e) with keys[above] - keys[below] = D · 2^e exactly; float64 subtraction would round.

    keys (n, d) float64; `above` and `below` are indices, or arrays of them of one length m; D is (d,) or (m, d).

    >>> rows, exponent = exact_differences(np.array([[1e-20], [1.0], [3.0]]), np.array([1, 2]), 0)
    >>> [Fraction(int(row[0])) * Fraction(2) ** exponent + Fraction(1e-20) for row in rows]
    [Fraction(1, 1), Fraction(3, 1)]
    """
    need_gradual_underflow()
    named = np.union1d(above, below)
    exponent = lowest_exponent(keys[named])
    whole, _ = integers(keys[named], exponent)
    return whole[np.searchsorted(named, above)] - whole[np.searchsorted(named, below)], exponent


def _solve(basis: np.ndarray, total: list[int]) -> list[Fraction] | None:
    """Rationals y with Σ y_b basis_b = total on as many columns as there are rows; None if these are singular."""
    from flint import fmpz_mat

    r = len(basis)
    columns = _pivots(_rounded(basis).T)[0][:r]
    if len(columns) < r:
        return None
    long = max((int(number).bit_length() for number in basis.flat), default=0)
    budget.spend(r**3 * budget.product(64, r * long))
    try:
        solution = fmpz_mat(basis[:, columns].T.tolist()).solve(fmpz_mat([[total[c]] for c in columns]))
    except ZeroDivisionError:
        return None
    return [Fraction(int(solution[b, 0].p), int(solution[b, 0].q)) for b in range(r)]


def _bases(whole: np.ndarray, near: np.ndarray) -> list[list[int]]:
    """Positions of independent rows, those with large weights first: one basis for each noise level."""
    order, sizes = _pivots(_rounded(whole) * (near / near.max(initial=0.0))[:, None])
    ranks = {sum(size > noise * sizes[0] for size in sizes): None for noise in _NOISE} if order else {}
    return [order[:rank] for rank in ranks]


def _rounded(whole: np.ndarray) -> np.ndarray:
    """The integers as floats, each column scaled to a largest entry near 1; accurate enough to choose pivots."""
    result = np.zeros(whole.shape)
    for c in range(whole.shape[1]):
        largest = int(np.abs(whole[:, c]).max(initial=0))
        column = whole[:, c] >> max(0, largest.bit_length() - _FLOAT_BITS)
        result[:, c] = column.astype(np.float64) / max(1.0, float(np.abs(column).max(initial=0)))
    return result


def _pivots(rows: np.ndarray) -> tuple[list[int], list[float]]:
    """Rows in the order of Gram-Schmidt with pivoting (the one with the largest remainder next), and these remainders."""
    left = rows.copy()
    order: list[int] = []
    sizes: list[float] = []
    for _ in range(min(rows.shape)):
        remainders = np.sqrt(np.einsum("ij,ij->i", left, left))
        remainders[order] = 0.0
        j = int(remainders.argmax())
        if not remainders[j] > 0:
            break
        order.append(j)
        sizes.append(float(remainders[j]))
        direction = left[j] / remainders[j]
        left -= np.outer(left @ direction, direction)
    return order, sizes
