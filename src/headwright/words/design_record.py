"""What the claims of a Design must say to be its own: its verdict is about its very numbers, and so is what is said of the best.

A Design is a value that `dataclasses.replace` can change, and its proofs are callables. So whoever reads a verdict compares its
claim with the design, here and nowhere else. The claims are known by their fields, because this file lies below them.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.goals import Top
from headwright.words.query_norms import meets

# What a claim that a design is the best may be, without and with a largest norm: its bound is read as a norm or as an error.
_BEST = {False: ("no-shorter", "gap-norm", "none-withstands"), True: ("no-smaller-error", "gap-norm", "out-of-reach")}
_ROUNDING = 1e-9  # weights in float64 that differ by less are weights of the same queries


def held(claim: Any) -> dict[str, Any]:
    """The fields of a Design that its claim holds; ValueError if it is not a claim about the heads of a design."""
    heads, goal = getattr(claim, "heads", None), getattr(claim, "goal", getattr(claim, "top", None))
    if heads is None or goal is None:
        raise ValueError(f"a claim of kind {getattr(claim, 'kind', None)!r} is not about queries and a goal")
    image = heads.image
    return {
        "queries": heads.queries if image is None else heads.rounded,
        "coordinates": None if image is None else heads.queries,
        "within": None if image is None else (image.matrix, image.offset),
        "mix": heads.mix,
        "scale": inputs.held(heads.scale, name="scale"),
        "goal": goal,
        "precision": heads.precision,
    }


def stated(claim: Any) -> dict[str, Fraction | None]:
    """The error or gap, and the confidence, that a claim is about, as a Design names them."""
    return {
        "asked": getattr(claim, "error", getattr(claim, "gap", None)),
        "confidence": getattr(claim, "confidence", None),
    }


def differing(design: Any, claim: Any) -> list[str]:
    """The fields of a design that are not what its claim is about."""
    own = [name for name, value in held(claim).items() if not same(value, getattr(design, name))]
    numbers = {name: getattr(design, name) for name in stated(claim)}
    exact = {name: None if x is None else inputs.rational(x, name=name) for name, x in numbers.items()}
    return own + [name for name, value in stated(claim).items() if value != exact[name]]


def own_claim(design: Any, claim: Any) -> Any:
    """The claim that a design meets its goal: this one if it says so, otherwise the same about the design's own numbers.

    ValueError if there is no such claim, as when the goal becomes a Top, or when a query is not what its coordinates give.
    """
    changed = differing(design, claim)
    if not changed:
        return claim
    heads, image = claim.heads, claim.heads.image
    try:
        kinds = (
            (image is None, design.within is None),
            (hasattr(claim, "confidence"), design.confidence is not None),
            (hasattr(claim, "top"), isinstance(design.goal, Top)),
        )
        if any(one is not other for one, other in kinds):
            raise ValueError("they belong to another kind of claim")
        if image is not None:
            image = dataclasses.replace(image, **dict(zip(("matrix", "offset"), design.within, strict=True)))
        heads = dataclasses.replace(
            heads,
            queries=design.queries if image is None else design.coordinates,
            mix=design.mix,
            scale=design.scale,
            precision=design.precision,
            image=image,
        )
        asked, goal = ("error", "goal") if hasattr(claim, "error") else ("gap", "top")
        facts = {goal: design.goal, asked: inputs.rational(design.asked, name="asked")}
        if design.confidence is not None:
            facts["confidence"] = inputs.rational(design.confidence, name="confidence")
        made = dataclasses.replace(claim, heads=heads, **facts)
        if left := differing(design, made):
            raise ValueError(f"its {named(left)} and the rest of the design contradict each other")
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError(
            f"this design was proved with other {named(changed)}, and nothing can be proved of it as it is now ({error}): "
            "call `design` again, or judge its queries with `certify`"
        ) from error
    return made


def named(names: list[str]) -> str:
    """
    >>> named(["goal", "mix"])
    '`goal` and `mix`'
    """
    return " and ".join(f"`{name}`" for name in names)


def settled(design: Any) -> dict[str, Any]:
    """The fields of a new design that its claim corrects, where that is known before its proof: `prove`, and `weights`.

    ValueError if the design contradicts itself: a query longer than its `max_norm`, or mean weights of other queries.
    """
    claim: Any = getattr(design.prove, "__self__", None)
    if getattr(claim, "heads", None) is None:
        return {}
    most = design.max_norm
    if most is not None and not meets(design.queries, design.coordinates, design.within, most):
        raise ValueError(f"`max_norm` is {inputs.show(most)}, but a query is longer")
    own = own_claim(design, claim)
    if hasattr(own, "model"):
        if not same(
            (own.heads.queries, own.heads.mix, own.heads.scale),
            (claim.heads.queries, claim.heads.mix, claim.heads.scale),
        ):
            raise ValueError("`weights` are the mean weights of other queries: call `design` again")
        return {"prove": own.prove}
    weights = weights_of(design.queries, design.mix, design.scale, own.heads.keys)
    if design.weights.shape == weights.shape and np.abs(design.weights - weights).max() < _ROUNDING:
        return {"prove": own.prove}
    return {"prove": own.prove, "weights": inputs.float64(weights, name="weights", ndim=1)}


def weights_of(queries: np.ndarray, mix: np.ndarray, scale: float, keys: np.ndarray) -> np.ndarray:
    """The mixed weights (n,) of queries (h, d) over keys (n, d): what `attend` gives, without its copies of the keys."""
    with np.errstate(over="ignore", invalid="ignore"):
        scores = scale * (queries @ keys.T)
    if not np.isfinite(scores).all():
        raise ValueError("`query`, `keys` and `scale` give scores beyond the range of float64")
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights: np.ndarray = (mix / mix.sum()) @ (powers / powers.sum(axis=1, keepdims=True))
    return weights


def says_best(claim: Any, design: Any) -> bool:
    """Whether a claim that no design does better is about this one; a verdict without a claim says nothing of any."""
    if claim is None or design.verdict is None:
        return True
    try:
        check_best(claim, design.verdict.record, design.max_norm, "optimality")
    except ValueError:
        return False
    return True


def check_best(claim: Any, main: Any, max_norm: Fraction | None, name: str) -> None:
    """ValueError unless the claim says that no design does better, over the same keys, for the same goal and norm.

    "A gap of g or more takes norm R" means that no query of norm R has a larger gap, because a longer one could be shortened.
    With an offset it cannot be, so the claim must be about a norm above R.
    """
    if hasattr(main, "model") or len(main.heads.queries) > 1:
        raise ValueError(f"`{name}` is about one query over fixed keys, and the design is not")
    if claim.kind not in _BEST[max_norm is not None]:
        raise ValueError(f"`{name}` must not be a claim of kind {claim.kind!r}")
    mine, theirs = _facts(claim), _facts(main)
    if max_norm is not None:  # the error or gap is the bound that is claimed, for queries up to that norm
        mine |= {"error": None, "gap": None}
        norm = {"no-smaller-error": "max_norm", "gap-norm": "least"}.get(claim.kind)
        fixed = claim.kind == "gap-norm" and claim.image is not None and claim.image.offset is not None
        if norm is not None and not (getattr(claim, norm) > max_norm if fixed else getattr(claim, norm) == max_norm):
            raise ValueError(f"`{name}` is about another norm than the design")
    for part, value in mine.items():
        if value is not None and not same(value, theirs[part]):
            raise ValueError(f"`{name}` is about another `{part}` than the design")


def _facts(claim: Any) -> dict[str, Any]:
    """What a claim is about; None for what it leaves open, so that it holds for more queries or for keys that stay."""
    heads = getattr(claim, "heads", claim)
    image, region = getattr(heads, "image", None), getattr(claim, "region", None)
    facts = {name: getattr(heads, name, None) for name in ("keys", "scale", "precision")}
    facts |= {name: getattr(claim, name, None) for name in ("goal", "top", "error", "gap")}
    facts["region"] = None if region is None else (tuple(region.fields().items()), *region.arrays().values())
    facts["within"] = None if image is None else (image.matrix, image.offset)
    return facts


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, arrays and tuples of them by their numbers."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return one is not None and other is not None and bool(np.array_equal(one, other))
    return bool(one == other)
