"""Counted work: a limit on what an untrusted file may cost. Nothing is timed, so the count is the same on every machine.

Code that reads a file sets a budget, `with within(amount):`. Expensive code announces its cost before it begins, `spend(units)`,
and `OverBudget` ends the work if the budget does not suffice. Outside such a block nothing is counted.

One unit is about a nanosecond on an ordinary processor: one array entry, read once. A byte of memory counts as ten units. The
default is therefore about ten seconds, or one gigabyte. The costs of longer numbers were measured once. An error of a factor of
two or three does no harm, since the budget guards against hours of work.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, final

DEFAULT = 10**10
_A_BYTE = 10


class OverBudget(Exception):  # noqa: N818 - a state of the work, not a fault
    """The work would exceed the budget in force; the text names the budget."""


@final
class Purse:
    """The amount of a budget, and how much of it is spent."""

    __slots__ = ("amount", "spent")

    def __init__(self, amount: float) -> None:
        self.amount, self.spent = amount, 0


_IN_FORCE: ContextVar[Purse | None] = ContextVar("budget in force", default=None)


@contextmanager
def within(amount: Any = DEFAULT) -> Iterator[Purse]:
    """Allow at most `amount` units inside the block; `.spent` of the yielded Purse says how many were spent.

    >>> with within(100) as purse:
    ...     spend(60)
    >>> purse.spent
    60
    """
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        raise TypeError(f"`budget` must be a number of units such as 1e10, got {type(amount).__name__}")
    if not amount > 0:
        raise ValueError(f"`budget` must be positive, got {amount!r}")
    purse = Purse(amount)
    mark = _IN_FORCE.set(purse)
    try:
        yield purse
    finally:
        _IN_FORCE.reset(mark)


def spend(units: int) -> None:
    """Count work before it is done; OverBudget if it exceeds the budget in force."""
    purse = _IN_FORCE.get()
    if purse is not None:
        purse.spent += units
        if purse.spent > purse.amount:
            raise OverBudget(
                f"more than the budget of {purse.amount:.3g} units: at least {purse.spent:.3g} would be spent; "
                f"`budget={10 * purse.spent:.0e}` allows more"
            )


def hold(size: int) -> None:
    """Count memory, in bytes, before it is allocated."""
    spend(_A_BYTE * size)


def product(a: int, b: int) -> int:
    """The units of one product, quotient or greatest common divisor of Python integers of a and b bits."""
    return 100 + a * b // 1000


def ball(bits: int) -> int:
    """The units of one sum or product of balls."""
    return 100 + bits * bits // 20_000


def function(bits: int) -> int:
    """The units of one exponential, logarithm, sine or root of a ball."""
    return 500 + 2 * bits + bits * bits // 600


def added(total: Fraction, term: Fraction) -> Fraction:
    """total + term, counted by their lengths, since coprime denominators grow with every term."""
    spend(1000 + 6 * product(bits(total), bits(term)))
    return total + term


def summed(terms: Iterable[Fraction]) -> Fraction:
    """The sum of rationals, counted.

    >>> summed([Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 6)
    """
    total = Fraction(0)
    for term in terms:
        total = added(total, term)
    return total


def common_denominator(numbers: Iterable[Fraction | int]) -> int:
    """The least common denominator, counted.

    >>> common_denominator([Fraction(1, 4), Fraction(5, 6)])
    12
    """
    common = 1
    for denominator in {number.denominator for number in numbers}:
        spend(3 * product(common.bit_length(), denominator.bit_length()))
        common = math.lcm(common, denominator)
    return common


def whole_numbers(numbers: Sequence[Fraction]) -> list[int]:
    """The rationals times their common denominator, counted, since each may become as long as all together.

    >>> whole_numbers([Fraction(1, 4), Fraction(5, 6)])
    [3, 10]
    """
    common = common_denominator(numbers)
    long = common.bit_length()
    hold(len(numbers) * long // 8)
    numerators = []
    for number in numbers:
        spend(2 * product(long, bits(number)))
        numerators.append(number.numerator * (common // number.denominator))
    return numerators


def bits(number: Fraction | int) -> int:
    """The length of the longer part of a rational."""
    return max(number.numerator.bit_length(), number.denominator.bit_length())
