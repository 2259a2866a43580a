"""Key models: keys that vary, as frozen values that can be sampled; here `GaussianKeys`, independent Gaussian vectors.

Attention sees keys only through scores, so what the rest of the house asks of a model is the law of the scores, never a
sample of keys; `sample` is for people, and for simulations that check that law from outside.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self, final

import numpy as np

from headwright import arrays
from headwright.frozen import FrozenMap

_MOST_SAMPLES = 2**40


class KeyModel(ABC):
    """Keys (n, d) with a law; `centre` (n, d) are the given vectors around which they vary."""

    __slots__ = ("centre",)
    centre: np.ndarray
    law: ClassVar[str]  # its name in certificate files

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one")

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        return len(self.centre)

    @property
    def d(self) -> int:
        return int(self.centre.shape[1])

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

    @abstractmethod
    def describe(self) -> str:
        """The law in a few words, for claims."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]: ...

    @abstractmethod
    def fields(self) -> dict[str, Any]: ...

    @classmethod
    @abstractmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        """The model that `arrays` and `fields` describe; ValueError, TypeError or KeyError when they describe none."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_parts, (self.arrays(), self.fields())

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.describe()}"


@final
class GaussianKeys(KeyModel):
    """Independent keys k_j ~ N(μ_j, Σ_j), Σ_j = a_j I + v_j μ̂_jμ̂_jᵀ + U_jU_jᵀ, μ̂ the unit mean.

    `isotropic` is a_j (one number, or one per key), `along={j: v_j}` a variance along that key's mean, so that its length varies,
    `factors={j: U_j}` a matrix (d, r), or a vector (d,), for noise in any directions. A float means its binary value; a string or
    Fraction must be a number that float64 holds exactly, and "1/3" is refused.

    >>> keys = GaussianKeys(np.eye(3), along={0: 0.5})
    >>> keys
    GaussianKeys: 3 Gaussian keys in dimension 3: variance 0.5 along key 0
    >>> keys.sample(2, seed=1).shape
    (2, 3, 3)
    """

    __slots__ = ("along", "factors", "isotropic")
    law: ClassVar[str] = "gaussian"
    isotropic: np.ndarray
    along: np.ndarray
    factors: Mapping[int, np.ndarray]

    def __init__(
        self,
        mean: Any,
        *,
        isotropic: Any = 0.0,
        along: Mapping[int, float] | None = None,
        factors: Mapping[int, Any] | None = None,
    ) -> None:
        centre = arrays.float64(mean, name="mean", ndim=2)
        n, d = centre.shape
        spread = arrays.float64(isotropic, name="isotropic", ndim=(0, 1))
        if spread.ndim == 1 and len(spread) != n:
            raise ValueError(f"`isotropic` must be one number or one per key ({n}), got {len(spread)}")
        spread = np.array(np.broadcast_to(spread, n))
        lengths = np.zeros(n)
        for i, variance in by_key(along, "along", n).items():
            lengths[i] = arrays.held(variance, name=f"along[{i}]")
        for j in np.flatnonzero((spread < 0) | (spread + lengths < 0)):
            raise ValueError(
                f"the covariance of key {j} must be positive semi-definite: its variance is {spread[j]:g} across its mean "
                f"and {spread[j] + lengths[j]:g} along it (`isotropic`, `along`)"
            )
        for j in np.flatnonzero((lengths != 0) & ~centre.any(axis=1)):
            raise ValueError(f"`along[{j}]` asks for variance along the mean of key {j}, which has norm zero")
        held = {i: _factor(u, i, d) for i, u in by_key(factors, "factors", n).items()}
        for array in (spread, lengths):
            array.flags.writeable = False
        self._set(centre=centre, isotropic=spread, along=lengths, factors=FrozenMap({i: held[i] for i in sorted(held)}))

    @property
    def mean(self) -> np.ndarray:
        return self.centre

    @property
    def varying(self) -> tuple[int, ...]:
        moved = (self.isotropic > 0) | (self.along != 0)
        moved[[i for i, u in self.factors.items() if u.any()]] = True
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
        return np.asarray(whole)

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
        for j, factor in self.factors.items():
            drawn[:, j] += generator.standard_normal((samples, factor.shape[1])) @ factor.T
        return drawn

    def describe(self) -> str:
        parts = []
        if self.isotropic.any():
            levels = sorted(set(self.isotropic.tolist()))
            level = f"{levels[0]:g}" if len(levels) == 1 else f"{levels[0]:g} to {levels[-1]:g}"
            parts.append(f"variance {level} in every direction")
        for j in np.flatnonzero(self.along)[:3].tolist():
            parts.append(f"variance {self.along[j]:g} along key {j}")
        if np.count_nonzero(self.along) > 3:
            parts.append(f"… {np.count_nonzero(self.along)} keys of varying length")
        parts += [f"factor of rank {u.shape[1]} on key {j}" for j, u in list(self.factors.items())[:3]]
        if len(self.factors) > 3:
            parts.append(f"… {len(self.factors)} keys with factors")
        return f"{self.n} Gaussian keys in dimension {self.d}: {', '.join(parts) or 'no variance'}"

    def arrays(self) -> dict[str, np.ndarray]:
        held = {f"factor_{i}": u for i, u in self.factors.items()}
        return {"keys": self.centre, "isotropic": self.isotropic, "along": self.along, **held}

    def fields(self) -> dict[str, Any]:
        return {"law": self.law}

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        if fields["law"] != cls.law:
            raise ValueError(f"`law` must be {cls.law!r}, got {fields['law']!r}")
        along = arrays.float64(stored["along"], name="along", ndim=1)
        if len(along) != len(stored["keys"]):
            raise ValueError(f"`along` must have one number per key ({len(stored['keys'])}), got {len(along)}")
        factors = {int(name.removeprefix("factor_")): u for name, u in stored.items() if name.startswith("factor_")}
        moved = {j: along[j] for j in np.flatnonzero(along).tolist()}
        return cls(stored["keys"], isotropic=stored["isotropic"], along=moved, factors=factors)


def generator_of(seed: int | None) -> np.random.Generator:
    """A generator for `seed`; None draws a fresh one."""
    return np.random.default_rng(None if seed is None else arrays.count(seed, name="seed"))


def count(samples: Any) -> int:
    """`samples` as a positive integer."""
    number = arrays.count(samples, name="samples", least=1)
    if number > _MOST_SAMPLES:
        raise ValueError(f"`samples` must lie between 1 and 2^40, got {number if number < 10**20 else 'far more'}")
    return number


def by_key(given: Any, name: str, n: int) -> dict[int, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"`{name}` must map key index to value, got {type(given).__name__}")
    found = {arrays.index(i, name=f"{name} index"): value for i, value in given.items()}
    if found and max(found) >= n:
        raise ValueError(f"`{name}` names key {max(found)}, but there are only {n} keys (0 to {n - 1})")
    return found


def _factor(value: Any, i: int, d: int) -> np.ndarray:
    factor = arrays.float64(value, name=f"factors[{i}]", ndim=(1, 2))
    if factor.shape[0] != d:
        raise ValueError(f"`factors[{i}]` must have shape (d, r) with d = {d}, got {factor.shape}")
    return arrays.float64(factor.reshape(d, -1), name=f"factors[{i}]", ndim=2)
