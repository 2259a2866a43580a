"""Claims: the squares of the singular values of a matrix add up to a number within bounds; and the k-th is at most a bound.

Both rest on the sum of the squares of the entries, taken exactly where the matrix is not too large:

    Σ_i σ_i² = tr(AᵀA) = Σ a_ij²,          k σ_k²  <=  σ_1² + … + σ_k²  <=  Σ a_ij².
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.claim import Claim, at_most
from headwright.kernel.verdict import Verdict
from headwright.theories.matrices.matrix_norms import exact_squared_norm, squared_norm

EXACT_ENTRIES = 2**20  # up to here Σ a_ij² is taken in integers
_DIGITS = 12


def sum_of_squares(matrix: np.ndarray) -> tuple[Fraction, Fraction] | None:
    """Lower and upper bounds on Σ a_ij², equal for up to a million entries; None if a larger matrix overflows float64."""
    if matrix.size <= EXACT_ENTRIES:
        exact = exact_squared_norm(matrix)
        return exact, exact
    ends = squared_norm(matrix)
    return None if ends is None else (Fraction(ends[0]), Fraction(ends[1]))


@final
@dataclass(frozen=True, eq=False)
class SingularSquares(Claim):
    """The squares of the singular values of `matrix` add up to a number between `low` and `high`.

    >>> SingularSquares(np.diag([3.0, 4.0]), Fraction(25), Fraction(25)).prove().status
    'proved'
    """

    matrix: np.ndarray
    low: Fraction
    high: Fraction
    kind: ClassVar[str] = "singular-squares"

    def __post_init__(self) -> None:
        self.settle(matrix="nd")
        if self.low > self.high:
            raise ValueError(f"`low` must not exceed `high`, got {inputs.show(self.low)} and {inputs.show(self.high)}")

    def sentence(self) -> str:
        n, d = self.matrix.shape
        said = f"the squares of the singular values of the {n} × {d} matrix add up to"
        if self.low == self.high and self.low.denominator == 1 and self.low < 10**16:
            return f"{said} {self.low}"
        low, high = inputs.show(self.low, _DIGITS), inputs.show(self.high, _DIGITS)
        return f"{said} a number between {low} and {high}"

    def judge(self) -> Verdict:
        total = sum_of_squares(self.matrix)
        if total is None:
            return self.undecided("the squares of the entries overflow", "divide the matrix by a power of two")
        least, most = total
        method = _method(least, most)
        if self.low <= least and most <= self.high:
            return self.proved(reason=_TRACE, method=method)
        if most < self.low or self.high < least:
            point = {"at least": balls.float_below(least), "at most": balls.float_above(most)}
            return self.refuted(counterexample=point, reason=_TRACE, method=method)
        return self.undecided("the sum is not known closely enough", "claim wider bounds")


@final
@dataclass(frozen=True, eq=False)
class SingularTail(Claim):
    """The `k`-th largest singular value of `matrix`, k = 1, 2, …, is at most `bound`.

    >>> SingularTail(np.eye(4), 4, Fraction(1)).prove().status
    'proved'
    """

    matrix: np.ndarray
    k: int
    bound: Fraction
    kind: ClassVar[str] = "singular-tail"

    def __post_init__(self) -> None:
        self.settle(matrix="nd")
        most = min(self.matrix.shape)
        if not 1 <= self.k <= most:
            raise ValueError(f"`k` must lie between 1 and {most}, the number of singular values, got {self.k}")
        if self.bound < 0:
            raise ValueError(f"`bound` must not be negative, got {inputs.show(self.bound)}")

    def sentence(self) -> str:
        n, d = self.matrix.shape
        return f"σ_{self.k} of the {n} × {d} matrix is at most {inputs.show(self.bound, _DIGITS)}"

    def judge(self) -> Verdict:
        """Proved if the whole sum divided by k is at most bound²; a smaller bound needs `SingularValues`."""
        total = sum_of_squares(self.matrix)
        if total is None or total[1] > self.k * self.bound**2:
            return self.undecided(
                "the sum of the squares of all entries allows a larger value", "enclose the singular values themselves"
            )
        return self.proved(
            **at_most(f"σ_{self.k}", self.bound, _DIGITS),
            reason="σ_1, …, σ_k are each at least σ_k, and the squares of all add up to ‖A‖_F²",
            method=_method(*total),
        )


def _method(least: Fraction, most: Fraction) -> str:
    return "the squares of the entries added up " + ("exactly" if least == most else "with a proved radius")


_TRACE = "both are the trace of AᵀA, whose eigenvalues are the σ_i²"
