"""Logarithms of many float64 numbers with a proved radius, and the entropy made of them, without trusting libm.

For x > 0 write x = 2^k m exactly, with m between √½ and √2 (to a rounding), and ln x = k ln 2 + ln m. With u = 2^-53:

* **ln m** = 2 atanh s, s = (m-1)/(m+1). m - 1 is exact, the sum and the quotient round once each, so the computed s is off
  by a part 2.01u, and ln m with it by 2.08u, since s·f'(s)/f(s) <= 1/(1-s²) and s² < 0.0295.
* **Series.** 2s(1 + t/3 + … + t¹⁰/21), t = s²: the remainder is below t¹¹/22 < 2^-60 of the whole. In Horner's rule all but
  the last addition come with a factor t, so that the sum is off by a part 1 + 22·0.0103 + 0.011 < 1.3u, and the product by
  another u. Together ln m is off by less than 5u of itself. It is exactly 0 at m = 1.
* **k ln 2.** ln 2 = HI + LO + (error < 2^-86); HI has 21 trailing zero bits, so k·HI is exact for |k| < 2^11. k·LO is below
  2^-21 and rounds by less than 2^-21·u. The two additions round by at most u of their results. For k = 0 nothing is added.
  For others |ln m| <= 0.347 <= 1.01 |ln x|, so all of it is less than 8u of the result.

The radius 2^-49 of the result is twice that.
"""

from __future__ import annotations

import math

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls.ball import Ball, around, exact
from headwright.kernel.balls.float_exp import LN2_HIGH, LN2_LOW

RADIUS = 2.0**-49  # of a logarithm, as a part of itself
_LARGEST = 2.0**900  # no product or sum of fewer than 2^60 such numbers and their logarithms overflows
_COEFFICIENTS = tuple(1 / (2 * i + 1) for i in range(11))


def float_log(x: np.ndarray) -> np.ndarray:
    """ln x of positive, finite numbers, each off by at most RADIUS times itself.

    >>> float_log(np.array([1.0, 2.0])).tolist()
    [0.0, 0.6931471805599453]
    """
    m, k = np.frexp(x)
    low = m < math.sqrt(0.5)
    m[low] *= 2
    k = k - low
    s = (m - 1) / (m + 1)
    t = s * s
    power = np.full_like(t, _COEFFICIENTS[-1])
    for coefficient in reversed(_COEFFICIENTS[:-1]):
        power *= t
        power += coefficient
    result: np.ndarray = k * LN2_HIGH + (k * LN2_LOW + 2 * s * power)
    return result


def enclosed_entropy(weights: np.ndarray) -> tuple[Ball, Ball] | None:
    """Balls (λ, λH(p)) for weights u >= 0, λ = Σu, p = u/λ, where λH(p) = λ ln λ - Σ u ln u; None if float64 may overflow.

    math.fsum rounds the exact sum λ once, by at most 2^-53 of itself. The radius allows for twice that.
    """
    used = weights[weights > 0]
    if not len(used):
        return exact(0), exact(0)
    if not used.max() <= _LARGEST:
        return None
    size = math.fsum(used.tolist())
    lam = around([size], [size * 2.0**-52])[0]
    return lam, lam * lam.log() - weighted_logs(used)


def weighted_logs(weights: np.ndarray) -> Ball:
    """A ball of Σ u ln u for positive numbers that are not too large for it (see `enclosed_entropy`).

    Each term is off by 2^-49 of itself from the logarithm, 2^-53 from the product, and 2^-1074 where that is subnormal. math.fsum
    rounds an exact sum once, by at most 2^-53 of itself, so 2^-48 of the sum of all absolute values covers everything else.
    """
    budget.spend(350 * len(weights))
    terms = weights * float_log(weights)
    size = math.fsum(np.abs(terms).tolist())
    return around([math.fsum(terms.tolist())], [size * 2.0**-48 + len(weights) * 2.0**-1073])[0]
