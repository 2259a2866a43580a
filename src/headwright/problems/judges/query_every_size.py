"""A query for every n and ε: proved for all of them, or refuted by one, with the n for which it holds after all.

Whatever the search finds is only a witness: the claim `ServesFamily` judges it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.problems.family import Family, epsilon_for
from headwright.problems.judges.query_search import MOST_LEAD, Search
from headwright.problems.judges.query_words import SAME, at_member, why_not_for_all
from headwright.theories.formulas.families.family import Queries
from headwright.theories.formulas.families.members import Finding, Member, judged
from headwright.theories.formulas.families.regions import Part
from headwright.theories.formulas.families.serves_family import ServesFamily

_FEW = 6  # every so many of the members are looked at before a proof is tried
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
    search = _Refutation(queries, given.n, epsilon)
    same = ServesFamily(queries, given.n, epsilon).prove()  # two queries that are the same
    if isinstance(same, Refuted):
        return same.explained(SAME)
    members = [*search.members(given.n), *search.far_member()]
    if not _outweighed(queries, given.n) and not search.first_wrong(members[::_FEW]):
        verdict = search.verdict_for_all()
        if isinstance(verdict, Proved):
            return verdict.explained(at_member(queries, search.usual()))
    wrong = search.first_wrong(members) or search.first_wrong(members, every=True)
    if wrong is not None:
        verdict = search.refutation(wrong).prove()
        if isinstance(verdict, Refuted):
            why = why_not_for_all(queries, verdict.holds_when)
            return verdict.explained(f"{at_member(queries, wrong)} {why}".strip())
    shown = at_member(queries, search.usual())
    return ServesFamily(queries, given.n, epsilon).undecided(
        f"No counterexample was found, and no proof for every n and ε either. {shown}",
        "write the factor as a multiple of one logarithm, or ask for one n and one error",
    )


def _outweighed(queries: Queries, n: int | None) -> bool:
    """Whether enough keys outweigh the scores, because these do not follow their number: then no proof for all can be found."""
    return n is None and "n" not in queries.used


def serves_all(queries: Queries, epsilon: Fraction | None) -> bool:
    """Whether queries without a large symbol are proved to serve every member."""
    return not _outweighed(queries, None) and isinstance(Search(queries, None, epsilon).verdict_for_all(), Proved)


def proof_at(queries: Queries, n: int) -> Part | None:
    """A part that holds, with this n alone and every ε; None where none was found."""
    return Search(queries, None, None).written(n, True)


def up_to(queries: Queries, epsilon: Fraction | None) -> int | None:
    """The largest n, or power of ten, that was found to be met at this tolerance, for scores that do not depend on n."""
    return None if epsilon is None or "n" in queries.used else _Refutation(queries, None, epsilon).up_to()[0]


class _Refutation(Search):
    """Where a refuted answer holds after all."""

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
        if not parts and not begins:
            return ServesFamily(self.queries, None, self.epsilon, member=wrong.member)
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
        digits = self._digits()
        if digits >= _POWER and self._met(10**_POWER):
            assert self.epsilon is not None
            most = self.far_power(self.epsilon) or _POWER + 1
            return 10 ** _largest(lambda power: self._met(10**power), _POWER, most, int(digits)), ()
        guess = self.family.targets + int(10 ** min(digits, _POWER))
        low = _largest(self._met, 2, 10**_POWER, guess)
        beyond = self.failing(low + 1)
        return low, () if beyond is None else (beyond,)

    def _digits(self) -> float:
        """The common logarithm of the largest number of other keys that is met, in floats."""
        assert self.epsilon is not None
        low, high = 0.0, MOST_LEAD * math.log(10)
        while high - low > 1e-13 * max(high, 1):
            middle = (low + high) / 2
            met = self.floats.room(middle, {"eps": float(self.epsilon)}) >= 0
            low, high = (middle, high) if met else (low, middle)
        return low / math.log(10)

    def _met(self, n: int) -> bool:
        assert self.epsilon is not None
        return judged(self.queries, Member(n, self.epsilon)).meets is True


def _largest(met: Callable[[int], bool], low: int, high: int, guess: int) -> int:
    """The largest number below `high` that is met, where `low` is and all up to some number are; quick near the guess."""
    guess, step = min(max(guess, low), high - 1), 1
    if met(guess):
        low = guess
        while low + step < high and met(low + step):
            low, step = low + step, 2 * step
        high = min(high, low + step)
    else:
        high = guess
        while high - step > low and not met(high - step):
            high, step = high - step, 2 * step
        low = max(low, high - step)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if met(middle) else (low, middle)
    return low
