"""Claim: over keys that vary, the weights are within an error of the goal with at least a stated probability.

Proved when a proved lower bound on this design's probability reaches the confidence, Refuted when a proved upper bound falls
short of it. Finite laws are enumerated, Gaussian keys integrated: `finite_probability`, `gaussian_probability`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from headwright import balls, inputs
from headwright.goals import Goal
from headwright.key_laws import GaussianLaw, KeyLaw, ScaledLaw
from headwright.proofs.claim import Claim, at_least, at_most
from headwright.proofs.finite_probability import finite_enclosures
from headwright.proofs.gaussian_probability import Enclosure, gaussian_enclosures
from headwright.proofs.heads import Heads
from headwright.proofs.within_error import checked_error
from headwright.verdict import Verdict

_FINE = Fraction(1, 10**9)  # a settled claim is refined so far, for the sake of the figure it states
_LOOSE = "the proved bounds on the probability lie on both sides of the confidence"
_ESTIMATE = "estimate the probability with `outcome`, or ask for another error or confidence"


def checked_confidence(confidence: Fraction) -> Fraction:
    """The confidence itself when it lies strictly between 0 and 1, or ValueError."""
    if not 0 < confidence < 1:
        raise ValueError(f"`confidence` must lie strictly between 0 and 1, got {inputs.show(confidence)}")
    return confidence


def probability_enclosures(
    model: KeyLaw,
    heads: Heads,
    goal: Goal,
    error: Fraction,
    *,
    room: Fraction = Fraction(1, 100),
    enough: Callable[[Fraction, Fraction], bool],
) -> Iterator[Enclosure]:
    """Proved bounds on P(total variation <= error) over the model's keys, tighter and dearer ones later.

    `enough(low, high)` says when bounds need no further work; `room` is how much probability a rough bound may give away.
    """
    if isinstance(model, ScaledLaw):
        return finite_enclosures(model, heads, goal, error)
    if isinstance(model, GaussianLaw):
        return gaussian_enclosures(model, heads, goal, error, room, enough)
    raise TypeError(f"`keys` must be GaussianKeys or ScaledKeys, got {type(model).__name__}")


@final
@dataclass(frozen=True, eq=False)
class WithProbability(Claim):
    """P(total variation of the weights of `heads` over `model` from `goal` <= `error`) >= `confidence`."""

    model: KeyLaw
    heads: Heads
    goal: Goal
    error: Fraction
    confidence: Fraction
    kind: ClassVar[str] = "within-error-with-probability"

    def __post_init__(self) -> None:
        self.settle()
        if self.heads.keys.shape != self.model.centre.shape or (self.heads.keys != self.model.centre).any():
            raise ValueError("`heads` must look at the keys around which the model varies")
        if self.heads.precision is not None:
            raise ValueError("`precision` does not go with keys that vary")
        self.goal.check(self.heads.n)
        checked_error(self.error)
        checked_confidence(self.confidence)

    def sentence(self) -> str:
        return (
            f"the weights of {self.heads.describe()} are within total variation {inputs.show(self.error)} of {self.goal} with "
            f"probability at least {inputs.show(self.confidence)} over {self.model.describe()}"
        )

    def judge(self) -> Verdict:
        low, high = Fraction(0), Fraction(1)
        for enclosure in probability_enclosures(
            self.model, self.heads, self.goal, self.error, room=1 - self.confidence, enough=self._settled
        ):
            low, high = max(low, enclosure.low), min(high, enclosure.high)
            if low >= self.confidence:
                return self.proved(**at_least("probability", low, 10), method=enclosure.method)
            if high < self.confidence:
                point = {"queries": self.heads.queries}
                return self.refuted(**at_most("probability", high, 10), counterexample=point, method=enclosure.method)
        between = f"between {balls.decimal_below(low)} and {balls.decimal_above(high)}"
        return self.undecided(f"{_LOOSE}: it is {between}", _ESTIMATE)

    def _settled(self, low: Fraction, high: Fraction) -> bool:
        return (low >= self.confidence or high < self.confidence) and high - low <= _FINE
