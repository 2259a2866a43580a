"""Top within an image: the shortest query W x + b that scores a set above all others by 1, or the widest gap within a norm.

The part of b that W does not reach adds a fixed part to every score, so that a longer query is not a multiple of a shorter one.
`geometry.widest_gap` finds the point z of the subspace and the pairs that hold it there. They are the witness that no query of
the image is shorter (`proofs.GapNorm`). Where there is none, they cancel exactly, and show it (`proofs.HullsMeet`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.gap_norm import GapNorm
from headwright.kernel.goals import Top
from headwright.kernel.heads import Heads
from headwright.kernel.hulls_meet import HullsMeet
from headwright.kernel.top_gap import TopGap
from headwright.kernel.verdict import Proved, Verdict
from headwright.search.least_norm.relations import null_combination
from headwright.search.least_norm.subspace import Sight, Subspace
from headwright.search.top.widest_gap import WidestGap, widest_gap
from headwright.words.attention import attend
from headwright.words.design import Design
from headwright.words.refusals import NotFound, Unreachable, Witness

METHOD = "nearest-points"
# The gap asked of the search is longer by the first of these parts that lets the stored coordinates certify.
_HAIRS = tuple(2.0**-k for k in range(50, 11, -3))
_ANY = Fraction(1, 10**9)  # a gap that no design would be asked for: scores this near are called equal
_WIDEST = 2.0**200  # gaps beyond are beyond float64 scores
_CLOSE = 2.0**-50  # of a gap: the bisection ends
# A part of the widest gap, left to rounding: a gap larger by it is claimed to need all of the norm.
_ABOVE = Fraction(1, 2**40)
_BEYOND = Fraction(1, 2**40)  # a norm above the one allowed, by less than a user sees
_BITS = 256


def design_top_within(
    keys: np.ndarray, top: Top, scale: Fraction, space: Subspace, max_norm: Fraction | None = None
) -> Design:
    """The shortest query of the subspace whose scores on the keys of `top` exceed all others by 1, proved.

    With `max_norm`, the query of at most that norm with the widest gap. Raises `Unreachable` if no query of the image has that
    gap, or none within the norm has any, and `NotFound` if float64 cannot tell.
    """
    sight = Sight(keys, space, scale)
    bare = TopGap(_heads(sight, np.zeros(space.inverse.shape[1])), top, Fraction(1))
    if max_norm is not None:
        return _widest(sight, bare, max_norm)
    first = _found(sight, top, 1.0)
    for claim in _claims(sight, bare, first):
        if isinstance(claim.prove(), Proved):
            return _design(sight, claim, first)
    raise _refusal(sight, bare, first)


def _widest(sight: Sight, bare: TopGap, max_norm: Fraction) -> Design:
    """The widest gap within the norm: the least norm that a gap needs grows with it, and is bisected."""
    assert sight.space is not None
    room = float(sight.space.room(max_norm) * sight.scale)
    if not room > 0:
        raise _too_long(sight, bare, max_norm, _found(sight, bare.top, float(_ANY)))
    low, high = 0.0, 1.0
    while _fits(sight, bare.top, high, room) and high < _WIDEST:
        low, high = high, 4 * high
    while high - low > _CLOSE * high and high > float(_ANY):
        middle = (low + high) / 2
        low, high = (middle, high) if _fits(sight, bare.top, middle, room) else (low, middle)
    found = _found(sight, bare.top, max(low, float(_ANY)))
    if found.z is None or not _fits(sight, bare.top, max(low, float(_ANY)), room):
        raise _too_long(sight, bare, max_norm, found) if found.z is not None else _refusal(sight, bare, found)
    for hair in (0.0, *(2.0**-k for k in range(53, 10, -1))):
        heads = _heads(sight, found.z * (1 - hair))
        if budget.summed(entry * entry for entry in heads.points[0].tolist()) <= max_norm**2:
            break
    judged = replace(bare, heads=heads, gap=None).prove()
    if not isinstance(judged, Proved) or not judged.bound:
        raise NotFound(f"float64 cannot hold it: the gap of {bare.top} within norm {inputs.show(max_norm)}")
    made = _design(sight, replace(bare, heads=heads, gap=Fraction(judged.bound)), found)
    # Where the norm leaves room, the witness is what stands in the way of a wider gap.
    beyond = _found(sight, bare.top, high)
    drafts = [_draft(sight, bare.top, witness) for witness in (found, beyond) if len(witness.weights)]
    largest = partial(_prove_largest, drafts, max_norm)
    return replace(made, asked=judged.bound, max_norm=max_norm, prove_optimality=largest)


def _fits(sight: Sight, top: Top, gap: float, room: float) -> bool:
    found = _found(sight, top, gap)
    return found.z is not None and float(np.linalg.norm(found.z)) <= room


def _prove_largest(drafts: list[GapNorm], max_norm: Fraction) -> Verdict:
    """The verdict that a gap which a witness does not let a shorter query reach needs all of the norm; the least such gap.

    With an offset queries cannot be shortened as one likes, so the gap must need more than the norm.
    """
    claims = []
    for draft in drafts:
        assert draft.image is not None
        norm = max_norm * (1 + _BEYOND) if draft.image.offset is not None else max_norm
        with balls.precision(_BITS):
            pull = draft.image.pull([balls.exact(b - a) for a, b in draft.points()], norm)
            most = None if pull is None else balls.upper(pull * balls.exact(draft.scale))
        if most is not None:
            gap = Fraction(balls.float_above(most)) * (1 + _ABOVE)
            claims.append(replace(draft, gap=max(gap, _ANY), least=norm))
    return min(claims or drafts, key=lambda claim: claim.gap).prove()


def _too_long(sight: Sight, bare: TopGap, max_norm: Fraction, found: WidestGap) -> Unreachable | NotFound:
    """Why no query within the norm has a gap that float64 could hold."""
    draft = replace(_draft(sight, bare.top, found), gap=_ANY)
    verdict = _prove_bound(draft)
    formed = "" if draft.image is None else draft.image.among()
    limits = f"with norm at most {inputs.show(max_norm)}"
    said = f"no query{formed} {limits} scores {bare.top} above the other keys by {float(_ANY):g}"
    proved = isinstance(verdict, Proved) and Fraction(verdict.bound or 0.0) > max_norm
    return Unreachable(said, verdict=verdict) if proved else NotFound(f"float64 cannot hold it: {said}")


def _found(sight: Sight, top: Top, gap: float) -> WidestGap:
    """The search at scale 1: z̃ = τz, and scores K U z̃ + τ K b⊥."""
    assert sight.space is not None
    fixed = sight.space.lifts(sight.keys)
    lifts = np.zeros(len(sight.keys)) if fixed is None else float(sight.scale) * fixed
    return widest_gap(sight.space.seen(sight.keys), top.members(len(sight.keys)), lifts, gap)


def _heads(sight: Sight, point: np.ndarray) -> Heads:
    """The head at a point z̃ of the search; NotFound when float64 cannot hold its coordinates."""
    assert sight.space is not None
    with np.errstate(all="ignore"):
        x = sight.space.coordinates(point[None] / float(sight.scale))
    if not np.isfinite(x).all():
        raise NotFound("float64 cannot hold it: the coordinates overflow")
    return Heads(sight.keys, x, np.ones(1), sight.scale, image=sight.space.image.plain)


def _claims(sight: Sight, bare: TopGap, first: WidestGap) -> Iterator[TopGap]:
    """Claims of a gap of 1, for queries found for ever larger gaps."""
    if first.z is None:
        return
    yield replace(bare, heads=_heads(sight, first.z))
    for hair in _HAIRS:
        found = _found(sight, bare.top, 1.0 + hair)
        if found.z is not None:
            yield replace(bare, heads=_heads(sight, found.z))


def _design(sight: Sight, claim: TopGap, found: WidestGap) -> Design:
    assert sight.space is not None
    image = sight.space.image
    queries = claim.heads.rounded
    if not np.isfinite(queries).all():
        raise NotFound("float64 cannot hold it: a query Wx + b is beyond its range")
    bare = Design(
        queries,
        claim.heads.mix,
        float(claim.heads.scale),
        claim.top,
        asked=1,
        weights=np.zeros(claim.heads.n),
        method=METHOD,
        prove=claim.prove,
        prove_optimality=partial(_prove_bound, _draft(sight, claim.top, found)),
        coordinates=claim.heads.queries,
        within=(image.matrix, image.offset),
    )
    return replace(bare, weights=attend(bare, sight.keys).weights)


def _draft(sight: Sight, top: Top, found: WidestGap) -> GapNorm:
    assert sight.space is not None
    shares = found.shares(len(sight.keys))
    return GapNorm(sight.keys, top, Fraction(1), sight.scale, Fraction(0), shares, image=sight.space.image)


def _prove_bound(draft: GapNorm) -> Verdict:
    """The verdict on the largest norm that the witness shows."""
    best = Fraction(0)
    for _, bound in draft.bounds():
        low = balls.lower(bound)
        best = max(best, Fraction(0) if low is None else Fraction(max(0.0, balls.float_below(low))))
    return replace(draft, least=best).prove()


def _refusal(sight: Sight, bare: TopGap, found: WidestGap) -> Unreachable | NotFound:
    """Unreachable with two means that every query scores alike, or NotFound where no exact ones were found."""
    for claim in _meetings(sight, bare, found):
        verdict = claim.prove()
        if isinstance(verdict, Proved):
            half = sum(claim.weights) // 2
            weights = tuple(Fraction(weight, half) for weight in claim.weights)
            named = f"{', '.join(map(str, sorted(claim.indices)[:8]))}{' …' if len(claim.indices) > 8 else ''}"
            by = "" if claim.gap is None else f" by {inputs.show(claim.gap)}"
            said = f"no query{claim.image.among() if claim.image else ''} scores {bare.top} above the other keys{by}"
            why = f"all score a mean of the set and a mean of the others the same apart, over the keys {named}"
            return Unreachable(f"{said}: {why}", verdict=verdict, witness=Witness(claim.indices, weights))
    return NotFound(
        f"float64 cannot tell whether a query of the image scores {bare.top} above the other keys by 1: none was found, nor "
        "a proof that there is none"
    )


def _meetings(sight: Sight, bare: TopGap, found: WidestGap) -> Iterator[HullsMeet]:
    """Claims that no query does it, from the pairs of the search made exact; first without a gap, which says more."""
    above, below = np.array(found.pairs).T
    numbers = null_combination(sight.exact[above] - sight.exact[below], found.weights)
    if numbers is None:
        return
    totals: dict[int, int] = {}
    for side in (above.tolist(), below.tolist()):
        for key, number in zip(side, numbers, strict=True):
            if number:
                totals[key] = totals.get(key, 0) + number
    claim = HullsMeet(sight.keys, bare.top, tuple(totals), tuple(totals.values()), image=sight.image)
    yield claim
    if sight.image is not None and sight.image.offset is not None:
        yield replace(claim, gap=bare.gap, scale=sight.scale)
