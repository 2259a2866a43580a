"""The judges: one file for each kind of claim. `judge` sends an answer to the one for its question's kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from headwright import arrays, balls
from headwright.problems.family import Family
from headwright.problems.judges.given_answers import given_of
from headwright.problems.judges.given_keys import judge_at_keys
from headwright.problems.judges.layers import judge_layer
from headwright.problems.judges.matrices import judge_low_rank, judge_read_out
from headwright.problems.judges.queries import judge_exact, judge_queries
from headwright.problems.problem import Problem
from headwright.verdict import Verdict

Judge = Callable[[Problem, Mapping[str, "str | np.ndarray"], Family], Verdict]


def _statement(problem: Problem, given: Mapping[str, str | np.ndarray], family: Family) -> Verdict:
    from headwright.problems.judges import statements

    return statements.judge(problem, str(given["statement"]))


JUDGES: dict[str, Judge] = {
    "near": judge_queries,
    "each": judge_queries,
    "exact": judge_exact,
    "reads-out": judge_read_out,
    "low-rank": judge_low_rank,
    "layer": judge_layer,
    "statement": _statement,
}


def judge(problem: Problem, answer: Mapping[str, Any], *, error: Any = None, n: int | None = None) -> Verdict:
    """The verdict on {name: formula or array}; `n` and `error` restrict the family that the question speaks of."""
    with balls.precision(balls.FLOAT_BITS):  # one thread at a time, from the first ball of an answer to the last
        for name, value in (("error", error), ("n", n)):
            if value is not None and problem.family.fixed:
                raise ValueError(
                    f"`{name}` goes with a question about every size: {problem.id} has its own, got {value!r}"
                )
        family = problem.family.restricted(n, None if error is None else arrays.rational(error, name="error"))
        given = given_of(problem, answer)
        if family.fixed and problem.kind in ("near", "impossible"):
            return judge_at_keys(problem, given, family)
        return JUDGES[problem.kind](problem, given, family)
