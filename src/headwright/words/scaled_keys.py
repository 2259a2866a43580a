"""ScaledKeys: given keys whose lengths follow finite laws, the second key model."""

from __future__ import annotations

from fractions import Fraction
from typing import final

import numpy as np

from headwright.theories.random_keys.laws import ScaledLaw
from headwright.words.key_models import KeyModel, count, generator_of


@final
class ScaledKeys(ScaledLaw, KeyModel):
    """Keys c_j · k_j whose factors c_j are independent, each with a finite law; keys without a law stay as they are.

    `laws={j: {factor: probability}}`. Probabilities must sum to one, exactly if all are strings, integers or Fractions. Floats
    such as 0.1 may miss one by a rounding, and are then normalised exactly.

    >>> ScaledKeys(np.eye(3), {0: {"1/2": "1/2", "3/2": "1/2"}})
    ScaledKeys: 3 keys in dimension 3, key 0 times 0.5 (probability 0.5) or 1.5 (probability 0.5)
    """

    __slots__ = ()

    @property
    def mean(self) -> np.ndarray:
        factors = np.ones(self.n)
        for i, law in self.laws.items():
            factors[i] = float(sum((c * p for c, p in law.items()), Fraction(0)))
        return np.asarray(factors[:, None] * self.centre)

    @property
    def varying(self) -> tuple[int, ...]:
        return tuple(i for i, law in self.laws.items() if len(law) > 1 or next(iter(law)) != 1)

    def sample(self, samples: int, *, seed: int | None = None) -> np.ndarray:
        generator = generator_of(seed)
        drawn = np.broadcast_to(self.centre, (count(samples), self.n, self.d)).copy()
        for i, law in self.laws.items():
            factors, probabilities = np.array([[float(c), float(p)] for c, p in law.items()]).T
            drawn[:, i] *= generator.choice(factors, size=(samples, 1), p=probabilities / probabilities.sum())
        return drawn
