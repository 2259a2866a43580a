"""certify for many key sets or many separate queries: one verdict for each, the float64 part of all proofs side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.goals import Goal
from headwright.kernel.variation_of_each import VariationOfEach
from headwright.kernel.verdict import Verdict
from headwright.words.batches import beside, one_per_set, places, shares_of
from headwright.words.design import Design
from headwright.words.key_models import KeyModel
from headwright.words.profiles import own_region
from headwright.words.refusals import NotFound, Unreachable
from headwright.words.stored import stored
from headwright.words.verdicts import Verdicts

_ROOM = 2.0**-40  # of a bound: another order of summation in the proof must not undo it


def certify_each(
    judge: Callable[..., Verdict],
    keys: np.ndarray | KeyModel,
    design: Any,
    goal: Any,
    options: dict[str, Any],
    *,
    each: bool,
) -> Verdicts:
    """The verdicts on every key set of `keys` (..., n, d), with `each` on every query (..., m, d) over them.

    `judge` is `certify`, and judges one of them.
    """
    centre = keys.centre if isinstance(keys, KeyModel) else keys
    batch, queries = centre.shape[:-2], None
    about: Literal["key set", "query"] = "query" if each else "key set"
    if not holds_designs(design):
        queries = beside(design, centre, each=each)
        if options["mix"] is not None and 1 < np.ndim(design) < centre.ndim:
            raise ValueError(
                "`mix` needs heads (..., h, d) beside many key sets, and `queries` with one axis fewer are one for each key set"
            )
        own = queries.shape[:-2]
        batch = tuple(max(sizes) for sizes in zip(batch, own, strict=False)) + own[len(batch) :]
    elif each:
        raise ValueError("`each` goes with raw queries: a list of Designs is one for each key set")
    goals, flat = one_per_set(goal, batch), centre.reshape(-1, *centre.shape[-2:])
    share = len(goals) // len(flat)
    if queries is None:
        every = one_per_set(design, batch, "design")
        _need_designs(every, list(places(batch)))
        goals = [made.goal if own is None else own for made, own in zip(every, goals, strict=True)]
    else:
        every = list(np.broadcast_to(queries, (*batch, *queries.shape[-2:])).reshape(-1, *queries.shape[-2:]))

    def prove(i: int) -> Verdict:
        return judge(keys if isinstance(keys, KeyModel) else flat[i // share], every[i], goals[i], **options)

    asked = {name for name, value in options.items() if value is not None} - {"error", "scale", "mix", "norm"}
    alike = all(isinstance(own, Goal) for own in goals) and (queries is not None or _alike(every))
    if asked or not alike or isinstance(keys, KeyModel):
        return Verdicts(batch, prove, about=about)
    prove(0)  # checks all that one key set and the rest have in common
    if queries is None:
        heads = _heads(every)
    else:
        one_for_all = queries.shape[:-2] == (1,) * len(batch)
        mix = shares_of(options["mix"], queries.shape[-2])
        scale = inputs.rational(1 if options["scale"] is None else options["scale"], name="scale")
        heads = queries.reshape(1, *queries.shape[-2:]) if one_for_all else np.array(every), mix, scale, None
    claim = _bounded(_draft(flat, goals, *heads))
    # the largest float64 that is not above the error
    below = np.array([balls.float_below(inputs.rational(_error(own, options), name="error")) for own in every])
    statuses = np.full(len(goals), None, dtype=object)
    statuses[claim.most <= below] = "proved"
    statuses[claim.least > below] = "refuted"
    return Verdicts(batch, prove, statuses.tolist(), claim.prove(), about=about)


def holds_designs(design: Any) -> bool:
    """Whether this is a Design, or lists of what `design(..., throw=False)` returns."""
    while isinstance(design, list | tuple) and design:
        design = design[0]
    return isinstance(design, Design | Unreachable | NotFound)


def _need_designs(every: list[Any], index: list[tuple[int, ...]]) -> None:
    """Error unless every one is a Design, which says where none is."""
    for made, place in zip(every, index, strict=True):
        if isinstance(made, Unreachable | NotFound):
            raise ValueError(f"`design` has no Design for key set {place}, but a refusal: {made}")
        if not isinstance(made, Design):
            raise TypeError(f"`design` must have a Design for each key set, got {type(made).__name__} for {place}")


def _alike(every: list[Design]) -> bool:
    """Whether one claim can be about all of them: float64 queries, keys that stay, the same scale, mix and precision."""
    facts = {(made.scale, tuple(made.mix.tolist()), made.precision, made.queries.shape) for made in every}
    return len(facts) == 1 and not any(made.within or own_region(made) for made in every)


def _error(own: Any, options: dict[str, Any]) -> Any:
    if options["error"] is not None:
        return options["error"]
    return own.asked if isinstance(own, Design) and isinstance(own.goal, Goal) else 0.01


def _heads(every: list[Design]) -> tuple[np.ndarray, Any, Fraction, str | None]:
    """Queries (1 or b, h, d), mix, scale and precision of designs that are alike."""
    first = every[0]
    one_for_all = all(made is first for made in every)
    queries = first.queries[None] if one_for_all else np.array([made.queries for made in every])
    return queries, first.mix, inputs.rational(first.scale, name="scale"), first.precision


def _draft(
    flat: np.ndarray, goals: list[Goal], queries: np.ndarray, mix: Any, scale: Fraction, precision: str | None
) -> VariationOfEach:
    """The claim that says nothing yet: every total variation lies between 0 and 1. Queries are (1 or b, h, d)."""
    b = len(goals)
    if precision is not None:
        flat = np.array([stored(own, precision).values for own in flat])
    distinct = (goals[0],) if all(goal is goals[0] for goal in goals) else tuple(goals)
    return VariationOfEach(flat, queries, mix, scale, distinct, np.zeros(b), np.ones(b), precision)


def _bounded(draft: VariationOfEach) -> VariationOfEach:
    """The claim with the bounds that float64 can show, a little wider."""
    low, high = draft.enclosures()
    return replace(draft, least=low * (1 - _ROOM), most=np.minimum(high * (1 + _ROOM), 1.0))
