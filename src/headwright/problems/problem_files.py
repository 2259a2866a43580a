"""Questions in TOML, those of the five sheets and a teacher's own: one schema, one reader. Every complaint names the entry.

    [[question]]
    id = "X.1"
    text = "Find a query that averages the first two of six orthonormal keys."
    points = 10
    orthonormal = 6                     # or keys = [[…], …], or a file beside this one: keys = "keys.npy" (.csv)
    average = [0, 1]                    # or copy = 0, blend = {0 = 0.7, 1 = 0.3}, top = [0, 1]
    error = 0.01
    names = {k_1 = {key = 0}, k_2 = {key = 1}, t = 9.0}

A file with one question may leave out the line [[question]]. Entries about the keys may stand in a table `family`, those about
what an answer must do in a table `claim` (`claim_tables.py`). A line `count_from = 1`, before the first question or in one,
says that its keys are counted from 1 (`counting.py`). Decimals of `error`, `confidence`, `blend`, `scaled` and `max_length` are
exact: 0.01 is 1/100. All others mean the nearest float64.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from headwright.kernel.frozen import FrozenMap
from headwright.kernel.goals import Average, Copy, Goal, Top
from headwright.problems.claim_needs import first_places, judged_for_every_n, need_judge
from headwright.problems.claim_tables import (
    ABOUT_CLAIM,
    ANSWERS,
    EVERY_N,
    KINDS,
    QUERIES,
    WITHOUT_KEYS,
    bounds,
    read_claim,
    read_goal_of,
    said_to_students,
    share_in,
    written,
)
from headwright.problems.counting import Counting
from headwright.problems.family import ERROR, Family
from headwright.problems.key_tables import is_name, read_keys, read_law, read_names, read_symbols
from headwright.problems.problem import Problem, Statement
from headwright.reading import toml_files
from headwright.reading.formulas import says_none
from headwright.reading.goal_tables import numbers

_ABOUT_KEYS = ("keys", "orthonormal", "gaussian", "scaled", "vanishing")
_ENTRIES = (
    *("id", "sheet", "title", "text", "question", "points", "theme", "must_show"),
    *("answers", "also", "heads", "names", "symbols"),
    *_ABOUT_KEYS,
    *ABOUT_CLAIM,
    *("error", "family", "claim", "functions", "hints", "statements", "statement", "option", "count_from"),
    *("published", "ours", "solution"),
)
_ID = re.compile(r"[A-Za-z0-9_-]{1,30}(\.[A-Za-z0-9_-]{1,30}){0,5}")
_MOST_HEADS = 16
_MOST_POINTS = 10_000


def read_questions(path: Path, taken: Mapping[str, Problem]) -> Mapping[str, Problem]:
    """The questions in a teacher's file by their ids, which must not be among those of `taken`, nor the sheets."""
    held = toml_files.parse(toml_files.read_bounded(path), called=f"`path` {path.name}", parse_float=Decimal)
    problems: dict[str, Problem] = {}
    places: dict[str, str] = {}
    for where, problem in _problems(held, path.parent):
        if problem.id.casefold() in {known.casefold() for known in taken}:
            raise ValueError(f"{where}`id` {problem.id} is that of a question of the sheets: give it another")
        for other, place in places.items():
            if _nested(problem.id, other):
                raise ValueError(
                    f"{where}`id` {problem.id} is taken: {place} has the id {other}. Every question needs an id of its own, "
                    "in any case of letters, and none within another"
                )
        places[problem.id] = where.partition(":")[0]
        if problem.sheet in {known.sheet for known in taken.values()}:
            raise ValueError(
                f"{where}`sheet` {problem.sheet} is one of ours: begin the `id` otherwise, or give a `sheet`"
            )
        problems[problem.id] = problem
    return FrozenMap(problems)


def read_sheet(path: Path, lists: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Problem]]:
    """A sheet of ours: what its file says before the first question, and the questions; `lists` are statements by name."""
    held = toml_files.parse(path.read_bytes(), called=path.name, parse_float=Decimal)
    top = {name: value for name, value in held.items() if name != "question"}
    return top, [problem for _, problem in _problems({"question": held["question"]}, path.parent, lists)]


def _problems(
    held: Mapping[str, Any], folder: Path, lists: Mapping[str, Any] | None = None
) -> Iterator[tuple[str, Problem]]:
    """Every question of a file, with the words that begin a complaint about it."""
    called = "problem" if "problem" in held else "question"  # the older word is read too
    tables = held[called] if isinstance(held.get(called), list) else [held]
    if not tables or not all(isinstance(table, dict) for table in tables) or isinstance(held.get(called), dict):
        raise TypeError(f"`{called}` must be tables: a line [[{called}]] before the entries of every question")
    shared = {name: value for name, value in held.items() if name == "count_from" and tables[0] is not held}
    for other in held if tables[0] is not held else ():
        if other not in (called, "count_from"):
            raise ValueError(f"`{other}` stands before the first [[{called}]]: move it below that line")
    for number, table in enumerate(tables):
        where = f"{called} {number + 1}: " if len(tables) > 1 else ""
        try:
            yield where, read_question({**shared, **table}, folder, lists or {})
        except (ValueError, TypeError, OSError) as error:
            raise type(error)(f"{where}{error}") from error


