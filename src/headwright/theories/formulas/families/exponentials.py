"""Rational bounds on e^f over a whole part, for f = R_0 + Σ c_i ln R_i. They turn scores into inequalities between polynomials.

e^f = e^{R_0} Π p^{c} over the irreducible factors p of the R_i. Whole powers are exact, and so are fractional powers of n + shift
or of ε if the part is written in roots. Other powers lie between whole ones: p^⌊c⌋ <= p^c <= p^⌈c⌉ for p >= 1, and the reverse
for p <= 1. For z >= 0, (1 + z/k)^k <= e^z and e^{-z} <= (1 + z/k)^{-k}, where z is measured from the part's corner. A constant
e^z or p^c is enclosed in a ball.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.kernel import balls
from headwright.theories.formulas.families.regions import Part
from headwright.theories.formulas.forms import LogForm
from headwright.theories.formulas.rational_functions import RationalFunction

Function = RationalFunction
_BITS = 128
_LARGEST_EXPONENT = 10**4
_CANDIDATES = tuple(Fraction(x) for x in (64, 32, 16, 8, 4, 3, 2, 1.5, 1, 0.5, 0))


@final
@dataclass(frozen=True)
class Bounds:
    """Positive functions of the part's symbols with lower <= e^f <= upper; None if none was found."""

    lower: Function | None = None
    upper: Function | None = None

    def times(self, other: Bounds) -> Bounds:
        return Bounds(_product(self.lower, other.lower), _product(self.upper, other.upper))


def _product(a: Function | None, b: Function | None) -> Function | None:
    return None if a is None or b is None else a * b


def exponential(form: LogForm, part: Part) -> Bounds:
    """Bounds on e^form; both None if the form is not a sum of logarithms and the like."""
    taken_apart = split(form)
    if taken_apart is None:
        return Bounds()
    rational, logs = taken_apart
    bounds = _natural(rational, form, part)
    for factor, exponent in logs:
        upright = -factor if part.positive(-factor.substituted(part.symbols)) else factor  # the logarithm is one of |p|
        bounds = bounds.times(_power(upright, exponent, form, part))
    return bounds


def split(form: LogForm) -> tuple[Function, list[tuple[Function, Function]]] | None:
    """(R, [(p, c), …]) with form = R + Σ c ln|p|, the p functions of the symbols; None if logarithms multiply or nest."""
    logs = [name for name in form.function.names if name in form.atoms and form.atoms[name].kind == "ln"]
    below = form.function.denominator
    if any(name in below.names for name in logs) or any(
        set(form.atoms[name].of.names) & form.atoms.keys() for name in logs
    ):
        return None
    rational, powers = Function.constant(0), []
    for exponents, coefficient in form.function.numerator.coefficients(logs).items():
        if sum(exponents) > 1:
            return None
        if sum(exponents) == 0:
            rational = coefficient / below
        else:
            powers.append((form.atoms[logs[exponents.index(1)]].of, coefficient / below))
    return rational, powers


def _power(base: Function, exponent: Function, form: LogForm, part: Part) -> Bounds:
    """Bounds on base^exponent, the exponent made of symbols and of the form's atoms."""
    number, here = exponent.value(), base.substituted(part.symbols)
    if not part.positive(here):
        return Bounds()
    if number is None:
        return _between(base, *_ends(exponent, form, part), part)
    if part.cut is not None and abs(number) > part.cut:
        return _cut(here, part.cut if number > 0 else -part.cut, part)
    root = _root(base, part)
    if number.denominator == 1:
        exact = here ** int(number)
    elif root is not None and (number * part.power).denominator == 1:
        exact = root ** int(number * part.power)
    else:
        return _between(base, number, number, part)
    return Bounds(exact, exact)


def _cut(here: Function, exponent: int, part: Part) -> Bounds:
    """A bound on every power beyond the exponent: from below where this one is >= 1, from above where it is <= 1."""
    one, power = Function.constant(1), here**exponent
    return Bounds(power if part.nonnegative(power - one) else None, power if part.nonnegative(one - power) else None)


def _root(base: Function, part: Part) -> Function | None:
    """base^(1/power) where the part has a symbol for it."""
    roots = part.roots
    if base == Function.symbol("eps"):
        return roots.get("eps")
    if base == Function.symbol("n") + Function.constant(part.shift):
        return roots.get("n")
    return None


