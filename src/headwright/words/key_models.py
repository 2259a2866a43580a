"""Key models: keys that vary, as frozen values that can be sampled; here `GaussianKeys`, independent Gaussian vectors.

Attention sees keys only through scores, so the rest of the package uses the law of the scores, never a sample of keys. `sample`
is for users, and for simulations that check that law independently. The law, which is what a claim needs, is in `laws.py`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any, final

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.shown import Shown
from headwright.theories.random_keys.laws import GaussianLaw, KeyLaw

_MOST_SAMPLES = 2**40


class KeyModel(KeyLaw, Shown):
    """A law of keys with its mean, and draws from it."""

    __slots__ = ()

    @property
    @abstractmethod
    def mean(self) -> np.ndarray:
        """The expected keys (n, d)."""

    @property
    @abstractmethod
    def varying(self) -> tuple[int, ...]:
        """The keys that vary."""

    @abstractmethod
    def sample(self, samples: int, *, seed: int | None = None) -> np.ndarray:
        """Independent draws of all keys, (samples, n, d)."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.describe()}"


@final
class GaussianKeys(GaussianLaw, KeyModel):
    """Independent keys k_j ~ N(μ_j, Σ_j), Σ_j = a_j I + v_j μ̂_jμ̂_jᵀ + U_jU_jᵀ + cov_j, μ̂ the unit mean.

    `isotropic` is a_j (one number, or one per key), `along={j: v_j}` a variance along that key's mean, so that its length varies,
    `factors={j: U_j}` a matrix (d, r), or a vector (d,), for noise in any directions. `cov` is a covariance (d, d) that every key
    has, or one for each key (n, d, d), zero for keys that do not vary; it must be exactly symmetric and positive semi-definite.
    A float means its binary value; a string or Fraction must be a number that float64 holds exactly, and "1/3" is refused.

    >>> keys = GaussianKeys(np.eye(3), along={0: 0.5})
    >>> keys
    GaussianKeys: 3 Gaussian keys in dimension 3: variance 0.5 along key 0
    >>> keys.sample(2, seed=1).shape
    (2, 3, 3)
    """

    __slots__ = ()

    @property
    def mean(self) -> np.ndarray:
        return self.centre

    @property
    def varying(self) -> tuple[int, ...]:
        moved = (self.isotropic > 0) | (self.along != 0)
        moved[[i for i, u in self.factors.items() if u.any()]] = True
        if self.cov is not None:
            moved |= self.cov.any(axis=(-2, -1))
        return tuple(np.flatnonzero(moved).tolist())

    def unit_mean(self, j: int) -> np.ndarray:
        """The mean of key j, divided by its norm (scaled first: no overflow, no underflow)."""
        row: np.ndarray = self.centre[j] / np.abs(self.centre[j]).max()
        unit: np.ndarray = row / np.linalg.norm(row)
        return unit

    def covariance(self, j: int) -> np.ndarray:
        """Σ_j (d, d), rounded."""
        whole = self.isotropic[j] * np.eye(self.d)
        if self.along[j]:
            unit = self.unit_mean(j)
            whole = whole + self.along[j] * np.outer(unit, unit)
        if j in self.factors:
            whole = whole + self.factors[j] @ self.factors[j].T
        if self.cov is not None:
            whole = whole + (self.cov if self.cov.ndim == 2 else self.cov[j])
        return np.asarray(whole)

    def directions(self) -> dict[int, np.ndarray]:
        """For keys with factors or a covariance, a matrix (d, r) whose product with its transpose is both together, rounded."""
        found = dict(self.factors)
        if self.cov is not None:
            shared = _root(self.cov) if self.cov.ndim == 2 else None
            for j in range(self.n):
                root = _root(self.cov[j]) if shared is None else shared
                if root.shape[1]:
                    found[j] = np.hstack([found[j], root]) if j in found else root
        return found

    def sample(self, samples: int, *, seed: int | None = None) -> np.ndarray:
        generator = generator_of(seed)
        drawn = np.broadcast_to(self.centre, (count(samples), self.n, self.d)).copy()
        if self.isotropic.any():
            drawn += np.sqrt(self.isotropic)[:, None] * generator.standard_normal(drawn.shape)
        for j in np.flatnonzero(self.along).tolist():
            unit = self.unit_mean(j)
            across, along = math.sqrt(self.isotropic[j]), math.sqrt(max(0.0, self.isotropic[j] + self.along[j]))
            if self.along[j] > 0:
                drawn[:, j] += math.sqrt(self.along[j]) * generator.standard_normal((samples, 1)) * unit
            else:  # less variance along the mean than across it: shrink that component
                moved = drawn[:, j] - self.centre[j]
                drawn[:, j] += (along / across - 1) * (moved @ unit)[:, None] * unit
        for j, factor in self.directions().items():
            drawn[:, j] += generator.standard_normal((samples, factor.shape[1])) @ factor.T
        return drawn


def _root(covariance: np.ndarray) -> np.ndarray:
    """A factor (d, r) of a covariance, by its eigenvectors."""
    size = float(np.abs(covariance).max()) or 1.0
    values, vectors = np.linalg.eigh(covariance / size)
    kept = values > 1e-15 * values[-1]  # what is smaller is rounding
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]) * math.sqrt(size))


def generator_of(seed: int | None) -> np.random.Generator:
    """A generator for `seed`; None draws a fresh one."""
    return np.random.default_rng(None if seed is None else inputs.count(seed, name="seed"))


def count(samples: Any) -> int:
    """`samples` as a positive integer."""
    number = inputs.count(samples, name="samples", least=1)
    if number > _MOST_SAMPLES:
        raise ValueError(f"`samples` must lie between 1 and 2^40, got {number if number < 10**20 else 'far more'}")
    return number
