"""All questions of the five sheets under their ids, in the order of the sheets; and a teacher's own beside them.

>>> problem = find("A.1a")
>>> problem.points, problem.published
(10, 'q = 2 ln(n/ε) k_1.')
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, final

from headwright.kernel.budget import DEFAULT
from headwright.kernel.frozen import FrozenMap, computed_once
from headwright.problems import problem_files
from headwright.problems.judges import answered, judge
from headwright.problems.judges.keyed import judge_choice
from headwright.problems.judges.queries import family_of
from headwright.problems.problem import Problem
from headwright.reading.toml_files import reading

FOLDER = Path(__file__).parent / "sheets"
OWN_QUESTIONS = Path(__file__).parent / "own_questions.toml"  # one question of each kind, for a teacher to begin from
_LONGEST_ID = 200
_STATEMENTS = "statements.toml"  # lists that several sheets share
T = TypeVar("T")


@final
class Sheets:
    """A folder of sheets, one file each, read when they are first needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @computed_once
    def sheets(self) -> dict[str, tuple[Mapping[str, Any], list[Problem]]]:
        lists = tomllib.loads((self.folder / _STATEMENTS).read_text("utf-8"), parse_float=Decimal)
        paths = sorted(path for path in self.folder.glob("*.toml") if path.name != _STATEMENTS)
        return {path.stem.upper(): problem_files.read_sheet(path, lists) for path in paths}

    @computed_once
    def problems(self) -> dict[str, Problem]:
        return {one.id: replace(one, judge=judge) for _, problems in self.sheets.values() for one in problems}

    @computed_once
    def titles(self) -> dict[str, str]:
        return {letter: top["title"] for letter, (top, _) in self.sheets.items()}


_READ = Sheets(FOLDER)


@final
class _Lazily(Mapping[str, T]):
    """A mapping that is made when it is first looked at."""

    def __init__(self, made: Callable[[], Mapping[str, T]]) -> None:
        self._made = made

    def __getitem__(self, name: str) -> T:
        return self._made()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())

    def __repr__(self) -> str:
        return repr(dict(self._made()))


CATALOGUE: Mapping[str, Problem] = _Lazily(lambda: _READ.problems)
SHEETS: Mapping[str, str] = _Lazily(lambda: _READ.titles)


def marks_of(sheet: str) -> tuple[tuple[int, int], ...]:
    """(least points, mark) of a sheet that has marks, the best first."""
    top = _READ.sheets[sheet][0] if sheet in _READ.sheets else {}
    return tuple((least, mark) for least, mark in top.get("marks", ()))


def load(path: Path | str, *, budget: float = DEFAULT) -> Mapping[str, Problem]:
    """A teacher's questions by their ids; ValueError or TypeError naming the entry that is wrong.

    At most `budget` units of counted work are spent, about a nanosecond each; what a `solution` takes to prove is included. A
    solution must itself be right: the mistake is in the question more often than in the solution.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "mine.toml"
    >>> _ = path.write_text('id = "X.1"\\ntext = "Copy key 0."\\nkeys = [[1, 0], [0, 1]]\\ncopy = 0')
    >>> load(path)["X.1"].check({"q": "9*k_1"}).status
    'proved'
    """
    path = Path(path)
    with reading(f"`path` {path.name}", budget):
        read = problem_files.read_questions(path, CATALOGUE)
        return FrozenMap({name: _tried(problem) for name, problem in read.items()})


def own_question(table: Mapping[str, Any], folder: Path) -> Problem:
    """The question in one table of a teacher's file, whose files of keys lie in `folder`; errors are those of `load`."""
    problem = problem_files.read_question(table, folder)
    if problem.id.casefold() in {known.casefold() for known in CATALOGUE}:
        raise ValueError(f"`id` {problem.id} is that of a question of the sheets: give it another")
    return _tried(problem)


def _tried(problem: Problem) -> Problem:
    """The question with its judge, once its family and its solution have been tried."""
    problem = replace(problem, judge=judge)
    _try_family(problem)
    if "answer" in problem.ours:
        _try_solution(problem)
    return problem


def _try_family(problem: Problem) -> None:
    """ValueError where the proofs for every n have no such family."""
    if not problem.family.fixed and problem.kind in ("near", "each"):
        try:
            family_of(problem)
        except (ValueError, TypeError) as error:
            raise ValueError(f"{problem.id}: {error}") from error


def _try_solution(problem: Problem) -> None:
    """ValueError where the teacher's own answer is not right; a text is for a person to read, and so is the teacher's."""
    try:
        verdict = problem.check(problem.ours["answer"])
        if problem.kind == "choice":
            if not judge_choice(problem, answered(problem, problem.ours["answer"])).right:
                raise ValueError("it is wrong by the key of the question")
            return
    except (ValueError, TypeError) as error:
        raise ValueError(f"`solution` of {problem.id}: {error}") from error
    if verdict.status != "proved" and problem.kind != "text":
        raise ValueError(
            f"`solution` of {problem.id} does not answer its own question ({verdict.status}): {verdict.reason}"
        )


def find(problem_id: str) -> Problem:
    """The question with this id, in any case of letters; a ValueError that names close ids where there is none.

    >>> find("d.B-II").id
    'D.b-ii'
    >>> find("A.1")
    Traceback (most recent call last):
    ...
    ValueError: `problem_id` must be the id of a question; got 'A.1'. Did you mean A.1a, A.1b, A.1c, A.1d?
    """
    if not isinstance(problem_id, str):
        raise TypeError(f"`problem_id` must be a str such as 'A.1a'; got {type(problem_id).__name__}")
    if (known := known_as(problem_id, CATALOGUE)) is not None:
        return CATALOGUE[known]
    close, (first, *_, last) = close_ids(problem_id, CATALOGUE), CATALOGUE
    hint = f"The ids run from {first} to {last}; headwright problems lists them, in Python `CATALOGUE`"
    hint = f"Did you mean {', '.join(close)}?" if close else hint
    raise ValueError(f"`problem_id` must be the id of a question; got {problem_id!r}. {hint}")


def known_as(name: str, ids: Collection[str]) -> str | None:
    """The id that is meant, in any case of letters. Where two ids differ in case alone, each is known by its own spelling only.

    >>> known_as("a.1A", CATALOGUE), known_as("x.1", ["X.1"]), known_as("x.A", ["X.a", "X.A"])
    ('A.1a', 'X.1', None)
    """
    if name in ids:
        return name
    alike = [known for known in ids if known.casefold() == name.casefold()] if len(name) <= _LONGEST_ID else []
    return alike[0] if len(alike) == 1 else None


def close_ids(name: str, ids: Collection[str]) -> list[str]:
    """Up to four ids that begin like this name or else resemble it, in any case of letters."""
    folded = {known.casefold(): known for known in ids}
    wanted = name[:40].strip().casefold()  # to look for close names takes time
    longer = [known for known in folded if wanted and known.startswith(wanted)]
    return [folded[known] for known in longer[:4] or get_close_matches(wanted, folded, n=4)]
