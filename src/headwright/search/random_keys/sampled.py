"""The outcome estimated from scrambled Sobol points in score space, with independent replicates: never proved.

Each of 16 replicates is a Sobol sequence scrambled by itself, so replicate averages are independent and unbiased; intervals at
95 % are Student's over them. Where counts are too few for that, or all replicates agree, the interval of Clopper and Pearson
on all points takes over, so that no width is zero. Quantiles come from the same intervals by inversion.

2^m points of a scrambled net are right to m binary digits in every coordinate. SciPy's scrambling, linear in the digits, leaves
the later ones dependent across points; smooth averages then have rare large errors, which few replicates do not show. Here the
later digits are drawn independently, as in Owen's nested scrambling: still unbiased, still a net, and averages nearly Gaussian.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.search.random_keys.intervals import over_replicates, probabilities
from headwright.search.random_keys.law import Law, Moments, proved_probability
from headwright.search.random_keys.sampled_moments import RunningSums
from headwright.search.random_keys.score_law import ScoreLaw, gaussian_law
from headwright.words.bounded import Bounded
from headwright.words.key_models import GaussianKeys
from headwright.words.progress import with_progress

REPLICATES = 16  # enough for Student's interval to be near the Gaussian one (2.13 against 1.96 deviations)
DEFAULT_SAMPLES = 2**16  # unless the caller asks for more
_SETTLED = 1e-9  # of a quantile: far below what sampling tells
_MOST_DIMENSIONS = 64  # of a net; entries of a sample that matter less are drawn independently
_FEWEST_BITS = 30  # SciPy's own choice; with fewer than its direction numbers have, the points are silently wrong
_ENTRIES = 2**18  # numbers of one chunk: what a core's cache holds
_ROUGH = Fraction(1, 1000)  # a width of proved bounds that needs no further work
_KEPT = 2**21  # errors (16 MiB) held in memory; beyond, they are made again when asked for


@final
class Sampled(Law):
    """Estimates from `samples` points, rounded up to 16 powers of two."""

    proved = False
    samples: int
    seed: int

    def __init__(
        self,
        model: GaussianKeys,
        heads: Heads,
        goal: Goal | None,
        values: np.ndarray | None,
        *,
        samples: int | None,
        seed: int | None,
    ) -> None:
        wanted = DEFAULT_SAMPLES if samples is None else samples
        self._each = 2 ** max(0, math.ceil(math.log2(wanted / REPLICATES)))
        self.samples = REPLICATES * self._each
        self.seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        self._model, self._heads, self._goal = model, heads, goal
        self._law = gaussian_law(model, heads)
        self._error = None if goal is None else self._law.error_from(goal)
        self.method = f"{self.samples} scrambled Sobol points in score space, {REPLICATES} replicates"
        self._kept = np.empty((REPLICATES, self._each)) if goal and self.samples <= _KEPT else None
        self._sums = RunningSums(self._law, values, REPLICATES)
        self._error_means = np.zeros(REPLICATES)
        self._gather()

    def _gather(self) -> None:
        """One pass over all points."""
        for replicate, start, normals in self._chunks():
            weights = self._law.weights(normals)
            self._sums.add(replicate, weights)
            if self._error is not None:
                errors = self._error.of(weights)
                self._error_means[replicate] += errors.sum() / self._each
                if self._kept is not None:
                    self._kept[replicate, start : start + len(errors)] = errors
        if self._kept is not None:
            self._kept.sort(axis=1)

    def _chunks(self) -> Iterator[tuple[int, int, np.ndarray]]:
        """(replicate, first point, Gaussian numbers (c, R, M)) of every chunk; the same each time."""
        rows = min(self._each, 2 ** max(0, math.floor(math.log2(_ENTRIES / max(1, math.prod(self._law.shape))))))
        places = [(replicate, start) for replicate in range(REPLICATES) for start in range(0, self._each, rows)]
        points = None
        for replicate, start in with_progress(places, len(places), "sampling"):
            if start == 0:
                points = SobolNormals(self._law, [self.seed, replicate], digits=self._each.bit_length() - 1)
            assert points is not None
            yield replicate, start, points.draw(rows)

    def moments(self) -> Moments:
        return self._sums.moments()

    def error_mean(self) -> Bounded:
        value, half = over_replicates(self._error_means, self.samples)
        return Bounded.estimated(
            float(value), max(0.0, float(value - half)), min(1.0, float(value + half)), how=self.method
        )

    def probability(self, error: Fraction) -> Bounded:
        low, value, high = (float(x[0]) for x in probabilities(self._counts(np.array([float(error)])), self._each))
        return Bounded.estimated(value, low, high, how=self.method)

    def quantile(self, p: Fraction) -> Bounded:
        """Where the probability, and the ends of its interval, reach p: by closing in on all three at once."""
        ends = [(0.0, 1.0)] * 3  # of P's upper end, P itself, P's lower end
        for _ in range(
            12
        ):  # each round narrows an end 1024-fold: four reach 1e-9, and jumps of the law cost a few more
            edges = np.unique(np.concatenate([np.linspace(low, high, 1025) for low, high in ends]))
            low, value, high = probabilities(self._counts(edges), self._each)
            ends = [_first(edges, curve >= float(p)) for curve in (high, value, low)]
            if all(b - a <= _SETTLED * b for a, b in ends):
                break
        bottom, middle, top = ends[0][0], ends[1][1], ends[2][1]
        return Bounded.estimated(middle, bottom, top, how=self.method)

    def bounds(self, error: Fraction) -> Bounded:
        """By a box around all noise but one Gaussian, three sizes of it; rough, and for many keys often empty of content."""
        assert self._goal is not None
        return proved_probability(self._model, self._heads, self._goal, error, width=_ROUGH, tries=3)

    def _counts(self, edges: np.ndarray) -> np.ndarray:
        """How many errors of each replicate are at most each edge, (16, edges)."""
        if self._kept is not None:
            return np.stack([np.searchsorted(row, edges, side="right") for row in self._kept])
        assert self._error is not None
        counts = np.zeros((REPLICATES, len(edges)), dtype=np.int64)
        for replicate, _, normals in self._chunks():
            errors = np.sort(self._error.of(self._law.weights(normals)))
            counts[replicate] += np.searchsorted(errors, edges, side="right")
        return counts


def _first(edges: np.ndarray, reached: np.ndarray) -> tuple[float, float]:
    """The pair of neighbouring edges between which `reached` turns true."""
    place = int(np.argmax(reached)) if reached.any() else len(edges) - 1
    return float(edges[max(0, place - 1)]), float(edges[place])


@final
class SobolNormals:
    """2^digits samples (R, M) for a law, one scrambled net; the same for the same seed."""

    def __init__(self, law: ScoreLaw, seed: list[int], *, digits: int) -> None:
        from scipy.stats import qmc

        self._shape, self._lead = law.shape, law.order[:_MOST_DIMENSIONS]
        self._all_lead = len(law.order) <= _MOST_DIMENSIONS
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
