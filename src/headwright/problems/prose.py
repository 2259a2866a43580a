"""Numbers and symbols in sentences for students, in one style everywhere: 0.526, 10^48, 2.69·10^−5, ε ≤ 1/2."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

_DIGITS = 3
_PLAIN = range(-4, 5)  # the powers of ten that are written out
_PER_BIT = 0.30103  # digits
_LONGEST = 1000  # the largest numerator and denominator of a fraction that stays one
_NUMBER = re.compile(r"(?<![\w.^])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")
_POWER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?)0*(\d+)\b")
_GREEK = {"alpha": "α", "beta": "β", "eps": "ε", "mu": "μ", "sigma": "σ", "tau": "τ"}
_NAME = re.compile(rf"(?<![\w`])({'|'.join(_GREEK)})(?=_|\b)")
_MINUS = re.compile(
    r"(?<=[\s(\[^=/·])-(?=[\w(])|(?<=[\w)]) - (?=[\w(‖])|^-(?=\d)|(?<=\b[a-zA-Z])-(?=\d)|(?<=\d)-(?=\d)"
)


def number(x: Fraction | float, digits: int = _DIGITS) -> str:
    """The number with so many significant figures; a short fraction and a whole number below 10^5 stay what they are.

    >>> number(0.52631), number(Fraction(1, 3)), number(10**48), number(2.688e-5), number(-1469487742)
    ('0.526', '1/3', '10^48', '2.69·10^−5', '−1.47·10^9')
    """
    if not isinstance(x, float):
        if x.denominator > 1 and max(abs(x.numerator), x.denominator) < _LONGEST:
            return str(x).replace("-", "−")
        if x.denominator == 1 and abs(x) < 10**5:
            return str(x).replace("-", "−")
    size: Fraction | float = -x if x < 0 else x
    while not isinstance(x, float) and 0 < size < 1 and _rounded(size, digits) == (1, 0):
        digits += 1  # a tolerance below 1 is not written as 1
    return f"{'−' if x < 0 else ''}{_scientific(_rounded(size, digits))}"


def apart(*numbers: Fraction | float) -> list[str]:
    """The numbers with as few figures, three at least, as tell the last of them from the others.

    >>> apart(0.5, 0.25), apart(0.49999983, 0.5)
    (['0.5', '0.25'], ['0.4999998', '0.5'])
    """
    for digits in range(_DIGITS, 16):
        *others, last = (number(float(x), digits) for x in numbers)
        if last not in others or all(x == numbers[-1] for x in numbers):
            break
    return [*others, last]


def joined(parts: Sequence[str], last: str = " and ") -> str:
    """A list in words.

    >>> joined(["n = 10"]), joined(["n = 10", "ε = 1/2", "c = 3/2"])
    ('n = 10', 'n = 10, ε = 1/2 and c = 3/2')
    """
    return last.join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def tidied(text: str) -> str:
    """A sentence of a claim in this style: Greek letters, signs for minus and comparisons, powers of ten.

    >>> tidied("at eps <= 1e-05 the weight is -2.5 and k-1 = 2, by the least-norm query")
    'at ε ≤ 10^−5 the weight is −2.5 and k−1 = 2, by the least-norm query'
    """
    text = _POWER.sub(lambda found: _power(found[1], int(f"{found[2]}{found[3]}")), text)
    text = text.replace("<=", "≤").replace(">=", "≥")
    text = _NAME.sub(lambda found: _GREEK[found[1]], text)
    return _MINUS.sub(lambda found: found[0].replace("-", "−"), text)


def shortened(text: str) -> str:
    """A sentence of a claim, its numbers rounded to three figures.

    >>> shortened("the query has length 29.9573, where 5.99146 is allowed")
    'the query has length 30, where 5.99 is allowed'
    """
    return _NUMBER.sub(lambda found: number(Fraction(found[0])), text)


def _rounded(x: Fraction | float, digits: int) -> tuple[int, int]:
    """(m, k) with x ≈ m·10^k and m of so many digits, or fewer where the rest are zeros; (0, 0) for 0."""
    if not x:
        return 0, 0
    if isinstance(x, float):
        mantissa, power = f"{x:.{digits - 1}e}".split("e")
        m, k = int(mantissa.replace(".", "")), int(power) - digits + 1
    else:
        top, bottom = x.numerator, x.denominator
        k = int((top.bit_length() - bottom.bit_length() - 1) * _PER_BIT) - digits  # at most one digit too many
        m = _quotient(top, bottom, k)
        while m >= 10**digits:
            k += 1
            m = _quotient(top, bottom, k)
    while m % 10 == 0:
        m, k = m // 10, k + 1
    return m, k


def _quotient(top: int, bottom: int, power: int) -> int:
    """top/bottom/10^power to the nearest whole number."""
    top, bottom = top * 10 ** max(0, -power), bottom * 10 ** max(0, power)
    return (2 * top + bottom) // (2 * bottom)


def _scientific(parts: tuple[int, int]) -> str:
    m, k = parts
    first = len(str(m)) - 1 + k  # the power of ten of the leading digit
    if first in _PLAIN:
        return f"{Decimal(m).scaleb(k):f}"
    figures = str(m)
    return _power(f"{figures[0]}.{figures[1:]}" if len(figures) > 1 else figures, first)


def _power(mantissa: str, exponent: int) -> str:
    times = "" if mantissa == "1" else f"{mantissa}·"
    return f"{times}10^{str(exponent).replace('-', '−')}"
