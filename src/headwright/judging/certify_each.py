"""certify for a batch of key sets: one verdict for each, the float64 part of all proofs side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from headwright import balls, inputs
from headwright._design import Design
from headwright._stored import stored
from headwright.batches import beside, one_per_set, places
from headwright.goals import Goal
from headwright.judging.verdicts import Verdicts
from headwright.proofs import VariationOfEach
from headwright.verdict import Verdict

_ROOM = 2.0**-40  # of a bound: another order of summation in the proof must not undo it


def certify_each(
    judge: Callable[..., Verdict], keys: np.ndarray, design: Any, goal: Any, options: dict[str, Any]
) -> Verdicts:
    """The verdicts on every key set of `keys` (..., n, d). `judge` is `certify`, and judges one of them."""
    queries = None
    if not isinstance(design, Design):
        queries, keys = beside(design, keys)
    batch = keys.shape[:-2]
    goals = one_per_set(goal, batch)
    if queries is None:
        goals = [design.goal if own is None else own for own in goals]
        every = [design] * len(goals)
    else:
        every = list(np.broadcast_to(queries, (*batch, *queries.shape[-2:])).reshape(-1, *queries.shape[-2:]))
        one_for_all = queries.shape[:-2] == (1,) * len(batch)
        design = queries.reshape(1, *queries.shape[-2:]) if one_for_all else np.array(every)
    index = list(places(batch))

    def prove(i: int) -> Verdict:
        return judge(keys[index[i]], every[i], goals[i], **options)

    asked = {name for name, value in options.items() if value is not None} - {"error", "scale", "mix", "norm"}
    formed = getattr(design, "within", None) is not None  # exact queries that float64 does not hold
    if asked or formed or not all(isinstance(own, Goal) for own in goals):
        return Verdicts(batch, prove)
    if options["error"] is None:
        options = {**options, "error": design.asked if _has_error(design) else 0.01}
    error = inputs.rational(options["error"], name="error")
    prove(0)  # checks all that one key set and the rest have in common
    claim = _bounded(_draft(keys, design, goals, options))
    below = balls.float_below(error)  # the largest float64 that is not above the error
    statuses = np.full(len(goals), None, dtype=object)
    statuses[claim.most <= below] = "proved"
    statuses[claim.least > below] = "refuted"
    return Verdicts(batch, prove, statuses.tolist(), claim.prove())


def _has_error(design: Any) -> bool:
    return isinstance(design, Design) and isinstance(design.goal, Goal)


def _draft(keys: np.ndarray, design: Any, goals: list[Goal], options: dict[str, Any]) -> VariationOfEach:
    """The claim that says nothing yet: every total variation lies between 0 and 1. Raw queries are (1 or b, h, d)."""
    flat = keys if keys.ndim == 3 else keys.reshape(-1, *keys.shape[-2:])
    if isinstance(design, Design):
        scale: Any = design.scale
        queries, mix, precision = design.queries[None], design.mix, design.precision
        if precision is not None:
            flat = np.array([stored(own, precision).values for own in flat])
    else:
        queries, precision = design, None
        mix = np.ones(queries.shape[1]) if options["mix"] is None else options["mix"]
        scale = 1 if options["scale"] is None else options["scale"]
    distinct = (goals[0],) if all(goal is goals[0] for goal in goals) else tuple(goals)
    ends = np.zeros(len(flat)), np.ones(len(flat))
    return VariationOfEach(
        flat, queries, mix, Fraction(inputs.rational(scale, name="scale")), distinct, *ends, precision
    )


def _bounded(draft: VariationOfEach) -> VariationOfEach:
    """The claim with the bounds that float64 can show, a little wider."""
    low, high = draft.enclosures()
    return replace(draft, least=low * (1 - _ROOM), most=np.minimum(high * (1 + _ROOM), 1.0))
