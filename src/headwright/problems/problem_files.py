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
what an answer must do in a table `claim`. Decimals of `error`, `confidence`, `blend`, `scaled` and `max_length` are exact:
0.01 is 1/100. All others mean the nearest float64.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from headwright import inputs, toml_files
from headwright.frozen import FrozenMap
from headwright.goal_tables import GOALS, numbers
from headwright.goals import Average, Copy, Goal, Top
from headwright.problems.family import ERROR, Family
from headwright.problems.key_tables import goal_over, is_name, least_size, read_keys, read_law, read_names, read_symbols
from headwright.problems.problem import Problem, Statement

KINDS = {
    "near": (*GOALS, "confidence", "max_length", "different"),
    "each": (*GOALS, "limit"),
    "exact": GOALS,
    "impossible": (*GOALS, "max_length"),
    "reads-out": ("first", "second", "share", "rows", "value"),
    "low-rank": ("of", "rank", "factors"),
    "layer": ("outputs",),
    "statement": (*GOALS, "heads"),
}
_WITHOUT_KEYS = ("reads-out", "low-rank", "statement")  # kinds of claim that need no keys
_ABOUT_KEYS = ("keys", "orthonormal", "gaussian", "scaled", "vanishing")
_ABOUT_CLAIM = (*GOALS, "confidence", "max_length")
_ENTRIES = (
    *("id", "sheet", "title", "text", "question", "points", "theme", "must_show"),
    *("answers", "also", "heads", "names", "symbols"),
    *_ABOUT_KEYS,
    *_ABOUT_CLAIM,
    *("error", "family", "claim", "functions", "hints", "statements", "statement", "published", "ours", "solution"),
)
_ID = re.compile(r"[A-Za-z0-9_-]{1,30}(\.[A-Za-z0-9_-]{1,30}){0,5}")
_MOST_HEADS = 16


def read_questions(path: Path, taken: Mapping[str, Problem]) -> Mapping[str, Problem]:
    """The questions in a teacher's file by their ids, which must not be among those of `taken`, nor the sheets."""
    held = toml_files.parse(toml_files.read_bounded(path), called=f"`path` {path.name}", parse_float=Decimal)
    problems: dict[str, Problem] = {}
    for where, problem in _problems(held, path.parent):
        if problem.id in taken or any(_nested(problem.id, other) for other in problems):
            raise ValueError(
                f"{where}`id` {problem.id} is taken: every question needs an id of its own, none within another"
            )
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
    if tables[0] is not held and len(held) > 1:
        other = next(name for name in held if name != called)
        raise ValueError(f"`{other}` stands before the first [[{called}]]: move it below that line")
    for number, table in enumerate(tables):
        where = f"{called} {number + 1}: " if len(tables) > 1 else ""
        try:
            yield where, _problem(table, folder, lists or {})
        except (ValueError, TypeError, OSError) as error:
            raise type(error)(f"{where}{error}") from error


