"""Credit: in which way an answer is right or wrong, beyond its verdict. Each way rests on a claim that is proved here.

The verdict is about every n and every ε. A teacher also wants to know whether a refuted answer is right for all sizes that
occur, right in the limit, or right but for its length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from headwright.kernel import balls
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.kernel.within_error import WithinError
from headwright.problems import _check
from headwright.problems.family import Family, epsilon_for
from headwright.problems.grading.policies import CREDITS, LARGEST_N, RANGE, SMALLEST_EPSILON
from headwright.problems.judges import nearly_right
from headwright.problems.problem import Problem
from headwright.problems.prose import number
from headwright.theories.formulas.families.exact_average import ExactAverage
from headwright.theories.formulas.families.family import Queries, QueryFamily
from headwright.theories.formulas.families.serves_family import ServesFamily
from headwright.theories.formulas.families.serves_keys import ServesKeys
from headwright.theories.formulas.inequality import Inequality
from headwright.theories.random_keys.with_probability import WithProbability

RIGHT = ("proved", "argued")  # a true statement earns its points, whether a claim proves it or a written argument does
_WRONG_LENGTH = "right direction, wrong length"
_TOO_SHORT = "The direction is right, but the query is too short."
_HEADS_TOO_SHORT = "The directions are right, but the queries are too short."
_UNEQUAL = "Exact equality is impossible, so the answer none is right, too."


@final
@dataclass(frozen=True, slots=True)
class Credit:
    """`kind` is one of `CREDITS`, `word` what the grade says, `note` a sentence about what was proved besides the verdict.

    `remark` gives another right answer away: it is only for those who have full marks already.
    """

    kind: str
    word: str
    note: str = ""
    remark: str = ""

    @classmethod
    def of(cls, kind: str, note: str = "", remark: str = "") -> Credit:
        return cls(kind, CREDITS[kind], note, remark)


def credit_of(problem: Problem, answer: Mapping[str, Any], verdict: Verdict) -> Credit | None:
    """The credit of an answer that was judged; None where a person must decide."""
    if verdict.status in RIGHT:
        return Credit.of("right")
    if not isinstance(verdict, Refuted):
        return None
    with balls.precision(balls.FLOAT_BITS):  # one thread at a time, as in the judge
        return _nearly(problem, answer, verdict) or Credit.of("wrong")


def _nearly(problem: Problem, answer: Mapping[str, Any], verdict: Refuted) -> Credit | None:
    """The credit of a refuted answer that is nearly right, None for any other."""
    claim, family = verdict.record, problem.family
    if isinstance(claim, ServesFamily) and claim.n is None:
        return _for_all_sizes(claim, too_long="length" in str(verdict.counterexample.get("fault", "")))
    if isinstance(claim, ExactAverage) and claim.tree is not None:
        queries = Queries(QueryFamily(claim.basis), (claim.tree,))
        return (
            _in_the_limit(queries, family)
            if claim.n is None
            else _near(nearly_right.at_setting(queries, family), family)
        )
    if isinstance(claim, ServesKeys) and nearly_right.has_numbers(claim):
        if "length" in verdict.counterexample and isinstance(nearly_right.of_any_length(claim).prove(), Proved):
            return Credit.of("too-long", "Its weights are right, but it is longer than allowed.")
        return _too_short(claim, claim.family.heads)
    if isinstance(claim, WithinError | WithProbability):
        return _too_short(claim, len(claim.heads.queries))
    if isinstance(claim, Inequality) and "max_length" in problem.claim:
        free = replace(problem, claim={name: x for name, x in problem.claim.items() if name != "max_length"})
        if isinstance(_check.check(free, answer), Proved):
            return Credit.of("too-long", "Its weights are right, but it is longer than allowed.")
    return None


def _for_all_sizes(claim: ServesFamily, *, too_long: bool) -> Credit | None:
    """A formula that was judged for every n."""
    queries = claim.queries
    most = nearly_right.most_keys(claim, LARGEST_N, SMALLEST_EPSILON)
    if most is not None:
        return _up_to(most, with_epsilon=claim.epsilon is None)
    if too_long and queries.family.limit is not None:
        free = ServesFamily(nearly_right.without_limit(queries), None, claim.epsilon)
        if nearly_right.serves_all(free.queries, claim.epsilon):
            return Credit.of("too-long", "Its weights are right for every n and ε, but it is longer than allowed.")
        if nearly_right.most_keys(free, LARGEST_N, SMALLEST_EPSILON) is not None:
            note = f"For {RANGE} its weights are right, but it is longer than allowed."
            return Credit.of("too-long", note)
    if not nearly_right.right_direction(queries):
        return None
    if queries.family.heads > 1:
        return Credit.of("too-short", _HEADS_TOO_SHORT)
    if too_long or nearly_right.long_somewhere(queries):
        note = "The direction is right, but the length is not."
        return Credit("too-short", _WRONG_LENGTH, note)
    return Credit.of("too-short", _TOO_SHORT)


def _in_the_limit(queries: Queries, family: Family) -> Credit | None:
    """A formula for a query whose output is to equal the average: no query has that output, but some come near."""
    if not nearly_right.has_form(queries):
        return None
    if queries.large or "eps" in queries.used:
        if nearly_right.serves_all(queries, None):
            return Credit.of("limit", "Its output comes as close to the average as you like.", _UNEQUAL)
    else:
        claim = ServesFamily(queries, None, epsilon_for(family.near, queries.family.targets))
        if "n" in queries.used and nearly_right.serves_all(queries, claim.epsilon):
            return _within(family)
        most = nearly_right.most_keys(claim, LARGEST_N, SMALLEST_EPSILON)
        if most is not None:
            near = _up_to(most, with_epsilon=False)
            return replace(
                near,
                note=f"To within an error of {number(float(family.near))}, {near.note[0].lower()}{near.note[1:]}",
                remark=_UNEQUAL,
            )
    longer = "A multiple of it that grows comes as close to the average as you like."
    return Credit.of("too-short", longer) if nearly_right.right_direction(queries) else None


def _near(claim: ServesKeys, family: Family) -> Credit | None:
    """Numbers for a query whose output is to equal the average."""
    return _within(family) if isinstance(claim.prove(), Proved) else _too_short(claim, 1)


def _within(family: Family) -> Credit:
    error = number(float(family.near))
    return Credit("up-to", f"right to within {error}", f"It comes within an error of {error} of the average.", _UNEQUAL)


def _up_to(most: int, *, with_epsilon: bool) -> Credit:
    largest = f"10^{len(str(most)) - 1}" if most < 10**4000 else f"10^{(most.bit_length() - 1) * 30102 // 100000}"
    if with_epsilon:
        note = (
            f"It holds for every n up to {largest} and every ε from 10^−6 on, which covers the practical range {RANGE}."
        )
    else:
        note = f"It holds for every n up to {largest}, which covers the practical range n ≤ 10^6."
    return Credit("up-to", f"right up to n ≈ {largest}", note)


def _too_short(claim: Claim, heads: int) -> Credit | None:
    note = _TOO_SHORT if heads == 1 else _HEADS_TOO_SHORT
    return Credit.of("too-short", note) if nearly_right.long_enough(claim) else None
