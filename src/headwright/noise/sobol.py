"""Gaussian numbers from scrambled Sobol points: the entries of a sample that matter most, the others independent.

2^m points of a scrambled net are right to m binary digits in every coordinate. SciPy's scrambling, linear in the digits, leaves
the later ones dependent across points; smooth averages then have rare large errors, which few replicates do not show. Here the
later digits are drawn independently, as in Owen's nested scrambling: still unbiased, still a net, and averages nearly Gaussian.
"""

from __future__ import annotations

import math
from typing import final

import numpy as np

from headwright.noise.score_space import ScoreSpace

MOST_DIMENSIONS = 64
_FEWEST_BITS = 30  # SciPy's own choice; with fewer than its direction numbers have, the points are silently wrong


@final
class SobolNormals:
    """2^digits samples (R, M) for a space, one scrambled net; the same for the same seed."""

    def __init__(self, space: ScoreSpace, seed: list[int], *, digits: int) -> None:
        from scipy.stats import qmc

        self._shape, self._lead = space.shape, space.order[:MOST_DIMENSIONS]
        self._all_lead = len(space.order) <= MOST_DIMENSIONS
        scrambling, plain = np.random.SeedSequence(seed).spawn(2)
        self._plain = np.random.Generator(np.random.SFC64(plain))  # of NumPy's generators the quickest
        self._held = np.zeros((0, math.prod(self._shape)))
        self._cells = 2**digits
        generator = np.random.default_rng(scrambling)
        self._sobol = qmc.Sobol(len(self._lead), scramble=True, bits=max(digits, _FEWEST_BITS), seed=generator)

    def draw(self, rows: int) -> np.ndarray:
        """The next `rows` samples, (rows, R, M); the array is used again for the next."""
        from scipy.special import ndtri

        if len(self._held) != rows:
            self._held = np.zeros((rows, math.prod(self._shape)))
        if not self._all_lead:
            self._plain.standard_normal(out=self._held)
        points = np.floor(self._sobol.random(rows) * self._cells)
        points += self._plain.random(points.shape)
        points /= self._cells
        np.clip(points, 2.0**-60, 1 - 2.0**-53, out=points)  # 0 and 1 have no Gaussian number
        self._held[:, self._lead] = ndtri(points)
        return self._held.reshape(rows, *self._shape)
