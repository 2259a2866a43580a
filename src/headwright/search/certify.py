"""certify: put a question about weights into a claim and hand it to the proofs.

Where keys vary and no proof is found, the verdict carries an estimate, which never looks like a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel import inputs
from headwright.kernel.claim import Claim
from headwright.kernel.goals import Goal, Top
from headwright.kernel.heads import Heads
from headwright.kernel.region import Region
from headwright.kernel.top_gap import TopGap
from headwright.kernel.verdict import Undecided, Verdict
from headwright.kernel.weight_bound import WeightBound
from headwright.kernel.within_error import WithinError
from headwright.kernel.withstands import Withstands
from headwright.search.certify_each import certify_each, holds_designs
from headwright.search.random_keys.independent_draws import independent_errors
from headwright.search.random_keys.intervals import clopper_pearson
from headwright.search.random_keys.outcome import heads_of
from headwright.theories.matrices.layer_rows import LayerRows
from headwright.theories.random_keys.with_probability import WithProbability
from headwright.words.batches import key_sets, wants_each
from headwright.words.design import Design
from headwright.words.key_models import KeyModel
from headwright.words.layer import Layer
from headwright.words.profiles import check_norm, own_region, region_of

Number = float | str | Fraction
_SAMPLES = 2**17
_TIE = 1e-12  # float64 errors this near to the asked one may lie on either side of it
_SURE = 0.99  # confidence of the interval around an estimate


def certify(
    keys: ArrayLike | KeyModel,
    design: Design | Layer | ArrayLike | Sequence[Any],
    goal: Goal | Top | None = None,
    *,
    error: Number | None = None,
    gap: Number | None = None,
    radius: Number | ArrayLike | None = None,
    norm: Literal["box", "ball"] = "box",
    per: Literal["key", "channel", "entry"] | None = None,
    of: int | ArrayLike | None = None,
    at_most: Number | None = None,
    at_least: Number | None = None,
    confidence: Number | None = None,
    scale: Number | None = None,
    mix: ArrayLike | Literal["equal"] | None = None,
    each: bool = False,
    seed: int | None = None,
) -> Verdict:
    """Proved, Refuted or Undecided: the weights over `keys` are within total variation `error` of `goal`.

    `design` is a Design (its goal and asked error are the defaults) or raw queries at `scale` 1 unless given: (d,) for one head,
    or (m, d), and the call says whose rows they are. `mix="equal"`, or m weights, makes them heads of one output. `each=True`
    makes them m separate queries, and the result is `Verdicts`, one per row. For raw queries `error` is 0.01 unless given.

    With `radius`, the claim is for all keys that move at most that far, per coordinate (`norm="box"`) or in length ("ball").
    `radius` may be an array: one number per key (n,), per channel (d,) or per entry (n, d), with `per` to name the axis where
    n = d. A ball is then the ellipsoid with these semi-axes. A Design that was made with a `radius` has that as its default,
    with its `norm`. Pass its queries instead to ask about keys that stay.

    With `of`, a key's index or a vector (n,), the claim is instead that this weight or linear functional of the weights is
    `at_most` or `at_least` a number. For `Top` the claim is that the smallest score gap is positive, or at least `gap` (by
    default what a Design for `Top` was asked). A float means its binary value, a string or Fraction the rational it spells. For
    a Design with a `precision` the keys are rounded to that type first, and the claim says so.

    `design` may be a Layer, and `keys` its tokens or others like them: the claim is that every row with a goal meets it and
    yields its output. `keys` may be a key model: the claim is then that the weights are within `error` with probability at least
    `confidence`. Where that is Undecided, the verdict carries an estimate from samples drawn with `seed`.

    `keys` may be a batch (..., n, d): the result is then `Verdicts`, one verdict per key set. A Design or one query (d,) serves
    all of them. Lists of Designs, with the shape of the batch, are one per key set, each with its own goal and error. Raw
    queries with one axis fewer than the keys are one per key set. With as many axes, (..., m, d), they are m heads by `mix`, or
    m separate queries by `each`. `goal` may be lists with the shape of the verdicts.

    >>> import numpy as np
    >>> certify(np.eye(3), [7.0, 7.0, 0.0], of=0, at_least="0.499").status
    'proved'
    >>> certify(np.eye(3), 7 * np.eye(3), of=0, at_least="0.9", each=True)
    Verdicts on 3 queries: 1 proved, 2 refuted
    """
    check_norm(norm)
    apart = wants_each(each, design, mix)
    if not isinstance(design, Layer):
        sets = keys if isinstance(keys, KeyModel) else key_sets(keys)
        if apart or (isinstance(sets, np.ndarray) and sets.ndim > 2):
            given = {
                "error": error,
                "gap": gap,
                "radius": radius,
                "norm": norm,
                "per": per,
                "of": of,
                "at_most": at_most,
            }
            given |= {"at_least": at_least, "confidence": confidence, "scale": scale, "mix": mix, "seed": seed}
            return certify_each(certify, sets, design, goal, given, each=apart)  # type: ignore[return-value]  # Verdicts
    if isinstance(design, list | tuple) and holds_designs(design):
        raise ValueError(
            "`design` is a list of Designs, one for each of many key sets: for one key set pass one of them"
        )
    drawn = 0 if seed is None else inputs.count(seed, name="seed")
    others: dict[str, Any] = {
        "gap": gap,
        "radius": radius,
        "per": per,
        "of": of,
        "at_most": at_most,
        "at_least": at_least,
    }
    if isinstance(keys, KeyModel):
        _refuse(others, "keys that vary")
        likely = _varying_claim(keys, design, goal, error, confidence, scale, mix)
        verdict = _proved_once(likely, design)
        return _with_estimate(verdict, likely, keys, drawn) if isinstance(verdict, Undecided) else verdict
    if isinstance(design, Layer):
        others = {"goal": goal, **others, "confidence": confidence, "scale": scale, "mix": mix}
        others["each"] = each or None
        _refuse(others, "a Layer, which has its own goals")
        exact_error = None if error is None else inputs.rational(error, name="error")
        return LayerRows(**design.claimed(inputs.float64(keys, name="tokens", ndim=2), exact_error)).prove()
    if confidence is not None:
        raise ValueError(
            "`confidence` needs keys that vary: GaussianKeys (`isotropic`, `along`, `factors`) or ScaledKeys"
        )
    heads = heads_of(keys, design, scale, mix)
    if radius is None and per is not None:
        raise ValueError("`per` names the axis of `radius`, which is missing")
    region = own_region(design, heads.keys) if radius is None else region_of(heads.keys, radius, norm, per)
    if of is not None:
        if goal is not None or error is not None:
            raise ValueError("`of` asks about a weight; `goal` and `error` do not go with it")
        if gap is not None:
            raise ValueError("`of` asks about a weight; `gap` goes with `Top` alone")
        return _weight_claim(heads, of, at_most, at_least, region).prove()
    if at_most is not None or at_least is not None:
        raise ValueError("`at_most` and `at_least` need `of`: the key, or the functional, that they bound")
    if goal is None and isinstance(design, Design):
        goal = design.goal
    if isinstance(goal, Top):
        if error is not None:
            raise ValueError("`error` does not go with `Top`, which asks for a score gap: use `gap`")
        return _proved_once(_top_claim(heads, design, goal, gap, region), design)
    if gap is not None:
        raise ValueError("`gap` goes with `Top` alone; other goals ask for an error")
    if not isinstance(goal, Goal):
        raise TypeError(f"`goal` must be a goal such as Copy(3), got {type(goal).__name__}")
    if error is None:
        error = design.asked if isinstance(design, Design) and isinstance(design.goal, Goal) else 0.01
    exact = inputs.rational(error, name="error")
    claim: Claim = WithinError(heads, goal, exact) if region is None else Withstands(heads, goal, exact, region)
    return _proved_once(claim, design)


def _refuse(given: dict[str, Any], beside: str) -> None:
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"`{name}` does not go with {beside}")


def _top_claim(heads: Heads, design: Any, top: Top, gap: Number | None, region: Region | None) -> TopGap:
    if gap is None and isinstance(design, Design) and isinstance(design.goal, Top):
        gap = design.asked
    return TopGap(heads, top, None if gap is None else inputs.rational(gap, name="gap"), region)


def _weight_claim(heads: Heads, of: Any, at_most: Any, at_least: Any, region: Region | None) -> WeightBound:
    if (at_most is None) == (at_least is None):
        raise ValueError("`of` needs exactly one of `at_most` and `at_least`")
    if isinstance(of, int | np.integer | str | float) or getattr(of, "ndim", 1) == 0:
        i = inputs.index(of, name="of")
        if i >= heads.n:
            raise ValueError(f"`of` names key {i}, but there are only {heads.n} keys")
        of = np.zeros(heads.n)
        of[i] = 1.0
    of = inputs.float64(of, name="of", ndim=1)
    if len(of) != heads.n:
        raise ValueError(f"`of` must have one number per key ({heads.n}), got {len(of)}")
    if at_most is not None:
        return WeightBound(heads, of, "at most", inputs.rational(at_most, name="at_most"), region)
    return WeightBound(heads, of, "at least", inputs.rational(at_least, name="at_least"), region)


def _varying_claim(
    model: KeyModel, design: Any, goal: Any, error: Any, confidence: Any, scale: Any, mix: Any
) -> WithProbability:
    """P(error met) >= confidence; goal, error and confidence default to those of a Design."""
    own = design if isinstance(design, Design) else None
    goal = own.goal if goal is None and own is not None else goal
    if not isinstance(goal, Goal):
        raise TypeError(f"`goal` must be Copy, Average or Blend for keys that vary, got {type(goal).__name__}")
    if error is None:
        error = 0.01 if own is None else own.asked
    if confidence is None:
        confidence = None if own is None else own.confidence
    if confidence is None:
        raise ValueError("`confidence` is needed for keys that vary: the probability with which the error must be met")
    heads = heads_of(model.centre, design, scale, mix)
    bounds = inputs.rational(error, name="error"), inputs.rational(confidence, name="confidence")
    return WithProbability(model, heads, goal, *bounds)


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


def _proved_once(claim: Claim, design: Any) -> Verdict:
    """The verdict on the claim: the one that the design carries, where that is about the same claim."""
    known: Verdict | None = vars(design).get("verdict") if isinstance(design, Design) else None
    if known is not None and isinstance(known.record, Claim) and _same(known.record, claim) and not known.changed:
        return known
    return claim.prove()


def _same(one: Claim, other: Claim) -> bool:
    mine, theirs = one.arrays(), other.arrays()
    return (
        type(one) is type(other)
        and one.stated() == other.stated()
        and mine.keys() == theirs.keys()
        and all(np.array_equal(array, theirs[name]) for name, array in mine.items())
    )