def _nested(one: str, other: str) -> bool:
    """Whether ids are the same in any case, or in TOML one would be a table within the other: X.1 and X.1.a."""
    one, other = f"{one}.".casefold(), f"{other}.".casefold()
    return one.startswith(other) or other.startswith(one)


def _meant(name: str, value: Any) -> str:
    """What whoever wrote an entry that a question does not have may have meant."""
    if name == "kind":
        return written(value) or f": it stands in the table `claim` and is one of {', '.join(KINDS)}"
    if any(name in known for known in KINDS.values()):
        return ": it stands in the table `claim`"
    near = get_close_matches(name, _ENTRIES, n=1, cutoff=0.7)
    return f" (did you mean `{near[0]}`?)" if near else ""


def read_question(table: Mapping[str, Any], folder: Path, lists: Mapping[str, Any] | None = None) -> Problem:
    """One question; files of keys are looked for in `folder`, and `lists` are statements that several questions share."""
    for name in table:
        if name == "answer":
            raise ValueError(
                '`answer` is not an entry of a question: write solution = {q = "…"}, or, for a question whose right answer is '
                '"none", claim = {kind = "impossible"} and solution = {q = "none"}'
            )
        if name not in _ENTRIES:
            meant = _meant(name, table[name])
            raise ValueError(f"`{name}` is not an entry of a question{meant}; there are {', '.join(_ENTRIES)}")
    name = _text(table, "id")
    if not _ID.fullmatch(name):
        raise ValueError(f"`id` must be letters, digits, - and _ in parts joined by dots, such as X.1a; got {name!r}")
    about = {**{k: table[k] for k in _ABOUT_KEYS if k in table}, **_table(table, "family", _ABOUT_KEYS)}
    claim = read_claim(table)
    keys = read_keys(about, folder) if about or claim["kind"] not in WITHOUT_KEYS else None
    counting = Counting.of(table, keys)
    law: Mapping[str, Any] = counting.law(read_law(about))
    claim = counting.goal(claim)
    n = len(keys) if isinstance(keys, np.ndarray) else EVERY_N
    goal = read_goal_of(claim, keys, n, varying=bool(law), error="error" in table)
    answers = _answers(table, claim["kind"], goal)
    published, ours = _table(table, "published"), _table(table, "ours")
    if "solution" in table:
        ours = {**ours, "answer": _solution(table["solution"], answers)}
    elif claim["kind"] == "choice":
        ours = {"answer": {answers[0]: ", ".join(claim["right"])}, **ours}
    none = any(map(says_none, ours.get("answer", {}).values()))
    if none and claim["kind"] in ("near", "each") and (law or not isinstance(keys, np.ndarray)):
        raise ValueError(
            '`solution` says none, which is judged at given keys that do not vary, and for every n in a claim of the kind "exact"'
        )
    names, note = read_names(counting.names(table.get("names")), keys), said_to_students(claim)
    if isinstance(keys, str) and claim["kind"] in QUERIES:
        usual = goal in (Copy(0), Average(0, 1))
        goal, names, law = first_places(goal, names, law)
        note = "" if usual else judged_for_every_n(tuple(names))
    problem = Problem(
        id=name,
        sheet=_text(table, "sheet", default=name.split(".")[0]),
        title=_text(table, "title", default=""),
        question="\n\n".join(filter(None, (_text(table, "question" if "question" in table else "text"), note))),
        theme=_text(table, "theme", default=""),
        must_show=_text(table, "must_show", default=""),
        points=_points(table.get("points")),
        published=published.get("text"),
        published_answer=published.get("answer"),
        published_entry=published,
        ours=ours,
        answers=answers,
        claim={**claim, **bounds(claim, keys, law)},
        statements=_statements(table, lists or {}),
        functions=_functions(table.get("functions", [])),
        hints=_table(table, "hints"),
        also=_also(table, answers),
        family=Family(
            keys,
            law,
            bool(about.get("vanishing", False)),
            goal,
            claim.get("heads", len(answers)) if goal is not None else 0,
            names,
            read_symbols(table.get("symbols", [])),
            error=share_in(table, "error", default=ERROR) if isinstance(keys, np.ndarray) or "error" in table else None,
            count_from=counting.first,
        ),
    )
    need_judge(problem.claim, problem.family, answers)
    if problem.family.fixed or law:
        try:
            problem.setting()  # a law that does not fit its keys is refused now
        except (ValueError, TypeError) as error:
            raise type(error)(counting.said(str(error))) from error
    return problem


