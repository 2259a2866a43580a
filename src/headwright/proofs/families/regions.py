"""Parts of a family as regions of symbols, and inequalities proved all over them.

For coefficients to decide a sign, every symbol must run over all non-negative numbers: n = low + x, and ε = 1/(y + 1), which
falls from 1 to 0 as y grows from 0. Fractional powers become whole ones by n = N^D - shift and ε = E^D; a root of the least n is
rounded down, so that the region only grows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Self, final

from headwright.balls import RationalFunction
from headwright.forms import LogForm, Range
from headwright.frozen import computed_once

_DIGITS = 10**6
_LARGEST_POWER = 64


@final
@dataclass(frozen=True)
class Part:
    """The members with n from `low` on (only `low` where `single`), and how to write them down for a proof.

    `epsilon` is the tolerance, or None for all of (0, 1). n = N^power - shift; `steps` is the k of (1 + z/k)^k, and `cut` the
    largest multiple of a logarithm that is looked at (see `exponentials.py`). How a part is written decides only whether a
    proof is found.
    """

    low: int
    single: bool
    epsilon: Fraction | None
    power: int = 1
    shift: int = 0
    steps: int = 1
    cut: int | None = None

    def __post_init__(self) -> None:
        counts = (self.low, self.power, self.shift, self.steps, *(() if self.cut is None else (self.cut,)))
        if any(type(x) is not int for x in counts) or type(self.single) is not bool:
            raise TypeError("a part of a family is described by whole numbers")
        if self.low < 2 or not 1 <= self.power <= _LARGEST_POWER or self.low + self.shift < 0:
            raise ValueError(f"a part of a family needs n >= 2, a power of 1 to {_LARGEST_POWER} and n + shift >= 0")
        cut = 1 if self.cut is None else self.cut  # a cut at 0 would call every power 1
        if not 1 <= self.steps <= _LARGEST_POWER or not 1 <= cut <= _LARGEST_POWER:
            raise ValueError(f"`steps` and `cut` must lie between 1 and {_LARGEST_POWER}")

    def fixed(self) -> dict[str, Fraction]:
        """The symbols that are numbers here."""
        found = {"n": Fraction(self.low)} if self.single else {}
        return found if self.epsilon is None else {**found, "eps": self.epsilon}

    def ranges(self) -> dict[str, Range]:
        """The symbols that are not, with the numbers they run over."""
        found = {} if self.single else {"n": Range(self.low, closed=True)}
        return {**found, "eps": Range(0, 1)} if self.epsilon is None else found

    def symbol(self, name: str) -> LogForm:
        """n or eps, as the number or the symbol that it is here."""
        fixed = self.fixed()
        return LogForm.number(fixed[name]) if name in fixed else LogForm.symbol(name)

    @computed_once
    def symbols(self) -> dict[str, RationalFunction]:
        """n and eps in terms of N and y."""
        root = self.roots.get("eps")
        eps = RationalFunction.constant(self.epsilon or 0) if root is None else root**self.power
        return {"n": self._n(), "eps": eps}

    @computed_once
    def roots(self) -> dict[str, RationalFunction]:
        """(n + shift)^(1/power) and eps^(1/power), where they are symbols: ε = E^D, E = 1/(y + 1), runs over (0, 1) as E does."""
        one, y = RationalFunction.constant(1), RationalFunction.symbol("y")
        found = {} if self.single else {"n": RationalFunction.symbol("N")}
        return {**found, "eps": one / (y + one)} if self.epsilon is None else found

    def _n(self) -> RationalFunction:
        if self.single:
            return RationalFunction.constant(self.low)
        return RationalFunction.symbol("N") ** self.power - RationalFunction.constant(self.shift)

    def nonnegative(self, function: RationalFunction) -> bool:
        """True only when the function of N and y is >= 0 all over the part."""
        return function.nonnegative(self._least())

    def positive(self, function: RationalFunction) -> bool:
        """True only when it is > 0 all over the part: y > 0 since ε < 1."""
        return function.positive(self._least(), above=("y",))

    def _least(self) -> dict[str, Fraction]:
        return {"N": root_below(self.low + self.shift, self.power), "y": Fraction(0)}

    def corner(self) -> dict[str, RationalFunction]:
        """The least N and y."""
        return {name: RationalFunction.constant(low) for name, low in self._least().items()}

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "epsilon"}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], epsilon: Fraction | None) -> Self:
        return cls(epsilon=epsilon, **stored)


def covered(parts: tuple[Part, ...]) -> tuple[set[int], int | None]:
    """(every n that a single part is about, the least n of a part without end)."""
    singles = {part.low for part in parts if part.single}
    return singles, min((part.low for part in parts if not part.single), default=None)


def runs(first: int, last: int, among: set[int]) -> bool:
    """Whether all whole numbers from `first` on and below `last` are among these."""
    return last - first <= len(among) and all(n in among for n in range(first, last))


def root_below(number: int, power: int) -> Fraction:
    """A rational at most the power-th root of `number`, exact where the root is whole.

    >>> root_below(8, 3), root_below(2, 2) ** 2 < 2
    (Fraction(2, 1), True)
    """
    scaled, low, high = number * _DIGITS**power, 0, 1 << (number * _DIGITS**power).bit_length() // power + 1
    while high - low > 1:  # low^power <= scaled < high^power
        middle = (low + high) // 2
        low, high = (middle, high) if middle**power <= scaled else (low, middle)
    return Fraction(low, _DIGITS)
