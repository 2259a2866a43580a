"""Whether rationals times rows add up to zero, exactly: the check of every relation between rows.

Rows are float64 (their binary values), Python integers in an object array, or lists of Fractions. Only whether a sum is zero
matters, so a common factor of all rows has no effect. `search/least_norm/relations.py` searches for such relations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls.scores import integers, lowest_exponent
from headwright.kernel.inputs import need_gradual_underflow

_PRIME = 2**61 - 1

Rows = np.ndarray | Sequence[Sequence[Fraction]]


def sums_to_zero(rows: Rows, weights: Sequence[Fraction | int], *, fixed: Sequence[int] | None = None) -> bool:
    """Whether fixed + Σ weights_j rows_j = 0, exactly; `fixed` is 0 unless given, in the units of the rows.

    >>> sums_to_zero(np.array([[0.5, 1.0], [-1.5, -3.0]]), [Fraction(1), Fraction(1, 3)])
    True
    """
    need_gradual_underflow()
    whole = whole_rows(rows)
    if len(weights) != len(whole):
        raise ValueError(f"`weights` must hold one number for each of the {len(whole)} rows, got {len(weights)}")
    groups: dict[int, list[int]] = {}  # rows by the denominator of their weight: few have long ones
    for j, weight in enumerate(weights):
        if weight:
            groups.setdefault(weight.denominator, []).append(j)
    common = budget.common_denominator(weights)
    long = (
        max((int(number).bit_length() for number in whole.flat), default=0),
        max(map(budget.bits, weights), default=0),
    )
    budget.spend(whole.size * budget.product(*long))
    budget.spend(len(groups) * whole.shape[1] * budget.product(common.bit_length(), sum(long)))
    budget.hold((whole.size + len(groups)) * (40 + sum(long) // 8) + whole.shape[1] * common.bit_length() // 8)
    total = np.array([common * int(number) for number in fixed or [0] * whole.shape[1]], dtype=object)
    for denominator, members in groups.items():
        numerators = np.array([weights[j].numerator for j in members], dtype=object)
        total = total + common // denominator * (numerators @ whole[members])
    return not total.any()


def rank(rows: np.ndarray) -> int:
    """The rank of a float64 matrix, exactly.

    >>> rank(np.array([[1.0, 2.0], [0.5, 1.0]]))
    1
    """
    from flint import fmpz_mat, nmod_mat

    need_gradual_underflow()
    whole = whole_rows(rows)
    least = int(min(whole.shape))
    long = max((int(number).bit_length() for number in whole.flat), default=0)
    budget.spend(whole.size * least * budget.product(64, least * long))
    # the rank modulo a prime is never larger, and much cheaper: where it is full, so is the rank
    if nmod_mat(*whole.shape, (whole % _PRIME).ravel().tolist(), _PRIME).rank() == least:
        return least
    return int(fmpz_mat(whole.tolist()).rank())


def whole_rows(rows: Rows) -> np.ndarray:
    """The rows times one positive number, as an object array (k, d) of Python integers."""
    if isinstance(rows, np.ndarray) and rows.ndim == 2:
        if rows.dtype == object:
            return rows
        if rows.dtype == np.float64 and np.isfinite(rows).all():
            return integers(rows, lowest_exponent(rows))[0]
    elif not isinstance(rows, np.ndarray) and len(rows):
        common = math.lcm(*(entry.denominator for row in rows for entry in row))
        return np.array(
            [[entry.numerator * (common // entry.denominator) for entry in row] for row in rows], dtype=object
        )
    raise ValueError("`rows` must be (k, d): finite float64, an object array of integers, or lists of Fractions")
