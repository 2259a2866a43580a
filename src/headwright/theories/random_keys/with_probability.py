"""Claim: over keys that vary, the weights are within an error of the goal with at least a stated probability.

The verdict is Proved if a proved lower bound on the probability reaches the confidence, and Refuted if a proved upper bound
falls short of it. Finite laws are enumerated (`finite_probability`), Gaussian keys integrated (`gaussian_probability`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from headwright.kernel import balls, inputs
from headwright.kernel.claim import Claim, at_least, at_most
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.kernel.verdict import Verdict
from headwright.kernel.within_error import checked_error
from headwright.theories.random_keys.finite_probability import finite_enclosures
from headwright.theories.random_keys.gaussian_probability import Enclosure, gaussian_enclosures
from headwright.theories.random_keys.laws import GaussianLaw, KeyLaw, ScaledLaw

_FINE = Fraction(1, 10**9)  # a decided claim is refined this far, so that it states a good figure
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
    """Proved bounds on P(total variation <= error) over the model's keys, ever tighter and more expensive.

    `enough(low, high)` says when the bounds need no further work. `room` is how much probability a rough bound may give away.
    """
    if isinstance(model, ScaledLaw):
        return finite_enclosures(model, heads, goal, error)
    if isinstance(model, GaussianLaw):
        return gaussian_enclosures(model, heads, goal, error, room, enough)
    raise TypeError(f"`keys` must be GaussianKeys or ScaledKeys, got {type(model).__name__}")


@final
@dataclass(frozen=True, eq=False)
class WithProbability(Claim):
    """Over `model`, the weights of `heads` are within `error` of `goal` with probability at least `confidence`.

    >>> from headwright.kernel.goals import Copy
    >>> keys = [[1.0, 0.0], [0.0, 1.0]]
    >>> model, heads = ScaledLaw(keys, {0: {1: "1/2", 2: "1/2"}}), Heads(keys, [[9.0, 0.0]], [1.0], 1)
    >>> WithProbability(model, heads, Copy(0), "0.01", "0.9").prove().bound
    1.0
    """

    model: KeyLaw
    heads: Heads
    goal: Goal
    error: Fraction
    confidence: Fraction
    kind: ClassVar[str] = "within-error-with-probability"

    def __post_init__(self) -> None:
        self.settle()
        if self.heads.keys.shape != self.model.centre.shape or (self.heads.keys != self.model.centre).any():
            raise ValueError("`heads` must have the keys around which the model varies")
        if self.heads.precision is not None:
            raise ValueError("`precision` must be None for keys that vary")
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
