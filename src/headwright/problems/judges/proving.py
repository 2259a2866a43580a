"""The proof that a query given by formulas serves every member of a region.

One head whose targets score alike: the claim is f - r >= ln((n-m)/ε), one inequality between forms. Anything else: rational
bounds on the weights (`weights.py`) turn the claim into inequalities between rational functions, whose coefficients decide. Both
are sufficient tests: what they do not show stays open.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from headwright import formulas
from headwright.balls import RationalFunction
from headwright.formulas import LogForm
from headwright.problems.judges.exponentials import shift_of, split
from headwright.problems.judges.questions import Ask
from headwright.problems.judges.regions import Region
from headwright.problems.judges.scores import NO_FORM, Scores
from headwright.problems.judges.weights import Head, heads_of_length, inequalities

_STEPS = (1, 2, 4, 8)
_CUT = 3  # a larger multiple of a logarithm serves no worse
_FINEST = 4  # the largest D of n = N^D


def proved(scores: Scores, region: Region) -> bool:
    """True only when every member of the region meets the question: as it stands, or with the smallest n one by one."""
    known: dict[Region, bool] = {}
    for parts in region.parts():
        for part in parts:
            if part not in known:
                known[part] = proved_whole(scores, part)
            if not known[part]:
                break
        else:
            return True
        if part.single:
            return False  # every further cut has this member too
    return False


def proved_whole(scores: Scores, region: Region) -> bool:
    """The same, without cutting the region."""
    ask = scores.ask
    try:
        queries = scores.queries(region.fixed())
    except (formulas.FormulaError, *NO_FORM):
        return False
    ranges = region.ranges()
    forms = [form for query in queries for form in query.values()]
    if not all(formulas.defined(form, ranges) for form in forms):
        return False
    if ask.different and not differ(queries, ranges):
        return False
    if ask.limit is not None and not _short_enough(ask, queries[0], region):
        return False
    return all(_serves(ask, heads_of_length(ask, queries, length), region) for length in ask.lengths)


def differ(queries: Sequence[dict[str, LogForm]], ranges: formulas.Region) -> bool:
    """True only when two queries are certainly different at every member: one coefficient is always larger in one of them."""
    first, second = queries
    return any(formulas.sign(first[name] - second[name], ranges) in (1, -1) for name in first)


def _short_enough(ask: Ask, query: dict[str, LogForm], region: Region) -> bool:
    """Each of m coefficients is at most √(limit/m)·ln(n/ε) in size; both limits of the sheet are 4m."""
    assert ask.limit is not None
    most = _logarithm(region) * math.isqrt(int(ask.limit / ask.targets))
    ranges = region.ranges()
    return all(
        formulas.nonnegative(most - f, ranges) and formulas.nonnegative(most + f, ranges) for f in query.values()
    )


def _logarithm(region: Region) -> LogForm:
    """ln(n/ε)."""
    return formulas.log(_symbol("n", region) / _symbol("eps", region))


def _symbol(name: str, region: Region) -> LogForm:
    fixed = region.fixed()
    return LogForm.number(fixed[name]) if name in fixed else LogForm.symbol(name)


def _serves(ask: Ask, heads: Sequence[Head], region: Region) -> bool:
    alike = len(heads) == 1 and all((form - heads[0].targets[0]).is_zero() for form in heads[0].targets)
    if alike and _ahead(ask, heads[0], region):
        return True
    steps = _STEPS if any(_has_rational_part(form) for head in heads for form in (*head.targets, head.rest)) else (1,)
    if any(_inequalities_hold(ask, heads, written, steps=k) for written in _written(heads, region) for k in steps):
        return True
    return _largest_exponent(heads) > _CUT and _inequalities_hold(ask, heads, region, most=_CUT)


def _largest_exponent(heads: Sequence[Head]) -> Fraction:
    """The largest multiple of a logarithm among the scores, in size."""
    found = [Fraction(0)]
    for head in heads:
        for form in (*head.targets, head.rest):
            parts = split(form)
            found += [abs(c.value() or Fraction(0)) for _, c in (parts[1] if parts else [])]
    return max(found)


def _has_rational_part(form: LogForm) -> bool:
    parts = split(form)
    return parts is not None and not parts[0].is_zero()


def _ahead(ask: Ask, head: Head, region: Region) -> bool:
    """f - r >= ln((n-m)/ε), where all targets score f: then and only then the others take little enough."""
    if region.single and region.low == ask.targets:
        return True
    if region.low <= ask.targets:
        return False
    needed = formulas.log((_symbol("n", region) - ask.targets) / _symbol("eps", region))
    lead = head.targets[0] - head.rest - needed
    ranges = region.ranges()
    return formulas.sign(lead, ranges) == 1 if ask.vanishing else formulas.nonnegative(lead, ranges)


def _inequalities_hold(
    ask: Ask, heads: Sequence[Head], region: Region, *, steps: int = 1, most: int | None = None
) -> bool:
    try:
        found = inequalities(ask, heads, region, steps=steps, most=most)
        test = region.positive if ask.vanishing else region.nonnegative
        return all(test(function) for function in found)
    except NO_FORM:
        return False


def _written(heads: Sequence[Head], region: Region) -> Iterator[Region]:
    """The region in its own symbols, and in roots where the scores have √(n + shift) or fractions of ln(n + shift) and ln ε."""
    yield region
    power, shift = _square_root(heads)
    for head in heads:
        for own in (*head.targets, head.rest):
            parts = split(own)
            for factor, exponent in parts[1] if parts else []:
                number = exponent.value()
                moved = shift_of(factor)
                if (
                    number is not None
                    and number.denominator > 1
                    and (moved is not None or factor == RationalFunction.symbol("eps"))
                ):
                    power, shift = math.lcm(power, number.denominator), shift if moved is None else moved
    if power > 1 and region.low + shift >= 0 and not (region.single and region.fixed_epsilon):
        for finer in [power] if power <= _FINEST else [2, 4]:
            yield region.powered(finer, shift)


def _square_root(heads: Sequence[Head]) -> tuple[int, int]:
    """(2, shift) where a score has √(n + shift), else (1, 0)."""
    atoms = (atom for head in heads for form in (*head.targets, head.rest) for atom in form.atoms.values())
    shifts = (shift_of(atom.of) for atom in atoms if atom.kind == "sqrt")
    found = next((shift for shift in shifts if shift is not None), None)
    return (1, 0) if found is None else (2, found)


def everything(tolerance: Fraction | None, n: int | None) -> Region:
    """All members: those with one n, or one ε, where these are given."""
    ends = (Fraction(0), Fraction(1)) if tolerance is None else (tolerance, tolerance)
    return Region(2 if n is None else n, n is not None, ends)
