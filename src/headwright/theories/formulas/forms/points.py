"""A formula at one point: numbers are exact rationals where possible and balls otherwise. Vectors are columns of them.

A product that is 1×1 is a number. A formula that certainly has no value raises `Misfit`. If a ball leaves that open (a divisor
that may be 0), `OutOfClass` is raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import final

from headwright.kernel import balls, budget
from headwright.theories.formulas.forms.faults import Misfit, OutOfClass
from headwright.theories.formulas.forms.fold import ANY, Algebra, Shape, fold, shape_in_words
from headwright.theories.formulas.forms.scalars import (
    MOST_POWER,
    OF_NUMBERS,
    Scalar,
    ball,
    constant,
    plus,
    power,
    reciprocal,
    times,
)
from headwright.theories.formulas.forms.trees import Node

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

    `size` is the size of I if the formula does not determine it, as in K = I. FormulaError, OutOfClass.

    >>> from headwright.theories.formulas.forms.trees import Name, Product, Transposed
    >>> u = ((Fraction(1),), (Fraction(2),))
    >>> at_point(Product(((1, Transposed(Name("u"))), (1, Name("u")))), {"u": u})
    Fraction(5, 1)
    """
    value = fold(root, _Points(values))
    if not isinstance(value, Eye):
        return value
    if size is None:
        raise OutOfClass("the size of I does not follow from the formula")
    return _eye(size, value.factor)


def column(entries: list[Scalar]) -> Grid:
    """A vector as a value."""
    return tuple((entry,) for entry in entries)


def described(value: Value) -> str:
    """a number, a vector of length 3, a row of length 3, a 3×4 matrix, the identity matrix."""
    return shape_in_words(_shape(value))


def _shape(a: Value) -> Shape | None:
    if isinstance(a, Eye):
        return ANY
    return (len(a), len(a[0])) if isinstance(a, tuple) else None


def _value(rows: Grid) -> Scalar | Grid:
    return rows[0][0] if len(rows) == len(rows[0]) == 1 else rows


@final
class _Points(Algebra[Value]):
    most_power = MOST_POWER

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values = values

    shape = staticmethod(_shape)
    array = staticmethod(_value)
    raised = staticmethod(power)

    def rational(self, a: Value) -> Fraction | None:
        return a if isinstance(a, Fraction) else None

    def number(self, value: Fraction) -> Value:
        return value

    def constant(self, name: str) -> Value:
        return Eye(Fraction(1)) if name == "I" else constant(name)

    def named(self, name: str) -> Value:
        if name not in self.values:
            raise OutOfClass(f"{name} has no value here")
        return self.values[name]

    def added(self, a: Value, b: Value) -> Value:
        if isinstance(a, Eye) and isinstance(b, Eye):
            return Eye(plus(a.factor, b.factor))
        if isinstance(a, tuple) and isinstance(b, Eye):
            b = _eye(len(a), b.factor)
        if isinstance(a, Eye) and isinstance(b, tuple):
            a = _eye(len(b), a.factor)
        if isinstance(a, tuple) and isinstance(b, tuple):
            return tuple(tuple(map(plus, p, q)) for p, q in zip(a, b, strict=True))
        return plus(a, b)

    def multiplied(self, a: Value, b: Value) -> Value:
        if isinstance(a, tuple) and isinstance(b, tuple):
            return _product(a, b)
        if isinstance(b, tuple):
            a, b = b, a
        factor = b.factor if isinstance(b, Eye) else b
        if isinstance(a, tuple):
            return tuple(tuple(times(factor, x) for x in row) for row in a)
        if isinstance(a, Eye):
            return Eye(times(a.factor, factor))
        return Eye(times(a, factor)) if isinstance(b, Eye) else times(a, factor)

    def transposed(self, a: Value) -> Value:
        return tuple(zip(*a, strict=True)) if isinstance(a, tuple) else a

    def applied(self, function: str, numbers: list[Value]) -> Value:
        return OF_NUMBERS[function](*numbers)

    def inverse(self, a: Value) -> Value:
        """Exact if all entries are rational; OutOfClass if the balls leave open whether there is one."""
        if isinstance(a, Eye):
            return Eye(reciprocal(a.factor))
        if not isinstance(a, tuple):
            return reciprocal(a)
        if all(isinstance(x, Fraction) for row in a for x in row):
            exact = balls.rational_inverse([list(row) for row in a])
            if exact is None:
                raise Misfit("This matrix is singular: it has no inverse.")
            return tuple(map(tuple, exact))
        enclosed = balls.ball_inverse(_in_balls(a))
        if enclosed is None:
            raise OutOfClass("a matrix may be singular")
        return tuple(map(tuple, enclosed))

    def truncated(self, a: Value, rank: Value) -> Value:
        """A P, P the projector on the right singular vectors of the `rank` largest singular values."""
        if not isinstance(rank, Fraction):
            raise OutOfClass("how many singular values are kept is not known exactly")
        if not isinstance(a, tuple) or rank.denominator > 1 or not 0 <= rank <= min(len(a), len(a[0])):
            raise Misfit("svd_part takes a matrix and how many singular values to keep, a whole number.")
        gram = self.multiplied(self.transposed(a), a)
        projector = balls.leading_projector(_in_balls(gram if isinstance(gram, tuple) else ((gram,),)), int(rank))
        if projector is None:
            raise OutOfClass("the singular values may coincide")
        return self.multiplied(a, tuple(map(tuple, projector)))


def _in_balls(a: Grid) -> list[list[balls.Ball]]:
    return [[ball(x) for x in row] for row in a]


def _product(a: Grid, b: Grid) -> Value:
    if len(a) * len(b[0]) > MOST_ENTRIES:
        raise OutOfClass(f"a product with more than {MOST_ENTRIES:,} entries")
    budget.spend(len(a) * len(b) * len(b[0]) * (2_000 + balls.unit_cost()))
    columns = tuple(zip(*b, strict=True))
    return _value(tuple(tuple(reduce(plus, map(times, row, column)) for column in columns) for row in a))


def _eye(size: int, factor: Scalar) -> Grid:
    return tuple(tuple(factor if i == j else Fraction(0) for j in range(size)) for i in range(size))
