"""Single members of a family: their weights in balls, and whether they meet what is asked.

Every comparison is certain or not made, so that a member that fails is a counterexample.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Self, final

from headwright import arrays, balls
from headwright.forms import FormulaError, LogForm
from headwright.proofs.families.family import NO_FORM, Queries, QueryFamily, heads_of, leans_at_worst
from headwright.proofs.families.weights import mean_weights, room

_BITS = (128, 512)
_LARGEST_POWER = 10**6  # a member may have 10^k keys, written as its power of ten


@final
@dataclass(frozen=True)
class Member:
    """One member: n, the tolerance ε, and values of further symbols, such as large ones."""

    n: int
    epsilon: Fraction
    further: Mapping[str, Fraction] = field(default_factory=lambda: MappingProxyType({}))

    def values(self) -> dict[str, Fraction]:
        return {"n": Fraction(self.n), "eps": self.epsilon, **self.further}

    def to_dict(self) -> dict[str, Any]:
        return {
            "n": spelled(Fraction(self.n)),
            "eps": str(self.epsilon),
            **{name: spelled(x) for name, x in self.further.items()},
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        values = {name: number(text) for name, text in stored.items()}
        n, epsilon = values.pop("n"), values.pop("eps")
        if n.denominator > 1 or n < 2 or not epsilon > 0:
            raise ValueError("a member must have a whole n >= 2 and eps > 0")
        return cls(int(n), epsilon, MappingProxyType(values))


def spelled(value: Fraction, *, longest: int = 300) -> str:
    """A rational in full; a power of ten with more than so many zeros by its exponent.

    >>> spelled(Fraction(1, 3)), spelled(Fraction(10) ** 5000)
    ('1/3', '10^5000')
    """
    if value < 10**longest:
        return str(value)
    digits = round((value.numerator.bit_length() - 1) * math.log10(2))
    return f"10^{digits}" if value == 10**digits else str(value)


def number(text: Any) -> Fraction:
    """The rational that `spelled` wrote."""
    if not isinstance(text, str):
        raise TypeError("a member must have its numbers as text")
    power = text.removeprefix("10^")
    if power != text and power.isdecimal() and len(power) < 9 and int(power) <= _LARGEST_POWER:
        return Fraction(10) ** int(power)
    return arrays.rational(text, name="member")


def whole(text: Any, *, name: str) -> int:
    """The whole number in a certificate; ValueError for any other."""
    found = arrays.rational(text, name=name)
    if found.denominator > 1:
        raise ValueError(f"`{name}` must be a whole number, got {found}")
    return int(found)


@final
@dataclass(frozen=True)
class Finding:
    """What is known of one member: `meets` is None where no comparison is certain; `weights` of the targets in the worst case.

    `length` is that of the first key in the worst case. `fault` says why the member fails where it does so without weights.
    """

    meets: bool | None
    member: Member
    weights: tuple[float, ...] = ()
    length: Fraction = Fraction(1)
    fault: str = ""


def judged(queries: Queries, member: Member) -> Finding:
    """Whether this member meets the family's question, with its numbers written into the formulas themselves."""
    try:
        return looked_at(queries.family, queries.coefficients(member.values()), member)
    except FormulaError as fault:
        return Finding(False, member, fault=f"the formula has no value there: {fault.message}")
    except NO_FORM:
        return Finding(None, member)


def looked_at(family: QueryFamily, queries: Sequence[dict[str, LogForm]], member: Member) -> Finding:
    """The same for queries that may still have the member's symbols in them, which is quicker for many members."""
    undefined = _undefined(queries, member)
    if undefined:
        return Finding(False, member, fault=undefined)
    too_long = _too_long(family, queries, member)
    if isinstance(too_long, str):
        return Finding(False, member, fault=too_long)
    found = [_at_length(family, queries, member, length) for length in family.lengths]
    worst = next((one for state in (False, None) for one in found if one.meets is state), found[0])
    certain = too_long is False and leans_at_worst(family, queries[0], member.epsilon, {})
    return worst if certain or not worst.meets else replace(worst, meets=None)


def _at_length(family: QueryFamily, queries: Sequence[dict[str, LogForm]], member: Member, length: Fraction) -> Finding:
    heads = heads_of(family, queries, length)
    shown: tuple[float, ...] = ()
    for bits in _BITS:
        weights = mean_weights(heads, member.n, member.values(), bits=bits)
        if weights is None:
            continue
        with balls.precision(bits):
            shown = tuple(float(weight.mid()) for weight in weights)
            spare = room(family, weights, member.epsilon)
            if any(part < 0 for part in spare):
                return Finding(False, member, shown, length)
            if all(part > 0 for part in spare):
                return Finding(True, member, shown, length)
    return Finding(None, member, shown, length)


def _undefined(queries: Sequence[dict[str, LogForm]], member: Member) -> str:
    """Why the formula certainly has no value at this member; "" where it may have one."""
    for query in queries:
        for form in query.values():
            for condition in form.conditions:
                value = LogForm(condition.function, form.atoms).enclosure(member.values())
                if condition.kind == "positive" and value <= 0:
                    return f"there is a logarithm of {condition.function}, which is {float(value.mid()):.3g} there"
                if condition.kind == "nonzero" and value == 0:
                    return f"there is a division by {condition.function}, which is 0 there"
                if condition.kind == "nonnegative" and value < 0:
                    return f"there is a root of {condition.function}, which is {float(value.mid()):.3g} there"
    return ""


def _too_long(family: QueryFamily, queries: Sequence[dict[str, LogForm]], member: Member) -> str | bool | None:
    """A sentence where the query is certainly too long; False where it certainly is not; None where that is open."""
    if family.limit is None:
        return False
    for bits in _BITS:
        parts = [form.enclosure(member.values(), bits=bits) for form in queries[0].values()]
        with balls.precision(bits):
            square = balls.total([part * part for part in parts])
            allowed = balls.exact(family.limit) * balls.exact(member.n / member.epsilon).log() ** 2
            if square > allowed:
                lengths = [float(ball.sqrt().mid()) for ball in (square, allowed)]
                return f"the query has length {lengths[0]:.6g} there, and the question allows {lengths[1]:.6g}"
            if square < allowed:
                return False
    return None
