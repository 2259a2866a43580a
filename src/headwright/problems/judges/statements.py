"""Essay questions: an answer names one of the question's statements, and the statement is judged by what it claims.

Which statements are true is stored nowhere: the facts of a statement's entry prove it, or show where it fails. Free text is
Undecided, for a person to read.
"""

from __future__ import annotations

import re
from functools import cache

from headwright.kernel.verdict import Undecided, Verdict
from headwright.problems.judges.entries import verdict_on
from headwright.problems.problem import AnswerError, Problem, Statement

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def judge(problem: Problem, statement: str) -> Verdict:
    """The verdict on the statement of `problem` with this id; Undecided for free text, AnswerError for an id it does not have.

    >>> from headwright.problems import find
    >>> judge(find("C.1.1a"), "each-at-most-one").status
    'refuted'
    >>> judge(find("C.1.1a"), "Softmax weights are positive and sum to one.").status
    'undecided'
    >>> judge(find("C.1.1a"), "positive")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    headwright.problems.problem.AnswerError: `statement` must be one of sum-to-one-is-enough, ...; got 'positive'
    """
    if not problem.statements:
        raise ValueError(f"`problem` {problem.id} offers no statements: it asks for {', '.join(problem.answers)}")
    if not isinstance(statement, str):
        raise TypeError(f"`statement` must be the id of a statement, a str; got {type(statement).__name__}")
    wanted = statement.strip()
    spelled = wanted.casefold().replace("_", "-")
    for known in problem.statements:
        if known.id == re.sub(r"[\s-]+", "-", spelled[:200]):
            return _judged(problem.id, known)
    if wanted and not _ID.fullmatch(spelled):
        return Undecided(
            wanted if len(wanted) <= 200 else f"{wanted[:200]} …",
            scope=f"question {problem.id}",
            reason="this is free text, which no proof can judge",
            next_step="name one of the question's statements by its id",
        )
    ids = ", ".join(known.id for known in problem.statements)
    raise AnswerError(f"`statement` must be one of {ids}; got {wanted[:60]!r}")


@cache
def _judged(problem_id: str, statement: Statement) -> Verdict:
    """Judged once: the question's id tells statements of one name apart."""
    return verdict_on(statement.entry, statement.text)
