"""Scalar formulas in normal form: rational functions of the symbols and of atoms ln|p|, √p, π, e, with exact coefficients.

2·ln(n/ε) is 2·ln(n) - 2·ln(ε): the argument of a logarithm is factored over Q, and each irreducible p gives one atom ln|p|.
So formulas that are equal by the rules of fractions, logarithms and roots have the same form, and their difference `is_zero`.
The test is one-sided (nobody knows whether π + e is rational): True is certain, False says nothing.

A form records where it is defined: every divisor that must not vanish and every argument of a logarithm that must be positive
is one of its `conditions`, even after cancelling. Outside them its enclosure is not finite.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

from headwright.kernel import balls
from headwright.kernel.balls import Ball
from headwright.theories.formulas.forms.scalars import constant
from headwright.theories.formulas.rational_functions import RationalFunction

POSITIVE, NONNEGATIVE, NONZERO = "positive", "nonnegative", "nonzero"
_CONSTANTS = {"pi": "(pi)", "e": "(e)"}  # no name in a formula can be spelled like this


@final
@dataclass(frozen=True, slots=True)
class Atom:
    """A quantity that is not a symbol: "ln" is ln|of|, "sqrt" √of with of >= 0, "exp" e^of, and "pi" and "e" are the constants.

    `of` is an irreducible polynomial in the symbols and in other atoms, or a positive integer. For "exp" it is any function.
    """

    kind: str
    of: RationalFunction

    @property
    def name(self) -> str:
        return _CONSTANTS.get(self.kind, f"{self.kind}({self.of})")


@final
@dataclass(frozen=True, slots=True)
class Condition:
    """A condition for a form to be defined: `function` must be "positive", "nonnegative" or "nonzero", as `kind` says."""

    function: RationalFunction
    kind: str

    def met(self, value: Ball | Fraction) -> bool:
        """Whether it holds for every number in the ball; False for a ball that is not finite."""
        if self.kind == NONZERO:
            return bool(value > 0) or bool(value < 0)
        return bool(value > 0) if self.kind == POSITIVE else bool(value >= 0)


@final
@dataclass(frozen=True, slots=True, eq=False)
class LogForm:
    """A scalar formula in normal form, built from `number` and `symbol`; `matrix_forms.number_of` makes one from a formula.

    >>> n, eps = LogForm.symbol("n"), LogForm.symbol("eps")
    >>> ((n + 1) * (n - 1) - n * n + 1).is_zero(), sorted((n / eps).symbols)
    (True, ['eps', 'n'])
    """

    function: RationalFunction
    atoms: Mapping[str, Atom] = field(default_factory=dict)
    conditions: frozenset[Condition] = frozenset()

    @staticmethod
    def number(value: int | Fraction) -> LogForm:
        return LogForm(RationalFunction.constant(value))

    @staticmethod
    def symbol(name: str) -> LogForm:
        return LogForm(RationalFunction.symbol(name))

    @property
    def reached(self) -> set[str]:
        """The symbols and atoms that occur: in the function, inside of atoms, in the conditions."""
        names = [*self.function.names, *(name for condition in self.conditions for name in condition.function.names)]
        return reached(names, self.atoms)

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that occur, anywhere."""
        return frozenset(self.reached - self.atoms.keys())

    def value(self) -> Fraction | None:
        """The rational number that this is, whatever its symbols are; None for anything else."""
        return self.function.value()

    def is_zero(self) -> bool:
        """True only if this is 0 wherever it is defined."""
        return self.function.is_zero()

    def needing(self, kind: str) -> LogForm:
        """This form with a further condition on itself. Exponentials are positive, so they are dropped from the condition."""
        function = self.function
        if powers := [
            RationalFunction.symbol(x) for x in function.names if x in self.atoms and self.atoms[x].kind == "exp"
        ]:
            constant, factors = function.factors()
            function = RationalFunction.constant(constant)
            for factor, exponent in factors:
                function = function if factor in powers else function * factor**exponent
        condition = Condition(function, kind)
        value = function.value()
        if value is not None and condition.met(value):
            return self
        return LogForm(self.function, self.atoms, self.conditions | {condition})

    def within(self, *others: LogForm) -> LogForm:
        """This form, restricted to where the others are defined as well."""
        atoms, conditions = dict(self.atoms), self.conditions
        for other in others:
            atoms, conditions = {**atoms, **other.atoms}, conditions | other.conditions
        return LogForm(self.function, atoms, conditions)

    def __add__(self, other: LogForm | int | Fraction) -> LogForm:
        return self._with(other, operator.add)

    def __sub__(self, other: LogForm | int | Fraction) -> LogForm:
        return self._with(other, operator.sub)

    def __mul__(self, other: LogForm | int | Fraction) -> LogForm:
        return self._with(other, operator.mul)

    def __truediv__(self, other: LogForm | int | Fraction) -> LogForm:
        """ZeroDivisionError if the divisor is 0 for all values of its symbols."""
        divisor = other if isinstance(other, LogForm) else LogForm.number(other)
        return self._with(divisor.needing(NONZERO), operator.truediv)

    def __neg__(self) -> LogForm:
        return self * -1

    def __pow__(self, exponent: int) -> LogForm:
        base = self.needing(NONZERO) if exponent < 0 else self
        return LogForm(_reduced(self.function**exponent, self.atoms), self.atoms, base.conditions)

    def __repr__(self) -> str:
        return repr(self.function)

    def _with(self, other: LogForm | int | Fraction, combined: Callable[..., RationalFunction]) -> LogForm:
        form = other if isinstance(other, LogForm) else LogForm.number(other)
        both = self.within(form)
        return LogForm(_reduced(combined(self.function, form.function), both.atoms), both.atoms, both.conditions)

    def enclosure(self, values: Mapping[str, int | Fraction | float | Ball], *, bits: int = 128) -> Ball:
        """A ball around the value where the symbols have these values; not finite where the form may be undefined.

        >>> from headwright.theories.formulas.forms.elementary import log
        >>> log(LogForm.symbol("n")).enclosure({"n": 2}).contains(math.log(2))
        False
        >>> bool(abs(log(LogForm.symbol("n")).enclosure({"n": 2}) - math.log(2)) < 1e-15)
        True
        """
        missing = self.symbols - values.keys()
        if missing:
            raise ValueError(
                f"`values` must hold every symbol of the form, but {', '.join(sorted(missing))} is missing"
            )
        known: dict[str, Ball] = {}

        def value(function: RationalFunction) -> Ball:
            for name in function.names:
                if name not in known:
                    known[name] = atom(self.atoms[name])
            return function.at(known)

        def atom(atom: Atom) -> Ball:
            if atom.kind in _CONSTANTS:
                return constant(atom.kind)
            inner = value(atom.of)
            return abs(inner).log() if atom.kind == "ln" else inner.sqrt() if atom.kind == "sqrt" else inner.exp()

        with balls.precision(bits):
            known.update({name: balls.exact(number) for name, number in values.items()})
            if not all(condition.met(value(condition.function)) for condition in self.conditions):
                return balls.exact(math.nan)
            return value(self.function)


def reached(names: Iterable[str], atoms: Mapping[str, Atom]) -> set[str]:
    """These names, and all that the atoms among them are made of."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += atoms[name].of.names if name in atoms else ()
    return seen


def _reduced(function: RationalFunction, atoms: Mapping[str, Atom]) -> RationalFunction:
    """The function with (√p)² = p carried out; again where p itself holds roots."""
    while high := [x for x in function.names if x in atoms and atoms[x].kind == "sqrt" and function.degree(x) > 1]:
        function = function.squares_replaced(high[0], atoms[high[0]].of)
    return function
