"""Numbers at one point: exact rationals where possible, and balls otherwise.

An expression that certainly has no value raises `Misfit`. If a ball leaves that open (a divisor that may be 0), `OutOfClass` is
raised.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import reduce

from headwright.kernel import balls
from headwright.kernel.balls import Ball
from headwright.theories.formulas.forms.faults import Misfit, OutOfClass

MOST_POWER = 64  # of a matrix, and of a rational that stays one
_MOST_BITS = 4_096  # a longer rational becomes a ball

Scalar = Fraction | Ball


def ball(x: Scalar) -> Ball:
    """The number as a ball, at the precision in force."""
    return balls.exact(x) if isinstance(x, Fraction) else x


def constant(name: str) -> Ball:
    """pi or e, at the precision in force."""
    return balls.exact(1).exp() if name == "e" else balls.exact(1).atan() * 4


def _short(x: Fraction) -> Scalar:
    return x if max(x.numerator.bit_length(), x.denominator.bit_length()) <= _MOST_BITS else balls.exact(x)


def plus(a: Scalar, b: Scalar) -> Scalar:
    return _short(a + b) if isinstance(a, Fraction) and isinstance(b, Fraction) else ball(a) + ball(b)


def times(a: Scalar, b: Scalar) -> Scalar:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _short(a * b)
    return ball(a) * ball(b)


def reciprocal(x: Scalar) -> Scalar:
    if not isinstance(x, Fraction) and not (x > 0 or x < 0):
        raise OutOfClass("a divisor may be 0")
    return 1 / x


def power(base: Scalar, exponent: Scalar) -> Scalar:
    whole = isinstance(exponent, Fraction) and exponent.denominator == 1
    if whole and abs(exponent) <= MOST_POWER:
        raised = (base if exponent >= 0 else reciprocal(base)) ** int(abs(exponent))
        return _short(raised) if isinstance(raised, Fraction) else raised
    if base == 0 and isinstance(base, Fraction) and isinstance(exponent, Fraction):
        return base if exponent > 0 else reciprocal(base)
    if ball(base) < 0 and isinstance(exponent, Fraction):
        if whole:
            return (-1 if exponent.numerator % 2 else 1) * (ball(abs(base)).log() * ball(exponent)).exp()
        raise Misfit("A negative number has no such power.")
    if not isinstance(exponent, Fraction) and not ball(base) > 0:
        raise OutOfClass("a power whose exponent may be a whole number")
    return (ball(log(base)) * ball(exponent)).exp()


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


def largest(*numbers: Scalar) -> Scalar:
    if all(isinstance(x, Fraction) for x in numbers):
        return max(numbers)
    return reduce(lambda best, x: best.max(x), map(ball, numbers))


OF_NUMBERS: dict[str, Callable[..., Scalar]] = {
    "log": log,
    "exp": lambda x: Fraction(1) if isinstance(x, Fraction) and x == 0 else ball(x).exp(),
    "sqrt": root,
    "abs": abs,
    "max": largest,
    "min": lambda *numbers: -largest(*(-x for x in numbers)),
}
