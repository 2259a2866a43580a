"""design: keys and a goal in, a Design out that certifies at the asked error — or a refusal that says why not."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal, TypedDict, Unpack, get_args, overload

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel import inputs
from headwright.kernel.goals import Goal, Top
from headwright.kernel.number_types import Precision
from headwright.search.least_norm import inexact_ratios, shortest
from headwright.search.least_norm.closed_form import closed_form
from headwright.search.least_norm.sturdy_design import design_sturdy
from headwright.search.least_norm.subspace import subspace
from headwright.search.least_norm.within_norm import within_norm
from headwright.search.random_keys.design_varying import design_varying
from headwright.search.request import DEFAULT_ERROR, Request, TopRequest, checked, one_key_set
from headwright.search.top.design_top import design_top
from headwright.search.top.top_within import design_top_within
from headwright.words.design import Design
from headwright.words.key_models import KeyModel
from headwright.words.profiles import check_norm, region_of
from headwright.words.refusals import NotFound, Unreachable

Number = float | str | Fraction
Within = ArrayLike | tuple[ArrayLike, ArrayLike]
Method = Literal["least-norm", "closed-form"]
METHODS: tuple[str, ...] = get_args(Method)
# A closed form meets its error exactly, on paper; float64 keys and queries miss by a few roundings. The query is
# lengthened by the first of these parts that lets the design certify.
_HAIRS = tuple(2.0**-k for k in range(44, 11, -4))


class DesignOptions(TypedDict, total=False):
    """The arguments of `design` that both of its signatures share."""

    error: Number | None
    max_norm: Number | None
    scale: float
    heads: int | Literal["auto"]
    method: Method
    confidence: Number | None
    precision: Precision | None
    within: Within | None
    radius: Number | ArrayLike | None
    norm: Literal["box", "ball"]
    per: Literal["key", "channel", "entry"] | None
    seed: int | None


@overload
def design(
    keys: ArrayLike | KeyModel, goal: Goal | Top, *, throw: Literal[True] = True, **options: Unpack[DesignOptions]
) -> Design: ...
@overload
def design(
    keys: ArrayLike | KeyModel, goal: Goal | Top, *, throw: Literal[False], **options: Unpack[DesignOptions]
) -> Design | Unreachable | NotFound: ...
def design(
    keys: ArrayLike | KeyModel,
    goal: Goal | Top,
    *,
    error: Number | None = None,
    max_norm: Number | None = None,
    scale: float = 1.0,
    heads: int | Literal["auto"] = 1,
    method: Method = "least-norm",
    confidence: Number | None = None,
    precision: Precision | None = None,
    within: Within | None = None,
    radius: Number | ArrayLike | None = None,
    norm: Literal["box", "ball"] = "box",
    per: Literal["key", "channel", "entry"] | None = None,
    seed: int | None = None,
    throw: bool = True,
) -> Design | Unreachable | NotFound:
    """A Design whose weights over `keys` (n, d) are proved to be within total variation `error` (0.01 by default) of `goal`.

    `method="least-norm"` takes any keys and returns the shortest query with exact ratios inside the goal's support; where there
    is none it searches for one with approximate ratios (`exact_ratios=False`). `method="closed-form"` is the textbook's
    query where its assumption holds. `heads` is 1, or the number of targets: then one Copy head per target, mixed by the
    goal's shares. For `Top` the query has score gap 1, and `error` plays no part. With `precision` ("float32", "float16",
    "bfloat16") keys and queries are rounded to that type, and the design holds for the rounded numbers. With one of the
    other kinds of `stored` ("int8", "int4", "int3", "nf4", "fp8-e4m3", "fp8-e5m2") the keys are stored in it, with one scale per
    channel where the kind has scales, and the queries stay float64.

    With `max_norm` the design is the best within that norm: the query with exact ratios and norm at most `max_norm` that has
    the least error, or for `Top` the largest gap. `error` must not be given. The design's `error_lower_bound` is a proved bound
    for all such queries. A goal that no query reaches has a best query too. If no query of that norm has exact ratios, the
    goal is `Unreachable`. With several heads, each is the best for its target within the norm, and no bound is proved.

    `within` is W (d, r) or (W, b): then only queries W x + b are looked at, such as those that a model's W_Q can form. The design
    stores the `coordinates` x, and all proofs, `lower_bound` included, speak of the exact queries W x + b.

    With `radius`, the design keeps its error however every key moves by at most that far, measured by `norm` and `per` as in
    `certify`. Its `verdict` says so, and `.error` is the worst error. For Copy it is the shortest such query, with a proved lower
    bound, or `Unreachable` is raised with a proof that there is none. For Average and Blend that problem is not convex: a
    query with exact ratios is searched for and certified, and no lower bound is proved.

    `keys` may be a key model: then `confidence` is the wanted probability of meeting the error, and `heads` any number, or "auto"
    for the fewest that are found to do it.

    Raises `Unreachable` (proved: no query does it), `NotFound` (none was found) or `AssumptionFailed` (closed form). With
    `throw=False` the first two are returned instead.

    >>> import numpy as np, headwright as hw
    >>> design = hw.design(np.eye(40), hw.Average(3, 7))
    >>> round(design.norm, 6), round(design.lower_bound, 6)
    (10.392565, 10.392565)
    """
    _check_method(method, seed, error, max_norm, within)
    check_norm(norm)
    if radius is None and per is not None:
        raise ValueError("`per` names the axis of `radius`, which is missing")
    if radius is not None:
        others = {"max_norm": max_norm, "within": within, "precision": precision, "confidence": confidence}
        beside = [f"`{name}`" for name, value in others.items() if value is not None]
        beside += ["`method`"] * (method != "least-norm") + ["several `heads`"] * (heads != 1)
        beside += ["`Top`"] * isinstance(goal, Top) + ["keys that vary"] * isinstance(keys, KeyModel)
        if beside:
            raise ValueError(f"`radius` does not go with {beside[0]}")
    try:
        with np.errstate(all="ignore"):  # what overflows is refused in words
            if isinstance(keys, KeyModel):
                if precision is not None or method != "least-norm" or max_norm is not None or within is not None:
                    raise ValueError("`precision`, `method`, `max_norm` and `within` do not go with keys that vary")
                return design_varying(
                    keys,
                    goal,
                    error=DEFAULT_ERROR if error is None else error,
                    confidence=confidence,
                    scale=scale,
                    heads=heads,
                    seed=seed,
                )
            if confidence is not None:
                raise ValueError(
                    "`confidence` needs keys that vary: GaussianKeys (`isotropic`, `along`, `factors`) or ScaledKeys"
                )
            request = checked(keys, goal, error, scale, heads, method, precision, max_norm, within)
            made = _designed(request, method, seed)
            if radius is None or isinstance(request, TopRequest):
                return made
            return design_sturdy(request, region_of(request.keys, radius, norm, per), made)
    except (Unreachable, NotFound) as refusal:
        if throw:
            raise
        return refusal


def design_many(
    keys: ArrayLike,
    goals: Iterable[Goal | Top],
    *,
    error: Number | None = None,
    max_norm: Number | None = None,
    scale: float = 1.0,
    method: Method = "least-norm",
    precision: Precision | None = None,
    within: Within | None = None,
    seed: int | None = None,
    throw: bool = False,
) -> list[Design | Unreachable | NotFound]:
    """One Design per goal over the same keys, sharing the work; a goal that is refused has its refusal in the list.

    The goals may be of different kinds, `Top` among them. The searches for all Copy goals run side by side. With `throw` the
    first refusal is raised.

    >>> import numpy as np, headwright as hw
    >>> [design.norm.__round__(4) for design in design_many(np.eye(5), [hw.Copy(0), hw.Average(1, 2)])]
    [5.3499, 5.4779]
    """
    _check_method(method, seed, error, max_norm, within)
    if isinstance(keys, KeyModel):
        raise TypeError("`keys` must be an array for design_many: design keys that vary one goal at a time")
    array = one_key_set(keys)
    if isinstance(goals, Goal | Top) or not isinstance(goals, Iterable):
        raise TypeError(f"`goals` must be a list of goals, got {type(goals).__name__}")
    space = None if within is None else subspace(within, array.shape[1])
    requests = [checked(array, goal, error, scale, 1, method, precision, max_norm, space) for goal in goals]
    together = method == "least-norm" and max_norm is None
    starts = shortest.copy_starts(requests) if together else {}
    results: list[Design | Unreachable | NotFound] = []
    for k, request in enumerate(requests):
        try:
            with np.errstate(all="ignore"):
                results.append(_designed(request, method, seed, starts.get(k)))
        except (Unreachable, NotFound) as refusal:
            if throw:
                raise
            results.append(refusal)
    return results


def _check_method(method: str, seed: int | None, error: Any, max_norm: Any, within: Any) -> None:
    if within is not None and method != "least-norm":
        raise ValueError(f"`within` goes with `method` 'least-norm' alone, got {method!r}")
    if seed is not None:
        inputs.count(seed, name="seed")
    if method not in METHODS:
        raise ValueError(f"`method` must be one of {', '.join(map(repr, METHODS))}, got {method!r}")
    if max_norm is not None and (error is not None or method != "least-norm"):
        other = "error" if error is not None else "method"
        raise ValueError(f"`{other}` does not go with `max_norm`, which asks for the least error within that norm")


def _designed(
    request: Request | TopRequest, method: str, seed: int | None, start: shortest.Start | None = None
) -> Design:
    """The Design that a checked call asks for, whatever its goal."""
    if isinstance(request, TopRequest):
        keys, top, scale, max_norm, space = request
        if space is not None:
            return design_top_within(keys, top, scale, space, max_norm)
        return design_top(keys, top, float(scale), max_norm)
    if request.max_norm is not None:
        return within_norm(request)
    if len(request.targets) == 1:
        return _one_head(request, method, seed, start)
    try:
        parts = [_one_head(request.for_target(target), method, seed) for target in request.targets]
    except Unreachable as refusal:  # of one target; other heads might still do the whole
        raise NotFound(f"there is no Copy head for every target: {refusal.reason}") from refusal
    stored = [part.queries if part.coordinates is None else part.coordinates for part in parts]
    return request.made(np.concatenate(stored), method=method, exact_ratios=False)


def _one_head(request: Request, method: str, seed: int | None, start: shortest.Start | None = None) -> Design:
    if method == "closed-form":
        return _textbook(request)
    result = shortest.search(request, start)
    if isinstance(result, Design):
        return result
    if result.reached:
        norm = request.norm(result.query)
        raise NotFound(
            f"float64 cannot hold it: the query found for {request.goal}, of norm {norm:.6g}, does not certify at error "
            f"{request.asked}; its own rounding costs more than that allows"
        )
    return inexact_ratios.design_with_inexact_ratios(request, result, seed or 0)


def _textbook(request: Request) -> Design:
    query = closed_form(request.keys, request.goal, request.error)
    for hair in _HAIRS if query.any() else (0.0,):
        if request.accepts(query * (1 + hair)):
            return shortest.finished(request, query * (1 + hair), "closed-form")
    raise NotFound(
        f"float64 cannot hold it: the closed-form query for {request.goal} does not certify at error {request.asked}, "
        "the keys' own rounding costs more than the error allows"
    )
