"""Readout: a matrix that reads one part out of a sum, used like the array it is, with what is proved of it.

NumPy sees an array: M @ c, np.asarray(M), M.T, M[0], 2 * M and np.allclose(M, …) all work and give plain arrays. Column vectors
are read by M @ c, the rows of an array C (n, d) by C @ M.T; the two conventions M c and c M differ by a transpose, which does
nothing only where the spans are orthogonal.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from headwright.kernel import balls, exact_inputs, inputs
from headwright.kernel.frozen import computed_once, lending
from headwright.kernel.shown import Shown
from headwright.kernel.verdict import Verdict
from headwright.theories.matrices.reads_out import ReadsOut


@exact_inputs.own
@final
@lending("matrix", "basis", "against", "inverse")
@dataclass(frozen=True, eq=False, repr=False)
class Readout(NDArrayOperatorsMixin, Shown):
    """`matrix` (d, d) with matrix @ (share * (v_a + v_b)) = v_a for v_a in span(`basis`), v_b in span(`against`).

    - `condition`: of all columns together, each scaled to length 1, dependent ones left out. 1 when all are orthogonal; the
      matrix is sensitive to changes of the columns by about this factor.
    - `norm`: the largest factor by which an error in c is magnified; 1/share for orthogonal spans, more the nearer they come.
    - `residual`, `verdict`: proved on first access from the exact values of all numbers. The error of M @ c is at most
      `residual` · (Σ |x_j| ‖a_j‖ + Σ |y_j| ‖b_j‖) for v_a = Σ x_j a_j, v_b = Σ y_j b_j; without `against` the second sum is
      ‖v_b‖.

    >>> import headwright as hw
    >>> M = hw.readout([[1], [0]], against=[[1], [1]])
    >>> (M @ [5.0, 2.0]).round(9), M.verdict.status
    (array([3., 0.]), 'proved')
    """

    matrix: np.ndarray
    basis: np.ndarray
    against: np.ndarray | None
    share: Fraction
    condition: float
    inverse: np.ndarray = field(repr=False)  # (A⁺)ᵀ, the witness where `against` is None

    def __post_init__(self) -> None:
        for name in ("matrix", "inverse"):
            object.__setattr__(self, name, inputs.float64(getattr(self, name), name=name, ndim=2))

    @computed_once
    def verdict(self) -> Verdict:
        """The claim that this matrix reads out, with the least bound that can be proved."""
        witness = self.inverse if self.against is None else None
        draft = ReadsOut(self.matrix, self.basis, self.against, self.share, Fraction(0), witness)
        return replace(draft, bound=draft.best()).prove()

    @property
    def residual(self) -> float:
        """The proved ε, rounded up: the error is at most ε (Σ |x_j| ‖a_j‖ + Σ |y_j| ‖b_j‖), as the class says.

        It is a part of what the coefficients sum, not of the length of v_a + v_b: where columns are nearly dependent, large
        coefficients cancel, and a short v_b may be off by its whole length.

        >>> import headwright as hw
        >>> M = hw.readout([[1, 1], [0, 1e-15], [0, 0]], against=[[0], [0], [1]])
        >>> M.residual < 1e-14, bool(abs(M @ [0.0, 1.0, 0.0]).max() < 0.1)  # e_2 lies in the span of the basis, and is lost
        (True, True)
        """
        bound = self.verdict.expect().bound
        assert bound is not None, "this claim carries its bound"
        return bound

    @property
    def norm(self) -> float:
        """The spectral norm: the largest factor by which an error in the input grows."""
        return float(np.linalg.norm(self.matrix, 2))

    @property
    def T(self) -> np.ndarray:  # noqa: N802 - the name arrays have
        """The transpose, which reads row vectors: c @ M.T."""
        return self.matrix.T

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the matrix."""
        return self.matrix.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The number type of the matrix."""
        return self.matrix.dtype

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("`copy` is False, but what can be written to is handed out as a copy only")
        return np.array(self.matrix, dtype=dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [entry.matrix if isinstance(entry, Readout) else entry for entry in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def __getitem__(self, place: Any) -> Any:
        return self.matrix[place]

    def __len__(self) -> int:
        return len(self.matrix)

    def summary(self) -> str:
        """The read-out in one line."""
        d, m = self.basis.shape
        p = 0 if self.against is None else self.against.shape[1]
        others = f"the span of {p} other{'s'[: p - 1]}" if p else "its orthogonal complement"
        return (
            f"reads the span of {m} vector{'s'[: m - 1]} out of {inputs.show(self.share)} times sums with {others}, "
            f"in {d} dimensions: norm {self.norm:.6g}, condition {self.condition:.3g}, error at most "
            f"{balls.decimal_above(Fraction(self.residual), 3)} ({self.verdict.expect().bound_text.partition(' (')[2]}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "matrix": self.matrix.tolist(),
            "basis": self.basis.tolist(),
            "against": None if self.against is None else self.against.tolist(),
            "share": str(self.share),
            "norm": self.norm,
            "condition": self.condition,
            "residual": self.residual,
        }

    def table(self) -> dict[str, list[float]]:
        """The matrix, one column per coordinate of the input."""
        return {f"c_{j}": column.tolist() for j, column in enumerate(self.matrix.T)}

    def __repr__(self) -> str:
        return f"Readout: {self.summary()}\n{self.matrix}"
