"""template: a file to fill in, in Markdown. What it says itself stands behind `>`: the reader knows these very lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from headwright.problems.catalogue import close_ids, known_as
from headwright.problems.judges.key_words import keys_in_words
from headwright.problems.problem import Problem

_HEAD = """\
# {title}

Student:

> Write your formula behind the sign =, in LaTeX or as plain text.
> If you write words below it, the answer waits for a person, who reads both.
> Lines that begin with > belong to the questions. You can delete them.
"""


def template(problems: Iterable[Problem], *, title: str = "Answers") -> str:
    """A Markdown file with the questions and, for each, a line for everything that its answer must define.

    >>> from headwright.problems import find
    >>> print(template([find("A.1b")]).split("points)")[1])
    <BLANKLINE>
    <BLANKLINE>
    > The keys k_1, ..., k_n are orthonormal. Find a query q of length at most 2√2 ln(n/ε) that gives each of k_1 and k_2 a weight of at least 1/(2+ε).
    >
    > A formula may use k_1, k_2, n, eps.
    <BLANKLINE>
    q =
    <BLANKLINE>
    """  # noqa: E501 - a line of the file
    return "\n".join([_HEAD.replace("{title}", " ".join(title.split())), *map(_question, problems)])


def chosen(names: Iterable[str], problems: Mapping[str, Problem]) -> list[Problem]:
    """The questions with these ids, or of these sheets, each once; all where nothing is named. ValueError for another name.

    >>> from headwright.problems import CATALOGUE
    >>> [problem.id for problem in chosen(["e.1C", "a"], CATALOGUE)][:3]
    ['E.1c', 'A.1a', 'A.1b']
    """
    picked: dict[str, Problem] = {}
    for name in names:
        known = known_as(name, problems)
        found = [problems[known]] if known else [p for p in problems.values() if p.sheet.casefold() == name.casefold()]
        if not found:
            close = ", ".join(close_ids(name, problems))
            hint = f"; did you mean {close}?" if close else ""
            raise ValueError(f"`ID` must be a question or a sheet, got {name!r}{hint}")
        picked.update((problem.id, problem) for problem in found)
    return list(picked.values()) or list(problems.values())


@lru_cache(maxsize=256)
def said_by(problem: Problem) -> frozenset[str]:
    """What the template says about a question, line by line: a student who leaves it in the file has said nothing.

    >>> from headwright.problems import find
    >>> "A formula may use k_1, k_2, n, eps." in said_by(find("A.1b")), "Copy it." in said_by(find("A.1b"))
    (True, False)
    """
    lines = [line.removeprefix("> ") for line in _question(problem).split("\n") if line.startswith("> ")]
    return frozenset(_one_line(line) for line in (*lines, problem.title))


def _question(problem: Problem) -> str:
    points = "" if problem.points is None else f" ({problem.points} points)"
    title = f" {_one_line(problem.title)}" if problem.title else ""
    quoted = [_one_line(problem.question)]
    if problem.family.fixed:
        quoted += ["", f"Keys: {_one_line(keys_in_words(problem.setting()))}"]
    if problem.names:
        quoted += ["", f"A formula may use {', '.join(problem.names)}."]
    quoted += ["", *(f"Function: {_one_line(function)}" for function in problem.functions)] if problem.functions else []
    if problem.statements:
        quoted += ["", "Write the id of one of these statements behind the sign =, or explain in your own words:", ""]
        quoted += [f"- {statement.id}: {_one_line(statement.text)}" for statement in problem.statements]
    blank = [f"{name} =" for name in problem.answers]
    return "\n".join(
        [f"## {problem.id}{title}{points}", "", *(f"> {line}".rstrip() for line in quoted), "", *blank, ""]
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
