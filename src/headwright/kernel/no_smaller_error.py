"""Claim: no query of at most a given norm that meets the goal's ratios exactly has an error below a given one.

For Copy there are no ratios, and the claim is about every query of that norm. For Average and Blend it is about queries whose
weights inside the support stand in exactly the goal's ratios. Their total variation from the goal is their leak; a query that
uses slack inside the support may err less.

**Witness** u (n,), any floats with u_j >= 0 outside the support S. Pick a₀ the first of S and let λ = Σ_{j∉S} u_j, p = u/λ there,
ν_a = u_a for the other members a of S (u_{a₀} is not used). Exact ratios mean (k_a - k_{a₀})·τq = b_a := ln(w_a/w_{a₀}). By
Gibbs' inequality lse(x) >= H(p) + p·x, so with x_j = (k_j - k_{a₀})·τq for j outside

    λ lse(x)  >=  λH(p) - Σ ν_a b_a + v·τq  >=  λH(p) - Σ ν_a b_a - τR ‖v‖  =: G,      v = Σ_{j≠a₀} u_j (k_j - k_{a₀}),

for every such q of norm at most R, whatever u is: a poor witness gives a weak bound, never a false one. In units of the weight
of a₀, the outsiders' weights sum to Λ = e^lse and those of the support to 1/w_{a₀}. So the leak is Λ/(Λ + 1/w_{a₀}), which grows
with Λ, and Λ >= e^{G/λ}. With an image the claim is about the queries W x + b alone, and (1) of `image.py` bounds v·q from below.

**No such query.** If λ = 0, the same inequality says 0 >= G. So G > 0 shows that no query of norm at most R has exact ratios.
The claim for this is the one with error 1, because the error of a query with exact ratios is always below 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.claim import at_least
from headwright.kernel.gibbs_sums import GibbsSums, WitnessBound
from headwright.kernel.goals import Copy, Goal
from headwright.kernel.image import Image
from headwright.kernel.number_types import as_stored


@final
@dataclass(frozen=True, eq=False)
class NoSmallerError(WitnessBound):
    """Every query at `scale` with exact ratios for `goal` and norm <= `max_norm` has an error >= `error`.

    `witness` (n,) shows it. With error 1 the claim is that there is no such query.

    >>> import headwright as hw
    >>> design = hw.design([[1, 0], [0, 1], [1, 1]], hw.Copy(2), max_norm=3)
    >>> design.optimality.record.kind, design.optimality.status
    ('no-smaller-error', 'proved')
    """

    keys: np.ndarray
    goal: Goal
    max_norm: Fraction
    scale: Fraction
    error: Fraction
    witness: np.ndarray
    precision: str | None = None  # the number type that the keys are stored in, where it is narrower than float64
    image: Image | None = None
    kind: ClassVar[str] = "no-smaller-error"
    bounded: ClassVar[str] = "error"
    figure: ClassVar[str] = "error"

    def __post_init__(self) -> None:
        self.check_witness()
        for name, value in (("max_norm", self.max_norm), ("scale", self.scale)):
            if value <= 0:
                raise ValueError(f"`{name}` must be positive, got {inputs.show(value)}")
        if not 0 <= self.error <= 1:
            raise ValueError(f"`error` must lie between 0 and 1, got {inputs.show(self.error)}")

    def sentence(self) -> str:
        at = "" if self.scale == 1 else f" at scale {inputs.show(self.scale)}"
        formed = self.image.among() if self.image else ""
        over = f"over {len(self.keys)} keys{as_stored(self.precision)}{at}"
        most = f"norm at most {inputs.show(self.max_norm)}"
        if self.error == 1:
            return f"no query{formed} for {self.goal} {over} with {most} has exact ratios"
        ratios = "" if isinstance(self.goal, Copy) else " and exact ratios"
        least = inputs.show(self.error, 12)
        return f"no query{formed} for {self.goal} {over} with {most}{ratios} has an error below {least}"

    def facts(self) -> dict[str, Any]:
        return at_least("norm", self.max_norm, 12) if self.error == 1 else super().facts()

    def from_sums(self, sums: GibbsSums, gained: balls.Ball) -> tuple[str, balls.Ball]:
        """1 if they show that no query of this norm has exact ratios."""
        pull = balls.exact(self.max_norm) * sums.length
        if self.image is not None:
            pull = self.image.pull(sums.v, self.max_norm)
        if pull is None:  # no query of the image is as short as that
            return "the distance of the image from 0", balls.exact(1)
        gained = gained - balls.exact(self.scale) * pull
        if self.outside().any():
            bound = 1 / (1 + (-gained / sums.weight).exp() / balls.exact(self.goal.shares[0]))
        else:
            bound = balls.exact(1 if gained > 0 else 0)
        return f"Gibbs' inequality with {sums.method}", bound

    def from_distance(self, image: Image) -> Iterator[tuple[int, str, balls.Ball]]:
        for bits, method, least in image.distances():
            with balls.precision(bits):
                bound = balls.exact(1 if least > balls.exact(self.max_norm) else 0)
            yield bits, method, bound
