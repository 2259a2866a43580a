"""Search on the probability itself: Σ p σ((error - TV)/blur), maximised by L-BFGS as the blur falls. A heuristic.

What is minimised is ln(1 - P), whose slope does not fade near P = 1. `chance_of` says how likely a trial really meets the error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.search.random_keys.model_noise import Noise
from headwright.search.random_keys.outcome import probability_met
from headwright.search.random_keys.query_law import QueryLaw
from headwright.words.bounded import Bounded
from headwright.words.key_models import KeyModel

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


def best_length(law: QueryLaw, trial: Trial, error: float) -> tuple[float, Trial]:
    """The best of some multiples of a start, and what it misses."""
    tried = [trial.at(t * trial.Y) for t in _LENGTHS]
    # 0.3: a blur wide enough to tell lengths apart that meet the error at no node
    missed = [1 - law.smooth_probability(each.Y, each.mix, error, 0.3 * error)[0] for each in tried]
    least = int(np.argmin(missed))
    return missed[least], tried[least]


def climb(law: QueryLaw, trial: Trial, error: float, aim: float) -> Trial:
    """A local maximum of the probability near a trial, or the first point that reaches `aim`."""
    from scipy.optimize import minimize

    shape, unit = trial.Y.shape, max(trial.norm, 1e-6)  # zero queries have a unit too
    best, least = trial, 1 - law.probability(trial.Y, trial.mix, error)
    for blur in _BLURS:
        if 1 - least >= aim:
            break

        def lost(x: np.ndarray, blur: float = blur * error) -> tuple[float, np.ndarray]:
            value, slope = law.smooth_probability(unit * x.reshape(shape), trial.mix, error, blur)
            left = max(1 - value, 0.0) + 1e-9  # a probability of 1 has a finite logarithm too
            return float(np.log(left)), -unit * slope.ravel() / left

        done = minimize(lost, best.Y.ravel() / unit, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
        here = trial.at(unit * done.x.reshape(shape))
        missed = 1 - law.probability(here.Y, here.mix, error)
        if missed <= least:
            best, least = here, missed
    return best
