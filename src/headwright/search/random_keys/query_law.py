"""The law of the scores as a function of the queries, at fixed nodes, with its gradient. Search only.

Heads y_h (rows of Y) see key j at node m with the score

    s[m, j, h] = k_j·y_h + Σ_k z[m, j, k] (f_jk·y_h) + Σ_g c[m, j, g] L_j[h, g],      L_j L_jᵀ = C_j(Y).

The first sum is noise of known directions f: linear in the queries, whatever the heads, so its nodes stay where they are. The
second is all other noise, known by its covariance over the heads, C_j = a_j YYᵀ + Σ_k ± (Y e_jk)(Y e_jk)ᵀ; in a `box` only its
deviations count, L_j[h, 0] = √C_j[h, h]. Both give the loadings of the one law of scores (`score_law`), which makes weights
and errors of them; what is added here are slopes. `landscape` is apart: it has one node, no noise, and many queries at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from headwright.kernel.frozen import computed_once
from headwright.kernel.goals import Goal
from headwright.search.random_keys.score_law import GoalError, GoalPlaces, ScoreLaw

_TINY = 1e-300  # 0/0 at a kink has the slope 0
_FLOOR = 1e-18  # a variance below which a deviation counts as zero
_RIDGE = 1e-12  # of the mean variance: where heads agree the covariance is singular, and has a Cholesky factor with it

Slope = Callable[[np.ndarray], np.ndarray]


@final
@dataclass(frozen=True, eq=False)
class QueryLaw:
    """Keys (n, r); `moving` (v,) of them with directions (v, k, r), or with spread a (v,), columns (v, l, r) and signs (v, l).

    Nodes: z (m, v, k), c (m, v, g), and `chances` (groups,): m = groups · patterns, a group counts when all its patterns do.
    """

    keys: np.ndarray
    goal: Goal
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

    @property
    def shares(self) -> np.ndarray:
        """What the targets (t,) should have, in the order in which `weights` has them."""
        return self._targets.wanted

    def probability(self, Y: np.ndarray, mix: np.ndarray, error: float) -> float:
        """The chance of the nodes where the total variation is at most the error."""
        return float(self.chances @ self._met(Y, mix, error))

    def smooth_probability(self, Y: np.ndarray, mix: np.ndarray, error: float, blur: float) -> tuple[float, np.ndarray]:
        """Σ p σ((error - TV)/blur), which is the probability as blur falls to 0, and its gradient (h, r).

        The kinks of [x]₊ are rounded to (x + √(x² + b²))/2 with a tenth of the blur for b: too little to be seen beside it.
        """
        weights, back = self.weights(Y, mix)
        excess = weights[:, :-1] - self.shares
        root = np.sqrt(excess**2 + (0.1 * blur) ** 2)
        x = (error - weights[:, -1] - 0.5 * (excess + root).sum(axis=1)) / blur
        log_met = -np.logaddexp(0.0, -x)
        chance = self.chances * np.exp(log_met.reshape(-1, self.patterns).sum(axis=1))
        steep = np.ones_like(weights)
        steep[:, :-1] = 0.5 * (1 + excess / np.maximum(root, _TINY))
        falls = -np.repeat(chance, self.patterns) * np.exp(-np.logaddexp(0.0, x)) / blur
        return float(chance.sum()), back(falls[:, None] * steep)

    def mean_weights(self, Y: np.ndarray, mix: np.ndarray) -> np.ndarray:
        """The expected weights (n,), for laws with one pattern."""
        law = self._law(Y, mix)[0]
        at = law.weights(self._nodes)
        means = np.empty(len(self.keys))
        means[law.moving] = self.chances @ at.beta
        means[law.still] = (self.chances @ at.u * mix) @ law.ratios
        return means

    def edges(self, Y: np.ndarray, mix: np.ndarray, error: float) -> np.ndarray:
        """Where along the grid of one Gaussian the error begins or ceases to be met, at most eight places."""
        if self.places is None:
            return np.zeros(0)
        changes = np.flatnonzero(np.diff(self._met(Y, mix, error)))[:8]
        return np.asarray(0.5 * (self.places[changes] + self.places[changes + 1]))

    def _met(self, Y: np.ndarray, mix: np.ndarray, error: float) -> np.ndarray:
        """Which groups (groups,) meet the error."""
        return np.asarray((self.variation(Y, mix).reshape(-1, self.patterns) <= error).all(axis=1))

    def variation(self, Y: np.ndarray, mix: np.ndarray) -> np.ndarray:
        """TV (m,) at every node."""
        law = self._law(Y, mix)[0]
        return GoalError(law, self._targets).of(law.weights(self._nodes))

    def weights(self, Y: np.ndarray, mix: np.ndarray) -> tuple[np.ndarray, Slope]:
        """The weights (m, t + 1) of the targets and of all other keys together; the map back from gradients (..., m, t + 1).

        With g the gradient in the weight of a key's class, that in its score is π_h α (g - ḡ), ḡ the mean of g under α.
        """
        law, noise_slope = self._law(Y, mix)
        at, error = law.weights(self._nodes), GoalError(law, self._targets)
        of_moving, of_still = self._classes
        still = law.ratios @ np.eye(len(self.shares) + 1)[of_still]  # (h, t + 1): the parts of u by class
        u = at.u.T  # (h, m)

        def slope(given: np.ndarray) -> np.ndarray:
            moved = given[..., None, :, of_moving]  # (..., 1, m, v)
            mean = (at.w * moved).sum(axis=-1) + u * (still @ np.swapaxes(given, -1, -2))  # (..., h, m)
            by_moved = mix[:, None, None] * at.w * (moved - mean[..., None])  # (..., h, m, v)
            by_class = mix[:, None] * (u @ given - (u * mean).sum(axis=-1, keepdims=True))  # (..., h, t + 1)
            by_score = np.empty((*by_class.shape[:-1], len(self.keys)))
            by_score[..., law.moving] = by_moved.sum(axis=-2)
            by_score[..., law.still] = law.ratios * by_class[..., of_still]
            by_loading = np.moveaxis(by_moved, -1, -3) @ self._nodes.transpose(2, 0, 1)  # (..., v, h, k + g)
            return np.asarray(by_score @ self.keys + noise_slope(by_loading))

        return np.column_stack([error.own(at), error.leak(at)]), slope

    def at(self, nodes: np.ndarray) -> QueryLaw:
        """The law at some of its nodes only, each a group of its own."""
        chances = np.full(len(nodes), 1 / max(len(nodes), 1))
        return replace(self, z=self.z[nodes], c=self.c[nodes], chances=chances, patterns=1, places=None)

    @computed_once
    def _nodes(self) -> np.ndarray:
        """All nodes (m, k + g, v)."""
        return np.ascontiguousarray(np.concatenate([self.z, self.c], axis=2).transpose(0, 2, 1))

    @computed_once
    def _targets(self) -> GoalPlaces:
        return GoalPlaces(self.goal, self.moving, np.delete(np.arange(len(self.keys)), self.moving))

    @computed_once
    def _classes(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the moving keys and of those that stay: which target each is, t for the others."""
        targets, count = self._targets, len(self.goal.indices)
        of_moving = np.full(len(self.moving), count)
        of_still = np.full(len(self.keys) - len(self.moving), count)
        of_moving[targets.moving] = np.arange(len(targets.moving))
        of_still[targets.still] = np.arange(len(targets.moving), count)
        return of_moving, of_still

    def _law(self, Y: np.ndarray, mix: np.ndarray) -> tuple[ScoreLaw, Slope]:
        """The law of the scores under Y, and the map from a gradient in its loadings (..., v, h, k + g) to that in Y."""
        linear = self.directions.shape[1]
        roots = [(self.directions @ Y.T).transpose(0, 2, 1)]  # (v, h, k)
        felt = self.columns @ Y.T  # (v, l, h)
        signed = self.signs[:, :, None] * felt
        if self.c.shape[2]:
            covariance = self.spread[:, None, None] * (Y @ Y.T) + signed.transpose(0, 2, 1) @ felt
            roots.append(_deviations(covariance) if self.box else _cholesky(covariance))  # (v, h, g)
        loadings = np.concatenate(roots, axis=2).transpose(2, 1, 0)

        def slope(given: np.ndarray) -> np.ndarray:
            total = (given[..., :linear] @ self.directions).sum(axis=-3)
            if self.c.shape[2]:
                turn = _deviations_slope if self.box else _cholesky_slope
                pull = turn(roots[1], given[..., linear:])  # (..., v, h, h)
                steady = np.tensordot(pull, self.spread, ((-3,), (0,))) @ Y
                total = total + 2 * (steady + (pull @ signed.transpose(0, 2, 1) @ self.columns).sum(axis=-3))
            return np.asarray(total)

        return ScoreLaw(mix, Y @ self.keys.T, self.moving, loadings), slope


def _deviations(covariance: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(np.einsum("vhh->vh", covariance).clip(0) + _FLOOR)[:, :, None])


def _deviations_slope(root: np.ndarray, by_root: np.ndarray) -> np.ndarray:
    return np.asarray((0.5 * by_root / root) * np.eye(root.shape[-2]))


def _cholesky(covariance: np.ndarray) -> np.ndarray:
    h = covariance.shape[1]
    ridge = _RIDGE * np.einsum("vhh->v", covariance).clip(0) / h + _FLOOR
    return np.linalg.cholesky(covariance + ridge[:, None, None] * np.eye(h))


def _cholesky_slope(root: np.ndarray, by_root: np.ndarray) -> np.ndarray:
    """The gradient in C = LLᵀ from that in L: L⁻ᵀ Φ(Lᵀ L̄) L⁻¹ made symmetric, Φ the lower triangle with half the diagonal."""
    inner = np.tril(np.swapaxes(root, -1, -2) @ by_root)
    inner *= 1 - 0.5 * np.eye(root.shape[-1])
    inverse = np.linalg.inv(root)
    outer = np.swapaxes(inverse, -1, -2) @ inner @ inverse
    return np.asarray(0.5 * (outer + np.swapaxes(outer, -1, -2)))
