"""The law of the scores in float64, for sampling (`sampled`) and for search (`query_law`) alike.

In head h the moving key j has the score m_hj + Σ_r ℓ_rhj z_rj at a node z: a Gaussian draw, a point of a grid, a factor less 1.
Keys whose scores do not move enter through their log-sum per head alone (`linear_image`), so a node costs (moving keys × heads)
numbers, never n·d.

Only the loadings ℓ are made in two ways. Over the heads a Gaussian key j has the covariance

    C_j = τ²(a_j QᵀQ + v_j (Qᵀμ̂_j)(Qᵀμ̂_j)ᵀ + (QᵀU_j)(QᵀU_j)ᵀ + Qᵀcov_jQ).

Sampling takes its scaled eigenvectors (`gaussian_law`), which need the fewest numbers a node and say which of them matter most.
Eigenvectors turn abruptly where eigenvalues meet. A search needs slopes in the queries, so it takes known directions and Cholesky
factors instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from headwright.kernel.frozen import computed_once
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.words.key_models import GaussianKeys
from headwright.words.scaled_keys import ScaledKeys

_FELT = 1e-13  # an eigenvalue this small against its key's largest is rounding
_ASIDE = 1e-12  # added to squared slopes, so that entries which move no weight to first order are ordered by their size


@final
@dataclass(frozen=True, eq=False)
class Weights:
    """At c nodes: u (c, h) of the keys that stay together, w (h, c, M) of the moving keys by head, beta (c, M) mixed."""

    u: np.ndarray
    w: np.ndarray
    beta: np.ndarray


@final
class ScoreLaw:
    """Heads with mixing shares (h,), mean scores (h, n) of all keys, and loadings (R, h, M) of the `moving` ones (M,)."""

    def __init__(self, shares: np.ndarray, scores: np.ndarray, moving: np.ndarray, loadings: np.ndarray) -> None:
        self.shares, self.moving, self.loadings = shares, moving, loadings
        self.still = np.delete(np.arange(scores.shape[1]), moving)
        self.means = np.ascontiguousarray(scores[:, moving])
        rest = scores[:, self.still]
        top = rest.max(axis=1, initial=-np.inf)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.sums = top + np.log(np.exp(rest - top[:, None]).sum(axis=1)) if len(self.still) else top
            self.ratios = np.exp(rest - self.sums[:, None])  # (h, n - M)

    @property
    def shape(self) -> tuple[int, int]:
        """(R, M): the numbers of one node, some of them unused where keys have a smaller rank."""
        return self.loadings.shape[0], self.loadings.shape[2]

    @computed_once
    def order(self) -> np.ndarray:
        """The used entries of a node, flat, the ones that move the weights most first.

        To first order a score moves its weight by α(1 - α): the variance of an entry is weighed with that.
        """
        still = self.weights(np.zeros((1, *self.shape)))
        slopes = (still.w * (1 - still.w))[:, 0, :] * self.shares[:, None]
        moved = (self.loadings**2 * (slopes**2 + _ASIDE)).sum(axis=1).ravel()
        order = np.argsort(-moved, kind="stable")
        used: np.ndarray = order[moved[order] > 0]
        return used

    def weights(self, nodes: np.ndarray) -> Weights:
        """At nodes (c, R, M)."""
        count = len(nodes)
        heads = len(self.shares)
        u, w = np.empty((count, heads)), np.empty((heads, count, self.shape[1]))
        beta, ones = np.zeros((count, self.shape[1])), np.ones(self.shape[1])
        for h in range(heads):
            score = w[h]
            score[:] = self.means[h]
            for r in range(self.shape[0]):
                score += nodes[:, r] * self.loadings[r, h]
            top = np.maximum(score.max(axis=1, initial=-np.inf), self.sums[h])
            score -= top[:, None]
            np.exp(score, out=score)
            others = np.exp(self.sums[h] - top)
            whole = score @ ones + others  # quicker than a sum over short rows
            score /= whole[:, None]
            u[:, h] = others / whole
            beta += self.shares[h] * score
        return Weights(u, w, beta)

    def error_from(self, goal: Goal) -> GoalError:
        return GoalError(self, GoalPlaces(goal, self.moving, self.still))


@final
class GoalPlaces:
    """Where the keys of a goal stand among those that move and those that stay, in this order, and what they should have."""

    def __init__(self, goal: Goal, moving: np.ndarray, still: np.ndarray) -> None:
        members, wanted = np.array(goal.indices), np.array([float(share) for share in goal.shares])
        moves = np.isin(members, moving)
        self.wanted = np.concatenate([wanted[moves], wanted[~moves]])
        self.moving = np.searchsorted(moving, members[moves])
        self.still = np.searchsorted(still, members[~moves])
        self.strays = np.ones(len(moving))
        self.strays[self.moving] = 0.0
        self.outsiders = np.delete(np.arange(len(still)), self.still)


@final
class GoalError:
    """Total variation of the weights of a law from a goal."""

    def __init__(self, law: ScoreLaw, places: GoalPlaces) -> None:
        self._places = places
        by_head = law.shares[:, None] * law.ratios
        self._inside = by_head[:, places.still]  # (h, goal keys that stay)
        self._outside = by_head.take(places.outsiders, axis=1).sum(axis=1)

    def leak(self, weights: Weights) -> np.ndarray:
        """The weight of all keys outside the goal (c,)."""
        return np.asarray(weights.beta @ self._places.strays + weights.u @ self._outside)

    def own(self, weights: Weights) -> np.ndarray:
        """The weights of the goal's keys (c, t), in the order of the places."""
        return np.concatenate([weights.beta[:, self._places.moving], weights.u @ self._inside], axis=1)

    def of(self, weights: Weights) -> np.ndarray:
        leak = self.leak(weights)
        if len(self._places.wanted) == 1:  # [α - 1]₊ = 0
            return leak
        return np.asarray(leak + np.maximum(self.own(weights) - self._places.wanted, 0).sum(axis=1))


