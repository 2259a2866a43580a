"""A formula at one point: numbers are exact rationals as long as they can be, balls from then on; vectors are columns of them.

Nothing broadcasts: 1 + k_1 is refused. c·I has no size until a sum gives it one, and a product that is 1×1 is a number. What
certainly has no value raises `Misfit`; what a ball cannot decide (a divisor that may be 0) raises `OutOfClass`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright import balls, budget
from headwright.forms.faults import Misfit, OutOfClass
from headwright.forms.fold import Algebra, fold
from headwright.forms.scalars import MOST_POWER, OF_NUMBERS, Scalar, ball, plus, power, root, times, total
from headwright.forms.trees import Node

MOST_ENTRIES = 40_000

Grid = tuple[tuple[Scalar, ...], ...]


@final
@dataclass(frozen=True)
class Eye:
    """factor · I, of any size."""

    factor: Scalar


Value = Scalar | Grid | Eye


def at_point(root: Node, values: Mapping[str, Value], *, size: int | None = None) -> Scalar | Grid:
    """The value of a formula where its names have these values, at the precision in force.

    `size` is that of I where the formula says nothing of it, as in K = I. FormulaError, OutOfClass.

    >>> from headwright.forms.trees import Name, Product, Transposed
    >>> u = ((Fraction(1),), (Fraction(2),))
    >>> at_point(Product(((1, Transposed(Name("u"))), (1, Name("u")))), {"u": u})
    Fraction(5, 1)
    """
    found = fold(root, _Points(values))
    if not isinstance(found, Eye):
        return found
    if size is None:
        raise OutOfClass("the size of I does not follow from the formula")
    return _eye(size, found.factor)


def column(entries: list[Scalar]) -> Grid:
    """A vector as a value."""
    return tuple((entry,) for entry in entries)


def described(value: Value) -> str:
    """a number, a vector of length 3, a row of length 3, a 3×4 matrix, the identity matrix."""
    if isinstance(value, Eye):
        return "the identity matrix"
    if not isinstance(value, tuple):
        return "a number"
    rows, columns = len(value), len(value[0])
    if columns == 1:
        return f"a vector of length {rows}"
    return f"a row of length {columns}" if rows == 1 else f"a {rows}×{columns} matrix"


@final
class _Points(Algebra[Value]):
    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values = values

    def number(self, value: Fraction) -> Value:
        return value

    def constant(self, name: str) -> Value:
        if name == "I":
            return Eye(Fraction(1))
        return balls.exact(1).exp() if name == "e" else balls.exact(1).atan() * 4

    def named(self, name: str) -> Value:
        if name not in self.values:
            raise OutOfClass(f"{name} has no value here")
        return self.values[name]

    def array(self, rows: Grid) -> Value:
        return rows[0][0] if len(rows) == len(rows[0]) == 1 else rows

    def added(self, a: Value, b: Value) -> Value:
        if isinstance(b, Eye):
            a, b = b, a
        match a, b:
            case Eye(), Eye():
                return Eye(plus(a.factor, b.factor))
            case Eye(), tuple() if len(b) == len(b[0]):
                return self.added(_eye(len(b), a.factor), b)
            case tuple(), tuple() if len(a) == len(b) and len(a[0]) == len(b[0]):
                return tuple(tuple(map(plus, p, q)) for p, q in zip(a, b, strict=True))
        if _is_scalar(a) and _is_scalar(b):
            return plus(a, b)
        raise Misfit(f"One cannot add {described(a)} and {described(b)}.")

    def multiplied(self, a: Value, b: Value) -> Value:
        if isinstance(a, Eye):
            return Eye(times(a.factor, b)) if _is_scalar(b) else self.multiplied(a.factor, b)
        if isinstance(b, Eye):
            return Eye(times(a, b.factor)) if _is_scalar(a) else self.multiplied(b.factor, a)
        if isinstance(a, tuple) and isinstance(b, tuple):
            return _product(a, b)
        if isinstance(a, tuple):
            a, b = b, a
        return tuple(tuple(times(a, x) for x in row) for row in b) if isinstance(b, tuple) else times(a, b)

    def reciprocal(self, a: Value) -> Value:
        if isinstance(a, tuple | Eye):
            raise Misfit(f"One cannot divide by {described(a)}; inv(...) is the inverse of a matrix.")
        if isinstance(a, Fraction):
            return 1 / a
        if not (a > 0 or a < 0):
            raise OutOfClass("a divisor may be 0")
        return 1 / a

    def raised(self, base: Value, exponent: Value) -> Value:
        if not _is_scalar(exponent):
            raise Misfit(f"The exponent must be a number, it is {described(exponent)}.")
        if _is_scalar(base):
            return power(base, exponent)
        if not isinstance(exponent, Fraction) or abs(exponent) > MOST_POWER:
            raise OutOfClass("the power of a matrix is too large")
        if exponent.denominator > 1:
            raise Misfit(f"Only numbers have such powers, this is {described(base)}. A transpose is written with '.")
        if isinstance(base, tuple) and len(base) != len(base[0]):
            raise Misfit(f"This is {described(base)}, which has no powers. A squared length is a' * a, a transpose A'.")
        factor = self.called("inv", [base]) if exponent < 0 else base
        found: Value = _eye(len(base), Fraction(1)) if isinstance(base, tuple) else Eye(Fraction(1))
        for _ in range(int(abs(exponent))):
            found = self.multiplied(found, factor)
        return found

    def transposed(self, a: Value) -> Value:
        return tuple(zip(*a, strict=True)) if isinstance(a, tuple) else a

    def called(self, function: str, arguments: list[Value]) -> Value:
        first = arguments[0]
        if function == "inv":
            return self._inverse(first, pseudo=False)
        if function == "pinv":
            try:
                return self._inverse(first, pseudo=True)
            except (Misfit, ZeroDivisionError):  # there is one even so
                raise OutOfClass("the pseudo-inverse of a matrix that is not of full rank") from None
        if function == "norm" and not _is_scalar(first):
            if not isinstance(first, tuple) or min(len(first), len(first[0])) > 1:
                raise Misfit(f"norm is the length of a vector, this is {described(first)}.")
            return root(total([times(x, x) for row in first for x in row]))
        if function == "dot":
            shapes = [(len(x), len(x[0])) for x in arguments if isinstance(x, tuple)]
            if len(shapes) == 2 and shapes[0] == shapes[1] and shapes[0][1] == 1:
                return self.multiplied(self.transposed(first), arguments[1])
            raise Misfit(f"dot takes two vectors of one length, here it has {' and '.join(map(described, arguments))}.")
        if function == "svd_part":
            return self._truncated(*arguments)
        for argument in arguments:
            if not _is_scalar(argument):
                raise Misfit(f"{function} takes a number, this is {described(argument)}.")
        return OF_NUMBERS[function](*arguments)

    def _inverse(self, a: Value, *, pseudo: bool) -> Value:
        if isinstance(a, Eye):
            return Eye(self.reciprocal(a.factor))
        if not isinstance(a, tuple):
            return self.reciprocal(a)
        if len(a) == len(a[0]):
            return _solved(a)
        if not pseudo:
            raise Misfit(f"Only a square matrix has an inverse, this is {described(a)}.")
        turned = self.transposed(a)
        if len(a) > len(a[0]):  # of full column rank, or the inverse below is not found
            return self.multiplied(self._inverse(self.multiplied(turned, a), pseudo=False), turned)
        return self.multiplied(turned, self._inverse(self.multiplied(a, turned), pseudo=False))

    def _truncated(self, a: Value, rank: Value) -> Value:
        """A with its `rank` largest singular values kept: A P, P the projector on their right singular vectors."""
        if not isinstance(rank, Fraction):
            raise OutOfClass("how many singular values are kept is not known exactly")
        if not isinstance(a, tuple) or rank.denominator > 1 or not 0 <= rank <= min(len(a), len(a[0])):
            raise Misfit("svd_part takes a matrix and how many singular values to keep, a whole number.")
        gram = self.multiplied(self.transposed(a), a)
        rows = [[ball(x) for x in row] for row in (gram if isinstance(gram, tuple) else ((gram,),))]
        projector = balls.leading_projector(rows, int(rank))
        if projector is None:
            raise OutOfClass("the singular values are not told apart")
        return self.multiplied(a, tuple(map(tuple, projector)))


def _is_scalar(value: Value) -> bool:
    return not isinstance(value, tuple | Eye)


def _product(a: Grid, b: Grid) -> Value:
    if len(a[0]) != len(b):
        hint = " An inner product is a' * b, an outer product a * b'." if len(a[0]) == len(b[0]) == 1 else ""
        raise Misfit(f"One cannot multiply {described(a)} by {described(b)}.{hint}")
    if len(a) * len(b[0]) > MOST_ENTRIES:
        raise OutOfClass(f"a product with more than {MOST_ENTRIES:,} entries")
    budget.spend(len(a) * len(b) * len(b[0]) * (2_000 + balls.unit_cost()))
    columns = tuple(zip(*b, strict=True))
    found = tuple(tuple(total(list(map(times, row, column))) for column in columns) for row in a)
    return found[0][0] if len(found) == len(found[0]) == 1 else found


def _eye(size: int, factor: Scalar) -> Grid:
    return tuple(tuple(factor if i == j else Fraction(0) for j in range(size)) for i in range(size))


def _solved(a: Grid) -> Grid:
    """The inverse, exact where all entries are rational; OutOfClass where a ball cannot tell that there is one."""
    if all(isinstance(x, Fraction) for row in a for x in row):
        exact = balls.rational_inverse([list(row) for row in a])
        if exact is None:
            raise Misfit("This matrix is singular: it has no inverse.")
        return tuple(map(tuple, exact))
    found = balls.ball_inverse([[ball(x) for x in row] for row in a])
    if found is None:
        raise OutOfClass("a matrix may be singular")
    return tuple(map(tuple, found))
