"""Claim: each singular value of a matrix lies in its interval, low_i <= σ_i(A) <= high_i, i = 1 … p = min(n, d).

**Witness** U (n, p), s_1 >= … >= s_p >= 0, V (d, p), any floats: an approximate decomposition from any source. Let

    ‖UᵀU - I‖ <= α,     ‖VᵀV - I‖ <= β,     ‖A - U diag(s) Vᵀ‖ <= ε.

The singular values of U lie in [√(1-α), √(1+α)], those of V in [√(1-β), √(1+β)], and σ_i(XY) lies between σ_min(X) σ_i(Y) and
σ_max(X) σ_i(Y) for X with independent columns (Ostrowski); by Weyl's inequality a change of norm ε moves no σ_i by more than ε:

    √((1-α)(1-β)) s_i - ε  <=  σ_i(A)  <=  √((1+α)(1+β)) s_i + ε.

The three norms are bounded from float64 products with their radius (`matrix_norms.py`), the matrix scaled to entries below 1
first. A poor witness gives wide bounds, not false ones. docs/theory/singular_values.md has the full proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, budget
from headwright.kernel.claim import Claim, at_most
from headwright.kernel.verdict import Refuted, Verdict
from headwright.theories.matrices.matrix_norms import residual_norm, scaled, stretch

Bounds = tuple[list[Fraction], list[Fraction]]
METHOD = "the defects of a computed decomposition, bounded from float64 products with a proved radius"
DIGITS = 12  # in sentences: with fewer, two bounds that nearly meet would look far apart


@final
@dataclass(frozen=True, eq=False)
class SingularValues(Claim):
    """The singular values of `matrix` (n, d), largest first, lie between `low` and `high` (p,).

    `left` (n, p), `values` (p,) and `right` (d, p) are the witness U, s, V.

    >>> SingularValues(np.eye(2), [0.9, 0.9], [1.1, 1.1], np.eye(2), [1.0, 1.0], np.eye(2)).prove().status
    'proved'
    """

    matrix: np.ndarray
    low: np.ndarray
    high: np.ndarray
    left: np.ndarray
    values: np.ndarray
    right: np.ndarray
    kind: ClassVar[str] = "singular-values"

    def __post_init__(self) -> None:
        self.settle(matrix="nd")
        p = min(self.matrix.shape)
        self.settle({"p": p}, matrix="nd", low="p", high="p", left="np", values="p", right="dp")
        check_values(self.values)
        if (self.low > self.high).any():
            raise ValueError(
                f"`low` must not exceed `high`, got an empty interval at {int(np.argmax(self.low > self.high))}"
            )

    def sentence(self) -> str:
        (n, d), p = self.matrix.shape, len(self.values)
        widest = max(Fraction(high) - Fraction(low) for low, high in zip(self.low, self.high, strict=True))
        which = "singular value" if p == 1 else f"{p} singular values"
        return (
            f"the {which} of the {n} × {d} matrix lie{'s'[: p == 1]} in the given "
            f"interval{'s'[: p - 1]}, at most {balls.decimal_above(widest)} wide"
        )

    def judge(self) -> Verdict:
        bounds = self.bounds()
        if bounds is None:
            return self.undecided("the products of the witness overflow", "find a better decomposition")
        claimed = [(Fraction(low), Fraction(high)) for low, high in zip(self.low, self.high, strict=True)]
        shown = list(zip(*bounds, strict=True))
        for i, ((low, high), (least, most)) in enumerate(zip(claimed, shown, strict=True)):
            if low > most or high < least:
                return self._refuted(i, least, most)
        if any(low > least or high < most for (low, high), (least, most) in zip(claimed, shown, strict=True)):
            return self.undecided(
                "the witness proves only wider intervals than those claimed",
                "find a better decomposition, or claim wider ones",
            )
        return self.proved(
            **at_most("σ_1", Fraction(self.high[0]), DIGITS),
            reason="a decomposition that is orthonormal to within α and β and misses the matrix by ε has its singular values, up "
            "to these defects (Ostrowski, Weyl)",
            method=METHOD,
        )

    def bounds(self) -> Bounds | None:
        """What the witness proves: lower and upper bounds on each singular value; None if its products overflow."""
        if not self.matrix.any():
            return [Fraction(0)] * len(self.values), [Fraction(0)] * len(self.values)
        part, exponent = scaled(self.matrix)
        with np.errstate(over="ignore"):  # an infinity ends as None
            values = np.ldexp(self.values, -exponent)
            product = self.left * values
        factors, off = stretch(self.left, self.right), residual_norm(part, product, self.right)
        if factors is None or off is None:
            return None
        budget.spend(40_000 * len(values))
        sizes, unit = [Fraction(value) for value in values.tolist()], Fraction(2) ** exponent
        low = [unit * max(factors[0] * size - off, Fraction(0)) for size in sizes]
        return low, [unit * (factors[1] * size + off) for size in sizes]

    def _refuted(self, i: int, least: Fraction, most: Fraction) -> Refuted:
        return self.refuted(
            counterexample={"index": i, "at least": balls.float_below(least), "at most": balls.float_above(most)},
            reason=f"the interval claimed for σ_{i + 1} and the one proved for it share no number",
            method=METHOD,
        )


def check_values(values: np.ndarray) -> None:
    """ValueError unless the approximate singular values descend and none is negative: the proof uses their order."""
    if (values < 0).any() or (np.diff(values) > 0).any():
        raise ValueError("`values` must be in descending order, with none of them negative")
