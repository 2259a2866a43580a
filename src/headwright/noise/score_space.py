"""Weights from Gaussian numbers in score space: a sample costs (moving keys × heads) numbers, never n·d.

Key j has the scores τ Qᵀk_j ~ N(τ Qᵀμ_j, C_j), C_j = τ²(a_j QᵀQ + v_j (Qᵀμ̂_j)(Qᵀμ̂_j)ᵀ + (QᵀU_j)(QᵀU_j)ᵀ), so m + Σ_r ℓ_r z_r with
the scaled eigenvectors ℓ_r of C_j. Keys whose scores do not move enter through their log-sum per head alone (`linear_image`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from headwright.goals import Goal
from headwright.key_models import GaussianKeys
from headwright.proofs import Heads

_FELT = 1e-13  # an eigenvalue this small against its key's largest is rounding
_ASIDE = 1e-12  # added to squared slopes, so that entries which move no weight to first order are ordered by their size


@final
@dataclass(frozen=True, eq=False)
class Weights:
    """One chunk of c samples: u (c, h), w (h, c, M) weights of the moving keys by head, beta (c, M) mixed."""

    u: np.ndarray
    w: np.ndarray
    beta: np.ndarray


@final
class ScoreSpace:
    """All that a sample needs: means (h, M) and loadings (R, h, M) of moving keys, log-sums (h,) of the others."""

    def __init__(self, model: GaussianKeys, heads: Heads) -> None:
        scale = float(heads.scale)
        self.shares = np.array([float(share) for share in heads.shares])
        with np.errstate(all="ignore"):
            scores = scale * (heads.queries @ heads.keys.T)  # (h, n)
            covariances = _covariances(model, scale * heads.queries)
        if not (np.isfinite(scores).all() and np.isfinite(covariances).all()):
            raise ValueError("`design` gives scores beyond the range of float64: they cannot be sampled")
        sizes = np.sqrt(np.maximum(covariances.diagonal(axis1=1, axis2=2), 0))  # (n, h)
        safe = np.where(sizes > 0, sizes, 1.0)
        # of correlations: a head that moves little keeps its noise beside one that moves much
        values, vectors = np.linalg.eigh(covariances / (safe[:, :, None] * safe[:, None, :]))
        vectors = vectors * sizes[:, :, None]
        felt = (values > _FELT * values[:, -1:]) & (sizes.max(axis=1, keepdims=True) > 0)
        self.moving = np.flatnonzero(felt.any(axis=1))
        self.still = np.flatnonzero(~felt.any(axis=1))
        rank = int(felt.sum(axis=1).max(initial=0))
        size = np.sqrt(np.where(felt, values, 0.0))[self.moving, None, -rank or None :]
        loadings = size * vectors[self.moving][:, :, -rank or None :]  # (M, h, R)
        self.loadings = np.ascontiguousarray(loadings.transpose(2, 1, 0))
        self.means = np.ascontiguousarray(scores[:, self.moving])
        rest = scores[:, self.still]
        top = rest.max(axis=1, initial=-np.inf)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.sums = top + np.log(np.exp(rest - top[:, None]).sum(axis=1)) if len(self.still) else top
            self.ratios = np.exp(rest - self.sums[:, None])  # (h, n - M)
        self.order = self._order()

    @property
    def shape(self) -> tuple[int, int]:
        """(R, M): the Gaussian numbers of one sample, some of them unused where keys have a smaller rank."""
        return self.loadings.shape[0], self.loadings.shape[2]

    def _order(self) -> np.ndarray:
        """The used entries of a sample, flat, the ones that move the weights most first.

        To first order a score moves its weight by α(1 - α): the variance of an entry is weighed with that.
        """
        still = self.weights(np.zeros((1, *self.shape)))
        slopes = (still.w * (1 - still.w))[:, 0, :] * self.shares[:, None]
        moved = (self.loadings**2 * (slopes**2 + _ASIDE)).sum(axis=1).ravel()
        order = np.argsort(-moved, kind="stable")
        used: np.ndarray = order[moved[order] > 0]
        return used

    def weights(self, normals: np.ndarray) -> Weights:
        """From Gaussian numbers (c, R, M)."""
        count = len(normals)
        heads = len(self.shares)
        u, w = np.empty((count, heads)), np.empty((heads, count, self.shape[1]))
        beta, ones = np.zeros((count, self.shape[1])), np.ones(self.shape[1])
        for h in range(heads):
            score = w[h]
            score[:] = self.means[h]
            for r in range(self.shape[0]):
                score += normals[:, r] * self.loadings[r, h]
            top = np.maximum(score.max(axis=1, initial=-np.inf), self.sums[h])
            score -= top[:, None]
            np.exp(score, out=score)
            others = np.exp(self.sums[h] - top)
            whole = score @ ones + others  # quicker than a sum over short rows
            score /= whole[:, None]
            u[:, h] = others / whole
            beta += self.shares[h] * score
        return Weights(u, w, beta)


@final
class GoalError:
    """Total variation from a goal, for chunks of weights."""

    def __init__(self, space: ScoreSpace, goal: Goal) -> None:
        members, wanted = np.array(goal.indices), np.array([float(share) for share in goal.shares])
        moves = np.isin(members, space.moving)
        self._places = np.searchsorted(space.moving, members[moves])
        self._wanted = np.concatenate([wanted[moves], wanted[~moves]])
        by_head = space.shares[:, None] * space.ratios
        stays = np.searchsorted(space.still, members[~moves])
        self._inside = by_head[:, stays]  # (h, goal keys that stay)
        self._outside = np.delete(by_head, stays, axis=1).sum(axis=1)
        self._strays = np.ones(len(space.moving))
        self._strays[self._places] = 0.0

    def of(self, weights: Weights) -> np.ndarray:
        leak = weights.beta @ self._strays + weights.u @ self._outside
        if len(self._wanted) == 1:  # [α - 1]₊ = 0
            return np.asarray(leak)
        own = np.concatenate([weights.beta[:, self._places], weights.u @ self._inside], axis=1)
        return np.asarray(leak + np.maximum(own - self._wanted, 0).sum(axis=1))


def _covariances(model: GaussianKeys, queries: np.ndarray) -> np.ndarray:
    """C_j for all keys, (n, h, h); `queries` have the scale in them."""
    covariances = np.zeros((model.n, len(queries), len(queries)))
    spread = model.isotropic > 0
    if spread.any():  # else the product might overflow for nothing
        covariances[spread] = model.isotropic[spread, None, None] * (queries @ queries.T)
    for j in np.flatnonzero(model.along).tolist():
        felt = queries @ model.unit_mean(j)
        covariances[j] += model.along[j] * np.outer(felt, felt)
    for j, factor in model.factors.items():
        felt = queries @ factor
        covariances[j] += felt @ felt.T
    return np.asarray(covariances)
