"""How likely given heads meet an error: a proved lower bound where the law allows a close one, else an estimate that says so."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright import balls
from headwright.constructions.model_noise import Noise
from headwright.constructions.score_nodes import true_law
from headwright.goals import Goal
from headwright.keys import KeyModel
from headwright.proofs import Heads, probability_enclosures
from headwright.scaled_keys import ScaledKeys

_CLOSE = Fraction(1, 10**6)  # bounds this close count as the probability
_NUMBERS = 2**22  # scores held at once for an estimate
_MOST_POINTS, _LEAST_POINTS = 2**13, 2**8


@final
@dataclass(frozen=True)
class Chance:
    """A probability: a lower bound where `proved`, else an estimate at Sobol points."""

    value: float
    proved: bool

    def __str__(self) -> str:
        return f"{self.value:.6g}" if self.proved else f"about {self.value:.4g} (estimated)"


def chance_of(
    model: KeyModel, noise: Noise, goal: Goal, error: Fraction, Y: np.ndarray, mix: np.ndarray, *, seed: int
) -> Chance:
    """The chance that queries Y (h, r), in the coordinates of `noise`, meet the error at scale 1."""
    simple = isinstance(model, ScaledKeys) or (len(noise.moving) <= 1 and (len(Y) == 1 or not noise.spread.any()))
    if simple and np.isfinite(Y).all():
        heads = Heads(model.centre, noise.queries(Y), mix, Fraction(1))
        low = Fraction(0)
        for found in probability_enclosures(model, heads, goal, error, enough=lambda low, high: high - low <= _CLOSE):
            low = max(low, found.low)
            if found.high - low <= _CLOSE:
                return Chance(balls.float_below(low), proved=True)
    points = _NUMBERS // max(1, len(noise.moving) * len(Y) * (len(Y) + 1))
    points = 2 ** int(np.log2(min(max(points, _LEAST_POINTS), _MOST_POINTS)))
    law = true_law(model, noise, goal, len(Y), seed, points=points)
    return Chance(law.probability(Y, mix, float(error)), proved=False)
