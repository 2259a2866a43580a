"""Statements about sinusoidal position codes (A.2b): row t holds sin(tω_i) and cos(tω_i) with ω_i = base^(-2i/d), ω_0 = 1.

‖Φ_t - Φ_t'‖² = Σ_i 4 sin²(ω_i(t - t')/2) depends on the shift alone, and its first term is 0 only for shifts 2πm: never for an
integer other than 0, since π is irrational (Lambert).
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np

from headwright import balls
from headwright.position import distinct, sinusoidal
from headwright.problems.judges.statement_verdicts import falls, stands
from headwright.proofs import RowsApart, TableRows, WaveRows
from headwright.verdict import Verdict

_BASE = 10_000
_FAR = 1000  # shifts that are also checked one by one
_BITS = 128
_PERIODS = {d: round(2 * math.pi * _BASE ** (1 - 2 / d)) for d in (4, 64, 512)}
_NEAREST = "0.00006028"  # how near (sin t, cos t) come for shifts up to 1000: at 710


def _apart(shift: int, dim: int, within: str) -> Verdict:
    """The claim that rows 0 and `shift` are that near."""
    rows = WaveRows("sinusoidal", balls.Waves(shift + 1, dim, Fraction(_BASE)))
    return RowsApart(rows, None, (0, shift), Fraction(within)).prove()


def _none_nearer(distance: str) -> Verdict:
    """The claim that no two of the first pairs (sin t, cos t) are nearer."""
    rows = WaveRows("sinusoidal", balls.Waves(_FAR + 1, 2, Fraction(_BASE)))
    return RowsApart(rows, Fraction(distance)).prove()


def first_pair_differs(text: str) -> Verdict:
    return distinct(sinusoidal(_FAR + 1, 2)).explained(
        "sin t = sin t' and cos t = cos t' together mean that t - t' = 2πm for an integer m. For m ≠ 0 that would "
        f"make π the quotient of two integers, so m = 0. Shifts 1 to {_FAR} are also enclosed one by one: none brings the "
        f"pair closer than {_NEAREST}."
    )


def sine_alone(text: str) -> Verdict:
    with balls.precision(_BITS):
        sines = sorted((balls.exact(t).sin() for t in range(_FAR)), key=float)
        differ = [bool(low < high) for low, high in pairwise(sines)]
    return stands(
        text,
        argument="positions.md#the-sine-alone",
        scope="all integers t, t' >= 0 and every even dimension, because ω_0 = 1 and π is irrational",
        reason="sin t = sin t' means t - t' = 2πm or t + t' = (2m + 1)π. A sum or difference of integers is a multiple of the "
        "irrational π only if it is 0: the first then gives t = t', the second would need 2m + 1 = 0.",
        checks=differ,
    )


def repeat_after_longest_period(text: str) -> Verdict:
    return falls(
        text,
        example={
            "base": str(_BASE),
            "longest periods": ", ".join(f"{shift} at d = {d}" for d, shift in _PERIODS.items()),
        },
        reason="after its longest period the slowest pair is back, but the faster ones are not, and the first of them "
        f"never is: at base {_BASE} and d = 4, 64 and 512 the rows {', '.join(map(str, _PERIODS.values()))} positions apart "
        "differ by more than 0.1.",
        points=[_apart(shift, dim, "0.1") for dim, shift in _PERIODS.items()],
    )


def any_frequencies(text: str) -> Verdict:
    quarters = np.array([[0, 1], [1, 0], [0, -1], [-1, 0], [0, 1]])
    return falls(
        text,
        example={"ω": "π/2", "positions": "0 and 4"},
        reason="for ω = π/2 the rows are (0, 1), (1, 0), (0, -1), (-1, 0) and again (0, 1): the angles at positions 0 and 4 are "
        "0 and 2π. A point on the circle determines its angle only up to full turns.",
        points=[RowsApart(TableRows(quarters), Fraction(0)).prove()],
        condition="2π/ω is irrational",
    )


def entries_are_bounded(text: str) -> Verdict:
    return falls(
        text,
        example={"numbers": "1/(t+1) for t = 0, 1, 2, …", "rows": f"(sin t, cos t), shifts 1 to {_FAR}"},
        reason="infinitely many different rows fit between -1 and 1, as 1, 1/2, 1/3, … shows: bounded is not finite. No two "
        f"integers have the same (sin t, cos t), and of the first {_FAR + 1} pairs no two are closer than {_NEAREST}.",
        facts=[distinct(sinusoidal(_FAR + 1, 2))],
    )


def shift_710_agrees(text: str) -> Verdict:
    return falls(
        text,
        example={"shift": "710", "distance": f"at least {_NEAREST}"},
        reason=f"710 is close to 226π but not equal to it: the two pairs are {_NEAREST} apart, little, but more than 0.",
        facts=[_none_nearer(_NEAREST), _apart(710, 2, "0.00007")],
    )


CHECKS = {
    "entries-are-bounded": entries_are_bounded,
    "repeat-after-longest-period": repeat_after_longest_period,
    "sine-alone": sine_alone,
    "any-frequencies": any_frequencies,
    "first-pair-differs": first_pair_differs,
    "shift-710-agrees": shift_710_agrees,
}
