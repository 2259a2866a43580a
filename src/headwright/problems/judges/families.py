"""A query given as a formula, judged for every member of its family.

First single members are looked at: one that fails refutes the claim. Then the whole region is proved, as it stands or with the
smallest n taken one by one. What is neither is Undecided. Formulas with a large symbol go to `large.py`; those that have no
normal form are known at single points alone, and can be refuted there, never proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from headwright.formulas import Formula
from headwright.problems.judges.conditions import holds_when
from headwright.problems.judges.exactness import judge_exact
from headwright.problems.judges.large import judge_limit
from headwright.problems.judges.members import Members
from headwright.problems.judges.noise_words import at_variance
from headwright.problems.judges.numbers import said
from headwright.problems.judges.outside import judge_outside
from headwright.problems.judges.points import Point, looked_at, members
from headwright.problems.judges.proving import everything, proved
from headwright.problems.judges.questions import Ask
from headwright.problems.judges.scores import NO_FORM, Scores
from headwright.problems.judges.telling import example, same_queries, told
from headwright.problems.showing import ERROR, N
from headwright.verdict import Proved, Refuted, Undecided, Verdict


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
    claim = said(ask, given.n or "any n >= 2")
    scope = given.described(tolerance=tolerance is None)
    queries = scores.queries({})
    if ask.different and all((queries[0][name] - queries[1][name]).is_zero() for name in queries[0]):
        return same_queries(claim, scope)
    named = ask.each or "eps" in scores.used
    tolerances = None if tolerance is None else [tolerance]
    found = (looked_at(ask, queries, point) for point in members(given.n, tolerances, named=named))
    wrong = next((finding for finding in found if finding.meets is False), None)
    if wrong is not None:
        return Refuted(
            claim,
            scope=f"the claim for {scope}",
            counterexample=example(ask, wrong),
            holds_when=holds_when(scores, tolerance, given.n),
            reason=told(ask, wrong),
            method="the weights of that member, in balls",
        )
    usual = ask.targets * ERROR / (1 - ERROR)
    telling = Point(N if given.n is None else given.n, usual if tolerance is None else tolerance, {}, named)
    shown = told(ask, looked_at(ask, queries, telling))
    if proved(scores, everything(tolerance, given.n)):
        shown = f"{shown} {at_variance(scores, telling)}".strip()
        return Proved(
            claim, scope=scope, reason=shown, method="inequalities between rational functions, by their coefficients"
        )
    return Undecided(
        claim,
        scope=scope,
        reason=f"No member that was looked at fails, and no proof for all was found. {shown}",
        next_step="write the factor as a multiple of one logarithm, or ask for one n and one error",
    )
