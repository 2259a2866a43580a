"""check: anyone's answer to a question, judged by what it does.

An answer names what its question asks for: {"q": "2*log(n/eps)*k_1"}, {"q1": …, "q2": …}, {"M": …}, {"statement": "an-id"}. Text
is a formula over the question's own names and is judged over the whole family that the question is about; an array is judged
at `problem.setting()`. No stored solution is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwright.kernel.verdict import Verdict
from headwright.problems.catalogue import find
from headwright.problems.judges import judge
from headwright.problems.problem import Problem


def check(problem_id: str | Problem, answer: Mapping[str, Any], *, error: Any = None, n: int | None = None) -> Verdict:
    """Proved, Refuted or Undecided: does `answer` do what the question asks?

    `answer` maps the question's answer names to a formula (str) or an array. A formula is judged for all n >= 2 and all
    tolerances ε in (0, 1), or "≈" as error 0.01 where it has no eps; `n` and `error` restrict the family to that one member.
    An array is judged at `problem.setting(n)`, n = 10 and error 0.01 unless given. A verdict's reason is about the answer
    given, and never gives another away. A teacher's question about given keys has its own keys and error, so it takes neither.

    >>> check("A.1a", {"q": "2*log(n/eps)*k_1"}).status, check("A.1a", {"q": "log(n/eps)*k_1"}).status
    ('proved', 'refuted')
    """
    problem = problem_id if isinstance(problem_id, Problem) else find(problem_id)
    return judge(problem, answer, error=error, n=n)
