"""The least-norm query that keeps its error when every key moves within a region.

For Copy the worst case is convex in the query (`geometry.sturdy`), so the search ends at the shortest query, with a witness that
none is shorter or that there is none (`proofs.NoneWithstands`). For Average and Blend the worst case is a maximum over subsets of
differences of convex functions. There the search takes shortest queries for smaller and smaller errors until one withstands the
moves, and the length of that one is only an upper bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.none_withstands import NoneWithstands
from headwright.kernel.region import Region
from headwright.kernel.verdict import Proved, Verdict
from headwright.kernel.withstands import Withstands
from headwright.search.least_norm import shortest
from headwright.search.least_norm.closed_form import log_ratio, odds
from headwright.search.least_norm.sturdy import Sturdy, least_sturdy
from headwright.search.request import Request
from headwright.words.design import Design
from headwright.words.refusals import NotFound, Unreachable

_HAIRS = (0.0, 2.0**-30, 2.0**-24, 2.0**-18, 2.0**-12, 2.0**-6)  # ln of the leak is aimed this far below the asked one
_SHRUNK = (1e-9, 1e-6, 1e-3, 0.1)  # parts of the radius left out of a search for a witness that nothing withstands it
_DROPPED = 1e-13  # total weight left out of a witness, to keep it short
_SETTLED = 2**34  # a bound known to this part of itself is not sought at higher precision: ten digits are claimed
_HALVINGS, _REFINED = 60, 20  # of the error aimed at: until one withstands, and then back
_RISING = 2  # halvings in a row after which the worst error is taken to rise for good
_FLAT = 1e-3  # a worst error that falls by less than this part does not fall
_NOWHERE = -1e9  # a leak that no query is asked for: the search then ends at the least leak there is


def design_sturdy(request: Request, region: Region, unmoved: Design) -> Design:
    """A Design whose worst error in `region` is at most the asked one; `unmoved` is the shortest query for keys that stay."""
    if isinstance(_judged(request, region, unmoved.queries), Proved):
        return _made(request, region, unmoved.queries, None, exact_ratios=unmoved.exact_ratios)
    if len(request.goal.indices) == 1:
        return _copy(request, region, unmoved)
    return _tightened(request, region)


def _judged(request: Request, region: Region, stored: np.ndarray) -> Verdict:
    """Whether stored queries (1, d) withstand the moves."""
    return Withstands(request.claim(stored).heads, request.goal, request.error, region).prove()


def _made(
    request: Request,
    region: Region,
    stored: np.ndarray,
    prove_optimality: Callable[[], Verdict] | None,
    *,
    exact_ratios: bool = True,
) -> Design:
    claim = Withstands(request.claim(stored).heads, request.goal, request.error, region)
    method = f"least-norm for keys that move, {region.norm}"
    return request.made(
        stored, method=method, prove=claim.prove, prove_optimality=prove_optimality, exact_ratios=exact_ratios
    )


def _solved(request: Request, region: Region, c: float, start: np.ndarray, shrunk: float = 0.0) -> Sturdy:
    """The solution for leak bound c at scale 1, over keys brought to size 1."""
    own = request.goal.indices[0]
    power = int(np.frexp(np.abs(request.keys).max())[1])
    keys = np.ldexp(request.keys, -power)
    profile = np.ones((1, 1)) if region.profile is None else region.profile
    wide = np.ldexp(float(region.radius) * (1 - shrunk) * profile, -power)
    others = np.delete(np.arange(len(keys)), own)
    rows = (wide, wide) if len(wide) == 1 else (wide[others], wide[[own]])
    found = least_sturdy(keys[others] - keys[own], *rows, region.norm == "box", c, np.ldexp(start, power))
    return found._replace(query=np.ldexp(found.query, -power))


def _copy(request: Request, region: Region, unmoved: Design) -> Design:
    c, start = log_ratio(odds(request.error)), unmoved.query * float(request.scale)
    if not start.any():
        start = request.keys[request.goal.indices[0]] - request.keys.mean(axis=0)
    for hair in _HAIRS:
        found = _solved(request, region, c - hair, start)
        if not found.reached:
            break
        stored = request.stored(found.query[None])
        if isinstance(_judged(request, region, stored), Proved):
            return _made(request, region, stored, partial(_prove_bound, request, region, found.tilt))
    raise _refusal(request, region, c, start)


def _draft(request: Request, region: Region, tilt: np.ndarray) -> NoneWithstands | None:
    p = np.where(np.isfinite(tilt), tilt, 0.0)
    order = np.argsort(p)
    p[order[np.cumsum(p[order]) < _DROPPED]] = 0.0
    if not p.any():
        return None
    witness = np.insert(p, request.goal.indices[0], 0.0)
    return NoneWithstands(
        request.keys, request.goal, request.error, request.scale, region, witness, None, request.precision
    )


def _best_norm(draft: NoneWithstands) -> Fraction:
    """The largest norm that the witness shows, to float64 precision. The claim itself proves it."""
    best = Fraction(0)
    for bound in draft.bounds():
        with balls.precision(bound.bits):
            shown = bound.left / (balls.exact(draft.scale) * bound.length)
            low, high = balls.lower(shown), balls.upper(shown)
        if low is not None and high is not None:
            best = max(best, Fraction(max(0.0, balls.float_below(low))))
            if high - low <= high / _SETTLED:
                break
    return best


def _prove_bound(request: Request, region: Region, tilt: np.ndarray) -> Verdict:
    draft = _draft(request, region, tilt)
    assert draft is not None, "softmax weights add up to one"
    return replace(draft, least=_best_norm(draft)).prove()


def _refusal(request: Request, region: Region, c: float, start: np.ndarray) -> Unreachable | NotFound:
    """Unreachable with its proof, or NotFound with the norm that every query needs."""
    said = f"within error {inputs.show(request.error)} of {request.goal}, {region.describe()}"
    needed = 0.0
    for shrunk in _SHRUNK:
        for leak in (_NOWHERE, c):
            draft = _draft(request, region, _solved(request, region, leak, start, shrunk).tilt)
            verdict = None if draft is None else draft.prove()
            if isinstance(verdict, Proved):
                return Unreachable(f"no query stays {said}", verdict=verdict)
            needed = max(needed, 0.0 if draft is None else balls.float_below(_best_norm(draft)))
    return NotFound(f"no query was found that stays {said}", proved_bound=needed)


def _tightened(request: Request, region: Region) -> Design:
    """The shortest of the least-norm queries for smaller errors that withstands the moves.

    A longer query leaks less and lets scores move further. Once the worst error rises again, smaller errors do not help.
    """
    high = low = request.error
    found, worst, rising = None, 1.0, 0
    for _ in range(_HALVINGS):
        high, low = low, low / 2
        found, reached = _for_error(request, region, low)
        rising = rising + 1 if reached >= worst * (1 - _FLAT) else 0
        worst = reached
        if found is not None or rising > _RISING:
            break
    if found is None:
        said = f"within error {inputs.show(request.error)} of {request.goal}, {region.describe()}"
        raise NotFound(f"no query was found that stays {said}; the last one tried has a worst error of {worst:.6g}")
    for _ in range(_REFINED):
        middle = (low + high) / 2
        nearer, _ = _for_error(request, region, middle)
        low, high, found = (low, middle, found) if nearer is None else (middle, high, nearer)
    return _made(request, region, found, None)


def _for_error(request: Request, region: Region, error: Fraction) -> tuple[np.ndarray | None, float]:
    """The shortest query for this error, stored, if it keeps the asked one when keys move; and its worst error, or 1."""
    tried = shortest.search(replace(request, error=error, verdicts={}))
    if not isinstance(tried, Design):
        return None, 1.0
    verdict = _judged(request, region, tried.queries)
    reached = getattr(verdict, "bound", None)
    return tried.queries if isinstance(verdict, Proved) else None, 1.0 if reached is None else reached
