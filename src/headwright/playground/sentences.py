"""Verdicts as one sentence for a badge. Numbers are written exactly, or rounded so that the sentence says less and stays true."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from headwright.kernel.verdict import Verdict

_FRACTION = re.compile(r"(?<![\w'./])(\d{1,20})/(\d{1,20})(?![\w'/])")
_WHOLE = re.compile(r"(?<![\w.'])(\d+)\.0(?![\d\w.])")
_LONGEST_MESSAGE = 400  # characters: a few lines of the panel


def sentence(verdict: Verdict, more: str = "") -> str:
    """The verdict's word and its claim, with what else is known.

    >>> import headwright as hw
    >>> sentence(hw.certify([[0.0], [9.0]], [1.0], hw.Copy(1), error="0.01"))
    'Proved: the weights of 1 head over 2 keys are within total variation 0.01 of Copy(1).'
    """
    return f"{verdict.status.capitalize()}: {plain(verdict.claim)}.{' ' + more if more else ''}"


def plain(claim: str) -> str:
    """The same claim with fractions as decimals, where these are exact.

    >>> plain("within 1/100 of Blend({0: '7/10', 1: '3/10'}) or 1/3, at scale 2.0")
    "within 0.01 of Blend({0: '7/10', 1: '3/10'}) or 1/3, at scale 2"
    """
    return _WHOLE.sub(r"\1", _FRACTION.sub(lambda found: _decimal(found[0]), claim))


def _decimal(text: str) -> str:
    number = Fraction(text)
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return text
    written = format((Decimal(number.numerator) / Decimal(number.denominator)).normalize(), "f")
    return written if len(written) <= 12 and Fraction(written) == number else text


def one_line(wrong: Exception) -> str:
    """The message of an exception, short enough for a page.

    >>> one_line(ValueError("two\\nlines"))
    'two lines'
    """
    return " ".join(str(wrong).split())[:_LONGEST_MESSAGE]


def internal_error(wrong: Exception) -> str:
    """What a page says where the library failed: its reader must learn of it, and the kernel must live on.

    >>> internal_error(KeyError("x"))
    "The library failed: KeyError: 'x'"
    """
    return f"The library failed: {type(wrong).__name__}: {one_line(wrong)}"


def at_most(number: float, digits: int = 4) -> str:
    """A number rounded up, for what is at most that.

    >>> at_most(0.123412), at_most(0.25)
    ('0.1235', '0.25')
    """
    return _rounded(number, digits, ROUND_CEILING)


def at_least(number: float, digits: int = 4) -> str:
    """A number rounded down, for what is at least that.

    >>> at_least(0.999999), at_least(2.5)
    ('0.9999', '2.5')
    """
    return _rounded(number, digits, ROUND_FLOOR)


def _rounded(number: float, digits: int, how: str) -> str:
    short = Context(prec=digits, rounding=how).create_decimal(Decimal(number))
    return format(short.normalize() if short else Decimal(0), "f") if abs(short.adjusted()) < 7 else str(float(short))
