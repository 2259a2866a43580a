"""Running a question of the sheets, and the verdict on what its sheet published."""

from __future__ import annotations

from collections.abc import Callable

from headwright.problems import (
    averaging,
    copying,
    learned,
    noisy_heads,
    noisy_length,
    order,
    positions,
    random_length,
    readouts,
    singular,
    token_example,
    vanishing_noise,
)
from headwright.problems.catalogue import CATALOGUE, find
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
    **learned.RUNS,
    **readouts.RUNS,
    **token_example.RUNS,
    **order.RUNS,
    **positions.RUNS,
    **singular.RUNS,
}


def run(problem_id: str) -> Showing:
    """Our construction for the question, judged; ValueError for an id that no sheet has.

    >>> run("C.1.1d").published.status
    'refuted'
    """
    problem = find(problem_id)
    return _RUNS[problem.id](problem)


def published(problem_id: str) -> Verdict | None:
    """The verdict on the published answer; None where the sheet gives none.

    >>> published("A.1a").status, published("D.a-i")
    ('proved', None)
    """
    problem = find(problem_id)
    return None if problem.published is None else run(problem.id).published


def runs() -> list[str]:
    """The ids that run, in the sheets' order."""
    return [problem_id for problem_id in CATALOGUE if problem_id in _RUNS]
