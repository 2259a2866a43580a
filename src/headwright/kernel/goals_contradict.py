"""Claim: no layer, of one head and any rank, brings all named rows within an error of their goals.

Row r has scores s_rj = x_rᵀ W x_j, W = QᵀK, over the tokens that it sees, so the witness (`gibbs.py`), rationals N_rij > 0 for
some rows, targets of their goals and other tokens, cancels when

    Σ_rij N_rij x_r (x_j - x_i)ᵀ = 0   exactly:

W cancels, and no W satisfies all of the inequalities. Such rationals exist if the asking tokens are dependent (or one is zero)
but their goals are not compatible with that dependence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, gibbs, inputs
from headwright.kernel.goals import Goal
from headwright.kernel.record import written_as
from headwright.kernel.within_error import checked_error

Entry = tuple[int, int, int, Fraction]
Entries = tuple[Entry, ...]


@final
@dataclass(frozen=True, eq=False)
class GoalsContradict(gibbs.ByGibbs):
    """No one-head layer over `tokens` (n, d), of any rank, brings all rows within `error` of their `goals`.

    `witness` holds entries (r, i, j, N_rij): a row, a target of its goal, another token that the row sees, a rational.

    >>> import headwright as hw
    >>> try:
    ...     hw.design_layer([[1.0], [2.0]], {0: hw.Copy(0), 1: hw.Copy(1)})
    ... except hw.Unreachable as refusal:
    ...     print(refusal.verdict.record.kind, refusal.verdict.status)
    goals-contradict proved
    """

    tokens: np.ndarray
    goals: Mapping[int, Goal]
    error: Fraction
    witness: Entries
    causal: bool = False
    kind: ClassVar[str] = "goals-contradict"

    def __post_init__(self) -> None:
        self.settle(tokens="nd")
        for row, goal in self.goals.items():
            if not 0 <= row < len(self.tokens):
                raise ValueError(f"`goals` names row {row}, but there are only {len(self.tokens)} tokens")
            goal.check(self.seen((row,)))
        checked_error(self.error)
        self.check_witness()

    def sentence(self) -> str:
        rows = sorted({r for r, _, _, _ in self.witness})
        named = ", ".join(map(str, rows[:8])) + (f" … {len(rows)} rows" if len(rows) > 8 else "")
        which, whose = (f"row {named}", "its goal") if len(rows) == 1 else (f"rows {named}", "their goals together")
        seen = " causal" if self.causal else ""
        return (
            f"no{seen} layer of one head, of any rank, brings {which} of {len(self.tokens)} tokens within total "
            f"variation {inputs.show(self.error)} of {whose}"
        )

    def shares(self) -> gibbs.Shares:
        budget.spend(1000 * sum(len(goal.indices) for goal in self.goals.values()))
        return {
            (r, i): share for r, goal in self.goals.items() for i, share in zip(goal.indices, goal.shares, strict=True)
        }

    def seen(self, place: gibbs.Place) -> int:
        return place[0] + 1 if self.causal else len(self.tokens)

    def cancels(self, lists: gibbs.Lists) -> bool:
        """Whether Σ N x_r (x_j - x_i)ᵀ = Xᵀ U X is 0, with U (n, n) the integer coefficients of x_r x_jᵀ."""
        budget.hold(8 * len(self.tokens) ** 2)
        coefficients = np.zeros((len(self.tokens), len(self.tokens)), dtype=object)
        for (r, i), row in lists.items():
            for j, number in row.items():
                coefficients[r, j] += number
                coefficients[r, i] -= number
        whole, _ = balls.exact_product(self.tokens)
        long = max((int(number).bit_length() for number in whole.flat), default=0)
        longer = max(number.bit_length() for row in lists.values() for number in row.values())
        budget.spend((len(self.tokens) + whole.shape[1]) * whole.size * budget.product(longer + long, long))
        return not (whole.T @ (coefficients @ whole)).any()

    def facts(self, lists: gibbs.Lists, parts: gibbs.Parts, shares: gibbs.Shares) -> dict[str, Any]:
        return {"scope": "every QᵀK"}


written_as("Entries", gibbs.write_entries, partial(gibbs.read_entries, 3))
