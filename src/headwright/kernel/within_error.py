"""Claim: the total variation between the weights of heads over fixed keys and their goal is at most an error.

With numerators W_j (weights W_j / Z, Z = ΣW) and goal shares w_j = p_j / P on the support S,

    TV = Σ_j [W_j/Z - w_j]₊ = ( P·Σ_{j∉S} W_j + Σ_{j∈S} [P·W_j - p_j·Z]₊ ) / (P·Z),

a sum of non-negative terms, so tiny errors keep their relative precision. The comparison TV <= e = a/b is made as
b·(numerator) <= a·P·Z, with integers times balls and no division, so it is exact if all scores tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim, at_least, at_most
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.kernel.verdict import Verdict


def checked_error(error: Fraction) -> Fraction:
    """The error itself when it lies strictly between 0 and 1, or ValueError."""
    if not 0 < error < 1:
        raise ValueError(f"`error` must lie strictly between 0 and 1, got {inputs.show(error)}")
    return error


@final
@dataclass(frozen=True, eq=False)
class WithinError(Claim):
    """The weights of `heads` are within total variation `error` of `goal`.

    >>> from headwright.kernel.goals import Copy
    >>> WithinError(Heads([[1.0], [0.0]], [[9.0]], [1.0], 1), Copy(0), "0.01").prove().status
    'proved'
    """

    heads: Heads
    goal: Goal
    error: Fraction
    kind: ClassVar[str] = "within-error"
    takes_image: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.settle()
        self.goal.check(self.heads.n)
        checked_error(self.error)

    def sentence(self) -> str:
        return (
            f"the weights of {self.heads.describe()} are within total variation "
            f"{inputs.show(self.error)} of {self.goal}"
        )

    def judge(self) -> Verdict:
        for tier in self.heads.climb():
            with balls.precision(tier.bits):
                numerator, denominator = total_variation(self.heads.numerators(tier), self.goal)
                excess = self.error.denominator * numerator - self.error.numerator * denominator
                variation, how = numerator / denominator, f"{tier.method}; exact for fixed keys"
                if excess <= 0:
                    most = balls.upper_end(variation, most=self.error)
                    return self.proved(**at_most("total variation", most), method=how)
                if excess > 0:
                    least = balls.lower_end(variation, least=self.error)
                    point = self.heads.as_given()
                    return self.refuted(**at_least("total variation", least), counterexample=point, method=how)
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)


def total_variation(numerators: balls.Table, goal: Goal) -> tuple[balls.Ball, balls.Ball]:
    """Balls (a, b) with total variation a / b, from numerators of all weights."""
    return variation_of([numerators[i] for i in goal.indices], numerators.total(without=goal.indices), goal)


def variation_of(inside: list[balls.Ball], outside: balls.Ball, goal: Goal) -> tuple[balls.Ball, balls.Ball]:
    """The same from the numerators of the goal's own keys, in its order, and the sum of all others."""
    parts = budget.whole_numbers(goal.shares)
    common = sum(parts)  # the shares sum to one
    budget.spend(len(inside) * (8 * balls.unit_cost() + common.bit_length()))
    inside_sum = balls.total(inside)
    above = common * outside
    if len(inside) == 1:  # [W - Z]₊ = 0
        return above, outside + inside_sum
    for weight, part in zip(inside, parts, strict=True):
        # Z = outside + inside_sum, split so that equal weights in S cancel exactly
        above = above + ((common * weight - part * inside_sum) - part * outside).max(0)
    return above, common * (outside + inside_sum)
