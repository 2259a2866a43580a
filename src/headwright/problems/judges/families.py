"""A query given as a formula, judged for every member of its family.

First a few members are looked at, then the whole region is tried, as it stands or with the smallest n taken one by one. Where
that is no proof more members are looked at: one that fails refutes the claim. What is neither is Undecided. Formulas with a
large symbol go to `large.py`; those that have no normal form are known at single points alone, and can be refuted there, never
proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from headwright.formulas import Formula
from headwright.problems.judges.conditions import holds_when
from headwright.problems.judges.exactness import judge_exact
from headwright.problems.judges.large import judge_limit
from headwright.problems.judges.members import Members
from headwright.problems.judges.numbers import said
from headwright.problems.judges.outside import judge_outside
from headwright.problems.judges.points import Finding, Point, far_power, looked_at, members
from headwright.problems.judges.proving import everything, proved
from headwright.problems.judges.questions import Ask
from headwright.problems.judges.scores import NO_FORM, Scores
from headwright.problems.judges.telling import example, same_queries, told, why_not_for_all
from headwright.problems.showing import ERROR, N
from headwright.verdict import Proved, Refuted, Undecided, Verdict

_FEW = 6  # every so many of the members are looked at before a proof is tried


def judge_family(ask: Ask, read: Mapping[str, Formula], given: Members) -> Verdict:
    """The verdict on formulas over all members that the question and the caller leave."""
    scores = Scores(ask, read)
    if ask.exact:
        return judge_exact(scores, given)
    try:
        scores.queries({})
        return judge_limit(scores, given) if scores.large else _without_large(scores, given)
    except NO_FORM as beyond:
        return judge_outside(scores, given, str(beyond))


def tolerance_of(scores: Scores, given: Members) -> Fraction | None:
    """The ε that the family has; None where it runs over (0, 1)."""
    ask = scores.ask
    if given.error is None and (ask.each or "eps" in scores.used):
        return None
    error = ERROR if given.error is None else given.error
    return ask.targets * error / (1 - error)


def _without_large(scores: Scores, given: Members) -> Verdict:
    ask, tolerance = scores.ask, tolerance_of(scores, given)
    claim = said(ask, given.n)
    scope = given.described(tolerance=tolerance is None)
    queries = scores.queries({})
    if ask.different and all((queries[0][name] - queries[1][name]).is_zero() for name in queries[0]):
        return same_queries(claim, scope)
    named = ask.each or "eps" in scores.used
    tolerances = None if tolerance is None else [tolerance]
    points = [*members(given.n, tolerances, named=named), *_far(scores, given, tolerance, named)]
    whole = everything(tolerance, given.n)
    is_proved = _first_wrong(scores, points[::_FEW]) is None and proved(scores, whole)
    wrong = None if is_proved else _first_wrong(scores, points)
    if wrong is not None:
        condition = holds_when(scores, tolerance, given.n)
        return Refuted(
            claim,
            scope=f"the claim for {scope}",
            counterexample=example(ask, wrong),
            holds_when=condition,
            reason=f"{told(ask, wrong)} {why_not_for_all(scores, condition)}".strip(),
            method="the weights of that member, in balls",
        )
    usual = ask.targets * ERROR / (1 - ERROR)
    telling = Point(N if given.n is None else given.n, usual if tolerance is None else tolerance, {}, named)
    shown = told(ask, looked_at(ask, queries, telling))
    if is_proved:
        return Proved(
            claim, scope=scope, reason=shown, method="inequalities between rational functions, by their coefficients"
        )
    return Undecided(
        claim,
        scope=scope,
        reason=f"No member that was looked at fails, and no proof for all was found. {shown}",
        next_step="write the factor as a multiple of one logarithm, or ask for one n and one error",
    )


def _first_wrong(scores: Scores, points: Sequence[Point]) -> Finding | None:
    """The first of these members that certainly fails."""
    found = (looked_at(scores.ask, scores.queries({}), point) for point in points)
    return next((finding for finding in found if finding.meets is False), None)


def _far(scores: Scores, given: Members, tolerance: Fraction | None, named: bool) -> Iterator[Point]:
    """Where n is free and the scores do not follow it: a member with more keys than they can outweigh."""
    if given.n is None and "n" not in scores.used:
        epsilon = Fraction(1, 2) if tolerance is None else tolerance
        power = far_power(scores.ask, scores.queries({}), epsilon)
        if power is not None:
            yield Point(10**power, epsilon, {}, named)
