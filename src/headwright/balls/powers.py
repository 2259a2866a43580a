"""Powers of two of many float64 numbers, in place and with a proved relative error, without trusting libm.

`float_exp.py` encloses exponentials more tightly. These take a quarter of its time, by few passes over arrays in the cache.

Both functions use R(w) = (w/2) coth(w/2) = 1 + w²/12 - w⁴/720 + w⁶/30240 - w⁸/1209600 + ..., with

    (e^w - 1)/2 = w / (2 R(w) - w).

The terms after the first alternate in sign and fall for |w| < 2π, since they are ±2ζ(2i) (w/2π)^2i. What a sum of the first ones
leaves out is therefore at most t, the first term left out. If |w| <= 0.35, then 2R - w >= 1.65, so the relative error is at most
1.22 t.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

LOG2E = Fraction(float.fromhex("0x1.71547652b82fep+0"))  # the nearest float
_LN2 = Fraction(float.fromhex("0x1.62e42fefa39efp-1"))  # the nearest float
_WHOLE = 1.5 * 2.0**52  # a number plus this is rounded to an integer, which fills the lowest bits
_SERIES = (Fraction(1), Fraction(1, 12), Fraction(-1, 720), Fraction(1, 30240), Fraction(-1, 1209600))
_HALF = tuple(float(2 * part * _LN2 ** (2 * i - 1)) for i, part in enumerate(_SERIES))  # 2 R(x ln 2) / ln 2, in x²
# 8 R(y ln 2 / 4) / ln 2 up to y⁴ is _FACTOR (y² - _CENTRE)² + _REST
_FACTOR, _CENTRE, _REST = float(-8 * _LN2**3 / 4**4 / 720), float(30 * 4**2 / _LN2**2), float(18 / _LN2)


def exp2(x: np.ndarray, whole: np.ndarray, power: np.ndarray) -> None:
    """x becomes 2^x with relative error below 2^-37, for -1000 <= x <= 1000, by the four basic operations alone.

    Adding 1.5 · 2^52 rounds x to an integer k, exactly, and leaves k + 4 in the lowest bits if 4 is added too. y = x - k is
    exact, since both are multiples of the last bit of x, and |y| <= 1/2. With w = y ln 2 / 4, |w| <= 0.0867, the denominator up
    to w⁴ leaves out t <= 1.41 · 10^-11. Its roundings cost less than 30u, since its parts are at most 2.3 times as large as
    it is. So h = (2^(y/4) - 1)/2, at most 0.0454 in size, is off by at most 0.0454 (1.22 t + 34u) < 7.9 · 10^-13, and h + 1/2
    >= 0.458 by less than 1.73 · 10^-12 of itself. Its fourth power, 2^y / 16, is off by less than 7 · 10^-12 < 2^-37 of itself.
    Shifting k + 4 to the exponent's place and adding it multiplies by 16 · 2^k, exactly.
    """
    bits, result = whole.view(np.int64), x.view(np.int64)
    np.add(x, _WHOLE + 4, out=whole)
    np.subtract(whole, _WHOLE + 4, out=power)
    x -= power
    np.left_shift(bits, 52, out=bits)
    np.multiply(x, x, out=power)
    power -= _CENTRE
    power *= power
    power *= _FACTOR
    power += _REST
    power -= x
    x /= power
    x += 0.5
    x *= x
    x *= x
    result += bits


def half_exp2_less_half(x: np.ndarray, largest: float, square: np.ndarray, power: np.ndarray) -> None:
    """x becomes (2^x - 1)/2 with relative error below 2^-37, for |x| <= largest <= 1/2.

    w = x ln 2 is at most 0.3466 in size. So many terms are used that t <= 2^-38, at most those of `_SERIES`, for which t is
    w¹⁰/47900160 < 2^-40. Horner's rule and the division cost less than 30u. That makes 1.22 · 2^-38 + 30u.
    """
    w, terms = 0.694 * largest, 2
    while terms < len(_SERIES) and w ** (2 * terms) * abs(_SERIES[terms]) > 2.0**-38:
        terms += 1
    np.multiply(x, x, out=square)
    np.multiply(square, _HALF[terms - 1], out=power)
    for coefficient in _HALF[terms - 2 : 0 : -1]:
        power += coefficient
        power *= square
    power += _HALF[0]
    power -= x
    x /= power
