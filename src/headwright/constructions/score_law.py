"""The law of the scores at fixed nodes, and the total variation at every node with its gradient in the queries. Search only.

Heads y_h (rows of Y) see key j at node m with the score

    s[m, j, h] = k_j·y_h + Σ_k z[m, j, k] (f_jk·y_h) + Σ_g c[m, j, g] L_j[h, g],      L_j L_jᵀ = C_j(Y).

The first sum is noise of known directions f: linear in the queries, whatever the heads, so its nodes stay where they are. The
second is all other noise, known by its covariance over the heads, C_j = a_j YYᵀ + Σ_k ± (Y e_jk)(Y e_jk)ᵀ; in a `box` only its
deviations count, L_j[h, 0] = √C_j[h, h]. Keys that do not vary enter once, not once a node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from headwright.frozen import computed_once

_TINY = 1e-300  # 0/0 at a kink has the slope 0
_FLOOR = 1e-18  # a variance below which a deviation is not told from zero

Slope = Callable[[np.ndarray], np.ndarray]


@final
@dataclass(frozen=True, eq=False)
class ScoreLaw:
    """Keys (n, r); `moving` (v,) of them with directions (v, k, r), or with spread a (v,), columns (v, l, r) and signs (v, l).

    Nodes: z (m, v, k), c (m, v, g), and `chances` (groups,): m = groups · patterns, a group counts when all its patterns do.
    """

    keys: np.ndarray
    targets: np.ndarray
    shares: np.ndarray
    moving: np.ndarray
    directions: np.ndarray
    spread: np.ndarray
    columns: np.ndarray
    signs: np.ndarray
    z: np.ndarray
    c: np.ndarray
    chances: np.ndarray
    patterns: int = 1
    box: bool = False
    places: np.ndarray | None = None  # (groups,): where on the Gaussian that is integrated the groups lie

    def probability(self, Y: np.ndarray, mix: np.ndarray, error: float) -> float:
        """The chance of the nodes where the total variation is at most the error."""
        met = self.variation(Y, mix)[0].reshape(-1, self.patterns) <= error
        return float(self.chances @ met.all(axis=1))

    def smooth_probability(self, Y: np.ndarray, mix: np.ndarray, error: float, blur: float) -> tuple[float, np.ndarray]:
        """Σ p σ((error - TV)/blur), which is the probability as blur falls to 0, and its gradient (h, r)."""
        variation, slope = self.variation(Y, mix, blur=0.1 * blur)
        x = (error - variation) / blur
        log_met = -np.logaddexp(0.0, -x)
        weight = self.chances * np.exp(log_met.reshape(-1, self.patterns).sum(axis=1))
        falls = -np.repeat(weight, self.patterns) * np.exp(-np.logaddexp(0.0, x)) / blur
        return float(weight.sum()), slope(falls)

    def mean_weights(self, Y: np.ndarray, mix: np.ndarray) -> np.ndarray:
        """The expected weights (n,), for laws with one pattern."""
        _, _, base_shares, outside_shares, weights = self._lumps(Y)
        mean = np.tensordot(self.chances, weights, 1)  # (t + 1, h)
        outside = np.tensordot(self.chances, weights[:, -1:] * outside_shares, 1)  # (1 + moving outsiders, h)
        means = np.empty((len(self.keys), len(Y)))
        means[self.targets] = mean[:-1]
        means[self.moving[~self._inside]] = outside[1:]
        means[self._still_outsiders] = base_shares * outside[0]
        return np.asarray(means @ mix)

    def edges(self, Y: np.ndarray, mix: np.ndarray, error: float) -> np.ndarray:
        """Where along the grid of one Gaussian the error begins or ceases to be met, at most eight places."""
        if self.places is None:
            return np.zeros(0)
        met = (self.variation(Y, mix)[0].reshape(-1, self.patterns) <= error).all(axis=1)
        changes = np.flatnonzero(np.diff(met))[:8]
        return np.asarray(0.5 * (self.places[changes] + self.places[changes + 1]))

    def variation(self, Y: np.ndarray, mix: np.ndarray, *, blur: float = 0.0) -> tuple[np.ndarray, Slope]:
        """TV (m,) at every node, and the map from a gradient in TV to the gradient in Y.

        `blur` rounds the kinks of [x]₊ to (x + √(x² + blur²))/2.
        """
        weights, back = self.weights(Y, mix)
        excess = weights[:, :-1] - self.shares
        root = np.sqrt(excess**2 + blur**2)
        variation = weights[:, -1] + 0.5 * (excess + root).sum(axis=1)

        def slope(given: np.ndarray) -> np.ndarray:
            steep = np.ones_like(weights)
            steep[:, :-1] = 0.5 * (1 + excess / np.maximum(root, _TINY))
            return back(given[:, None] * steep)

        return variation, slope

    def weights(self, Y: np.ndarray, mix: np.ndarray) -> tuple[np.ndarray, Slope]:
        """The weights (m, t + 1) of the targets and of all other keys together; the map back from gradients (..., m, t + 1)."""
        still, inside = self._still_outsiders, self._inside
        noise_slope, moved, base_shares, outside_shares, weights = self._lumps(Y)

        def slope(given: np.ndarray) -> np.ndarray:
            pull = given[..., None] * mix
            pull = weights * (pull - (weights * pull).sum(axis=-2, keepdims=True))
            outer = pull[..., -1:, :] * outside_shares  # (..., m, 1 + moving outsiders, h)
            by_mean = np.zeros((*given.shape[:-2], len(self.keys), len(Y)))
            by_mean[..., still, :] += base_shares * outer[..., :1, :].sum(axis=-3)
            by_moved = np.empty((*given.shape[:-2], *moved.shape))
            by_moved[..., ~inside, :] = outer[..., 1:, :]
            by_moved[..., inside, :] = pull[..., self._places, :]
            by_mean[..., self.moving, :] += by_moved.sum(axis=-3)
            by_mean[..., self.targets[self._steady], :] += pull[..., self._steady, :].sum(axis=-3)
            return np.asarray(np.swapaxes(by_mean, -1, -2) @ self.keys + noise_slope(by_moved))

        return weights @ mix, slope

    def _lumps(self, Y: np.ndarray) -> tuple[Slope, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """What the weights are made of: the noise's slope; moving scores (m, v, h); shares of the still outsiders in their sum;
        shares of that sum and of each moving outsider in theirs; weights (m, t + 1, h).
        """
        inside = self._inside
        mean = self.keys @ Y.T  # (n, h)
        noise, noise_slope = self._noise(Y)
        moved = mean[self.moving] + noise
        base, base_shares = _log_sum(mean[self._still_outsiders], axis=0)
        outside, outside_shares = _log_sum(
            np.concatenate([np.broadcast_to(base, (len(moved), 1, len(Y))), moved[:, ~inside]], axis=1), axis=1
        )
        scores = np.empty((len(moved), len(self.targets) + 1, len(Y)))
        scores[:, :-1] = mean[self.targets]
        scores[:, self._places] = moved[:, inside]
        scores[:, -1] = outside
        return noise_slope, moved, base_shares, outside_shares, _log_sum(scores, axis=1)[1]

    def at(self, nodes: np.ndarray) -> ScoreLaw:
        """The law at some of its nodes only, each a group of its own."""
        chances = np.full(len(nodes), 1 / max(len(nodes), 1))
        return replace(self, z=self.z[nodes], c=self.c[nodes], chances=chances, patterns=1, places=None)

    @computed_once
    def _inside(self) -> np.ndarray:
        """Which moving keys are targets."""
        return np.isin(self.moving, self.targets)

    @computed_once
    def _places(self) -> np.ndarray:
        """Where those stand among the targets."""
        order = self.targets.tolist()
        return np.array([order.index(j) for j in self.moving[self._inside].tolist()], dtype=np.intp)

    @computed_once
    def _steady(self) -> np.ndarray:
        """The targets that do not move."""
        return np.setdiff1d(np.arange(len(self.targets)), self._places)

    @computed_once
    def _still_outsiders(self) -> np.ndarray:
        still = np.ones(len(self.keys), dtype=bool)
        still[self.targets] = False
        still[self.moving] = False
        return still

    def _noise(self, Y: np.ndarray) -> tuple[np.ndarray, Slope]:
        """The scores' noise (m, v, h), and the map from a gradient in it to the gradient in Y."""
        linear = _applied(self.z, self.directions @ Y.T)
        if not self.c.shape[2]:
            return linear, self._linear_slope
        felt = self.columns @ Y.T  # (v, l, h)
        signed = self.signs[:, :, None] * felt
        covariance = self.spread[:, None, None] * (Y @ Y.T) + signed.transpose(0, 2, 1) @ felt
        root = _deviations(covariance) if self.box else _cholesky(covariance)  # (v, h, g)

        def slope(given: np.ndarray) -> np.ndarray:
            by_root = np.moveaxis(given, -3, -1) @ self.c.transpose(1, 0, 2)  # (..., v, h, g)
            pull = _deviations_slope(root, by_root) if self.box else _cholesky_slope(root, by_root)  # (..., v, h, h)
            steady = np.tensordot(pull, self.spread, ((-3,), (0,))) @ Y
            drawn = (pull @ signed.transpose(0, 2, 1) @ self.columns).sum(axis=-3)
            return np.asarray(self._linear_slope(given) + 2 * (steady + drawn))

        return linear + _applied(self.c, root.transpose(0, 2, 1)), slope

    def _linear_slope(self, given: np.ndarray) -> np.ndarray:
        by_direction = np.moveaxis(given, -3, -1) @ self.z.transpose(1, 0, 2)  # (..., v, h, k)
        return np.asarray((by_direction @ self.directions).sum(axis=-3))


