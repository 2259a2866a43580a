"""Claim: no matrix reads v_a out of v_a + v_b. The witness is a vector, not zero, that both spans share.

With the columns of A and B as bases, integers x and y such that

    u  =  Σ x_j a_j  =  Σ y_j b_j  ≠  0       (exactly)

give two pairs of values with the same sum: v_a = u, v_b = 0 and v_a = 0, v_b = u. From that one vector a read-out would have to
give u for the first pair and 0 for the second. This holds for every share of the sum, and for non-linear maps too. (Conversely,
if the spans share only 0, the oblique projector reads v_a out.) Everything is checked in Python integers, which certificates
store as hexadecimal text.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.claim import Claim
from headwright.kernel.record import LongIntegers
from headwright.kernel.verdict import Verdict


@final
@dataclass(frozen=True, eq=False)
class SpansMeet(Claim):
    """No matrix reads span(`basis`) out of sums with span(`against`): both sets of columns combine to the same vector.

    >>> SpansMeet([[1.0], [2.0]], [[2.0], [4.0]], (2,), (1,)).prove().status
    'proved'
    """

    basis: np.ndarray
    against: np.ndarray
    in_basis: LongIntegers
    in_against: LongIntegers
    kind: ClassVar[str] = "spans-meet"

    def __post_init__(self) -> None:
        self.settle(basis="dm", against="dp")
        for name, columns in (("in_basis", self.basis), ("in_against", self.against)):
            numbers = getattr(self, name)
            if len(numbers) != columns.shape[1]:
                raise ValueError(f"`{name}` must have one integer per column ({columns.shape[1]}), got {len(numbers)}")
            if any(type(number) is not int for number in numbers):
                raise ValueError(f"`{name}` must hold integers")

    def sentence(self) -> str:
        (d, m), p = self.basis.shape, self.against.shape[1]
        return (
            f"no matrix reads v_a out of v_a + v_b for all v_a in the span of {m} vector{'s'[: m - 1]} and v_b in that of {p} "
            f"other{'s'[: p - 1]}, in {d} dimension{'s'[: d - 1]}"
        )

    def judge(self) -> Verdict:
        if balls.sums_to_zero(self.basis.T, self.in_basis):
            return self._no_witness("the vector of the witness is zero")
        columns = np.concatenate([self.basis, self.against], axis=1).T
        if not balls.sums_to_zero(columns, [*self.in_basis, *(-number for number in self.in_against)]):
            return self._no_witness("the two combinations are different vectors")
        return self.proved(
            reason="the two spans share a vector u ≠ 0: v_a = u, v_b = 0 and v_a = 0, v_b = u have the same sum, and one "
            "matrix cannot give both u and 0 for it",
            method="exact integers",
        )

    def common_vector(self) -> tuple[Fraction, ...]:
        """u = Σ x_j a_j, exactly."""
        rows = ([Fraction(entry) for entry in row] for row in self.basis.tolist())
        return tuple(sum((x * a for x, a in zip(self.in_basis, row, strict=True)), Fraction(0)) for row in rows)

    def _no_witness(self, reason: str) -> Verdict:
        return self.undecided(f"{reason}, so it proves nothing", "find a vector that both spans share, or a read-out")
