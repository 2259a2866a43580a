"""An answer's formulas as scores: the coefficient of every named vector, with some symbols fixed.

A member of the family is reached by writing numbers for n and ε into the formula itself, before any form is made of it: then
ln(n-2) at n = 2 is an error of that member alone, not one of the family.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import final

from headwright import formulas
from headwright.balls import TooLarge
from headwright.formulas import Formula, LogForm, OutOfClass
from headwright.formulas.faults import Misfit
from headwright.formulas.trees import Call, Name, Node, Number, Power, Product, Sum, Transposed, parts
from headwright.problems.judges.questions import Ask
from headwright.problems.settings import LARGE

Fixed = Mapping[str, Fraction]
# What arithmetic with forms raises where it has no result: none of it is a fault of whoever wrote the formula.
NO_FORM = (OutOfClass, TooLarge, Misfit, ZeroDivisionError)
_MOST_ATOMS = 16
_MOST_DEGREE = 30


@final
@dataclass(frozen=True)
class Scores:
    """The formulas of one answer, by answer name."""

    ask: Ask
    read: Mapping[str, Formula]
    _known: dict[tuple[tuple[str, Fraction], ...], list[dict[str, LogForm]]] = field(default_factory=dict, repr=False)

    @property
    def used(self) -> frozenset[str]:
        return frozenset().union(*(formula.used for formula in self.read.values()))

    @property
    def large(self) -> tuple[str, ...]:
        """The large symbols that occur."""
        return tuple(name for name in LARGE if name in self.used)

    def queries(self, fixed: Fixed) -> list[dict[str, LogForm]]:
        """The coefficients of each query, with numbers in the place of some symbols; FormulaError, OutOfClass or TooLarge."""
        key = tuple(sorted((name, value) for name, value in fixed.items() if name in self.used))
        if key not in self._known:
            self._known[key] = [self._one(self.read[name], dict(key)) for name in self.ask.answers]
        return self._known[key]

    def _one(self, formula: Formula, fixed: Fixed) -> dict[str, LogForm]:
        need_small(formula.root)
        found = formulas.vector_form(with_numbers(formula, fixed), basis=self.ask.basis)
        if any(len(form.atoms) > _MOST_ATOMS for form in found.values()):
            raise OutOfClass(f"more than {_MOST_ATOMS} different logarithms")
        return {name: found.get(name, LogForm.number(0)) for name in self.ask.basis}


def need_small(node: Node) -> int:
    """A bound on the degree of every polynomial in the formula; OutOfClass where a sum may have one above 30.

    Factoring a polynomial of high degree takes long, and no student writes one.
    """
    match node:
        case Name():
            return 1
        case Sum(_, pairs) | Product(_, pairs):
            degrees = [need_small(part) for _, part in pairs]
            found = sum(degrees) if isinstance(node, Product) else max(degrees)
            if found > _MOST_DEGREE and any(isinstance(part, Sum) for part in _below(node)):
                raise OutOfClass(f"a polynomial of degree above {_MOST_DEGREE}")
            return found
        case Power(_, base, Number(_, exponent)):
            found = math.ceil(need_small(base) * abs(exponent))
            if found > _MOST_DEGREE and any(isinstance(part, Sum) for part in _below(base)):
                raise OutOfClass(f"a polynomial of degree above {_MOST_DEGREE}")
            return found
    return max((need_small(part) for part in parts(node)), default=0)


def _below(node: Node) -> Iterator[Node]:
    """The node and all that it is made of."""
    yield node
    for part in parts(node):
        yield from _below(part)


def with_numbers(formula: Formula, fixed: Fixed) -> Formula:
    """The formula with some of its symbols replaced by numbers."""
    return replace(formula, root=_replaced(formula.root, fixed)) if fixed else formula


def _replaced(node: Node, fixed: Fixed) -> Node:
    match node:
        case Name(at, name) if name in fixed:
            return Number(at, fixed[name])
        case Sum(at, terms):
            return Sum(at, tuple((sign, _replaced(term, fixed)) for sign, term in terms))
        case Product(at, factors):
            return Product(at, tuple((way, _replaced(factor, fixed)) for way, factor in factors))
        case Power(at, base, exponent):
            return Power(at, _replaced(base, fixed), _replaced(exponent, fixed))
        case Transposed(at, of):
            return Transposed(at, _replaced(of, fixed))
        case Call(at, function, arguments):
            return Call(at, function, tuple(_replaced(argument, fixed) for argument in arguments))
    return node
