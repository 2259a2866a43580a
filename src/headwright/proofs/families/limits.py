"""What the weights of a head tend to as large symbols grow, at fixed n and ε.

As t grows, each head's weights tend to a limit that the differences of its scores decide: e^{f_a - f_b} and e^{f_a - r}. With
several large symbols in one difference D the limit must be the same however they grow: D(X + x, X + y) >= D(X, X) for all
x, y >= 0 and D(X, X) → ∞ together say so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright import balls, forms
from headwright.forms import NONZERO, LogForm, Range, Ranges
from headwright.proofs.families.family import NO_FORM, Head, QueryFamily, heads_of

Limit = LogForm | float | None  # a form, ±∞, or unknown
_COMMON = "X"
_BITS = 128


def tends(form: LogForm, large: Sequence[str], ranges: Ranges) -> Limit:
    """What the form tends to as all large symbols grow, however they do; None where that is not found."""
    present = [name for name in large if name in form.symbols]
    try:
        if not all(_leads(form, name, ranges) for name in present):
            return None
        if len(present) > 1:
            return _together(form, present, ranges)
        found = forms.limit(form, present[0] if present else large[0], ranges)
        return found if isinstance(found, float) or forms.defined(found, ranges) else None
    except NO_FORM:
        return None


def _leads(form: LogForm, symbol: str, ranges: Ranges) -> bool:
    """True only when in each ln|p| the leading coefficient of p in the symbol is zero at no member: else p grows less there."""
    for atom in form.atoms.values():
        powers = atom.of.coefficients([symbol]) if symbol in atom.of.names else {}
        if powers and forms.sign(LogForm(powers[max(powers)], form.atoms), ranges) not in (1, -1):
            return False
    return True


def _together(form: LogForm, present: list[str], ranges: Ranges) -> Limit:
    x = LogForm.symbol(_COMMON)
    apart = {name: x + LogForm.symbol(f"{name}_beyond") for name in present}
    region = {
        **{name: known for name, known in ranges.items() if name not in present},
        _COMMON: Range(1),
        **{f"{name}_beyond": Range(0, closed=True) for name in present},
    }
    level = forms.substituted(form, dict.fromkeys(present, x), region)
    rise = forms.substituted(form, apart, region) - level
    found = forms.limit(level, _COMMON, region)
    if found == math.inf and forms.nonnegative(rise, region):
        return math.inf
    if found == -math.inf and forms.nonnegative(-rise, region):
        return -math.inf
    return None


@final
@dataclass(frozen=True)
class Tendency:
    """How one head behaves far out: its targets' scores against each other, and each of them against the other keys."""

    between: Limit
    leads: tuple[Limit, ...]


def tendency(head: Head, large: Sequence[str], ranges: Ranges) -> Tendency:
    """The limits of f_a - f_b and of every f_t - r."""
    first, second = head.targets
    return Tendency(
        tends(first - second, large, ranges), tuple(tends(f - head.rest, large, ranges) for f in head.targets)
    )


def leaves_nothing(head: Tendency) -> bool:
    """True only when the other keys lose all weight in the limit: one target leads them without bound."""
    return math.inf in [lead for lead in head.leads if isinstance(lead, float)]


def halves(heads: Sequence[Tendency]) -> bool:
    """True only when the first target's limiting share among the two targets has the mean 1/2.

    Its share in one head is e^D/(e^D + 1), D the limit of f_a - f_b: shares with opposite D add up to 1, and D = 0 is a half.
    """
    gaps = [head.between for head in heads]
    if any(gap is None for gap in gaps):
        return False
    if len(gaps) == 1:
        return _cancel(gaps[0], gaps[0])
    return _cancel(gaps[0], gaps[1])


def _cancel(first: Limit, second: Limit) -> bool:
    """Whether the sum of two limits is zero; ∞ and -∞ cancel."""
    if isinstance(first, float) or isinstance(second, float):
        return isinstance(first, float) and isinstance(second, float) and first == -second
    return first is not None and second is not None and (first + second).is_zero()


def defined_far_out(every: Sequence[LogForm], large: Sequence[str], ranges: Ranges) -> bool:
    """True only when all of these forms are defined at every member once the large symbols are large enough."""
    beyond = {**ranges, **{name: Range(1) for name in large}}
    for form in every:
        for condition in form.conditions:
            plain = LogForm(condition.function, form.atoms)
            grown = [name for name in large if name in plain.symbols]
            if forms.holds(condition, form.atoms, beyond):
                continue
            if len(grown) != 1 or not _leads(plain, grown[0], ranges):
                return False
            try:
                found = forms.eventual_sign(plain, grown[0], ranges)
            except NO_FORM:
                return False
            if found != 1 and not (found == -1 and condition.kind == NONZERO):
                return False
    return True


def tends_to_goal(
    family: QueryFamily, queries: Sequence[dict[str, LogForm]], large: Sequence[str], ranges: Ranges, *, alone: bool
) -> bool:
    """True only when the mean weights tend to one half on each target at every member; `alone`: there are no other keys."""
    for length in family.lengths:
        heads = [tendency(head, large, ranges) for head in heads_of(family, queries, length)]
        if not halves(heads) or not (alone or all(leaves_nothing(head) for head in heads)):
            return False
    return True


def limiting_weights(
    family: QueryFamily, queries: Sequence[dict[str, LogForm]], n: int, length: Fraction, path: Mapping[str, int]
) -> list[balls.Ball] | None:
    """Balls around the limiting mean weights of both targets at one member, on a way out; None where a limit is not found.

    The way is x = X^k for every large symbol x, k = path[x], as X grows; the queries have no other symbols.
    """
    out = {name: LogForm.symbol(_COMMON) ** power for name, power in path.items()}
    ranges = {_COMMON: Range(1)}
    shares = []
    for head in heads_of(family, queries, length):
        targets = tuple(forms.substituted(form, out, ranges) for form in head.targets)
        there = Head(targets, forms.substituted(head.rest, out, ranges))
        own = _limiting(tendency(there, [_COMMON], ranges), n)
        if own is None:
            return None
        shares.append(own)
    with balls.precision(_BITS):
        return [balls.total(list(column)) / len(shares) for column in zip(*shares, strict=True)]


def _limiting(head: Tendency, n: int) -> list[balls.Ball] | None:
    """The limiting weights of two targets from the limits of their scores' differences."""
    gap, leads = head.between, head.leads
    if gap is None or (n > 2 and any(lead is None for lead in leads)):
        return None
    with balls.precision(_BITS):
        shares = [_share(gap), _share(-gap)]
        if n == 2 or math.inf in [lead for lead in leads if isinstance(lead, float)]:
            return shares
        powers = [balls.exact(0) if isinstance(lead, float) else _value(lead).exp() for lead in leads]
        whole = balls.total(powers) + (n - 2)
        return [power / whole for power in powers]


def _share(gap: LogForm | float) -> balls.Ball:
    """e^D/(e^D + 1)."""
    if isinstance(gap, float):
        return balls.exact(1 if gap > 0 else 0)
    return 1 / (1 + _value(-gap).exp())


def _value(form: LogForm | float | None) -> balls.Ball:
    assert isinstance(form, LogForm)
    return form.enclosure({}, bits=_BITS)
