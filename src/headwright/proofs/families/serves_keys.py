"""Claim: queries given by formulas, or by numbers, do what their family asks at given keys.

The formulas are evaluated in balls (`forms/points.py`) where n is the number of keys, ε the tolerance, and every name a given
vector; the scores are the exact products with the keys. Numbers from outside are rounded, and an answer that just reaches a limit
may lie a rounding beyond it: `slack` relaxes every limit by that part of itself. Where keys have vanishing noise it tightens the
error instead, since only what is met with room to spare is met with probability tending to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self, final

import numpy as np

from headwright import arrays, balls, forms
from headwright.forms import FormulaError, Grid, Node, OutOfClass
from headwright.proofs.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim
from headwright.proofs.families.family import QueryFamily
from headwright.verdict import Proved, Refuted, Verdict

_BITS = (128, 512, 2048)


@final
@dataclass(frozen=True, eq=False)
class ServesKeys(Claim):
    """`trees` are queries in the `vectors` that they name; `keys` (n, d), the targets first; `epsilon` the tolerance."""

    family: QueryFamily
    trees: tuple[Node, ...]
    keys: np.ndarray
    vectors: Mapping[str, np.ndarray]
    epsilon: Fraction
    slack: Fraction = Fraction(0)
    kind: ClassVar[str] = "serves-keys"

    def __post_init__(self) -> None:
        self.settle()
        object.__setattr__(self, "keys", arrays.float64(self.keys, name="keys", ndim=2))
        n, d = self.keys.shape
        frozen = {name: arrays.float64(x, name=name, ndim=1) for name, x in self.vectors.items()}
        object.__setattr__(self, "vectors", MappingProxyType(frozen))
        if n < 2 or any(len(x) != d for x in frozen.values()) or {"keys", "n", "eps"} & {*frozen}:
            raise ValueError(f"`keys` must be two or more, and every vector as long as they are ({d})")
        if len(self.trees) != self.family.heads or not self.epsilon > 0 or not 0 <= self.slack < 1:
            raise ValueError("`trees` must be one for each head, `epsilon` positive and `slack` from 0 on and below 1")

    def sentence(self) -> str:
        names = ("q",) if self.family.heads == 1 else ("q1", "q2")
        shown = ", ".join(f"{name} = {forms.spelled(tree)}" for name, tree in zip(names, self.trees, strict=True))
        who = "the query gives" if self.family.heads == 1 else "the two heads have mean weights of"
        noise = ", with probability tending to 1 as the noise of the keys vanishes" if self.family.vanishing else ""
        given = f"at {len(self.keys)} given keys{self.family.demands()}"
        return f"{who} {self.family.wanted()}{noise}, {given}: {shown}"

    def scope(self) -> str:
        shown = f"error {arrays.show(self.family.error(self.epsilon))} (eps = {arrays.show(self.epsilon)})"
        rounding = f", up to rounding (one part in {1 / self.slack})" if self.slack else ""
        return f"{len(self.keys)} given keys, {shown}{rounding}"

    def judge(self) -> Verdict:
        for bits in _BITS:
            with balls.precision(bits):
                try:
                    queries = self.queries()
                except OutOfClass:
                    continue
                except FormulaError as fault:
                    return self._refuted({"fault": fault.message}, "the formula has no value there")
                if any(len(query) != self.keys.shape[1] or len(query[0]) != 1 for query in queries):
                    return self.undecided("a query is not a vector of the keys' dimension", "give vectors")
                found = self._judged(queries, bits)
            if found is not None:
                return found
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def queries(self) -> list[Grid]:
        """The queries as columns, at the precision in force; FormulaError or OutOfClass."""
        names: dict[str, Any] = {
            name: forms.column([Fraction(x) for x in v.tolist()]) for name, v in self.vectors.items()
        }
        values = {"n": Fraction(len(self.keys)), "eps": self.epsilon, **names}
        found = [forms.at_point(tree, values) for tree in self.trees]
        return [value if isinstance(value, tuple) else ((value,),) for value in found]

    def _judged(self, queries: list[Grid], bits: int) -> Verdict | None:
        if self.family.different:
            pairs = [(a, b) for (a,), (b,) in zip(*queries, strict=True)]
            if all(isinstance(a, Fraction) and isinstance(b, Fraction) and a == b for a, b in pairs):
                return self._refuted({"q1 - q2": "0"}, "comparison of all entries")
            gaps = [forms.ball(a) - forms.ball(b) for a, b in pairs]
            if not any(bool(gap > 0) or bool(gap < 0) for gap in gaps):
                return None
        method = f"scores and exponentials in balls of {bits} bits"
        short = self._short(queries[0])
        if short is None or isinstance(short, str):
            return None if short is None else self._refuted({"length": short}, method)
        least = []
        for length in self.family.lengths:
            weights = self.weights(queries, length)
            shown = {
                f"weight of {name}": f"{float(w.mid()):.6g}"
                for name, w in zip(self.family.basis, weights, strict=False)
            }
            least += [
                (part, {**({"c": str(length)} if len(self.family.lengths) > 1 else {}), **shown})
                for part in self._room(weights)
            ]
        for part, shown in least:
            if part < 0:
                return self._refuted(shown, method)
        if all(part > 0 if self.family.vanishing else part >= 0 for part, _ in least):
            return Proved(self.sentence(), scope=self.scope(), method=method, record=self)
        return None

    def weights(self, queries: list[Grid], length: Fraction) -> list[balls.Ball]:
        """Balls around the mean weights of all keys, the first of them at this length."""
        shares = []
        for query in queries:
            entries = [forms.ball(entry) for (entry,) in query]
            scores = [
                balls.total([balls.exact(k) * q for k, q in zip(row, entries, strict=True) if k])
                for row in self.keys.tolist()
            ]
            scores[0] = scores[0] * balls.exact(length)
            top = max(scores, key=lambda score: float(score.mid()))  # any shift of all scores will do
            powers = [(score - top).exp() for score in scores]
            shares.append([power / balls.total(powers) for power in powers])
        return [balls.total(list(column)) / len(shares) for column in zip(*shares, strict=True)]

    def _room(self, weights: list[balls.Ball]) -> list[balls.Ball]:
        """What must not be negative."""
        m, targets = self.family.targets, weights[: self.family.targets]
        if self.family.each:
            return [weight - balls.exact(1 / (m + self.epsilon * (1 + self.slack))) for weight in targets]
        error = self.family.error(self.epsilon)
        allowed = min(error * (1 - self.slack if self.family.vanishing else 1 + self.slack), (1 + error) / 2)
        above = [weight - balls.exact(Fraction(1, m) - allowed) for weight in targets]
        return [*above, balls.total(targets) - balls.exact(1 - allowed)]

    def _short(self, query: Grid) -> Literal[True] | str | None:
        """True where the query is certainly short enough, its length in words where it is too long, None where that is open."""
        if self.family.limit is None:
            return True
        square = balls.total([forms.ball(entry) ** 2 for (entry,) in query])
        most = (
            (1 + balls.exact(self.slack)) ** 2
            * balls.exact(self.family.limit)
            * balls.exact(len(self.keys) / self.epsilon).log() ** 2
        )
        if square <= most:
            return True
        return (
            f"{float(square.sqrt().mid()):.6g}, where {float(most.sqrt().mid()):.6g} is allowed"
            if square > most
            else None
        )

    def _refuted(self, shown: dict[str, str], method: str) -> Refuted:
        point = {"n": str(len(self.keys)), "eps": str(self.epsilon), **shown}
        return Refuted(self.sentence(), scope=self.scope(), counterexample=point, method=method, record=self)

    def arrays(self) -> dict[str, np.ndarray]:
        return {"keys": self.keys, **self.vectors}

    def fields(self) -> dict[str, Any]:
        return {
            "family": self.family.to_dict(),
            "queries": [forms.to_lists(tree) for tree in self.trees],
            "epsilon": str(self.epsilon),
            "slack": str(self.slack),
        }

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        numbers = (arrays.rational(fields[name], name=name) for name in ("epsilon", "slack"))
        trees = tuple(forms.from_lists(tree) for tree in fields["queries"])
        vectors = {name: array for name, array in stored.items() if name != "keys"}
        return cls(QueryFamily.from_dict(fields["family"]), trees, stored["keys"], vectors, *numbers)
