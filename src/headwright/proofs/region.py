"""Region: how far keys may move, and what that does to scores. All claims about moved keys share it.

Each key may move by at most `radius`, in every coordinate ("box") or in Euclidean length ("ball"), independently of the
others. For one query q the score of each key then moves by up to δ = τ·r·‖q‖₁ (box) or τ·r·‖q‖₂ (ball). Every value in
[-δ, δ] is reached, and keys move independently, so the scores fill a box exactly. Nothing is relaxed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright import balls, budget, inputs
from headwright.proofs.parts import Parts

NORMS = ("box", "ball")


@final
@dataclass(frozen=True)
class Region(Parts):
    """Each key moves by at most `radius` > 0, measured by `norm`: "box" (per coordinate) or "ball" (Euclidean).

    >>> Region("1/20", "box").radius
    Fraction(1, 20)
    """

    radius: Fraction
    norm: str

    def __post_init__(self) -> None:
        self.settle()
        if self.radius <= 0:
            raise ValueError(f"`radius` must be positive, got {inputs.show(self.radius)}")
        if self.norm not in NORMS:
            raise ValueError(f"`norm` must be 'box' or 'ball', got {self.norm!r}")

    def describe(self) -> str:
        """The region in words, for the sentence of a claim."""
        where = "per coordinate" if self.norm == "box" else "in Euclidean length"
        return f"however each key moves by at most {inputs.show(self.radius)} {where}"

    def score_move(self, query: np.ndarray, scale: Fraction) -> balls.Ball:
        """The largest move δ of one score, as a ball at the working precision; exactly 0 for the zero query."""
        parts = [abs(Fraction(c)) for c in query.tolist()]
        if self.norm == "box":
            return balls.exact(scale * self.radius * budget.summed(parts))
        return balls.exact(scale * self.radius) * balls.exact(budget.summed(c * c for c in parts)).sqrt()

    def direction(self, query: np.ndarray) -> np.ndarray:
        """The unit move (in this norm) that raises the score of `query` most, rounded to float64."""
        if self.norm == "box":
            signs: np.ndarray = np.sign(query)
            return signs
        largest = np.abs(query).max()
        scaled = query / largest if largest > 0 else query
        length = np.linalg.norm(scaled)
        return scaled / length if length > 0 else scaled

    def moved(self, keys: np.ndarray, moves: np.ndarray) -> np.ndarray | None:
        """keys + radius·moves, shrunk slightly so that the float64 keys lie in the region; None if they still do not."""
        budget.spend(20 * keys.size)
        budget.hold(8 * keys.size)
        with np.errstate(all="ignore"):
            point: np.ndarray = keys + (balls.float_below(self.radius) * (1 - 2.0**-40)) * moves
            for inside in (point, np.nextafter(point, keys)):
                if self.holds(keys, inside):
                    return inside
        return None

    def holds(self, keys: np.ndarray, moved: np.ndarray) -> bool:
        """True only if every moved key is certainly within the radius.

        A float64 difference is the true one correctly rounded, so the true size is at most the next float up; a sum
        of d squares computed in float64 is short of the true one by less than a part (d+4)·2^-52, plus underflow.
        """
        if moved.shape != keys.shape or not np.isfinite(moved).all():
            return False
        with np.errstate(all="ignore"):
            size = np.nextafter(np.abs(moved - keys), np.inf)
            most = size.max() if self.norm == "box" else (size * size).sum(axis=1).max()
        if not np.isfinite(most):
            return False
        if self.norm == "box":
            return Fraction(float(most)) <= self.radius
        d = keys.shape[1]
        return Fraction(float(most)) * (1 + Fraction(d + 4, 2**52)) + Fraction(d + 4, 2**1021) <= self.radius**2
