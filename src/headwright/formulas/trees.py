"""Formulas as trees: frozen values that remember where in the text they came from.

Sums and products are flat, so that a tree is never deeper than `MOST_DEPTH`, and everything that walks it may recurse.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.formulas.faults import FormulaError

MOST_DEPTH = 60


@final
@dataclass(frozen=True, slots=True)
class Number:
    """An exact decimal."""

    at: int
    value: Fraction


@final
@dataclass(frozen=True, slots=True)
class Name:
    """A name of the question, or one of the constants pi, e, I."""

    at: int
    name: str


@final
@dataclass(frozen=True, slots=True)
class Array:
    """[1, 2] or [[1, 2], [3, 4]]: rows of numbers; `flat` for the first kind, a column vector."""

    at: int
    rows: tuple[tuple[Fraction, ...], ...]
    flat: bool


@final
@dataclass(frozen=True, slots=True)
class Sum:
    """term_1 ± term_2 ± …: (sign, term) in order."""

    at: int
    terms: tuple[tuple[int, Node], ...]


@final
@dataclass(frozen=True, slots=True)
class Product:
    """factor_1 · factor_2 / factor_3 …: (1 or -1 for division, factor) in order."""

    at: int
    factors: tuple[tuple[int, Node], ...]


@final
@dataclass(frozen=True, slots=True)
class Power:
    """base^exponent."""

    at: int
    base: Node
    exponent: Node


@final
@dataclass(frozen=True, slots=True)
class Transposed:
    """The transpose of a vector or matrix."""

    at: int
    of: Node


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A function of the whitelist with its arguments."""

    at: int
    function: str
    arguments: tuple[Node, ...]


Node = Number | Name | Array | Sum | Product | Power | Transposed | Call


@final
@dataclass(frozen=True, slots=True, repr=False)
class Formula:
    """A formula that has been read: its text, its tree, and the names of the question that it may use.

    `used` are those of the names that it does use, without the constants.
    """

    text: str
    root: Node
    names: frozenset[str]

    @property
    def used(self) -> frozenset[str]:
        return frozenset(_names(self.root)) & self.names

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Formula {self.text}>"

    def wrong(self, node: Node, message: str) -> FormulaError:
        """The error to raise about one part of this formula."""
        return FormulaError(message, text=self.text, position=node.at)


def parts(node: Node) -> tuple[Node, ...]:
    """The nodes directly below this one."""
    match node:
        case Sum(_, pairs) | Product(_, pairs):
            return tuple(part for _, part in pairs)
        case Power(_, base, exponent):
            return base, exponent
        case Transposed(_, of):
            return (of,)
        case Call(_, _, arguments):
            return arguments
    return ()


def _names(node: Node) -> set[str]:
    if isinstance(node, Name):
        return {node.name}
    return {name for part in parts(node) for name in _names(part)}
