"""Independent draws of the error, in score space: what a binomial test may count, as Sobol points may not be."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from headwright.goals import Goal
from headwright.key_models import GaussianKeys, KeyModel, generator_of
from headwright.noise.score_space import GoalError, ScoreSpace
from headwright.proofs import Heads
from headwright.scaled_keys import ScaledKeys

_ENTRIES = 2**18  # numbers of one chunk


def independent_errors(model: KeyModel, heads: Heads, goal: Goal, samples: int, seed: int) -> Iterator[np.ndarray]:
    """Chunks of independent total variations of the weights from `goal`, `samples` in all."""
    generator = generator_of(seed)
    if isinstance(model, ScaledKeys):
        yield from _scaled_errors(model, heads, goal, samples, generator)
        return
    if not isinstance(model, GaussianKeys):
        raise TypeError(f"`keys` must be GaussianKeys or ScaledKeys, got {type(model).__name__}")
    space = ScoreSpace(model, heads)
    error = GoalError(space, goal)
    for rows in _chunks(samples, math.prod(space.shape)):
        yield error.of(space.weights(generator.standard_normal((rows, *space.shape))))


def _chunks(samples: int, entries: int) -> Iterator[int]:
    rows = max(1, _ENTRIES // max(1, entries))
    for start in range(0, samples, rows):
        yield min(rows, samples - start)


def _scaled_errors(
    model: ScaledKeys, heads: Heads, goal: Goal, samples: int, generator: np.random.Generator
) -> Iterator[np.ndarray]:
    scores = float(heads.scale) * (heads.queries @ heads.keys.T)  # (h, n)
    shares = np.array([float(share) for share in heads.shares])
    wanted = goal.weights(heads.n)
    for rows in _chunks(samples, heads.n):
        factors = np.ones((rows, heads.n))
        for j, law in model.laws.items():
            choices, chances = np.array([[float(c), float(p)] for c, p in law.items()]).T
            factors[:, j] = generator.choice(choices, size=rows, p=chances / chances.sum())
        mixed = np.zeros((rows, heads.n))
        for share, row in zip(shares, scores, strict=True):
            scaled = factors * row
            powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
            mixed += share * powers / powers.sum(axis=1, keepdims=True)
        yield np.maximum(mixed - wanted, 0).sum(axis=1)
