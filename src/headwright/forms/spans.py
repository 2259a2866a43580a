"""Formulas over the span of some named vectors: every value is a combination of them, with forms as coefficients.

The named vectors are orthogonal and of one length: b_i'b_j is `gram` for i = j and 0 otherwise. Then a number is c, a column
Σ c_i b_i, a row Σ c_j b_j', a matrix Σ c_ij b_i b_j' + c·I, and products of these are of these kinds again. One class holds
all four. Names outside the basis are scalar symbols, whose ranges decide signs where a root or a size is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.forms import elementary
from headwright.forms.faults import FormulaError, Misfit, OutOfClass
from headwright.forms.fold import Algebra, fold
from headwright.forms.log_forms import POSITIVE, LogForm
from headwright.forms.ranges import Ranges
from headwright.forms.signs import holds
from headwright.forms.trees import Call, Node, Power, Product

Index = str | None
Place = tuple[Index, Index]  # (row, column): a name of the basis, or None on the side that has one entry


@final
@dataclass(frozen=True, slots=True)
class SpanForm:
    """Σ entries[i, j] b_i b_j' + identity·I. `tall` and `wide` say whether it has d rows and d columns, or one.

    A number has its entry at (None, None), a column at (i, None), a row at (None, j). `identity` is for matrices, None elsewhere.
    """

    entries: Mapping[Place, LogForm]
    tall: bool
    wide: bool
    identity: LogForm | None = None

    @property
    def is_number(self) -> bool:
        return not self.tall and not self.wide

    def number(self) -> LogForm:
        """The number that this is."""
        if not self.is_number:
            raise Misfit(f"Here a number is needed, this is {self.described()}.")
        return self.entries.get((None, None), LogForm.number(0))

    def described(self) -> str:
        if self.tall:
            return "a matrix" if self.wide else "a vector"
        return "a row vector" if self.wide else "a number"

    def transposed(self) -> SpanForm:
        turned = {(j, i): c for (i, j), c in self.entries.items()}
        return SpanForm(turned, self.wide, self.tall, self.identity)

    def added(self, other: SpanForm) -> SpanForm:
        if (self.tall, self.wide) != (other.tall, other.wide):
            raise Misfit(f"One cannot add {self.described()} and {other.described()}.")
        entries = dict(self.entries)
        for place, coefficient in other.entries.items():
            entries[place] = entries[place] + coefficient if place in entries else coefficient
        return SpanForm(entries, self.tall, self.wide, _plus(self.identity, other.identity))

    def scaled(self, factor: LogForm) -> SpanForm:
        identity = None if self.identity is None else self.identity * factor
        return SpanForm({p: c * factor for p, c in self.entries.items()}, self.tall, self.wide, identity)

    def multiplied(self, other: SpanForm, gram: LogForm) -> SpanForm:
        """self · other, where b_i'b_i = gram."""
        if self.is_number:
            return other.scaled(self.number())
        if other.is_number:
            return self.scaled(other.number())
        if self.wide != other.tall:
            hint = " An inner product is a' * b, an outer product a * b'." if self.tall and other.tall else ""
            raise Misfit(f"One cannot multiply {self.described()} by {other.described()}.{hint}")
        entries: dict[Place, LogForm] = {}
        for (i, j), a in self.entries.items():
            for (k, m), b in other.entries.items():
                if j == k or a.conditions or b.conditions:  # what vanishes still has to be defined
                    term = a * b * (0 if j != k else 1 if j is None else gram)
                    entries[i, m] = entries[i, m] + term if (i, m) in entries else term
                else:
                    entries.setdefault((i, m), LogForm.number(0))  # a place for the conditions of what it is multiplied by
        found = SpanForm(entries, self.tall, other.wide, _times(self.identity, other.identity))
        for identity, rest in ((self.identity, other), (other.identity, self)):
            if identity is not None:
                found = found.added(SpanForm(rest.entries, self.tall, other.wide).scaled(identity))
        return found


def vector_on(root: Node, basis: Collection[str], ranges: Ranges) -> dict[str, LogForm]:
    """The coefficients of a vector on orthonormal vectors, one for every name; each has the conditions of all.

    >>> from headwright.forms.trees import Name
    >>> vector_on(Name("k_1"), ["k_1", "k_2"], {})
    {'k_1': 1, 'k_2': 0}
    """
    found = fold(root, _Spans(frozenset(basis), LogForm.number(1), ranges))
    _need(found, "a vector", found.tall and not found.wide, root)
    entries = {name: found.entries.get((name, None), LogForm.number(0)) for name in basis}
    return {name: form.within(*entries.values()) for name, form in entries.items()}


def matrix_on(
    root: Node, basis: Collection[str], gram: LogForm, ranges: Ranges
) -> tuple[dict[tuple[str, str], LogForm], LogForm]:
    """({(i, j): coefficient of b_i b_j'}, coefficient of I) of a matrix, b_i'b_i = gram; for every pair of names."""
    found = fold(root, _Spans(frozenset(basis), gram, ranges))
    _need(found, "a matrix", found.tall and found.wide, root)
    zero = LogForm.number(0)
    every = [*found.entries.values(), found.identity or zero]
    entries = {(i, j): found.entries.get((i, j), zero).within(*every) for i in basis for j in basis}
    return entries, every[-1].within(*every)


