"""The judges: one file for each kind of answer. `judge` sends an answer to the one for its question."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from headwright.problems.judges.members import Members
from headwright.problems.problem import Problem
from headwright.verdict import Verdict

__all__ = ["Members", "judge"]


def judge(problem: Problem, given: Mapping[str, str | np.ndarray], members: Members) -> Verdict:
    """The verdict on an answer whose names have been checked: text is a formula, an id or "none", all else an array."""
    if problem.answers == ("statement",):
        from headwright.problems.judges import statements

        return statements.judge(problem, str(given["statement"]))
    from headwright.problems.judges.layers import judge_layer
    from headwright.problems.judges.matrices import judge_matrix
    from headwright.problems.judges.queries import judge_queries
    from headwright.problems.judges.questions import ASKS, EXACT

    if problem.id in ASKS or problem.id in EXACT:
        return judge_queries(problem, given, members)
    if problem.id == "B.3e-ii":
        return judge_layer(problem, given, members)
    return judge_matrix(problem, given, members)
