"""Signs of forms on given ranges, by sufficient tests: a sign that is returned holds at every point, and None means unknown.

A form is factored, and each factor judged by itself. A factor Σ c_i ln p_i with rational c_i has the sign of Π p_i^(N c_i) - 1,
which is rational. In any other factor, each symbol becomes a function of a distance >= 0 (`ranges.py`), and each atom becomes
its lower bound plus a distance. Then coefficients of one sign decide (`RationalFunction.positive`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple, final

from headwright.kernel import balls
from headwright.theories.formulas.bounded_polynomials import TooLarge
from headwright.theories.formulas.forms.log_forms import NONNEGATIVE, POSITIVE, Atom, Condition, LogForm
from headwright.theories.formulas.forms.ranges import Ranges
from headwright.theories.formulas.rational_functions import RationalFunction

_GRAIN = 2**40  # bounds of irrational constants are rounded outward to multiples of 1/_GRAIN


def sign(form: LogForm, ranges: Ranges) -> int | None:
    """1 or -1 if the form is certainly positive or negative on the ranges, where it is defined; 0 if it is zero; otherwise None.

    >>> n, eps = LogForm.symbol("n"), LogForm.symbol("eps")
    >>> from headwright.theories.formulas.forms.ranges import Range
    >>> ranges = {"n": Range(2, closed=True), "eps": Range(0, 1)}
    >>> sign(n - eps, ranges), sign(n - 2, ranges), sign(eps - 1, ranges)
    (1, None, -1)
    """
    if form.is_zero():
        return 0
    seen = _seen(form.function, form.atoms, ranges)
    return seen.sign if seen is not None and seen.strict else None


def nonnegative(form: LogForm, ranges: Ranges) -> bool:
    """True only if the form is >= 0 on the whole of the ranges, wherever it is defined.

    >>> from headwright.theories.formulas.forms.ranges import Range
    >>> nonnegative(LogForm.symbol("n") - 2, {"n": Range(2, closed=True)})
    True
    """
    if form.is_zero():
        return True
    seen = _seen(form.function, form.atoms, ranges)
    return seen is not None and seen.sign == 1


def defined(form: LogForm, ranges: Ranges) -> bool:
    """True only if the form is defined on the whole of the ranges: no divisor vanishes, no logarithm has an argument <= 0."""
    return all(holds(condition, form.atoms, ranges) for condition in form.conditions)


def holds(condition: Condition, atoms: Mapping[str, Atom], ranges: Ranges) -> bool:
    """True only if the condition is met on the whole of the ranges."""
    form = LogForm(condition.function, atoms)
    if condition.kind == NONNEGATIVE:
        return nonnegative(form, ranges)
    return sign(form, ranges) in ((1,) if condition.kind == POSITIVE else (1, -1))


def as_logarithm(form: LogForm) -> tuple[RationalFunction, int] | None:
    """(R, N) with form = ln|R| / N and R a rational function of the symbols; None unless the form is a sum of logarithms.

    >>> from headwright.theories.formulas.forms.elementary import log
    >>> as_logarithm(log(LogForm.symbol("n")) * 2 - log(LogForm.symbol("eps")))
    (n^2/eps, 1)
    """
    function, atoms = form.function, form.atoms
    plain = {x for x in atoms if atoms[x].kind == "ln" and not set(atoms[x].of.names) & atoms.keys()}
    if function.denominator.value() is None or not plain.issuperset(function.names):
        return None
    powers: dict[str, Fraction] = {}
    for exponents, coefficient in function.coefficients(function.names).items():
        value = coefficient.value()
        if sum(exponents) != 1 or value is None:
            return None
        powers[function.names[exponents.index(1)]] = value
    common = math.lcm(*(power.denominator for power in powers.values()))
    argument = RationalFunction.constant(1)
    with suppress(TooLarge):
        for name, power in powers.items():
            argument = argument * atoms[name].of ** int(power * common)
        return argument, common
    return None


class _Sign(NamedTuple):
    """sign · value >= 0 on these ranges, and > 0 when `strict`."""

    sign: int
    strict: bool


def _seen(function: RationalFunction, atoms: Mapping[str, Atom], ranges: Ranges) -> _Sign | None:
    constant, factors = function.factors()
    turned, strict = (1 if constant > 0 else -1), True
    for factor, exponent in factors:
        seen = None
        with suppress(TooLarge):
            seen = _of_factor(factor, atoms, ranges)
        if seen is None:
            if exponent % 2:
                return None
            seen = _Sign(1, False)  # an even power
        strict = strict and seen.strict
        turned *= seen.sign ** (exponent % 2)
    return _Sign(turned, strict)


def _of_factor(factor: RationalFunction, atoms: Mapping[str, Atom], ranges: Ranges) -> _Sign | None:
    form = LogForm(factor, atoms)
    if not form.symbols:
        ball = form.enclosure({})
        return _Sign(1, True) if ball > 0 else _Sign(-1, True) if ball < 0 else None
    pure = as_logarithm(form)
    known = None if pure is None else _Distances({}, ranges).sign(pure[0])
    if pure is not None and known is not None:  # ln|R| has the sign of |R| - 1
        return _Distances({}, ranges).sign(pure[0] * known.sign - 1)
    return _Distances(atoms, ranges).sign(factor)


@final
class _Distances:
    """Symbols and atoms as functions of distances >= 0; those in `above` are > 0."""

    def __init__(self, atoms: Mapping[str, Atom], ranges: Ranges) -> None:
        self.atoms, self.ranges = atoms, ranges
        self.values: dict[str, RationalFunction] = {}
        self.above: set[str] = set()

    def sign(self, function: RationalFunction) -> _Sign | None:
        moved = self.moved(function)
        if moved is None:
            return None
        least = dict.fromkeys(moved.names, 0)
        for sign, size in ((1, moved), (-1, -moved)):
            if size.nonnegative(least):
                return _Sign(sign, size.positive(least, above=self.above))
        return None

    def moved(self, function: RationalFunction) -> RationalFunction | None:
        """The function of the distances; None if a symbol has no range or an atom no bound."""
        for name in function.names:
            if name not in self.values:
                distance = self.atom(name, self.atoms[name]) if name in self.atoms else self.symbol(name)
                if distance is None:
                    return None
                self.values[name] = distance
        return function.substituted(self.values)

    def symbol(self, name: str) -> RationalFunction | None:
        if name not in self.ranges:
            return None
        if not self.ranges[name].closed:
            self.above.add(f"~{name}")
        return self.ranges[name].over(f"~{name}")

    def atom(self, name: str, atom: Atom) -> RationalFunction | None:
        distance = RationalFunction.symbol(f"~{name}")
        form = LogForm(RationalFunction.symbol(name), self.atoms)
        if not form.symbols:
            # A constant lies strictly between these bounds, and (low + high·x)/(1 + x) takes all values between them.
            with balls.precision(balls.FLOAT_BITS):
                low, high = balls.lower(form.enclosure({})), balls.upper(form.enclosure({}))
            return None if low is None or high is None else (distance * -_below(-high) + _below(low)) / (distance + 1)
        if atom.kind == "exp":
            self.above.add(f"~{name}")
            return distance
        inner = _seen(atom.of, self.atoms, self.ranges)
        if inner is not None and inner.strict and atom.kind == "sqrt":
            self.above.add(f"~{name}")
        if atom.kind == "sqrt":
            return distance
        return self.logarithm(atom.of * inner.sign, distance) if inner is not None and inner.strict else None

    def logarithm(self, size: RationalFunction, distance: RationalFunction) -> RationalFunction | None:
        """ln(size), size > 0: at least λ >= 0, or at most -λ <= 0, if the size is least or largest at distance 0."""
        moved = self.moved(size)
        corner = None if moved is None else _corner(moved)
        if moved is None or corner is None or corner <= 0:
            return None
        with balls.precision(balls.FLOAT_BITS):
            known = balls.lower(abs(balls.exact(corner).log()))
        for sign, rise in ((1, moved - corner), (-1, -moved + corner)):
            least = dict.fromkeys(rise.names, 0)
            if sign * (corner - 1) >= 0 and rise.nonnegative(least):
                # ln of a rational other than 1 is irrational, so rounding its bound down leaves a distance > 0.
                if corner != 1 or rise.positive(least, above=self.above):
                    self.above.update(distance.names)
                bound = Fraction(0) if corner == 1 or known is None else _below(known)
                return (distance + bound) * sign
        return None


def _corner(function: RationalFunction) -> Fraction | None:
    """The value where every distance is 0."""
    try:
        return function.substituted({name: RationalFunction.constant(0) for name in function.names}).value()
    except ZeroDivisionError:
        return None


def _below(value: Fraction) -> Fraction:
    """A multiple of the grain that lies below."""
    return Fraction(math.floor(value * _GRAIN) - 1, _GRAIN)
