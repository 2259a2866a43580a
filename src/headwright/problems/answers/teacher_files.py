"""A teacher's own questions in TOML: keys or a key model, a goal, an error, and the names that formulas may use.

    [[problem]]
    id = "X.1"
    question = "Find a query that averages the first two of six orthonormal keys."
    points = 10
    orthonormal = 6                     # or keys = [[…], …], or a file beside this one: keys = "keys.npy" (.csv)
    average = [0, 1]                    # or copy = 0, blend = {0 = 0.7, 1 = 0.3}, top = [0, 1]
    error = 0.01
    names = {k_1 = {key = 0}, k_2 = {key = 1}, t = 9.0}

A file with one question may leave out the line [[problem]]. Every complaint names the entry. Decimals of `error`,
`confidence`, `blend`, `scaled` and `max_length` mean just that, 0.01 is 1/100; all others mean the nearest float64.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from headwright import arrays, toml_files
from headwright.budget import DEFAULT
from headwright.goals import Goal, Top
from headwright.keys import KeyModel
from headwright.problems.answers.answer_files import read_bounded, taken
from headwright.problems.answers.own_goals import GOALS, read_goal
from headwright.problems.answers.own_keys import numbers, read_key_entries
from headwright.problems.answers.own_problem import OwnProblem
from headwright.problems.catalogue import CATALOGUE, SHEETS
from headwright.toml_files import reading

_ENTRIES = (
    *(
        "id",
        "sheet",
        "title",
        "question",
        "points",
        "answers",
        "heads",
        "names",
        "keys",
        "orthonormal",
        "gaussian",
        "scaled",
    ),
    *(*GOALS, "error", "confidence", "max_length", "solution"),
)
_ID = re.compile(r"[A-Za-z0-9_-]{1,30}(\.[A-Za-z0-9_-]{1,30}){0,5}")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
_MOST_HEADS = 16


def load(path: Path | str, *, budget: float = DEFAULT) -> Mapping[str, OwnProblem]:
    """The questions in a teacher's file by their ids; ValueError or TypeError naming the entry that is wrong.

    At most `budget` units of counted work are spent, about a nanosecond each; what a `solution` takes to prove is included.
    """
    path = Path(path)
    with reading(f"`path` {path.name}", budget):
        return _load(path)


def _load(path: Path) -> Mapping[str, OwnProblem]:
    held = toml_files.parse(read_bounded(path), called=f"`path` {path.name}", parse_float=Decimal)
    tables = held.get("problem", [held])
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise TypeError("`problem` must be tables: a line [[problem]] before the entries of every question")
    if "problem" in held and len(held) > 1:
        other = next(name for name in held if name != "problem")
        raise ValueError(f"`{other}` stands before the first [[problem]]: move it below that line")
    found: dict[str, OwnProblem] = {}
    for number, table in enumerate(tables):
        where = f"problem {number + 1}: " if len(tables) > 1 else ""
        try:
            problem = _problem(table, path.parent)
        except (ValueError, TypeError, OSError) as error:
            raise type(error)(f"{where}{error}") from error
        if problem.id in CATALOGUE or any(_nested(problem.id, other) for other in found):
            raise ValueError(
                f"{where}`id` {problem.id} is taken: every question needs an id of its own, none within another"
            )
        if problem.sheet in SHEETS:
            raise ValueError(
                f"{where}`sheet` {problem.sheet} is one of ours: begin the `id` otherwise, or give a `sheet`"
            )
        found[problem.id] = problem
    return MappingProxyType(found)


def _nested(one: str, other: str) -> bool:
    """Whether ids are the same, or in TOML one would be a table within the other: X.1 and X.1.a."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _problem(table: Mapping[str, Any], folder: Path) -> OwnProblem:
    for name in table:
        if name not in _ENTRIES:
            raise ValueError(f"`{name}` is no entry of a problem file; there are {', '.join(_ENTRIES)}")
    name = _text(table, "id")
    if not _ID.fullmatch(name):
        raise ValueError(f"`id` must be letters, digits, - and _ in parts joined by dots, such as X.1a; got {name!r}")
    keys = read_key_entries(table, folder)
    centre = keys.centre if isinstance(keys, KeyModel) else keys
    goal = read_goal(table, len(centre), varying=isinstance(keys, KeyModel))
    answers = _answers(table, goal)
    problem = OwnProblem(
        id=name,
        sheet=_text(table, "sheet", default=name.split(".")[0]),
        title=_text(table, "title", default=""),
        question=_text(table, "question"),
        points=_points(table.get("points")),
        answers=answers,
        keys=keys,
        goal=goal,
        error=_share(table, "error", default=Fraction(1, 100)),
        confidence=_confidence(table, keys),
        max_length=_max_length(table),
        values=_names(table.get("names"), centre),
        solution=_solution(table.get("solution"), answers),
    )
    if problem.solution:
        _try_solution(problem)
    return problem


