"""Claim: a matrix formula reads v_a out of s(v_a + v_b) for all bases, of every size, that obey given rules.

Columns: M·s(v_a + v_b) = v_a for all v_a in span(A), v_b in span(B) if and only if M A = A/s and M B = 0. Rows: Aᵀ M = Aᵀ/s and
Bᵀ M = 0. A formula in A, Aᵀ, B, … is a sum of words (`matrix_forms.py`), and the rules AᵀB = 0 and, for orthonormal columns,
AᵀA = I and BᵀB = I rewrite words. If the differences reduce to nothing, the claim holds for all bases that obey the rules.
**Witness** of a refutation: bases that obey the rules exactly, at which M has the wrong shape or a difference is not zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Counterexample, Refuted, Verdict
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.at_numbers import climbed, grid, matrix_at, shape
from headwright.theories.formulas.families.family import NO_FORM
from headwright.theories.formulas.forms import FormulaError, Node, OutOfClass
from headwright.theories.formulas.forms.trees import Name, Number, Product, Sum, Transposed

_BITS = (128, 1024)
_M = Name("M")


@final
@dataclass(frozen=True, eq=False)
class ReadsOutAlways(Claim):
    """The formula `tree` for M reads span(`first`) out of `share` times sums with span(`second`), for all bases as columns.

    With `rows`, M acts on rows, from the right. `given` are two bases, by name, at which it fails, and further arrays that the
    formula names.

    >>> ReadsOutAlways(Product(((1, Name("A")), (1, Transposed(Name("A"))))), "A", "B", Fraction(1), False, True).prove().status
    'proved'

    """

    tree: Node
    first: str
    second: str
    share: Fraction
    rows: bool
    orthonormal: bool
    given: Mapping[str, np.ndarray] = field(default_factory=dict)
    kind: ClassVar[str] = "reads-out-always"

    def __post_init__(self) -> None:
        self.settle(given="rc")
        names = {forms.plain_name(self.first), forms.plain_name(self.second)}
        if len(names) < 2 or not self.share > 0 or "M" in names:
            raise ValueError("`first` and `second` must be two names other than M, and `share` positive")
        if not all(type(x) is bool for x in (self.rows, self.orthonormal)):
            raise TypeError("`rows` and `orthonormal` must be booleans")
        if self.given and not ({self.first, self.second} <= {*self.given} and self._obeyed()):
            raise ValueError("`given` must have two bases that obey the rules exactly")

    def sentence(self) -> str:
        a, b, part = self.first, self.second, "" if self.share == 1 else f"{self.share} "
        what = f"{part}(v + w) M = v" if self.rows else f"M {part}(v + w) = v"
        return f"{what} for all v in the span of {a} and w in the span of {b}: M = {forms.spelled(self.tree)}"

    def scope(self) -> str:
        kind = "orthonormal columns" if self.orthonormal else "independent columns"
        return f"all {kind} that span orthogonal spaces, of every size and dimension, by algebra"

    def judge(self) -> Verdict:
        if self.given:
            verdict = climbed(self, self._at_bases, _BITS)
            unseen = "the formula does not certainly fail at these bases"
            return verdict if isinstance(verdict, Refuted) else self.undecided(unseen, "try other bases")
        if not self._holds():
            return self.undecided(
                "no rule proves it for all bases", "write M with the bases, their transposes, inverses and I"
            )
        method = "words in the matrices, rewritten until none of the rules applies"
        return self.proved(method=method)

    def _obeyed(self) -> bool:
        """Whether the given bases exactly span orthogonal spaces and have independent or orthonormal columns."""
        a, b = (np.array(grid(self.given[name]), dtype=object) for name in (self.first, self.second))
        if len(a) != len(b) or a.shape[1] + b.shape[1] > len(a) or (a.T @ b).any():
            return False
        grams = (a.T @ a, b.T @ b)
        if self.orthonormal:
            return all(bool((gram == np.eye(len(gram), dtype=int)).all()) for gram in grams)
        return all(balls.rational_inverse(gram.tolist()) is not None for gram in grams)

    def _at_bases(self) -> Verdict | None:
        d = len(self.given[self.first])
        matrix = matrix_at(self.tree, self.given, size=d)
        if shape(matrix) != (d, d):
            point = {"M": forms.described(matrix), "wanted": f"a {d}×{d} matrix"}
            return self.refuted(counterexample=point, method="the shapes")
        for name, tree in zip((self.first, self.second), self._differences(), strict=True):
            off = matrix_at(tree, self.given, {"M": matrix})
            for k, entries in enumerate(off if self.rows else zip(*off, strict=True)):
                if any(x > 0 or x < 0 for x in entries):
                    column: Counterexample = {"value": f"column {k + 1} of {name}", "vector": self.given[name][:, k]}
                    return self.refuted(counterexample=column, method="the products, exactly or in balls")
        return None

    def refuted(self, *, counterexample: Counterexample, **facts: Any) -> Refuted:
        (d, m), p = self.given[self.first].shape, self.given[self.second].shape[1]
        scope = f"the claim in general; it fails at {m} and {p} columns in {d} dimensions"
        under = None
        if not self.orthonormal and replace(self, orthonormal=True, given={})._holds():
            under = f"the columns of {self.first}, and those of {self.second}, are orthonormal"
        return super().refuted(counterexample=counterexample, scope=scope, holds_when=under, **facts)

    def _holds(self) -> bool:
        a, b = self.first, self.second
        rules = forms.Rules(
            {a: ("d", "m"), b: ("d", "p")},
            identities=(f"{a}'*{a}", f"{b}'*{b}") if self.orthonormal else (),
            zeros=(f"{a}'*{b}",),
            independent=(a, b),
        )
        try:
            matrix = forms.in_words(self.tree, rules)
            if matrix.shape not in ((None, None), ("d", "d")):
                raise OutOfClass("M is not square")
            return all(forms.in_words(tree, rules, {"M": matrix}).is_zero() for tree in self._differences())
        except (FormulaError, *NO_FORM):
            return False

    def _differences(self) -> tuple[Node, Node]:
        """What must be zero: M A - A/s and M B, or AᵀM - Aᵀ/s and BᵀM."""

        a, b = (Transposed(Name(name)) if self.rows else Name(name) for name in (self.first, self.second))
        first, second = (Product(((1, x), (1, _M)) if self.rows else ((1, _M), (1, x))) for x in (a, b))
        return Sum(((1, first), (-1, Product(((1, Number(1 / self.share)), (1, a)))))), second
