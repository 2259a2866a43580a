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
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import ClassVar, final

import numpy as np

from headwright import balls, budget, inputs
from headwright.frozen import computed_once
from headwright.goals import Copy, Goal
from headwright.number_types import as_stored, need_stored
from headwright.proofs.claim import Claim, at_least
from headwright.proofs.gibbs_sums import GibbsSums, gibbs_sums
from headwright.proofs.image import Image
from headwright.proofs.within_error import checked_error
from headwright.verdict import Proved, Verdict


@final
@dataclass(frozen=True, eq=False)
class NoShorter(Claim):
    """Every query at `scale` with exact ratios and leak <= `error` for `goal` has norm >= `norm`; `witness` (n,) shows it.

    >>> import headwright as hw
    >>> hw.design([[1, 0], [0, 1], [1, 1]], hw.Copy(2)).optimality.record.kind
    'no-shorter'
    """

    keys: np.ndarray
    goal: Goal
    error: Fraction
    scale: Fraction
    norm: Fraction
    witness: np.ndarray
    precision: str | None = None  # the number type that the keys are stored in, where it is narrower than float64
    image: Image | None = None
    kind: ClassVar[str] = "no-shorter"

    def __post_init__(self) -> None:
        self.settle({} if self.image is None else {"d": self.image.d}, keys="nd", witness="n")
        need_stored(self.keys, self.precision, name="keys")
        self.goal.check(len(self.keys))
        checked_error(self.error)
        if (self._outside() < 0).any():
            raise ValueError("`witness` must not be negative outside the goal's support")
        if self.scale <= 0:
            raise ValueError(f"`scale` must be positive, got {inputs.show(self.scale)}")
        if self.norm < 0:
            raise ValueError(f"`norm` must not be negative, got {inputs.show(self.norm)}")

    def sentence(self) -> str:
        limits = f"error at most {inputs.show(self.error)}"
        if not isinstance(self.goal, Copy):
            limits = f"exact ratios and leak at most {inputs.show(self.error)}"
        at = "" if self.scale == 1 else f" at scale {inputs.show(self.scale)}"
        formed = self.image.among() if self.image else ""
        return (
            f"no query{formed} for {self.goal} over {len(self.keys)} keys{as_stored(self.precision)}{at} with {limits} "
            f"is shorter than {balls.decimal_below(self.norm, 12)}"
        )

    def judge(self) -> Verdict:
        if self.norm == 0:
            return self._proved("a norm is never negative")
        shown: Fraction | None = None
        for bits, method, bound in self.bounds():
            with balls.precision(bits):
                if bound >= balls.exact(self.norm):
                    return self._proved(method)
            shown = balls.lower(bound)
        only = "no finite bound" if shown is None else f"norm at least {balls.decimal_below(max(shown, Fraction(0)))}"
        return self.undecided(f"the witness proves {only}", "find a better witness, or claim a smaller norm")

    def _proved(self, method: str) -> Proved:
        return self.proved(**at_least("norm", self.norm, 12), method=method)

    def _outside(self) -> np.ndarray:
        """The witness outside the support (0 on it)."""
        outside = self.witness.copy()
        outside[list(self.goal.indices)] = 0.0
        return outside

    def at_norm(self, norm: Fraction) -> NoShorter:
        """The same claim about another norm. What was computed from the witness does not depend on it, and is kept."""
        other = replace(self, norm=norm)
        vars(other)["_first"] = self._first
        return other

    @computed_once
    def _first(self) -> GibbsSums | None:
        """The cheapest sums of the witness."""
        return next(self._sums(), None)

    def _sums(self) -> Iterator[GibbsSums]:
        return gibbs_sums(self.keys, self.goal.indices, self.witness)

    def bounds(self) -> Iterator[tuple[int, str, balls.Ball]]:
        """(bits, method, ball of the proved norm), ever tighter; only keys with a non-zero witness matter."""
        if self._first is not None:
            yield self._bound(self._first)
            yield from map(self._bound, islice(self._sums(), 1, None))
        elif self.image is not None:
            yield from self.image.distances()

    def _bound(self, sums: GibbsSums) -> tuple[int, str, balls.Ball]:
        """The norm that these sums prove; 0 if the inequality says nothing."""
        with balls.precision(sums.bits):
            budget.spend(len(self.goal.shares) * balls.function_cost())
            odds = self.error / (1 - self.error)
            left = sums.entropy - sums.weight * log(odds / self.goal.shares[0])
            for a, share in zip(self.goal.indices[1:], self.goal.shares[1:], strict=True):
                left = left - balls.exact(float(self.witness[a])) * log(share / self.goal.shares[0])
            if self.image is None:
                bound = left.max(0) / (balls.exact(self.scale) * sums.length)
            else:
                bound = self.image.least_norm(sums.v, left / balls.exact(self.scale))
        return sums.bits, f"Gibbs' inequality with {sums.method}", bound


def log(x: Fraction) -> balls.Ball:
    """ln x of a positive rational; exactly 0 at 1."""
    return balls.exact(x).log() if x != 1 else balls.exact(0)