def gaussian_law(model: GaussianKeys, heads: Heads) -> ScoreLaw:
    """With as few Gaussian numbers a node as the covariances have eigenvalues that are felt."""
    shares, scores = _mean_scores(heads)
    with np.errstate(all="ignore"):
        covariances = _covariances(model, float(heads.scale) * heads.queries)
    if not (np.isfinite(scores).all() and np.isfinite(covariances).all()):
        raise ValueError("`design` gives scores beyond the range of float64: they cannot be sampled")
    sizes = np.sqrt(np.maximum(covariances.diagonal(axis1=1, axis2=2), 0))  # (n, h)
    safe = np.where(sizes > 0, sizes, 1.0)
    # of correlations: a head that moves little keeps its noise beside one that moves much
    values, vectors = np.linalg.eigh(covariances / (safe[:, :, None] * safe[:, None, :]))
    vectors = vectors * sizes[:, :, None]
    felt = (values > _FELT * values[:, -1:]) & (sizes.max(axis=1, keepdims=True) > 0)
    moving = np.flatnonzero(felt.any(axis=1))
    rank = int(felt.sum(axis=1).max(initial=0))
    size = np.sqrt(np.where(felt, values, 0.0))[moving, None, -rank or None :]
    loadings = size * vectors[moving][:, :, -rank or None :]  # (M, h, R)
    return ScoreLaw(shares, scores, moving, np.ascontiguousarray(loadings.transpose(2, 1, 0)))


def scaled_law(model: ScaledKeys, heads: Heads) -> ScoreLaw:
    """With one number a key: its factor less 1."""
    shares, scores = _mean_scores(heads)
    moving = np.array(list(model.laws), dtype=np.intp)
    return ScoreLaw(shares, scores, moving, scores[None, :, moving])


def _mean_scores(heads: Heads) -> tuple[np.ndarray, np.ndarray]:
    """The mixing shares (h,), and the scores of the keys as given (h, n)."""
    with np.errstate(all="ignore"):
        return np.array([float(share) for share in heads.shares]), float(heads.scale) * (heads.queries @ heads.keys.T)


def _covariances(model: GaussianKeys, queries: np.ndarray) -> np.ndarray:
    """C_j for all keys, (n, h, h); `queries` have the scale in them."""
    covariances = np.zeros((model.n, len(queries), len(queries)))
    spread = model.isotropic > 0
    if spread.any():  # else the product might overflow for nothing
        covariances[spread] = model.isotropic[spread, None, None] * (queries @ queries.T)
    for j in np.flatnonzero(model.along).tolist():
        felt = queries @ model.unit_mean(j)
        covariances[j] += model.along[j] * np.outer(felt, felt)
    for j, factor in model.directions().items():
        felt = queries @ factor
        covariances[j] += felt @ felt.T
    return np.asarray(covariances)
