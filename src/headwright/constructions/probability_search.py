"""Search on the probability itself: Σ p σ((error - TV)/blur), maximised by L-BFGS as the blur falls. A heuristic.

What is minimised is ln(1 - P), whose slope does not fade near P = 1. `chance_of` says how likely a trial really meets the error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.bounded import Bounded
from headwright.constructions.model_noise import Noise
from headwright.constructions.query_law import QueryLaw
from headwright.goals import Goal
from headwright.key_models import KeyModel
from headwright.noise import probability_met
from headwright.proofs import Heads

_BLURS = (
    1.0,
    0.3,
    0.1,
)  # of the error, for climbing: wide enough to feel nodes far from the error, then nearly the count
_STEPS = 60  # of L-BFGS at each blur: bounds the work, the aim usually ends it before
_LENGTHS = np.geomspace(0.3, 6.0, 10)  # of a start: a good direction is seldom of a good length
_SAMPLES = 2**13  # of an estimate, whose interval then reaches about 0.01 to either side at most


@final
@dataclass(frozen=True, eq=False)
class Trial:
    """Queries Y (h, r) in the law's coordinates, their mix, and the way they were found."""

    Y: np.ndarray
    mix: np.ndarray
    name: str

    @property
    def norm(self) -> float:
        return float(np.linalg.norm(self.Y, axis=1).max())

    def at(self, Y: np.ndarray) -> Trial:
        return replace(self, Y=Y)


def chance_of(model: KeyModel, noise: Noise, goal: Goal, error: Fraction, trial: Trial, *, seed: int) -> Bounded:
    """The chance that a trial, in the coordinates of `noise`, meets the error at scale 1; nothing is known beyond float64."""
    try:
        heads = Heads(model.centre, noise.queries(trial.Y), trial.mix, Fraction(1))
        return probability_met(model, heads, goal, error, samples=_SAMPLES, seed=seed)
    except ValueError:
        return Bounded.estimated(0.0, 0.0, 1.0, how="queries or scores beyond the range of float64")


def sure_of(chance: Bounded) -> float:
    """What to count on: the lower bound of a proved chance, else the estimate itself."""
    return chance.low if chance.proved else float(chance)


def miss(law: QueryLaw, trial: Trial, error: float, blur: float) -> float:
    """1 - the smooth probability."""
    return 1 - law.smooth_probability(trial.Y, trial.mix, error, blur)[0]


def best_length(law: QueryLaw, trial: Trial, error: float) -> tuple[float, Trial]:
    """The best of some multiples of a start, and what it misses."""
    tried = [trial.at(t * trial.Y) for t in _LENGTHS]
    # 0.3: a blur wide enough to tell lengths apart that meet the error at no node
    missed = [miss(law, each, error, 0.3 * error) for each in tried]
    least = int(np.argmin(missed))
    return missed[least], tried[least]


def climb(law: QueryLaw, trial: Trial, error: float, aim: float, *, longest: float | None = None) -> Trial:
    """A local maximum of the probability near a trial, or the first point that reaches `aim`; within norm `longest`."""
    from scipy.optimize import minimize

    shape, unit = trial.Y.shape, max(trial.norm, 1e-6)  # zero queries have a unit too
    best, least = trial, 1 - law.probability(trial.Y, trial.mix, error)
    for blur in _BLURS:
        if 1 - least >= aim:
            break

        def lost(x: np.ndarray, blur: float = blur * error) -> tuple[float, np.ndarray]:
            Y, back = _within(unit * x.reshape(shape), longest)
            value, slope = law.smooth_probability(Y, trial.mix, error, blur)
            left = max(1 - value, 0.0) + 1e-9  # a probability of 1 has a finite logarithm too
            return float(np.log(left)), -unit * back(slope).ravel() / left

        done = minimize(lost, best.Y.ravel() / unit, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
        here = trial.at(_within(unit * done.x.reshape(shape), longest)[0])
        missed = 1 - law.probability(here.Y, here.mix, error)
        if missed <= least:
            best, least = here, missed
    return best


def _within(Y: np.ndarray, longest: float | None) -> tuple[np.ndarray, Any]:
    """Y with rows longer than `longest` drawn back to it, and the map that takes a gradient back through that."""
    norms = np.linalg.norm(Y, axis=1, keepdims=True)
    if longest is None or (norms <= longest).all():
        return Y, lambda slope: slope
    over = norms > longest
    unit = Y / np.maximum(norms, 1e-300)  # a zero row is not over, and its unit is not used
    short = np.where(over, longest * unit, Y)

    def back(slope: np.ndarray) -> np.ndarray:
        across = (slope - (slope * unit).sum(axis=1, keepdims=True) * unit) * (longest / norms)
        return np.where(over, across, slope)

    return short, back
