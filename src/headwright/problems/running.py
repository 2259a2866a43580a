"""Running a question of the sheets: our own answer, judged, and the verdict on what its sheet published."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from headwright.attention import attend
from headwright.goals import Goal
from headwright.keys import KeyModel
from headwright.problems import (
    averaging,
    copying,
    noisy_heads,
    noisy_length,
    random_length,
    readouts,
    token_example,
    vanishing_noise,
)
from headwright.problems.catalogue import CATALOGUE, find
from headwright.problems.judges import facts, judge
from headwright.problems.judges.entries import explained, verdict_on
from headwright.problems.judges.trained_blocks import asking_rows
from headwright.problems.judges.weight_facts import goal_of, keys_of, queries_of
from headwright.problems.problem import Problem
from headwright.problems.showing import Showing
from headwright.verdict import Verdict

_RUNS: dict[str, Callable[[Problem], Showing]] = {
    **copying.RUNS,
    **averaging.RUNS,
    **random_length.RUNS,
    **vanishing_noise.RUNS,
    **noisy_length.RUNS,
    **noisy_heads.RUNS,
    **readouts.RUNS,
    **token_example.RUNS,
}


def run(problem_id: str) -> Showing:
    """Our construction for the question, judged; ValueError for an id that no sheet has.

    >>> run("C.1.1d").published.status
    'refuted'
    """
    problem = find(problem_id)
    return _RUNS[problem.id](problem) if problem.id in _RUNS else _shown(problem)


def published(problem_id: str) -> Verdict | None:
    """The verdict on the published answer; None where the sheet gives none.

    >>> published("A.1a").status, published("D.a-i")
    ('proved', None)
    """
    problem = find(problem_id)
    if problem.id in _RUNS:
        return None if problem.published is None else run(problem.id).published
    return _published(problem)


def runs() -> list[str]:
    """The ids that run, in the sheets' order."""
    return [problem_id for problem_id, problem in CATALOGUE.items() if problem_id in _RUNS or problem.ours]


def _shown(problem: Problem) -> Showing:
    ours = problem.ours
    goal = problem.family.goal if isinstance(problem.family.goal, Goal) else None
    strips = [_strip(table, goal) for table in ours.get("weights", ())]
    (caption, weights, aim), *also = strips or [("", None, None)]
    return Showing(
        problem,
        facts.text(ours["text"], ours.get("figures", {})),
        _verdict(ours, problem),
        _published(problem),
        weights,
        aim,
        caption,
        tuple((name, found) for name, found, _ in also if found is not None),
        tuple(each for _, _, each in also),
    )


@cache
def _published(problem: Problem) -> Verdict | None:
    return None if problem.published is None else _verdict(problem.published_entry, problem)


def _verdict(entry: Mapping[str, Any], problem: Problem) -> Verdict:
    """What the entry's own facts say, or else `check`."""
    if {"for", "against", "argument"} & set(entry):
        return verdict_on(entry, entry.get("claim", entry["text"]))
    return explained(judge(problem, entry["answer"]), entry)


def _strip(table: Mapping[str, Any], usual: Goal | None) -> tuple[str, np.ndarray | None, Goal | None]:
    """Caption, weights (n,) and goal of one strip: those of a query, the mean of several heads, or one `head` of them."""
    if "trained" in table:
        weights, usual = asking_rows(table["trained"])
    else:
        keys = keys_of(table)
        weights = attend(queries_of(table), keys.centre if isinstance(keys, KeyModel) else keys).weights
    if "head" in table:
        weights = weights[table["head"]]
    goal = goal_of(table["goal"]) if "goal" in table else usual
    return table["caption"], weights if weights.ndim == 1 else weights.mean(axis=0), goal
