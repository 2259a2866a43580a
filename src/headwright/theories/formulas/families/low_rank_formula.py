"""Claim: a formula M in A and k has rank at most k-1 and ‖A - M‖₂ <= ‖A‖_F/√k, for every A, or at one given A.

For every A it is proved for the truncation: if M keeps only the k-1 largest singular values, then ‖A - M‖₂ = σ_k, and
k σ_k² <= σ_1² + … + σ_k² <= ‖A‖_F². At a given A the formula is evaluated in balls, and rank and distance are judged up to
10^-9·‖A‖_F. **Witnesses**: factors L (n, k-1), R (k-1, d) near M prove its rank, k directions that M keeps independent refute it,
and a vector that A - M stretches too far refutes the distance. ‖A - M‖₂² <= b if b·I - (A-M)ᵀ(A-M) = LDLᵀ has positive pivots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Verdict
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.at_numbers import ball_matrix, climbed, grid, matrix_at, shape
from headwright.theories.formulas.families.family import NO_FORM
from headwright.theories.formulas.forms import FormulaError, Grid, LogForm, Node, Range
from headwright.theories.formulas.forms.trees import Call, Name

ROUNDING = Fraction(1, 10**9)
_BITS = (192, 768)
_WITNESSES = ("left", "right", "directions", "stretched")


@final
@dataclass(frozen=True, eq=False)
class LowRankFormula(Claim):
    """The formula `tree` for M, in A and k, has rank at most k-1 and is within ‖A‖_F/√k of A in spectral norm.

    `matrix` (n, d) is A, or None for every A. `given` are further arrays that the formula names; the rest are witnesses.

    >>> from headwright.theories.formulas.forms.trees import Number, Sum
    >>> LowRankFormula(Call("svd_part", (Name("A"), Sum(((1, Name("k")), (-1, Number(Fraction(1)))))))).prove().status
    'proved'
    """

    tree: Node
    k: int | None = None
    matrix: np.ndarray | None = None
    given: Mapping[str, np.ndarray] = field(default_factory=dict)
    left: np.ndarray | None = None
    right: np.ndarray | None = None
    directions: np.ndarray | None = None
    stretched: np.ndarray | None = None
    kind: ClassVar[str] = "low-rank-formula"

    def __post_init__(self) -> None:
        self.settle(matrix="nd", given="pq", left="nr", right="rd", directions="dk", stretched="ds")
        shown = {name: x.shape for name in _WITNESSES if (x := getattr(self, name)) is not None}
        if (self.matrix is None) != (self.k is None) or (self.matrix is None and (self.given or shown)):
            raise ValueError("`matrix` and `k` must be given together, and arrays only beside them")
        if self.matrix is None or self.k is None:
            if not forms.names_in(self.tree) <= {"A", "k"}:
                raise ValueError("`formula` must use A and k")
            return
        n, d = self.matrix.shape
        if type(self.k) is not int or not 1 <= self.k <= min(n, d):
            raise ValueError(f"`k` must be from 1 to {min(n, d)}, got {self.k}")
        shapes = {"left": (n, self.k - 1), "right": (self.k - 1, d), "directions": (d, self.k), "stretched": (d, 1)}
        if any(shapes[name] != shape for name, shape in shown.items()):
            raise ValueError("a witness must have the shape that goes with the matrix")
        if {"A", "k", "matrix", *_WITNESSES} & {*self.given}:
            raise ValueError("`given` must have names of its own")

    def sentence(self) -> str:
        said, far = "has rank at most k-1", "‖A‖_F/√k"
        if self.k is not None:
            said, far = f"is within 10^-9·‖A‖_F of rank at most k-1 = {self.k - 1}", f"(1 + 10^-9)·{far}"
        return f"M {said} and ‖A - M‖₂ <= {far}: M = {forms.spelled(self.tree)}"

    def scope(self) -> str:
        if self.matrix is None:
            return "all matrices A and all k, by the singular value decomposition"
        n, d = self.matrix.shape
        return f"one A, {n}×{d}, k = {self.k}; rank and distance up to 10^-9·‖A‖_F"

    def judge(self) -> Verdict:
        if self.matrix is not None:
            return climbed(self, self._judged, _BITS)
        if not self._truncates():
            return self.undecided("no rule proves this formula for every A", "judge it at one A")
        return self.proved(method="two inequalities between singular values")

    def value(self) -> Grid:
        """M at the given A, at the precision in force; FormulaError or OutOfClass."""
        assert self.matrix is not None
        assert self.k is not None
        return matrix_at(self.tree, {"A": self.matrix, **self.given}, {"k": Fraction(self.k)}, size=len(self.matrix))

    def _truncates(self) -> bool:
        """Whether this is svd_part(A, r) with r = k-1, however that is written."""
        match self.tree:
            case Call("svd_part", (Name("A"), rank)):
                ranges = {"k": Range(1, closed=True)}
                try:
                    kept = forms.number_of(rank, ranges)
                except (FormulaError, *NO_FORM):
                    return False
                return (kept - (LogForm.symbol("k") - 1)).is_zero() and forms.defined(kept, ranges)
        return False

    def _judged(self) -> Verdict | None:
        assert self.matrix is not None
        assert self.k is not None
        value, (n, d) = self.value(), self.matrix.shape
        if shape(value) != (n, d):
            point = {"M": f"{len(value)}×{len(value[0])}, where A is {n}×{d}"}
            return self.refuted(counterexample=point, method="the shapes")
        a, m = ball_matrix(grid(self.matrix)), ball_matrix(value)
        whole, apart = (a * a).sum(), a - m
        ranked = self._ranked(m, balls.exact(ROUNDING) ** 2 * whole)
        if ranked is False:
            point = {"directions that M keeps apart": str(self.k)}
            return self.refuted(counterexample=point, method="positive pivots in balls")
        allowed = whole / self.k * balls.exact(1 + ROUNDING) ** 2
        if self.stretched is not None:
            x = ball_matrix(grid(self.stretched))
            image = apart @ x
            if (image * image).sum() > allowed * (x * x).sum():
                return self.refuted(counterexample={"x": self.stretched[:, 0]}, method="‖(A - M)x‖ in balls")
        if ranked and _is_positive(np.diag(np.array([allowed] * d, dtype=object)) - apart.T @ apart):
            return self.proved(method="positive pivots in balls")
        return None

    def _ranked(self, m: np.ndarray, small: balls.Ball) -> bool | None:
        """Whether M is within √small of rank k-1: by factors near it, or by k directions it keeps apart."""
        near = m if self.k == 1 else None
        if self.left is not None and self.right is not None and self.k != 1:
            near = m - ball_matrix(grid(self.left)) @ ball_matrix(grid(self.right))
        if near is not None and (near * near).sum() <= small:
            return True
        if self.directions is not None:
            own = ball_matrix(grid(self.directions))
            image = m @ own
            if _is_positive(image.T @ image - small * (own.T @ own)):
                return False
        return None


def _is_positive(symmetric: np.ndarray) -> bool:
    """True only when all pivots of LDLᵀ are positive: then xᵀSx > 0 for all x but 0."""
    left = symmetric.copy()
    for j in range(len(left)):
        if not left[j, j] > 0:
            return False
        for i in range(j + 1, len(left)):
            left[i] = left[i] - left[i, j] / left[j, j] * left[j]
    return True
