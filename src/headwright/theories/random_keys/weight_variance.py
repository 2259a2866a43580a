"""Claim: when one Gaussian moves one key, the variance of a linear functional of the weights is at most (or at least) a bound.

Head h gives the fixed keys together the share u_h = 1/(1 + e^{a_h + b_h z}) of its weight, divided in fixed ratios r_hj. Here a_h
is the moving key's score minus the log-sum-exp of the others, and b_h its standard deviation. So Σ y_j α_j is a constant plus
Σ c_h u_h with c_h = π_h(Σ_j r_hj y_j - y_key). Its variance Σ c_g c_h (E[u_g u_h] - E[u_g]E[u_h]) needs only integrals over z.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim, at_least, at_most
from headwright.kernel.heads import Heads
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.kernel.weight_bound import SIDES
from headwright.theories.random_keys.integrals import logistic_mean
from headwright.theories.random_keys.laws import GaussianLaw
from headwright.theories.random_keys.score_noise import ScoreNoise, score_noise

_LEAST_BITS, _MOST_BITS = 128, 512


@final
@dataclass(frozen=True, eq=False)
class WeightVariance(Claim):
    """The variance of Σ values_j · weight_j over `model` is `side` ("at most" or "at least") `bound`.

    >>> model, heads = GaussianLaw(np.eye(2), along={0: 0.5}), Heads(np.eye(2), [[9.0, 0.0]], [1.0], 1)
    >>> WeightVariance(model, heads, [1.0, 0.0], "at most", "0.25").prove().status
    'proved'
    """

    model: GaussianLaw
    heads: Heads
    values: np.ndarray
    side: str
    bound: Fraction
    kind: ClassVar[str] = "weight-variance"

    def __post_init__(self) -> None:
        if self.heads.keys.shape != self.model.centre.shape or (self.heads.keys != self.model.centre).any():
            raise ValueError("`heads` must have the keys around which the model varies")
        if self.heads.precision is not None:
            raise ValueError("`precision` must be None for keys that vary")
        self.settle({"n": self.heads.n}, values="n")
        if self.side not in SIDES:
            raise ValueError(f"`side` must be 'at most' or 'at least', got {self.side!r}")

    def sentence(self) -> str:
        chosen = np.flatnonzero(self.values)
        single = len(chosen) == 1 and self.values[chosen[0]] == 1
        what = f"the weight of key {chosen[0]}" if single else "the given linear functional of the weights"
        return (
            f"the variance of {what} under {self.heads.describe()} is {self.side} {inputs.show(self.bound)} "
            f"over {self.model.describe()}"
        )

    def judge(self) -> Verdict:
        noise = score_noise(self.model, self.heads)
        if not noise.is_one_gaussian:
            return self.undecided("more than one Gaussian moves the scores", "let only one key vary, in one direction")
        for tier in self.heads.climb():
            if tier.bits < _LEAST_BITS:
                continue
            with balls.precision(tier.bits):
                spread = variance(self.heads, noise, tier, self.values)
                over = spread - balls.exact(self.bound)
                holds, fails = (over <= 0, over > 0) if self.side == "at most" else (over >= 0, over < 0)
                if holds:
                    return self._proved(spread)
                if fails:
                    return self._refuted()
            if tier.bits >= _MOST_BITS:
                break
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def _proved(self, spread: balls.Ball) -> Proved:
        if self.side == "at most":
            reached = at_most("a variance of", balls.upper_end(spread, most=self.bound), 12)
        else:
            reached = at_least("a variance of", max(balls.lower_end(spread, least=self.bound), Fraction(0)), 12)
        return self.proved(**reached, method=_METHOD)

    def _refuted(self) -> Refuted:
        point = {"keys": self.heads.keys, "queries": self.heads.queries}
        return self.refuted(counterexample=point, method=_METHOD)


_METHOD = "rigorous integrals over the one Gaussian that moves a key"


def variance(heads: Heads, noise: ScoreNoise, tier: balls.Tier, values: np.ndarray) -> balls.Ball:
    """A ball around the variance of Σ values_j · weight_j; to be called at the tier's precision."""
    if noise.key is None or heads.n == 1:
        return balls.exact(0)  # nothing moves, or all the weight stays with the only key
    lines, factors = [], []
    for share, row, rise in zip(heads.shares, tier.exponentials, noise.rises, strict=True):
        if rise == 0:
            continue  # nothing moves in this head
        others = row.total(without={noise.key})
        lines.append(((row[noise.key] / others).log(), balls.exact(rise) * balls.exact(noise.root).sqrt()))
        weighted = [balls.exact(y) * e for y, e in zip(values.tolist(), row, strict=True)]
        kept = balls.total([part for j, part in enumerate(weighted) if j != noise.key])
        factors.append(balls.exact(share) * (kept / others - balls.exact(float(values[noise.key]))))
    means = [logistic_mean([line]) for line in lines]
    terms = []
    for g, first in enumerate(lines):
        for h, second in enumerate(lines[: g + 1]):
            together = logistic_mean([first, second]) - means[g] * means[h]
            terms.append((1 if g == h else 2) * factors[g] * factors[h] * together)
    return balls.total(terms)
