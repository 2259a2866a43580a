"""Claim: as recorded, a function gave permuted rows permuted results, to within an allowance.

The claim holds input, permutation and both outputs, and is about these numbers alone. That the function returned them is not
proved, and no file could prove it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright import balls, budget, inputs
from headwright.proofs.claim import Claim
from headwright.verdict import Verdict

_METHOD = "recorded outputs, subtracted exactly"


@final
@dataclass(frozen=True, eq=False)
class RecordedOrder(Claim):
    """Row r of `moved` is row order[r] of `plain`, to within `allowance` in every entry.

    `given` (..., n, d) is the input, `plain` (..., n, v) the output recorded for it, and `moved` the output recorded for the
    input with row order[r] in row r.

    >>> RecordedOrder(np.eye(2), np.eye(2), np.eye(2)[::-1], (1, 0), Fraction(0)).prove().status
    'proved'
    """

    given: np.ndarray
    plain: np.ndarray
    moved: np.ndarray
    order: tuple[int, ...]
    allowance: Fraction
    kind: ClassVar[str] = "recorded-order"

    def __post_init__(self) -> None:
        self.settle()
        for name in ("given", "plain", "moved"):
            array = getattr(self, name)
            object.__setattr__(
                self, name, inputs.float64(array, name=name, ndim=tuple(range(2, max(3, np.ndim(array) + 1))))
            )
        n = self.given.shape[-2]
        if sorted(self.order) != list(range(n)):
            raise ValueError(f"`order` must be a permutation of the {n} rows of `given`")
        if self.plain.shape[-2] != n or self.moved.shape != self.plain.shape:
            raise ValueError(
                f"`plain` and `moved` must have the same shape, with {n} rows, got {self.plain.shape} and {self.moved.shape}"
            )
        if self.allowance < 0:
            raise ValueError(f"`allowance` must not be negative, got {inputs.show(self.allowance)}")

    def sentence(self) -> str:
        return (
            f"as recorded for an x of {len(self.order)} rows and a permutation P of them, f(Px) and P f(x) differ by at most "
            f"{inputs.show(self.allowance, 6)} in every entry"
        )

    def judge(self) -> Verdict:
        budget.spend(100 * self.plain.size)
        defect, row = self._largest()
        if defect <= self.allowance:
            return self.proved(scope="the recorded outputs", method=_METHOD)
        size = balls.float_below(defect)
        return self.refuted(
            counterexample={
                "permutation": self.order,
                "row": row,
                "defect": size,
                "allowance": balls.float_above(self.allowance),
            },
            bound=size,
            bound_text=f"max |f(Px) - P f(x)| = {inputs.show(defect, 6)} as recorded",
            scope="the recorded outputs",
            method=_METHOD,
        )

    def _largest(self) -> tuple[Fraction, int]:
        """The largest |f(Px) - P f(x)|, exactly, and a row that has it. float64 selects the entries that may be largest."""
        ends = [np.moveaxis(each, -2, 0).reshape(len(self.order), -1) for each in (self.moved, self.plain)]
        one, other = ends[0], ends[1][list(self.order)]
        with np.errstate(over="ignore"):
            apart = np.abs(one - other)  # one rounding: off by a relative 2^-53, or infinite
        places = np.argwhere(apart >= apart.max() * (1 - 2.0**-50))
        defects = [(abs(Fraction(one[r, c].item()) - Fraction(other[r, c].item())), int(r)) for r, c in places]
        return max(defects, key=lambda pair: (pair[0], -pair[1]))
