"""Formulas brought to forms: numbers to `LogForm`, vectors to coefficients on a basis, matrices to outer products.

The named vectors of `basis` are orthogonal, each with b'b = gram (1 unless given); every other name is a scalar symbol with a
range in `region`. A wrong formula raises FormulaError with its place; a right one that has no form raises OutOfClass.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import final

from headwright.balls import TooLarge
from headwright.formulas import elementary
from headwright.formulas.faults import Misfit, OutOfClass
from headwright.formulas.log_forms import LogForm
from headwright.formulas.regions import STANDARD, Region
from headwright.formulas.span_forms import SpanForm, column, eye, number
from headwright.formulas.trees import Array, Call, Formula, Name, Node, Number, Power, Product, Sum, Transposed


def scalar_form(formula: Formula, *, region: Region = STANDARD) -> LogForm:
    """A formula without vectors, as a form.

    >>> from headwright.formulas.grammar import parse
    >>> scalar_form(parse("2*log(n/eps)", names=["n", "eps"]))
    -2*ln(eps) + 2*ln(n)
    """
    return _walked(formula, (), None, region, "a number", lambda value: value.is_number).number()


def vector_form(
    formula: Formula, *, basis: Collection[str] = ("k_1", "k_2"), gram: LogForm | None = None, region: Region = STANDARD
) -> dict[str, LogForm]:
    """The coefficients of a vector formula on the basis, one for every name of it; each has the conditions of all.

    >>> from headwright.formulas.grammar import parse
    >>> vector_form(parse("log(n)*(k_1 - k_2/2)", names=["k_1", "k_2", "n"]))
    {'k_1': ln(n), 'k_2': -1/2*ln(n)}
    """
    found = _walked(formula, basis, gram, region, "a vector", lambda value: value.tall and not value.wide)
    entries = {name: found.entries.get((name, None), LogForm.number(0)) for name in basis}
    return {name: form.within(*entries.values()) for name, form in entries.items()}


def outer_form(
    formula: Formula, *, basis: Collection[str], gram: LogForm | None = None, region: Region = STANDARD
) -> tuple[dict[tuple[str, str], LogForm], LogForm]:
    """({(i, j): coefficient of b_i b_j'}, coefficient of I) of a matrix formula, for every pair of names, as in `vector_form`.

    >>> from headwright.formulas.grammar import parse
    >>> entries, identity = outer_form(parse("u*w'/2 - I", names=["u", "w"]), basis=["u", "w"])
    >>> entries["u", "w"], entries["w", "u"], identity
    (1/2, 0, -1)
    """
    found = _walked(formula, basis, gram, region, "a matrix", lambda value: value.tall and value.wide)
    zero = LogForm.number(0)
    every = [*found.entries.values(), found.identity or zero]
    return {(i, j): found.entries.get((i, j), zero).within(*every) for i in basis for j in basis}, every[-1].within(
        *every
    )


def _walked(
    formula: Formula,
    basis: Collection[str],
    gram: LogForm | None,
    region: Region,
    wanted: str,
    fits: Callable[[SpanForm], bool],
) -> SpanForm:
    found = _Forms(formula, frozenset(basis), gram or LogForm.number(1), region).value(formula.root)
    if not fits(found):
        raise formula.wrong(formula.root, f"The answer must be {wanted}, this is {found.described()}.")
    return found


@final
class _Forms:
    """Walks the tree; every fault is marked at its node."""

    def __init__(self, formula: Formula, basis: frozenset[str], gram: LogForm, region: Region) -> None:
        self.formula, self.basis, self.gram, self.region = formula, basis, gram, region
        self.known: dict[int, SpanForm | OutOfClass] = {}

    def value(self, node: Node) -> SpanForm:
        """The form of a part, found once: logarithms may ask for it again."""
        known = self.known.get(id(node))
        if known is None:
            try:
                known = self.fitted(node, partial(self.plain, node))
            except OutOfClass as none:
                known = none
            self.known[id(node)] = known
        if isinstance(known, OutOfClass):
            raise OutOfClass(*known.args)
        return known

    def fitted(self, node: Node, step: Callable[[], SpanForm]) -> SpanForm:
        """One step, its faults marked at `node`."""
        try:
            return step()
        except Misfit as fault:
            raise self.formula.wrong(node, str(fault)) from None
        except ZeroDivisionError:
            raise self.formula.wrong(node, "This is a division by zero.") from None
        except TooLarge as fault:
            raise OutOfClass(f"the formula is too long to be expanded: {fault}") from None

    def plain(self, node: Node) -> SpanForm:
        match node:
            case Number(_, value):
                return number(LogForm.number(value))
            case Name(_, name):
                return self.named(name)
            case Array():
                raise OutOfClass("an array of numbers is judged at one point only")
            case Sum(_, terms):
                return self.sum(terms)
            case Product(_, factors):
                return self.product(factors)
            case Power(_, base, exponent):
                return self.power(self.value(base), self.value(exponent))
            case Transposed(_, of):
                return self.value(of).transposed()
            case Call(_, "log", (argument,)):
                return number(self.log(argument))
            case Call(_, function, arguments):
                return self.call(function, [self.value(argument) for argument in arguments])

    def named(self, name: str) -> SpanForm:
        if name in self.basis:
            return column(name)
        if name in self.formula.names:
            return number(LogForm.symbol(name))
        return eye() if name == "I" else number(elementary.pi() if name == "pi" else elementary.exp(LogForm.number(1)))

    def sum(self, terms: tuple[tuple[int, Node], ...]) -> SpanForm:
        (sign, first), *rest = terms
        found = self.value(first).scaled(LogForm.number(sign))
        for sign, term in rest:
            value = self.value(term).scaled(LogForm.number(sign))
            found = self.fitted(term, partial(found.added, value))
        return found

    def product(self, factors: tuple[tuple[int, Node], ...]) -> SpanForm:
        found = number(LogForm.number(1))
        for direction, factor in factors:
            value = self.value(factor)
            if direction == -1:
                value = self.fitted(factor, partial(_reciprocal, value))
            found = self.fitted(factor, partial(found.multiplied, value, self.gram))
        return found

    def power(self, base: SpanForm, exponent: SpanForm) -> SpanForm:
        if base.is_number:
            return number(elementary.power(base.number(), exponent.number(), self.region))
        if not (base.tall and base.wide):
            raise Misfit(f"This is {base.described()}, which has no powers. A transpose is written with '.")
        times = exponent.number().value()
        if times is None or times not in range(9):
            raise OutOfClass("a matrix to this power is judged at one point only")
        found = eye()
        for _ in range(int(times)):
            found = found.multiplied(base, self.gram)
        return found

    def log(self, node: Node) -> LogForm:
        """ln of a part, also where the part itself has no form: ln(e^x) = x, ln(x^y) = y ln x and ln(xy) = ln x + ln y."""
        if isinstance(node, Call) and node.function == "exp":
            return self.value(node.arguments[0]).number()
        try:
            return elementary.log(self.value(node).number())
        except OutOfClass:
            try:
                return self.log_by_parts(node)
            except Misfit as fault:  # ln(xy) may exist where ln x does not
                raise OutOfClass(str(fault)) from None

    def log_by_parts(self, node: Node) -> LogForm:
        match node:
            case Power(_, base, exponent):
                return self.value(exponent).number() * self.log(base)
            case Product(_, factors):
                found = LogForm.number(0)
                for direction, factor in factors:
                    found = found + self.log(factor) * direction
                return found
        raise OutOfClass("this logarithm has no normal form")

    def call(self, function: str, arguments: list[SpanForm]) -> SpanForm:
        if function == "norm" and (arguments[0].tall != arguments[0].wide):
            vector = arguments[0] if arguments[0].tall else arguments[0].transposed()
            return number(elementary.sqrt(vector.transposed().multiplied(vector, self.gram).number(), self.region))
        if function == "dot":
            return arguments[0].transposed().multiplied(arguments[1], self.gram)
        if function in ("inv", "pinv") and not arguments[0].is_number:
            raise OutOfClass(f"{function} of a matrix is judged at one point only")
        known = _OF_NUMBERS.get(function)
        if known is None:
            raise OutOfClass(f"{function} is judged at one point only")
        return number(known([argument.number() for argument in arguments], self.region))


def _reciprocal(value: SpanForm) -> SpanForm:
    if not value.is_number:
        raise Misfit(f"One cannot divide by {value.described()}.")
    return number(LogForm.number(1) / value.number())


_OF_NUMBERS: dict[str, Callable[[list[LogForm], Region], LogForm]] = {
    "exp": lambda x, region: elementary.exp(x[0], region),
    "sqrt": lambda x, region: elementary.sqrt(x[0], region),
    "abs": lambda x, region: elementary.absolute(x[0], region),
    "norm": lambda x, region: elementary.absolute(x[0], region),
    "inv": lambda x, region: LogForm.number(1) / x[0],
    "pinv": lambda x, region: LogForm.number(1) / x[0],
    "max": lambda x, region: elementary.largest(x, region),
    "min": lambda x, region: elementary.largest(x, region, turn=-1),
}