def number_of(root: Node, ranges: Ranges) -> LogForm:
    """A formula without vectors, as a form."""
    found = fold(root, _Spans(frozenset(), LogForm.number(1), ranges))
    _need(found, "a number", found.is_number, root)
    return found.number()


def _need(found: SpanForm, wanted: str, fits: bool, root: Node) -> None:
    if not fits:
        raise FormulaError(f"The answer must be {wanted}, this is {found.described()}.", position=root.at)


@final
class _Spans(Algebra[SpanForm]):
    def __init__(self, basis: frozenset[str], gram: LogForm, ranges: Ranges) -> None:
        self.basis, self.gram, self.ranges = basis, gram, ranges

    def number(self, value: Fraction) -> SpanForm:
        return _number(LogForm.number(value))

    def constant(self, name: str) -> SpanForm:
        return _eye() if name == "I" else _number(elementary.constant(name))

    def named(self, name: str) -> SpanForm:
        if name in self.basis:
            return SpanForm({(name, None): LogForm.number(1)}, True, False)
        return _number(LogForm.symbol(name))

    def array(self, rows: tuple[tuple[Fraction, ...], ...]) -> SpanForm:
        raise OutOfClass("an array of numbers is judged at one point only")

    def added(self, a: SpanForm, b: SpanForm) -> SpanForm:
        return a.added(b)

    def multiplied(self, a: SpanForm, b: SpanForm) -> SpanForm:
        return a.multiplied(b, self.gram)

    def reciprocal(self, a: SpanForm) -> SpanForm:
        if not a.is_number:
            raise Misfit(f"One cannot divide by {a.described()}.")
        return _number(LogForm.number(1) / a.number())

    def raised(self, base: SpanForm, exponent: SpanForm) -> SpanForm:
        if base.is_number:
            return _number(elementary.power(base.number(), exponent.number(), self.ranges))
        if not (base.tall and base.wide):
            raise Misfit(f"This is {base.described()}, which has no powers. A transpose is written with '.")
        times = exponent.number().value()
        if times is None or times not in range(9):
            raise OutOfClass("a matrix to this power is judged at one point only")
        found = _eye().added(base.scaled(LogForm.number(0)))  # also base^0 is there only where the base is
        for _ in range(int(times)):
            found = found.multiplied(base, self.gram)
        return found

    def transposed(self, a: SpanForm) -> SpanForm:
        return a.transposed()

    def called(self, function: str, arguments: list[SpanForm]) -> SpanForm:
        first = arguments[0]
        if function == "norm" and first.tall != first.wide:
            vector = first if first.tall else first.transposed()
            return _number(elementary.sqrt(vector.transposed().multiplied(vector, self.gram).number(), self.ranges))
        if function == "dot":
            if not all(x.tall and not x.wide for x in arguments):
                raise Misfit(f"dot takes two vectors, here it has {' and '.join(x.described() for x in arguments)}.")
            return first.transposed().multiplied(arguments[1], self.gram)
        if function in ("inv", "pinv", "svd_part") and not first.is_number:
            raise OutOfClass(f"{function} of a matrix is judged at one point only")
        return _number(elementary.applied(function, [argument.number() for argument in arguments], self.ranges))

    def whole(self, node: Node, value: Callable[[Node], SpanForm]) -> SpanForm | None:
        """ln of a part that has no form itself: ln(e^x) = x, ln(x^y) = y ln x and ln(xy) = ln x + ln y."""
        match node:
            case Call("log", (argument,)):
                return _number(self._log(argument, value))
        return None

    def _log(self, node: Node, value: Callable[[Node], SpanForm]) -> LogForm:
        if isinstance(node, Call) and node.function == "exp":
            return value(node.arguments[0]).number()
        try:
            return elementary.log(value(node).number())
        except OutOfClass:
            try:
                return self._log_by_parts(node, value)
            except Misfit as fault:  # ln(xy) may exist where ln x does not
                raise OutOfClass(str(fault)) from None

    def _log_by_parts(self, node: Node, value: Callable[[Node], SpanForm]) -> LogForm:
        match node:
            case Power(base, exponent):
                own = self._log(base, value)
                logs, found = [own], value(exponent).number() * own
            case Product(factors):
                logs, found = [], LogForm.number(0)
                for direction, factor in factors:
                    logs.append(self._log(factor, value))
                    found = found + logs[-1] * direction
            case _:
                raise OutOfClass("this logarithm has no normal form")
        # Two factors that may be negative may have a positive product: then ln(xy) exists where ln x and ln y do not.
        doubtful = sum(not all(c.kind != POSITIVE or holds(c, x.atoms, self.ranges) for c in x.conditions) for x in logs)
        if doubtful > isinstance(node, Product):
            raise OutOfClass("this logarithm has no normal form")
        return found


def _number(form: LogForm) -> SpanForm:
    return SpanForm({(None, None): form}, False, False)


def _eye() -> SpanForm:
    """I, on the span and beyond it."""
    return SpanForm({}, True, True, LogForm.number(1))


def _plus(a: LogForm | None, b: LogForm | None) -> LogForm | None:
    return b if a is None else a if b is None else a + b


def _times(a: LogForm | None, b: LogForm | None) -> LogForm | None:
    return None if a is None or b is None else a * b
