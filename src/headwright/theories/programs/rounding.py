"""Rounding: what a machine may add to the real-number result of a block, for real arithmetic, float64 or float32.

The model, with u the unit roundoff (2^-53, 2^-24, or 0 for real arithmetic):

* A dot product of k terms errs by at most γ_k Σ|a_i b_i|, γ_k = ku/(1 - ku): any order of summation, with or without fused
  multiply-add. Terms with a factor that is exactly 0 do not round, and neither does one term times a power of two.
* The maximum of the scores is exact. exp errs by at most 8u of its value (four units in the last place), and may underflow.
* Every other operation rounds once. Results that underflow are off by at most `least`. Nothing overflows, which is checked.

Softmax and weighted sum over n keys together: with exact weights w_j of the rounded differences from the maximum, the machine
computes Σ w_j (1 + ε_j) v_j with |ε_j| <= (1 + 8u)(1 + u)(1 + γ_n) / ((1 - 8u)(1 - γ_n)) - 1: exp twice, once in the weight and
once in the sum; the sum of n exponentials; the division; the weighted sum of n terms.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from headwright.kernel import balls

TYPES = ("real", "float64", "float32")


class Rounding(NamedTuple):
    """The constants of one number type: u, the most that underflow costs one operation, and a bound on all numbers."""

    unit: float
    least: float
    largest: float

    def gamma(self, terms: np.ndarray) -> np.ndarray:
        """γ_k, rounded up, for each number of terms; infinite where ku reaches 1/2."""
        share = terms * self.unit
        return np.where(share < 0.5, share / (1 - np.minimum(share, 0.5)) * (1 + 2.0**-50), np.inf)

    def attention(self, keys: int) -> float:
        """The bound on |ε_j| for softmax and weighted sum over this many keys, rounded up, with the underflow of exp."""
        u = Fraction(self.unit)
        if 2 * keys * u >= 1:
            return np.inf
        sums = keys * u / (1 - keys * u)
        exact = (1 + 8 * u) * (1 + u) * (1 + sums) / ((1 - 8 * u) * (1 - sums)) - 1
        return balls.float_above(exact + 4 * keys * Fraction(self.least) * 2**30)


ROUNDING = {
    "real": Rounding(0.0, 0.0, 2.0**900),
    "float64": Rounding(2.0**-53, 2.0**-1040, 2.0**900),
    "float32": Rounding(2.0**-24, 2.0**-149, 2.0**120),
}


def held(array: np.ndarray, dtype: str) -> bool:
    """Whether the type holds every number of the array exactly."""
    if dtype != "float32":
        return True
    with np.errstate(over="ignore", under="ignore"):
        return bool((array.astype(np.float32).astype(np.float64) == array).all())
