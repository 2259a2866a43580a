"""One walk over a formula's tree, for every arithmetic: balls at a point, forms on a basis, words in matrices.

An `Algebra` says what the leaves are and how two values combine; `fold` does the rest. A step that cannot be done raises
`Misfit` (the formula is wrong there: the place is marked) or `OutOfClass` (this arithmetic cannot say).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Generic, TypeVar, final

from headwright import budget
from headwright.balls import TooLarge
from headwright.forms.faults import FormulaError, Misfit, OutOfClass
from headwright.forms.trees import Array, Call, Constant, Name, Node, Number, Power, Product, Sum, Transposed

_A_NODE = 20_000  # units for one step, which makes a few small objects
V = TypeVar("V")
W = TypeVar("W")


class Algebra(ABC, Generic[V]):
    """The values that a formula's parts have, and how they combine."""

    @abstractmethod
    def number(self, value: Fraction) -> V: ...

    @abstractmethod
    def constant(self, name: str) -> V:
        """pi, e or I."""

    @abstractmethod
    def named(self, name: str) -> V: ...

    @abstractmethod
    def array(self, rows: tuple[tuple[Fraction, ...], ...]) -> V: ...

    @abstractmethod
    def added(self, a: V, b: V) -> V: ...

    @abstractmethod
    def multiplied(self, a: V, b: V) -> V: ...

    @abstractmethod
    def reciprocal(self, a: V) -> V: ...

    @abstractmethod
    def raised(self, base: V, exponent: V) -> V: ...

    @abstractmethod
    def transposed(self, a: V) -> V: ...

    @abstractmethod
    def called(self, function: str, arguments: list[V]) -> V: ...

    def whole(self, node: Node, value: Callable[[Node], V]) -> V | None:
        """The value of a part that is not made from those of its own parts; None where it is, as nearly always."""
        return None


def fold(root: Node, algebra: Algebra[V]) -> V:
    """The value of a formula; FormulaError with the place where it has none, OutOfClass where the algebra cannot say."""
    return _Fold(algebra).value(root)


@final
class _Fold(Generic[V]):
    def __init__(self, algebra: Algebra[V]) -> None:
        self.algebra = algebra
        self.known: dict[int, V | OutOfClass] = {}  # by identity: a whole may ask for its parts again

    def value(self, node: Node) -> V:
        if id(node) not in self.known:
            budget.spend(_A_NODE)
            try:
                whole = self.step(node, lambda: self.algebra.whole(node, self.value))
                self.known[id(node)] = self.combined(node) if whole is None else whole
            except OutOfClass as none:
                self.known[id(node)] = none
        found = self.known[id(node)]
        if isinstance(found, OutOfClass):
            raise OutOfClass(*found.args)
        return found

    def combined(self, node: Node) -> V:
        do = self.algebra
        match node:
            case Number(value):
                return do.number(value)
            case Constant(name):
                return do.constant(name)
            case Name(name):
                return self.step(node, lambda: do.named(name))
            case Array(rows):
                return do.array(rows)
            case Sum(terms):
                return self.sum(terms)
            case Product(factors):
                return self.product(factors)
            case Power(base, exponent):
                low, high = self.value(base), self.value(exponent)
                return self.step(node, lambda: do.raised(low, high))
            case Transposed(of):
                inner = self.value(of)
                return self.step(node, lambda: do.transposed(inner))
            case Call(function, arguments):
                values = [self.value(part) for part in arguments]
                return self.step(node, lambda: do.called(function, values))

    def sum(self, terms: tuple[tuple[int, Node], ...]) -> V:
        found = self.signed(*terms[0])
        for sign, term in terms[1:]:
            before, value = found, self.signed(sign, term)
            found = self.step(term, lambda: self.algebra.added(before, value))  # noqa: B023 - called at once
        return found

    def signed(self, sign: int, term: Node) -> V:
        value = self.value(term)
        return value if sign == 1 else self.algebra.multiplied(self.algebra.number(Fraction(-1)), value)

    def product(self, factors: tuple[tuple[int, Node], ...]) -> V:
        found: V | None = None
        for way, factor in factors:
            value = self.value(factor)
            if way == -1:
                value = self.step(factor, lambda: self.algebra.reciprocal(value))  # noqa: B023 - called at once
            before = found
            found = value if before is None else self.step(factor, lambda: self.algebra.multiplied(before, value))  # noqa: B023
        assert found is not None, "a product has factors"
        return found

    def step(self, node: Node, done: Callable[[], W]) -> W:
        """One step, its faults marked at `node`."""
        try:
            return done()
        except Misfit as fault:
            raise FormulaError(str(fault), position=node.at) from None
        except ZeroDivisionError:
            raise FormulaError("This is a division by zero.", position=node.at) from None
        except TooLarge as fault:
            raise OutOfClass(f"the formula is too long to be expanded: {fault}") from None
