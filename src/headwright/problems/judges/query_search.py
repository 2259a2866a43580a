"""One query or two over a family: members that fail, and parts in which all members are served, each written in several ways.

Floats say which members are worth a look. What is found is only a witness: the claim `ServesFamily` judges it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from headwright.kernel.balls import upper
from headwright.kernel.verdict import Proved, Verdict
from headwright.problems.family import ERROR, N, epsilon_for
from headwright.problems.judges.float_weights import FloatWeights
from headwright.theories.formulas.families.exponentials import shift_of, split
from headwright.theories.formulas.families.family import NO_FORM, Head, Queries, heads_of
from headwright.theories.formulas.families.members import Finding, Member, judged, looked_at
from headwright.theories.formulas.families.regions import Part
from headwright.theories.formulas.families.serves_family import ServesFamily, holds
from headwright.theories.formulas.forms import FormulaError
from headwright.theories.formulas.rational_functions import RationalFunction

_SIZES = (10, 3, 2, 4, 1000, 10**6, 10**12)
_TOLERANCES = tuple(
    Fraction(text) for text in ("1/2", "1/10", "1/100", "9/10", "1/1000000", "1/1000000000000", "1048575/1048576")
)
MOST_LEAD = 10**6  # scores further ahead than this are not followed to the n that outweighs them
_DIGITS_PER_LEAD = Fraction(4343, 10**4)  # e^x < 10^(0.4343 x) for x > 0
_STEPS = (1, 2, 4, 8)
_CUT = 3  # a larger multiple of a logarithm serves no worse
_FINEST = 4  # the largest D of n = N^D


class Search:
    """One answer over one family."""

    def __init__(self, queries: Queries, n: int | None, epsilon: Fraction | None) -> None:
        self.queries, self.n, self.epsilon = queries, n, epsilon
        self.family = queries.family
        self.refused: set[Part] = set()  # parts that are known not to be proved
        self.floats = FloatWeights(queries.family, queries.coefficients({}))

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
        if len(known) < len(leads) or max(known) > MOST_LEAD:
            return None
        return math.ceil(max(*known, Fraction(0)) * _DIGITS_PER_LEAD) + 3 + len(str(math.ceil(m + epsilon)))

    def forms(self) -> list[dict]:  # type: ignore[type-arg]
        return self.queries.coefficients({})

    def look(self, member: Member) -> Finding:
        """What is known of a member, with the family's own symbols where these allow more than (0, 1)."""
        if member.epsilon >= 1:
            return judged(self.queries, member)
        return looked_at(self.family, self.forms(), member)

    def first_wrong(self, members: Sequence[Member], *, every: bool = False) -> Finding | None:
        """The first of these members that certainly fails; without `every`, those that clearly meet in floats are left out."""
        findings = (self.look(member) for member in members if every or not self.floats.clearly_meets(member))
        return next((finding for finding in findings if finding.meets is False), None)

    def failing(self, n: int) -> Member | None:
        """A member of this size that certainly fails."""
        for member in self.members(n):
            if self.floats.clearly_meets(member):
                continue
            finding = judged(self.queries, member) if n == 2 else self.look(member)
            if finding.meets is False:
                return member
        return None

    # Parts that can be proved.

    def verdict_for_all(self) -> Verdict:
        """The verdict on the claim for all members, with parts that prove it where these are found."""
        whole = Part(2 if self.n is None else self.n, self.n, self.epsilon)
        verdict = ServesFamily(self.queries, self.n, self.epsilon, (whole,)).prove()
        if isinstance(verdict, Proved):
            return verdict
        self.refused.add(whole)
        parts = self.proof()
        return ServesFamily(self.queries, self.n, self.epsilon, parts).prove() if parts else verdict

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
        ways = (part for part in self._ways(plain, heads) if part not in self.refused)
        return next((part for part in ways if holds(self.queries, part)), None)

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