def _table(table: Mapping[str, Any], entry: str, known: tuple[str, ...] | None = None) -> dict[str, Any]:
    value = table.get(entry, {})
    if not isinstance(value, dict):
        raise TypeError(f"`{entry}` must be a table, got {value!r}")
    for name in value:
        if known is not None and name not in known:
            raise ValueError(f"`{entry}` has no entry `{name}`; there are {', '.join(known)}")
    return value


def _statements(table: Mapping[str, Any], lists: Mapping[str, Any]) -> tuple[Statement, ...]:
    """The statements of an essay question: tables [[question.statement]], or the name of a list that sheets share."""
    given = table.get("statement", [])
    if "statements" in table:
        if table["statements"] not in lists:
            raise ValueError(f"`statements` must name a list of statements, got {table['statements']!r}")
        given = lists[table["statements"]]
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise TypeError("`statement` must be tables: a line [[question.statement]] before the entries of each")
    return tuple(Statement(_text(one, "id"), _text(one, "text"), one) for one in given)


def _text(table: Mapping[str, Any], entry: str, *, default: str | None = None) -> str:
    value = table.get(entry, default)
    if value is None:
        raise ValueError(f"`{entry}` must be given")
    if not isinstance(value, str) or (default is None and not value.strip()):
        raise TypeError(f"`{entry}` must be a text, got {value!r}")
    return value


def _functions(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise TypeError(f"`functions` must be a list of texts, got {given!r}")
    return tuple(given)


def _points(value: Any) -> int | float | None:
    """A whole number as it is, 7.5 as a float."""
    number = isinstance(value, int | Decimal) and not isinstance(value, bool) and Decimal(value).is_finite()
    if value is not None and not (number and 0 <= value <= _MOST_POINTS):
        raise TypeError(f"`points` must be a number from 0 to {_MOST_POINTS}, such as 10 or 7.5, got {value}")
    return float(value) if isinstance(value, Decimal) else value


def _answers(table: Mapping[str, Any], kind: str, goal: Goal | Top | None) -> tuple[str, ...]:
    """The asked names: as given, or those of the kind, or q, or q1, q2, … for several heads."""
    if kind == "statement":
        return ("statement",)
    heads, given = table.get("heads"), table.get("answers")
    if heads is not None and (isinstance(heads, bool) or not isinstance(heads, int) or not 1 <= heads <= _MOST_HEADS):
        raise TypeError(f"`heads` must be a whole number from 1 to {_MOST_HEADS}, got {heads!r}")
    if heads is not None and kind in ANSWERS:
        raise ValueError(f'`heads` does not go with a claim of the kind "{kind}"')
    if given is None and kind in ANSWERS:
        return ANSWERS[kind]
    if given is None:
        given = ["q"] if heads in (None, 1) else [f"q{k + 1}" for k in range(heads or 1)]
    if not isinstance(given, list) or not 1 <= len(given) <= _MOST_HEADS or not all(map(is_name, given)):
        raise TypeError(f'`answers` must be a list of names such as ["q1", "q2"], got {given!r}')
    if len(set(given)) < len(given):
        raise ValueError(f"`answers` must name each query once, got {', '.join(given)}")
    if heads is not None and heads != len(given):
        raise ValueError(f"`heads` is {heads}, but `answers` has {len(given)} names: every head is one query")
    if isinstance(goal, Top) and len(given) > 1:
        raise ValueError("`top` asks for one query: heads have no common score gap")
    return tuple(given)


def _also(table: Mapping[str, Any], answers: tuple[str, ...]) -> dict[str, str]:
    """Further names for what is asked: {B = "M"} where the sheet says B."""
    also = _table(table, "also")
    for name, meant in also.items():
        if not is_name(name) or name in answers or meant not in answers:
            raise ValueError(f"`also` must give a new name for one of {', '.join(answers)}; got {name} = {meant!r}")
    return also


def _solution(given: Any, answers: tuple[str, ...]) -> Mapping[str, Any]:
    given = dict.fromkeys(answers, given) if says_none(given) else given
    if not isinstance(given, Mapping) or set(given) != set(answers):
        raise TypeError(f"`solution` must be a table with an entry for each of {', '.join(answers)}")
    read = {name: v if isinstance(v, str) else numbers(v, f"solution.{name}") for name, v in given.items()}
    return FrozenMap({name: toml_files.taken(value, name=f"solution.{name}") for name, value in read.items()})
