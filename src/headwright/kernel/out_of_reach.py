"""Claim: no query, of any length and at any scale, brings the weights within an error of the goal.

Its scores are k_j·q, so the witness (`gibbs.py`), rationals N_ij > 0 for some targets i and some keys j ≠ i, cancels when

    Σ_ij N_ij (k_j - k_i) = 0   exactly.

For Copy, p_i holds the convex weights of a key inside the hull of the others. With an image the claim is about the queries
W x + b alone. Then only Σ_ij N_ij Wᵀ(k_j - k_i) must be 0, and Σ_ij N_ij τ (k_j - k_i)·b is what the differences of scores add
up to.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, gibbs, inputs
from headwright.kernel.claim import at_least
from headwright.kernel.goals import Goal
from headwright.kernel.image import Image
from headwright.kernel.number_types import as_stored, need_stored
from headwright.kernel.record import written_as
from headwright.kernel.within_error import checked_error

_HALVINGS = 60

Pairs = tuple[tuple[int, int, Fraction], ...]  # a target, another key, a positive number


@final
@dataclass(frozen=True, eq=False)
class OutOfReach(gibbs.ByGibbs):
    """No query brings the weights within total variation `error` of `goal`; `witness` holds triples (i, j, N_ij).

    >>> from headwright.kernel.goals import Copy
    >>> witness = ((1, 0, Fraction(1)), (1, 2, Fraction(1)))
    >>> OutOfReach([[0.0], [1.0], [2.0]], Copy(1), "0.5", witness).prove().bound
    0.6666666666666666
    """

    keys: np.ndarray
    goal: Goal
    error: Fraction
    witness: Pairs
    precision: str | None = None  # the number type that the keys are stored in, where it is narrower than float64
    image: Image | None = None
    scale: Fraction | None = None  # needed, and of effect, only where the image has an offset
    kind: ClassVar[str] = "out-of-reach"

    def __post_init__(self) -> None:
        self.settle({} if self.image is None else {"d": self.image.d}, keys="nd")
        if (self.scale is None) != (self.image is None or self.image.offset is None):
            raise ValueError("`scale` must be given for an image with an offset, and for no other claim")
        if self.scale is not None and self.scale <= 0:
            raise ValueError(f"`scale` must be positive, got {inputs.show(self.scale)}")
        need_stored(self.keys, self.precision, name="keys")
        self.goal.check(len(self.keys))
        checked_error(self.error)
        self.check_witness()

    def sentence(self) -> str:
        asked = f"within total variation {inputs.show(self.error)} of {self.goal}"
        formed = self.image.among() if self.image else ""
        at = "" if self.scale is None else f" at scale {inputs.show(self.scale)}"
        return f"no query{formed} brings the weights{at} over {len(self.keys)} keys{as_stored(self.precision)} {asked}"

    def shares(self) -> gibbs.Shares:
        budget.spend(1000 * len(self.goal.indices))
        return {(i,): share for i, share in zip(self.goal.indices, self.goal.shares, strict=True)}

    def seen(self, place: gibbs.Place) -> int:
        return len(self.keys)

    def cancels(self, lists: gibbs.Lists) -> bool:
        return self._sum(lists) is not None

    def lift(self, lists: gibbs.Lists) -> Fraction:
        whole = sum(number for row in lists.values() for number in row.values())
        return (self.scale or 1) * (self._sum(lists) or Fraction(0)) / whole

    def _sum(self, lists: gibbs.Lists) -> Fraction | None:
        """Σ_ij N_ij (k_j - k_i)·q if every query q gives the same, each key taken with its coefficient Σ_i N_ij - λ_j."""
        coefficients: dict[int, int] = {}
        for (i,), row in lists.items():
            for j, number in row.items():
                coefficients[j] = coefficients.get(j, 0) + number
            coefficients[i] = coefficients.get(i, 0) - sum(row.values())
        rows, weights = self.keys[list(coefficients)], list(coefficients.values())
        if self.image is not None:
            return self.image.value(rows, weights)
        return Fraction(0) if balls.sums_to_zero(rows, weights) else None

    def facts(self, lists: gibbs.Lists, parts: gibbs.Parts, shares: gibbs.Shares) -> dict[str, Any]:
        return at_least("every query errs by", self._refuted_up_to(lists, parts, shares))

    def _refuted_up_to(self, lists: gibbs.Lists, parts: gibbs.Parts, shares: gibbs.Shares) -> Fraction:
        """An error that no query goes below, by the same witness.

        For one target, H > c_i means e < w_i - 1/(1 + e^H), and e^H is the number of keys if their weights are equal. For several
        targets the error is found by bisection: every error kept has been refuted.
        """
        lift = self.lift(lists)
        if len(lists) == 1:
            ((place, row),) = lists.items()
            if len(set(row.values())) == 1 and not lift:
                return shares[place] - Fraction(1, 1 + len(row))
            odds = (parts[place][1] + balls.exact(lift)).exp()
            return balls.lower_end(balls.exact(shares[place]) - 1 / (1 + odds), least=self.error)
        low, high = self.error, min(shares[place] for place in lists)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if gibbs.excess(parts, shares, middle, lift) > 0:
                low = middle
            else:
                high = middle
        return low


written_as("Pairs", gibbs.write_entries, partial(gibbs.read_entries, 2))
