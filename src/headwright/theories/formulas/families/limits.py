"""What the weights of a head tend to as large symbols grow, at fixed n and ε.

Queries meet every error from some value of their large symbols on if and only if their weights tend to one half on each of two
targets, in whatever way the symbols grow. The differences of a head's scores decide the limit: e^{f_a - f_b} and e^{f_a - r}. If
one difference D has several large symbols, its limit must not depend on how they grow. It does not if D(X + x, X + y) >= D(X, X)
for all x, y >= 0 and D(X, X) → ∞.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from headwright.kernel import balls
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.family import NO_FORM, Head, Queries, QueryFamily, heads_of
from headwright.theories.formulas.families.members import Finding, Member, judged
from headwright.theories.formulas.families.weights import FAR, mean_shares
from headwright.theories.formulas.forms import NONZERO, FormulaError, LogForm, Range, Ranges

Limit = LogForm | float | None  # a form, ±∞, or unknown
_COMMON = "X"
_BITS = 128


def tends(form: LogForm, large: Sequence[str], ranges: Ranges) -> Limit:
    """The limit of the form as all large symbols grow, in whatever way they do; None if it is not found."""
    present = [name for name in large if name in form.symbols]
    try:
        if not all(_leads(form, name, ranges) for name in present):
            return None
        if len(present) > 1:
            return _together(form, present, ranges)
        limit = forms.limit(form, present[0] if present else large[0], ranges)
        return limit if isinstance(limit, float) or forms.defined(limit, ranges) else None
    except NO_FORM:
        return None


def _leads(form: LogForm, symbol: str, ranges: Ranges) -> bool:
    """True only if in each ln|p| the leading coefficient of p in the symbol is non-zero at every member."""
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
    limit = forms.limit(level, _COMMON, region)
    if limit == math.inf and forms.nonnegative(rise, region):
        return math.inf
    if limit == -math.inf and forms.nonnegative(-rise, region):
        return -math.inf
    return None


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
                sign = forms.eventual_sign(plain, grown[0], ranges)
            except NO_FORM:
                return False
            if sign != 1 and not (sign == -1 and condition.kind == NONZERO):
                return False
    return True


def differ(queries: Sequence[dict[str, LogForm]], large: Sequence[str], ranges: Ranges) -> bool:
    """True only when two queries are certainly different at every member, once the large symbols are large enough."""
    for name in queries[0]:
        gap = queries[0][name] - queries[1][name]
        limit = tends(gap, large, ranges) if large else gap
        if isinstance(limit, float) or forms.sign(gap, ranges) in (1, -1):
            return True
        if limit is not None and forms.sign(limit, ranges) in (1, -1):
            return True
    return False


def tends_to_goal(
    family: QueryFamily, queries: Sequence[dict[str, LogForm]], large: Sequence[str], ranges: Ranges, *, alone: bool
) -> bool:
    """True only if the mean weights tend to one half on each target at every member; `alone` means there are no other keys."""
    for length in family.lengths:
        heads = [_limits(head, large, ranges) for head in heads_of(family, queries, length)]
        if not _halves(heads) or not (alone or all(_leaves_nothing(head) for head in heads)):
            return False
    return True


def _limits(head: Head, large: Sequence[str], ranges: Ranges) -> list[list[Limit]]:
    """For each target, what its gaps to the other target and to the other keys tend to."""
    return [[tends(gap, large, ranges) for gap in gaps] for gaps in head.gaps]


def _leaves_nothing(head: list[list[Limit]]) -> bool:
    """True only when the other keys lose all weight in the limit: they fall behind one target without bound."""
    return any(isinstance(gaps[-1], float) and gaps[-1] < 0 for gaps in head)


def _halves(heads: Sequence[list[list[Limit]]]) -> bool:
    """True only when the first target's limiting share among the two targets has the mean 1/2.

    Its share in one head is e^D/(e^D + 1), D the limit of f_a - f_b: shares with opposite D add up to 1, and D = 0 is a half.
    """
    first, last = heads[0][0][0], heads[-1][0][0]
    if isinstance(first, float) or isinstance(last, float):
        return isinstance(first, float) and isinstance(last, float) and first == -last
    return first is not None and last is not None and (first + last).is_zero()


def missed(queries: Queries, member: Member) -> Finding | None:
    """The finding on a member whose weights miss the error, if their limit along its path misses it too; otherwise None."""
    family = queries.family
    try:
        coefficients = queries.coefficients({name: member.values()[name] for name in ("n", "eps")})
        limits = [limiting_weights(family, coefficients, member.n, length, member.path) for length in family.lengths]
    except (FormulaError, *NO_FORM):
        return None
    with balls.precision(_BITS):
        # A weight further from one half than the error: then the total variation is, too.
        gaps = [abs(w - balls.exact(Fraction(1, 2))) for weights in limits if weights is not None for w in weights]
        if not any(gap > balls.exact(family.error(member.epsilon)) for gap in gaps):
            return None
    finding = judged(queries, member)
    return finding if finding.meets is False else None


def limiting_weights(
    family: QueryFamily, queries: Sequence[dict[str, LogForm]], n: int, length: Fraction, path: Mapping[str, int]
) -> list[balls.Ball] | None:
    """Balls around the limiting mean weights of both targets at one member, along a path; None if a limit is not found.

    The path is x = X^k for every large symbol x, with k = path[x], as X grows. The queries have no other symbols.
    """
    out = {name: LogForm.symbol(_COMMON) ** power for name, power in path.items()}
    ranges = {_COMMON: Range(1)}
    heads = []
    for head in heads_of(family, queries, length):
        targets = tuple(forms.substituted(form, out, ranges) for form in head.targets)
        there = _limits(Head(targets, forms.substituted(head.rest, out, ranges)), [_COMMON], ranges)
        if n == family.targets:  # there are no other keys, so their gaps do not matter
            there = [[*gaps[:-1], -math.inf] for gaps in there]
        if any(limit is None for gaps in there for limit in gaps):
            return None
        heads.append([[_enclosed(limit) for limit in gaps if limit is not None] for gaps in there])
    with balls.precision(_BITS):
        return mean_shares(heads, n)


def _enclosed(limit: LogForm | float) -> balls.Ball:
    """A ball around the limit. For ±∞ a number so large that the weights do not notice the difference."""
    with balls.precision(_BITS):
        if isinstance(limit, float):
            return balls.exact(2 * FAR if limit > 0 else -2 * FAR)
        return limit.enclosure({}, bits=_BITS)
