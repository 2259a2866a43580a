"""Matrix formulas brought to sums of words (`matrix_words.py`): numbers stay forms, everything else is a word form.

A wrong formula raises FormulaError with its place; a right one that has no form raises OutOfClass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import final

from headwright.balls import TooLarge
from headwright.formulas import elementary
from headwright.formulas.faults import Misfit, OutOfClass
from headwright.formulas.log_forms import LogForm
from headwright.formulas.matrix_words import Algebra, MatrixForm, eye
from headwright.formulas.regions import STANDARD, Region
from headwright.formulas.signs import defined
from headwright.formulas.trees import Array, Call, Formula, Name, Node, Number, Power, Product, Sum, Transposed

_Value = LogForm | MatrixForm


def matrix_words(
    formula: Formula, *, algebra: Algebra, given: Mapping[str, MatrixForm] | None = None, region: Region = STANDARD
) -> MatrixForm:
    """A matrix formula over the matrices of the algebra, as a simplified sum of words; `given` are names with forms of their own.

    >>> from headwright.formulas.grammar import parse
    >>> spans = Algebra({"S": ("d", "m"), "T": ("d", "p")}, zeros=("S'*T",), independent=("S", "T"))
    >>> M = matrix_words(parse("2*S*pinv(S)", names=["S", "T"]), algebra=spans)
    >>> matrix_words(parse("S'*M - 2*S'", names=["S", "M"]), algebra=spans, given={"M": M}).is_zero()
    True
    """
    found = _Words(formula, algebra, given or {}, region).value(formula.root)
    if isinstance(found, LogForm):
        raise formula.wrong(formula.root, "The answer must be a matrix, this is a number.")
    return found


@final
class _Words:
    """Walks the tree; every fault is marked at its node."""

    def __init__(self, formula: Formula, algebra: Algebra, given: Mapping[str, MatrixForm], region: Region) -> None:
        self.formula, self.algebra, self.given, self.region = formula, algebra, given, region

    def value(self, node: Node) -> _Value:
        return self.fitted(node, partial(self.plain, node))

    def fitted(self, node: Node, step: Callable[[], _Value]) -> _Value:
        """One step, its faults marked at `node`. Words that cancel forget coefficients: these must be defined everywhere."""
        try:
            found = step()
            if isinstance(found, LogForm) and not defined(found, self.region):
                raise OutOfClass(f"{found} is not seen to be defined for all values of its symbols")
            return found
        except Misfit as fault:
            raise self.formula.wrong(node, str(fault)) from None
        except ZeroDivisionError:
            raise self.formula.wrong(node, "This is a division by zero.") from None
        except TooLarge as fault:
            raise OutOfClass(f"the formula is too long to be expanded: {fault}") from None

    def plain(self, node: Node) -> _Value:
        match node:
            case Number(_, value):
                return LogForm.number(value)
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
                inner = self.value(of)
                return inner if isinstance(inner, LogForm) else inner.transposed()
            case Call(_, function, arguments):
                return self.call(function, [self.value(argument) for argument in arguments])

    def named(self, name: str) -> _Value:
        if name in self.given:
            return self.given[name]
        if name in self.algebra.shapes:
            return self.algebra.letter(name)
        if name in self.formula.names:
            return LogForm.symbol(name)
        return eye() if name == "I" else elementary.pi() if name == "pi" else elementary.exp(LogForm.number(1))

    def sum(self, terms: tuple[tuple[int, Node], ...]) -> _Value:
        (sign, first), *rest = terms
        found = self.times(self.value(first), LogForm.number(sign))
        for sign, term in rest:
            value = self.times(self.value(term), LogForm.number(sign))
            found = self.fitted(term, partial(_added, found, value))
        return found

    def product(self, factors: tuple[tuple[int, Node], ...]) -> _Value:
        found: _Value = LogForm.number(1)
        for direction, factor in factors:
            value = self.value(factor)
            if direction == -1:
                value = self.fitted(factor, partial(_reciprocal, value))
            found = self.fitted(factor, partial(self.times, found, value))
        return found

    def times(self, a: _Value, b: _Value) -> _Value:
        if isinstance(a, LogForm):
            return a * b if isinstance(b, LogForm) else b.scaled(a)
        return a.scaled(b) if isinstance(b, LogForm) else self.algebra.multiplied(a, b)

    def power(self, base: _Value, exponent: _Value) -> _Value:
        if not isinstance(exponent, LogForm):
            raise Misfit(f"The exponent must be a number, it is {exponent.described()}.")
        if isinstance(base, LogForm):
            return elementary.power(base, exponent, self.region)
        if base.rows != base.columns:
            raise Misfit(f"This is {base.described()}, which has no powers. A transpose is written A'.")
        times = exponent.value()
        if times == -1:
            return self.algebra.inverse(base)
        if times is None or times not in range(9):
            raise OutOfClass("a matrix to this power is judged at one point only")
        found = MatrixForm(eye().terms, base.rows, base.columns)
        for _ in range(int(times)):
            found = self.algebra.multiplied(found, base)
        return found

    def call(self, function: str, arguments: list[_Value]) -> _Value:
        first = arguments[0]
        if function in ("inv", "pinv"):
            if isinstance(first, LogForm):
                return LogForm.number(1) / first
            return self.algebra.inverse(first) if function == "inv" else self.algebra.pseudo_inverse(first)
        if not isinstance(first, LogForm):
            raise OutOfClass(f"{function} of a matrix is judged at one point only")
        known = {"log": elementary.log, "exp": elementary.exp, "sqrt": elementary.sqrt}.get(function)
        if known is None:
            raise OutOfClass(f"{function} is judged at one point only")
        return known(first)


def _added(a: _Value, b: _Value) -> _Value:
    if isinstance(a, LogForm) and isinstance(b, LogForm):
        return a + b
    if isinstance(a, LogForm) or isinstance(b, LogForm):
        raise Misfit("One cannot add a number and a matrix; a multiple of the identity is written 2*I.")
    return a.added(b)


def _reciprocal(value: _Value) -> _Value:
    if not isinstance(value, LogForm):
        raise Misfit(f"One cannot divide by {value.described()}; inv(...) is the inverse of a matrix.")
    return LogForm.number(1) / value
