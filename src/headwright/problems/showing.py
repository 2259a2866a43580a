"""What running a question shows: a construction, its weights, our verdict, and one on the published answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.goals import Goal
from headwright.problems.problem import Problem
from headwright.verdict import Proved, Refuted, Undecided, Verdict

COUNTEREXAMPLE = "weights of the counterexample"
WORDS = (
    "“≈” means within error 0.01. The error of weights is their total variation from the wanted ones, half the sum of all "
    "differences; odds(e) = e/(1-e). Where keys vary, “≈” must hold with probability 0.99, and vanishing noise is gone before "
    "large factors grow. Keys are numbered from 0 in the instances, from 1 in the sheets."
)
# The instance at which claims about a whole family are also certified as numbers ("≈" means error 0.01).
N = 10
ERROR = Fraction(1, 100)
ODDS = ERROR / (1 - ERROR)


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


def for_all(claim: str, *, scope: str, reason: str, inequalities: list[bool], instances: list[Verdict]) -> Verdict:
    """A verdict on a whole family: Proved when its checks hold and its instances are proved as well.

    `reason` is the reduction from the family to `inequalities`: outcomes of `balls.nonnegative`, of comparisons of proved
    bounds, or of equations between rationals.
    """
    evidence = {"instance": "; ".join(f"{v.status}: {v.claim}" for v in instances)}
    if all(inequalities) and all(isinstance(v, Proved) for v in instances):
        checked = _checked(inequalities)
        argued = checked if inequalities else "the argument above"
        method = f"{argued}; {_counted(len(instances), 'instance', 'instances')} certified"
        return Proved(claim, scope=scope, reason=reason, method=method)
    return Undecided(
        claim,
        scope=scope,
        reason="the reduction did not go through",
        next_step="look at the instance",
        evidence=evidence,
    )


def refuted_at(
    point: Verdict,
    claim: str,
    *,
    example: dict[str, str],
    reason: str,
    holds_when: str | None = None,
    inequalities: list[bool] | None = None,
    instances: list[Verdict] | None = None,
) -> Verdict:
    """`claim` is refuted by a point that the proofs refuted; anything else comes back as it came.

    What `reason` and `holds_when` add to the point rests on `inequalities` and `instances`: unless all hold, Undecided.
    """
    if not isinstance(point, Refuted):
        return point
    checks, proofs = inequalities or [], instances or []
    if not (all(checks) and all(isinstance(v, Proved) for v in proofs)):
        return Undecided(
            claim, reason="the claim fails at one point, but the rest did not go through", next_step="look at the rest"
        )
    counted = [
        *([_checked(checks)] if checks else []),
        *([_counted(len(proofs), "instance", "instances") + " certified"] if proofs else []),
    ]
    return Refuted(
        claim,
        scope="the claim in general",
        counterexample=example,
        holds_when=holds_when,
        reason=reason,
        method="; ".join([f"at that point: {point.bound_text or point.method}", *counted]),
        record=point.record,
    )


def _checked(outcomes: list[bool]) -> str:
    """Inequalities and equations alike, which the callers mix."""
    return f"{_counted(len(outcomes), 'check', 'checks')}, exact or with proved bounds"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