def _between(base: Function, low: Fraction | None, high: Fraction | None, part: Part) -> Bounds:
    """Bounds on base^c for low <= c <= high: the next whole powers of the base, or of its root, outside."""
    here, one = base.substituted(part.symbols), Function.constant(1)
    first, last = _rounded_power(base, low, math.floor, part), _rounded_power(base, high, math.ceil, part)
    if part.nonnegative(here - one):
        return Bounds(first.lower, last.upper)
    if part.nonnegative(one - here):
        return Bounds(last.lower, first.upper)
    return Bounds()


def _rounded_power(base: Function, exponent: Fraction | None, rounded: Callable[[Fraction], int], part: Part) -> Bounds:
    """The power with its exponent rounded to one that the base has, or its root; a number's power enclosed as it is."""
    here, root = base.substituted(part.symbols), _root(base, part)
    constant = here.value()
    if exponent is None:
        return Bounds()
    if constant is not None:
        with balls.precision(_BITS):
            return _enclosed((balls.exact(constant).log() * balls.exact(exponent)).exp())
    exact = here ** rounded(exponent) if root is None else root ** rounded(exponent * part.power)
    return Bounds(exact, exact)


def _ends(number: Function, form: LogForm, part: Part) -> tuple[Fraction | None, Fraction | None]:
    """Rational bounds on a number made of atoms, such as 2√2, or of symbols, over the whole part; None if none is found."""
    whole = LogForm(number, form.atoms)
    if not whole.symbols:
        ball = whole.enclosure({}, bits=_BITS)
        with balls.precision(_BITS):
            return balls.lower(ball), balls.upper(ball)
    here = number.substituted(part.symbols)
    low, below = _least(here, part), _least(-here, part)
    return low, None if below is None else -below


def _least(function: Function, part: Part) -> Fraction | None:
    """The largest of a few constants that the function is never below; None if there is none."""
    constant = function.value()
    if constant is not None:
        return constant
    for candidate in (*_CANDIDATES, *(-c for c in reversed(_CANDIDATES))):
        if part.nonnegative(function - Function.constant(candidate)):
            return candidate
    return None


def _enclosed(ball: balls.Ball) -> Bounds:
    low, high = balls.lower(ball), balls.upper(ball)
    if low is None or high is None or low <= 0:
        return Bounds()
    return Bounds(Function.constant(_shorter(low, up=False)), Function.constant(_shorter(high, up=True)))


def _shorter(number: Fraction, *, up: bool) -> Fraction:
    """The number rounded to sixteen digits, up or down, because short coefficients are fast."""
    text = balls.decimal_above(number, 16) if up else balls.decimal_below(number, 16)
    return Fraction(text)


def _e_to(z: Fraction | None) -> Bounds:
    if z is None or abs(z) > _LARGEST_EXPONENT:
        return Bounds()
    with balls.precision(_BITS):
        return _enclosed(balls.exact(z).exp())


def _natural(z: Function, form: LogForm, part: Part) -> Bounds:
    """Bounds on e^z, z made of symbols and of the form's atoms."""
    one, steps = Function.constant(1), Function.constant(part.steps)
    if z.is_zero():
        return Bounds(one, one)
    if not LogForm(z, form.atoms).symbols:
        low, high = _ends(z, form, part)
        return Bounds(_e_to(low).lower, _e_to(high).upper)
    here = z.substituted({**part.symbols, **_square_roots(form, part)})
    corner = here.substituted(part.corner()).value()
    start, rise = _e_to(corner), here - Function.constant(corner or 0)
    if part.nonnegative(rise):
        return Bounds(_product(start.lower, (one + rise / steps) ** part.steps), None)
    if part.nonnegative(-rise):
        return Bounds(None, _product(start.upper, one / (one - rise / steps) ** part.steps))
    return Bounds()


def shift_of(function: Function) -> int | None:
    """The k of n + k, None for any other function."""
    rest = (function - Function.symbol("n")).value()
    return int(rest) if rest is not None and rest.denominator == 1 else None


def _square_roots(form: LogForm, part: Part) -> dict[str, Function]:
    """The form's √(n + shift), where the part is written in a root that has it as a power: N >= 0 and n + shift = N^D."""
    root = part.roots.get("n")
    if root is None or part.power % 2:
        return {}
    names = (name for name, atom in form.atoms.items() if atom.kind == "sqrt" and shift_of(atom.of) == part.shift)
    return dict.fromkeys(names, root ** (part.power // 2))
