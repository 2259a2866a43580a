"""The best within a norm: the least error of any query with exact ratios, certified, and the proof that none errs less.

`geometry.least_error` finds the query and the witness. The query is drawn in until its exact norm is at most the one allowed, and
its error is then whatever the proof says. If every query with exact ratios is longer, that is proved instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import cast

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.goals import Copy
from headwright.kernel.no_shorter import NoShorter
from headwright.kernel.no_smaller_error import NoSmallerError
from headwright.kernel.number_types import PRECISIONS, SIGNIFICANT_BITS, round_to
from headwright.kernel.verdict import Proved, Verdict
from headwright.search.least_norm.impossibility import prove_unreachable
from headwright.search.least_norm.landscape import total_variation
from headwright.search.least_norm.least_error import LeastError, least_error
from headwright.search.least_norm.narrow_queries import nearest_plane
from headwright.search.least_norm.shortest import Problem, best_bound
from headwright.search.request import Request, shortened
from headwright.theories.matrices.matrix_norms import exact_squared_norm
from headwright.words.design import Design
from headwright.words.refusals import NotFound, Unreachable

METHOD = "least-error"
_DROPPED = 1e-13  # total weight left out of a witness, to keep it short
_SETTLED = 2**34  # a bound known to this part of itself is not sought at higher precision: ten digits are claimed
# How far above the leak the error is first claimed: as far as the first tier of a proof sees, then beyond what rounding of
# the query costs the ratios. The error is never 0, because a claim asks for a positive one.
_ABOVE = (2.0**-36, 2.0**-30, 2.0**-20, 1.0)
_LARGEST = Fraction(math.nextafter(1.0, 0.0))  # larger errors below 1 are no floats
# Of the error, or of what it lacks to 1: a bound farther away than this is improved where that is possible.
_MISSED = Fraction(1, 2**30)
_BELOW = 1 - Fraction(1, 2**50)  # a norm that a proof shows to be needed, less a few roundings: the claim is strict


def within_norm(request: Request) -> Design:
    """The Design of least error within the request's norm; raises Unreachable if no query of that norm has exact ratios.

    With several heads, each is the best Copy head for its target.
    """
    if len(request.targets) == 1:
        query, leak, witness = _best(request)
        return _finished(request, query[None], leak, witness)
    queries = [_best(request.for_target(target))[0] for target in request.targets]
    return _finished(request, np.stack(queries), 1.0, None)


def _best(request: Request) -> tuple[np.ndarray, float, np.ndarray]:
    """The stored query (d,) of one head, the leak that float64 sees, and the witness that none leaks less."""
    problem, max_norm = Problem(request), cast(Fraction, request.max_norm)
    room = max_norm if request.space is None else request.space.room(max_norm)
    if not room > 0:
        raise _out_of_the_image(request)
    found = least_error(problem.least, balls.float_below(room * request.scale * Fraction(2) ** problem.power))
    witness = _witness(request, found)
    if not found.feasible:
        raise _too_short(request, found, witness)
    with np.errstate(under="ignore"):
        point = np.ldexp(found.query, -problem.power)
        stored = request.stored(point[None])[0]
    if request.space is not None:
        query = _drawn_in(request, point)
    else:
        query = _rounded(request, stored) if request.precision in PRECISIONS else shortened(stored, max_norm)
    with np.errstate(over="ignore"):
        leak = float(1 / (1 + np.exp(-found.value) / float(request.goal.shares[0])))
    return query, leak, witness


def _drawn_in(request: Request, point: np.ndarray) -> np.ndarray:
    """The coordinates (r,) of a point of a subspace, drawn in by as few roundings as make Wx + b short enough, exactly."""
    max_norm = cast(Fraction, request.max_norm)
    for hair in (0.0, *(2.0**-k for k in range(53, 10, -1))):
        stored = request.stored(point[None] * (1 - hair))
        (query,) = request.heads(stored).points
        if budget.summed(entry * entry for entry in query.tolist()) <= max_norm**2:
            coordinates: np.ndarray = stored[0]
            return coordinates
    raise NotFound("float64 cannot hold it: no coordinates of a query of that norm")


def _out_of_the_image(request: Request) -> Unreachable | NotFound:
    """Why no query of the image is as short as the norm."""
    max_norm, nothing = cast(Fraction, request.max_norm), np.zeros(len(request.keys))
    about = request.keys, request.goal
    claim = NoSmallerError(*about, max_norm, request.scale, Fraction(1), nothing, request.precision, request.image)
    verdict = claim.prove()
    formed = "" if request.image is None else request.image.among()
    said = f"every query{formed} is longer than {inputs.show(max_norm)}"
    return Unreachable(said, verdict=verdict) if isinstance(verdict, Proved) else NotFound(said)


def _finished(request: Request, stored: np.ndarray, leak: float, witness: np.ndarray | None) -> Design:
    """The Design of stored queries (h, d), whose asked error is the one that is proved of them."""
    claimed = _achieved(request, stored, leak)
    prove = None if witness is None else partial(_prove_bound, claimed, witness)
    return claimed.made(stored, method=METHOD, prove_optimality=prove, exact_ratios=witness is not None)


def _achieved(request: Request, stored: np.ndarray, leak: float) -> Request:
    """The request for the error that is proved of stored queries (h, d), which holds.

    An error close above the leak is claimed first, so that the proof climbs until it sees that close. Roundings of ratios may
    cost more than that, so larger ones follow. The bound of the proof is the error, and is then claimed itself.
    """
    for above in _ABOVE:
        error = min(Fraction(leak + above * (min(leak, 1 - leak) + 2.0**-16)), request.error)
        claimed = _claimed(request, stored, error)
        if claimed is not None:
            break
    else:
        error, claimed = request.error, _claimed(request, stored, request.error)
    while claimed is not None:
        bound = cast(Proved, claimed.verdicts[stored.tobytes()]).bound
        tight = Fraction(max(1.0 if bound is None else bound, math.ulp(0.0)))
        if tight >= error:
            return claimed
        error, claimed = tight, _claimed(request, stored, tight)
    raise NotFound(f"float64 cannot hold it: no error was proved of the query found for {request.goal}")


def _claimed(request: Request, stored: np.ndarray, error: Fraction) -> Request | None:
    """The request for this error where the queries are proved to meet it, otherwise None."""
    asked = float(error) if error <= _LARGEST else error
    claimed = replace(request, asked=asked, error=error, verdicts={})
    return claimed if claimed.holds(stored) else None


def _witness(request: Request, found: LeastError) -> np.ndarray:
    """p outside the support and ν on it; the lightest weights are left out."""
    witness: np.ndarray = np.where(found.tilt < _DROPPED / len(found.tilt), 0.0, found.tilt)
    witness[list(request.goal.indices[1:])] = found.ratios
    witness[~np.isfinite(witness)] = 0.0
    return witness


def _prove_bound(request: Request, witness: np.ndarray) -> Verdict:
    """The verdict on the largest error that the witness shows, up to the one that was achieved.

    It may show more where the stored query has the ratios up to rounding only. That is left out, except in a narrow type, where
    rounding is coarse, and the stored query may well err less than any with exact ratios.
    """
    max_norm = cast(Fraction, request.max_norm)
    about = request.keys, request.goal, max_norm, request.scale
    draft = NoSmallerError(*about, Fraction(0), witness, request.precision, request.image)
    most = Fraction(1) if request.precision in PRECISIONS else request.error
    verdict = draft.at(min(best_bound(draft), most)).prove()
    return _at_any_norm(request, verdict) if isinstance(request.goal, Copy) else verdict


def _at_any_norm(request: Request, verdict: Verdict) -> Verdict:
    """The verdict, or a better one about queries of any norm, for a key that no query copies.

    What a witness in float64 proves falls with the norm, because its mean of keys misses the key by some roundings. An exact one
    (`impossibility`) proves the same for every norm.
    """
    asked = request.error - _MISSED * min(request.error, 1 - request.error)
    shown = verdict.bound if isinstance(verdict, Proved) else None
    if shown is None or shown >= asked:
        return verdict
    refusal = prove_unreachable(request.sight, request.goal, asked, request.precision)
    better = None if refusal is None else refusal.best_verdict
    return better if isinstance(better, Proved) and (better.bound or 0.0) > shown else verdict


def _too_short(request: Request, found: LeastError, witness: np.ndarray) -> Unreachable | NotFound:
    """Why no query of this norm has exact ratios, with the norm that such a query is proved to need."""
    max_norm = cast(Fraction, request.max_norm)
    about = request.keys, request.goal
    half = Fraction(1, 2)  # any error: without weights outside the support the witness is about exact ratios alone
    whose = request.precision, request.image
    needed = best_bound(NoShorter(*about, half, request.scale, Fraction(0), witness, *whose))
    norm = max(Fraction(balls.float_below(needed * _BELOW)), max_norm)
    verdict = NoSmallerError(*about, norm, request.scale, Fraction(1), witness, *whose).prove()
    allowed = f"and at most {inputs.show(max_norm)} is allowed"
    if isinstance(verdict, Proved):
        formed = "" if request.image is None else request.image.among()
        said = f"every query{formed} with exact ratios for {request.goal} has norm above {balls.decimal_below(norm)}"
        return Unreachable(f"{said}, {allowed}", verdict=verdict)
    least = float(np.hypot(found.shortest / float(request.scale), 0.0 if request.space is None else request.space.away))
    return NotFound(
        f"no query with exact ratios for {request.goal} was found within the norm, nor a proof that there is none: the "
        f"shortest one found has norm {least:.6g}, {allowed}",
        proved_bound=balls.float_below(needed) or None,
    )


def _rounded(request: Request, query: np.ndarray) -> np.ndarray:
    """The best query found among numbers of the request's precision that is short enough."""
    precision, max_norm = cast(str, request.precision), cast(Fraction, request.max_norm)
    rows = float(request.scale) * (request.keys - request.keys[request.goal.indices[0]])
    order = [*request.goal.indices, *sorted(set(range(len(rows))) - set(request.goal.indices))]
    shares = np.array([float(share) for share in request.goal.shares])
    best, least = np.zeros_like(query), float(total_variation(np.zeros(len(rows)), shares))
    for candidate in _narrow(rows[order], query, precision):
        variation = float(total_variation(rows[order] @ candidate, shares))
        if variation < least and exact_squared_norm(candidate[None]) <= max_norm**2:
            best, least = candidate, variation
    return best


def _narrow(rows: np.ndarray, query: np.ndarray, precision: str) -> Iterator[np.ndarray]:
    """The query rounded to nearest and by nearest planes, drawn in by ever more: rounding may have lengthened it."""
    nearest = partial(round_to, precision=precision)
    coarsest = np.argsort(-np.abs(query), kind="stable")
    for k in (None, *range(SIGNIFICANT_BITS[precision] + 3, 1, -1)):
        drawn = query if k is None else query * (1 - 2.0**-k)
        try:
            yield nearest(drawn)
            yield nearest_plane(rows, drawn, coarsest, nearest)
        except ValueError as overflow:
            raise NotFound(f"float64 cannot hold it in {precision}: {overflow}") from overflow
