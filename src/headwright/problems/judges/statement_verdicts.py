"""How a statement stands or falls: by an argument that rests on facts, or by a point at which it fails.

A fact is a verdict that must be Proved, a point one that must be Refuted, a check an exact comparison. Unless all of them come
out as they must, the statement is Undecided: nothing here is taken on trust.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from headwright.problems.running import run
from headwright.problems.showing import Showing, for_all
from headwright.verdict import Proved, Refuted, Undecided, Verdict


@cache
def shown(problem_id: str) -> Showing:
    """What running this question shows; run once."""
    return run(problem_id)


def of_published(problem_id: str) -> Verdict:
    """The verdict on what the sheet publishes."""
    verdict = shown(problem_id).published
    if verdict is None:
        raise ValueError(f"`problem_id` {problem_id} has no published answer")
    return verdict


def said(text: str, verdict: Verdict) -> Verdict:
    """The verdict on the same claim in the statement's words."""
    return replace(verdict, claim=text)


def stands(
    text: str, *, scope: str, reason: str, checks: Sequence[bool] = (), facts: Sequence[Verdict] = ()
) -> Verdict:
    """Proved when every check and fact holds."""
    return for_all(text, scope=scope, reason=reason, inequalities=list(checks), instances=list(facts))


def falls(
    text: str,
    *,
    example: dict[str, str],
    reason: str,
    checks: Sequence[bool] = (),
    facts: Sequence[Verdict] = (),
    points: Sequence[Verdict] = (),
    holds_when: str | None = None,
) -> Verdict:
    """Refuted at `example` when every check and fact holds there and every point is refuted."""
    proved = all(isinstance(fact, Proved) for fact in facts)
    refuted = all(isinstance(point, Refuted) for point in points)
    if not (all(checks) and proved and refuted and (checks or facts or points)):
        return Undecided(
            text,
            scope="this statement",
            reason="its counterexample did not go through",
            next_step="a person must read this",
        )
    how = [f"proved there: {fact.claim}" for fact in facts[:2]] + [
        f"refuted there: {point.claim}" for point in points[:1]
    ]
    return Refuted(
        text,
        scope="the claim in general",
        counterexample=example,
        holds_when=holds_when,
        reason=reason,
        method="; ".join(how) or "exact arithmetic",
        record=points[0].record if points else None,
    )
