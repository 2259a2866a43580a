"""The readings of a product: which factors a function without brackets takes, and which stand below a slash.

    2 log n/eps k_1     log n, log(n/eps), or log(n/eps k_1): a function takes the next factor or more, up to the whole product
    eps/2n              eps/2·n or eps/(2n): factors without a sign between them may all stand below
    e^2t                e^2·t or e^(2t): what touches an exponent may belong to it
    log n^2             log(n^2) or (log n)^2

Each step keeps at most `MOST_READINGS` readings, and among those that fit together if any do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, final

from headwright.forms.trees import Call, Constant, Node, Number, Power, Product, Sum
from headwright.formulas import kinds
from headwright.formulas.kinds import COLUMN, MATRIX, NUMBER, UNKNOWN, Unfit
from headwright.formulas.tokens import MOST_READINGS

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


class Exponent(NamedTuple):
    """An exponent written without brackets, which may go on: base, sign, and what is there so far."""

    base: Readings
    sign: int
    core: Readings
    at: int


@final
@dataclass(slots=True)
class Item:
    """A factor with the sign before it, or a function without brackets (`function`), which takes factors after it."""

    at: int
    joint: str  # "", "*", "·", "×", "@" or "/"
    readings: Readings = ()
    tight: bool = False
    function: str = ""
    power: Readings = ()  # of a function: log^2
    narrow: bool = False  # √ takes only what touches it
    split: tuple[Readings, Readings, int] | None = None  # base and exponent of a plain power
    open: Exponent | None = None


class _Partial(NamedTuple):
    factors: Factors
    kind: str
    fault: Fault | None
    last: str  # the kind of the last factor
    before: str  # the kind of all factors before it


def kept(readings: Sequence[Reading]) -> Readings:
    """Each reading once, and only those that fit where some do."""
    if len(readings) < 2:
        return tuple(readings)
    fit = [reading for reading in readings if reading.fault is None]
    unlike: list[Reading] = []
    for reading in fit or readings[:1]:
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
    way, first = factors[0]
    if way == 1 and isinstance(first, Product) and first.factors[0][0] == 1:
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


def read_product(items: Sequence[Item]) -> Readings:
    """All readings of a product whose factors are these."""
    if len(items) == 1 and not items[0].function:
        return items[0].readings
    whole = _Product(items).whole()
    return kept([_closed(partial, items[0].at) for partial in whole])


def _closed(partial: _Partial, at: int) -> Reading:
    return Reading(product_node(partial.factors, at), partial.kind, partial.fault)


@final
class _Product:
    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        # The products from a place to every later one, by place and by whether only factors without a sign count.
        self.spans: dict[tuple[int, bool], list[list[_Partial]]] = {}
        for start in reversed(range(len(items))):
            if start == 0 or items[start - 1].function:
                self.spans[start, False] = self.from_place(start, below=False)
            if items[start].joint == "/":
                self.spans[start, True] = self.from_place(start, below=True)

    def whole(self) -> list[_Partial]:
        return self.spans[0, False][len(self.items)]

    def from_place(self, start: int, *, below: bool) -> list[list[_Partial]]:
        count = len(self.items)
        found: list[list[_Partial]] = [[] for _ in range(count + 1)]
        for end, reading in self.units(start):
            found[end].append(_Partial(((1, reading.node),), reading.kind, reading.fault, reading.kind, NUMBER))
        for place in range(start + 1, count):
            found[place] = _few(found[place])
            joint = self.items[place].joint
            if not found[place] or (below and joint):
                if below and joint:
                    break
                continue
            units = list(self.denominators(place) if joint == "/" else self.units(place))
            for end, reading in units:
                for partial in found[place]:
                    found[end] += _joined(partial, joint, reading, self.items[place].at)
        found[count] = _few(found[count])
        return found

    def denominators(self, place: int) -> Iterator[tuple[int, Reading]]:
        for end, partials in enumerate(self.spans[place, True]):
            for partial in _few(partials):
                yield end, _closed(partial, self.items[place].at)

    def units(self, place: int) -> Iterator[tuple[int, Reading]]:
        item = self.items[place]
        if item.function:
            yield from self.applied(place)
            return
        for reading in item.readings:
            yield place + 1, reading
        if item.open is None:
            return
        base, sign, core, at = item.open
        for end in self.touching(place + 1):
            rest = [(1, *one) for one in self.plain_products(place + 1, end)]
            for x in base:
                for y in core:
                    for _, factors, fault in rest:
                        longer = Reading(product_node(((1, y.node), *factors), y.node.at), y.kind, y.fault or fault)
                        yield end, power_of(x, longer if sign == 1 else negated(longer, at), at)

    def touching(self, place: int) -> Iterator[int]:
        """The places up to which factors touch, without a sign or a function without brackets."""
        while place < len(self.items) and self.items[place].tight and not self.items[place].joint:
            if self.items[place].function:
                return
            place += 1
            yield place

    def plain_products(self, start: int, end: int) -> list[tuple[Factors, Fault | None]]:
        """The factors of an exponent that goes on; only numbers may stand there."""
        found: list[tuple[Factors, Fault | None]] = [((), None)]
        for item in self.items[start:end]:
            wrong = "The exponent must be a number."
            found = [
                (
                    (*factors, (1, one.node)),
                    fault or one.fault or (None if one.kind in (NUMBER, UNKNOWN) else (item.at, wrong)),
                )
                for factors, fault in found
                for one in item.readings
            ]
            if len(found) > MOST_READINGS:
                raise TooMany
        return found

    def applied(self, place: int) -> Iterator[tuple[int, Reading]]:
        """A function without brackets, of every product that begins after it."""
        item, after = self.items[place], place + 1
        ends = {after + 1, *self.touching(after + 1)} if item.narrow else None
        for end, partials in enumerate(self.spans[after, False]):
            if end > after and (ends is None or end in ends):
                for partial in _few(partials):
                    yield (
                        end,
                        self.raised(item, call_of(item.function, [_closed(partial, self.items[after].at)], item.at)),
                    )
        split = self.items[after].split
        if split is not None:
            base, exponent, at = split
            for x in base:
                for y in exponent:
                    yield after + 1, self.raised(item, power_of(call_of(item.function, [x], item.at), y, at))

    def raised(self, item: Item, call: Reading) -> Reading:
        return power_of(call, item.power[0], item.at) if item.power else call


def _joined(partial: _Partial, joint: str, reading: Reading, at: int) -> list[_Partial]:
    """The product with one factor more; of two vectors around a dot, the inner product."""
    fault, kind = partial.fault or reading.fault, UNKNOWN
    factors = (*partial.factors, (-1 if joint == "/" else 1, reading.node))
    if fault is not None:
        return [_Partial(factors, UNKNOWN, fault, UNKNOWN, UNKNOWN)]
    vectors = partial.kind == reading.kind == COLUMN
    try:
        if joint == "·" and vectors:
            return list(_dotted(partial, reading))
        if joint == "×" and vectors:
            raise Unfit("× between two vectors has no meaning here. An inner product is u·v or u' * v.")
        kind = (kinds.divided if joint == "/" else kinds.times)(partial.kind, reading.kind)
    except Unfit as unfit:
        fault = at, str(unfit)
    return [_Partial(factors, kind, fault, reading.kind, partial.kind)]


def _dotted(partial: _Partial, reading: Reading) -> Iterator[_Partial]:
    """u·v of the factor before the dot; of the whole product before it where that is another number."""
    *before, (way, last) = partial.factors
    if partial.last == COLUMN and way == 1:
        dot = Call("dot", (last, reading.node), at=last.at)
        yield _Partial((*before, (1, dot)), partial.before, None, NUMBER, partial.before)
    if partial.last != COLUMN or partial.before == MATRIX:
        whole = Call("dot", (product_node(partial.factors, last.at), reading.node), at=last.at)
        yield _Partial(((1, whole),), NUMBER, None, NUMBER, NUMBER)


def _few(partials: list[_Partial]) -> list[_Partial]:
    if len(partials) < 2:
        return partials
    fit = [partial for partial in partials if partial.fault is None]
    unlike: list[_Partial] = []
    for partial in fit or partials[:1]:
        if partial not in unlike:
            unlike.append(partial)
    if len(unlike) > MOST_READINGS:
        raise TooMany
    return unlike