def _text(table: Mapping[str, Any], entry: str, *, default: str | None = None) -> str:
    value = table.get(entry, default)
    if value is None:
        raise ValueError(f"`{entry}` must be given")
    if not isinstance(value, str) or (default is None and not value.strip()):
        raise TypeError(f"`{entry}` must be a text, got {value!r}")
    return value


def _points(value: Any) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10_000):
        raise TypeError(f"`points` must be a whole number from 0 to 10000, got {value!r}")
    return value


def _answers(table: Mapping[str, Any], goal: Goal | Top) -> tuple[str, ...]:
    """The asked names: as given, or q, or q1, q2, … for several heads."""
    heads, given = table.get("heads"), table.get("answers")
    if heads is not None and (isinstance(heads, bool) or not isinstance(heads, int) or not 1 <= heads <= _MOST_HEADS):
        raise TypeError(f"`heads` must be a whole number from 1 to {_MOST_HEADS}, got {heads!r}")
    if given is None:
        given = ["q"] if heads in (None, 1) else [f"q{k + 1}" for k in range(heads or 1)]
    if not isinstance(given, list) or not 1 <= len(given) <= _MOST_HEADS or not all(map(_is_name, given)):
        raise TypeError(f'`answers` must be a list of names such as ["q1", "q2"], got {given!r}')
    if len(set(given)) < len(given):
        raise ValueError(f"`answers` must name each query once, got {', '.join(given)}")
    if heads is not None and heads != len(given):
        raise ValueError(f"`heads` is {heads}, but `answers` has {len(given)} names: every head is one query")
    if isinstance(goal, Top) and len(given) > 1:
        raise ValueError("`top` asks for one query: heads have no common score gap")
    return tuple(given)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _share(table: Mapping[str, Any], entry: str, *, default: Fraction) -> Fraction:
    number = arrays.rational(table[entry], name=entry) if entry in table else default
    if not 0 < number < 1:
        raise ValueError(f"`{entry}` must lie strictly between 0 and 1, got {arrays.show(number)}")
    return number


def _confidence(table: Mapping[str, Any], keys: np.ndarray | KeyModel) -> Fraction | None:
    if not isinstance(keys, KeyModel):
        if "confidence" in table:
            raise ValueError("`confidence` goes with keys that vary: give `gaussian` or `scaled`")
        return None
    return _share(table, "confidence", default=Fraction(99, 100))


def _max_length(table: Mapping[str, Any]) -> Fraction | None:
    if "max_length" not in table:
        return None
    number = arrays.rational(table["max_length"], name="max_length")
    if number <= 0:
        raise ValueError(f"`max_length` must be positive, got {arrays.show(number)}")
    return number


def _names(given: Any, centre: np.ndarray) -> Mapping[str, Any]:
    """What the names stand for; without `names`, k_1 … k_n are the keys and n is their number."""
    if given is None:
        return MappingProxyType({**{f"k_{i + 1}": key for i, key in enumerate(centre)}, "n": float(len(centre))})
    if not isinstance(given, dict) or not given:
        raise TypeError("`names` must be a table such as {k_1 = {key = 0}, t = 9.0}")
    for name in given:
        if not _is_name(name):
            raise ValueError(f"`names` must be letters, digits and _, beginning with a letter; got {name!r}")
    return MappingProxyType({name: _named(value, f"names.{name}", centre) for name, value in given.items()})


def _named(value: Any, where: str, centre: np.ndarray) -> Any:
    if isinstance(value, dict):
        index = value.get("key")
        if set(value) != {"key"} or isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"`{where}` must be {{key = 0}}, a number or an array")
        if not 0 <= index < len(centre):
            raise ValueError(
                f"`{where}` names key {index}, but there are only {len(centre)} keys (0 to {len(centre) - 1})"
            )
        return centre[index]
    if isinstance(value, str):
        raise TypeError(f"`{where}` must be {{key = 0}}, a number or an array, got a text")
    return taken(numbers(value, where), name=where)


def _solution(given: Any, answers: tuple[str, ...]) -> Mapping[str, Any]:
    if given is None:
        return MappingProxyType({})
    if not isinstance(given, dict) or set(given) != set(answers):
        raise TypeError(f"`solution` must be a table with an entry for each of {', '.join(answers)}")
    read = {name: v if isinstance(v, str) else numbers(v, f"solution.{name}") for name, v in given.items()}
    return MappingProxyType({name: taken(value, name=f"solution.{name}") for name, value in read.items()})


def _try_solution(problem: OwnProblem) -> None:
    """A teacher's solution must itself be right: the mistake is in the question more often than in the solution."""
    try:
        verdict = problem.check(problem.solution)
    except (ValueError, TypeError) as error:
        raise ValueError(f"`solution` of {problem.id}: {error}") from error
    if verdict.status != "proved":
        raise ValueError(
            f"`solution` of {problem.id} is not right by its own question ({verdict.status}): {verdict.reason}"
        )
