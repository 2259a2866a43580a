"""Claim: no query, of any length and at any scale, brings the weights within an error of the goal.

Its scores are k_j·q, so the witness (`gibbs.py`), rationals N_ij > 0 for some targets i and some keys j ≠ i, cancels when

    Σ_ij N_ij (k_j - k_i) = 0   exactly.

For Copy, p_i holds the convex weights of a key inside the hull of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, final

import numpy as np

from headwright import balls, budget, inputs
from headwright.goals import Goal
from headwright.number_types import as_stored, need_stored
from headwright.proofs import gibbs
from headwright.proofs.claim import at_least
from headwright.proofs.parts import written_as
from headwright.proofs.within_error import checked_error

_HALVINGS = 60

Pairs = tuple[tuple[int, int, Fraction], ...]  # a target, another key, a positive number


@final
@dataclass(frozen=True, eq=False)
class OutOfReach(gibbs.ByGibbs):
    """No query brings the weights within total variation `error` of `goal`; `witness` holds triples (i, j, N_ij).

    >>> from headwright.goals import Copy
    >>> witness = ((1, 0, Fraction(1)), (1, 2, Fraction(1)))
    >>> OutOfReach([[0.0], [1.0], [2.0]], Copy(1), "0.5", witness).prove().bound
    0.6666666666666666
    """

    keys: np.ndarray
    goal: Goal
    error: Fraction
    witness: Pairs
    precision: str | None = None  # the number type that the keys are stored in, where it is narrower than float64
    kind: ClassVar[str] = "out-of-reach"

    def __post_init__(self) -> None:
        self.settle(keys="nd")
        need_stored(self.keys, self.precision, name="keys")
        self.goal.check(len(self.keys))
        checked_error(self.error)
        self.check_witness()

    def sentence(self) -> str:
        asked = f"within total variation {inputs.show(self.error)} of {self.goal}"
        return f"no query brings the weights over {len(self.keys)} keys{as_stored(self.precision)} {asked}"

    def shares(self) -> gibbs.Shares:
        budget.spend(1000 * len(self.goal.indices))
        return {(i,): share for i, share in zip(self.goal.indices, self.goal.shares, strict=True)}

    def seen(self, place: gibbs.Place) -> int:
        return len(self.keys)

    def cancels(self, lists: gibbs.Lists) -> bool:
        """Whether Σ_ij N_ij (k_j - k_i) = 0, each key taken with its coefficient Σ_i N_ij - λ_j."""
        coefficients: dict[int, int] = {}
        for (i,), row in lists.items():
            for j, number in row.items():
                coefficients[j] = coefficients.get(j, 0) + number
            coefficients[i] = coefficients.get(i, 0) - sum(row.values())
        return balls.sums_to_zero(self.keys[list(coefficients)], list(coefficients.values()))

    def facts(self, lists: gibbs.Lists, parts: gibbs.Parts, shares: gibbs.Shares) -> dict[str, Any]:
        return at_least("every query errs by", self._refuted_up_to(lists, parts, shares))

    def _refuted_up_to(self, lists: gibbs.Lists, parts: gibbs.Parts, shares: gibbs.Shares) -> Fraction:
        """An error that no query goes below, by the same witness.

        For one target, H > c_i means e < w_i - 1/(1 + e^H), and e^H is the number of keys if their weights are equal. For several
        targets the error is found by bisection: every error kept has been refuted.
        """
        if len(lists) == 1:
            ((place, row),) = lists.items()
            if len(set(row.values())) == 1:
                return shares[place] - Fraction(1, 1 + len(row))
            return balls.lower_end(balls.exact(shares[place]) - 1 / (1 + parts[place][1].exp()), least=self.error)
        low, high = self.error, min(shares[place] for place in lists)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if gibbs.excess(parts, shares, middle) > 0:
                low = middle
            else:
                high = middle
        return low


written_as("Pairs", gibbs.write_entries, partial(gibbs.read_entries, 2))
