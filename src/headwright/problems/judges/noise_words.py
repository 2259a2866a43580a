"""What is proved of an answer at variance 1e-6, where a question's noise vanishes: told beside the verdict, not part of it."""

from __future__ import annotations

import numpy as np

from headwright import formulas
from headwright.problems.judges.numbers import noise
from headwright.problems.judges.points import Point
from headwright.problems.judges.scores import Scores
from headwright.problems.settings import setting_of

_MOST_KEYS = 60  # beyond it the proof would take longer than the sentence is worth


def at_variance(scores: Scores, point: Point) -> str:
    """A sentence on the probability with which this member meets the error at variance 1e-6; "" where there is no noise."""
    ask = scores.ask
    if not ask.vanishing or point.n > _MOST_KEYS:
        return ""
    setting = setting_of(ask.id, point.n, error=point.epsilon / (ask.targets + point.epsilon))
    names = {**setting.names, "eps": float(point.epsilon), **{name: float(x) for name, x in point.further.items()}}
    try:
        queries = [np.asarray(formulas.evaluate(scores.read[name], names)) for name in ask.answers]
    except formulas.FormulaError:  # too large for float64
        return ""
    found = noise(ask, np.array(queries), setting)
    further = {name: x for name, x in point.further.items() if name in scores.large}
    where = ", ".join(f"{name} = {float(x):.4g}" for name, x in further.items())
    return found.replace("At variance 1e-6 itself", f"At variance 1e-6{' and ' + where if where else ''}")
