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

from headwright import balls, budget, inputs
from headwright.goals import Copy, Goal
from headwright.number_types import as_stored, need_stored
from headwright.proofs.claim import Claim, at_least
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
        formed = self.image.among() if self.image else ""
        at = "" if self.scale == 1 else f" at scale {inputs.show(self.scale)}"
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

    def bounds(self) -> Iterator[tuple[int, str, balls.Ball]]:
        """(bits, method, ball of the proved norm), ever tighter; only keys with a non-zero witness matter."""
        inputs.need_gradual_underflow()
        used = self.witness.copy()
        used[self.goal.indices[0]] = 0.0
        rows = np.flatnonzero(used)
        if not len(rows):
            yield from self.image.distances() if self.image else ()
            return
        columns = np.ascontiguousarray(self.keys[rows].T)
        enclosed = balls.float_scores(columns, used[rows])
        if enclosed is not None:
            with balls.precision(96):
                sums = balls.around(enclosed[0].tolist(), enclosed[1].tolist())
                bound = self._bound(sums, used[rows].tolist())
            yield 96, "Gibbs' inequality with float64 sums and an a-priori radius", bound
        numerators, exponent = balls.exact_scores(columns, used[rows])
        for bits in (128, 256, 512, 1024):
            with balls.precision(bits):
                unit = balls.exact(Fraction(2) ** exponent)
                bound = self._bound([balls.exact(k) * unit for k in numerators], used[rows].tolist())
            yield bits, f"Gibbs' inequality with exact sums, logarithms in balls of {bits} bits", bound

    def _bound(self, sums: list[balls.Ball], used: list[float]) -> balls.Ball:
        """The norm proved, from the balls Σ_{j≠a₀} u_j k_j; 0 if the inequality says nothing."""
        first, rest = self.goal.indices[0], self.goal.indices[1:]
        budget.spend((len(self.keys) + len(rest)) * balls.function_cost() + 4 * len(sums) * balls.unit_cost())
        outside = self._outside()
        weights = [balls.exact(u) for u in outside[outside > 0].tolist()]
        lam = balls.total(weights)
        odds = self.error / (1 - self.error)
        left = balls.exact(0)
        if weights:
            left = lam * (lam.log() - log(odds / self.goal.shares[0])) - balls.total([u * u.log() for u in weights])
        for a, share in zip(rest, self.goal.shares[1:], strict=True):
            left = left - balls.exact(float(self.witness[a])) * log(share / self.goal.shares[0])
        whole = balls.total([balls.exact(u) for u in used])
        v = [s - whole * balls.exact(k) for s, k in zip(sums, self.keys[first].tolist(), strict=True)]
        if self.image is not None:
            return self.image.least_norm(v, left / balls.exact(self.scale))
        length = balls.total([x * x for x in v]).sqrt()
        return left.max(0) / (balls.exact(self.scale) * length)


def log(x: Fraction) -> balls.Ball:
    """ln x of a positive rational; exactly 0 at 1."""
    return balls.exact(x).log() if x != 1 else balls.exact(0)