def _nested(one: str, other: str) -> bool:
    """Whether ids are the same, or in TOML one would be a table within the other: X.1 and X.1.a."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _problem(table: Mapping[str, Any], folder: Path, lists: Mapping[str, Any]) -> Problem:
    for name in table:
        if name not in _ENTRIES:
            raise ValueError(f"`{name}` is not an entry of a question; there are {', '.join(_ENTRIES)}")
    name = _text(table, "id")
    if not _ID.fullmatch(name):
        raise ValueError(f"`id` must be letters, digits, - and _ in parts joined by dots, such as X.1a; got {name!r}")
    about = {**{k: table[k] for k in _ABOUT_KEYS if k in table}, **_table(table, "family", _ABOUT_KEYS)}
    law = read_law(about)
    claim = _claim(table)
    keys = read_keys(about, folder) if about or claim["kind"] not in _WITHOUT_KEYS else None
    goal = _goal(claim, keys, law, table)
    answers = _answers(table, claim, goal)
    published, ours = _table(table, "published"), _table(table, "ours")
    if "solution" in table:
        ours = {**ours, "answer": _solution(table["solution"], answers)}
    problem = Problem(
        id=name,
        sheet=_text(table, "sheet", default=name.split(".")[0]),
        title=_text(table, "title", default=""),
        question=_text(table, "text" if "text" in table else "question"),
        theme=_text(table, "theme", default=""),
        must_show=_text(table, "must_show", default=""),
        points=_points(table.get("points")),
        published=published.get("text"),
        published_answer=published.get("answer"),
        published_entry=published,
        ours=ours,
        answers=answers,
        claim={**claim, **_bounds(claim, keys, law)},
        statements=_statements(table, lists),
        functions=tuple(table.get("functions", ())),
        hints=_table(table, "hints"),
        also=_also(table, answers),
        family=Family(
            keys,
            law,
            bool(about.get("vanishing", False)),
            goal,
            claim.get("heads", len(answers)) if goal is not None else 0,
            read_names(table.get("names"), keys),
            read_symbols(table.get("symbols", [])),
            error=_share(table, "error", default=ERROR) if isinstance(keys, np.ndarray) or "error" in table else None,
        ),
    )
    _need_judge(problem)
    if problem.family.fixed:
        problem.setting()  # a law that does not fit its keys is refused now
    return problem


def _need_judge(problem: Problem) -> None:
    """ValueError where a question says something that no judge would look at: it must not be asked."""
    family, claim, kind = problem.family, problem.claim, problem.kind
    if family.fixed and kind not in ("near", "impossible", "statement"):
        raise ValueError(f'`claim` of the kind "{kind}" is about every n: `keys` must be "orthonormal" or "separated"')
    if family.fixed and claim.get("different"):
        raise ValueError("`different` is for questions about every n")
    if kind == "impossible" and (not family.fixed or family.law or len(problem.answers) > 1):
        raise ValueError('`claim` of the kind "impossible" is about one query at given keys that do not vary')
    if family.fixed or kind not in ("near", "each", "exact"):
        return
    targets = 0 if family.goal is None else len(family.goal.indices)
    places = [family.given[name]["key"] for name in family.basis]
    if family.goal not in (Copy(0), Average(0, 1)) or places != list(range(targets)):
        raise ValueError(
            "`claim` for every n must copy key 0 or average keys 0 and 1, and `names` name these, in order"
        )
    if "max_length" in claim or "confidence" in claim:
        raise ValueError("`max_length` and `confidence` go with given keys; for every n there is `limit`")
    gaussian, scaled = family.law.get("gaussian"), family.law.get("scaled")
    if (gaussian is not None and set(gaussian) != {"isotropic"}) or family.vanishing != (gaussian is not None):
        raise ValueError("`gaussian` for every n must be isotropic and `vanishing`")
    if scaled is not None and set(scaled) != {"0"}:
        raise ValueError("`scaled` for every n must be about key 0 alone")
    if family.law and (kind == "exact" or family.keys == "separated"):
        raise ValueError(f"`{next(iter(family.law))}` does not go with this kind of claim for every n")


def _table(table: Mapping[str, Any], entry: str, known: tuple[str, ...] | None = None) -> dict[str, Any]:
    value = table.get(entry, {})
    if not isinstance(value, dict):
        raise TypeError(f"`{entry}` must be a table, got {value!r}")
    for name in value:
        if known is not None and name not in known:
            raise ValueError(f"`{entry}` has no entry `{name}`; there are {', '.join(known)}")
    return value


def _claim(table: Mapping[str, Any]) -> dict[str, Any]:
    """What an answer must do: the kind, and what goes with it."""
    given = table.get("claim", {})
    kind = given.get("kind", "near") if isinstance(given, Mapping) else None
    if kind not in KINDS:
        raise ValueError(f"`claim` must be a table with a kind of {', '.join(KINDS)}; got {given!r}")
    return {
        "kind": kind,
        **{name: table[name] for name in _ABOUT_CLAIM if name in table},
        **_table(table, "claim", ("kind", *KINDS[kind])),
    }


def _goal(claim: Mapping[str, Any], keys: Any, law: Mapping[str, Any], table: Mapping[str, Any]) -> Goal | Top | None:
    if keys is None or isinstance(keys, tuple) or (claim["kind"] == "statement" and not set(GOALS) & set(claim)):
        return None
    return goal_over({**claim, **{k: table[k] for k in ("error",) if k in table}}, least_size(keys), varying=bool(law))


def _bounds(claim: Mapping[str, Any], keys: Any, law: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a claim as rationals."""
    bounds: dict[str, Any] = {
        name: inputs.rational(claim[name], name=name) for name in ("limit", "share", "max_length") if name in claim
    }
    for name, number in bounds.items():
        if number <= 0:
            raise ValueError(f"`{name}` must be positive, got {inputs.show(number)}")
    if "confidence" in claim and not law:
        raise ValueError("`confidence` goes with keys that vary: give `gaussian` or `scaled`")
    if law and isinstance(keys, np.ndarray):
        bounds["confidence"] = _share(claim, "confidence", default=Fraction(99, 100))
    return bounds


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


def _points(value: Any) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10_000):
        raise TypeError(f"`points` must be a whole number from 0 to 10000, got {value!r}")
    return value


def _answers(table: Mapping[str, Any], claim: Mapping[str, Any], goal: Goal | Top | None) -> tuple[str, ...]:
    """The asked names: as given, or q, or q1, q2, … for several heads."""
    if claim["kind"] == "statement":
        return ("statement",)
    heads, given = table.get("heads"), table.get("answers")
    if heads is not None and (isinstance(heads, bool) or not isinstance(heads, int) or not 1 <= heads <= _MOST_HEADS):
        raise TypeError(f"`heads` must be a whole number from 1 to {_MOST_HEADS}, got {heads!r}")
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


def _share(table: Mapping[str, Any], entry: str, *, default: Fraction) -> Fraction:
    number = inputs.rational(table[entry], name=entry) if entry in table else default
    if not 0 < number < 1:
        raise ValueError(f"`{entry}` must lie strictly between 0 and 1, got {inputs.show(number)}")
    return number


def _solution(given: Any, answers: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(given, Mapping) or set(given) != set(answers):
        raise TypeError(f"`solution` must be a table with an entry for each of {', '.join(answers)}")
    read = {name: v if isinstance(v, str) else numbers(v, f"solution.{name}") for name, v in given.items()}
    return FrozenMap({name: toml_files.taken(value, name=f"solution.{name}") for name, value in read.items()})
