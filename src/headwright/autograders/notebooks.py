"""The notebook that students fill in: a cell with each question, and one with a line for each name that its answer defines.

For D.b-ii, which asks for q, that line is

answer_D_b_ii_q = r""
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from headwright.problems import Assignment, Problem
from headwright.problems.grading.assignments import Item
from headwright.problems.judges.key_words import keys_in_words

TEXT = "text"  # the kind of question whose answer is free text, which a person reads
_BETWEEN_QUOTES = {
    "statement": "the id of one statement above",
    "choice": "the ids that you choose, with commas",
    "number": "your number between the quotes",
}
_HOW = """\
Write each answer as a formula between the quotes, as you would on paper or in LaTeX:
`r"2*log(n/eps)*k_1"` and `r"2\\ln(n/\\epsilon)\\,k_1"` are the same. Numbers and NumPy arrays need no quotes."""
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def variables(assignment: Assignment) -> dict[str, dict[str, str]]:
    """{question: {name: variable}}, the variables of a notebook that hold the answers; ValueError where two would be one."""
    taken: dict[str, str] = {}
    found: dict[str, dict[str, str]] = {}
    for name, item in assignment.items.items():
        stem = stem_of(name)
        if stem in taken:
            raise ValueError(f"`id` {name} and `id` {taken[stem]} give variables of one name in a notebook: rename one")
        taken[stem] = name
        found[name] = {asked: f"answer_{stem}_{asked}" for asked in item.question.answers}
    return found


def stem_of(question_id: str) -> str:
    """The id as a part of a name in Python.

    >>> stem_of("D.b-ii")
    'D_b_ii'
    """
    return re.sub(r"\W", "_", question_id)


def introduction(assignment: Assignment) -> dict[str, Any]:
    return cell("introduction", f"# {assignment.title}\n\n{_HOW}")


def question_cell(item: Item) -> dict[str, Any]:
    """The question with its id, its points and the names that an answer may use; nothing of any answer."""
    asked = item.question
    lines = [f"## {asked.id} ({points_in_words(item)})", asked.question.strip(), asked.must_show]
    if asked.family.fixed:
        lines.append(f"```\n{keys_in_words(asked.setting())}\n```")
    if asked.names:
        lines.append(f"Formulas may use {', '.join(f'`{name}`' for name in asked.names)}.")
    lines += [f"- {function}" for function in asked.functions]
    lines += [f"- `{one.id}`: {one.text}" for one in asked.statements]
    return cell(f"question_{stem_of(asked.id)}", "\n\n".join(filter(None, lines)))


def answer_lines(question: Problem, names: Iterable[str]) -> str:
    """The lines to fill in."""
    about = _BETWEEN_QUOTES.get(question.kind, "your formula between the quotes")
    return "\n".join(f'{name} = r""  # {about}' for name in names)


def points_in_words(item: Item) -> str:
    """
    >>> from headwright.problems import CATALOGUE
    >>> from headwright.problems.grading.policies import POLICIES
    >>> points_in_words(Item(CATALOGUE["A.1a"], 1, POLICIES["strict"]))
    '1 point'
    """
    return f"{item.points} point" + ("" if item.points == 1 else "s")


def cell(name: str, source: str, *, code: bool = False, **metadata: Any) -> dict[str, Any]:
    """One cell as nbformat has it; `name` is its id."""
    outputs: dict[str, Any] = {"execution_count": None, "outputs": []} if code else {}
    kind = "code" if code else "markdown"
    return {"cell_type": kind, "id": name[:64], "metadata": metadata, "source": source, **outputs}


def notebook(cells: list[dict[str, Any]]) -> bytes:
    """The notebook file."""
    held = {"cells": cells, "metadata": {"kernelspec": _KERNEL}, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(held, indent=1, ensure_ascii=False) + "\n").encode()
