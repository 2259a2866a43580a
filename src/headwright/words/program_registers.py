"""Registers, sums of registers, and selectors: what the steps of a `Program` (`words/program.py`) are made of."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, final

from headwright.kernel import inputs
from headwright.theories.programs.steps import INDICES, Atom, Label, Sum, Values

if TYPE_CHECKING:
    from headwright.words.program import Program


class Arithmetic:
    """Sums, differences and multiples of registers of numbers, and comparisons between them."""

    program: Program

    def sum(self) -> Sum:
        raise NotImplementedError

    def __add__(self, other: Any) -> Expression:
        return _combined(self, other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Expression:
        return _combined(self, other, -1)

    def __rsub__(self, other: Any) -> Expression:
        return _combined(-1 * self, other, 1)

    def __mul__(self, factor: Any) -> Expression:
        if isinstance(factor, Arithmetic):
            raise TypeError(
                "`factor` must be a number: a program multiplies registers with `map`, as in `p.map(f, x, y)`"
            )
        by = inputs.rational(factor, name="factor")
        own = self.sum()
        terms = tuple((register, by * own_factor) for register, own_factor in own.terms) if by else ()
        return Expression(self.program, Sum(terms, by * own.constant))

    __rmul__ = __mul__

    def __neg__(self) -> Expression:
        return -1 * self

    def __le__(self, other: Any) -> Register:
        return self.program.compare(_combined(-1 * self, other, 1), strict=False)

    def __ge__(self, other: Any) -> Register:
        return self.program.compare(_combined(self, other, -1), strict=False)

    def __lt__(self, other: Any) -> Register:
        return self.program.compare(_combined(-1 * self, other, 1), strict=True)

    def __gt__(self, other: Any) -> Register:
        return self.program.compare(_combined(self, other, -1), strict=True)

    def __eq__(self, other: object) -> NoReturn:  # Python's own answer would be False, which no program means
        raise TypeError(
            "== does not compare registers. Select keys by `x.matches(y)`, and compare labels by "
            "`p.map(lambda a, b: a == b, x, y)`"
        )

    __hash__ = object.__hash__

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a register has no truth value, since it holds one value for each position. Write `a <= b` and `b <= c` as "
            "two registers, not `a <= b <= c`"
        )


@final
class Expression(Arithmetic):
    """A sum of multiples of registers, for `at`, `sign` and comparisons.

    >>> from headwright import Program
    >>> p = Program("ab", length=4)
    >>> p.length() - 1 - p.indices
    Expression: -1 + 1·length#2 - 1·indices
    """

    def __init__(self, program: Program, total: Sum) -> None:
        self.program, self._sum = program, total

    def sum(self) -> Sum:
        return self._sum

    def __repr__(self) -> str:
        terms = [f"{'-' if f < 0 else '+'} {abs(f)}·{self.program.name(r)}" for r, f in self._sum.terms]
        return f"Expression: {' '.join([str(self._sum.constant), *terms])}"


@final
class Register(Arithmetic):
    """One value for each position of a word. `.labels` lists the values it can have, and is None for a mean.

    >>> from headwright import Program
    >>> p = Program("ab", length=4)
    >>> p.tokens.labels, p.count(p.tokens.among("a"))
    (('a', 'b'), Register count#2: 0, 1, 2, 3, 4)
    """

    def __init__(self, program: Program, number: int) -> None:
        self.program, self.number = program, number

    @property
    def labels(self) -> tuple[Label, ...] | None:
        """The values that the register can have, or None if they are not listed (a mean)."""
        return self._values.labels

    @property
    def _values(self) -> Values:
        return self.program.written().values[self.number]

    def sum(self) -> Sum:
        if not self._values.numeric:
            raise TypeError(
                f"`{self.program.name(self.number)}` must hold numbers to be added or compared, but it holds text"
            )
        return Sum(((self.number, Fraction(1)),))

    def matches(self, mine: Register) -> Selector:
        """Select the keys whose value in this register equals my value in `mine`."""
        number = self.program.register(mine, "mine")
        whole = mine.labels is not None and mine._values.numeric
        if self.number == INDICES and whole:
            return self.program.at(mine)
        return self.program.selecting(Atom("matches", key=self.number, mine=number))

    def below(self, other: Register | Label) -> Selector:
        """Select the keys whose value in this register is below my value in `other`, or below a given label."""
        if isinstance(other, Register):
            number = self.program.register(other, "other")
            return self.program.selecting(Atom("below", key=self.number, mine=number))
        labels = self.labels or ()
        if isinstance(other, str):
            if other not in labels:
                raise ValueError(f"`other` must be a label of {self.program.name(self.number)}, got {other!r}")
            if not set(labels) <= set(self.program.written().vocabulary):
                raise ValueError("`other` must be a number or a token: only tokens and numbers have an order")
            return self.among([label for label in labels if self.program.written().selects(_BELOW, label, other)])
        limit = inputs.rational(other, name="other")
        return self.among([label for label in labels if isinstance(label, int) and label < limit])

    def among(self, chosen: Iterable[Label]) -> Selector:
        """Select the keys whose value in this register is one of these labels."""
        if not isinstance(chosen, Iterable):
            raise TypeError(f"`chosen` must be a list of labels, got {type(chosen).__name__}")
        return self.program.selecting(Atom("among", key=self.number, chosen=tuple(map(plain, chosen))))

    def __repr__(self) -> str:
        return f"Register {self.program.name(self.number)}: {said(self._values)}"


_BELOW = Atom("below")
_FEW = 8  # labels that a sentence lists


@final
class Selector:
    """Which keys a position selects; `&` joins two.

    >>> from headwright import Program
    >>> p = Program("ab", length=4)
    >>> p.before() & p.tokens.matches(p.tokens)
    Selector: before & matches
    """

    def __init__(self, program: Program, atoms: tuple[Atom, ...]) -> None:
        self.program, self.atoms = program, atoms

    def __and__(self, other: Selector) -> Selector:
        if not isinstance(other, Selector):
            raise TypeError(f"`&` must join two selectors, got {type(other).__name__}")
        return Selector(self.program, self.atoms + self.program.selector(other))

    def __bool__(self) -> NoReturn:  # `a and b` would be b
        raise TypeError("a selector has no truth value: join two by `a & b`, not by `a and b`")

    def __repr__(self) -> str:
        return f"Selector: {' & '.join(atom.kind for atom in self.atoms)}"


def combinations(values: list[Values]) -> itertools.product[tuple[Label, ...]]:
    """Every combination of labels, in the order of a table."""
    return itertools.product(*(own.labels for own in values if own.labels is not None))


def said(values: Values) -> str:
    """What a register can hold, in words."""
    if values.labels is None:
        return f"numbers from {values.low} to {values.high}"
    if len(values.labels) > _FEW and values.numeric:
        return f"whole numbers {values.low} to {values.high}"
    more = f" and {len(values.labels) - _FEW} more" if len(values.labels) > _FEW else ""
    return f"{', '.join(map(str, values.labels[:_FEW]))}{more}"


def plain(label: Any) -> Any:
    """A NumPy scalar as the Python value that it is; anything else as it came, for the check of labels."""
    return label.item() if hasattr(label, "item") and getattr(label, "ndim", None) == 0 else label


def _combined(one: Arithmetic, other: Any, sign: int) -> Expression:
    total = dict(one.sum().terms)
    added = one.program.total(other, "other")
    for register, factor in added.terms:
        total[register] = total.get(register, Fraction(0)) + sign * factor
    terms = tuple((register, factor) for register, factor in total.items() if factor)
    return Expression(one.program, Sum(terms, one.sum().constant + sign * added.constant))
