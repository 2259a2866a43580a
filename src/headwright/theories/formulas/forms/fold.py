"""One walk over a formula's tree, for both arithmetics: numbers at a point, and normal forms for all values of the names.

An `Algebra` defines the values of the leaves and how values combine. `fold` walks the tree and checks that shapes fit, so an
algebra sees only shapes that do. Nothing broadcasts: 1 + k_1 is refused. c·I has no size until a sum gives it one. A step that
fails raises `Misfit` (the formula is wrong, and the place is marked) or `OutOfClass` (this arithmetic cannot decide).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Generic, Protocol, TypeVar, final

from headwright.kernel import budget
from headwright.theories.formulas.forms.faults import FormulaError, Misfit, OutOfClass
from headwright.theories.formulas.forms.trees import (
    Array,
    Call,
    Constant,
    Name,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Transposed,
)

_A_NODE = 20_000  # units for one step, which makes a few small objects
V = TypeVar("V")
W = TypeVar("W")

Size = int | str | None  # a number, or a letter that stands for one
Shape = tuple[Size, Size]
ANY: Shape = (None, None)  # of c·I


def shape_in_words(shape: Shape | None) -> str:
    """a number, a vector of length 3, a row of length 3, a d×m matrix, the identity matrix."""
    if shape is None:
        return "a number"
    rows, columns = shape
    if shape == ANY:
        return "the identity matrix"
    if columns == 1:
        return f"a vector of length {rows}"
    return f"a row of length {columns}" if rows == 1 else f"a {rows}×{columns} matrix"


class Algebra(Protocol[V]):
    """The values of a formula's parts, and how values of fitting shapes combine."""

    most_power: int  # of a matrix

    def shape(self, a: V) -> Shape | None: ...  # None for a number
    def rational(
        self, a: V
    ) -> Fraction | None: ...  # the rational that a number certainly is; None if that is not known
    def number(self, value: Fraction) -> V: ...
    def constant(self, name: str) -> V: ...  # pi, e or I
    def named(self, name: str) -> V: ...
    def added(self, a: V, b: V) -> V: ...  # of the same shape, or c·I and a square matrix
    def multiplied(self, a: V, b: V) -> V: ...
    def transposed(self, a: V) -> V: ...
    def inverse(self, a: V) -> V: ...  # of a number or a square matrix; Misfit or ZeroDivisionError if there is none
    def raised(self, base: V, exponent: V) -> V: ...  # both numbers
    def applied(self, function: str, numbers: list[V]) -> V: ...  # log, exp, sqrt, abs, min, max

    def array(self, rows: tuple[tuple[Fraction, ...], ...]) -> V:
        raise OutOfClass("an array of numbers is judged at one point only")

    def truncated(self, a: V, rank: V) -> V:
        """A with its `rank` largest singular values kept."""
        raise OutOfClass("singular values are judged at one point only")


def fold(root: Node, algebra: Algebra[V]) -> V:
    """The value of a formula; FormulaError with the place if it has none, OutOfClass if the algebra cannot decide."""
    return _Fold(algebra).value(root)


