"""Claim: a query's output equals (v_i + v_j)/2 exactly, for all values; or, that no query has this output.

Softmax gives every key a positive weight. With a third key, values that are 1 on it and 0 elsewhere change the output, so no
finite query works for n >= 3. For n = 2 the weights are one half each if and only if the scores are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Counterexample, Verdict
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.at_numbers import matrix_at, shape
from headwright.theories.formulas.families.family import EVERYWHERE, NO_FORM
from headwright.theories.formulas.families.regions import Count, spelled
from headwright.theories.formulas.forms import FormulaError, Node

_BITS = 512
_POINT = {**dict.fromkeys(EVERYWHERE, Fraction(3, 2)), "eps": Fraction(1, 2), "n": Fraction(2)}


@final
@dataclass(frozen=True, eq=False)
class ExactAverage(Claim):
    """The query `tree` averages the two orthonormal keys `basis` exactly, at `n` keys (None: all n >= 2).

    Without a tree: no query does (`n` None: at all n >= 3).

    >>> ExactAverage(("a", "b"), None, None).prove().scope
    'all n >= 3, keys and finite queries, by exp > 0'
    """

    basis: tuple[str, ...]
    tree: Node | None
    n: Count | None
    kind: ClassVar[str] = "exact-average"

    def __post_init__(self) -> None:
        self.settle()
        names = {forms.plain_name(name) for name in self.basis}
        if len(self.basis) != 2 or len(names) < 2 or names & {*EVERYWHERE}:
            raise ValueError("`basis` must be two names of vectors")
        if self.tree is not None and not forms.names_in(self.tree) <= names | {*EVERYWHERE}:
            raise ValueError("`query` must use the names of the basis, n, eps and large symbols")
        if self.n is not None and (type(self.n) is not int or self.n < 2):
            raise ValueError("`n` must be a whole number of at least 2, or None")

    def sentence(self) -> str:
        if self.tree is None:
            sizes = "n >= 3 keys" if self.n is None else f"{spelled(self.n)} keys"
            return f"no finite query over {sizes} has an output equal to (v_i + v_j)/2 for all values"
        where = "for every n >= 2" if self.n is None else f"n = {spelled(self.n)}"
        where += ", for keys that are the unit vectors" if self._has_array else ""
        names = " and ".join(self.basis)
        return f"the query gives exactly one half on each of {names}, {where}: q = {forms.spelled(self.tree)}"

    @property
    def _has_array(self) -> bool:
        """An array holds coordinates, and the keys are the unit vectors of dimension 2 where one stands."""
        return self.tree is not None and any(isinstance(part, forms.Array) for part in forms.below(self.tree))

    def judge(self) -> Verdict:
        if self.tree is None:
            if self.n == 2:
                point: Counterexample = {"n": 2, "q": np.zeros(2)}
                return self.refuted(scope="n = 2", counterexample=point, method="equal scores have equal weights")
            sizes = "all n >= 3, keys and finite queries" if self.n is None else f"n = {spelled(self.n)}"
            return self.proved(scope=f"{sizes}, by exp > 0", method="exp > 0")
        alike = self._alike(self.tree)
        if self.n != 2:
            return self.refuted(
                scope="the claim for all n >= 2" if self.n is None else f"n = {spelled(self.n)}",
                counterexample={"n": spelled(self.n or 3), "values": "1 on the third key, 0 on all others"},
                holds_when="n = 2" if alike is True and self.n is None else None,
                method="exp > 0",
            )
        if alike is True:
            return self.proved(scope="n = 2", method="equal scores")
        if not isinstance(alike, dict):
            return self.undecided("the scores may or may not be equal", "use a simpler formula")
        return self.refuted(scope="n = 2", counterexample={"n": "2", **alike}, method="scores that differ")

    def _alike(self, at_any_n: Node) -> Literal[True] | dict[str, str] | None:
        """For n = 2: True if the two scores are certainly equal; a point at which they differ; None if that is open."""
        tree = forms.with_numbers(at_any_n, {"n": Fraction(2)})
        try:
            query = forms.vector_on(tree, self.basis, EVERYWHERE)
            gap = query[self.basis[0]] - query[self.basis[1]]
            if gap.is_zero() and forms.defined(gap, EVERYWHERE):
                return True
        except FormulaError as fault:
            return {"fault": f"At n = 2 the formula has no value: {fault.message}"}
        except NO_FORM:
            pass
        return self._at_point(tree)

    def _at_point(self, tree: Node) -> Literal[True] | dict[str, str] | None:
        used = {name: value for name, value in _POINT.items() if name in forms.names_in(tree)}
        with balls.precision(_BITS):
            try:
                query = matrix_at(tree, dict(zip(self.basis, np.eye(2), strict=True)), _POINT)
            except (FormulaError, *NO_FORM):
                return None
            if shape(query) != (2, 1):
                return None
            gap = query[0][0] - query[1][0]
            # Without an array these are only some of all orthonormal keys, and other keys may have other scores.
            if self._has_array and not used and isinstance(gap, Fraction) and gap == 0:
                return True
            if gap > 0 or gap < 0:
                difference = f"{float(forms.ball(gap).mid()):.4g}"
                return {**{name: str(value) for name, value in used.items()}, "difference of the scores": difference}
        return None
