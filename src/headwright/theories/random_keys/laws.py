"""The laws of keys that vary, as frozen values: independent Gaussian vectors, and keys whose lengths follow finite laws.

This file has what a claim needs of a law: its checked numbers and its description. `words/key_models.py` has the public models.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from headwright.kernel import budget, inputs
from headwright.kernel.frozen import FrozenMap, Immutable
from headwright.kernel.record import made_of_parts
from headwright.theories.random_keys.semidefinite import is_semidefinite

_MOST_COMBINATIONS = 2**22
_NEARLY_ONE = Fraction(1, 10**9)  # decimal probabilities given as floats may miss 1 by a few roundings


class KeyLaw(Immutable, ABC):
    """Keys (n, d) with a law; `centre` (n, d) are the given vectors around which they vary."""

    __slots__ = ("centre",)
    centre: np.ndarray
    law: ClassVar[str]  # its name in certificate files

    @property
    def n(self) -> int:
        """The number of keys."""
        return len(self.centre)

    @property
    def d(self) -> int:
        """The dimension of the keys."""
        return int(self.centre.shape[1])

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
        """The model that `arrays` and `fields` describe; ValueError, TypeError or KeyError if they describe none."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_parts, (self.arrays(), self.fields())


class GaussianLaw(KeyLaw):
    """Independent keys k_j ~ N(μ_j, Σ_j), Σ_j = a_j I + v_j μ̂_jμ̂_jᵀ + U_jU_jᵀ + cov_j, μ̂ the unit mean."""

    __slots__ = ("along", "cov", "factors", "isotropic")
    law: ClassVar[str] = "gaussian"
    isotropic: np.ndarray
    along: np.ndarray
    factors: Mapping[int, np.ndarray]
    cov: np.ndarray | None  # (d, d) of every key, or (n, d, d)

    def __init__(
        self,
        mean: Any,
        *,
        isotropic: Any = 0.0,
        along: Mapping[int, float] | None = None,
        factors: Mapping[int, Any] | None = None,
        cov: Any = None,
    ) -> None:
        centre = inputs.float64(mean, name="mean", ndim=2)
        n, d = centre.shape
        spread = inputs.float64(isotropic, name="isotropic", ndim=(0, 1))
        if spread.ndim == 1 and len(spread) != n:
            raise ValueError(f"`isotropic` must be one number or one per key ({n}), got {len(spread)}")
        spread = np.array(np.broadcast_to(spread, n))
        lengths = np.zeros(n)
        for i, variance in _by_key(along, "along", n).items():
            lengths[i] = inputs.held(variance, name=f"along[{i}]")
        for j in np.flatnonzero((spread < 0) | (spread + lengths < 0)):
            raise ValueError(
                f"the covariance of key {j} must be positive semi-definite: its variance is {_exactly(spread[j])} across its "
                f"mean and {_exactly(spread[j] + lengths[j])} along it (`isotropic`, `along`)"
            )
        for j in np.flatnonzero((lengths != 0) & ~centre.any(axis=1)):
            raise ValueError(f"`along[{j}]` asks for variance along the mean of key {j}, which has norm zero")
        held = {i: _factor(u, i, d) for i, u in _by_key(factors, "factors", n).items()}
        for array in (spread, lengths):
            array.flags.writeable = False
        whole = None if cov is None else _covariances(cov, n, d)
        factors = FrozenMap({i: held[i] for i in sorted(held)})
        self._set(centre=centre, isotropic=spread, along=lengths, factors=factors, cov=whole)

    def describe(self) -> str:
        parts = []
        if self.isotropic.any():
            levels = sorted(set(self.isotropic.tolist()))
            level = " to ".join(_exactly(end) for end in levels[:: max(1, len(levels) - 1)])
            parts.append(f"variance {level} in every direction")
        for j in np.flatnonzero(self.along)[:3].tolist():
            parts.append(f"variance {_exactly(self.along[j])} along key {j}")
        if np.count_nonzero(self.along) > 3:
            parts.append(f"… {np.count_nonzero(self.along)} keys of varying length")
        parts += [f"factor of rank {u.shape[1]} on key {j}" for j, u in list(self.factors.items())[:3]]
        if len(self.factors) > 3:
            parts.append(f"… {len(self.factors)} keys with factors")
        if self.cov is not None and self.cov.any():
            owners = "every key" if self.cov.ndim == 2 else f"{np.count_nonzero(self.cov.any(axis=(1, 2)))} keys"
            parts.append(f"a full covariance on {owners}")
        return f"{self.n} Gaussian keys in dimension {self.d}: {', '.join(parts) or 'no variance'}"

    def arrays(self) -> dict[str, np.ndarray]:
        held = {f"factor_{i}": u for i, u in self.factors.items()}
        held |= {} if self.cov is None else {"cov": self.cov}
        return {"keys": self.centre, "isotropic": self.isotropic, "along": self.along, **held}

    def fields(self) -> dict[str, Any]:
        return {"law": self.law}

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        if fields["law"] != cls.law:
            raise ValueError(f"`law` must be {cls.law!r}, got {fields['law']!r}")
        along = inputs.float64(stored["along"], name="along", ndim=1)
        if len(along) != len(stored["keys"]):
            raise ValueError(f"`along` must have one number per key ({len(stored['keys'])}), got {len(along)}")
        factors = {int(name.removeprefix("factor_")): u for name, u in stored.items() if name.startswith("factor_")}
        moved = {j: along[j] for j in np.flatnonzero(along).tolist()}
        return cls(stored["keys"], isotropic=stored["isotropic"], along=moved, factors=factors, cov=stored.get("cov"))


