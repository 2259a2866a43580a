"""Running sums of sampled weights by replicate, and the moments they give.

Sums are of deviations from the weights at the mean scores, so that small variances keep their digits. Variances are taken about
the average of all replicates, E_r[(α - m)²], which makes them averages over replicates like the means.
"""

from __future__ import annotations

from typing import final

import numpy as np

from headwright.search.random_keys.intervals import over_replicates
from headwright.search.random_keys.law import Moments, Numbers
from headwright.search.random_keys.score_law import ScoreLaw, Weights


@final
class RunningSums:
    """Sums over the samples of each replicate of y = (u, β), of its products, and of the output's."""

    def __init__(self, law: ScoreLaw, values: np.ndarray | None, replicates: int) -> None:
        self._law = law
        heads, moving = len(law.shares), len(law.moving)
        still = law.weights(np.zeros((1, *law.shape)))
        self._u0, self._beta0, self._w0 = still.u[0], still.beta[0], still.w[:, 0]
        self._count = np.zeros(replicates)
        self._u = np.zeros((replicates, heads))
        self._uu = np.zeros((replicates, heads, heads))
        self._beta = np.zeros((replicates, moving))
        self._squares = np.zeros((replicates, moving))
        self._w = np.zeros((replicates, heads, moving))
        self._values = values
        if values is not None:
            self._from_u = (law.shares[:, None] * law.ratios) @ values[law.still]
            self._from_beta = np.ascontiguousarray(values[law.moving])
            v = values.shape[1]
            self._out, self._outer = np.zeros((replicates, v)), np.zeros((replicates, v, v))

    def add(self, replicate: int, weights: Weights) -> None:
        ones = np.ones(len(weights.u))
        u, beta = weights.u - self._u0, weights.beta - self._beta0
        self._count[replicate] += len(u)
        self._u[replicate] += ones @ u
        self._uu[replicate] += u.T @ u
        self._beta[replicate] += ones @ beta
        self._squares[replicate] += np.einsum("ij,ij->j", beta, beta)
        for h, w in enumerate(weights.w):
            self._w[replicate, h] += ones @ w
        if self._values is not None:
            out = u @ self._from_u + beta @ self._from_beta
            self._out[replicate] += ones @ out
            self._outer[replicate] += out.T @ out

    def moments(self) -> Moments:
        samples, each = int(self._count.sum()), self._count[:, None]
        law, n = self._law, len(self._law.moving) + len(self._law.still)
        u, beta = self._u / each, self._beta / each
        by_head = law.shares[:, None] * law.ratios
        deviations = np.empty((len(u), n))
        deviations[:, law.still], deviations[:, law.moving] = u @ by_head, beta
        mean, half = over_replicates(deviations, samples)
        start = np.empty(n)
        start[law.still], start[law.moving] = self._u0 @ by_head, self._beta0
        variances = np.empty_like(deviations)
        variances[:, law.moving] = _about(beta, self._squares / each, beta.mean(axis=0))
        middle = u.mean(axis=0)
        uu = (
            self._uu / each[:, None]
            - u[:, :, None] * middle
            - middle[:, None] * u[:, None, :]
            + np.outer(middle, middle)
        )
        variances[:, law.still] = np.einsum("hj,rhg,gj->rj", by_head, uu, by_head)
        head_mean = np.empty((len(u), len(law.shares), n))
        head_mean[:, :, law.still] = (u + self._u0)[:, :, None] * law.ratios
        head_mean[:, :, law.moving] = self._w / each[:, None]
        output = (None, None) if self._values is None else self._output(samples)
        return Moments(
            Numbers(start + mean, half),
            _deviation(*over_replicates(variances, samples)),
            Numbers(*over_replicates(head_mean, samples)),
            *output,
        )

    def _output(self, samples: int) -> tuple[Numbers, Numbers]:
        out = self._out / self._count[:, None]
        start = self._u0 @ self._from_u + self._beta0 @ self._from_beta
        middle = out.mean(axis=0)
        cov = self._outer / self._count[:, None, None] - out[:, :, None] * middle - middle[:, None] * out[:, None, :]
        assert self._values is not None
        span = np.ptp(self._values, axis=0)
        mean, half = over_replicates(out, samples, span=span)
        cov = cov + np.outer(middle, middle)
        return Numbers(start + mean, half), Numbers(*over_replicates(cov, samples, span=np.outer(span, span)))


def _about(mean: np.ndarray, squares: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """E_r[(x - middle)²] from E_r[x] and E_r[x²]."""
    return np.asarray(squares - 2 * mean * middle + middle**2)


def _deviation(variance: np.ndarray, half: np.ndarray) -> Numbers:
    """√ of an interval of variances: the larger of the two sides is the half-width."""
    value = np.sqrt(np.maximum(variance, 0))
    upper, lower = np.sqrt(np.maximum(variance + half, 0)), np.sqrt(np.maximum(variance - half, 0))
    return Numbers(value, np.maximum(upper - value, value - lower))
