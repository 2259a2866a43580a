"""Claim: a matrix formula reads v_a out of s(v_a + v_b) for all bases of every size, as the rules about the bases allow.

Columns: M·s(v_a + v_b) = v_a for all v_a in span(A), v_b in span(B) if and only if M A = A/s and M B = 0. Rows: Aᵀ M = Aᵀ/s and
Bᵀ M = 0. A formula in A, Aᵀ, B, … is a sum of words (`matrix_forms.py`), and the rules AᵀB = 0 and, for orthonormal columns,
AᵀA = I and BᵀB = I rewrite words. Where nothing is left of the differences, the claim holds for all bases that obey the rules.
**Witness** of a refutation: bases that obey the rules exactly, at which M has the wrong shape or a difference is not zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self, final

import numpy as np

from headwright import arrays, balls, forms
from headwright.forms import FormulaError, Node, OutOfClass
from headwright.forms.trees import Name, Number, Product, Sum, Transposed
from headwright.proofs.claim import Claim
from headwright.proofs.families.family import NO_FORM
from headwright.proofs.families.low_rank_formula import grid
from headwright.verdict import Proved, Refuted, Verdict

_BITS = (128, 1024)


@final
@dataclass(frozen=True, eq=False)
class ReadsOutAlways(Claim):
    """`tree` is M in the bases `first` and `second`, as columns; `share` is s; with `rows` M acts on rows, from the right.

    `given` are two bases, by name, at which it fails, and further arrays that the formula names.
    """

    tree: Node
    first: str
    second: str
    share: Fraction
    rows: bool
    orthonormal: bool
    given: Mapping[str, np.ndarray] | None = None
    kind: ClassVar[str] = "reads-out-always"

    def __post_init__(self) -> None:
        self.settle()
        names = {forms.plain_name(self.first), forms.plain_name(self.second)}
        if len(names) < 2 or not self.share > 0 or "M" in names:
            raise ValueError("`first` and `second` must be two names other than M, and `share` positive")
        if not all(type(x) is bool for x in (self.rows, self.orthonormal)):
            raise TypeError("`rows` and `orthonormal` must be booleans")
        kept = {name: arrays.float64(x, name=name, ndim=2) for name, x in (self.given or {}).items()}
        object.__setattr__(self, "given", kept)
        if kept and not ({self.first, self.second} <= {*kept} and self._obeyed()):
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
            return self._at_bases()
        if not self._holds():
            return self.undecided(
                "no rule proves it for all bases", "write M with the bases, their transposes, inverses and I"
            )
        method = "words in the matrices, rewritten until none of the rules applies"
        return Proved(self.sentence(), scope=self.scope(), method=method, record=self)

    def _obeyed(self) -> bool:
        """Whether the bases given span orthogonal spaces, and have independent or orthonormal columns, exactly."""
        assert self.given is not None
        a, b = (grid(self.given[name]) for name in (self.first, self.second))
        if len(a) != len(b) or len(a[0]) + len(b[0]) > len(a):
            return False
        own = [[_dot(x, y) for y in zip(*basis, strict=True)] for basis in (a, b) for x in zip(*basis, strict=True)]
        grams = own[: len(a[0])], own[len(a[0]) :]
        apart = all(_dot(x, y) == 0 for x in zip(*a, strict=True) for y in zip(*b, strict=True))
        if self.orthonormal:
            return apart and all(
                x == (i == j) for gram in grams for i, row in enumerate(gram) for j, x in enumerate(row)
            )
        return apart and all(balls.rational_inverse(gram) is not None for gram in grams)

    def _at_bases(self) -> Verdict:
        assert self.given is not None
        values: dict[str, Any] = {name: grid(x) for name, x in self.given.items()}
        d = len(self.given[self.first])
        for bits in _BITS:
            with balls.precision(bits):
                try:
                    matrix = forms.at_point(self.tree, values, size=d)
                    if not isinstance(matrix, tuple) or (len(matrix), len(matrix[0])) != (d, d):
                        return self._refuted(
                            {"M": forms.described(matrix), "wanted": f"a {d}×{d} matrix"}, "the shapes"
                        )
                    for name, tree in zip((self.first, self.second), self._differences(), strict=True):
                        left = forms.at_point(tree, {**values, "M": matrix})
                        off = left if isinstance(left, tuple) else ((left,),)
                        wrong = [
                            k
                            for k, entries in enumerate(off if self.rows else zip(*off, strict=True))
                            if any(x > 0 or x < 0 for x in entries)
                        ]
                        if wrong:
                            return self._refuted(
                                {"value": f"column {wrong[0] + 1} of {name}", "vector": self.given[name][:, wrong[0]]},
                                "the products, exactly or in balls",
                            )
                except OutOfClass:
                    continue
                except FormulaError as fault:
                    return self._refuted({"fault": fault.message}, "the formula has no value there")
        return self.undecided("the formula does not certainly fail at these bases", "look at other bases")

    def _refuted(self, point: dict[str, Any], method: str) -> Refuted:
        assert self.given is not None
        (d, m), p = self.given[self.first].shape, self.given[self.second].shape[1]
        scope = f"the claim in general; it fails at {m} and {p} columns in {d} dimensions"
        under = None
        if not self.orthonormal and replace(self, orthonormal=True, given=None)._holds():
            under = f"the columns of {self.first}, and those of {self.second}, are orthonormal"
        return Refuted(self.sentence(), scope=scope, counterexample=point, holds_when=under, method=method, record=self)

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

        def applied(name: str) -> tuple[Node, Node]:
            base: Node = Transposed(Name(name)) if self.rows else Name(name)
            pair = (base, Name("M")) if self.rows else (Name("M"), base)
            return Product(tuple((1, factor) for factor in pair)), base

        (first, base), (second, _) = applied(self.first), applied(self.second)
        return Sum(((1, first), (-1, Product(((1, Number(1 / self.share)), (1, base)))))), second

    def arrays(self) -> dict[str, np.ndarray]:
        return dict(self.given or {})

    def fields(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in ("first", "second", "rows", "orthonormal")}
        return {**own, "matrix": forms.to_lists(self.tree), "share": str(self.share)}

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        first, second = str(fields["first"]), str(fields["second"])
        share = arrays.rational(fields["share"], name="share")
        return cls(
            forms.from_lists(fields["matrix"]),
            first,
            second,
            share,
            fields["rows"],
            fields["orthonormal"],
            dict(stored),
        )


def _dot(x: tuple[Any, ...], y: tuple[Any, ...]) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))
