"""An answer that is a query, or two: numbers at the setting, formulas over the family, or the word none."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from headwright import formulas
from headwright.problems.judges.exactness import judge_none
from headwright.problems.judges.families import judge_family
from headwright.problems.judges.members import Members
from headwright.problems.judges.numbers import judge_numbers
from headwright.problems.judges.questions import ASKS
from headwright.problems.problem import Problem
from headwright.problems.settings import LARGE, Setting
from headwright.verdict import Verdict

# Names that answers use and their question does not have.
_HINTS = {
    "A.1d": {"k_1": "k_1 = c·u here, and a query knows nothing of c: write it with u."},
    "E.1c": dict.fromkeys(
        ("no", "No", "not", "there", "There", "does", "is", "it", "It", "such", "impossible", "nothing", "never"),
        "Words are no formula: if there is no such query, write none.",
    ),
}


def judge_queries(problem: Problem, given: Mapping[str, str | np.ndarray], members: Members) -> Verdict:
    """The verdict on {"q": …} or {"q1": …, "q2": …}."""
    ask = ASKS[problem.id]
    if ask.each and members.error is not None and ask.targets * members.error >= 1 - members.error:
        raise ValueError(
            f"`error` must be below 1/{ask.targets + 1} for {problem.id}: its eps, {ask.targets}·error/(1-error), lies in (0, 1)"
        )
    texts = {name: value for name, value in given.items() if isinstance(value, str)}
    if ask.exact and texts and texts["q"].strip().strip("\"'").casefold() == "none":
        return judge_none(members)
    hints = _HINTS.get(problem.id, {})
    read = {name: formulas.parse(text, names=problem.names, hints=hints) for name, text in texts.items()}
    if len(read) == len(given):
        return judge_family(ask, read, members)
    setting = members.setting(problem.id)
    queries = [_vector(name, read.get(name, given[name]), setting) for name in ask.answers]
    return judge_numbers(ask, np.array(queries), setting)


def _vector(name: str, value: formulas.Formula | str | np.ndarray, setting: Setting) -> np.ndarray:
    """One query (d,) as numbers; a formula beside an array is evaluated at the setting."""
    if isinstance(value, formulas.Formula):
        large = sorted(value.used & set(LARGE))
        if large:
            raise ValueError(
                f"`{name}` has {', '.join(large)}, which has no value beside an array: give every query as a formula, or none"
            )
        value = np.asarray(formulas.evaluate(value, setting.names))
    found = np.asarray(value, dtype=np.float64)
    if found.shape != (setting.n,):
        raise ValueError(
            f"`{name}` must have shape ({setting.n},), one number for each dimension of the setting; got {found.shape}"
        )
    return found
