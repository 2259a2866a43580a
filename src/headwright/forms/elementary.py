"""Logarithms, roots, powers and absolute values of forms, where the result has a normal form again.

ln(c Π p^e) = ln|c| + Σ e ln|p| wherever the argument is positive, which becomes a condition. √(c Π p^e) takes the sign of each
p from the ranges of the symbols, and that sign becomes a condition too; where it is not known the result is `OutOfClass`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from headwright.balls import RationalFunction
from headwright.forms.faults import Misfit, OutOfClass
from headwright.forms.log_forms import NONNEGATIVE, NONZERO, POSITIVE, Atom, LogForm
from headwright.forms.ranges import Ranges
from headwright.forms.signs import as_logarithm, nonnegative, sign

LARGEST_EXPONENT = 64
DEEPEST = 3  # log(sqrt(log(n))) and no further
_TRIED = 1000  # primes below this are split off integers; what is left stays as it is


def log(form: LogForm) -> LogForm:
    """ln of a form; defined where the form is positive.

    >>> log(LogForm.symbol("n") / LogForm.symbol("eps"))
    -ln(eps) + ln(n)
    """
    value = form.value()
    if value is not None and value <= 0:
        raise Misfit(f"log has no value at {value}.")
    return _log_of_factors(form).within(form.needing(POSITIVE))


def log_of_size(form: LogForm) -> LogForm:
    """ln|form|; defined where the form is not 0."""
    if form.is_zero():
        raise Misfit("log has no value at 0.")
    return _log_of_factors(form).within(form.needing(NONZERO))


def _log_of_factors(form: LogForm) -> LogForm:
    constant, factors = form.function.factors()
    found = _log_integer(abs(constant.numerator)) - _log_integer(constant.denominator)
    for factor, exponent in factors:
        found = found + _log_irreducible(factor, form.atoms) * exponent
    return found


def _log_irreducible(factor: RationalFunction, atoms: Mapping[str, Atom]) -> LogForm:
    name = factor.names[0]
    if name in atoms and factor == RationalFunction.symbol(name):
        if atoms[name].kind == "sqrt":
            return log_of_size(LogForm(atoms[name].of, atoms)) * Fraction(1, 2)
        if atoms[name].kind == "e":
            return LogForm.number(1)
    return _atom("ln", factor, atoms)


def _atom(kind: str, of: RationalFunction, atoms: Mapping[str, Atom]) -> LogForm:
    inner, depth = set(of.names) & atoms.keys(), 1
    while inner:
        inner = {name for atom in inner for name in atoms[atom].of.names} & atoms.keys()
        depth += 1
    if depth > DEEPEST:
        raise OutOfClass(f"logarithms and roots of one another more than {DEEPEST} deep")
    return LogForm.of_atom(Atom(kind, of), atoms)


def _log_integer(number: int) -> LogForm:
    found = LogForm.number(0)
    for factor, exponent in _split(number).items():
        found = found + LogForm.of_atom(Atom("ln", RationalFunction.constant(factor)), {}) * exponent
    return found


def sqrt(form: LogForm, ranges: Ranges) -> LogForm:
    """The root >= 0 of a form whose factors have known signs on these ranges.

    >>> from headwright.forms.ranges import Range
    >>> beta = LogForm.symbol("beta")
    >>> sqrt(beta * beta * 8, {"beta": Range(0)})
    2*beta*sqrt(2)
    """
    if form.is_zero():
        return form
    constant, factors = form.function.factors()
    whole, total = _root_of_rational(abs(constant)), (1 if constant > 0 else -1)
    for factor, exponent in factors:
        size, turned = _size(LogForm(factor, form.atoms), ranges)
        total *= turned ** (exponent % 2)
        whole = whole * size ** (exponent // 2)  # which brings the conditions of `size` along, also for exponent 0
        if exponent % 2:
            whole = whole * _atom("sqrt", size.function, form.atoms)
    if total < 0:
        raise Misfit("sqrt has no value at a negative number.")
    return whole.within(form)


def absolute(form: LogForm, ranges: Ranges) -> LogForm:
    """|form| for a form that does not change sign on these ranges."""
    return _size(form, ranges)[0]


def largest(forms: list[LogForm], ranges: Ranges, *, turn: int = 1) -> LogForm:
    """The largest of several forms, where it is the same one on the whole region; with turn=-1 the smallest."""
    found = forms[0]
    for form in forms[1:]:
        rise = (form - found) * turn
        if nonnegative(rise, ranges):
            found = form.within(found, rise.needing(NONNEGATIVE))
        elif nonnegative(-rise, ranges):
            found = found.within(form, (-rise).needing(NONNEGATIVE))
        else:
            raise OutOfClass("which of these numbers is the larger depends on the symbols")
    return found


def _size(form: LogForm, ranges: Ranges) -> tuple[LogForm, int]:
    """(|form|, its sign), the sign made a condition."""
    for turn in (1, -1):
        if nonnegative(form * turn, ranges):
            strict = sign(form, ranges) in (1, -1)  # |0| is there, too
            return (form * turn).needing(POSITIVE if strict else NONNEGATIVE), turn
    raise OutOfClass(f"the sign of {form} is not known for all values of its symbols")


def exp(form: LogForm, ranges: Ranges) -> LogForm:
    """e^form, where it is rational up to roots and powers of e: e^(2 ln n + 1) = n² e."""
    polynomial = form.function.denominator.value() is not None
    constant = (
        form.function.coefficients(form.function.names).get((0,) * len(form.function.names)) if polynomial else None
    )
    shift = Fraction(0) if constant is None else constant.value() or Fraction(0)
    rest = form - shift
    pure = (RationalFunction.constant(1), 1) if rest.is_zero() else as_logarithm(rest)
    if pure is None or pure[1] > 2 or shift.denominator > 1:
        raise OutOfClass(f"exp({form}) is no rational function")
    base = absolute(LogForm(pure[0]), ranges)
    found = sqrt(base, ranges) if pure[1] == 2 else base
    if shift:
        found = found * LogForm.of_atom(Atom("e", RationalFunction.constant(1)), {}) ** _whole(shift)
    return found.within(form)


def power(base: LogForm, exponent: LogForm, ranges: Ranges) -> LogForm:
    """base^exponent for whole and half exponents, and for others that make a rational function after all."""
    value = exponent.value()
    if value is None and sign(base, ranges) != 1:
        raise OutOfClass(f"whether ({base})^({exponent}) has a value is not known")
    if value is not None and value.denominator > 2 and value > 0 and base.is_zero():
        return base.within(exponent)
    if value is None or value.denominator > 2:
        return exp(exponent * log(base), ranges)
    found = (base if value.denominator == 1 else sqrt(base, ranges)) ** _whole(value * value.denominator)
    return found.within(base, exponent)


def _whole(exponent: Fraction) -> int:
    if abs(exponent) > LARGEST_EXPONENT:
        raise OutOfClass(f"the power {exponent} is beyond {LARGEST_EXPONENT}")
    return int(exponent)


def _root_of_rational(value: Fraction) -> LogForm:
    found = LogForm.number(Fraction(1, value.denominator))
    for factor, exponent in _split(value.numerator * value.denominator).items():
        found = found * factor ** (exponent // 2)
        if exponent % 2:
            found = found * LogForm.of_atom(Atom("sqrt", RationalFunction.constant(factor)), {})
    return found


def _split(number: int) -> dict[int, int]:
    """{factor: exponent} of a positive integer: its small primes, and what is left, as a square where it is one."""
    found: dict[int, int] = {}
    for prime in range(2, _TRIED):
        while number % prime == 0:
            number //= prime
            found[prime] = found.get(prime, 0) + 1
    if number > 1:
        root = math.isqrt(number)
        found[root if root * root == number else number] = 2 if root * root == number else 1
    return found


def substituted(form: LogForm, values: Mapping[str, LogForm], ranges: Ranges) -> LogForm:
    """The form with symbols replaced by forms, all at once; Misfit or ZeroDivisionError where it is defined nowhere then.

    >>> t, n = LogForm.symbol("t"), LogForm.symbol("n")
    >>> substituted(t * 2 + n, {"t": log(n)}, {})
    2*ln(n) + n
    """
    known = dict(values)

    def put(function: RationalFunction) -> LogForm:
        for name in function.names:
            if name not in known:
                known[name] = LogForm.symbol(name) if name not in form.atoms else put_atom(form.atoms[name])
        functions = {name: known[name].function for name in function.names}
        atoms = {key: atom for name in function.names for key, atom in known[name].atoms.items()}
        conditions = frozenset(c for name in function.names for c in known[name].conditions)
        found = LogForm(function.substituted(functions), atoms, conditions)
        return found + 0  # carries out (√p)² = p

    def put_atom(atom: Atom) -> LogForm:
        if atom.kind == "ln":
            return log_of_size(put(atom.of))
        return sqrt(put(atom.of), ranges) if atom.kind == "sqrt" else LogForm.of_atom(atom, {})

    found = put(form.function)
    for condition in form.conditions:
        found = found.within(put(condition.function).needing(condition.kind))
    return found


def applied(function: str, x: list[LogForm], ranges: Ranges) -> LogForm:
    """A function of numbers; OutOfClass for one that has no form."""
    match function, x:
        case "log", [of]:
            return log(of)
        case "exp", [of]:
            return exp(of, ranges)
        case "sqrt", [of]:
            return sqrt(of, ranges)
        case "abs", [of]:
            return absolute(of, ranges)
        case (("max" | "min"), _):
            return largest(x, ranges, turn=1 if function == "max" else -1)
    raise OutOfClass(f"{function} is judged at one point only")


def constant(name: str) -> LogForm:
    """pi or e."""
    return LogForm.of_atom(Atom(name, RationalFunction.constant(1)), {})
