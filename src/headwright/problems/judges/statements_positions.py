"""Statements about sinusoidal position codes (A.2b): row t holds sin(tω_i) and cos(tω_i) with ω_i = base^(-2i/d), ω_0 = 1.

‖Φ_t - Φ_t'‖² = Σ_i 4 sin²(ω_i(t - t')/2) depends on the shift alone, and its first term is 0 only for shifts 2πm: never for an
integer other than 0, since π is irrational (Lambert). Sines are enclosed in balls, so that a distance shown positive is positive.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from headwright import balls
from headwright.problems.judges.statement_verdicts import falls, stands
from headwright.verdict import Verdict

_BASE = 10_000
_FAR = 1000  # shifts that are also checked one by one
_BITS = 128


def squared_distance(shift: int, dim: int) -> balls.Ball:
    """A ball around ‖Φ_t - Φ_(t+shift)‖² for even `dim`; call it inside `balls.precision`."""
    terms = []
    for i in range(dim // 2):
        angle = balls.exact(shift) / balls.exact(_BASE) ** balls.exact(Fraction(2 * i, dim)) / 2
        terms.append(4 * angle.sin() ** 2)
    return balls.total(terms)


def _distance(shift: int, dim: int) -> Fraction:
    """A rational that the distance exceeds; 0 where the ball does not tell."""
    with balls.precision(_BITS):
        found = balls.lower(squared_distance(shift, dim).sqrt())
    return max(Fraction(0), found) if found is not None else Fraction(0)


def first_pair_differs(text: str) -> Verdict:
    return stands(
        text,
        scope="all integers t ≠ t' and every even dimension, because ω_0 = 1 and π is irrational",
        reason="sin t = sin t' and cos t = cos t' together mean that t - t' = 2πm for an integer m. For m ≠ 0 that would "
        f"make π the quotient of two integers, so m = 0. Shifts 1 to {_FAR} are also enclosed one by one: none brings the "
        f"pair closer than {balls.decimal_below(min(_pairs()), 4)}.",
        checks=[distance > 0 for distance in _pairs()],
    )


def _pairs() -> list[Fraction]:
    return [_distance(shift, 2) for shift in range(1, _FAR + 1)]


def sine_alone(text: str) -> Verdict:
    with balls.precision(_BITS):
        sines = sorted((balls.exact(t).sin() for t in range(_FAR)), key=float)
        apart = [bool(low < high) for low, high in pairwise(sines)]
    return stands(
        text,
        scope="all integers t, t' >= 0 and every even dimension, because ω_0 = 1 and π is irrational",
        reason="sin t = sin t' means t - t' = 2πm or t + t' = (2m + 1)π. A sum or difference of integers is a multiple of the "
        "irrational π only if it is 0: the first then gives t = t', the second would need 2m + 1 = 0.",
        checks=apart,
    )


def repeat_after_longest_period(text: str) -> Verdict:
    periods = {dim: _longest_period(dim) for dim in (4, 64, 512)}
    found = {dim: _distance(shift, dim) for dim, shift in periods.items()}
    told = "; ".join(
        f"d = {d}: shift {periods[d]}, distance at least {balls.decimal_below(found[d], 4)}" for d in periods
    )
    return falls(
        text,
        example={"base": str(_BASE), "distances": told},
        reason="after its longest period the slowest pair is back, but the faster ones are not, and the first of them "
        f"never is: at base {_BASE} and d = 512 the rows {periods[512]} positions apart differ by at least "
        f"{balls.decimal_below(found[512], 4)}, at d = 4 those {periods[4]} apart by {balls.decimal_below(found[4], 4)}.",
        checks=[distance > Fraction(1, 10) for distance in found.values()],
    )


def _longest_period(dim: int) -> int:
    """2π·base^(1 - 2/d), to the nearest integer."""
    with balls.precision(_BITS):
        turn = 8 * balls.exact(1).atan()
        exact = balls.lower(turn * balls.exact(_BASE) ** balls.exact(1 - Fraction(2, dim)))
    return round(exact or 0)


def any_frequencies(text: str) -> Verdict:
    with balls.precision(_BITS):
        agree = bool(balls.exact(2).cos_pi() == 1) and bool(balls.exact(2).sin_pi() == 0)
    return falls(
        text,
        example={"ω": "π/2", "positions": "0 and 4"},
        reason="for ω = π/2 the angles at positions 0 and 4 are 0 and 2π: (sin, cos) is (0, 1) at both. A point on the circle "
        "determines its angle only up to full turns.",
        checks=[agree],
        holds_when="2π/ω is irrational",
    )


def entries_are_bounded(text: str) -> Verdict:
    return falls(
        text,
        example={"numbers": "1/(t+1) for t = 0, 1, 2, …", "rows": f"(sin t, cos t), shifts 1 to {_FAR}"},
        reason="infinitely many different rows fit between -1 and 1, as 1, 1/2, 1/3, … shows: bounded is not finite. Of "
        f"the first {_FAR + 1} pairs (sin t, cos t) no two are closer than {balls.decimal_below(min(_pairs()), 4)}.",
        checks=[distance > 0 for distance in _pairs()],
    )


def shift_710_agrees(text: str) -> Verdict:
    distance = _distance(710, 2)
    return falls(
        text,
        example={"shift": "710", "distance": f"at least {balls.decimal_below(distance, 4)}"},
        reason=f"710 is close to 226π but not equal to it: the two pairs are {balls.decimal_below(distance, 4)} apart, "
        "little, but more than 0.",
        checks=[Fraction(6, 10**5) < distance < Fraction(7, 10**5)],
    )


CHECKS = {
    "entries-are-bounded": entries_are_bounded,
    "repeat-after-longest-period": repeat_after_longest_period,
    "sine-alone": sine_alone,
    "any-frequencies": any_frequencies,
    "first-pair-differs": first_pair_differs,
    "shift-710-agrees": shift_710_agrees,
}
