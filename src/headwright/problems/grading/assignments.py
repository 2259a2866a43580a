"""An assignment: which questions are asked, what each is worth, and how answers are credited.

It is one TOML file, and totals depend on it alone:

title = "Homework 3"
policy = "practical"                # or "strict"
tolerance = 0.01                    # the error that ≈ stands for
problems = "mine.toml"              # questions of your own, in a file beside this one

[[question]]
id = "A.1a"
points = 7.5                        # left out: the sheet's own, else 1

[[question]]
id = "E.1c"
points = 5
policy = "strict"
credit = { limit = 0.5 }            # the share of the points that an answer earns which is right in the limit

A question of your own may also stand in the assignment itself: a [[question]] with a text, as in a file of such questions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, final

from headwright.kernel import inputs
from headwright.kernel.budget import DEFAULT
from headwright.kernel.frozen import FrozenMap
from headwright.problems.catalogue import CATALOGUE, close_ids, load, own_question
from headwright.problems.grading.policies import Policy, policy_named
from headwright.problems.grading.results import Number, total_points
from headwright.problems.problem import Problem
from headwright.reading import toml_files

_ENTRIES = ("title", "policy", "tolerance", "problems", "count_from", "question")
_OF_CREDIT = ("policy", "credit", "tolerance")
_MOST_QUESTIONS = 1000
MOST_POINTS = 10_000


@final
@dataclass(frozen=True, slots=True)
class Item:
    """One question of an assignment: `points` is what it is worth, None where right answers are counted."""

    question: Problem
    points: Number | None
    policy: Policy


@final
@dataclass(frozen=True, slots=True)
class Assignment:
    """The questions of an assignment by their ids, in the order of the file.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "homework.toml"
    >>> _ = path.write_text('title = "Homework 3"\\n[[question]]\\nid = "A.1a"\\npoints = 7.5')
    >>> assignment = read_assignment(path)
    >>> assignment.title, assignment.possible, list(assignment.items)
    ('Homework 3', 7.5, ['A.1a'])
    """

    title: str
    items: Mapping[str, Item]

    @property
    def possible(self) -> Number:
        """The sum of what all questions are worth."""
        return total_points(item.points or 0 for item in self.items.values())


def read_assignment(path: Path | str, *, budget: float = DEFAULT) -> Assignment:
    """The assignment in a file; ValueError or TypeError naming the entry that is wrong.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "homework.toml"
    >>> _ = path.write_text('title = "Homework 3"\\n[[question]]\\nid = "A.1a"\\npoints = -1')
    >>> read_assignment(path)
    Traceback (most recent call last):
    ...
    ValueError: `assignment` homework.toml: question 1 (A.1a): `points` must lie between 0 and 10000, got -1
    """
    path = Path(path)
    called = f"`assignment` {path.name}"
    with toml_files.reading(called, budget):
        held = toml_files.parse(toml_files.read_bounded(path), called=called, parse_float=Decimal)
        try:
            return _assignment(held, path.parent)
        except (ValueError, TypeError, OSError) as error:
            raise type(error)(f"{called}: {error}") from error


def _assignment(held: Mapping[str, Any], folder: Path) -> Assignment:
    for name in held:
        if name not in _ENTRIES:
            raise ValueError(f"`{name}` is not an entry of an assignment; there are {', '.join(_ENTRIES)}")
    title, tables = held.get("title"), held.get("question")
    if not isinstance(title, str) or not title.strip():
        raise ValueError("`title` must be a text")
    if (
        not isinstance(tables, list)
        or not 1 <= len(tables) <= _MOST_QUESTIONS
        or not all(isinstance(table, dict) for table in tables)
    ):
        raise TypeError("`question` must be tables: a line [[question]] before the entries of every question")
    own = held.get("problems")
    if own is not None and not isinstance(own, str):
        raise TypeError(f'`problems` must be the name of a file in quotes, such as "mine.toml"; got {own!r}')
    known = {**CATALOGUE, **({} if own is None else _problems(folder, own))}
    policy = policy_named(held.get("policy", "practical"))
    items: dict[str, Item] = {}
    for number, table in enumerate(tables, 1):
        where = f"question {number}" + (f" ({table['id']})" if isinstance(table.get("id"), str) else "")
        try:
            asked = _own(table, held, folder) or _known(table, known)
            item = _item(asked, table, policy, held.get("tolerance"))
        except (ValueError, TypeError) as error:
            raise type(error)(f"{where}: {error}") from error
        if item.question.id.casefold() in {name.casefold() for name in items}:
            raise ValueError(f"{where}: `id` {item.question.id} is in the assignment twice")
        items[item.question.id] = item
    return Assignment(title.strip(), FrozenMap(items))


def _problems(folder: Path, name: str) -> Mapping[str, Problem]:
    try:
        return load(folder / name)
    except (ValueError, TypeError, OSError) as error:
        raise type(error)(f"`problems` {name}: {error}") from error


def _own(table: Mapping[str, Any], held: Mapping[str, Any], folder: Path) -> Problem | None:
    """A question that the assignment itself defines; None for the id of one that is defined elsewhere."""
    if not {"text", "question", "claim", "keys"} & set(table):
        return None
    shared = {name: held[name] for name in ("count_from",) if name in held}
    return own_question({**shared, **{k: v for k, v in table.items() if k not in _OF_CREDIT}}, folder)


def _known(table: Mapping[str, Any], known: Mapping[str, Problem]) -> Problem:
    for name in table:
        if name not in ("id", "points", *_OF_CREDIT):
            there = ", ".join(("id", "points", *_OF_CREDIT))
            raise ValueError(
                f"`{name}` is not an entry here, because the question itself is defined elsewhere; there are {there}"
            )
    return _question(table.get("id"), known)


def _item(question: Problem, table: Mapping[str, Any], policy: Policy, tolerance: Any) -> Item:
    """The question with what it is worth here."""
    own = policy_named(table["policy"]) if "policy" in table else policy
    if "credit" in table:
        own = own.changed(table["credit"])
    tolerance = table.get("tolerance", tolerance)
    if tolerance is not None:
        question = _within(question, inputs.rational(tolerance, name="tolerance"))
    worth = points_of(table["points"]) if "points" in table else question.points
    points = 1 if worth is None else worth
    return Item(replace(question, points=points), points, own)


def _question(name: Any, known: Mapping[str, Problem]) -> Problem:
    if not isinstance(name, str):
        raise TypeError(f'`id` must be the id of a question in quotes, such as "A.1a"; got {name!r}')
    folded = {id.casefold(): problem for id, problem in known.items()}
    question = known.get(name) or folded.get(name.strip().casefold())
    if question is None:
        close = close_ids(name, known)
        raise ValueError(
            f"`id` {name!r} is not the id of a question" + (f"; did you mean {', '.join(close)}?" if close else "")
        )
    return question


def _within(question: Problem, tolerance: Fraction) -> Problem:
    """The question with this meaning of ≈; a question about given keys has an error of its own, which stays."""
    if not 0 < tolerance < 1:
        raise ValueError(f"`tolerance` must lie strictly between 0 and 1, got {inputs.show(tolerance)}")
    return replace(question, family=replace(question.family, near=tolerance))


def points_of(value: Any, *, name: str = "points") -> Number:
    """Points as a number; TypeError or ValueError naming the entry for anything else.

    >>> points_of(Decimal("7.5")), points_of("10")
    Traceback (most recent call last):
    ...
    TypeError: `points` must be a number, got '10'
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise TypeError(f"`{name}` must be a number, got {value!r}")
    if not math.isfinite(value) or not 0 <= value <= MOST_POINTS:
        raise ValueError(f"`{name}` must lie between 0 and {MOST_POINTS}, got {value}")
    return int(value) if value == int(value) else float(value)


def touched(questions: Mapping[str, Problem], sheets: set[str], policy: Policy) -> Assignment:
    """What a file is graded by that was handed in without an assignment: all questions of the sheets that it touches."""
    items = {name: Item(q, q.points, policy) for name, q in questions.items() if q.sheet in sheets}
    return Assignment("", FrozenMap(items))
