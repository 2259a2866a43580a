"""Running a question of the sheets: our own answer, judged, and the verdict on what its sheet published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, final

import numpy as np

from headwright.kernel.goals import Goal
from headwright.kernel.verdict import Verdict
from headwright.problems.catalogue import CATALOGUE, find
from headwright.problems.judges import judge
from headwright.problems.judges.entries import text, verdict_on
from headwright.problems.judges.trained_blocks import asking_rows
from headwright.problems.judges.weight_facts import goal_of, keys_of, layer_of, queries_of
from headwright.problems.problem import Problem
from headwright.words.attention import attend
from headwright.words.key_models import KeyModel

COUNTEREXAMPLE = "weights of the counterexample"
WORDS = (
    "“≈” means within an error of 0.01. The error of weights is their total variation distance from the weights asked for, "
    "which is half the sum of the absolute differences. odds(e) stands for e/(1-e). Where keys vary, “≈” must hold with "
    "probability 0.99. Limits are taken in this order: first the noise goes to zero, then the query grows. Keys are numbered "
    "from 0 in our instances and from 1 in the sheets."
)


@final
@dataclass(frozen=True, eq=False)
class Showing:
    """One question, run: `construction` in words, `weights` and `goal` of the instance, verdicts on ours and theirs.

    >>> showing = run("A.1a")
    >>> showing.ours.status, showing.published.status
    ('proved', 'proved')
    """

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
        """Plain values for JSON."""
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


def run(problem_id: str) -> Showing:
    """Our construction for the question, judged; ValueError for an id that no sheet has.

    >>> run("C.1.1d").published.status
    'refuted'
    """
    return _shown(find(problem_id))


def published(problem_id: str) -> Verdict | None:
    """The verdict on the published answer; None where the sheet gives none.

    >>> published("A.1a").status, published("D.a-i")
    ('proved', None)
    """
    return _published(find(problem_id))


def runs() -> list[str]:
    """The ids that run, in the sheets' order.

    >>> len(runs()), runs()[:3]
    (44, ['A.1a', 'A.1b', 'A.1c'])
    """
    return [problem_id for problem_id, problem in CATALOGUE.items() if problem.ours]


@cache
def _shown(problem: Problem) -> Showing:
    ours = problem.ours
    goal = problem.family.goal if isinstance(problem.family.goal, Goal) else None
    strips = [_strip(table, goal) for table in ours.get("weights", ())]
    (caption, weights, aim), *also = strips or [("", None, None)]
    return Showing(
        problem,
        text(ours["text"], ours.get("figures", {})),
        _verdict(ours, problem),
        _published(problem),
        weights,
        aim,
        caption,
        tuple((name, strip) for name, strip, _ in also if strip is not None),
        tuple(each for _, _, each in also),
    )


@cache
def _published(problem: Problem) -> Verdict | None:
    return None if problem.published is None else _verdict(problem.published_entry, problem)


def _verdict(entry: Mapping[str, Any], problem: Problem) -> Verdict:
    return verdict_on(entry, entry.get("claim", entry["text"]), lambda answer: judge(problem, answer))


def _strip(table: Mapping[str, Any], usual: Goal | None) -> tuple[str, np.ndarray | None, Goal | None]:
    """Caption, weights (n,) and goal of one strip: those of a query, the mean of several heads, one `head` of them, the
    heads of a trained block, or one `row` of a layer. With `goal = {}` no key is marked."""
    if "designed_layer" in table:
        weights = layer_of(table).weights()[table["row"]]
    elif "trained" in table:
        weights, usual = asking_rows(table["trained"])
    else:
        keys = keys_of(table)
        weights = attend(queries_of(table), keys.centre if isinstance(keys, KeyModel) else keys).weights
    if "head" in table:
        weights = weights[table["head"]]
    goal = usual
    if "goal" in table:
        goal = goal_of(table["goal"]) if table["goal"] else None
    return table["caption"], weights if weights.ndim == 1 else weights.mean(axis=0), goal
