"""Logarithms, roots, powers and absolute values of forms, where the result has a normal form again.

ln(c Π p^e) = ln|c| + Σ e ln|p| wherever the argument is positive, which becomes a condition. √(c Π p^e) takes the sign of each
p from the ranges of the symbols, and that sign becomes a condition too. If a sign is not known, `OutOfClass` is raised.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from headwright.theories.formulas.forms.faults import Misfit, OutOfClass
from headwright.theories.formulas.forms.log_forms import NONNEGATIVE, NONZERO, POSITIVE, Atom, Condition, LogForm
from headwright.theories.formulas.forms.ranges import Ranges
from headwright.theories.formulas.forms.signs import as_logarithm, nonnegative, sign
from headwright.theories.formulas.rational_functions import RationalFunction

LARGEST_EXPONENT = 64
DEEPEST = 3  # log(sqrt(log(n))) and no further
_TRIED = 1000  # primes below this are split off integers; the remaining factor stays as it is


def log(form: LogForm, *, kind: str = POSITIVE) -> LogForm:
    """ln of a form, defined where the form is positive; with kind=NONZERO ln|form|, defined where the form is not 0.

    >>> log(LogForm.symbol("n") / LogForm.symbol("eps"))
    -ln(eps) + ln(n)
    """
    value = form.value()
    if value is not None and not Condition(form.function, kind).met(value):
        raise Misfit(f"log has no value at {value}.")
    total = LogForm.number(0)
    for factor, exponent in _factored(form)[1]:
        total = total + _log_irreducible(factor) * exponent
    return total.within(form.needing(kind))


def _log_irreducible(factor: LogForm) -> LogForm:
    match _as_atom(factor):
        case Atom("sqrt", of):
            return log(LogForm(of, factor.atoms), kind=NONZERO) * Fraction(1, 2)
        case Atom("exp", of):
            return LogForm(of, factor.atoms)
        case Atom("e"):
            return LogForm.number(1)
    return atom_form("ln", factor)


def _as_atom(form: LogForm) -> Atom | None:
    """The atom, if the form is a single atom."""
    names = [x for x in form.function.names if x in form.atoms and form.function == RationalFunction.symbol(x)]
    return form.atoms[names[0]] if names else None


def atom_form(kind: str, of: LogForm) -> LogForm:
    """The atom of this kind, of a form whose conditions are ignored."""
    inner, depth = set(of.function.names) & of.atoms.keys(), 1
    while inner:
        inner = {name for outer in inner for name in of.atoms[outer].of.names} & of.atoms.keys()
        depth += 1
    if depth > DEEPEST:
        raise OutOfClass(f"logarithms and roots of one another more than {DEEPEST} deep")
    atom = Atom(kind, of.function)
    return LogForm(RationalFunction.symbol(atom.name), {**of.atoms, atom.name: atom})


def _factored(form: LogForm) -> tuple[int, list[tuple[LogForm, int]]]:
    """(1 or -1, [(p, e), …]) with form = ± Π p^e, the p irreducible polynomials, primes, or what is left of an integer."""
    constant, factors = form.function.factors()
    primes = [(LogForm.number(p), e) for p, e in _split(abs(constant.numerator)).items()]
    primes += [(LogForm.number(p), -e) for p, e in _split(constant.denominator).items()]
    return (1 if constant > 0 else -1), primes + [(LogForm(p, form.atoms), e) for p, e in factors]


def sqrt(form: LogForm, ranges: Ranges) -> LogForm:
    """The root >= 0 of a form whose factors have known signs on these ranges.

    >>> from headwright.theories.formulas.forms.ranges import Range
    >>> beta = LogForm.symbol("beta")
    >>> sqrt(beta * beta * 8, {"beta": Range(0)})
    2*beta*sqrt(2)
    """
    if form.is_zero():
        return form
    total, factors = _factored(form)
    whole = LogForm.number(1)
    for factor, exponent in factors:
        size, turned = _size(factor, ranges)
        total *= turned ** (exponent % 2)
        whole = whole * size ** (exponent // 2)  # this adds the conditions of `size`, even for exponent 0
        if exponent % 2:
            whole = whole * _root_of_irreducible(size, ranges)
    if total < 0:
        raise Misfit("sqrt has no value at a negative number.")
    return whole.within(form)


def _root_of_irreducible(size: LogForm, ranges: Ranges) -> LogForm:
    match _as_atom(size):
        case Atom("exp", of):
            return exp(LogForm(of, size.atoms) * Fraction(1, 2), ranges)
    return atom_form("sqrt", size)


def largest(forms: list[LogForm], ranges: Ranges, *, turn: int = 1) -> LogForm:
    """The largest of several forms, if it is the same one on all the ranges; with turn=-1 the smallest."""
    best = forms[0]
    for form in forms[1:]:
        size, turned = _size((form - best) * turn, ranges)
        best = (form if turned > 0 else best).within(size)
    return best


def _size(form: LogForm, ranges: Ranges) -> tuple[LogForm, int]:
    """(|form|, its sign), the sign made a condition."""
    for turn in (1, -1):
        if nonnegative(form * turn, ranges):
            return (form * turn).needing(NONNEGATIVE), turn
    raise OutOfClass(f"the sign of {form} is not known for all values of its symbols")


def exp(form: LogForm, ranges: Ranges) -> LogForm:
    """e^form, if possible without an exponential except powers of e: e^(2 ln n + 1) = n² e."""
    shift, names = Fraction(0), form.function.names
    if form.function.denominator.value() is not None:
        flat = form.function.coefficients(names).get((0,) * len(names))
        shift = (None if flat is None else flat.value()) or shift
    rest = form - shift
    pure = (RationalFunction.constant(1), 1) if rest.is_zero() else as_logarithm(rest)
    if pure is None or pure[1] > 2 or shift.denominator > 1:
        return atom_form("exp", form).within(form)
    base, _ = _size(LogForm(pure[0]), ranges)
    power = sqrt(base, ranges) if pure[1] == 2 else base
    if shift:
        power = power * constant("e") ** _whole(shift)
    return power.within(form)


def power(base: LogForm, exponent: LogForm, ranges: Ranges) -> LogForm:
    """base^exponent for whole and half exponents, and for others whose power is a rational function."""
    value = exponent.value()
    if value is None and sign(base, ranges) != 1:
        raise OutOfClass(f"whether ({base})^({exponent}) has a value is not known")
    if value is not None and value.denominator > 2 and value > 0 and base.is_zero():
        return base.within(exponent)
    if value is None or value.denominator > 2:
        return exp(exponent * log(base), ranges)
    raised = (base if value.denominator == 1 else sqrt(base, ranges)) ** _whole(value * value.denominator)
    return raised.within(base, exponent)


def _whole(exponent: Fraction) -> int:
    if abs(exponent) > LARGEST_EXPONENT:
        raise OutOfClass(f"the power {exponent} is beyond {LARGEST_EXPONENT}")
    return int(exponent)


def _split(number: int) -> dict[int, int]:
    """{factor: exponent} of a positive integer: its small primes, and the remaining factor, as a square if it is one."""
    if number < 1:  # 0 can be divided by 2 for ever
        raise ValueError(f"`number` must be positive, got {number}")
    exponents: dict[int, int] = {}
    for prime in range(2, _TRIED):
        while number % prime == 0:
            number //= prime
            exponents[prime] = exponents.get(prime, 0) + 1
    if number > 1:
        root = math.isqrt(number)
        exponents[root if root * root == number else number] = 2 if root * root == number else 1
    return exponents


def substituted(form: LogForm, values: Mapping[str, LogForm], ranges: Ranges) -> LogForm:
    """The form with symbols replaced by forms, all at once; Misfit or ZeroDivisionError if the result is defined nowhere.

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
        return LogForm(function.substituted(functions), atoms, conditions) + 0  # which carries out (√p)² = p

    def put_atom(own: Atom) -> LogForm:
        match own.kind:
            case "ln":
                return log(put(own.of), kind=NONZERO)
            case "sqrt":
                return sqrt(put(own.of), ranges)
            case "exp":
                return exp(put(own.of), ranges)
        return constant(own.kind)

    replaced = put(form.function)
    for condition in form.conditions:
        replaced = replaced.within(put(condition.function).needing(condition.kind))
    return replaced


OF_FORMS: dict[str, Callable[[list[LogForm], Ranges], LogForm]] = {
    "log": lambda x, _: log(x[0]),
    "exp": lambda x, ranges: exp(x[0], ranges),
    "sqrt": lambda x, ranges: sqrt(x[0], ranges),
    "abs": lambda x, ranges: _size(x[0], ranges)[0],
    "max": lambda x, ranges: largest(x, ranges),
    "min": lambda x, ranges: largest(x, ranges, turn=-1),
}


def constant(name: str) -> LogForm:
    """pi or e."""
    return atom_form(name, LogForm.number(1))
