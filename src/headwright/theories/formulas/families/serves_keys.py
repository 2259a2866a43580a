"""Claim: queries given by formulas, or by numbers, do what their family asks at given keys.

The formulas are evaluated in balls (`forms/points.py`), with the number of keys for n, the tolerance for ε, and a given vector
for every name. The scores are the exact products with the keys. Numbers from outside are rounded, and an answer meant to reach a
limit exactly may miss it by a rounding, so `slack` relaxes every limit by that fraction. For keys with vanishing noise `slack`
tightens the error instead, since only an error that is met strictly is met with probability tending to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Verdict
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.at_numbers import climbed, matrix_at, shape, softmax
from headwright.theories.formulas.families.family import QueryFamily
from headwright.theories.formulas.families.members import too_long
from headwright.theories.formulas.families.weights import room
from headwright.theories.formulas.forms import Grid, Node

_BITS = (128, 512, 2048)


@final
@dataclass(frozen=True, eq=False)
class ServesKeys(Claim):
    """The queries `trees` do what `family` asks, at these `keys` (n, d), the targets first, and tolerance `epsilon`.

    `vectors` are those that the trees name.

    >>> import numpy as np, headwright as hw
    >>> hw.problems.check("A.1a", {"q": 9 * np.eye(10)[0]}).record.kind
    'serves-keys'
    """

    family: QueryFamily
    trees: tuple[Node, ...]
    keys: np.ndarray
    vectors: Mapping[str, np.ndarray]
    epsilon: Fraction
    slack: Fraction = Fraction(0)
    kind: ClassVar[str] = "serves-keys"

    def __post_init__(self) -> None:
        self.settle(keys="nd", vectors="d")
        n, d = self.keys.shape
        if n < 2 or any(len(x) != d for x in self.vectors.values()) or {"keys", "n", "eps"} & {*self.vectors}:
            raise ValueError(f"`keys` must be two or more, and every vector as long as they are ({d})")
        if len(self.trees) != self.family.heads or not self.epsilon > 0 or not 0 <= self.slack < 1:
            raise ValueError("`trees` must be one for each head, `epsilon` positive and `slack` at least 0 and below 1")

    def sentence(self) -> str:
        return f"{self.family.claimed(f'at {len(self.keys)} given keys')}: {self.family.spelled(self.trees)}"

    def scope(self) -> str:
        shown = f"error {inputs.show(self.family.error(self.epsilon))} (eps = {inputs.show(self.epsilon)})"
        rounding = f", up to rounding (one part in {1 / self.slack})" if self.slack else ""
        return f"{len(self.keys)} given keys, {shown}{rounding}"

    def judge(self) -> Verdict:
        return climbed(self, self._judged, _BITS)

    def queries(self) -> list[Grid]:
        """The queries as columns, at the precision in force; FormulaError or OutOfClass."""
        symbols = {"n": Fraction(len(self.keys)), "eps": self.epsilon}
        return [matrix_at(tree, self.vectors, symbols) for tree in self.trees]

    def _judged(self) -> Verdict | None:
        queries, method = self.queries(), "scores and exponentials in balls"
        if any(shape(query) != (self.keys.shape[1], 1) for query in queries):
            return self.undecided("a query is not a vector of the keys' dimension", "give vectors")
        if self.family.different:
            pairs = [(a, b) for (a,), (b,) in zip(*queries, strict=True)]
            if all(isinstance(a, Fraction) and isinstance(b, Fraction) and a == b for a, b in pairs):
                return self.refuted(counterexample={"q1 - q2": "0"}, method="comparison of all entries")
            gaps = [forms.ball(a) - forms.ball(b) for a, b in pairs]
            if not any(bool(gap > 0) or bool(gap < 0) for gap in gaps):
                return None
        entries = [forms.ball(entry) for (entry,) in queries[0]]
        long = too_long(self.family, entries, len(self.keys), self.epsilon, self.slack)
        if long is not False:
            return self._failing({"length": long}, method) if long else None
        parts = []
        for length in self.family.lengths:
            weights = self.weights(queries, length)[: self.family.targets]
            parts += room(self.family, weights, self.epsilon, self.slack)
            if any(part < 0 for part in parts):
                named = zip(self.family.basis, weights, strict=True)
                shown = {f"weight of {name}": f"{float(w.mid()):.6g}" for name, w in named}
                return self._failing({**({"c": str(length)} if len(self.family.lengths) > 1 else {}), **shown}, method)
        if all(part > 0 if self.family.vanishing else part >= 0 for part in parts):
            return self.proved(method=method)
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
            shares.append(softmax(scores))
        return [balls.total(list(column)) / len(shares) for column in zip(*shares, strict=True)]

    def _failing(self, shown: dict[str, str], method: str) -> Verdict:
        point = {"n": str(len(self.keys)), "eps": str(self.epsilon), **shown}
        return self.refuted(counterexample=point, method=method)
