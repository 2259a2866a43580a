"""What the library says about heads over keys that vary: the probability of meeting the error, with proved bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from headwright.kernel import budget
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.playground.sentences import at_least, at_most, plain
from headwright.search.random_keys.outcome import probability_met
from headwright.theories.random_keys.with_probability import WithProbability
from headwright.words.bounded import Bounded
from headwright.words.key_models import GaussianKeys

_SAMPLES, _SEED = 4096, 0  # enough to know where the probability lies to a hundredth; the proofs say the rest
# Weights that are sampled, about 50 ns each. Hundreds of heads, which only strangers send, would keep the kernel for minutes.
_MOST_WEIGHTS = 2 * 10**7
_LEAST_SAMPLES = 256
# Units of `budget`, about a nanosecond each: a notebook waits for an answer.
_FOR_A_SIDE = 10**9
_FOR_BOTH = 9 * 10**8  # the second proof costs as much as the first
# How far from the estimate the bounds are asked for: the nearest that is proved is taken.
_MARGINS = (Fraction(1, 100), Fraction(1, 20), Fraction(1, 5))
_LEAST = Fraction(1, 10**6)  # a probability asked for must lie strictly between 0 and 1


def answer_with_noise(model: GaussianKeys, heads: Heads, goal: Goal, error: str) -> dict[str, Any]:
    """Status, sentence and bounds of the probability that the error is met."""
    exact = Fraction(error)
    samples = min(_SAMPLES, _MOST_WEIGHTS // (len(heads.queries) * len(heads.keys)))
    if samples < _LEAST_SAMPLES:
        reason = f"{len(heads.queries)} heads over {len(heads.keys)} keys that vary are too many for the playground"
        return {"status": "undecided", "sentence": f"Undecided: {reason}.", "reason": reason}
    estimate = probability_met(model, heads, goal, exact, samples=samples, seed=_SEED)
    told = f"the weights of {plain(heads.describe())} are within total variation {error} of {goal}"
    lower, upper, spent = None, None, 0
    if estimate.low > float(_LEAST):
        lower, spent = _side(model, heads, goal, exact, [_below(estimate, margin) for margin in _MARGINS])
    if spent <= _FOR_BOTH and estimate.high < 1 - float(_LEAST):
        upper, _ = _side(model, heads, goal, exact, [_above(estimate, margin) for margin in _MARGINS])
    low = lower.bound if isinstance(lower, Proved) else None
    high = upper.bound if isinstance(upper, Refuted) else None
    if low is not None and low > 0:
        most = "" if high is None else f" It is at most {at_most(high)}."
        known = {"low": low, "high": 1.0 if high is None else high, "proved": True}
        told = f"Proved: {told} with probability at least {at_least(low)} over the noise.{most}"
        return {"status": "proved", "sentence": told, "bound": low, "probability": known}
    if high is not None:
        known = {"low": 0.0, "high": high, "proved": True}
        told = f"Refuted: {told} with probability above {at_most(high)} over the noise."
        return {"status": "refuted", "sentence": told, "bound": high, "probability": known}
    known = {"low": estimate.low, "high": estimate.high, "proved": False}
    about = f"the probability is estimated to lie between {at_least(estimate.low)} and {at_most(estimate.high)}"
    reason = f"no proof was found within the playground's limit of work; {about}"
    return {"status": "undecided", "sentence": f"Undecided: {reason}.", "reason": reason, "probability": known}


def _side(
    model: GaussianKeys, heads: Heads, goal: Goal, error: Fraction, confidences: list[Fraction]
) -> tuple[Verdict | None, int]:
    """The first claim of these that is decided, and the units spent."""
    verdict: Verdict | None = None
    with budget.within(_FOR_A_SIDE) as purse:
        try:
            for confidence in confidences:
                verdict = WithProbability(model, heads, goal, error, confidence).prove()
                if verdict.status != "undecided":
                    break
        except budget.OverBudget:
            verdict = None
    return verdict, purse.spent


def _below(estimate: Bounded, margin: Fraction) -> Fraction:
    if estimate.proved:
        return min(max(Fraction(estimate.low) - margin / 10**6, _LEAST), 1 - _LEAST)
    return min(max(Fraction(estimate.low) - margin, _LEAST), 1 - _LEAST)


def _above(estimate: Bounded, margin: Fraction) -> Fraction:
    if estimate.proved:
        return min(max(Fraction(estimate.high) + margin / 10**6, _LEAST), 1 - _LEAST)
    return min(max(Fraction(estimate.high) + margin, _LEAST), 1 - _LEAST)
