"""The limit of a form as one symbol grows and the others stay fixed: +∞, -∞ or a form.

With L = ln t, an atom ln|c t^k + …| is k·L + ln|c| + δ, where δ → 0 like 1/t, and t grows faster than every power of L. So
numerator and denominator are sums of terms t^i L^j times powers of such δ, each of order at most (i - number of δ, j), and the
largest order decides if no δ contributes to it. If one does (as in t·(ln(t + 1) - ln t), which tends to 1), or if the sign of
the leading coefficient is not known, `OutOfClass` is raised rather than a guess made.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.theories.formulas.forms.elementary import atom_form, log
from headwright.theories.formulas.forms.faults import OutOfClass
from headwright.theories.formulas.forms.log_forms import (
    NONNEGATIVE,
    NONZERO,
    POSITIVE,
    Atom,
    Condition,
    LogForm,
    reached,
)
from headwright.theories.formulas.forms.ranges import Ranges
from headwright.theories.formulas.forms.signs import defined, holds, sign
from headwright.theories.formulas.rational_functions import RationalFunction

_Order = tuple[Fraction, int]
_FLAT: _Order = (Fraction(0), 0)


@final
@dataclass(frozen=True, slots=True)
class _Leading:
    """A form behaves like coefficient · t^order[0] · (ln t)^order[1]; the coefficient does not depend on t.

    If the coefficient is not `known` (a δ contributes to it), the form grows at most like that order.
    """

    order: _Order
    coefficient: LogForm
    known: bool

    def need_known(self, symbol: str) -> None:
        if not self.known:
            raise OutOfClass(f"the leading terms cancel as {symbol} grows")


def limit(form: LogForm, symbol: str, ranges: Ranges) -> LogForm | float:
    """What the form tends to as the symbol grows: a form without it, math.inf or -math.inf.

    A form is the limit at every fixed value of the other symbols where its conditions hold (see `defined`). An infinite limit
    holds on the whole of the ranges. OutOfClass if no limit is found.

    >>> from headwright.theories.formulas.forms.elementary import log
    >>> t, n = LogForm.symbol("t"), LogForm.symbol("n")
    >>> from headwright.theories.formulas.forms.ranges import Range
    >>> ranges = {"t": Range(0), "n": Range(2, closed=True)}
    >>> [limit(form, "t", ranges) for form in (log(t * 2 + n) - log(t), log(n) * t - n * n, n / log(t))]
    [ln(2), inf, 0]
    """
    if symbol not in form.symbols:
        return form
    kept = LogForm(RationalFunction.constant(0), form.atoms, _conditions_far_out(form, symbol, ranges))
    if form.is_zero():
        return kept
    lead = _leading(form, symbol)
    if lead.order < _FLAT:
        return (lead.coefficient * 0).within(kept)
    lead.need_known(symbol)
    if lead.order > _FLAT:
        return math.inf * _sign(lead.coefficient.within(kept), ranges)
    return lead.coefficient.within(kept)


def eventual_sign(form: LogForm, symbol: str, ranges: Ranges) -> int:
    """The sign, 1, 0 or -1, that the form has from some value of the symbol on; OutOfClass if it is not found."""
    if form.is_zero():
        return 0
    lead = _leading(form, symbol)
    lead.need_known(symbol)
    return _sign(lead.coefficient, ranges)


def _sign(coefficient: LogForm, ranges: Ranges) -> int:
    """The sign of a leading coefficient, which must be defined on the whole of the ranges."""
    certain = sign(coefficient, ranges) if defined(coefficient, ranges) else None
    if certain is None:
        raise OutOfClass(f"the sign of {coefficient} is not known for all values of its symbols")
    return certain


def _conditions_far_out(form: LogForm, symbol: str, ranges: Ranges) -> frozenset[Condition]:
    """The conditions that do not depend on the symbol; the others must hold from some value of it on."""
    kept = set()
    for condition in form.conditions:
        if symbol not in reached(condition.function.names, form.atoms):
            kept.add(condition)
            continue
        if holds(condition, form.atoms, ranges):
            continue
        eventual = eventual_sign(LogForm(condition.function, form.atoms), symbol, ranges)
        allowed = {POSITIVE: (1,), NONNEGATIVE: (0, 1), NONZERO: (1, -1)}[condition.kind]
        if eventual not in allowed:
            raise OutOfClass(f"the formula is not defined for large {symbol}")
    return frozenset(kept)


def _leading(form: LogForm, symbol: str) -> _Leading:
    expanded, small = _expanded(form, symbol)
    above = _leading_of_polynomial(expanded.function.numerator, expanded.atoms, symbol, small)
    below = _leading_of_polynomial(expanded.function.denominator, expanded.atoms, symbol, small)
    below.need_known(symbol)
    order = above.order[0] - below.order[0], above.order[1] - below.order[1]
    coefficient = above.coefficient / below.coefficient
    return _Leading(order, coefficient.within(expanded), above.known)


def _expanded(form: LogForm, symbol: str) -> tuple[LogForm, list[str]]:
    """(the form with every ln|p(t)| written as k·L + ln|c| + δ, the names of the δ). Its conditions say that c is not 0."""
    values: dict[str, RationalFunction] = {}
    small: list[str] = []
    added = LogForm(form.function, form.atoms)
    for name in form.function.names:
        if name not in form.atoms or symbol not in reached([name], form.atoms):
            continue
        atom = form.atoms[name]
        if atom.of == RationalFunction.symbol(symbol) and atom.kind != "exp":
            continue  # ln t and √t have orders of their own
        if atom.kind != "ln" or any(x in form.atoms and symbol in reached([x], form.atoms) for x in atom.of.names):
            raise OutOfClass(f"the growth of {name} with {symbol} is not known")
        powers = atom.of.coefficients([symbol])
        (degree,) = max(powers)
        size = log(LogForm(powers[max(powers)], form.atoms), kind=NONZERO)
        level = atom_form("ln", LogForm.symbol(symbol)) * degree + size
        small.append(f"small({name})")
        values[name] = level.function + RationalFunction.symbol(small[-1])
        added = added.within(level)
    return LogForm(form.function.substituted(values), added.atoms, added.conditions), small


def _leading_of_polynomial(
    polynomial: RationalFunction, atoms: Mapping[str, Atom], symbol: str, small: list[str]
) -> _Leading:
    level, root = (Atom(kind, RationalFunction.symbol(symbol)).name for kind in ("ln", "sqrt"))
    leading: dict[_Order, LogForm] = {}
    blurred: set[_Order] = set()
    for exponents, coefficient in polynomial.coefficients([symbol, root, level, *small]).items():
        whole, half, logs, *tiny = exponents
        order = whole + Fraction(half, 2) - sum(tiny), logs
        if any(tiny):
            blurred.add(order)
        else:
            leading[order] = LogForm(coefficient, atoms)
    top = max({*leading, *blurred})
    return _Leading(top, leading.get(top, LogForm.number(0)), top not in blurred)
