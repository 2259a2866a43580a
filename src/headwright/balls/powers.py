"""Powers of two of many float64 numbers, in place and with a proved relative error, without trusting libm.

`float_exp.py` encloses exponentials more tightly. These take a third of its time: few passes over arrays that stay in the cache.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

LOG2E = Fraction(float.fromhex("0x1.71547652b82fep+0"))  # the nearest float
_LN2 = Fraction(float.fromhex("0x1.62e42fefa39efp-1"))  # the nearest float
_WHOLE = 1.5 * 2.0**52  # a number plus this is rounded to an integer, which fills the lowest bits
_POWER = tuple(float((_LN2 / 32) ** i / math.factorial(i)) for i in range(6))
_LESS_1 = tuple(float(_LN2 ** (i + 1) / math.factorial(i + 1)) for i in range(13))


def exp2(x: np.ndarray, whole: np.ndarray, power: np.ndarray) -> None:
    """x becomes 2^x with relative error below 2^-42, for -1000 <= x <= 1000, by additions and products alone.

    Adding 1.5 · 2^52 rounds x to an integer k, exactly, and leaves k in the lowest bits. y = x - k is exact, since both are
    multiples of the last bit of x, and |y| <= 1/2. With z = y ln 2 / 32, |z| <= 0.01084, Taylor's polynomial up to z⁵/5! is
    off by less than 2.3 · 10^-15. Horner's rule with coefficients rounded to 3u is off by γ₁₄ e^0.011 < 1.6 · 10^-15.
    Relative to e^z >= 0.989 that is 4 · 10^-15. The 32nd power, by five squarings, has 32 times that and 31u: below 1.4 ·
    10^-13 < 2^-42. Shifting k to the exponent's place and adding it multiplies by 2^k, exactly.
    """
    bits, result = whole.view(np.int64), x.view(np.int64)
    np.add(x, _WHOLE, out=whole)
    np.subtract(whole, _WHOLE, out=power)
    np.subtract(x, power, out=x)
    np.left_shift(bits, 52, out=bits)
    np.multiply(x, _POWER[5], out=power)
    for coefficient in _POWER[4:0:-1]:
        power += coefficient
        power *= x
    power += _POWER[0]
    for _ in range(4):
        np.multiply(power, power, out=power)
    np.multiply(power, power, out=x)
    result += bits


def exp2_less_1(x: np.ndarray, largest: float, power: np.ndarray) -> None:
    """x becomes 2^x - 1 with relative error below 2^-41, for |x| <= largest <= 1/4.

    With w = |x| ln 2 <= 0.174, the sum over i <= D of ±w^i/(i+1)!, times w, leaves out less than 1.1 w^(D+1)/(D+2)! of w, and D
    is chosen so that this is below 1.1 · 2^-43. Horner's rule adds γ₃₆ · 1.1. Both are relative to (1 - e^-w)/w >= 0.91, so
    that they are below 1.21 · 2^-43 + 44u.
    """
    degree, w = 1, 0.7 * largest
    while w ** (degree + 1) / math.factorial(degree + 2) > 2.0**-43:
        degree += 1
    np.multiply(x, _LESS_1[degree], out=power)
    for coefficient in _LESS_1[degree - 1 : 0 : -1]:
        power += coefficient
        power *= x
    power += _LESS_1[0]
    x *= power
