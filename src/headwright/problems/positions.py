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
from headwright.problems.showing import Showing, for_all
from headwright.verdict import Refuted, Undecided, Verdict

_LENGTH = 10**6  # positions whose codes are also told apart in numbers, at d = 2
_STORED = 4096
_BITS = 128


def a_2b(problem: Problem) -> Showing:
    codes = sinusoidal(_LENGTH, 2)
    nearest = nearest_pair(codes)
    wrong = repeats_after_longest_period(dim=128)
    ours = distinct(codes)
    theirs = for_all(
        "the rows of sinusoidal codes differ for all different integer positions: their first two columns, sin t and cos t, do",
        scope="all integer positions, even d >= 2 and bases > 0, by the irrationality of π",
        reason="ω_0 = 1 whatever the base. sin and cos both agree at t and t' just when t - t' = 2πm for an integer m; for t ≠ "
        "t' then m ≠ 0 and π = (t - t')/(2m) would be rational. Further columns can only add to the distance.",
        inequalities=[isinstance(wrong, Refuted)],
        instances=[ours, nearest.verdict],
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
    found = wrong.counterexample
    return f"for {wrong.scope} that is {found['shift']:,} positions, and rows {found['rows']} are {found['distance']} apart"


def _first_alike() -> str:
    found = {name: coincidence(sinusoidal(_STORED, 2), dtype=name) for name in PRECISIONS}
    return ", ".join(f"{f'{pair[0]} and {pair[1]}' if pair else 'none'} in {name}" for name, pair in found.items())


def repeats_after_longest_period(*, dim: int, base: float = 10000.0) -> Verdict:
    """The claim that codes repeat after their longest period, 2π·base^((dim-2)/dim): Refuted by the distance of two rows.

    At that shift only the last pair of columns is back where it was; the others, and sin t and cos t for ever, are elsewhere.

    >>> repeats_after_longest_period(dim=2).counterexample["shift"]
    6
    """
    claim = "sinusoidal position codes repeat after the longest period"
    period = 2 * math.pi * base ** ((dim - 2) / dim)
    shift = round(period)
    with balls.precision(_BITS):
        found = balls.lower(balls.Waves(shift + 1, dim, Fraction(base)).square(shift, _BITS))
    if found is None or found <= 0:
        return Undecided(claim, reason="the two rows were not told apart", next_step="more bits")
    least = balls.decimal_below(Fraction(math.isqrt(int(found * 10**24)), 10**12), 6)
    return Refuted(
        claim,
        scope=f"d = {dim}, base {base:g}",
        counterexample={
            "longest period": f"2π·base^((d-2)/d) = {period:.6g}",
            "shift": shift,
            "rows": f"0 and {shift}",
            "distance": f"at least {least}",
        },
        holds_when=None,
        reason=f"after the longest period, about {shift:,} positions, the slowest pair of columns is nearly back where it "
        f"started, and no other pair need be: rows 0 and {shift:,} are at least {least} apart. No number of positions is a whole "
        "number of periods of sin t, as 2π is irrational, so the codes never repeat.",
        method=f"balls of {_BITS} bits: the distance is certainly not 0",
    )


RUNS = {"A.2b": a_2b}
