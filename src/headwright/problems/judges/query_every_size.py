"""A query for every n and ε: the search for members that fail, for parts that can be proved, and for where an answer holds.

A few members are looked at first, then parts of the family are tried, as it stands or with the smallest n one by one, each
written in several ways. Whatever is found is only a witness: the claim `ServesFamily` judges it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from headwright.balls import RationalFunction, upper
from headwright.forms import FormulaError
from headwright.problems.family import ERROR, Family, N, epsilon_for
from headwright.problems.judges.query_words import at_member, why_not_for_all
from headwright.proofs.families import NO_FORM, Finding, Member, Part, Queries, ServesFamily
from headwright.proofs.families.exponentials import shift_of, split
from headwright.proofs.families.family import Head, heads_of
from headwright.proofs.families.members import judged, looked_at
from headwright.proofs.families.serves_family import holds
from headwright.verdict import Proved, Refuted, Verdict

_FEW = 6  # every so many of the members are looked at before a proof is tried
_SIZES = (10, 3, 2, 4, 1000, 10**6, 10**12)
_TOLERANCES = tuple(
    Fraction(text) for text in ("1/2", "1/10", "1/100", "9/10", "1/1000000", "1/1000000000000", "1048575/1048576")
)
_MOST_LEAD = 10**6  # scores further ahead than this are not followed to the n that outweighs them
_DIGITS_PER_LEAD = Fraction(4343, 10**4)  # e^x < 10^(0.4343 x) for x > 0
_STEPS = (1, 2, 4, 8)
_CUT = 3  # a larger multiple of a logarithm serves no worse
_FINEST = 4  # the largest D of n = N^D
_FARTHEST = 40  # the search for an n from which on the answer holds begins at n = 2^40
_OTHERS = (3, 4, 5, 6, 8, 12, 20, 50, 100, 1000, 10**6, 10**12)
# How far beyond the least n a proof is tried, where its bounds are too coarse; then at twice and four times it.
_FURTHER = (0, 1, 3, 7)
_MOST_SINGLE = {True: 64, False: 8}  # first members taken one by one, by whether the tolerance is fixed
_POWER = 15  # beyond 10^15 keys only powers of ten are looked at


def judge_every_size(queries: Queries, given: Family) -> Verdict:
    """The verdict on formulas that have a normal form and no large symbol."""
    family = queries.family
    named = family.each or "eps" in queries.used
    epsilon = given.epsilon
    if epsilon is None and not named:
        epsilon = epsilon_for(given.near, family.targets)
    search = _Search(queries, given.n, epsilon)
    same = ServesFamily(queries, given.n, epsilon).prove()  # two queries that are the same
    if isinstance(same, Refuted):
        return same.explained("The two formulas are the same query. The question asks for two different ones.")
    members = [*search.members(given.n), *search.far_member()]
    parts = () if search.first_wrong(members[::_FEW]) else search.proof()
    if parts:
        verdict = ServesFamily(queries, given.n, epsilon, parts).prove()
        if isinstance(verdict, Proved):
            return verdict.explained(at_member(queries, search.usual()))
    wrong = search.first_wrong(members)
    if wrong is not None:
        verdict = search.refutation(wrong).prove()
        if isinstance(verdict, Refuted):
            why = why_not_for_all(queries, verdict.holds_when)
            return verdict.explained(f"{at_member(queries, wrong)} {why}".strip())
    shown = at_member(queries, search.usual())
    return ServesFamily(queries, given.n, epsilon).undecided(
        f"No member that was looked at fails, and no proof for all was found. {shown}",
        "write the factor as a multiple of one logarithm, or ask for one n and one error",
    )


def proof_for_all(queries: Queries, epsilon: Fraction | None) -> tuple[Part, ...]:
    """Parts that cover all n and hold; () where none were found."""
    return _Search(queries, None, epsilon).proof()


def proof_at(queries: Queries, n: int) -> Part | None:
    """A part that holds, with this n alone and every ε; None where none was found."""
    return _Search(queries, None, None).written(n, True)


def up_to(queries: Queries, epsilon: Fraction | None) -> int | None:
    """The largest n, or power of ten, that was found to be met at this tolerance, for scores that do not depend on n."""
    return None if epsilon is None or "n" in queries.used else _Search(queries, None, epsilon).up_to()[0]


class _Search:
    """One answer over one family."""

    def __init__(self, queries: Queries, n: int | None, epsilon: Fraction | None) -> None:
        self.queries, self.n, self.epsilon = queries, n, epsilon
        self.family = queries.family

    # Members, one by one.

    def members(self, n: int | None) -> Iterator[Member]:
        """Those that are looked at, the most likely to fail first."""
        for size in _SIZES if n is None else (n,):
            for epsilon in _TOLERANCES if self.epsilon is None else (self.epsilon,):
                yield Member(size, epsilon)

    def usual(self) -> Finding:
        """A member to show, where none fails."""
        usual = epsilon_for(ERROR, self.family.targets)
        return self.look(Member(self.n or N, usual if self.epsilon is None else self.epsilon))

    def far_member(self) -> Iterator[Member]:
        """Where n is free and the scores do not follow it: a member with more keys than they can outweigh."""
        if self.n is None and "n" not in self.queries.used:
            epsilon = Fraction(1, 2) if self.epsilon is None else self.epsilon
            power = self.far_power(epsilon)
            if power is not None:
                yield Member(10**power, epsilon)

    def far_power(self, epsilon: Fraction) -> int | None:
        """A k such that the targets must fail among 10^k keys, for scores that do not depend on n; None where that is too many.

        A head whose targets score at most g more than the others gives them at most m e^g/(n-m) of its attention. They must
        have m/(m+ε) of it together at least, and have less once n is 10^3 (m+ε) e^g.
        """
        m = self.family.targets
        values = {"n": Fraction(m), "eps": epsilon}
        heads = [head for length in self.family.lengths for head in heads_of(self.family, self.forms(), length)]
        leads = [upper((form - head.rest).enclosure(values)) for head in heads for form in head.targets]
        known = [lead for lead in leads if lead is not None]
        if len(known) < len(leads) or max(known) > _MOST_LEAD:
            return None
        return math.ceil(max(*known, Fraction(0)) * _DIGITS_PER_LEAD) + 3 + len(str(math.ceil(m + epsilon)))

    def forms(self) -> list[dict]:  # type: ignore[type-arg]
        return self.queries.coefficients({})

    def look(self, member: Member) -> Finding:
        """What is known of a member, with the family's own symbols where these allow more than (0, 1)."""
        if member.epsilon >= 1:
            return judged(self.queries, member)
        return looked_at(self.family, self.forms(), member)

    def first_wrong(self, members: Sequence[Member]) -> Finding | None:
        """The first of these members that certainly fails."""
        findings = map(self.look, members)
        return next((finding for finding in findings if finding.meets is False), None)

    def failing(self, n: int) -> Member | None:
        """A member of this size that certainly fails."""
        for member in self.members(n):
            finding = judged(self.queries, member) if n == 2 else self.look(member)
            if finding.meets is False:
                return member
        return None

    # Parts that can be proved.

    def proof(self) -> tuple[Part, ...]:
        """Parts that cover the family and hold, the smallest n one by one where that helps; () where none were found."""
        if self.n is not None:
            only = self.written(self.n, True)
            return () if only is None else (only,)
        whole = self.written(2, False)
        if whole is not None:
            return (whole,)
        for low in (3, 6):
            parts: list[Part] = []
            for n, single in [*((n, True) for n in range(2, low)), (low, False)]:
                part = self.written(n, single)
                if part is None:
                    break
                parts.append(part)
            else:
                return tuple(parts)
            if single:
                return ()  # every further cut has this member too
        return ()

    def written(self, low: int, single: bool) -> Part | None:
        """The part with n from `low` on, or n = `low` alone, written so that it is proved; None where no way is found."""
        plain = Part(low, low if single else None, self.epsilon)
        try:
            queries = self.queries.coefficients(plain.fixed())
        except (FormulaError, *NO_FORM):
            return None
        heads = [head for length in self.family.lengths for head in heads_of(self.family, queries, length)]
        return next((part for part in self._ways(plain, heads) if holds(self.queries, part)), None)

    def _ways(self, plain: Part, heads: Sequence[Head]) -> Iterator[Part]:
        scores = [form for head in heads for form in (*head.targets, head.rest)]
        split_up = [parts for form in scores if (parts := split(form)) is not None]
        steps = _STEPS if any(not rational.is_zero() for rational, _ in split_up) else (1,)
        for power, shift in ((1, 0), *self._roots(plain, heads)):
            for k in steps:
                yield Part(plain.low, plain.high, plain.epsilon, power, shift, k)
        multiples = [abs(c.value() or Fraction(0)) for _, logs in split_up for _, c in logs]
        if max(multiples, default=Fraction(0)) > _CUT:
            yield Part(plain.low, plain.high, plain.epsilon, cut=_CUT)

    def _roots(self, plain: Part, heads: Sequence[Head]) -> Iterator[tuple[int, int]]:
        """(power, shift) where the scores have √(n + shift) or fractions of ln(n + shift) and ln ε."""
        power, shift = 1, 0
        scores = [form for head in heads for form in (*head.targets, head.rest)]
        for form in scores:
            for atom in form.atoms.values():
                moved = shift_of(atom.of) if atom.kind == "sqrt" else None
                if moved is not None and power == 1:
                    power, shift = 2, moved
        for form in scores:
            parts = split(form)
            for factor, exponent in parts[1] if parts else []:
                number, moved = exponent.value(), shift_of(factor)
                if number is None or number.denominator == 1:
                    continue
                if moved is not None or factor == RationalFunction.symbol("eps"):
                    power, shift = math.lcm(power, number.denominator), shift if moved is None else moved
        if power > 1 and plain.low + shift >= 0 and not (plain.single and plain.epsilon is not None):
            yield from ((finer, shift) for finer in ([power] if power <= _FINEST else [2, 4]))

    # Where a refuted answer holds after all.

    def refutation(self, wrong: Finding) -> ServesFamily:
        """The claim with the member that fails and the parts in which it holds."""
        if self.n is not None:
            return ServesFamily(self.queries, self.n, self.epsilon, member=wrong.member)
        if self.epsilon is not None and "n" not in self.queries.used and not self.family.each:
            most, beyond = self.up_to()
            met = () if most is None else (Part(2, most, self.epsilon),)
            return ServesFamily(self.queries, None, self.epsilon, met, wrong.member, beyond)
        parts, last = self._first()
        begins = self._from() if "n" in self.queries.used else ()
        low = min((part.low for part in begins), default=None)
        sizes = {last + 1, *([] if low is None else [low - 1])} - {1}
        if "n" in self.queries.used:
            sizes |= {n for n in _OTHERS if last + 1 < n < (math.inf if low is None else low - 1)}
        outside = [self.failing(n) for n in sorted(sizes)]
        known = tuple(member for member in outside if member is not None) if None not in outside else ()
        return ServesFamily(self.queries, None, self.epsilon, (*parts, *begins), wrong.member, known)

    def _first(self) -> tuple[tuple[Part, ...], int]:
        """The first n that are all met, one by one, and the last of them (1 where there is none)."""
        parts: list[Part] = []
        last = 1
        while last < _MOST_SINGLE[self.epsilon is not None] and self.failing(last + 1) is None:
            part = self.written(last + 1, True)
            if part is None:
                break
            parts.append(part)
            last += 1
        return tuple(parts), last

    def _from(self) -> tuple[Part, ...]:
        """The part from some n on, with single ones before it; () where none is found."""
        if self.failing(2**_FARTHEST) is not None:
            return ()
        least = self._after_failing()
        tried = dict.fromkeys([*(least + k for k in _FURTHER), 2 * least, 4 * least])
        last = next((part for low in tried if (part := self.written(low, False)) is not None), None)
        if last is None:
            return ()
        parts, low = [last], last.low
        down = low - _MOST_SINGLE[self.epsilon is not None]
        while low > max(least, down) and (part := self.written(low - 1, True)) is not None:
            parts.append(part)
            low -= 1
        return tuple(parts)

    def _after_failing(self) -> int:
        """The n after a failing one, from which on none is seen to fail: first among powers of two, then between two of these."""
        below, above = 1, _FARTHEST
        while above - below > 1:
            middle = (below + above) // 2
            below, above = (middle, above) if self.failing(2**middle) else (below, middle)
        low, high = 1 << below, 1 << above
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.failing(middle) else (low, middle)
        return max(high, 3)

    def up_to(self) -> tuple[int | None, tuple[Member, ...]]:
        """(the largest n that is met, for scores that do not depend on n; the next one where it is known to fail)."""
        if not self._met(2):
            return None, ()
        low, high = 2, 10**_POWER
        if self._met(high):
            return 10 ** self._largest_power(), ()
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._met(middle) else (low, middle)
        beyond = self.failing(low + 1)
        return low, () if beyond is None else (beyond,)

    def _largest_power(self) -> int:
        """The largest k for which 10^k keys are met, where 10^15 are."""
        assert self.epsilon is not None
        low, high = _POWER, self.far_power(self.epsilon) or _POWER
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._met(10**middle) else (low, middle)
        return low

    def _met(self, n: int) -> bool:
        assert self.epsilon is not None
        return judged(self.queries, Member(n, self.epsilon)).meets is True
