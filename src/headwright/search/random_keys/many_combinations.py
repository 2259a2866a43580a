"""The outcome over a finite law with many combinations: float64 in chunks, with a proved radius on every number.

Let u = 2^-53, V keys with laws, H heads, m goal keys. Exponentials come from balls, right to 2u each; sums of at most
V + m + 2 terms, a quotient and H mixed shares leave every weight and every total variation (the proof's `float_variation`) off by
less than ε = (V + H + m + 16)·2^-50 (weights relatively; combinations whose sums fall below 2^-900 of the largest exponential
are made in balls instead). A product of V probabilities is off by V·2^-52 of itself. Sums of non-negative numbers run over axes
of length 16 or 256, whose rounding in any order is at most 16u or 256u relatively [Higham, §4.2]; chunks are added by math.fsum.

Covariances are about computed means. With D the largest deviation of a computed y_i - m_i from the true one, Cauchy–Schwarz
bounds the error of Σ p (y_i - m_i)(y_k - m_k) by D(σ_i + σ_k) + D² and the rounding of the sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.frozen import computed_once
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.search.random_keys.finite import FiniteOutcome, WeightTable
from headwright.search.random_keys.law import Moments
from headwright.search.random_keys.linear_image import ImageMoments
from headwright.theories.random_keys.finite_probability import Combination, FiniteTable
from headwright.words.bounded import Bounded
from headwright.words.progress import with_progress
from headwright.words.scaled_keys import ScaledKeys

_CHUNK = 2**16  # combinations at a time: 16^4, for sums nested by 16, and 256 · 256, for products by blocks
_BITS = 128  # of the exponentials before they are rounded to float64
_LEAST = 2.0**-900  # a sum below this has lost exponentials to underflow; it is made in balls
_SUM = 2.0**-44  # rounding of a nested sum over one chunk, and of math.fsum over the chunks
_LOST = 2.0**-150  # what exponentials below the range of float64 can add to a weight


@final
class ManyFinite(FiniteOutcome):
    """Millions of combinations, 65536 at a time."""

    numbers = "float64 with a proved radius"

    def __init__(self, model: ScaledKeys, heads: Heads, goal: Goal | None, values: np.ndarray | None) -> None:
        super().__init__(model, heads, goal, values)
        with balls.precision(_BITS):
            self._table = WeightTable(self._law)
        self._shares = np.array([float(share) for share in heads.shares])
        keys, targets = len(self._law.keys), 0 if goal is None else len(goal.indices)
        self._eps = (keys + len(heads.mix) + targets + 16) * 2.0**-50
        self._chance_eps = (keys + 2) * 2.0**-52
        denominators = math.prod(math.lcm(*(p.denominator for p in law)) for law in self._law.chances)
        self._dyadic = denominators <= 2**52 and denominators & (denominators - 1) == 0  # then no sum is rounded

    def _chunks(self) -> Iterator[tuple[tuple[np.ndarray, ...], np.ndarray]]:
        """(factors chosen, probabilities), at most 65536 combinations at a time."""
        starts = range(0, self._model.combinations, _CHUNK)
        for start in with_progress(starts, len(starts), "enumerating"):
            yield self._law.chunk(start, _CHUNK)

    def _weights(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """(probabilities (c,), u (h, c), w (h, M, c)); the last chunk is filled up with probability 0."""
        sums = np.array([[float(x)] for x in self._table.sums])
        moved = [[np.array([float(e) for e in law]) for law in head] for head in self._table.move]
        for chosen, chance in self._chunks():
            short = (0, _CHUNK - len(chance))
            chance, chosen = np.pad(chance, short), tuple(np.pad(c, short, mode="edge") for c in chosen)
            drawn = [chosen[place] for place in self._table.places]
            w = np.stack([[e[c] for e, c in zip(head, drawn, strict=True)] for head in moved])
            whole = w.sum(axis=1) + sums
            lost = np.flatnonzero((whole < _LEAST).any(axis=0))
            with np.errstate(invalid="ignore", divide="ignore"):
                u, w = sums / whole, w / whole[:, None]
            for k in lost.tolist():
                u[:, k], w[:, :, k] = self._in_balls(tuple(int(c[k]) for c in chosen))
            yield chance, u, w

    def _in_balls(self, combination: Combination) -> tuple[list[float], list[list[float]]]:
        with balls.precision(_BITS):
            u, w = self._table.weights(combination)
        return [float(x) for x in u], [[float(x) for x in row] for row in w]

    def moments(self) -> Moments:
        heads, moving = len(self._shares), len(self._table.moving)
        sums: list[np.ndarray] = []
        for chance, u, w in self._weights():
            beta = np.tensordot(self._shares, w, axes=1)
            sums.append(_nested(chance * np.concatenate([u, beta, w.reshape(-1, _CHUNK)])))
        means = _fsum(sums)
        off = means * (self._eps + self._chance_eps + _SUM) + _LOST
        size = heads + moving
        # 2^-52: the rounding of y - m itself, two numbers of at most 1
        apart = self._eps + _LOST + float(off[:size].max()) + 2.0**-52
        cov, radius = self._covariances(means[:size], apart)
        with balls.precision(_BITS):
            mean = balls.around(means.tolist(), off.tolist())
            rows = [balls.around(*pair) for pair in zip(cov.tolist(), radius.tolist(), strict=True)]
            by_head = [mean[size + h * moving : size + (h + 1) * moving] for h in range(heads)]
            return self._table.image().moments(ImageMoments(mean[:size], rows, by_head), self._values)

    def _covariances(self, means: np.ndarray, apart: float) -> tuple[np.ndarray, np.ndarray]:
        """Cov(y) (h+M, h+M) with radii; `apart` is D."""
        sums: list[np.ndarray] = []
        for chance, u, w in self._weights():
            y = np.concatenate([u, np.tensordot(self._shares, w, axes=1)]) - means[:, None]
            blocks = np.ascontiguousarray(y.reshape(len(y), 256, 256).transpose(1, 0, 2))
            weighed = blocks * chance.reshape(256, 1, 256)
            sums.append((weighed @ blocks.transpose(0, 2, 1)).sum(axis=0))
        cov = _fsum(sums)
        # 1.01, here and below: far more than the roundings of the bounds themselves
        sd = 1.01 * np.sqrt(np.maximum(np.diag(cov), 0)) + 2 * apart
        radius = apart * (sd[:, None] + sd) + apart**2 + (self._chance_eps + 2 * _SUM) * np.outer(sd, sd)
        return cov, 1.01 * radius

    @computed_once
    def _variations(self) -> tuple[np.ndarray, np.ndarray]:
        """(total variation, probability) of every combination, in no order."""
        assert self._goal is not None
        with balls.precision(_BITS):
            table = FiniteTable(self._law, self._goal)
        variations, chances = [], []
        for chosen, chance in self._chunks():
            variation = table.float_variation(chosen)
            for k in np.flatnonzero(np.isnan(variation)).tolist():
                with balls.precision(_BITS):
                    numerator, denominator = table.variation(tuple(int(c[k]) for c in chosen))
                    variation[k] = float(numerator / denominator)
            variations.append(variation)
            chances.append(chance)
        return np.concatenate(variations), np.concatenate(chances)

    def error_mean(self) -> Bounded:
        variation, chance = self._variations
        mean = math.fsum((variation * chance).tolist())
        # 2^-51: the rounding of each product, and of the sum
        half = self._eps + (self._chance_eps + 2.0**-51) * mean
        return Bounded.proven(
            *_clipped(Fraction(mean) - Fraction(half), Fraction(mean) + Fraction(half)), how=self.method
        )

    def quantile(self, p: Fraction) -> Bounded:
        """Sorted by computed error; what the sum of probabilities may be off moves both ends outward."""
        variation, chance = self._variations
        order = np.argsort(variation)
        summed = _cumulated(chance[order])
        # 2^-40: the rounding of the running sums (`_cumulated`)
        slack = 0.0 if self._dyadic else 2.0**-40 + self._chance_eps
        last, asked = len(order) - 1, balls.float_above(p)
        low, high = (min(int(np.searchsorted(summed, asked + side * slack)), last) for side in (-1, 1))
        bottom, top = (Fraction(float(variation[order[place]])) for place in (low, high))
        return Bounded.proven(*_clipped(bottom - Fraction(self._eps), top + Fraction(self._eps)), how=self.method)


def _nested(rows: np.ndarray) -> np.ndarray:
    """Sums over the last axis, of length 16^k, in nested sums of 16."""
    while rows.shape[-1] > 1:
        rows = rows.reshape(*rows.shape[:-1], -1, 16).sum(axis=-1)
    return np.asarray(rows[..., 0])


def _fsum(parts: list[np.ndarray]) -> np.ndarray:
    stacked = np.stack([part.ravel() for part in parts], axis=1).tolist()
    return np.array([math.fsum(row) for row in stacked]).reshape(parts[0].shape)


def _cumulated(chance: np.ndarray) -> np.ndarray:
    """Running sums by blocks of 2048: off by at most 2^-40, being sums of at most 2048 sums of 2048."""
    blocks = -(-len(chance) // 2048)
    filled = np.zeros(blocks * 2048)
    filled[: len(chance)] = chance
    within = np.cumsum(filled.reshape(blocks, 2048), axis=1)
    before = np.concatenate([[0.0], np.cumsum(within[:, -1])[:-1]])
    return np.asarray((before[:, None] + within).ravel()[: len(chance)])


def _clipped(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    return max(low, Fraction(0)), min(high, Fraction(1))
