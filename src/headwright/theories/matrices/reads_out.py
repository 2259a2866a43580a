"""Claim: a matrix M reads v_a out of s(v_a + v_b), up to a stated error.

With the columns of A and B as bases and s the share, for all coefficients x and y

    ‖M·s(v_a + v_b) - v_a‖  <=  ε (Σ |x_j| ‖a_j‖ + Σ |y_j| ‖b_j‖),      v_a = Σ x_j a_j,  v_b = Σ y_j b_j.

By the triangle inequality this holds if and only if it holds for each column: ‖s M a_j - a_j‖ <= ε ‖a_j‖, ‖s M b_j‖ <= ε ‖b_j‖.
The squares of both sides are exact rationals, so nothing is rounded, and a column that fails is a counterexample. The columns
need not be independent.

Without B the v_b are all vectors orthogonal to every column of A, and their part of the bound is ε ‖v_b‖. **Witness** X (d, m),
any floats: Aᵀv_b = 0, so s M v_b = (s M - X Aᵀ) v_b, at most ‖s M - X Aᵀ‖_F ‖v_b‖ long. A poor witness gives a weak bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Refuted, Verdict

_BITS = 128


@final
@dataclass(frozen=True, eq=False)
class ReadsOut(Claim):
    """`matrix` (d, d) reads span(`basis`) out of `share` times sums with span(`against`), to within `bound`.

    With `against` None, out of sums with any vector orthogonal to the basis; `witness` (d, m) shows that part.

    >>> ReadsOut(np.diag([1.0, 0.0]), [[1.0], [0.0]], [[0.0], [1.0]], Fraction(1), Fraction(0)).prove().status
    'proved'
    """

    matrix: np.ndarray
    basis: np.ndarray
    against: np.ndarray | None
    share: Fraction
    bound: Fraction
    witness: np.ndarray | None = None
    kind: ClassVar[str] = "reads-out"

    def __post_init__(self) -> None:
        if (self.against is None) == (self.witness is None):
            raise ValueError("`witness` must be given if and only if `against` is None")
        self.settle(basis="dm", matrix="dd", against="dp", witness="dm")
        if self.share <= 0:
            raise ValueError(f"`share` must be positive, got {inputs.show(self.share)}")
        if self.bound < 0:
            raise ValueError(f"`bound` must not be negative, got {inputs.show(self.bound)}")

    def sentence(self) -> str:
        m = self.basis.shape[1]
        what = "v_a + v_b" if self.share == 1 else f"{inputs.show(self.share)} (v_a + v_b)"
        others = (
            "orthogonal to it"
            if self.against is None
            else f"= Σ y_j b_j in that of {self.against.shape[1]} other{'s'[: self.against.shape[1] - 1]}"
        )
        return (
            f"the matrix reads v_a = Σ x_j a_j out of {what}, v_a in the span of {m} vector{'s'[: m - 1]} and v_b {others}, "
            f"with an error of at most {inputs.show(self.bound, 6)} times (Σ |x_j| ‖a_j‖ + {self._other_size()})"
        )

    def judge(self) -> Verdict:
        worst, place = max(self._columns(), key=lambda column: column[0])
        if worst > self.bound**2:
            return self._refuted(worst, *place)
        if self._beside() > self.bound**2:
            return self.undecided(
                "the witness proves only a larger error", "find a better witness, or claim a larger bound"
            )
        return self.proved(
            bound=balls.finite_above(self.bound),
            bound_text=f"error at most {balls.decimal_above(self.bound)} (Σ |x_j| ‖a_j‖ + {self._other_size()})",
            reason="it holds for every column, and the triangle inequality carries it to their combinations",
            method="each column's error, squared, as an exact rational",
        )

    def best(self) -> Fraction:
        """The least bound that can be proved, to float64 precision: what to claim."""
        square = max(self._beside(), max(error for error, _ in self._columns()))
        with balls.precision(_BITS):
            root = balls.upper(balls.exact(square).sqrt())
        assert root is not None, "the root of a rational is finite"
        return Fraction(balls.float_above(root))

    def _refuted(self, worst: Fraction, side: str, column: int) -> Refuted:
        with balls.precision(_BITS):
            reached = balls.lower(balls.exact(worst).sqrt())
        low = reached or Fraction(0)
        return self.refuted(
            counterexample={"side": side, "column": column, "vector": getattr(self, side)[:, column]},
            bound=balls.float_below(low),
            bound_text=f"error at least {balls.decimal_below(low)} times the length of that column",
            method="one column's error, squared, as an exact rational",
        )

    def _columns(self) -> Iterator[tuple[Fraction, tuple[str, int]]]:
        """The squared error of each column relative to its squared length, and which column it is."""
        inputs.need_gradual_underflow()
        for side, columns in (("basis", self.basis), ("against", self.against)):
            if columns is None:
                continue
            kept = columns if side == "basis" else np.zeros_like(columns)
            sizes = _squares(_Whole.of(columns))
            errors = _squares(_Whole.of(self.matrix, columns).times(self.share).minus(_Whole.of(kept)))
            for j, (error, size) in enumerate(zip(errors, sizes, strict=True)):
                yield error / (size or 1), (side, j)

    def _beside(self) -> Fraction:
        """‖s M - X Aᵀ‖_F², exactly; 0 where `against` is given."""
        if self.witness is None:
            return Fraction(0)
        rest = _Whole.of(self.matrix).times(self.share).minus(_Whole.of(self.witness, self.basis.T))
        return sum(_squares(rest), Fraction(0))

    def _other_size(self) -> str:
        return "‖v_b‖" if self.against is None else "Σ |y_j| ‖b_j‖"


@dataclass(frozen=True, eq=False)
class _Whole:
    """A matrix of rationals: Python integers (an object array) times one positive `unit`."""

    numerators: np.ndarray
    unit: Fraction

    @classmethod
    def of(cls, *factors: np.ndarray) -> Self:
        """The product of float64 matrices."""
        numerators, exponent = balls.exact_product(*factors)
        return cls(numerators, Fraction(2) ** exponent)

    def times(self, factor: Fraction) -> Self:
        return type(self)(self.numerators, self.unit * factor)

    def minus(self, other: Self) -> Self:
        """The difference over the common unit 1/q, where q is the common denominator."""
        q = math.lcm(self.unit.denominator, other.unit.denominator)
        long = self.unit.numerator.bit_length(), other.unit.numerator.bit_length(), q.bit_length()
        budget.spend(self.numerators.size * 2 * budget.product(10_000, sum(long)))
        budget.hold(self.numerators.size * (100 + sum(long) // 4))
        left, right = int(self.unit * q) * self.numerators, int(other.unit * q) * other.numerators
        return type(self)(left - right, Fraction(1, q))


def _squares(whole: _Whole) -> list[Fraction]:
    """The squared length of each column."""
    long = max((int(number).bit_length() for number in whole.numerators.flat), default=0)
    budget.spend(whole.numerators.size * budget.product(long, long))
    budget.spend(3 * whole.numerators.shape[1] * budget.product(2 * long, 2 * budget.bits(whole.unit)))
    budget.hold(whole.numerators.size * (40 + long // 4))
    return [whole.unit**2 * int(total) for total in (whole.numerators**2).sum(axis=0)]
