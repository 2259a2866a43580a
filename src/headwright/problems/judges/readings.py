"""An answer read and judged: in every reading of its formulas, with one verdict if they agree.

If the readings disagree, the verdict is Undecided with the method `TWO_READINGS`, and shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import prod

import numpy as np

from headwright.kernel.verdict import Undecided, Verdict
from headwright.problems.problem import AnswerError, Problem
from headwright.reading import formulas
from headwright.reading.formulas import Formula, FormulaError
from headwright.reading.formulas.near_names import NOT_WORDS
from headwright.reading.formulas.tokens import MOST_READINGS

Read = dict[str, Formula | np.ndarray | None]  # None for the answer that there is none
TWO_READINGS = "two readings"
_TAKE_NONE = ("exact", "impossible")  # and every question at given keys that do not vary
_MOST_SHOWN = 4  # readings that are shown


def judged_as_read(
    problem: Problem, given: Mapping[str, str | np.ndarray], judge: Callable[[Read], Verdict]
) -> Verdict:
    """The verdict on an answer whose formulas are texts; it shows the reading, and says what conditions mean."""
    read = {name: _read(problem, name, value) for name, value in given.items()}
    if prod(map(len, read.values())) > MOST_READINGS:
        raise AnswerError(
            f"the answer can be read in more than {MOST_READINGS} ways: put brackets around what belongs together"
        )
    ways = [dict(zip(read, values, strict=True)) for values in product(*read.values())]
    if len(ways) == 1:
        return _with_notes(judge(ways[0]), ways[0]).read_as(_shown(ways[0]))
    return _agreed(problem, ways, judge)


def has_several(problem: Problem, given: Mapping[str, str | np.ndarray]) -> bool:
    """Whether the texts of an answer that was judged have more readings than one."""
    return any(len(_read(problem, name, value)) > 1 for name, value in given.items())


def _read(problem: Problem, name: str, value: str | np.ndarray) -> tuple[Formula | np.ndarray | None, ...]:
    if not isinstance(value, str):
        return (value,)
    symbols = problem.symbols.with_answer(name)
    if problem.kind in _TAKE_NONE or (problem.family.fixed and not problem.family.law):
        if formulas.says_none(value):
            return (None,)
        symbols = symbols.with_hints(NOT_WORDS)
    return formulas.readings(value, symbols)


def _agreed(problem: Problem, ways: list[Read], judge: Callable[[Read], Verdict]) -> Verdict:
    """The verdict that all readings have, or Undecided as soon as two differ, also if only one of them has a value."""
    outcomes: list[Verdict | FormulaError | AnswerError] = []
    for way in ways:
        try:
            outcomes.append(judge(way))
        except (FormulaError, AnswerError) as fault:
            outcomes.append(fault)
        if _status(outcomes[-1]) != _status(outcomes[0]):
            break
    first, last = outcomes[0], outcomes[-1]
    either = " or ".join([*map(_shown, ways[:_MOST_SHOWN]), *(["…"] if len(ways) > _MOST_SHOWN else [])])
    if _status(first) == _status(last):
        if not isinstance(first, Verdict):
            raise first
        said = f"The answer can be read in {len(ways)} ways, and the verdict is the same for all."
        noted = _with_notes(first, ways[0])
        return noted.explained(f"{noted.reason} {said}".strip()).read_as(either)
    shown = [_shown(ways[i]) for i in (0, len(outcomes) - 1)]
    return Undecided(
        f"the answer does what {problem.id} asks",
        scope=f"question {problem.id}",
        reason=f"The answer can be read as {' or as '.join(shown)}, and the verdict depends on which of them is meant.",
        method=TWO_READINGS,
        next_step="put brackets around what belongs together",
    ).read_as(either)


def _status(outcome: Verdict | Exception) -> str:
    return outcome.status if isinstance(outcome, Verdict) else "without a value"


def _shown(way: Read) -> str:
    """The formulas of an answer as they were read; "" for arrays alone."""
    read = {name: value for name, value in way.items() if not isinstance(value, np.ndarray)}
    shown = {name: "none" if value is None else value.shown for name, value in read.items()}
    return ", ".join(text if len(way) == 1 else f"{name} = {text}" for name, text in shown.items())


def _with_notes(verdict: Verdict, way: Read) -> Verdict:
    """The verdict with what is to be said about the conditions behind its formulas."""
    conditions = [one for value in way.values() if isinstance(value, Formula) for one in value.conditions]
    notes = [*dict.fromkeys(condition.note for condition in conditions if condition.note)]
    return verdict.explained(" ".join([verdict.reason, *notes]).strip()) if notes else verdict
