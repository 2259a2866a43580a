"""How a statement stands or falls: by a claim that proves it, by a written argument, or by an instance at which it fails.

A fact is a verdict that must be Proved, a point one that must be Refuted; both are records, so that a refuted statement can be
saved and refuted again. A check is an exact comparison on which an argument rests. Unless all of them come out as they must, the
statement is Undecided: nothing here is taken on trust.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from headwright.argued import Argued
from headwright.problems.running import run
from headwright.problems.showing import Showing, argued, refuted_by
from headwright.verdict import Verdict


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
    """The verdict on the same claim: an argued one in the statement's words, any other in those of its record."""
    return replace(verdict, claim=text) if isinstance(verdict, Argued) else verdict


def stands(
    text: str, *, argument: str, scope: str, reason: str, checks: Sequence[bool] = (), facts: Sequence[Verdict] = ()
) -> Verdict:
    """Argued when every check holds and every fact is proved, or argued itself, its instances then standing for it."""
    instances = [each for fact in facts for each in (fact.instances if isinstance(fact, Argued) else (fact,))]
    return argued(text, argument=argument, scope=scope, reason=reason, inequalities=list(checks), instances=instances)


def falls(
    text: str,
    *,
    example: dict[str, str],
    reason: str,
    facts: Sequence[Verdict] = (),
    points: Sequence[Verdict] = (),
    condition: str | None = None,
    also: Sequence[bool] = (),
) -> Verdict:
    """Refuted at `example`, where every fact is proved and every point refuted."""
    return refuted_by(text, facts, points=points, example=example, reason=reason, condition=condition, also=also)