class ScaledLaw(KeyLaw):
    """Keys c_j · k_j whose factors c_j are independent, each with a finite law; keys without a law stay as they are."""

    __slots__ = ("laws",)
    law: ClassVar[str] = "scaled"
    laws: Mapping[int, Mapping[Fraction, Fraction]]

    def __init__(self, keys: Any, laws: Mapping[int, Mapping[Any, Any]]) -> None:
        centre = inputs.float64(keys, name="keys", ndim=2)
        given = _by_key(laws, "laws", len(centre))
        held = {i: _finite_law(given[i], i) for i in sorted(given)}
        together = math.prod(len(law) for law in held.values())
        if together > _MOST_COMBINATIONS:
            shown = str(together) if together < 10**15 else f"about 10^{len(str(together)) - 1}"
            raise ValueError(
                f"`laws` have {shown} combinations together; at most {_MOST_COMBINATIONS} are enumerated: "
                "let fewer keys vary, or give them fewer factors"
            )
        self._set(centre=centre, laws=FrozenMap(held))

    @property
    def combinations(self) -> int:
        """How many different sets of keys there are."""
        return math.prod(len(law) for law in self.laws.values())

    def describe(self) -> str:
        shown = [f"key {i} times {_either(law)}" for i, law in list(self.laws.items())[:3]]
        more = f", … {len(self.laws)} keys with laws" if len(self.laws) > 3 else ""
        return f"{self.n} keys in dimension {self.d}, {', '.join(shown) or 'none varying'}{more}"

    def arrays(self) -> dict[str, np.ndarray]:
        return {"keys": self.centre}

    def fields(self) -> dict[str, Any]:
        written = [[i, [[str(c), str(p)] for c, p in law.items()]] for i, law in self.laws.items()]
        return {"law": self.law, "laws": written}

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        try:
            laws = {i: dict(law) for i, law in fields["laws"]}
        except (TypeError, ValueError):
            raise ValueError("`laws` must be a list of pairs, each a key and its law") from None
        return cls(stored["keys"], laws)


def _by_key(given: Any, name: str, n: int) -> dict[int, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"`{name}` must map key index to value, got {type(given).__name__}")
    held = {inputs.index(i, name=f"{name} index"): value for i, value in given.items()}
    if held and max(held) >= n:
        raise ValueError(f"`{name}` names key {max(held)}, but there are only {n} keys (0 to {n - 1})")
    return held


