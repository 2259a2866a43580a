"""ScaledKeys: given keys whose lengths follow finite laws, the second key model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self, final

import numpy as np

from headwright import arrays, budget
from headwright.frozen import FrozenMap
from headwright.keys import KeyModel, by_key, count, generator_of

MOST_COMBINATIONS = 2**22
_NEARLY_ONE = Fraction(1, 10**9)  # decimal probabilities written as floats miss one by some roundings


@final
class ScaledKeys(KeyModel):
    """Keys c_j · k_j whose factors c_j are independent, each with a finite law; keys without a law stay as they are.

    `laws={j: {factor: probability}}`. Probabilities must sum to one, exactly where all are strings, integers or Fractions. Floats
    such as 0.1 may miss it by a rounding, and are then normalised exactly.

    >>> ScaledKeys(np.eye(3), {0: {"1/2": "1/2", "3/2": "1/2"}})
    ScaledKeys: 3 keys in dimension 3, key 0 times 0.5 or 1.5
    """

    __slots__ = ("laws",)
    law: ClassVar[str] = "scaled"
    laws: Mapping[int, Mapping[Fraction, Fraction]]

    def __init__(self, keys: Any, laws: Mapping[int, Mapping[Any, Any]]) -> None:
        centre = arrays.float64(keys, name="keys", ndim=2)
        found = by_key(laws, "laws", len(centre))
        held = {i: _finite_law(found[i], i) for i in sorted(found)}
        together = math.prod(len(law) for law in held.values())
        if together > MOST_COMBINATIONS:
            shown = str(together) if together < 10**15 else f"about 10^{len(str(together)) - 1}"
            raise ValueError(
                f"`laws` have {shown} combinations together; at most {MOST_COMBINATIONS} are enumerated: "
                "let fewer keys vary, or give them fewer factors"
            )
        self._set(centre=centre, laws=FrozenMap(held))

    @property
    def mean(self) -> np.ndarray:
        factors = np.ones(self.n)
        for i, law in self.laws.items():
            factors[i] = float(sum((c * p for c, p in law.items()), Fraction(0)))
        return np.asarray(factors[:, None] * self.centre)

    @property
    def varying(self) -> tuple[int, ...]:
        return tuple(i for i, law in self.laws.items() if len(law) > 1 or next(iter(law)) != 1)

    @property
    def combinations(self) -> int:
        """How many different sets of keys there are."""
        return math.prod(len(law) for law in self.laws.values())

    def sample(self, samples: int, *, seed: int | None = None) -> np.ndarray:
        generator = generator_of(seed)
        drawn = np.broadcast_to(self.centre, (count(samples), self.n, self.d)).copy()
        for i, law in self.laws.items():
            factors, probabilities = np.array([[float(c), float(p)] for c, p in law.items()]).T
            drawn[:, i] *= generator.choice(factors, size=(samples, 1), p=probabilities / probabilities.sum())
        return drawn

    def describe(self) -> str:
        shown = [f"key {i} times {_either(law)}" for i, law in list(self.laws.items())[:3]]
        more = f", … {len(self.laws)} keys with laws" if len(self.laws) > 3 else ""
        return f"{self.n} keys in dimension {self.d}, {', '.join(shown) or 'none varying'}{more}"

    def arrays(self) -> dict[str, np.ndarray]:
        return {"keys": self.centre}

    def fields(self) -> dict[str, Any]:
        written = {str(i): {str(c): str(p) for c, p in law.items()} for i, law in self.laws.items()}
        return {"law": self.law, "laws": written}

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        if not isinstance(fields["laws"], dict):
            raise ValueError("`laws` must map keys to laws")
        laws = {int(i): law for i, law in fields["laws"].items()}
        if [str(i) for i in laws] != list(fields["laws"]):
            raise ValueError("`laws` must name each key once, as a plain number")
        return cls(stored["keys"], laws)


def _finite_law(law: Any, i: int) -> Mapping[Fraction, Fraction]:
    if not isinstance(law, Mapping) or not law:
        raise TypeError(f"`laws[{i}]` must map factors to probabilities, got {law!r}")
    exact: dict[Fraction, Fraction] = {}
    for factor, probability in law.items():
        c = arrays.rational(factor, name=f"factor in laws[{i}]")
        p = arrays.rational(probability, name=f"probability in laws[{i}]")
        if p < 0:
            raise ValueError(f"`laws[{i}]` gives the factor {arrays.show(c)} a negative probability, {arrays.show(p)}")
        if c in exact:
            raise ValueError(f"`laws[{i}]` names the factor {arrays.show(c)} twice")
        if p:
            exact[c] = p
    whole = budget.summed(exact.values())
    budget.spend(sum(budget.product(budget.bits(whole), budget.bits(p)) for p in exact.values()))
    rounded = any(isinstance(probability, float | np.floating) for probability in law.values())
    if abs(whole - 1) > (_NEARLY_ONE if rounded else 0):
        raise ValueError(f"`laws[{i}]` must have probabilities that sum to one, got {arrays.show(whole)}")
    return FrozenMap({c: p / whole for c, p in exact.items()})


def _either(law: Mapping[Fraction, Fraction]) -> str:
    shown = [arrays.show(c) for c in law]
    return " or ".join(shown if len(shown) <= 4 else [*shown[:3], f"… {len(shown)} factors"])
