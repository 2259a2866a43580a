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
# 4 R(y ln 2 / 2) / ln 2 up to y⁶, where y⁶ is replaced by 3y⁴/8 - 9y²/256 + 1/2048, is _FACTOR (y² - _CENTRE)² + _REST
_C = tuple(4 / _LN2 * part * (_LN2 / 2) ** (2 * i) for i, part in enumerate(_SERIES))
_C0, _C1, _C2 = _C[0] + _C[3] / 2048, _C[1] - 9 * _C[3] / 256, _C[2] + 3 * _C[3] / 8
_FACTOR, _CENTRE, _REST = float(_C2), float(-_C1 / (2 * _C2)), float(_C0 - _C1**2 / (4 * _C2))


def exp2(x: np.ndarray, whole: np.ndarray, power: np.ndarray) -> None:
    """x becomes 2^x with relative error below 2^-35, for -1000 <= x <= 1000, by the four basic operations alone.

    Adding 1.5 · 2^52 rounds x to an integer k, exactly, and leaves k + 2 in the lowest bits if 2 is added too. y = x - k is
    exact, since both are multiples of the last bit of x, and |y| <= 1/2. With w = y ln 2 / 2, |w| <= 0.1733, the series up to w⁶
    leaves out at most w⁸/1209600 < 6.8 · 10^-13. For 0 <= y² <= 1/4, Chebyshev's polynomial T₃(8y² - 1) / 2048 is the error of
    the replacement of y⁶, so that w⁶/30240 is off by at most a 32nd of its largest value, 2.81 · 10^-11. Together t < 2.9 ·
    10^-11. Roundings of the denominator cost less than 30u, since its parts are at most 2.3 times as large as it is. So h =
    (2^(y/2) - 1)/2, at most 0.0947 in size, is off by at most 0.0947 (1.22 t + 34u) < 3.4 · 10^-12, and h + 1/2 >= 0.42 by less
    than 8.2 · 10^-12 of itself. Its square, 2^y / 4, is off by less than 1.7 · 10^-11 < 2^-35 of itself. Shifting k + 2 to the
    exponent's place and adding it multiplies by 4 · 2^k, exactly.
    """
    bits, result = whole.view(np.int64), x.view(np.int64)
    np.add(x, _WHOLE + 2, out=whole)
    np.subtract(whole, _WHOLE + 2, out=power)
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