def _factor(value: Any, i: int, d: int) -> np.ndarray:
    factor = inputs.float64(value, name=f"factors[{i}]", ndim=(1, 2))
    if factor.shape[0] != d:
        raise ValueError(f"`factors[{i}]` must have shape (d, r) with d = {d}, got {factor.shape}")
    return inputs.float64(factor.reshape(d, -1), name=f"factors[{i}]", ndim=2)


def _covariances(value: Any, n: int, d: int) -> np.ndarray:
    """Checked covariances: a matrix for every key, or one that all of them have."""
    cov = inputs.float64(value, name="cov", ndim=(2, 3))
    if cov.shape not in ((d, d), (n, d, d)):
        raise ValueError(
            f"`cov` must have shape (d, d) or (n, d, d) with n = {n} and d = {d}, one matrix for all keys or one for each, "
            f"got {cov.shape}"
        )
    for j, matrix in enumerate(cov.reshape(-1, d, d)):
        place = f"[{j}]" if cov.ndim == 3 else ""
        if (matrix != matrix.T).any():
            i, k = np.argwhere(matrix != matrix.T)[0].tolist()
            raise ValueError(
                f"`cov{place}` must be symmetric, but its entries ({i}, {k}) and ({k}, {i}) are {float(matrix[i, k])} and "
                f"{float(matrix[k, i])}. If rounding made them differ, pass (cov + cov.T) / 2"
            )
        if matrix.any() and not is_semidefinite(matrix):
            least = float(np.linalg.eigvalsh(matrix / np.abs(matrix).max())[0] * np.abs(matrix).max())
            raise ValueError(
                f"`cov{place}` must be positive semi-definite, but its least eigenvalue is about {least:.3g}. "
                "If rounding made it negative, add a small multiple of the identity, or pass a factor as `factors`"
            )
    return cov


def _finite_law(law: Any, i: int) -> Mapping[Fraction, Fraction]:
    if not isinstance(law, Mapping) or not law:
        raise TypeError(f"`laws[{i}]` must map factors to probabilities, got {law!r}")
    exact: dict[Fraction, Fraction] = {}
    for factor, probability in law.items():
        c = inputs.rational(factor, name=f"factor in laws[{i}]")
        p = inputs.rational(probability, name=f"probability in laws[{i}]")
        if p < 0:
            raise ValueError(f"`laws[{i}]` gives the factor {inputs.show(c)} a negative probability, {inputs.show(p)}")
        if c in exact:
            raise ValueError(f"`laws[{i}]` names the factor {inputs.show(c)} twice")
        if p:
            exact[c] = p
    whole = budget.summed(exact.values())
    budget.spend(sum(budget.product(budget.bits(whole), budget.bits(p)) for p in exact.values()))
    rounded = any(isinstance(probability, float | np.floating) for probability in law.values())
    if abs(whole - 1) > (_NEARLY_ONE if rounded else 0):
        raise ValueError(f"`laws[{i}]` must have probabilities that sum to one, got {inputs.show(whole)}")
    return {c: p / whole for c, p in exact.items()}


def _either(law: Mapping[Fraction, Fraction]) -> str:
    shown = [f"{inputs.show(c)} (probability {inputs.show(p)})" for c, p in law.items()]
    return " or ".join(shown if len(shown) <= 4 else [*shown[:3], f"… {len(shown)} factors"])


def _exactly(number: float) -> str:
    return inputs.show(Fraction(float(number))).removesuffix(".0")


LAWS: dict[str, type[KeyLaw]] = {kind.law: kind for kind in (GaussianLaw, ScaledLaw)}


class _AnyLaw:
    """The law of keys that the parts name."""

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> KeyLaw:
        if fields["law"] not in LAWS:
            raise ValueError(f"unknown law of keys {fields['law']!r}")
        return LAWS[fields["law"]].from_parts(stored, fields)


made_of_parts("KeyLaw", _AnyLaw)
made_of_parts("GaussianLaw", GaussianLaw)
