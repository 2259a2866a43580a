"""Weights as a linear image of few numbers, so that their moments follow from few moments.

Let the keys that stay have in head h the exponentials e_hj with sum R_h, and let Z_h be the sum over all keys. With
r_hj = e_hj/R_h and u_h = R_h/Z_h the mixed weights are

    α_j = Σ_h π_h r_hj u_h   (keys that stay),      α_k = β_k   (keys that move),

linear in y = (u_1 … u_h, β_1 … β_M). Means and covariances of y give those of all n weights and of every output Σ α_j v_j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from headwright.kernel import balls
from headwright.search.random_keys.law import Moments, numbers_of, root

Balls = list[balls.Ball]
NEGLIGIBLE = 1e-200  # a weight, or a moment of one, below which no relative accuracy is asked for


@final
@dataclass(frozen=True)
class ImageMoments:
    """Moments of y = (u, β): mean (h+M), cov (h+M, h+M); head_means[h][k], the mean weight of moving key k in head h."""

    mean: Balls
    cov: list[Balls]
    head_means: list[Balls]


@final
class LinearImage:
    """The map from y to all weights: shares π_h, r_hj for the keys that stay, and which keys move."""

    def __init__(self, shares: Balls, ratios: list[Balls], moving: Sequence[int]) -> None:
        """ratios[h][j] = r_hj for all n keys; those of moving keys are not looked at."""
        self._shares, self._ratios, self._moving = shares, ratios, tuple(moving)
        self._n = len(ratios[0])
        place = {k: place for place, k in enumerate(self._moving)}
        self._loadings: list[dict[int, balls.Ball]] = []  # of each key on the entries of y
        for j in range(self._n):
            if j in place:
                self._loadings.append({len(shares) + place[j]: balls.exact(1)})
            else:
                self._loadings.append({h: share * ratios[h][j] for h, share in enumerate(shares)})

    def moments(self, y: ImageMoments, values: np.ndarray | None) -> Moments:
        mean = [balls.total([a * y.mean[i] for i, a in row.items()]) for row in self._loadings]
        variances = [
            balls.total([a * b * y.cov[i][k] for i, a in row.items() for k, b in row.items()]) for row in self._loadings
        ]
        by_head = [self._head_mean(h, j, y) for h in range(len(self._shares)) for j in range(self._n)]
        output_mean, output_cov = self._output(y, values) if values is not None else (None, None)
        return Moments(
            numbers_of(mean, (self._n,)),
            numbers_of([root(v) for v in variances], (self._n,)),
            numbers_of(by_head, (len(self._shares), self._n)),
            None if output_mean is None else numbers_of(output_mean, (len(output_mean),)),
            None if output_cov is None else numbers_of([x for row in output_cov for x in row], (len(output_cov),) * 2),
        )

    def _head_mean(self, h: int, j: int, y: ImageMoments) -> balls.Ball:
        if j in self._moving:
            return y.head_means[h][self._moving.index(j)]
        return self._ratios[h][j] * y.mean[h]

    def _output(self, y: ImageMoments, values: np.ndarray) -> tuple[Balls, list[Balls]]:
        """Loadings B of each output coordinate on y; then B E[y] and B Cov(y) Bᵀ."""
        size, loadings = len(y.mean), []
        for column in values.T.tolist():
            row = [balls.exact(0)] * size
            for value, own in zip(column, self._loadings, strict=True):
                if value:
                    for i, a in own.items():
                        row[i] = row[i] + a * balls.exact(value)
            loadings.append(row)
        mean = [_dot(row, y.mean) for row in loadings]
        spread = [[_dot(row, y.cov[i]) for i in range(size)] for row in loadings]
        return mean, [[_dot(left, right) for right in loadings] for left in spread]


def _dot(left: Balls, right: Balls) -> balls.Ball:
    return balls.total([a * b for a, b in zip(left, right, strict=True)])


def fine_enough(moments: Moments) -> bool:
    """Whether every number is known to its last digit (2^-51 of it: two units), or is negligible."""
    parts = [moments.mean, moments.sd, moments.output_mean, moments.output_cov]
    return all(
        bool(((part.half <= np.abs(part.value) * 2.0**-51) | (np.abs(part.value) + part.half < NEGLIGIBLE)).all())
        for part in parts
        if part is not None
    )
