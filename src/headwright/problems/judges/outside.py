"""A formula without a normal form, such as one with √(ln n): known at single points alone.

It is evaluated in float64 at a few settings and its query certified there. One that misses by far more than any rounding, and
whose numbers balls confirm (`enclosed_queries.py`), is refuted at that setting; one that holds there is Undecided, since nothing
is known of the other members. A formula with an array of numbers in it speaks of one setting only, and is judged there like an
array.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from headwright import formulas
from headwright.formulas.trees import Array, Node, parts
from headwright.problems.judges.enclosed_queries import believed
from headwright.problems.judges.members import Members
from headwright.problems.judges.numbers import judge_numbers, said
from headwright.problems.judges.scores import Scores
from headwright.problems.settings import Setting, setting_of
from headwright.problems.showing import ERROR, N
from headwright.verdict import Refuted, Undecided, Verdict

_SIZES = (10, 3, 40)
_ERRORS = (ERROR, Fraction(1, 5), Fraction(1, 10**5))
_ROOM = Fraction(1, 10**6)  # far beyond what float64 may have rounded


def judge_outside(scores: Scores, given: Members, why: str) -> Verdict:
    """The verdict on formulas that `vector_form` cannot take; `why` says which part it cannot."""
    ask = scores.ask
    if any(_has_array(formula.root) for formula in scores.read.values()) and not scores.large:
        setting = given.setting(ask.id)
        return judge_numbers(ask, _evaluated(scores, setting), setting)
    tried: dict[str, str] = {}
    for setting in () if scores.large else _settings(scores, given):
        try:
            queries = _evaluated(scores, setting)
            verdict = judge_numbers(ask, queries, setting, slack=_ROOM)
        except formulas.FormulaError:  # no value there, or none that float64 holds
            if setting.n == (given.n or N):
                raise
            continue
        written = [scores.read[name] for name in ask.answers]
        same = ask.different and (queries[0] == queries[1]).all()  # equal as rounded is not equal
        if isinstance(verdict, Refuted) and not same and believed(written, queries, ask.basis, setting):
            return verdict
        tried[f"n = {setting.n}, error {float(setting.error):g}"] = verdict.status
    return Undecided(
        said(ask, given.n),
        scope="the claim in general",
        reason=f"The formula is beyond what can be proved for all members: {why}.",
        next_step="use sums, products, quotients and logarithms",
        evidence=tried or None,
    )


def _settings(scores: Scores, given: Members) -> Iterator[Setting]:
    """The usual setting first, then others that the caller leaves."""
    tied = given.error is None and (scores.ask.each or "eps" in scores.used)
    for n in _SIZES if given.n is None else (given.n,):
        for error in _ERRORS if tied else (ERROR if given.error is None else given.error,):
            yield setting_of(scores.ask.id, n, error=error)


def _has_array(node: Node) -> bool:
    return isinstance(node, Array) or any(_has_array(part) for part in parts(node))


def _evaluated(scores: Scores, setting: Setting) -> np.ndarray:
    """The queries (h, n) at a setting, in float64."""
    found = [np.asarray(formulas.evaluate(scores.read[name], setting.names)) for name in scores.ask.answers]
    for name, query in zip(scores.ask.answers, found, strict=True):
        if query.shape != (setting.n,):
            raise ValueError(
                f"`{name}` must be a vector of {setting.n} numbers at the setting, got shape {query.shape}"
            )
    return np.array(found)
