"""The members of a family as a region of symbols, and inequalities proved all over it.

A member is n >= 2 and ε in (0, 1). For coefficients to tell a sign, every symbol must run over all non-negative numbers:
n = low + x, and ε = (a y + b)/(y + 1), which falls from b to a as y grows from 0. Fractional powers become whole ones by
n = N^D - shift and ε = E^D; a root of the least n is rounded down, so that the region only grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from headwright.balls import RationalFunction
from headwright.formulas import Range
from headwright.frozen import computed_once

_DIGITS = 10**6


@final
@dataclass(frozen=True)
class Region:
    """n from `low` on (only `low` where `single`), ε in the open interval `tolerance` (one number where both ends agree)."""

    low: int
    single: bool
    tolerance: tuple[Fraction, Fraction]
    power: int = 1
    shift: int = 0

    @property
    def fixed_epsilon(self) -> bool:
        return self.tolerance[0] == self.tolerance[1]

    def fixed(self) -> dict[str, Fraction]:
        """The symbols that are numbers here."""
        found = {"n": Fraction(self.low)} if self.single else {}
        return {**found, "eps": self.tolerance[0]} if self.fixed_epsilon else found

    def ranges(self) -> dict[str, Range]:
        """The symbols that are not, with the numbers they run over."""
        found = {} if self.single else {"n": Range(self.low, closed=True)}
        return found if self.fixed_epsilon else {**found, "eps": Range(*self.tolerance)}

    @computed_once
    def symbols(self) -> dict[str, RationalFunction]:
        """n and eps in terms of N and y."""
        if self.fixed_epsilon:
            return {"n": self._n(), "eps": RationalFunction.constant(self.tolerance[0])}
        return {"n": self._n(), "eps": self._root_of_epsilon() ** self.power}

    @computed_once
    def roots(self) -> dict[str, RationalFunction]:
        """(n + shift)^(1/power) and eps^(1/power), where they are symbols."""
        found: dict[str, RationalFunction] = {}
        if not self.single:
            found["n"] = RationalFunction.symbol("N")
        if not self.fixed_epsilon:
            found["eps"] = self._root_of_epsilon()
        return found

    def _root_of_epsilon(self) -> RationalFunction:
        one, y = RationalFunction.constant(1), RationalFunction.symbol("y")
        a, b = (RationalFunction.constant(end) for end in self.tolerance)
        return (a * y + b) / (y + one)

    def _n(self) -> RationalFunction:
        if self.single:
            return RationalFunction.constant(self.low)
        return RationalFunction.symbol("N") ** self.power - RationalFunction.constant(self.shift)

    def nonnegative(self, function: RationalFunction) -> bool:
        """True only when the function of N and y is >= 0 all over the region."""
        return function.nonnegative(self._least())

    def positive(self, function: RationalFunction) -> bool:
        """True only when it is > 0 all over the region."""
        return function.positive(self._least(), above=("y",))

    def _least(self) -> dict[str, Fraction]:
        return {"N": root_below(self.low + self.shift, self.power), "y": Fraction(0)}

    def corner(self) -> dict[str, RationalFunction]:
        """The least N and y."""
        return {name: RationalFunction.constant(low) for name, low in self._least().items()}

    def powered(self, power: int, shift: int = 0) -> Region:
        """The same members, written in roots. Only with ends 0 and 1 is ε a power: 0^D = 0 and 1^D = 1."""
        return replace(self, power=power, shift=shift)

    def parts(self) -> Iterator[list[Region]]:
        """This region, and ways to cut it: the smallest n one by one, the rest together."""
        yield [self]
        if not self.single:
            for low in (3, 6):
                if low > self.low:
                    first = [replace(self, low=n, single=True) for n in range(self.low, low)]
                    yield [*first, replace(self, low=low)]


def root_below(number: int, power: int) -> Fraction:
    """A rational at most the power-th root of `number`, exact where the root is whole.

    >>> root_below(8, 3), root_below(2, 2) ** 2 < 2
    (Fraction(2, 1), True)
    """
    if power == 1:
        return Fraction(number)
    guess = Fraction(round(number ** (1 / power) * _DIGITS), _DIGITS)
    return guess if guess**power <= number else guess - Fraction(1, _DIGITS)
