"""Claim: no value map gives the wanted outputs, because the tokens that the goals name satisfy a relation that the outputs break.

Every value map V is linear: with the wanted mean m_r = Σ_j w_rj x_j of row r, Σ_r u_r m_r = 0 implies Σ_r u_r V m_r = 0. The
witness is rational u_r with Σ u_r m_r = 0 and Σ u_r y_r ≠ 0, both exactly. The claim is about the exact equations V m_r = y_r.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from headwright.kernel import budget, gibbs
from headwright.kernel.claim import Claim
from headwright.kernel.goals import Goal
from headwright.kernel.record import written_as
from headwright.kernel.verdict import Verdict

Signed = tuple[Fraction, ...]


@final
@dataclass(frozen=True, eq=False)
class OutputsContradict(Claim):
    """No value map takes the mean of `tokens` (n, d) that each of the `goals` wants to its row of `outputs` (m, v).

    `goals` maps rows to goals, in the order of the outputs; `witness` holds one rational u_r for each.

    >>> from headwright.kernel.goals import Copy
    >>> witness = (Fraction(2), Fraction(-1))
    >>> OutputsContradict([[1.0], [2.0]], [[1.0], [1.0]], {0: Copy(0), 1: Copy(1)}, witness).prove().status
    'proved'
    """

    tokens: np.ndarray
    outputs: np.ndarray
    goals: Mapping[int, Goal]  # in the order of the outputs
    witness: Signed
    kind: ClassVar[str] = "outputs-contradict"

    def __post_init__(self) -> None:
        self.settle({"m": len(self.goals)}, tokens="nd", outputs="mv")
        if len(self.goals) != len(self.witness):
            raise ValueError(
                f"`witness` must have one number for each of {len(self.goals)} goals, got {len(self.witness)}"
            )
        for row, goal in self.goals.items():
            if not 0 <= row < len(self.tokens):
                raise ValueError(f"`goals` names row {row}, but there are only {len(self.tokens)} tokens")
            goal.check(len(self.tokens))

    def sentence(self) -> str:
        rows = [row for row, u in zip(self.goals, self.witness, strict=True) if u]
        named = ", ".join(map(str, rows[:8])) + (f" … {len(rows)} rows" if len(rows) > 8 else "")
        return f"no value map takes the wanted means of rows {named} to their wanted outputs: these means are linearly dependent"

    def judge(self) -> Verdict:
        means = [_mean(self.tokens, goal) for goal in self.goals.values()]
        wanted = [[Fraction(y) for y in row] for row in self.outputs.tolist()]
        if any(_combined(means, self.witness)):
            return self.undecided("the weights do not cancel the means exactly", "find an exact relation")
        if not any(_combined(wanted, self.witness)):
            return self.undecided("the outputs satisfy the same relation", "find another relation")
        return self.proved(
            reason="the witness combines the wanted means to exactly zero, but the wanted outputs to a non-zero vector",
            method="exact rational arithmetic",
            scope="every value map, on the means that the goals name; not what a layer makes of its leak",
        )


def _signed(text: Any) -> Fraction:
    return -gibbs.read(text[1:]) if isinstance(text, str) and text.startswith("-") else gibbs.read(text)


def _mean(tokens: np.ndarray, goal: Goal) -> list[Fraction]:
    """Σ_j w_j x_j, exactly."""
    rows = [[Fraction(x) for x in tokens[i].tolist()] for i in goal.indices]
    return _combined(rows, goal.shares)


def _combined(rows: list[list[Fraction]], weights: tuple[Fraction, ...]) -> list[Fraction]:
    return [
        budget.summed(_times(u, x) for u, x in zip(weights, column, strict=True)) for column in zip(*rows, strict=True)
    ]


def _times(u: Fraction, x: Fraction) -> Fraction:
    budget.spend(3 * budget.product(budget.bits(u), budget.bits(x)))
    return u * x


written_as("Signed", lambda numbers: list(map(gibbs.written, numbers)), lambda given, name: tuple(map(_signed, given)))
