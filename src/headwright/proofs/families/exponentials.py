"""Rational bounds on e^f all over a part, for f = R_0 + Σ c_i ln R_i: what turns scores into inequalities between polynomials.

e^f = e^{R_0} Π p^{c} over the irreducible factors p of the R_i. A whole power is itself; so is a fractional one of n + shift or
of ε where the part is written in roots. Other powers lie between whole ones: p^⌊c⌋ <= p^c <= p^⌈c⌉ for p >= 1, the other way
round for p <= 1. For z >= 0, (1 + z/k)^k <= e^z and e^{-z} <= (1 + z/k)^{-k}, where z is counted from the part's corner; a
constant e^z or p^c is enclosed in a ball.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright import balls
from headwright.balls import RationalFunction
from headwright.forms import LogForm
from headwright.proofs.families.regions import Part

Function = RationalFunction
_BITS = 128
_LARGEST_EXPONENT = 10**4
_CANDIDATES = tuple(Fraction(x) for x in (64, 32, 16, 8, 4, 3, 2, 1.5, 1, 0.5, 0))


@final
@dataclass(frozen=True)
class Bounds:
    """Positive functions of the part's symbols with lower <= e^f <= upper; None where none was found."""

    lower: Function | None
    upper: Function | None

    def times(self, other: Bounds) -> Bounds:
        return Bounds(_product(self.lower, other.lower), _product(self.upper, other.upper))


def exponential(form: LogForm, part: Part) -> Bounds:
    """Bounds on e^form; both None where the form is not a sum of logarithms and the like.

    Where the part has a `cut`, exponents beyond it are cut down to it, which loses one of the two bounds.
    """
    taken_apart = split(form)
    if taken_apart is None:
        return Bounds(None, None)
    rational, logs = taken_apart
    found = _natural(rational, form, part)
    for factor, exponent in logs:
        upright, number = _upright(factor, part), exponent.value()
        if part.cut is not None and number is not None and abs(number) > part.cut:
            found = found.times(_cut(upright, part.cut if number > 0 else -part.cut, part))
        else:
            found = found.times(_power(upright, exponent, form, part))
    return found


def split(form: LogForm) -> tuple[Function, list[tuple[Function, Function]]] | None:
    """(R, [(p, c), …]) with form = R + Σ c ln|p|, the p functions of the symbols; None where logarithms multiply or nest."""
    logs = [name for name in form.function.names if name in form.atoms and form.atoms[name].kind == "ln"]
    below = form.function.denominator
    if any(name in below.names for name in logs) or any(
        set(form.atoms[name].of.names) & form.atoms.keys() for name in logs
    ):
        return None
    rational, found = Function.constant(0), []
    for exponents, coefficient in form.function.numerator.coefficients(logs).items():
        if sum(exponents) > 1:
            return None
        if sum(exponents) == 0:
            rational = coefficient / below
        else:
            found.append((form.atoms[logs[exponents.index(1)]].of, coefficient / below))
    return rational, found


def _product(a: Function | None, b: Function | None) -> Function | None:
    return None if a is None or b is None else a * b


def _upright(factor: Function, part: Part) -> Function:
    """The factor or its negative, whichever is positive on the part: the logarithm is one of |p|."""
    negative = -factor
    return negative if part.positive(negative.substituted(part.symbols)) else factor


def _power(base: Function, exponent: Function, form: LogForm, part: Part) -> Bounds:
    """Bounds on base^exponent, the exponent made of symbols and of the form's atoms."""
    number, here = exponent.value(), base.substituted(part.symbols)
    if not part.positive(here):
        return Bounds(None, None)
    if number is None and not LogForm(exponent, form.atoms).symbols:
        low, high = _ends(exponent, form)
        return Bounds(None, None) if low is None or high is None else _between(base, low, high, part)
    if number is None:
        return _varying_power(base, exponent, part)
    constant = here.value()
    if number.denominator == 1:
        exact = here ** int(number)
        return Bounds(exact, exact)
    if constant is not None:
        return _constant_power(constant, number)
    root = _root(base, part)
    if root is not None and (number * part.power).denominator == 1:
        exact = root ** int(number * part.power)
        return Bounds(exact, exact)
    return _between(base, number, number, part)


def _cut(base: Function, exponent: int, part: Part) -> Bounds:
    """A bound on every base^c with c beyond the exponent: from below where its power is >= 1, from above where it is <= 1."""
    here = base.substituted(part.symbols)
    one, power = Function.constant(1), here**exponent
    if not part.positive(here):
        return Bounds(None, None)
    return Bounds(power if part.nonnegative(power - one) else None, power if part.nonnegative(one - power) else None)


def _root(base: Function, part: Part) -> Function | None:
    """base^(1/power) where the part has a symbol for it."""
    roots = part.roots
    if base == Function.symbol("eps"):
        return roots.get("eps")
    if base == Function.symbol("n") + Function.constant(part.shift):
        return roots.get("n")
    return None


