"""Parts of a family as regions of symbols, and inequalities proved on the whole of a part.

For coefficients to decide a sign, every symbol must range over all non-negative numbers: n = low + x, and ε = 1/(y + 1), which
falls from 1 to 0 as y grows from 0. Fractional powers become whole ones by n = N^D - shift and ε = E^D. The root of the least n
is rounded down, which only enlarges the region. A number of keys may be a power of ten with many zeros, and is written as one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from headwright.kernel import inputs
from headwright.kernel.frozen import computed_once
from headwright.kernel.record import Parts, Whole, written_as
from headwright.theories.formulas.forms import LogForm, Range
from headwright.theories.formulas.rational_functions import RationalFunction

_DIGITS = 10**6
_LARGEST_POWER = 64
_MOST_ZEROS = 10**6  # of a number of keys
_MOST_BITS = 13_000  # of the least n of a part, whose root is taken


def spelled(value: Fraction | int, *, longest: int = 300) -> str:
    """A rational in full; a power of ten with more than so many zeros by its exponent.

    >>> spelled(Fraction(1, 3)), spelled(Fraction(10) ** 5000)
    ('1/3', '10^5000')
    """
    if value < 10**longest:
        return str(value)
    digits = round((value.numerator.bit_length() - 1) * math.log10(2))
    return f"10^{digits}" if value == 10**digits else str(value)


def number(text: Any, name: str) -> Fraction:
    """The rational that `spelled` wrote."""
    if not isinstance(text, str):
        raise TypeError(f"`{name}` must be a number as text")
    power = text.removeprefix("10^")
    if power != text and power.isdecimal() and len(power) < 9 and int(power) <= _MOST_ZEROS:
        return Fraction(10) ** int(power)
    return inputs.rational(text, name=name)


def _whole(text: Any, name: str) -> int:
    value = number(text, name)
    if value.denominator > 1:
        raise ValueError(f"`{name}` must be a whole number, got {value}")
    return int(value)


Count = int  # how many keys there are: any number, and a power of ten written as one
Large = Fraction
written_as("Count", spelled, _whole)
written_as("Large", spelled, number)


@final
@dataclass(frozen=True)
class Part(Parts, apart=True):
    """The members with n from `low` to `high` (None: unbounded), and the substitution that a proof uses.

    `epsilon` is the tolerance, or None for all of (0, 1). n = N^power - shift. `steps` is the k of (1 + z/k)^k, and `cut` the
    largest multiple of a logarithm that is used (see `exponentials.py`). The substitution affects only whether a proof is
    found.
    """

    low: Count
    high: Count | None
    epsilon: Fraction | None
    power: int = 1
    shift: Whole = 0
    steps: int = 1
    cut: int | None = None

    def __post_init__(self) -> None:
        last, cut = self.low if self.high is None else self.high, 1 if self.cut is None else self.cut
        if any(type(x) is not int for x in (self.low, last, self.power, self.shift, self.steps, cut)):
            raise TypeError("a part of a family must be described by whole numbers")
        if last < self.low or self.low.bit_length() > _MOST_BITS:
            raise ValueError(f"a part of a family must not end before it begins, nor begin beyond 2^{_MOST_BITS}")
        if self.low < 2 or not 1 <= self.power <= _LARGEST_POWER or self.low + self.shift < 0:
            raise ValueError(f"a part of a family needs n >= 2, a power of 1 to {_LARGEST_POWER} and n + shift >= 0")
        # A cut at 0 would replace every power by 1.
        if not 1 <= self.steps <= _LARGEST_POWER or not 1 <= cut <= _LARGEST_POWER:
            raise ValueError(f"`steps` and `cut` must lie between 1 and {_LARGEST_POWER}")

    @property
    def single(self) -> bool:
        return self.low == self.high

    def fixed(self) -> dict[str, Fraction]:
        """The symbols that are numbers here."""
        numbers = {"n": Fraction(self.low)} if self.single else {}
        return numbers if self.epsilon is None else {**numbers, "eps": self.epsilon}

    def ranges(self) -> dict[str, Range]:
        """The symbols that are not numbers here, with their ranges."""
        ranges = {} if self.single else {"n": Range(self.low, closed=True)}
        return {**ranges, "eps": Range(0, 1)} if self.epsilon is None else ranges

    def symbol(self, name: str) -> LogForm:
        """n or eps, as the number or the symbol that it is here."""
        fixed = self.fixed()
        return LogForm.number(fixed[name]) if name in fixed else LogForm.symbol(name)

    @computed_once
    def symbols(self) -> dict[str, RationalFunction]:
        """n and eps in terms of N and y."""
        root = self.roots.get("eps")
        eps = RationalFunction.constant(self.epsilon or 0) if root is None else root**self.power
        n = RationalFunction.constant(self.low) if self.single else self.roots["n"] ** self.power - self.shift
        return {"n": n, "eps": eps}

    @computed_once
    def roots(self) -> dict[str, RationalFunction]:
        """(n + shift)^(1/power) and eps^(1/power), where they are symbols: ε = E^D, E = 1/(y + 1), runs over (0, 1) as E does."""
        one, y = RationalFunction.constant(1), RationalFunction.symbol("y")
        roots = {} if self.single else {"n": RationalFunction.symbol("N")}
        return {**roots, "eps": one / (y + one)} if self.epsilon is None else roots

    def nonnegative(self, function: RationalFunction) -> bool:
        """True only if the function of N and y is >= 0 on the whole part."""
        return function.nonnegative(self._least())

    def positive(self, function: RationalFunction) -> bool:
        """True only if it is > 0 on the whole part, where y > 0 since ε < 1."""
        return function.positive(self._least(), above=("y",))

    def _least(self) -> dict[str, Fraction]:
        return {"N": root_below(self.low + self.shift, self.power), "y": Fraction(0)}

    def corner(self) -> dict[str, RationalFunction]:
        """The least N and y."""
        return {name: RationalFunction.constant(low) for name, low in self._least().items()}


def covered(parts: Sequence[Part]) -> list[tuple[int, float]]:
    """(first, last) of every run of numbers of keys that the parts cover together, in order; the last may be ∞."""
    runs: list[tuple[int, float]] = []
    for part in sorted(parts, key=lambda part: part.low):
        last = math.inf if part.high is None else part.high
        if runs and part.low <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(runs[-1][1], last))
        else:
            runs.append((part.low, last))
    return runs


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
