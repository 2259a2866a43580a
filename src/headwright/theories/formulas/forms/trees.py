"""Formulas as trees: frozen values, written to certificates as nested lists, so that you need not trust any grammar.

Sums and products are flat and a tree is at most `MOST_DEPTH` deep, so code that walks it may recurse. A node records its place
in the text (`at`) for messages only: two trees that differ only there are equal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, final

from headwright.kernel import inputs
from headwright.kernel.record import written_as
from headwright.theories.formulas.forms.faults import OutOfClass

MOST_DEPTH = 60
MOST_NODES = 2_000  # a text has at most 500 tokens, and an array of numbers is one node for each of its rows
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}")
CONSTANTS = ("pi", "e", "I")
FUNCTIONS: dict[str, tuple[int, int]] = {  # how many arguments each takes
    **dict.fromkeys(["log", "exp", "sqrt", "abs", "inv", "pinv", "norm"], (1, 1)),
    **dict.fromkeys(["dot", "svd_part"], (2, 2)),
    **dict.fromkeys(["min", "max"], (2, 8)),
}


@dataclass(frozen=True, kw_only=True)
class _Node:
    at: int = field(default=0, compare=False)


@final
@dataclass(frozen=True)
class Number(_Node):
    """An exact rational."""

    value: Fraction


@final
@dataclass(frozen=True)
class Name(_Node):
    """A name of the question."""

    name: str


@final
@dataclass(frozen=True)
class Constant(_Node):
    """pi, e, or I, the identity matrix."""

    name: str


@final
@dataclass(frozen=True)
class Array(_Node):
    """[1, 2] or [[1, 2], [3, 4]]: rows of numbers; the first kind is a column vector, with one number in each row."""

    rows: tuple[tuple[Fraction, ...], ...]


@final
@dataclass(frozen=True)
class Sum(_Node):
    """term_1 ± term_2 ± …: (1 or -1, term) in order."""

    terms: tuple[tuple[int, Node], ...]


@final
@dataclass(frozen=True)
class Product(_Node):
    """factor_1 · factor_2 / factor_3 …: (1 or -1 for division, factor) in order."""

    factors: tuple[tuple[int, Node], ...]


@final
@dataclass(frozen=True)
class Power(_Node):
    """base^exponent."""

    base: Node
    exponent: Node


@final
@dataclass(frozen=True)
class Transposed(_Node):
    """The transpose of a vector or matrix."""

    of: Node


@final
@dataclass(frozen=True)
class Call(_Node):
    """One of `FUNCTIONS` with its arguments."""

    function: str
    arguments: tuple[Node, ...]


Node = Number | Name | Constant | Array | Sum | Product | Power | Transposed | Call


def _own(node: Any) -> dict[str, Any]:
    """The fields of a node, without its place."""
    return {name: value for name, value in vars(node).items() if name != "at"}


def parts(x: Any) -> Iterator[Node]:
    """The nodes directly below this one."""
    for value in x if isinstance(x, tuple) else _own(x).values():
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from parts(value)


def below(node: Node) -> Iterator[Node]:
    """The node and all that it is made of."""
    yield node
    for part in parts(node):
        yield from below(part)


def names_in(node: Node) -> frozenset[str]:
    """The names that occur."""
    return frozenset(part.name for part in below(node) if isinstance(part, Name))


def need_degree(node: Node, most: int) -> int:
    """A bound on the degree of every polynomial in the formula; OutOfClass if a sum may exceed degree `most`.

    Factoring a polynomial of high degree takes long, and answers do not need one.
    """
    match node:
        case Name():
            return 1
        case Sum(pairs) | Product(pairs):
            degrees = [need_degree(part, most) for _, part in pairs]
            degree = sum(degrees) if isinstance(node, Product) else max(degrees)
        case Power(base, Number(exponent)):
            degree = math.ceil(need_degree(base, most) * abs(exponent))
        case _:
            return max((need_degree(part, most) for part in parts(node)), default=0)
    if degree > most and any(isinstance(part, Sum) for part in below(node)):
        raise OutOfClass(f"a polynomial of degree above {most}")
    return degree


def with_numbers(node: Node, values: Mapping[str, Fraction]) -> Node:
    """The tree with some of its names replaced by numbers."""

    def put(x: Any) -> Any:
        match x:
            case Name(name):
                return Number(values[name], at=x.at) if name in values else x
            case tuple():
                return tuple(map(put, x))
            case _Node():
                return replace(x, **{name: put(value) for name, value in _own(x).items()})
        return x

    replaced: Node = put(node)
    return replaced


def to_lists(node: Node) -> list[Any]:
    """The tree as nested lists, for a certificate.

    >>> to_lists(Sum(((1, Name("n")), (-1, Number(Fraction(1, 2))))))
    ['sum', [1, ['name', 'n']], [-1, ['number', '1/2']]]
    """

    def stored(x: Any) -> Any:
        match x:
            case Fraction():
                return str(x)
            case tuple():
                return list(map(stored, x))
            case _Node():
                *first, last = map(stored, _own(x).values())
                several = isinstance(x, Array | Sum | Product | Call)
                return [type(x).__name__.lower(), *first, *(last if several else [last])]
        return x

    lists: list[Any] = stored(node)
    return lists


def from_lists(stored: Any) -> Node:
    """The tree that `to_lists` wrote; ValueError or TypeError for anything else, including a tree that is too large."""
    left = [MOST_NODES]

    def read(stored: Any, depth: int) -> Node:
        left[0] -= 1
        if depth > MOST_DEPTH or left[0] < 0:
            raise ValueError(f"`tree` must have at most {MOST_NODES} nodes, at most {MOST_DEPTH} deep")
        match stored:
            case ["number", str(text)]:
                return Number(inputs.rational(text, name="tree"))
            case ["name", str(name)]:
                return Name(plain_name(name))
            case ["constant", str(name)] if name in CONSTANTS:
                return Constant(name)
            case ["array", [_, *_] as first, *rest] if all(
                isinstance(row, list) and len(row) == len(first) for row in rest
            ):
                left[0] -= len(rest) * len(first)
                return Array(
                    tuple(tuple(inputs.rational(entry, name="tree") for entry in row) for row in [first, *rest])
                )
            case ["sum" | "product" as kind, _, *_] if all(_is_signed(pair) for pair in stored[1:]):
                pairs = tuple((int(sign), read(part, depth + 1)) for sign, part in stored[1:])
                return Sum(pairs) if kind == "sum" else Product(pairs)
            case ["power", base, exponent]:
                return Power(read(base, depth + 1), read(exponent, depth + 1))
            case ["transposed", of]:
                return Transposed(read(of, depth + 1))
            case ["call", str(function), *arguments] if function in FUNCTIONS:
                least, most = FUNCTIONS[function]
                if least <= len(arguments) <= most:
                    return Call(function, tuple(read(part, depth + 1) for part in arguments))
        raise ValueError(f"`tree` must be made of known nodes, got {str(stored)[:60]}")

    return read(stored, 0)


def plain_name(name: Any) -> str:
    """The name, if it is a plain word: the normal forms use other names of their own, which must not clash with it."""
    if not isinstance(name, str) or not _WORD.fullmatch(name):
        raise ValueError(f"a name must be a word of letters, digits and underscores, got {str(name)[:40]!r}")
    return name


def _is_signed(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int and pair[0] in (1, -1)


def spelled(node: Node) -> str:
    """The formula as text.

    >>> spelled(Product(((1, Number(Fraction(2))), (-1, Sum(((1, Name("n")), (-1, Name("eps"))))))))
    '2/(n - eps)'
    """
    match node:
        case Number(value):
            return str(value) if value.denominator == 1 and value >= 0 else f"({value})"
        case Name(name) | Constant(name):
            return name
        case Array(rows):
            shown = [", ".join(map(str, row)) for row in rows]
            return f"[{', '.join(row if len(rows[0]) == 1 else f'[{row}]' for row in shown)}]"
        case Sum(terms):
            shown = [spelled(part) if isinstance(part, Product) else _grouped(part) for _, part in terms]
            text = "".join(f" {'+' if sign > 0 else '-'} {part}" for (sign, _), part in zip(terms, shown, strict=True))
            return text[3:] if terms[0][0] > 0 else f"-{text[3:]}"
        case Product(factors):
            text = "".join(f"{'*' if way > 0 else '/'}{_grouped(part)}" for way, part in factors)
            return text[1:] if factors[0][0] > 0 else f"1{text}"
        case Power(base, exponent):
            return f"{_grouped(base)}^{_grouped(exponent)}"
        case Transposed(of):
            return f"{_grouped(of)}'"
        case Call(function, arguments):
            return f"{function}({', '.join(map(spelled, arguments))})"


def _grouped(node: Node) -> str:
    return f"({spelled(node)})" if isinstance(node, Sum | Product | Power) else spelled(node)


written_as("Node", to_lists, lambda said, name: from_lists(said))
