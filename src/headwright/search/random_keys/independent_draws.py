"""Independent draws of the error, in score space: what a binomial test may count, as Sobol points may not be."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.search.random_keys.score_law import gaussian_law, scaled_law
from headwright.words.key_models import GaussianKeys, KeyModel, generator_of
from headwright.words.scaled_keys import ScaledKeys

_ENTRIES = 2**18  # numbers of one chunk


def independent_errors(model: KeyModel, heads: Heads, goal: Goal, samples: int, seed: int) -> Iterator[np.ndarray]:
    """Chunks of independent total variations of the weights from `goal`, `samples` in all."""
    generator = generator_of(seed)
    if isinstance(model, ScaledKeys):
        law = scaled_law(model, heads)
    elif isinstance(model, GaussianKeys):
        law = gaussian_law(model, heads)
    else:
        raise TypeError(f"`keys` must be GaussianKeys or ScaledKeys, got {type(model).__name__}")
    error = law.error_from(goal)
    rows = max(1, _ENTRIES // max(1, math.prod(law.shape)))
    for start in range(0, samples, rows):
        nodes = _nodes(model, (min(rows, samples - start), *law.shape), generator)
        yield error.of(law.weights(nodes))


def _nodes(model: KeyModel, shape: tuple[int, int, int], generator: np.random.Generator) -> np.ndarray:
    if not isinstance(model, ScaledKeys):
        return generator.standard_normal(shape)
    nodes = np.empty(shape)
    for k, law in enumerate(model.laws.values()):
        choices, chances = np.array([[float(c), float(p)] for c, p in law.items()]).T
        nodes[:, 0, k] = generator.choice(choices, size=len(nodes), p=chances / chances.sum()) - 1
    return nodes
