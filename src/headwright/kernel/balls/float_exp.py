"""Exponentials of many float64 numbers with a proved radius, from additions and multiplications alone, without trusting libm.

For x in [-600, 1/4] write x = k ln 2 + y, k an integer, |y| <= 0.35, and e^x = 2^k e^y. With u = 2^-53:

* **Reduction.** ln 2 = HI + LO + (error < 2^-86); HI has 21 trailing zero bits, so k·HI is exact for |k| < 2^11. The two
  subtractions round by at most u·0.36 each and the rest is below 2^-74: the computed y is off by less than u.
* **Polynomial.** Taylor's, up to y¹³/13!: the remainder is below 0.35¹⁴/14!·e^0.35 < 7·10^-18. Horner's rule with rounded
  coefficients is off by at most γ₂₉ Σ|y|^i/i! < 29u·(1+2^-40)·e^0.35 < 4.7·10^-15 [Higham, Accuracy and Stability, §5.1].
* Together, with e^0.35·u for the reduction, less than 4.9·10^-15 beside e^y >= 0.704: relative error below 2^-47. The
  scaling by 2^k is exact, since 2^-867 is a normal number.

If x itself is known to ±r, r <= 1/4, then |e^t - m| <= m((1 + 2^-46)e^r - 1) <= m(2^-45·0.65 + 1.17 r) for the computed m and
every t within r of x. The radius m(2^-45 + 1.25 r) leaves room for its own rounding, three operations on normal numbers.
"""

from __future__ import annotations

import math

import numpy as np

LOWEST = -600.0
WIDEST = 0.25
LN2_HIGH = float.fromhex("0x1.62e42feep-1")
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_BELOW = 2.0**-864  # e^-599.75 and less
_COEFFICIENTS = tuple(1 / math.factorial(i) for i in range(14))


def exp_enclosed(x: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """(midpoints, radii) with |e^t - midpoint| <= radius for all |t - x| <= `radius`; None when an x or a radius exceeds 1/4."""
    if not ((x <= WIDEST).all() and (radius <= WIDEST).all()):  # also None for NaN
        return None
    inside = x >= LOWEST
    clipped = np.where(inside, x, 0.0)
    k = np.rint(clipped * (1 / math.log(2)))
    y = (clipped - k * LN2_HIGH) - k * LN2_LOW
    power = np.full_like(y, _COEFFICIENTS[-1])
    for coefficient in reversed(_COEFFICIENTS[:-1]):
        power *= y
        power += coefficient
    midpoints = np.ldexp(power, k.astype(np.int64))
    radii = midpoints * (2.0**-45 + 1.25 * radius)
    return np.where(inside, midpoints, 0.0), np.where(inside, radii, _BELOW)
