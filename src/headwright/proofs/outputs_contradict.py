"""Claim: no value map gives the wanted outputs, because the tokens that the goals name obey a relation which the outputs break.

Whatever V is, V is linear: with m_r = Σ_j w_rj x_j the wanted mean of row r, Σ_r u_r m_r = 0 forces Σ_r u_r V m_r = 0. Rational
u_r with Σ u_r m_r = 0 exactly and Σ u_r y_r ≠ 0 exactly are the witness. The claim is about the exact wish V m_r = y_r.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from headwright import budget, inputs
from headwright.goals import Goal, goal_from_dict
from headwright.proofs import gibbs
from headwright.proofs.claim import Claim
from headwright.proofs.parts import written_as
from headwright.verdict import Verdict

RowGoals = Mapping[int, Goal]  # in the order of the outputs, which a JSON object would not keep
Signed = tuple[Fraction, ...]


@final
@dataclass(frozen=True, eq=False)
class OutputsContradict(Claim):
    """tokens (n, d), outputs (m, v), goals and rational witness u by row, in the outputs' order."""

    tokens: np.ndarray
    outputs: np.ndarray
    goals: RowGoals
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
            return self.undecided("the outputs obey the same relation", "look for another relation")
        return self.proved(
            reason="the weights combine the wanted means to exactly zero, and the wanted outputs to something else",
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


def _row_goals(given: Any, name: str) -> dict[int, Goal]:
    return {inputs.index(row, name="row"): goal_from_dict(goal) for row, goal in given}


written_as("RowGoals", lambda goals: [[row, goal.to_dict()] for row, goal in goals.items()], _row_goals)
written_as("Signed", lambda numbers: list(map(gibbs.written, numbers)), lambda given, name: tuple(map(_signed, given)))
