"""Tiers: enclosures of the exponentials of all scores, each tighter and more expensive than the one before.

A proof starts at the first tier and climbs until its claim is decided:

1. float64 scores with an a-priori radius, and float64 exponentials with theirs (`float_exp`). They decide nearly every claim.
2. The same, but exact scores for the heaviest of many keys. Most keys have weights so small that nothing hangs on their radii.
3. Exact scores, exponentials in balls of 128, 256, … bits. Equal scores then have equal exponentials, exactly 1 for
   those that tie with the largest, so claims that hold with equality because of ties are decided too.

Softmax depends only on differences of scores, so each head's scores are taken relative to its largest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls.ball import Ball, exact, precision
from headwright.kernel.balls.float_exp import exp_enclosed
from headwright.kernel.balls.scores import Vector, exact_scores, float_scores
from headwright.kernel.balls.tables import BallTable, FloatTable, Table
from headwright.kernel.inputs import need_gradual_underflow

FIRST_BITS = 64
_MOST_BITS = 2**14
_MANY = 1024  # keys beyond which the heaviest come first: the others cost more than those
_FLOATS = "float64 scores and exponentials, each with a proved radius"
_WORK = 2**29  # keys × heads × bits of the most expensive tier: some seconds


@dataclass(frozen=True)
class Tier:
    """exponentials[h][j] encloses exp(s_hj - c_h), with one number c_h per head; use it at `bits` bits of precision."""

    bits: int
    method: str
    exponentials: Sequence[Table]


def climb(keys: np.ndarray, queries: Sequence[Vector] | np.ndarray, scale: Fraction) -> Iterator[Tier]:
    """The tiers for scores scale · K q_h, cheapest first. keys (n, d), queries (h, d) in float64 or exact (`Dyadics`)."""
    need_gradual_underflow()
    first = _float_tier(keys, queries, scale)
    if first is not None:
        yield Tier(FIRST_BITS, _FLOATS, [table for table, _ in first])
        heavy = [table.heaviest() if len(keys) >= _MANY else [] for table, _ in first]
        if all(heavy):
            tables = [
                _heavy(keys, query, scale, rows, *own) for query, rows, own in zip(queries, heavy, first, strict=True)
            ]
            yield Tier(2 * FIRST_BITS, f"{_FLOATS}, and exact scores for the keys that matter most", tables)
    exact_forms = [exact_scores(keys, query) for query in queries]
    bits = 2 * FIRST_BITS
    while bits <= 4096 or (bits <= _MOST_BITS and bits * len(keys) * len(queries) <= _WORK):
        yield Tier(bits, f"exact scores, exponentials in balls of {bits} bits", _exact_tier(exact_forms, scale, bits))
        bits *= 2


def _float_tier(
    keys: np.ndarray, queries: Sequence[Vector] | np.ndarray, scale: Fraction
) -> list[tuple[FloatTable, float]] | None:
    """For each head the first tier's exponentials and the score that they are relative to; None if float64 cannot hold them."""
    if not Fraction(2) ** -500 < scale < Fraction(2) ** 500:
        return None
    heads: list[tuple[FloatTable, float]] = []
    budget.spend(len(queries) * len(keys) * (3 * keys.shape[1] + 60))
    budget.hold(16 * len(queries) * len(keys))
    for query in queries:
        enclosed = float_scores(keys, query)
        powers = None if enclosed is None else exp_enclosed(*_relative(*enclosed, float(scale)))
        if enclosed is None or powers is None:
            return None
        heads.append((FloatTable(*powers), float(enclosed[0].max())))
    return heads


def _heavy(
    keys: np.ndarray, query: Vector, scale: Fraction, rows: list[int], table: FloatTable, shift: float
) -> FloatTable:
    """One head's exponentials with those of `rows` from exact scores, relative to the same score."""
    bits = 2 * FIRST_BITS
    numerators, exponent = exact_scores(keys[rows], query)
    with precision(bits):
        budget.spend(len(rows) * budget.function(bits))
        unit, least = scale * Fraction(2) ** exponent, scale * Fraction(shift)
        powers = [exact(numerator * unit - least).exp() for numerator in numerators]
    return table.tightened(dict(zip(rows, powers, strict=True)))


def _relative(midpoints: np.ndarray, radii: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """(x, radius) enclosing scale·(score - largest midpoint).

    The subtraction, the product and the rounding of the scale to a float each cost at most 2^-53 of the result; 2^-50 of it
    covers them. The factor on the radii covers the rounding of the radius itself.
    """
    with np.errstate(all="ignore"):
        x = scale * (midpoints - midpoints.max())
        return x, (scale * radii) * (1 + 2.0**-49) + np.abs(x) * 2.0**-50


def _exact_tier(forms: list[tuple[list[int], int]], scale: Fraction, bits: int) -> list[Table]:
    heads: list[Table] = []
    with precision(bits):
        for numerators, exponent in forms:
            budget.hold(len(numerators) * (64 + bits // 8))
            budget.spend(len(numerators) * budget.function(bits))
            largest = max(numerators)
            factor = exact(scale * Fraction(2) ** exponent)
            known: dict[int, Ball] = {}  # equal scores share one exponential
            for numerator in set(numerators):
                known[numerator] = (exact(numerator - largest) * factor).exp()
            heads.append(BallTable([known[numerator] for numerator in numerators]))
    return heads
