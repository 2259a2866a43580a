"""Numbers at one point: exact rationals as long as they can be, balls from then on.

What certainly has no value raises `Misfit`; what a ball cannot decide (a divisor that may be 0) raises `OutOfClass`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from headwright import balls
from headwright.balls import Ball
from headwright.forms.faults import Misfit, OutOfClass

MOST_POWER = 64  # of a matrix, and of a rational that stays one
_MOST_BITS = 4_096  # a longer rational becomes a ball

Scalar = Fraction | Ball


def ball(x: Scalar) -> Ball:
    """The number as a ball, at the precision in force."""
    return balls.exact(x) if isinstance(x, Fraction) else x


def _short(x: Fraction) -> Scalar:
    return x if max(x.numerator.bit_length(), x.denominator.bit_length()) <= _MOST_BITS else balls.exact(x)


def plus(a: Scalar, b: Scalar) -> Scalar:
    return _short(a + b) if isinstance(a, Fraction) and isinstance(b, Fraction) else ball(a) + ball(b)


def times(a: Scalar, b: Scalar) -> Scalar:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _short(a * b)
    return ball(a) * ball(b)


def total(parts: list[Scalar]) -> Scalar:
    found: Scalar = Fraction(0)
    for part in parts:
        found = plus(found, part)
    return found


def power(base: Scalar, exponent: Scalar) -> Scalar:
    whole = isinstance(exponent, Fraction) and exponent.denominator == 1
    if isinstance(base, Fraction):
        if base == 0 and isinstance(exponent, Fraction):
            if exponent < 0:
                raise ZeroDivisionError
            return Fraction(int(exponent == 0))
        if whole and abs(exponent) <= MOST_POWER:
            return _short(base ** int(exponent))
    if whole and abs(exponent) <= MOST_POWER:
        return (
            ball(base) ** int(exponent) if exponent >= 0 or ball(base) > 0 or ball(base) < 0 else _undecided_divisor()
        )
    if ball(base) < 0 and isinstance(exponent, Fraction):
        if whole:
            return (-1 if exponent.numerator % 2 else 1) * (ball(abs(base)).log() * ball(exponent)).exp()
        raise Misfit("A negative number has no such power.")
    if not isinstance(exponent, Fraction) and not ball(base) > 0:
        raise OutOfClass("a power whose exponent may be a whole number")
    return (ball(log(base)) * ball(exponent)).exp()


def _undecided_divisor() -> Scalar:
    raise OutOfClass("a divisor may be 0")


def _shown(x: Scalar) -> str:
    return str(x) if isinstance(x, Fraction) and x.denominator < 10**6 else f"{float(ball(x).mid()):.6g}"


def log(x: Scalar) -> Scalar:
    if isinstance(x, Fraction) and x == 1:
        return Fraction(0)
    if x <= 0:
        raise Misfit(f"log has no value at {_shown(x)}.")
    if not ball(x) > 0:
        raise OutOfClass("the argument of a logarithm may be 0 or negative")
    return ball(x).log()


def root(x: Scalar) -> Scalar:
    if isinstance(x, Fraction) and x >= 0:
        above, under = math.isqrt(x.numerator), math.isqrt(x.denominator)
        if above * above == x.numerator and under * under == x.denominator:
            return Fraction(above, under)
    if x < 0:
        raise Misfit(f"sqrt has no value at {_shown(x)}.")
    if not ball(x) >= 0:
        raise OutOfClass("the argument of a root may be negative")
    return ball(x).sqrt()


def _extreme(turn: int) -> Callable[..., Scalar]:
    def found(*arguments: Scalar) -> Scalar:
        if all(isinstance(x, Fraction) for x in arguments):
            return max(x * turn for x in arguments) * turn
        best = ball(arguments[0]) * turn
        for x in arguments[1:]:
            best = best.max(ball(x) * turn)
        return best * turn

    return found


OF_NUMBERS: dict[str, Callable[..., Scalar]] = {
    "log": log,
    "exp": lambda x: Fraction(1) if isinstance(x, Fraction) and x == 0 else ball(x).exp(),
    "sqrt": root,
    "abs": abs,
    "norm": abs,
    "max": _extreme(1),
    "min": _extreme(-1),
}
