"""The file that students fill in: each question with a line for every name that an answer defines."""

from __future__ import annotations

from collections.abc import Iterable

from headwright.problems.problem import Problem


def template_of(problems: Iterable[Problem]) -> str:
    """The answer file to fill in, in Markdown.

    >>> from headwright.problems import CATALOGUE
    >>> print(template_of([CATALOGUE["E.1c"]]).splitlines()[2])
    ## E.1c
    """
    parts = ["student = \n"]
    for problem in problems:
        entries = "\n".join(f"{name} = " for name in problem.answers)
        parts.append(f"## {problem.id}\n\n> {problem.question.strip()}\n\n{entries}\n")
    return "\n".join(parts)
