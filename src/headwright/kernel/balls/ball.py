"""Balls: real numbers held as midpoint and radius, and how to convert numbers to balls and back.

A ball is python-flint's `arb`: every operation rounds its radius outward, and a comparison such as `a <= b` is True only
when it holds for all reals in both balls. With NaN or infinities it is False. This file adds exact conversions to balls
(from rationals, and from floats with a radius) and conversions back that round outward (to floats and decimals).
python-flint is imported when the first ball is made.

Arb's working precision belongs to the whole process, not to a thread. So every ball is made and used inside a block of
`precision`, which holds a lock, so that no other thread can change the precision meanwhile.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from threading import RLock
from typing import Any

from headwright.kernel import budget

Ball = Any  # flint.arb, which has no type stubs; named so that signatures say what they mean

# Nearer to zero than any number in a claim; it keeps huge exponents out of exact arithmetic.
_TINY = Fraction(1, 10**5900)
_LARGEST = Fraction(math.nextafter(math.inf, 0))


FLOAT_BITS = 53
_FIRST_BITS, _MOST_BITS = 128, 4096  # a comparison that stays open is repeated at ever higher precision
_ONE_AT_A_TIME = RLock()  # re-entrant: a block may stand inside a block of the same thread
if hasattr(os, "register_at_fork"):  # a child must not inherit a lock that a thread of its parent held
    os.register_at_fork(
        before=_ONE_AT_A_TIME.acquire, after_in_parent=_ONE_AT_A_TIME.release, after_in_child=_ONE_AT_A_TIME.release
    )


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work at `bits` bits inside the block. Precision changes how tight a result is, never whether it is true.

    Threads take turns, and the previous precision is restored afterwards. A generator must not yield inside the block, because
    every other thread would wait until it is resumed.
    """
    from flint import ctx

    with _ONE_AT_A_TIME:
        before = ctx.prec
        ctx.prec = bits
        try:
            yield
        finally:
            ctx.prec = before


def exact(value: int | float | Fraction) -> Ball:
    """A ball around `value`: radius 0 for integers and floats, the rounding of one division for other rationals.

    >>> exact(3) == 3, bool(exact(Fraction(1, 3)) * 3 >= 1 - Fraction(1, 10**9).__float__())
    (True, True)
    """
    from flint import arb, ctx

    budget.spend(budget.ball(ctx.prec))
    if type(value) is Fraction:  # `isinstance` takes longer than the ball
        return arb(value.numerator) / value.denominator
    return arb(value)


def around(midpoints: list[float], radii: list[float]) -> list[Ball]:
    """Balls with the given midpoints and radii (Arb rounds a radius upward when it stores it)."""
    from flint import arb

    budget.spend(200 * len(midpoints))
    return [arb(mid, rad) for mid, rad in zip(midpoints, radii, strict=True)]


def unit_cost() -> int:
    """What one sum or product of balls costs at the present precision, in the units of a budget."""
    from flint import ctx

    return budget.ball(ctx.prec)


def function_cost() -> int:
    """What one exponential, logarithm or root costs at the present precision."""
    from flint import ctx

    return budget.function(ctx.prec)


def total(terms: list[Ball]) -> Ball:
    """The sum; 0 for no terms."""
    budget.spend(len(terms) * unit_cost())
    return sum(terms, exact(0))


def upper(ball: Ball) -> Fraction | None:
    """A rational not below any number in the ball; None when the ball is not finite."""
    if not ball.is_finite():
        return None
    return _endpoint(ball.upper(), above=True)


def lower(ball: Ball) -> Fraction | None:
    """A rational not above any number in the ball; None when the ball is not finite."""
    if not ball.is_finite():
        return None
    return _endpoint(ball.lower(), above=False)


def upper_end(ball: Ball, *, most: Fraction) -> Fraction:
    """A rational not below any number in the ball, for a ball of a number that is known to be at most `most`."""
    end = upper(ball)
    return most if end is None else min(end, most)


