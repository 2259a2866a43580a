"""Position codes: sinusoidal rows differ for different positions, exactly, and not after the longest period either (A.2b).

Row t has sin t and cos t in its first two columns, since ω_0 = base^0 = 1. Rows t and t' agree there just when t - t' = 2πm; for
integers t ≠ t' that would make π = (t - t')/2m a fraction. Rows may be near each other all the same, and rounded ones may
coincide.
"""

from __future__ import annotations

import math
from fractions import Fraction

from headwright import balls
from headwright.number_types import PRECISIONS
from headwright.position import coincidence, distinct, nearest_pair, sinusoidal
from headwright.problems.problem import Problem
from headwright.problems.showing import Showing
from headwright.proofs import RowsApart, WaveRows
from headwright.verdict import Refuted, Verdict

_LENGTH = 10**6  # positions whose codes are also told apart in numbers, at d = 2
_STORED = 4096
_DIM, _BASE = 128, Fraction(10000)
_BITS = 128


def a_2b(problem: Problem) -> Showing:
    codes = sinusoidal(_LENGTH, 2)
    nearest = nearest_pair(codes)
    wrong = repeats_after_longest_period(dim=_DIM)
    ours = distinct(codes)
    theirs = ours.explained(
        "ω_0 = 1 whatever the base. sin and cos both agree at t and t' if and only if t - t' = 2πm for an integer m; for t ≠ t' "
        "then m ≠ 0 and π = (t - t')/(2m) would be rational. Further columns, for larger d, can only add to the distance."
    )
    i, j = nearest.pair
    text = (
        f"proved in balls for the first {_LENGTH:,} positions at d = 2: the nearest two are {i} and {j}, "
        f"{nearest.distance:.4g} apart, because {j - i:,} is nearly a multiple of 2π. Further columns add to the distance, also "
        f"after the longest period: {_apart(wrong)}. What is stored is rounded, though: of the first {_STORED:,} positions at "
        f"d = 2 the first two that coincide are {_first_alike()}"
    )
    return Showing(problem, text, ours, theirs)


def _apart(wrong: Verdict) -> str:
    """The counterexample to repeating codes in words."""
    if not isinstance(wrong, Refuted):
        return "not decided"
    shift = wrong.counterexample["pair"][1]
    square = balls.lower(balls.Waves(shift + 1, _DIM, _BASE).square(shift, _BITS)) or Fraction(0)
    least = balls.decimal_below(Fraction(math.isqrt(int(square * 10**24)), 10**12), 6)
    return (
        f"for d = {_DIM}, base {_BASE} that is {shift:,} positions, and rows 0 and {shift} are at least {least} apart"
    )


def _first_alike() -> str:
    found = {name: coincidence(sinusoidal(_STORED, 2), dtype=name) for name in PRECISIONS}
    return ", ".join(f"{f'{pair[0]} and {pair[1]}' if pair else 'none'} in {name}" for name, pair in found.items())


def repeats_after_longest_period(*, dim: int, base: float = 10000.0) -> Verdict:
    """The claim that the rows one longest period apart, 2π·base^((dim-2)/dim) positions, are equal: Refuted.

    At that shift only the last pair of columns is back where it was; the others, and sin t and cos t for ever, are elsewhere.

    >>> repeats_after_longest_period(dim=2).counterexample["pair"]
    (0, 6)
    """
    shift = round(2 * math.pi * base ** ((dim - 2) / dim))
    rows = WaveRows("sinusoidal", balls.Waves(shift + 1, dim, Fraction(base)))
    return RowsApart(rows, None, (0, shift), Fraction(0)).prove()


RUNS = {"A.2b": a_2b}
