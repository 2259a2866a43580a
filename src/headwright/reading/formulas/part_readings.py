"""The readings of a part of a formula: its trees, their kinds, and how they combine.

A reading whose parts do not fit together carries the fault. It is dropped wherever another reading fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeVar

from headwright.reading.formulas import kinds
from headwright.reading.formulas.kinds import MATRIX, UNKNOWN, Unfit
from headwright.reading.formulas.tokens import MOST_READINGS
from headwright.theories.formulas.forms.trees import Call, Constant, Node, Number, Power, Product, Sum, Transposed

_LARGEST = 10**40  # numerators and denominators of numbers that are multiplied here; larger ones are left as they stand
Fault = tuple[int, str]
Factors = tuple[tuple[int, Node], ...]


class TooMany(Exception):  # noqa: N818 - the grammar adds the place
    """A part has more readings than are followed."""


class Reading(NamedTuple):
    """One reading of a part: its tree, its kind, and why its parts do not fit together, if they do not."""

    node: Node
    kind: str
    fault: Fault | None = None


Readings = tuple[Reading, ...]


class _Judged(Protocol):
    @property
    def fault(self) -> Fault | None: ...


R = TypeVar("R", bound=_Judged)


def kept(readings: Sequence[R]) -> tuple[R, ...]:
    """Each reading once, and only those that fit where some do; TooMany if they are more than are followed."""
    if len(readings) < 2:
        return tuple(readings)
    unlike: list[R] = []
    for reading in [one for one in readings if one.fault is None] or readings[:1]:
        if reading not in unlike:
            unlike.append(reading)
    if len(unlike) > MOST_READINGS:
        raise TooMany
    return tuple(unlike)


def made(node: Node, at: int, kind: Callable[[], str], *parts: Reading) -> Reading:
    """A reading of a node, with the first fault of its parts or its own."""
    fault = next((part.fault for part in parts if part.fault is not None), None)
    if fault is None:
        try:
            return Reading(node, kind())
        except Unfit as unfit:
            fault = at, str(unfit)
    return Reading(node, UNKNOWN, fault)


def power_of(base: Reading, exponent: Reading, at: int) -> Reading:
    """base^exponent; the inverse of a matrix and a power of e are the same trees as inv and exp."""
    node: Node = Power(base.node, exponent.node, at=at)
    if base.kind == MATRIX and exponent.node in (Number(Fraction(-1)), Sum(((-1, Number(Fraction(1))),))):
        node = Call("inv", (base.node,), at=at)
    elif base.node == Constant("e"):
        node = Call("exp", (exponent.node,), at=at)
    return made(node, at, lambda: kinds.raised(base.kind, exponent.kind), base, exponent)


def powers(base: Readings, exponent: Readings, at: int) -> Readings:
    return kept([power_of(x, y, at) for x in base for y in exponent])


def call_of(function: str, arguments: Sequence[Reading], at: int) -> Reading:
    node = Call(function, tuple(x.node for x in arguments), at=at)
    return made(node, at, lambda: kinds.called(function, [x.kind for x in arguments]), *arguments)


def quotient(above: Reading, below: Reading, at: int) -> Reading:
    """What a fraction bar means."""
    node = product_node(((1, above.node), (-1, below.node)), at)
    return made(node, below.node.at, lambda: kinds.divided(above.kind, below.kind), above, below)


def negated(reading: Reading, at: int) -> Reading:
    return reading._replace(node=Sum(((-1, reading.node),), at=at))


def product_node(factors: Factors, at: int) -> Node:
    """The product, flat at its beginning and with its leading numbers multiplied: 1/2·k, ½·k and (1/2)·k are one tree."""
    first = factors[0][1]
    if isinstance(first, Product) and first.factors[0][0] == 1:
        factors = first.factors + factors[1:]
    numbers = 0
    value = Fraction(1)
    for way, node in factors:
        if not isinstance(node, Number) or (way == -1 and not node.value):
            break
        longer = value * node.value if way == 1 else value / node.value
        if max(abs(longer.numerator), longer.denominator) > _LARGEST:
            break
        value, numbers = longer, numbers + 1
    if numbers > 1:
        factors = ((1, Number(value, at=factors[0][1].at)), *factors[numbers:])
    return factors[0][1] if len(factors) == 1 and factors[0][0] == 1 else Product(factors, at=at)


def transposed(reading: Reading) -> Reading:
    """The transpose; that of a transpose is what it stands on."""
    node = reading.node.of if isinstance(reading.node, Transposed) else Transposed(reading.node, at=reading.node.at)
    return made(node, reading.node.at, lambda: kinds.turned(reading.kind), reading)