def _applied(nodes: np.ndarray, felt: np.ndarray) -> np.ndarray:
    """Σ_k nodes[m, v, k] felt[v, k, h]."""
    if nodes.shape[2] == 1:
        return np.asarray(nodes * felt[:, 0])
    return np.asarray((nodes.transpose(1, 0, 2) @ felt).transpose(1, 0, 2))


def _log_sum(scores: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """ln Σ exp along an axis, and the shares of the terms; -inf and nothing for no terms."""
    if not scores.shape[axis]:
        return np.full(scores.sum(axis=axis).shape, -1e300), scores  # finite, so that differences are no NaN
    top = scores.max(axis=axis, keepdims=True)
    powers = np.exp(scores - top)
    whole = powers.sum(axis=axis, keepdims=True)
    return (top + np.log(whole)).squeeze(axis), powers / whole


def _deviations(covariance: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(np.einsum("vhh->vh", covariance).clip(0) + _FLOOR)[:, :, None])


def _deviations_slope(root: np.ndarray, by_root: np.ndarray) -> np.ndarray:
    return np.asarray((0.5 * by_root / root) * np.eye(root.shape[-2]))


def _cholesky(covariance: np.ndarray) -> np.ndarray:
    h = covariance.shape[1]
    ridge = 1e-12 * np.einsum("vhh->v", covariance).clip(0) / h + _FLOOR  # heads may agree: then it is singular
    return np.linalg.cholesky(covariance + ridge[:, None, None] * np.eye(h))


def _cholesky_slope(root: np.ndarray, by_root: np.ndarray) -> np.ndarray:
    """The gradient in C = LLᵀ from that in L: L⁻ᵀ Φ(Lᵀ L̄) L⁻¹ made symmetric, Φ the lower triangle with half the diagonal."""
    inner = np.tril(np.swapaxes(root, -1, -2) @ by_root)
    inner *= 1 - 0.5 * np.eye(root.shape[-1])
    inverse = np.linalg.inv(root)
    outer = np.swapaxes(inverse, -1, -2) @ inner @ inverse
    return np.asarray(0.5 * (outer + np.swapaxes(outer, -1, -2)))