@final
class _Fold(Generic[V]):
    def __init__(self, algebra: Algebra[V]) -> None:
        self.algebra = algebra

    def value(self, node: Node) -> V:
        budget.spend(_A_NODE)
        do = self.algebra
        match node:
            case Number(value):
                return do.number(value)
            case Constant(name):
                return do.constant(name)
            case Name(name):
                return _step(node, do.named, name)
            case Array(rows):
                return do.array(rows)
            case Sum(terms):
                return self.joined(self.added, ((term, self.signed(sign, term)) for sign, term in terms))
            case Product(factors):
                return self.joined(self.multiplied, ((part, self.turned(way, part)) for way, part in factors))
            case Power(base, exponent):
                return _step(node, self.raised, self.value(base), self.value(exponent))
            case Transposed(of):
                return do.transposed(self.value(of))
            case Call(function, arguments):
                return _step(node, self.called, function, [self.value(part) for part in arguments])

    def joined(self, two: Callable[[V, V], V], values: Iterator[tuple[Node, V]]) -> V:
        _, whole = next(values)
        for part, value in values:
            whole = _step(part, two, whole, value)
        return whole

    def signed(self, sign: int, term: Node) -> V:
        value = self.value(term)
        return value if sign == 1 else self.algebra.multiplied(self.algebra.number(Fraction(-1)), value)

    def turned(self, way: int, factor: Node) -> V:
        value = self.value(factor)
        return value if way == 1 else _step(factor, self.reciprocal, value)

    def described(self, *values: V) -> str:
        return " and ".join(shape_in_words(self.algebra.shape(value)) for value in values)

    def added(self, a: V, b: V) -> V:
        p, q = self.algebra.shape(a), self.algebra.shape(b)
        if p != q and not (ANY in (p, q) and all(one is not None and one[0] == one[1] for one in (p, q))):
            hint = "; a multiple of the identity is written 2*I" if None in (p, q) else ""
            raise Misfit(f"You cannot add {self.described(a, b)}{hint}.")
        return self.algebra.added(a, b)

    def multiplied(self, a: V, b: V) -> V:
        p, q = self.algebra.shape(a), self.algebra.shape(b)
        if p is not None and q is not None and p[1] != q[0] and None not in (p[1], q[0]):
            hint = " An inner product is a' * b, an outer product a * b'." if p[1] == q[1] == 1 else ""
            raise Misfit(f"You cannot multiply {self.described(a)} by {self.described(b)}.{hint}")
        return self.algebra.multiplied(a, b)

    def reciprocal(self, a: V) -> V:
        if self.algebra.shape(a) is not None:
            raise Misfit(f"You cannot divide by {self.described(a)}; inv(...) is the inverse of a matrix.")
        return self.algebra.inverse(a)

    def raised(self, base: V, exponent: V) -> V:
        do, shape, times = self.algebra, self.algebra.shape(base), self.algebra.rational(exponent)
        if do.shape(exponent) is not None:
            raise Misfit(f"The exponent must be a number, but this is {self.described(exponent)}.")
        if shape is None:
            return do.raised(base, exponent)
        if shape[0] != shape[1]:
            raise Misfit(
                f"This is {self.described(base)}, which has no powers. A squared length is a' * a, a transpose A'."
            )
        if times is None or abs(times) > do.most_power:
            raise OutOfClass("the power of a matrix is too large, or not known")
        if times.denominator > 1:
            raise Misfit(f"Only a number has such a power, but this is {self.described(base)}.")
        if times == 0:  # I, defined only where the base is
            return do.added(do.constant("I"), do.multiplied(do.number(Fraction(0)), base))
        power = factor = base if times > 0 else do.inverse(base)
        for _ in range(int(abs(times)) - 1):
            power = do.multiplied(power, factor)
        return power

    def called(self, function: str, x: list[V]) -> V:
        do, shapes = self.algebra, [self.algebra.shape(value) for value in x]
        match function, shapes[0]:
            case "inv", shape:
                if shape is not None and shape[0] != shape[1]:
                    raise Misfit(f"Only a square matrix has an inverse, but this is {self.described(x[0])}.")
                return do.inverse(x[0])
            case "pinv", _:
                return self.pseudo_inverse(x[0])
            case "norm", None:
                return do.applied("abs", x)
            case "norm", (rows, columns):
                if 1 not in (rows, columns):
                    raise Misfit(f"norm is the length of a vector, but this is {self.described(x[0])}.")
                column = x[0] if columns == 1 else do.transposed(x[0])
                return do.applied("sqrt", [do.multiplied(do.transposed(column), column)])
            case "dot", shape:
                if shape is None or shape[1] != 1 or shapes[1] != shape:
                    raise Misfit(f"dot takes two vectors of the same length, but here it has {self.described(*x)}.")
                return do.multiplied(do.transposed(x[0]), x[1])
            case "svd_part", _:
                return do.truncated(*x)
        if any(shape is not None for shape in shapes):
            raise Misfit(f"{function} takes numbers, but here it has {self.described(*x)}.")
        return do.applied(function, x)

    def pseudo_inverse(self, a: V) -> V:
        """a^-1, (a'a)^-1 a' or a'(aa')^-1, whichever exists: one does if a has full rank."""
        do, shape, turned = self.algebra, self.algebra.shape(a), self.algebra.transposed(a)
        if shape is None or shape[0] == shape[1]:
            ways: list[Callable[[], V]] = [lambda: do.inverse(a)]
        else:
            ways = [
                lambda: do.multiplied(do.inverse(do.multiplied(turned, a)), turned),
                lambda: do.multiplied(turned, do.inverse(do.multiplied(a, turned))),
            ]
        for formed in ways:
            with suppress(Misfit, OutOfClass, ZeroDivisionError):
                return formed()
        raise OutOfClass("the pseudo-inverse of a matrix that may not be of full rank")


def _step(node: Node, do: Callable[..., W], *arguments: object) -> W:
    """One step, with its faults marked at `node`."""
    try:
        return do(*arguments)
    except Misfit as fault:
        raise FormulaError(str(fault), position=node.at) from None
    except ZeroDivisionError:
        raise FormulaError("This is a division by zero.", position=node.at) from None
