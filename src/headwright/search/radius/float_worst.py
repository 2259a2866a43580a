"""The radius at which a claim breaks, in float64: the root of the exact worst case of one head, up to rounding.

Nothing here is trusted: the claim is proved below the root and refuted above it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import groupby, product

import numpy as np

from headwright.kernel.region import Region
from headwright.kernel.top_gap import TopGap
from headwright.kernel.withstands import Withstands

_FAR = 1e300  # a score moved further than this has left all others behind


def crossing(claim: Withstands | TopGap, least: float, most: float) -> float:
    """The radius between `least` and `most` at which the claim of one head breaks; an end if it breaks at neither."""
    over = _gap_used(claim) if isinstance(claim, TopGap) else _worst_excess(claim)

    def at(power: float) -> float:
        with np.errstate(all="ignore"):
            value = over(math.exp2(power))
        return value if math.isfinite(value) else 1.0

    low, high = math.log2(least), math.log2(most)
    if at(low) > 0:
        return least
    if at(high) <= 0:
        return most
    from scipy.optimize import brentq  # here, because `certify` needs no SciPy

    return math.exp2(float(brentq(at, low, high, xtol=2.0**-44, rtol=2.0**-50)))


def unit_moves(region: Region, query: np.ndarray, scale: float) -> np.ndarray:
    """δ_j at radius 1, (1,) or (n,)."""
    profile = np.ones((1, 1)) if region.profile is None else region.profile
    parts = profile * np.abs(query)
    if region.norm == "box":
        sums: np.ndarray = scale * parts.sum(axis=1)
        return sums
    largest = parts.max() or 1.0
    lengths: np.ndarray = scale * largest * np.linalg.norm(parts / largest, axis=1)
    return lengths


def _moves(claim: Withstands | TopGap) -> tuple[np.ndarray, np.ndarray]:
    """(scores relative to the largest, moves at radius 1), both (n,)."""
    heads, region = claim.heads, claim.region
    assert region is not None
    scale = float(heads.scale)
    scores = scale * (heads.keys @ heads.ways[0])
    moves = unit_moves(region, heads.ways[0], scale)
    return scores - scores.max(), np.broadcast_to(moves, scores.shape)


def _gap_used(claim: TopGap) -> Callable[[float], float]:
    """How far the smallest gap at radius t falls short of the asked one."""
    scores, moves = _moves(claim)
    named = claim.top.members(len(scores))
    least = float(claim.gap or 0)

    def over(t: float) -> float:
        down, up = (scores - t * moves)[named].min(), (scores + t * moves)[~named].max()
        return float(np.clip(least + up - down, -_FAR, _FAR))

    return over


def _worst_excess(claim: Withstands) -> Callable[[float], float]:
    """The logarithm of the worst total variation at radius t over the error, at its largest over all subsets."""
    scores, moves = _moves(claim)
    support = list(claim.goal.indices)
    outside = np.ones(len(scores), dtype=bool)
    outside[support] = False
    shares = [float(share) for share in claim.goal.shares]
    order = sorted(range(len(support)), key=claim.goal.shares.__getitem__)
    groups = [list(run) for _, run in groupby(order, key=claim.goal.shares.__getitem__)]
    counts = np.array(list(product(*(range(len(group) + 1) for group in groups))))
    counts = counts[counts.sum(axis=1) < len(support)]
    wanted = counts @ np.array([shares[group[0]] for group in groups])
    levels = float(claim.error) + wanted
    counts, levels = counts[levels < 1], levels[levels < 1]

    def over(t: float) -> float:
        lift = np.minimum(t * moves, _FAR)
        up, down = scores + lift, scores - lift
        top = max(up.max(), -_FAR)
        raised, lowered = np.exp(up - top), np.exp(down - top)
        leaked = raised[outside].sum()
        a, b = raised[support], lowered[support]
        if not counts.any(axis=1).any() or len(counts) == 1:  # Copy, in logarithms so that nothing underflows
            return _log_odds(up[outside], down[support]) - math.log(levels[0] / (1 - levels[0]))
        best = -math.inf
        for start in range(0, len(counts), 1024):
            some, c = counts[start : start + 1024], levels[start : start + 1024]
            g = (1 - c)[:, None] * a + c[:, None] * b
            total = (1 - c) * leaked - c * b.sum()
            for k, group in enumerate(groups):
                falling = -np.sort(-g[:, group], axis=1)
                sums = np.concatenate([np.zeros((len(c), 1)), np.cumsum(falling, axis=1)], axis=1)
                total = total + sums[np.arange(len(c)), some[:, k]]
            size = (1 - c) * leaked + c * b.sum() + (g.sum(axis=1))
            best = max(best, float((total / size).max()))
        return best

    return over


def _log_odds(up: np.ndarray, down: np.ndarray) -> float:
    """ln Σ exp(up) - ln Σ exp(down)."""
    if not len(up):
        return -_FAR
    high, low = float(up.max()), float(down.max())
    return high - low + math.log(np.exp(up - high).sum()) - math.log(np.exp(down - low).sum())
