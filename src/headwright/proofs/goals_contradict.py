"""Claim: no layer, of one head and any rank, brings all named rows within an error of their goals.

Row r has scores s_rj = x_rᵀ W x_j, W = QᵀK. Total variation at most e leaves every target i of its goal at least w_ri - e of
weight; when e < w_ri this says, over the tokens that the row sees,

    lse_{j≠i} (s_rj - s_ri) <= c_ri = ln((1 - w_ri + e) / (w_ri - e)).                        (lse: log-sum-exp)

By Gibbs' inequality lse(x) >= H(p) + p·x for every distribution p, H its entropy. Take rationals N_rij > 0 for some rows, targets
and other tokens, λ_ri = Σ_j N_rij, p_ri = N_ri· / λ_ri, and add these inequalities with weights λ_ri: when

    Σ_rij N_rij x_r (x_j - x_i)ᵀ = 0   exactly,   and   Σ_ri λ_ri (H(p_ri) - c_ri) > 0,

W drops out, and no W meets all of them. The rationals are the witness; they exist where the asking tokens are dependent (or one
is zero) and what is asked of them is not. The first condition is checked in integers, the second in balls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, final

import numpy as np

from headwright import arrays, balls, budget
from headwright.goals import Goal
from headwright.proofs.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim
from headwright.proofs.out_of_reach import _part, _read, _written
from headwright.proofs.parts import written_as
from headwright.proofs.within_error import checked_error
from headwright.verdict import Proved, Verdict

_BITS = (64, 128, 256, 512, 1024)
Entry = tuple[int, int, int, Fraction]
Entries = tuple[Entry, ...]


@final
@dataclass(frozen=True, eq=False)
class GoalsContradict(Claim):
    """tokens (n, d), goals by row; `witness` holds (r, i, j, N_rij): row, target of its goal, another token that it sees."""

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
            goal.check(self._seen(row))
        checked_error(self.error)
        counted: set[tuple[int, int, int]] = set()
        targets = {row: set(goal.indices) for row, goal in self.goals.items()}
        for r, i, j, number in self.witness:
            if r not in self.goals or i not in targets[r] or not 0 <= j < self._seen(r) or i == j:
                raise ValueError(f"`witness` must pair a target of a row with another token it sees, got {r}, {i}, {j}")
            if (r, i, j) in counted:  # a token counted as two would gain entropy from nothing
                raise ValueError(f"`witness` holds {r}, {i}, {j} more than once")
            if number <= 0:
                raise ValueError(f"`witness` must hold positive numbers, got {arrays.show(number)} for {r}, {i}, {j}")
            counted.add((r, i, j))

    def _seen(self, row: int) -> int:
        return row + 1 if self.causal else len(self.tokens)

    def sentence(self) -> str:
        rows = sorted({r for r, _, _, _ in self.witness})
        named = ", ".join(map(str, rows[:8])) + (f" … {len(rows)} rows" if len(rows) > 8 else "")
        which, whose = (f"row {named}", "its goal") if len(rows) == 1 else (f"rows {named}", "their goals together")
        seen = " causal" if self.causal else ""
        return (
            f"no{seen} layer of one head, of any rank, brings {which} of {len(self.tokens)} tokens within total "
            f"variation {arrays.show(self.error)} of {whose}"
        )

    def judge(self) -> Verdict:
        lists = self._lists()
        slack = [(r, i) for r, i in lists if self._share(r, i) <= self.error]
        if slack:
            reason = f"row {slack[0][0]} may withdraw all weight from token {slack[0][1]} within the error"
            return self.undecided(reason, "ask for an error below the share of every target in the witness")
        if not lists or not self._cancels(lists):
            return self.undecided(
                "the witness does not cancel: Σ N x_r (x_j - x_i)ᵀ is not exactly 0", "find another witness"
            )
        whole = sum(number for row in lists.values() for number in row.values())
        for bits in _BITS:
            with balls.precision(bits):
                excess = self._excess(lists, whole)
                if excess > 0:
                    return self._proved(bits)
                if excess <= 0:
                    return self.undecided("the witness proves only smaller errors impossible", ASK_FURTHER_AWAY)
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def _share(self, row: int, target: int) -> Fraction:
        goal = self.goals[row]
        budget.spend(100 + 20 * len(goal.indices))
        return goal.shares[goal.indices.index(target)]

    def _lists(self) -> dict[tuple[int, int], dict[int, int]]:
        """N_rij by (row, target) and token, times their common denominator."""
        lists: dict[tuple[int, int], dict[int, int]] = {}
        whole = budget.whole_numbers([number for *_, number in self.witness])
        for (r, i, j, _), number in zip(self.witness, whole, strict=True):
            lists.setdefault((r, i), {})[j] = number
        return lists

    def _cancels(self, lists: dict[tuple[int, int], dict[int, int]]) -> bool:
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

    def _excess(self, lists: dict[tuple[int, int], dict[int, int]], whole: int) -> balls.Ball:
        """Σ λ (H(p) - c), for λ of sum 1."""
        terms = []
        for (r, i), row in lists.items():
            share = self._share(r, i)
            weight, entropy = _part(row, whole)
            level = balls.exact((1 - share + self.error) / (share - self.error)).log()
            terms.append(entropy - weight * level)
        return balls.total(terms)

    def _proved(self, bits: int) -> Proved:
        return self.proved(
            reason=f"{len(self.witness)} weights on products of tokens that cancel exactly, and Gibbs' inequality",
            method=f"cancellation in integers, entropies in balls of {bits} bits",
            scope="every QᵀK",
        )


def _entries(given: Any, name: str) -> Entries:
    index = partial(arrays.index, name=name)
    return tuple((index(r), index(i), index(j), _read(number)) for r, i, j, number in given)


written_as("Entries", lambda entries: [[r, i, j, _written(number)] for r, i, j, number in entries], _entries)