def _between(base: Function, low: Fraction, high: Fraction, part: Part) -> Bounds:
    """Bounds on base^c for low <= c <= high: the next whole powers of the base, or of its root, outside."""
    here, one = base.substituted(part.symbols), Function.constant(1)
    constant = here.value()
    if constant is not None:
        first, last = _constant_power(constant, low), _constant_power(constant, high)
        return Bounds(first.lower, last.upper) if constant >= 1 else Bounds(last.lower, first.upper)
    unit = Fraction(1, part.power) if _root(base, part) is not None else Fraction(1)
    ends = [_whole_power(base, end * unit, part) for end in (math.floor(low / unit), math.ceil(high / unit))]
    if part.nonnegative(here - one):
        return Bounds(ends[0], ends[1])
    if part.nonnegative(one - here):
        return Bounds(ends[1], ends[0])
    return Bounds(None, None)


def _whole_power(base: Function, exponent: Fraction, part: Part) -> Function:
    if exponent.denominator == 1:
        return base.substituted(part.symbols) ** int(exponent)
    root = _root(base, part)
    assert root is not None, "only powers of a root are fractional"
    return root ** int(exponent * part.power)


def _varying_power(base: Function, exponent: Function, part: Part) -> Bounds:
    """base^c(n, ε) with c between two constants."""
    here = exponent.substituted(part.symbols)
    low, below = _least(here, part), _least(-here, part)
    first = None if low is None else _between(base, low, low, part)
    last = None if below is None else _between(base, -below, -below, part)
    one, at = Function.constant(1), base.substituted(part.symbols)
    if part.nonnegative(at - one):
        return Bounds(first.lower if first else None, last.upper if last else None)
    if part.nonnegative(one - at):
        return Bounds(last.lower if last else None, first.upper if first else None)
    return Bounds(None, None)


def _least(function: Function, part: Part) -> Fraction | None:
    """The largest of a few constants that the function is never below; None where there is none."""
    constant = function.value()
    if constant is not None:
        return constant
    for candidate in (*_CANDIDATES, *(-c for c in reversed(_CANDIDATES))):
        if part.nonnegative(function - Function.constant(candidate)):
            return candidate
    return None


def _constant_power(base: Fraction, exponent: Fraction) -> Bounds:
    """A number's power, enclosed."""
    with balls.precision(_BITS):
        return _enclosed((balls.exact(base).log() * balls.exact(exponent)).exp())


def _enclosed(ball: balls.Ball) -> Bounds:
    low, high = balls.lower(ball), balls.upper(ball)
    if low is None or high is None or low <= 0:
        return Bounds(None, None)
    return Bounds(Function.constant(_shorter(low, up=False)), Function.constant(_shorter(high, up=True)))


def _shorter(number: Fraction, *, up: bool) -> Fraction:
    """About the same number with some sixteen digits, on the side asked for: short coefficients are quick ones."""
    text = balls.decimal_above(number, 16) if up else balls.decimal_below(number, 16)
    return Fraction(text)


def _natural(z: Function, form: LogForm, part: Part) -> Bounds:
    """Bounds on e^z, z made of symbols and of the form's atoms."""
    if z.is_zero():
        return Bounds(Function.constant(1), Function.constant(1))
    if not LogForm(z, form.atoms).symbols:
        low, high = _ends(z, form)
        if low is None or high is None or max(abs(low), abs(high)) > _LARGEST_EXPONENT:
            return Bounds(None, None)
        with balls.precision(_BITS):
            return Bounds(_enclosed(balls.exact(low).exp()).lower, _enclosed(balls.exact(high).exp()).upper)
    here = z.substituted({**part.symbols, **_square_roots(form, part)})
    corner = here.substituted(part.corner()).value()
    if corner is None or abs(corner) > _LARGEST_EXPONENT:
        return Bounds(None, None)
    with balls.precision(_BITS):
        start = _enclosed(balls.exact(corner).exp())
    one, rise = Function.constant(1), here - Function.constant(corner)
    if part.nonnegative(rise):
        return Bounds(_product(start.lower, (one + rise / Function.constant(part.steps)) ** part.steps), None)
    if part.nonnegative(-rise):
        return Bounds(None, _product(start.upper, one / (one - rise / Function.constant(part.steps)) ** part.steps))
    return Bounds(None, None)


def shift_of(function: Function) -> int | None:
    """The k of n + k, None for any other function."""
    rest = (function - Function.symbol("n")).value()
    return int(rest) if rest is not None and rest.denominator == 1 else None


def _square_roots(form: LogForm, part: Part) -> dict[str, Function]:
    """The form's √(n + shift), where the part is written in a root that has it as a power: N >= 0 and n + shift = N^D."""
    root = part.roots.get("n")
    if root is None or part.power % 2:
        return {}
    found = (name for name, atom in form.atoms.items() if atom.kind == "sqrt" and shift_of(atom.of) == part.shift)
    return dict.fromkeys(found, root ** (part.power // 2))


def _ends(constant: Function, form: LogForm) -> tuple[Fraction | None, Fraction | None]:
    """Rationals around a number made of atoms, such as 2√2."""
    ball = LogForm(constant, form.atoms).enclosure({}, bits=_BITS)
    with balls.precision(_BITS):
        return balls.lower(ball), balls.upper(ball)
