"""The textbook queries, each with the assumption that makes it work, checked on the keys at hand.

With odds = e/(1-e) and [x]₊ = max(0, x):

* Copy(i), unit keys with ‖k_i - k_j‖ >= r > 0. Then k_i·k_j <= 1 - r²/2, so q = t·k_i leads every other score by at least
  t·r²/2, and t = (2/r²)·[ln((n-1)/odds)]₊ leaves at most the error. For r = 1 and α_i >= 1/(1+ε): about 2 ln(n/ε).
* Average of m orthonormal keys. q = t·Σ k_j scores t on each of them and 0 elsewhere: leak (n-m)/(m·e^t + n-m), hence
  t = [ln((n-m)/(m·odds))]₊.
* Blend of orthonormal keys. q = Σ (t + ln w_j) k_j: the ratios are exact for every t, the leak is (n-m)/(e^t + n-m), and the
  shortest such query has t = max(ln((n-m)/odds), -mean ln w_j). Average is the Blend of equal shares.

Errors are total variation. A textbook ε translates: α_i >= 1/(1+ε) is error <= ε/(1+ε); with exact ratios, each of m
targets >= 1/(m+ε) is error <= ε/(m+ε) (`error_of_epsilon`).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.goals import Copy, Goal
from headwright.words.refusals import AssumptionFailed

TOLERANCE = (
    1e-12  # by which float64 keys may miss the assumption: rounding, with room; the design is certified all the same
)


def error_of_epsilon(epsilon: float | str | Fraction, targets: int = 1) -> Fraction:
    """The total variation ε/(m+ε) that a textbook tolerance ε on m targets stands for.

    For m = 1 the two say the same. For m > 1 "each of m targets >= 1/(m+ε)" implies this error; the converse holds only
    with exact ratios inside the targets (weights .46/.54 have a small error and break the textbook's claim).

    >>> error_of_epsilon("0.1"), error_of_epsilon("0.1", targets=2)
    (Fraction(1, 11), Fraction(1, 21))
    """
    exact = inputs.rational(epsilon, name="epsilon")
    inputs.count(targets, name="targets", least=1)
    if exact <= 0:
        raise ValueError(f"`epsilon` must be positive, got {inputs.show(exact)}")
    return exact / (targets + exact)


def closed_form(keys: np.ndarray, goal: Goal, error: Fraction) -> np.ndarray:
    """The textbook query (d,) at scale 1 for float64 keys (n, d), or AssumptionFailed."""
    if isinstance(goal, Copy):
        return _copy(keys, goal.index, error)
    check_orthonormal(keys)
    n, m = len(keys), len(goal.indices)
    offsets = np.array([log_ratio(share / goal.shares[0]) for share in goal.shares])  # exactly 0 for equal shares
    mean = float(offsets.mean())
    lift = max(0.0, log_ratio((n - m) * goal.shares[0] / odds(error)) + mean) if n > m else 0.0
    query: np.ndarray = (lift + offsets - mean) @ keys[list(goal.indices)]
    return query


def _copy(keys: np.ndarray, i: int, error: Fraction) -> np.ndarray:
    check_unit(keys)
    if len(keys) == 1:
        return np.zeros(keys.shape[1])
    leads = keys[i] @ keys[i] - keys @ keys[i]
    leads[i] = np.inf
    nearest = int(leads.argmin())
    if leads[nearest] <= TOLERANCE:
        distance = float(np.linalg.norm(keys[i] - keys[nearest]))
        seen = f"keys {i} and {nearest} are {distance:.3g} apart"
        raise AssumptionFailed("unit keys, the copied one apart from the others", (i, nearest), distance, seen)
    t = max(0.0, log_ratio((len(keys) - 1) / odds(error))) / leads[nearest]
    query: np.ndarray = t * keys[i]
    return query


def odds(error: Fraction) -> Fraction:
    """e / (1-e)."""
    return error / (1 - error)


def log_ratio(x: Fraction) -> float:
    """ln x for any positive rational; accurate near 1 too, where the two logarithms would cancel."""
    if abs(x - 1) < Fraction(1, 2):
        return math.log1p(float(x - 1))
    return math.log(x.numerator) - math.log(x.denominator)


def check_unit(keys: np.ndarray) -> None:
    """Every key has length 1, to 1e-12."""
    off = np.abs(np.linalg.norm(keys, axis=1) - 1)
    worst = int(off.argmax())
    if off[worst] > TOLERANCE:
        length = float(np.linalg.norm(keys[worst]))
        raise AssumptionFailed("unit keys", (worst, worst), length, f"key {worst} has length {length:.6g}")


def check_orthonormal(keys: np.ndarray) -> None:
    """Every key has length 1 and is orthogonal to the others, to 1e-12. Any d+1 keys contain a pair that is not."""
    check_unit(keys)
    some = keys[: keys.shape[1] + 1]
    products = np.abs(some @ some.T)
    np.fill_diagonal(products, 0.0)
    i, j = (int(k) for k in np.unravel_index(products.argmax(), products.shape))
    if products[i, j] > TOLERANCE:
        i, j = min(i, j), max(i, j)
        value = float(some[i] @ some[j])
        raise AssumptionFailed("orthonormal keys", (i, j), value, f"keys {i} and {j} have inner product {value:.6g}")
