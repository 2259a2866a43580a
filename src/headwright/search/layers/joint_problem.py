"""The joint layer problem in reduced coordinates: one matrix Y, a log-sum-exp constraint and exact ratios for every row.

With orthonormal bases B of span{x_r} and C of span{y_j - y_i}, W = Bᵀ Y C, z_r = B x_r and t_j = C y_j, both divided by their
size, the constraints of row r are

    g_r = lse_{j ∉ S_r}((t_j - t_{a_r})·Yᵀz_r) - c_r <= 0,   ∇g_r = z_r v_rᵀ,   v_r = Σ p_rj t_j - t_{a_r},      E vec(Y) = b,

p_r the outsiders' softmax. `joint_least_norm.py` solves it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

_ROUNDING = 1e-8  # a ratio whose logarithm is larger cannot be met without any entries in Y


@final
@dataclass(frozen=True, eq=False)
class RowGoal:
    """One row's goal: exact `ratios` (logarithms) among `support`, and at most e^leak for `outside`, relative to support[0].

    support (m,) and outside (k,) are indices of attended vectors; ratios (m - 1,) belong to support[1:].
    """

    support: np.ndarray
    ratios: np.ndarray
    outside: np.ndarray
    leak: float


class Point(NamedTuple):
    """Y (k, d), slacks s_r, multipliers λ_r and ν; also a move of these."""

    Y: np.ndarray
    slacks: np.ndarray
    multipliers: np.ndarray
    ratios: np.ndarray


class Place(NamedTuple):
    """A point with its outsiders' weights P (m, n), v_r = Σ p_j t_j - t_{a_r} (m, d), and its residuals:

    of stationarity (k, d), of the ratios, and of g + s = 0.
    """

    point: Point
    P: np.ndarray
    v: np.ndarray
    stationary: np.ndarray
    unequal: np.ndarray
    slack: np.ndarray

    def worst(self) -> float:
        parts = (self.stationary, self.unequal, self.slack)
        return max(float(np.abs(part).max(initial=0.0)) for part in parts)

    def distance(self, target: np.ndarray) -> float:
        """How far the conditions, with products λ_r s_r at `target`, are from holding."""
        centred = self.point.multipliers * self.point.slacks - target
        unit = 1.0 + float(self.point.multipliers.max(initial=0.0))  # these two grow with λ, the others do not
        parts = (self.stationary.ravel() / unit, self.unequal, self.slack, centred / unit)
        return math.sqrt(sum(float(part @ part) for part in parts))


class JointProblem:
    """The constraints in reduced coordinates: rows z_r, tokens t_j of size 1, equality rows E with right-hand sides b."""

    def __init__(self, asking: np.ndarray, attended: np.ndarray, goals: Sequence[RowGoal]) -> None:
        self.rows = _basis(asking)
        self.columns = _basis(attended - attended.mean(axis=0))
        z, self.t = asking @ self.rows.T, attended @ self.columns.T
        sizes = [float(np.abs(part).max(initial=0.0)) or 1.0 for part in (z, self.t - self.t.mean(axis=0))]
        z, self.t = z / sizes[0], self.t / sizes[1]  # of size 1, so that no tolerance below depends on the units
        self.size = sizes[0] * sizes[1]
        self.k, self.d = len(self.rows), len(self.columns)
        self.leaking = np.array([len(goal.outside) > 0 for goal in goals])
        kept = [goal for goal in goals if len(goal.outside)]
        self.z = z[self.leaking]
        self.first = self.t[[int(goal.support[0]) for goal in kept]]
        self.c = np.array([goal.leak for goal in kept])
        self.barred = np.full((len(kept), len(attended)), -np.inf)
        for r, goal in enumerate(kept):
            self.barred[r, goal.outside] = 0.0
        self.squares = (self.t[:, :, None] * self.t[:, None, :]).reshape(len(attended), self.d**2)
        self.outer = (self.z[:, :, None] * self.z[:, None, :]).reshape(len(kept), self.k**2).T
        self.counts = [len(goal.ratios) for goal in goals]
        self.b = np.concatenate([goal.ratios for goal in goals])
        asked = np.repeat(np.arange(len(goals)), self.counts)
        firsts = np.array([goal.support[0] for goal in goals], dtype=int)[asked]
        others = np.array([i for goal in goals for i in goal.support[1:]], dtype=int)
        differences = self.t[others] - self.t[firsts]
        self.E = (z[asked, :, None] * differences[:, None, :]).reshape(len(asked), self.k * self.d)

    def place(self, point: Point) -> Place:
        q = self.z @ point.Y
        scores = q @ self.t.T + self.barred
        scores -= (q * self.first).sum(axis=1, keepdims=True)
        top = scores.max(axis=1, keepdims=True, initial=-np.inf)
        e = np.exp(scores - top)
        whole = e.sum(axis=1, keepdims=True)
        P = e / whole
        v = P @ self.t - self.first
        g = (top + np.log(whole))[:, 0] - self.c
        stationary = point.Y + (self.z.T * point.multipliers) @ v
        if len(self.b):
            stationary += (point.ratios @ self.E).reshape(self.k, self.d)
        return Place(point, P, v, stationary, self.E @ point.Y.ravel() - self.b, g + point.slacks)

    def met(self, place: Place) -> bool:
        """Whether the constraints hold as they are, when Y has no entries that could change them."""
        return bool((place.slack <= place.point.slacks).all()) and not np.abs(self.b).max(initial=0.0) > _ROUNDING

    def needs_more_than(self, norm: float, place: Place) -> bool:
        """Whether, by Gibbs' inequality, every solution is longer: Σ λ_r (H(p_r) - c_r) - ν·b > norm ‖Σ λ_r ∇g_r + νE‖."""
        point = place.point
        entropies = place.slack - point.slacks - ((self.z @ point.Y) * place.v).sum(axis=1)  # H(p_r) - c_r
        gain = float(point.multipliers @ entropies) - float(point.ratios @ self.b)
        return gain > norm * float(np.linalg.norm(place.stationary - point.Y))

    def hessian(self, place: Place) -> np.ndarray:
        """I + Σ (z_r z_rᵀ) ⊗ (λ_r Cov_r + (λ_r/s_r) v_r v_rᵀ), as a matrix over the entries of Y."""
        multipliers = place.point.multipliers[:, None, None]
        mean = place.v + self.first
        inner = (place.P @ self.squares).reshape(len(mean), self.d, self.d)
        inner -= mean[:, :, None] * mean[:, None, :]
        inner *= multipliers
        inner += multipliers / place.point.slacks[:, None, None] * place.v[:, :, None] * place.v[:, None, :]
        blocks = (self.outer @ inner.reshape(len(mean), self.d**2)).reshape(self.k, self.k, self.d, self.d)
        size = self.k * self.d
        matrix: np.ndarray = blocks.transpose(0, 2, 1, 3).reshape(size, size)
        matrix.flat[:: size + 1] += 1.0
        return matrix

    def by_goal(self, ratios: np.ndarray) -> list[np.ndarray]:
        return np.split(ratios, np.cumsum(self.counts)[:-1])


def _basis(rows: np.ndarray) -> np.ndarray:
    """An orthonormal basis (rank, d) of the rows' span."""
    _, values, right = np.linalg.svd(rows, full_matrices=False)
    rank = int((values > 64 * max(rows.shape) * 2.0**-52 * values.max(initial=0.0)).sum())
    return np.asarray(right[:rank])
