"""Claim: a formula M in A and k has rank at most k-1 and ‖A - M‖₂ <= ‖A‖_F/√k, for every A, or at one given A.

For every A it is proved of the truncation: with all but the k-1 largest singular values left out, ‖A - M‖₂ = σ_k, and
k σ_k² <= σ_1² + … + σ_k² <= ‖A‖_F². At a given A the formula is evaluated in balls, and rank and distance are judged up to
10^-9·‖A‖_F. **Witnesses**: factors L (n, k-1), R (k-1, d) near M for its rank, k directions that M keeps apart against it, and a
vector that A - M stretches too far. ‖A - M‖₂² <= b holds where b·I - (A-M)ᵀ(A-M) = LDLᵀ has positive pivots only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, final

import numpy as np

from headwright import arrays, balls, forms
from headwright.forms import FormulaError, Grid, LogForm, Node, OutOfClass, Range
from headwright.forms.trees import Call, Name
from headwright.proofs.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim
from headwright.proofs.families.family import NO_FORM
from headwright.verdict import Proved, Refuted, Verdict

ROUNDING = Fraction(1, 10**9)
_BITS = (192, 768)
_WITNESSES = ("left", "right", "directions", "stretched")
_Rows = list[list[balls.Ball]]


@final
@dataclass(frozen=True, eq=False)
class LowRankFormula(Claim):
    """`tree` is M in `A` and k; `matrix` (n, d) is A, None for every A; `given` are further arrays that the formula names."""

    tree: Node
    k: int | None = None
    matrix: np.ndarray | None = None
    given: Mapping[str, np.ndarray] | None = None
    witness: Mapping[str, np.ndarray] | None = None
    kind: ClassVar[str] = "low-rank-formula"

    def __post_init__(self) -> None:
        self.settle()
        if (self.matrix is None) != (self.k is None) or (self.matrix is None and (self.given or self.witness)):
            raise ValueError("`matrix` and `k` must be given together, and arrays only beside them")
        if self.matrix is None:
            if not forms.names_in(self.tree) <= {"A", "k"}:
                raise ValueError("`formula` must use A and k")
            return
        object.__setattr__(self, "matrix", arrays.float64(self.matrix, name="matrix", ndim=2))
        for name in ("given", "witness"):
            kept = {key: arrays.float64(x, name=key, ndim=2) for key, x in (getattr(self, name) or {}).items()}
            object.__setattr__(self, name, kept)
        if type(self.k) is not int or not 1 <= self.k <= min(self.matrix.shape):
            raise ValueError(f"`k` must be from 1 to {min(self.matrix.shape)}, got {self.k}")
        n, d = self.matrix.shape
        shapes = {"left": (n, self.k - 1), "right": (self.k - 1, d), "directions": (d, self.k), "stretched": (d, 1)}
        if any(name not in shapes or x.shape != shapes[name] for name, x in (self.witness or {}).items()):
            raise ValueError("`witness` must have arrays of the shapes that go with the matrix")
        if {"A", "k", "matrix", *_WITNESSES} & {*(self.given or {})}:
            raise ValueError("`given` must have names of its own")

    def sentence(self) -> str:
        where = "" if self.k is None else f" = {self.k - 1}"
        return f"M has rank at most k-1{where} and ‖A - M‖₂ <= ‖A‖_F/√k: M = {forms.spelled(self.tree)}"

    def scope(self) -> str:
        if self.matrix is None:
            return "all matrices A and all k, by the singular value decomposition"
        n, d = self.matrix.shape
        return f"one A, {n}×{d}, k = {self.k}; rank and distance up to 10^-9·‖A‖_F"

    def judge(self) -> Verdict:
        if self.matrix is None:
            if not self._truncates():
                return self.undecided("no rule proves this formula for every A", "look at one A")
            method = "two inequalities between singular values"
            return Proved(self.sentence(), scope=self.scope(), method=method, record=self)
        for bits in _BITS:
            with balls.precision(bits):
                try:
                    found = self._at(self.value())
                except OutOfClass:
                    continue
                except FormulaError as fault:
                    return self._refuted({"fault": fault.message}, "the formula has no value there")
            if found is not None:
                return found
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def value(self) -> Grid:
        """M at the given A, at the precision in force; FormulaError or OutOfClass."""
        assert self.matrix is not None
        assert self.k is not None
        arrays_named = {"A": self.matrix, **(self.given or {})}
        values: dict[str, Any] = {name: grid(x) for name, x in arrays_named.items()}
        found = forms.at_point(self.tree, {**values, "k": Fraction(self.k)}, size=len(self.matrix))
        return found if isinstance(found, tuple) else ((found,),)

    def _truncates(self) -> bool:
        """Whether this is svd_part(A, r) with r = k-1, however that is written."""
        match self.tree:
            case Call("svd_part", (Name("A"), rank)):
                try:
                    kept = forms.number_of(rank, {"k": Range(1, closed=True)})
                except (FormulaError, *NO_FORM):
                    return False
                return (kept - (LogForm.symbol("k") - 1)).is_zero() and forms.defined(
                    kept, {"k": Range(1, closed=True)}
                )
        return False

    def _at(self, value: Grid) -> Verdict | None:
        assert self.matrix is not None
        assert self.k is not None
        n, d = self.matrix.shape
        if (len(value), len(value[0])) != (n, d):
            return self._refuted({"M": f"{len(value)}×{len(value[0])}, where A is {n}×{d}"}, "the shapes")
        a, m = _balls(grid(self.matrix)), _balls(value)
        whole = balls.total([x * x for row in a for x in row])
        small = balls.exact(ROUNDING) ** 2 * whole
        ranked = self._ranked(m, small)
        if ranked is False:
            return self._refuted({"directions that M keeps apart": str(self.k)}, "positive pivots in balls")
        apart = _minus(a, m)
        allowed = whole / self.k * balls.exact(1 + ROUNDING) ** 2
        gram = _product(_turned(apart), apart)
        room = [[(allowed if i == j else 0) - x for j, x in enumerate(row)] for i, row in enumerate(gram)]
        x = (self.witness or {}).get("stretched")
        if x is not None:
            column = _balls(grid(x))
            stretched, length = (_product(_turned(v), v)[0][0] for v in (_product(apart, column), column))
            if stretched > allowed * length:
                return self._refuted({"x": np.asarray(x[:, 0])}, "‖(A - M)x‖ in balls")
        if ranked and _is_positive(room):
            return Proved(self.sentence(), scope=self.scope(), method="positive pivots in balls", record=self)
        return None

    def _ranked(self, m: _Rows, small: balls.Ball) -> bool | None:
        """Whether M is within √small of rank k-1: by factors near it, or by k directions it keeps apart."""
        shown = {name: _balls(grid(x)) for name, x in (self.witness or {}).items()}
        if self.k == 1 or {"left", "right"} <= {*shown}:
            near = _minus(m, _product(shown["left"], shown["right"])) if self.k != 1 else m
            if balls.total([x * x for row in near for x in row]) <= small:
                return True
        if "directions" in shown:
            image, own = _product(m, shown["directions"]), shown["directions"]
            left = [
                [x - small * y for x, y in zip(p, q, strict=True)]
                for p, q in zip(_gram(image), _gram(own), strict=True)
            ]
            if _is_positive(left):
                return False
        return None

    def _refuted(self, point: dict[str, Any], method: str) -> Refuted:
        return Refuted(self.sentence(), scope=self.scope(), counterexample=point, method=method, record=self)

    def arrays(self) -> dict[str, np.ndarray]:
        own = {} if self.matrix is None else {"matrix": self.matrix}
        return {**own, **(self.given or {}), **(self.witness or {})}

    def fields(self) -> dict[str, Any]:
        return {"formula": forms.to_lists(self.tree), "k": self.k}

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        witness = {name: stored[name] for name in _WITNESSES if name in stored}
        given = {name: x for name, x in stored.items() if name != "matrix" and name not in witness}
        return cls(forms.from_lists(fields["formula"]), fields["k"], stored.get("matrix"), given, witness)


def grid(array: np.ndarray) -> Grid:
    """A float64 matrix as exact rationals."""
    return tuple(tuple(Fraction(x) for x in row) for row in array.tolist())


def _balls(value: Grid) -> _Rows:
    return [[forms.ball(x) for x in row] for row in value]


def _turned(a: _Rows) -> _Rows:
    return [list(column) for column in zip(*a, strict=True)]


def _minus(a: _Rows, b: _Rows) -> _Rows:
    return [[x - y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


def _product(a: _Rows, b: _Rows) -> _Rows:
    columns = _turned(b)
    return [[balls.total([x * y for x, y in zip(row, column, strict=True)]) for column in columns] for row in a]


def _gram(a: _Rows) -> _Rows:
    return _product(_turned(a), a)


def _is_positive(symmetric: _Rows) -> bool:
    """True only when all pivots of LDLᵀ are positive: then xᵀSx > 0 for all x but 0."""
    left = [list(row) for row in symmetric]
    for j in range(len(left)):
        if not left[j][j] > 0:
            return False
        for i in range(j + 1, len(left)):
            factor = left[i][j] / left[j][j]
            left[i] = [x - factor * y for x, y in zip(left[i], left[j], strict=True)]
    return True