def lower_end(ball: Ball, *, least: Fraction) -> Fraction:
    """A rational not above any number in the ball, for a ball of a number that is known to be at least `least`."""
    end = lower(ball)
    return least if end is None else max(end, least)


def _endpoint(end: Ball, *, above: bool) -> Fraction:
    mantissa, exponent = (int(part) for part in end.man_exp())
    if mantissa == 0:
        return Fraction(0)
    if exponent + mantissa.bit_length() < -19_900:  # |end| < 10^-5990: step outward to a plain number
        if mantissa > 0:
            return _TINY if above else Fraction(0)
        return Fraction(0) if above else -_TINY
    return mantissa * Fraction(2) ** exponent


def float_above(value: Fraction) -> float:
    """The least float64 that is >= `value` (inf beyond the range).

    >>> float_above(Fraction(1, 10)) >= Fraction(1, 10)
    True
    """
    if abs(value) > _LARGEST:
        return math.inf if value > 0 else -float(_LARGEST)
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def finite_above(value: Fraction) -> float | None:
    """`float_above`, or None beyond the range of float64. A verdict states this as its bound."""
    bound = float_above(value)
    return bound if math.isfinite(bound) else None


def finite_below(value: Fraction) -> float | None:
    """`float_below`, or None beyond the range of float64."""
    bound = float_below(value)
    return bound if math.isfinite(bound) else None


def float_below(value: Fraction) -> float:
    """The greatest float64 that is <= `value` (-inf beyond the range)."""
    return 0.0 - float_above(-value)  # not -0.0


def sign(enclosed: Callable[[int], Ball]) -> int | None:
    """The sign of a number that `enclosed(bits)` encloses ever more tightly; None if the highest precision leaves it open.

    >>> sign(lambda bits: exact(2).sqrt() - exact(Fraction(7, 5))), sign(lambda bits: exact(0))
    (1, None)
    """
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        with precision(bits):
            over = enclosed(bits)
        if over > 0:
            return 1
        if over < 0:
            return -1
        bits *= 2
    return None


def decimal_above(value: Fraction, digits: int = 6) -> str:
    """A decimal with `digits` significant digits that is >= `value`.

    >>> decimal_above(Fraction(1, 3)), decimal_above(Fraction(-1, 3)), decimal_above(Fraction(1, 10**9))
    ('0.333334', '-0.333333', '1e-9')
    """
    if value == 0:
        return "0"
    size = abs(value)
    power = math.floor(math.log10(size.numerator) - math.log10(size.denominator))
    power += (size >= Fraction(10) ** (power + 1)) - (size < Fraction(10) ** power)  # the logarithms are rounded
    unit = Fraction(10) ** (power - digits + 1)
    steps = math.ceil(value / unit)
    return _written(steps, power - digits + 1)


def decimal_below(value: Fraction, digits: int = 6) -> str:
    """A decimal with `digits` significant digits that is <= `value`.

    >>> decimal_below(Fraction(2, 3))
    '0.666666'
    """
    text = decimal_above(-value, digits)
    return text if text == "0" else text.removeprefix("-") if text.startswith("-") else "-" + text


def _written(steps: int, exponent: int) -> str:
    """steps · 10^exponent in the shorter of plain and scientific notation, exactly."""
    if steps == 0:
        return "0"
    sign, digits = ("-" if steps < 0 else ""), str(abs(steps))
    stripped = digits.rstrip("0")
    exponent += len(digits) - len(stripped)
    point = len(stripped) + exponent  # the decimal point stands after this many digits
    if -4 <= point <= 0:
        return f"{sign}0.{'0' * -point}{stripped}"
    if 0 < point <= 16:
        whole = stripped[:point].ljust(point, "0")
        return f"{sign}{whole}" + (f".{stripped[point:]}" if stripped[point:] else "")
    mantissa = stripped[0] + (f".{stripped[1:]}" if stripped[1:] else "")
    return f"{sign}{mantissa}e{point - 1}"
