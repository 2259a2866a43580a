"""Claim: no query that meets the goal with exact ratios and leak <= error is shorter than a given norm.

For Copy there are no ratios, and the claim is about every query with that error. For Average and Blend it is about queries
whose weights inside the support stand in exactly the goal's ratios; a query that uses total-variation slack there may be
shorter.

**Witness** u (n,), any floats with u_j >= 0 outside the support S. Pick a₀ the first of S and let λ = Σ_{j∉S} u_j, p = u/λ there,
ν_a = u_a for the other members a of S (u_{a₀} is not used). Exact ratios mean (k_a - k_{a₀})·τq = b_a := ln(w_a/w_{a₀}), and
leak <= e means lse_{j∉S}((k_j - k_{a₀})·τq) <= c := ln(odds(e)/w_{a₀}). By Gibbs' inequality lse(x) >= H(p) + p·x, so

    λ(H(p) - c) - Σ ν_a b_a  <=  -v·τq  <=  τ ‖v‖ ‖q‖,      v = Σ_{j≠a₀} u_j (k_j - k_{a₀}),

for every such q, whatever u is: a poor witness gives a weak bound, never a false one. λH(p) = λ ln λ - Σ u_j ln u_j. With an
image the claim is about the queries W x + b alone, and (1) of `image.py` takes the place of the last step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.gibbs_sums import GibbsSums, WitnessBound, log
from headwright.kernel.goals import Copy, Goal
from headwright.kernel.image import Image
from headwright.kernel.number_types import as_stored
from headwright.kernel.within_error import checked_error


@final
@dataclass(frozen=True, eq=False)
class NoShorter(WitnessBound):
    """Every query at `scale` with exact ratios and leak <= `error` for `goal` has norm >= `least`; `witness` (n,) shows it.

    >>> import headwright as hw
    >>> hw.design([[1, 0], [0, 1], [1, 1]], hw.Copy(2)).optimality.record.kind
    'no-shorter'
    """

    keys: np.ndarray
    goal: Goal
    error: Fraction
    scale: Fraction
    least: Fraction
    witness: np.ndarray
    precision: str | None = None  # the number type that the keys are stored in, where it is narrower than float64
    image: Image | None = None
    kind: ClassVar[str] = "no-shorter"
    bounded: ClassVar[str] = "least"
    figure: ClassVar[str] = "norm"

    def __post_init__(self) -> None:
        self.check_witness()
        checked_error(self.error)
        if self.scale <= 0:
            raise ValueError(f"`scale` must be positive, got {inputs.show(self.scale)}")
        if self.least < 0:
            raise ValueError(f"`least` must not be negative, got {inputs.show(self.least)}")

    def sentence(self) -> str:
        limits = f"error at most {inputs.show(self.error)}"
        if not isinstance(self.goal, Copy):
            limits = f"exact ratios and leak at most {inputs.show(self.error)}"
        at = "" if self.scale == 1 else f" at scale {inputs.show(self.scale)}"
        formed = self.image.among() if self.image else ""
        return (
            f"no query{formed} for {self.goal} over {len(self.keys)} keys{as_stored(self.precision)}{at} with {limits} "
            f"is shorter than {inputs.show(self.least, 12)}"
        )

    def from_sums(self, sums: GibbsSums, gained: balls.Ball) -> tuple[str, balls.Ball]:
        odds = self.error / (1 - self.error)
        left = gained - sums.weight * log(odds / self.goal.shares[0])
        if self.image is None:
            bound = left.max(0) / (balls.exact(self.scale) * sums.length)
        else:
            bound = self.image.least_norm(sums.v, left / balls.exact(self.scale))
        return f"Gibbs' inequality with {sums.method}", bound

    def from_distance(self, image: Image) -> Iterator[tuple[int, str, balls.Ball]]:
        return image.distances()
