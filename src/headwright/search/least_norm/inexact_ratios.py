"""When exact ratios cannot meet the error: proof that nothing can, a query with approximate ratios, or an honest "not found".

For Copy there are no ratios to give up: either the key lies in the hull of the others, which is proved with exact weights, or
it lies outside so narrowly that the search did not get there: then the query along the widest margin is tried, and failing
that the norm that any query would need is proved instead.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from headwright.kernel import balls
from headwright.kernel.goals import Copy
from headwright.kernel.number_types import PRECISIONS, round_to
from headwright.search.least_norm.closed_form import log_ratio, odds
from headwright.search.least_norm.impossibility import prove_unreachable, proved_any_ratio_bound
from headwright.search.least_norm.least_variation import least_variation
from headwright.search.least_norm.nearest_points import min_norm_point
from headwright.search.least_norm.newton import LeastNorm
from headwright.search.least_norm.shortest import finished, needed_norm
from headwright.search.request import Request
from headwright.words.design import Design
from headwright.words.refusals import NotFound, Unreachable

METHOD = "least total variation"
_LONGER = 1 + 2.0**-20  # than the margin asks for: the point found is off by some roundings


def design_with_inexact_ratios(request: Request, failed: LeastNorm, seed: int) -> Design:
    """A Design with approximate ratios; otherwise raises Unreachable (proved) or NotFound (with the best found)."""
    unreachable = prove_unreachable(request.sight, request.goal, request.error, request.precision)
    if unreachable is not None:
        raise _about_rounded_keys(request, unreachable)
    if isinstance(request.goal, Copy):
        return _along_the_margin(request, failed)
    if request.lifts is not None:
        raise _not_found(request, None)
    query, _ = least_variation(request.seen, request.goal, request.error, seed=seed)
    if request.accepts(query):
        made = finished(request, query, METHOD)
        stored = made.queries if made.coordinates is None else made.coordinates
        return request.made(stored, method=METHOD, exact_ratios=False)
    raise _not_found(request, query)


def _about_rounded_keys(request: Request, refusal: Unreachable) -> Unreachable:
    """The refusal, which says so when it is about keys rounded to a narrow type."""
    if request.precision is None:
        return refusal
    reason = f"{_whose(request)}{refusal.reason}"
    return Unreachable(
        reason,
        verdict=refusal.verdict,
        witness=refusal.witness,
        best_error=refusal.best_error,
        best_verdict=refusal.best_verdict,
    )


def _whose(request: Request) -> str:
    """The first words of a reason that is about keys rounded to a narrow type."""
    return "" if request.precision is None else f"with keys rounded to {request.precision}, "


def _along_the_margin(request: Request, failed: LeastNorm) -> Design:
    """A key just outside the hull: the query along the widest margin, long enough; NotFound when it does not certify."""
    i = request.goal.indices[0]
    margin = min_norm_point(request.seen[i] - np.delete(request.seen, i, axis=0))
    least = needed_norm(request, failed)
    if margin.distance > 0:
        ahead = 0.0 if request.lifts is None else float(request.lifts.max() - request.lifts[i])
        wanted = max(0.0, log_ratio((len(request.keys) - 1) / odds(request.error)) + ahead) * _LONGER
        with np.errstate(all="ignore"):
            query = (margin.point / margin.distance) * (wanted / margin.distance)
        if np.isfinite(query).all() and request.accepts(query):
            return finished(request, query, "widest margin")
    proved = (
        f", and any query with that error has norm at least {balls.decimal_below(Fraction(least))}" if least else ""
    )
    raise NotFound(
        f"{_whose(request)}float64 cannot hold it: no query was found that copies key {i} to error {request.asked}, "
        f"nor a proof that there is none{proved}",
        proved_bound=least or None,
    )


def _not_found(request: Request, query: np.ndarray | None) -> NotFound:
    best = None if query is None else _best_found(request, query)
    bound = proved_any_ratio_bound(request.sight, request.goal)
    reached = "no query was found"
    if query is None:
        reached = (
            "approximate ratios are not searched for where the offset of `within` lies outside the image of its matrix"
        )
    if best is not None and best.error is not None:
        reached = f"the best query found has error {balls.decimal_above(Fraction(best.error))}"
    return NotFound(
        f"{_whose(request)}no query with exact ratios for {request.goal} was found to meet error {request.asked}, and {reached}; "
        "proved for every query: error at "
        f"least {balls.decimal_below(Fraction(bound))}",
        best=best,
        proved_bound=bound,
    )


def _best_found(request: Request, query: np.ndarray) -> Design | None:
    """The best query as a Design whose `error` is what it does achieve, rounded where a precision is asked."""
    try:
        stored = request.stored(query[None])
        stored = round_to(stored, request.precision) if request.precision in PRECISIONS else stored
    except (NotFound, ValueError):  # float64, or the narrow type, cannot hold it
        return None
    bare = request.made(stored, method=METHOD, exact_ratios=False)
    achieved = 0.5 * float(np.abs(bare.weights - request.goal.weights(len(request.keys))).sum())
    # A hair more than float64 says, strictly between 0 and 1 as a claim asks.
    claimed = min(Fraction(balls.float_above(Fraction(achieved) * (1 + Fraction(1, 10**9)))), 1 - Fraction(1, 2**40))
    asked = balls.float_above(max(claimed, Fraction(1, 2**900)))
    return replace(request, asked=asked, error=Fraction(asked), verdicts={}).made(
        stored, method=METHOD, exact_ratios=False
    )
