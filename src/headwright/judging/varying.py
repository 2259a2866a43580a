"""certify over keys that vary: a proof where one is had, else an estimate that never looks like one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from headwright import inputs
from headwright._design import Design
from headwright.goals import Goal
from headwright.key_models import KeyModel
from headwright.noise import heads_of, independent_errors
from headwright.noise.intervals import clopper_pearson
from headwright.proofs import Claim, WithProbability
from headwright.verdict import Undecided, Verdict

_SAMPLES = 2**17
_TIE = 1e-12  # float64 errors this near to the asked one may lie on either side of it
_SURE = 0.99  # confidence of the interval around an estimate


def certify_varying(
    model: KeyModel,
    design: Any,
    goal: Any,
    error: Any,
    confidence: Any,
    scale: Any,
    mix: Any,
    seed: int | None,
    others: Mapping[str, Any],
) -> Verdict:
    """The verdict on P(error met) >= confidence; `others` are arguments of `certify` that do not go with key models."""
    for name, value in others.items():
        if value is not None:
            raise ValueError(f"`{name}` does not go with keys that vary")
    own = design if isinstance(design, Design) else None
    goal = goal if goal is not None or own is None else own.goal
    if not isinstance(goal, Goal):
        raise TypeError(f"`goal` must be Copy, Average or Blend for keys that vary, got {type(goal).__name__}")
    if error is None:
        error = own.asked if own is not None else 0.01
    if confidence is None:
        confidence = None if own is None else own.confidence
    if confidence is None:
        raise ValueError("`confidence` is needed for keys that vary: the probability with which the error must be met")
    claim = WithProbability(
        model,
        heads_of(model.centre, design, scale, mix),
        goal,
        inputs.rational(error, name="error"),
        inputs.rational(confidence, name="confidence"),
    )
    verdict = proved_once(claim, design)
    if not isinstance(verdict, Undecided):
        return verdict
    return _with_estimate(verdict, claim, model, 0 if seed is None else inputs.count(seed, name="seed"))


def _with_estimate(verdict: Undecided, claim: WithProbability, model: KeyModel, seed: int) -> Undecided:
    """The verdict with the share of independent samples that met the error, and its interval of Clopper and Pearson."""
    limit, surely, perhaps = float(claim.error), 0, 0
    try:
        for errors in independent_errors(model, claim.heads, claim.goal, _SAMPLES, seed):
            surely += int(np.count_nonzero(errors <= limit - _TIE))
            perhaps += int(np.count_nonzero(errors <= limit + _TIE))
    except ValueError:  # scores that float64 cannot sample: the proof's verdict stands alone
        return verdict
    tail = (1 - _SURE) / 2
    low, high = (float(clopper_pearson(np.array(met), _SAMPLES, tail)[k]) for k, met in enumerate((surely, perhaps)))
    if low >= claim.confidence:
        seen = "samples speak for the claim, but no proof was found: ask for a larger error or a smaller confidence"
    elif high < claim.confidence:
        seen = "samples speak against the claim, but nothing refutes it: try another design, error or confidence"
    else:
        seen = "samples leave it open: ask for an error or a confidence further away, or estimate it with `outcome`"
    evidence = {
        "estimated probability": _between(surely / _SAMPLES, perhaps / _SAMPLES),
        f"estimated interval at {100 * _SURE:g} % (Clopper–Pearson)": f"{low:.6f} … {high:.6f}",
        "samples": _SAMPLES,
        "seed": seed,
    }
    return replace(verdict, evidence=evidence, next_step=seen)


def _between(low: float, high: float) -> float | str:
    """One share, or two where samples tie with the asked error."""
    return round(low, 6) if low == high else f"{low:.6f} … {high:.6f} (samples tie with the error)"


def proved_once(claim: Claim, design: Any) -> Verdict:
    """The verdict on the claim: the one that the design carries, where that is about the same claim."""
    known: Verdict | None = vars(design).get("verdict") if isinstance(design, Design) else None
    if known is not None and isinstance(known.record, Claim) and _same(known.record, claim):
        return known
    return claim.prove()


def _same(one: Claim, other: Claim) -> bool:
    mine, theirs = one.arrays(), other.arrays()
    return (
        one.stated() == other.stated()
        and mine.keys() == theirs.keys()
        and all(np.array_equal(array, theirs[name]) for name, array in mine.items())
    )
