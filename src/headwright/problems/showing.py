"""What running a question shows: a construction, its weights, our verdict, and one on the published answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from headwright.argued import Argued
from headwright.goals import Goal
from headwright.problems.family import ERROR, ODDS, N
from headwright.problems.problem import Problem
from headwright.proofs import AllOf, Claim, Contrary
from headwright.verdict import Proved, Refuted, Undecided, Verdict

__all__ = ["COUNTEREXAMPLE", "ERROR", "ODDS", "WORDS", "N", "Showing", "argued", "checked", "refuted_by"]
COUNTEREXAMPLE = "weights of the counterexample"
WORDS = (
    "“≈” means within error 0.01. The error of weights is their total variation from the wanted ones, half the sum of all "
    "differences; odds(e) = e/(1-e). Where keys vary, “≈” must hold with probability 0.99, and vanishing noise is gone before "
    "large factors grow. Keys are numbered from 0 in the instances, from 1 in the sheets."
)


@final
@dataclass(frozen=True, eq=False)
class Showing:
    """One question, run: `construction` in words, `weights` and `goal` of the instance, verdicts on ours and theirs."""

    problem: Problem
    construction: str
    ours: Verdict
    published: Verdict | None = None
    weights: np.ndarray | None = None
    goal: Goal | None = None
    caption: str = "weights of our query"  # or COUNTEREXAMPLE, where the weights belong to the published answer
    also: tuple[tuple[str, np.ndarray], ...] = ()  # further weights, such as those of another sample, with captions
    also_goals: tuple[Goal | None, ...] = ()  # theirs, where they are not the question's: one for each of `also`

    def further(self) -> list[tuple[str, np.ndarray, Goal | None]]:
        """The further weights: caption, weights, and the goal that they are to meet."""
        goals = self.also_goals or (self.goal,) * len(self.also)
        return [(caption, weights, goal) for (caption, weights), goal in zip(self.also, goals, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "problem": self.problem.to_dict(),
            "construction": self.construction,
            "caption": self.caption,
            "weights": None if self.weights is None else self.weights.tolist(),
            "goal": None if self.goal is None else self.goal.to_dict(),
            "also": {caption: weights.tolist() for caption, weights in self.also},
            "also_goals": [None if goal is None else goal.to_dict() for _, _, goal in self.further()],
            "ours": self.ours.to_dict(),
            "published": None if self.published is None else self.published.to_dict(),
        }


def argued(
    claim: str, *, argument: str, scope: str, reason: str, inequalities: list[bool], instances: list[Verdict]
) -> Verdict:
    """A claim about a whole family that a written argument supports: Argued when its checks hold and its instances are proved.

    `argument` is a section of docs/theory, where the reduction from the family to `inequalities` stands: outcomes of
    `nonnegative`, of comparisons of proved bounds, or of equations between rationals.
    """
    proofs = tuple(each for each in instances if isinstance(each, Proved))
    if all(inequalities) and len(proofs) == len(instances):
        return Argued(
            claim,
            scope=scope,
            reason=reason,
            argument=f"docs/theory/{argument}",
            instances=proofs,
            method=f"{_counted(len(inequalities), 'check', 'checks')}, exact or with proved bounds"
            if inequalities
            else "",
        )
    return Undecided(
        claim,
        scope=scope,
        reason="the reduction did not go through",
        next_step="look at the instance",
        evidence={"instance": "; ".join(f"{v.status}: {v.claim}" for v in instances)},
    )


def refuted_by(
    claim: str,
    facts: Sequence[Verdict],
    *,
    points: Sequence[Verdict] = (),
    example: Mapping[str, str],
    reason: str,
    condition: str | None = None,
    also: Sequence[bool] = (),
    instances: Sequence[Verdict] = (),
) -> Verdict:
    """A general claim refuted at one instance, where all `facts` are proved and all `points` refuted.

    The verdict is that of the claim that these are not all so, which `claim` implies; its words are those of the records.

    What `reason` and `condition` say besides rests on `also` and on `instances`: unless all of them hold, Undecided.
    """
    records = [_record(fact) for fact in facts] + [Contrary(_record(point)) for point in points]
    whole = AllOf(tuple(records))
    verdict = Contrary(records[0] if len(records) == 1 else whole).prove()
    if not (isinstance(verdict, Refuted) and all(also) and all(isinstance(each, Proved) for each in instances)):
        return Undecided(
            claim,
            reason="the counterexample, or what is said besides, did not go through",
            next_step="a person must read this",
        )
    told = [reason, f"Here {', '.join(f'{name}: {what}' for name, what in example.items())}." if example else ""]
    if condition:
        told.append(f"It would hold under this condition: {condition}.")
    return verdict.explained(" ".join(part for part in told if part))


def checked(problem: Problem, answer: Mapping[str, str] | None, reason: str) -> Verdict:
    """What `check` says of an answer to the question, for the whole family that it speaks of, with a reason of ours."""
    from headwright.problems.checking import check  # whose judges look at showings

    if answer is None:
        raise ValueError(f"`answer` must be given, but {problem.id} has no published answer in formulas")
    verdict = check(problem, answer)
    return verdict.explained(reason) if isinstance(verdict, Proved | Refuted) else verdict


def _record(verdict: Verdict) -> Claim:
    if not isinstance(verdict.record, Claim):
        raise TypeError(f"a counterexample is made of claims, but this verdict has none: {verdict.claim}")
    return verdict.record


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
