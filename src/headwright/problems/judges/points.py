"""Single members of a family: their weights in balls, whether they meet the question, and what to say about them.

Every comparison is certain or not made, so that a member that fails is a counterexample.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from headwright import balls
from headwright.formulas import LogForm
from headwright.problems.judges.questions import Ask
from headwright.problems.judges.weights import heads_of_length, mean_weights, room

_SIZES = (10, 3, 2, 4, 1000, 10**6, 10**12)
_TOLERANCES = tuple(
    Fraction(text) for text in ("1/2", "1/10", "1/100", "9/10", "1/1000000", "1/1000000000000", "1048575/1048576")
)
_BITS = (128, 512)
_MOST_LEAD = 10**6  # scores further ahead than this are not followed to the n that outweighs them
_LONG = 10**300  # beyond this no float can be told instead
_DIGITS_PER_LEAD = Fraction(4343, 10**4)  # e^x < 10^(0.4343 x) for x > 0


@final
@dataclass(frozen=True)
class Point:
    """One member: n, the tolerance ε, and values of further symbols, such as large ones.

    `named` is False where the formula has no eps, so that ε stands for the error alone.
    """

    n: int
    epsilon: Fraction
    further: Mapping[str, Fraction]
    named: bool = True

    def values(self) -> dict[str, Fraction]:
        return {"n": Fraction(self.n), "eps": self.epsilon, **self.further}

    def told(self) -> dict[str, Fraction]:
        """What a reader needs to compute this member himself, the error left out."""
        return {"n": Fraction(self.n), **({"eps": self.epsilon} if self.named else {}), **self.further}

    def __str__(self) -> str:
        return ", ".join(f"{name} = {_short(value)}" for name, value in self.told().items())


def spelled(number: Fraction) -> str:
    """A rational in full; a power of ten that may be too long for that by its exponent.

    >>> spelled(Fraction(1, 3)), spelled(Fraction(10) ** 5000)
    ('1/3', '10^5000')
    """
    digits = 0 if number < _LONG else round((number.numerator.bit_length() - 1) / math.log2(10))
    return f"10^{digits}" if digits and number == 10**digits else str(number)


def _short(number: Fraction) -> str:
    """A rational for a sentence: itself where it is short, else six digits of it."""
    short = number >= _LONG or max(abs(number.numerator), number.denominator) < 10**13
    return spelled(number) if short else f"{float(number):.6g}"


@final
@dataclass(frozen=True)
class Finding:
    """What is known of one member: `meets` is None where no comparison is certain; `weights` of the targets in the worst case."""

    meets: bool | None
    point: Point
    weights: tuple[float, ...] = ()
    when: str = ""
    fault: str = ""


def members(n: int | None, tolerances: Sequence[Fraction] | None, *, named: bool = True) -> Iterator[Point]:
    """The members that are looked at one by one, the telling ones first; `tolerances` None: all of (0, 1)."""
    for size in _SIZES if n is None else (n,):
        for epsilon in _TOLERANCES if tolerances is None else tolerances:
            yield Point(size, epsilon, {}, named)


def far_power(ask: Ask, queries: Sequence[dict[str, LogForm]], epsilon: Fraction) -> int | None:
    """A k such that the targets must fail among 10^k keys, for scores that do not depend on n; None where that is too many.

    A head whose targets score at most g more than the others gives them at most m e^g/(n-m) of its attention. They must
    have m/(m+ε) of it together at least, and have less once n is 10^3 (m+ε) e^g.
    """
    values = {"n": Fraction(ask.targets), "eps": epsilon}
    leads = [
        balls.upper((form - head.rest).enclosure(values))
        for length in ask.lengths
        for head in heads_of_length(ask, queries, length)
        for form in head.targets
    ]
    known = [lead for lead in leads if lead is not None]
    if len(known) < len(leads) or max(known) > _MOST_LEAD:
        return None
    return math.ceil(max(*known, Fraction(0)) * _DIGITS_PER_LEAD) + 3 + len(str(math.ceil(ask.targets + epsilon)))


def looked_at(ask: Ask, queries: Sequence[dict[str, LogForm]], point: Point) -> Finding:
    """Whether this member meets the question; `queries` may still have the point's symbols in them."""
    undefined = _undefined(queries, point)
    if undefined:
        return Finding(False, point, fault=undefined)
    too_long = _too_long(ask, queries, point)
    if isinstance(too_long, str):
        return Finding(False, point, fault=too_long)
    verdicts = [_at_length(ask, queries, point, length) for length in ask.lengths]
    worst = next((v for state in (False, None) for v in verdicts if v.meets is state), verdicts[0])
    return replace(worst, meets=None) if too_long is None and worst.meets else worst


def _at_length(ask: Ask, queries: Sequence[dict[str, LogForm]], point: Point, length: Fraction) -> Finding:
    heads = heads_of_length(ask, queries, length)
    when = f"c = {length}" if len(ask.lengths) > 1 else ""
    shown: tuple[float, ...] = ()
    for bits in _BITS:
        weights = mean_weights(heads, point.n, point.values(), bits=bits)
        if weights is None:
            continue
        with balls.precision(bits):
            shown = tuple(float(weight.mid()) for weight in weights)
            spare = room(ask, weights, point.epsilon)
            if any(part < 0 for part in spare):
                return Finding(False, point, shown, when)
            if all(part > 0 for part in spare):
                return Finding(True, point, shown, when)
    return Finding(None, point, shown, when)


def _undefined(queries: Sequence[dict[str, LogForm]], point: Point) -> str:
    """Why the formula certainly has no value at this member; "" where it may have one."""
    values = point.values()
    for query in queries:
        for form in query.values():
            for condition in form.conditions:
                plain = LogForm(condition.function, form.atoms)
                ball = plain.enclosure(values)
                if condition.kind == "positive" and ball <= 0:
                    return f"there is a logarithm of {condition.function}, which is {_told(ball)} there"
                if condition.kind == "nonzero" and ball == 0:
                    return f"there is a division by {condition.function}, which is 0 there"
                if condition.kind == "nonnegative" and ball < 0:
                    return f"there is a root of {condition.function}, which is {_told(ball)} there"
    return ""


def _told(ball: balls.Ball) -> str:
    return f"{float(ball.mid()):.3g}"


def _too_long(ask: Ask, queries: Sequence[dict[str, LogForm]], point: Point) -> str | bool | None:
    """A sentence where the query is certainly too long; False where it certainly is not; None where that is open."""
    if ask.limit is None:
        return False
    values = point.values()
    for bits in _BITS:
        parts = [form.enclosure(values, bits=bits) for form in queries[0].values()]
        with balls.precision(bits):
            square = balls.total([part * part for part in parts])
            allowed = balls.exact(ask.limit) * balls.exact(point.n / point.epsilon).log() ** 2
            if square > allowed:
                lengths = [float(ball.sqrt().mid()) for ball in (square, allowed)]
                return f"the query has length {lengths[0]:.6g} there, and the question allows {lengths[1]:.6g}"
            if square < allowed:
                return False
    return None
