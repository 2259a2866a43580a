"""A checked call of `design` for keys that vary, the claim its queries must meet, and the one impossibility that is proved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.goals import Copy, Goal
from headwright.kernel.heads import Heads
from headwright.search.least_norm.impossibility import prove_unreachable
from headwright.theories.random_keys.with_probability import WithProbability, checked_confidence
from headwright.words.key_models import KeyModel
from headwright.words.refusals import NotFound, Unreachable

MOST_HEADS = 4  # that "auto" tries


@final
@dataclass(frozen=True, eq=False)
class VaryingRequest:
    """What was asked, checked; `heads` are the numbers of heads to try, the fewest first."""

    model: KeyModel
    goal: Goal
    asked: float | str | Fraction
    error: Fraction
    asked_confidence: float | str | Fraction
    confidence: Fraction
    scale: Fraction
    heads: tuple[int, ...]
    seed: int

    def stored(self, queries: np.ndarray) -> np.ndarray:
        """Queries (h, d) designed at scale 1, as they will be stored; NotFound when float64 cannot hold them."""
        scaled: np.ndarray = queries / float(self.scale)
        if not np.isfinite(scaled).all():
            raise NotFound(f"float64 cannot hold it: at scale {float(self.scale)} the query overflows")
        return scaled

    def claim(self, queries: np.ndarray, mix: np.ndarray) -> WithProbability:
        """The claim about queries designed at scale 1."""
        heads = Heads(self.model.centre, self.stored(queries), mix, self.scale)
        return WithProbability(self.model, heads, self.goal, self.error, self.confidence)


def checked_varying(
    model: KeyModel, goal: Any, error: Any, confidence: Any, scale: Any, heads: Any, seed: int | None
) -> VaryingRequest:
    """The request, or an error that names the argument."""
    if confidence is None:
        raise ValueError("`confidence` is needed for keys that vary: the probability with which the error must be met")
    request = VaryingRequest(
        model,
        _checked_goal(goal, model),
        error,
        inputs.rational(error, name="error"),
        confidence,
        checked_confidence(inputs.rational(confidence, name="confidence")),
        Fraction(inputs.held(scale, name="scale")),  # a Design holds its scale as a float
        _counts(heads, goal),
        0 if seed is None else inputs.count(seed, name="seed"),
    )
    nothing = Heads(model.centre, np.zeros((1, model.d)), np.ones(1), request.scale)  # checks the scale before any work
    WithProbability(model, nothing, request.goal, request.error, request.confidence)  # and the error
    return request


def _checked_goal(goal: Any, model: KeyModel) -> Goal:
    """The goal, when it names weights on the model's keys."""
    if not isinstance(goal, Goal):
        raise TypeError(f"`goal` must be Copy, Average or Blend for keys that vary, got {type(goal).__name__}")
    goal.check(model.n)
    return goal


def _counts(heads: Any, goal: Goal) -> tuple[int, ...]:
    if not isinstance(heads, str):
        return (inputs.count(heads, name="heads", least=1),)
    if heads != "auto":
        raise ValueError(f"`heads` must be a positive integer or 'auto', got {heads!r}")
    return tuple(range(1, min(MOST_HEADS, max(2, len(goal.indices))) + 1))


def refuse_impossible(request: VaryingRequest) -> None:
    """Unreachable when the goal is a Copy that the keys that do not vary already rule out, whatever the others do.

    Other keys only lower the weight of the one to copy, and a mix of heads is no better than its best head: every realisation
    fails, the probability is 0.
    """
    varying = request.model.varying
    if not isinstance(request.goal, Copy) or request.goal.index in varying:
        return
    still = [j for j in range(request.model.n) if j not in varying]
    refusal = prove_unreachable(request.model.centre[still], Copy(still.index(request.goal.index)), request.error)
    if refusal is not None:
        raise Unreachable(
            f"{request.goal} has probability 0: already among the {len(still)} keys that do not vary (numbered anew from 0) "
            f"{refusal.reason}; the others only take weight away",
            verdict=refusal.verdict,
            witness=refusal.witness,
            best_error=refusal.best_error,
            best_verdict=refusal.best_verdict,
        )
