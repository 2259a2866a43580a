"""Tiers: enclosures of the exponentials of all scores, each tighter and dearer than the one before.

A proof looks at the first tier and climbs until its question is decided:

1. float64 scores with an a-priori radius, exponentials in balls of 64 bits. Nearly every claim is settled here.
2. exact scores, exponentials in balls of 128, 256, … bits. Equal scores then have equal exponentials, exactly 1 for
   those that tie with the largest, so claims that hold with equality because of ties are settled too.

Softmax depends on differences of scores only, so each head's scores are taken relative to one of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from headwright.arrays import need_gradual_underflow
from headwright.balls.ball import Ball, around, exact, precision
from headwright.balls.scores import exact_scores, float_scores

FIRST_BITS = 64
_MOST_BITS = 2**14
_WORK = 2**29  # keys × heads × bits of the dearest tier: some seconds


@dataclass(frozen=True)
class Tier:
    """exponentials[h][j] encloses exp(s_hj - c_h), c_h one number per head; valid at `bits` bits of precision."""

    bits: int
    method: str
    exponentials: list[list[Ball]]


def climb(keys: np.ndarray, queries: np.ndarray, scale: Fraction) -> Iterator[Tier]:
    """The tiers for scores scale · K q_h, cheapest first. keys (n, d), queries (h, d)."""
    need_gradual_underflow()
    first = _float_tier(keys, queries, scale)
    if first is not None:
        yield first
    exact_forms = [exact_scores(keys, query) for query in queries]
    bits = 2 * FIRST_BITS
    while bits <= 4096 or (bits <= _MOST_BITS and bits * len(keys) * len(queries) <= _WORK):
        yield Tier(bits, f"exact scores, exponentials in balls of {bits} bits", _exact_tier(exact_forms, scale, bits))
        bits *= 2


def _float_tier(keys: np.ndarray, queries: np.ndarray, scale: Fraction) -> Tier | None:
    heads = []
    with precision(FIRST_BITS):
        for query in queries:
            enclosed = float_scores(keys, query)
            if enclosed is None:
                return None
            midpoints, radii = enclosed
            scores = around(midpoints.tolist(), radii.tolist())
            shift = exact(float(midpoints.max()))
            if scale == 1:
                heads.append([(score - shift).exp() for score in scores])
            else:
                factor = exact(scale)
                heads.append([((score - shift) * factor).exp() for score in scores])
    method = f"float64 scores with an a-priori radius, exponentials in balls of {FIRST_BITS} bits"
    return Tier(FIRST_BITS, method, heads)


def _exact_tier(forms: list[tuple[list[int], int]], scale: Fraction, bits: int) -> list[list[Ball]]:
    heads = []
    with precision(bits):
        for numerators, exponent in forms:
            largest = max(numerators)
            factor = exact(scale * Fraction(2) ** exponent)
            known: dict[int, Ball] = {}  # equal scores share one exponential
            for numerator in set(numerators):
                known[numerator] = (exact(numerator - largest) * factor).exp()
            heads.append([known[numerator] for numerator in numerators])
    return heads
