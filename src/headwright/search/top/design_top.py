"""The margin query: a set of keys scored above all others by 1, by the shortest query there is.

A gap of 1 is asked of every pair: τ q·(k_i - k_j) >= 1 for i in the set S, j outside. With x the shortest vector between
the two hulls (`geometry.nearest_points`) every k_i - k_j has x·(k_i - k_j) >= ‖x‖², so q = x/(τ‖x‖²) does it with norm
1/(τ‖x‖); and no shorter query does, because x itself is a mean of such differences (`proofs.GapNorm`). When the hulls
meet there is no query, and the shared point is the witness (`proofs.HullsMeet`), solved exactly from the pairs the search
ended with.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.gap_norm import GapNorm
from headwright.kernel.goals import Top
from headwright.kernel.heads import Heads
from headwright.kernel.hulls_meet import HullsMeet
from headwright.kernel.top_gap import TopGap
from headwright.kernel.verdict import Proved, Verdict
from headwright.search.least_norm.nearest_points import NearestPoints, nearest_points
from headwright.search.least_norm.relations import exact_differences, null_combination
from headwright.search.request import positive_norm, shortened
from headwright.words.attention import attend
from headwright.words.design import Design
from headwright.words.refusals import NotFound, Unreachable, Witness

_LONGEST = 2.0**1000  # of a query's norm: float64 holds its coordinates with room to spare
_BITS = 128  # of a norm that is then rounded to float64
# The gap is exactly 1 on paper; the stored query misses by a few roundings. It is lengthened by the first of these parts that
# lets the gap certify.
_HAIRS = tuple(2.0**-k for k in range(51, 11, -3))


def design_top(keys: Any, top: Top, scale: float = 1.0, max_norm: Any = None) -> Design:
    """The shortest query whose scores on the keys of `top` exceed all others over `keys` (n, d) by 1, proved.

    With `max_norm`, the query of at most that norm with the largest gap.

    Raises `Unreachable` when the hulls of the named keys and of the others meet, `NotFound` when float64 cannot tell.

    >>> import numpy as np
    >>> made = design_top(np.eye(4), Top(0, 2))
    >>> made.query.round(9).tolist(), made.gap >= 1
    ([0.5, -0.5, 0.5, -0.5], True)
    """
    if not isinstance(top, Top):
        raise TypeError(f"`goal` must be a Top such as Top(3, 7), got {type(top).__name__}")
    array = inputs.float64(keys, name="keys", ndim=2)
    exact_scale = Fraction(inputs.held(scale, name="scale"))  # a Design holds its scale as a float
    bare = TopGap(Heads(array, np.zeros((1, array.shape[1])), np.ones(1), exact_scale), top, Fraction(1))
    between = nearest_points(array, top.members(len(array)))
    if max_norm is not None:
        return _within(bare, between, positive_norm(max_norm))
    for claim in _queries(bare, between):
        if isinstance(claim.prove(), Proved):
            return _design(claim, between)
    raise _refusal(bare, between)


def _queries(bare: TopGap, between: NearestPoints) -> Iterator[TopGap]:
    """Claims of a gap of 1 for the query along the shortest vector, longer and longer; none where it separates nothing."""
    if not between.distance > 0:
        return
    along = _direction(between)
    judged = replace(bare, heads=_heads(bare, along), gap=None).prove()
    if not isinstance(judged, Proved) or not judged.bound:
        return
    with np.errstate(over="ignore"):
        for hair in _HAIRS:
            query = along * ((1 + hair) / judged.bound)
            if not np.isfinite(query).all():
                raise NotFound(f"float64 cannot hold it: a query that scores {bare.top} above the rest by 1 overflows")
            yield replace(bare, heads=_heads(bare, query))


def _direction(between: NearestPoints) -> np.ndarray:
    """The unit vector from one hull to the other."""
    along = between.difference / float(np.abs(between.difference).max())
    unit: np.ndarray = along / np.linalg.norm(along)
    return unit


def _within(bare: TopGap, between: NearestPoints, max_norm: Fraction) -> Design:
    """The query of norm `max_norm` along the shortest vector: the gap grows in proportion to the norm.

    Where no query has a positive gap, the refusal is raised as without a norm: the best gap there is 0, and scores nothing.
    """
    if not between.distance > 0:
        raise _refusal(bare, between)
    query = shortened(_direction(between) * min(balls.float_below(max_norm), _LONGEST), max_norm)
    judged = replace(bare, heads=_heads(bare, query), gap=None).prove()
    if not isinstance(judged, Proved):
        raise _refusal(bare, between)
    if not judged.bound:
        raise NotFound(f"float64 cannot hold it: the gap of {bare.top} within norm {inputs.show(max_norm)}")
    claim = replace(bare, heads=_heads(bare, query), gap=Fraction(judged.bound))
    made = _design(claim, between)
    bound = partial(_prove_largest, _draft(bare, between), max_norm)
    return replace(made, asked=judged.bound, max_norm=max_norm, prove_optimality=bound)


def _prove_largest(draft: GapNorm, max_norm: Fraction) -> Verdict:
    """The verdict that a gap which the witness does not let a shorter query reach needs all of the norm."""
    with balls.precision(_BITS):
        most = balls.upper(balls.exact(draft.distance_squared()).sqrt() * balls.exact(draft.scale * max_norm))
    gap = balls.float_above(most or Fraction(0)) or math.ulp(0.0)
    return replace(draft, gap=Fraction(gap), least=max_norm).prove()


def _heads(bare: TopGap, query: np.ndarray) -> Heads:
    return Heads(bare.heads.keys, query[None], bare.heads.mix, bare.heads.scale)


def _design(claim: TopGap, between: NearestPoints) -> Design:
    heads = claim.heads
    bare = Design(
        heads.queries,
        heads.mix,
        float(heads.scale),
        claim.top,
        asked=1,
        weights=np.zeros(heads.n),
        method="nearest-points",
        prove=claim.prove,
        prove_optimality=partial(_prove_bound, _draft(claim, between)),
    )
    return replace(bare, weights=attend(bare, heads.keys).weights)


def _draft(claim: TopGap, between: NearestPoints) -> GapNorm:
    return GapNorm(
        claim.heads.keys, claim.top, Fraction(1), claim.heads.scale, Fraction(0), between.shares, claim.heads.precision
    )


def best_gap_norm(draft: GapNorm) -> Fraction | None:
    """The largest norm the witness shows, to float64 precision; None where it shows every norm. The claim itself proves it."""
    square = draft.distance_squared()
    if square == 0:
        return None
    with balls.precision(_BITS):
        found = balls.lower(balls.exact(draft.gap / draft.scale) / balls.exact(square).sqrt())
    return Fraction(balls.float_below(found or Fraction(0)))


def _prove_bound(draft: GapNorm) -> Verdict:
    """The verdict on the largest norm the witness gives."""
    return replace(draft, least=best_gap_norm(draft) or Fraction(0)).prove()


def _refusal(bare: TopGap, between: NearestPoints) -> Unreachable | NotFound:
    """Unreachable with the shared point of the hulls, or NotFound where no exact one was found."""
    claim = _duplicate(bare) or _shared_point(bare, between)
    verdict = claim.prove() if claim else None
    if claim and isinstance(verdict, Proved):
        half = sum(claim.weights) // 2
        weights = tuple(Fraction(weight, half) for weight in claim.weights)
        said = f"{bare.top} cannot be scored above the other keys by any query: "
        if len(claim.indices) == 2:
            said += f"keys {claim.indices[0]} and {claim.indices[1]} are equal"
        else:
            said += f"the hulls meet, in a mean of the keys {', '.join(map(str, sorted(claim.indices)[:8]))}"
            said += "" if len(claim.indices) <= 8 else f", … {len(claim.indices)} keys"
        return Unreachable(said, verdict=verdict, witness=Witness(claim.indices, weights))
    needed = best_gap_norm(_draft(bare, between))
    least = balls.float_below(needed or Fraction(0))
    return NotFound(
        f"float64 cannot tell whether the hulls of {bare.top} and of the other keys meet: no shared point was found, and a "
        f"query with a gap of 1 would have norm at least {balls.decimal_below(Fraction(least))}",
        proved_bound=least,
    )


def _duplicate(bare: TopGap) -> HullsMeet | None:
    """A named key that equals one of the others."""
    keys, named = bare.heads.keys + 0.0, set(bare.top.indices)  # -0.0 + 0.0 is 0.0: equal numbers, equal bytes
    known = {keys[i].tobytes(): i for i in sorted(named, reverse=True)}
    for j in range(len(keys)):
        i = None if j in named else known.get(keys[j].tobytes())
        if i is not None:
            return HullsMeet(bare.heads.keys, bare.top, (i, j), (1, 1), bare.heads.precision)
    return None


def _shared_point(bare: TopGap, between: NearestPoints) -> HullsMeet | None:
    """The hulls' shared point in integers, from the pairs of the search."""
    pairs = np.array(between.pairs)
    rows, _ = exact_differences(bare.heads.keys, pairs[:, 0], pairs[:, 1])
    numbers = null_combination(rows, between.weights)
    if numbers is None:
        return None
    totals: dict[int, int] = {}
    for side in (0, 1):
        for pair, number in zip(between.pairs, numbers, strict=True):
            if number:
                totals[pair[side]] = totals.get(pair[side], 0) + number
    return HullsMeet(bare.heads.keys, bare.top, tuple(totals), tuple(totals.values()), bare.heads.precision)
