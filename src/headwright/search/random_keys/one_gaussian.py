"""The outcome where all noise is one Gaussian z that moves one key: rigorous one-dimensional integrals.

Head h gives the keys that stay the share u_h = 1/(1 + e^{a_h + b_h z}) of its weight, a_h the moving key's mean score less the
log-sum of the others', b_h its deviation. All weights are linear in the u_h, so means, deviations, covariances across heads and
outputs follow from E[u_h] and E[u_g u_h]. Each is integrated for the smaller of u and 1 - u: small weights keep their digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.search.random_keys.law import Law, Moments, proved_probability
from headwright.search.random_keys.linear_image import Balls, ImageMoments, LinearImage, fine_enough
from headwright.search.random_keys.one_gaussian_error import LogisticError
from headwright.search.random_keys.one_gaussian_quantile import proved_quantile
from headwright.theories.random_keys.integrals import logistic_mean
from headwright.theories.random_keys.score_noise import ScoreNoise
from headwright.words.bounded import Bounded
from headwright.words.key_models import GaussianKeys

_MOST_BITS = 512  # beyond, only where nothing is known yet
_LAST_BITS = 4096  # what is still unknown here is refused
_COARSE = 1e-9  # the half-width up to which a number counts as known, though not to its last digit
_WIDTH = Fraction(1, 10**13)  # of proved bounds on a probability: float64 shows no more than three digits beyond


@final
@dataclass(frozen=True)
class LogisticHeads:
    """At one precision: shares π_h, lines (a_h, b_h), the ratios r_hj of the keys that stay, and the key that moves."""

    shares: Balls
    lines: list[tuple[balls.Ball, balls.Ball]]
    still: list[bool]  # heads in which the key does not move
    ratios: list[Balls]
    key: int


def logistic_heads(heads: Heads, noise: ScoreNoise, tier: balls.Tier) -> LogisticHeads:
    """The heads as logistic functions of z; to be called at the tier's precision."""
    assert noise.key is not None
    lines, ratios = [], []
    for row, rise in zip(tier.exponentials, noise.rises, strict=True):
        others = row.total(without={noise.key})
        lines.append(((row[noise.key] / others).log(), balls.exact(rise) * balls.exact(noise.root).sqrt()))
        ratios.append([e / others for e in row])
    still = [rise == 0 for rise in noise.rises]
    return LogisticHeads([balls.exact(share) for share in heads.shares], lines, still, ratios, noise.key)


@final
class OneGaussian(Law):
    """Rigorous integrals over the one Gaussian; figures of the error by proved cells."""

    proved = True

    def __init__(
        self, model: GaussianKeys, heads: Heads, noise: ScoreNoise, goal: Goal | None, values: np.ndarray | None
    ) -> None:
        self._model, self._heads, self._noise = model, heads, noise
        self._goal, self._values = goal, values
        self.method = f"rigorous integrals over the one Gaussian that moves key {noise.key}"

    def moments(self) -> Moments:
        for tier in self._heads.climb():
            if tier.bits < 128:
                continue
            with balls.precision(tier.bits):
                parts = logistic_heads(self._heads, self._noise, tier)
                image = LinearImage(parts.shares, parts.ratios, (parts.key,))
                moments = image.moments(_moments_of_y(parts), self._values)
            known = moments.mean.half.max() < _COARSE and moments.sd.half.max() < _COARSE
            if fine_enough(moments) or (known and tier.bits >= _MOST_BITS):
                return moments
            if tier.bits >= _LAST_BITS:
                break
        raise ValueError("`design` gives scores too large to be integrated: shorten its queries")

    def error_mean(self) -> Bounded:
        assert self._goal is not None
        for tier in self._heads.climb():
            if tier.bits < 128:
                continue
            with balls.precision(tier.bits):
                parts = logistic_heads(self._heads, self._noise, tier)
                mean = LogisticError(parts.shares, parts.lines, parts.ratios, parts.key, self._goal).mean()
                bounded = Bounded.of_ball(mean, how=self.method)
            if bounded.high - bounded.low < _COARSE or tier.bits >= _MOST_BITS:
                break
        return bounded

    def probability(self, error: Fraction) -> Bounded:
        assert self._goal is not None
        return proved_probability(self._model, self._heads, self._goal, error, width=_WIDTH)

    def quantile(self, p: Fraction) -> Bounded:
        assert self._goal is not None
        return proved_quantile(self._model, self._heads, self._goal, p)


def _moments_of_y(parts: LogisticHeads) -> ImageMoments:
    """Moments of (u_1 … u_h, β), β = Σ_h π_h (1 - u_h) the weight of the key that moves."""
    sides = [1 if level > 0 else -1 for level, _ in parts.lines]  # v = u where u is small, else v = 1 - u
    lines = [(a * side, b * side) for (a, b), side in zip(parts.lines, sides, strict=True)]
    count = range(len(lines))
    fixed = {h: 1 / (1 + lines[h][0].exp()) for h in count if parts.still[h]}
    small = [fixed[h] if h in fixed else logistic_mean([lines[h]]) for h in count]
    u = [v if side > 0 else 1 - v for v, side in zip(small, sides, strict=True)]
    rest = [1 - v if side > 0 else v for v, side in zip(small, sides, strict=True)]
    cov = [[balls.exact(0)] * (len(lines) + 1) for _ in range(len(lines) + 1)]
    for g in count:
        for h in range(g + 1):
            if g not in fixed and h not in fixed:
                both = logistic_mean([lines[g], lines[h]])
                cov[g][h] = cov[h][g] = (both - small[g] * small[h]) * (sides[g] * sides[h])
    last = len(lines)
    for g in count:
        cov[g][last] = cov[last][g] = -balls.total([parts.shares[h] * cov[g][h] for h in count])
    cov[last][last] = -balls.total([parts.shares[g] * cov[g][last] for g in count])
    mean = [*u, balls.total([share * x for share, x in zip(parts.shares, rest, strict=True)])]
    return ImageMoments(mean, cov, [[x] for x in rest])
