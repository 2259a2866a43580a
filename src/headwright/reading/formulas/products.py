"""The readings of a product: which factors a function without brackets takes, and which stand below a slash.

    2 log n/eps k_1     log n, log(n/eps), or log(n/eps k_1): a function takes the next factor or more, up to the whole product
    eps/2n              eps/2·n or eps/(2n): factors without a sign between them may all stand below
    e^2t                e^2·t or e^(2t): what touches an exponent may belong to it
    log n^2             log(n^2) or (log n)^2

Each step keeps at most `MOST_READINGS` readings, and among those that fit together if any do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

from headwright.reading.formulas import kinds
from headwright.reading.formulas.kinds import COLUMN, MATRIX, NUMBER, UNKNOWN, Unfit
from headwright.reading.formulas.part_readings import (
    Factors,
    Fault,
    Reading,
    Readings,
    TooMany,
    call_of,
    kept,
    negated,
    power_of,
    product_node,
)
from headwright.reading.formulas.tokens import MOST_READINGS
from headwright.theories.formulas.forms.trees import Call, Transposed


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
        self.spans: dict[tuple[int, bool], list[tuple[_Partial, ...]]] = {}
        for start in reversed(range(len(items))):
            if start == 0 or items[start - 1].function:
                self.spans[start, False] = self.from_place(start, below=False)
            if items[start].joint == "/":
                self.spans[start, True] = self.from_place(start, below=True)

    def whole(self) -> tuple[_Partial, ...]:
        return self.spans[0, False][len(self.items)]

    def from_place(self, start: int, *, below: bool) -> list[tuple[_Partial, ...]]:
        """The products from here to every later place; `below` a slash only as far as no sign stands between factors."""
        found: list[list[_Partial]] = [[] for _ in range(len(self.items) + 1)]
        for end, reading in self.units(start):
            found[end].append(_Partial(((1, reading.node),), reading.kind, reading.fault, reading.kind, NUMBER))
        for place in range(start + 1, len(self.items)):
            joint, so_far = self.items[place].joint, kept(found[place])
            if below and joint:
                break
            for end, reading in (self.denominators(place) if joint == "/" else self.units(place)) if so_far else ():
                for partial in so_far:
                    found[end] += _joined(partial, joint, reading, self.items[place].at)
        return list(map(kept, found))

    def denominators(self, place: int) -> Iterator[tuple[int, Reading]]:
        for end, partials in enumerate(self.spans[place, True]):
            for partial in partials:
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
        yield from self.longer_powers(item.open, place + 1)

    def longer_powers(self, power: Exponent, place: int, function: Item | None = None) -> Iterator[tuple[int, Reading]]:
        """Powers whose exponent goes on: e^2t is e^(2t), and log n^2t may be (log n)^(2t)."""
        base, sign, core, at = power
        for end in self.touching(place):
            for factors, fault in self.exponents(core, place, end):
                longer = Reading(product_node(factors, at), NUMBER, fault)
                exponent = longer if sign == 1 else negated(longer, at)
                for x in base:
                    yield (
                        end,
                        power_of(x if function is None else call_of(function.function, [x], function.at), exponent, at),
                    )

    def touching(self, place: int) -> Iterator[int]:
        """The places up to which factors touch, without a sign or a function without brackets."""
        while place < len(self.items) and self.items[place].tight and not self.items[place].joint:
            if self.items[place].function:
                return
            place += 1
            yield place

    def exponents(self, core: Readings, start: int, end: int) -> list[tuple[Factors, Fault | None]]:
        """The factors of an exponent that goes on; only numbers may stand there."""
        found: list[tuple[Factors, Fault | None]] = [(((1, one.node),), one.fault) for one in core]
        for item in self.items[start:end]:
            wrong = item.at, "The exponent must be a number."
            found = [
                ((*factors, (1, one.node)), fault or one.fault or (None if one.kind in (NUMBER, UNKNOWN) else wrong))
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
                for partial in partials:
                    yield (
                        end,
                        self.raised(item, call_of(item.function, [_closed(partial, self.items[after].at)], item.at)),
                    )
        split, longer = self.items[after].split, self.items[after].open
        if split is not None:
            base, exponent, at = split
            for x in base:
                for y in exponent:
                    yield after + 1, self.raised(item, power_of(call_of(item.function, [x], item.at), y, at))
        if longer is not None:
            for end, reading in self.longer_powers(longer, after + 1, item):
                yield end, self.raised(item, reading)

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
        if joint == "⊗" and vectors:
            turned = Transposed(reading.node, at=reading.node.at)
            return [_Partial((*partial.factors, (1, turned)), MATRIX, None, MATRIX, partial.before)]
        if joint == "⊗":
            raise Unfit("⊗ stands between two vectors and means u * v'.")
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
