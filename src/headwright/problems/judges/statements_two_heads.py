"""Statements about the heads ln(s)u_a and ln(T)u_b under a key of noisy length: B.3d-ii, D.d-ii.

k_a = c·u_a with c ~ N(1, ½), the other noise gone. Key 0 is a, key 1 is b; n = 10 and s = T = 10⁴ unless said.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np

from headwright import balls
from headwright.geometry.polynomial_signs import nonnegative
from headwright.goals import Copy, Goal
from headwright.judging import certify
from headwright.noise import Outcome, outcome
from headwright.problems.judges.statement_verdicts import falls, said, shown, stands
from headwright.problems.noisy_heads import pair, positive
from headwright.problems.noisy_length import CONFIDENCE, GOAL, T, noisy, textbook, varies, with_length
from headwright.problems.showing import ERROR, N
from headwright.verdict import Verdict

_T = math.log(T)
_FAR = 200.0
_PAIR = {"n": str(N), "heads": "ln(10⁴)·u_a, ln(10⁴)·u_b"}


@cache
def _laws() -> dict[str, Outcome]:
    asked: dict[str, tuple[np.ndarray, Goal]] = {
        "pair": (pair(_T), GOAL),
        "head 1 of the pair": (pair(_T)[0], Copy(0)),
        "one head": (textbook(_T), GOAL),
    }
    return {name: outcome(noisy(), queries, goal) for name, (queries, goal) in asked.items()}


def _sd(name: str, side: int = 0) -> float:
    """The standard deviation of the weight of a; with side -1 or 1 its proved lower or upper bound. NaN where not proved."""
    law = _laws()[name]
    return float(law.sd[0] + side * law.uncertainty["sd"][0]) if law.proved else math.nan


def variances_double(text: str) -> Verdict:
    return falls(
        text,
        example={
            **_PAIR,
            "sd of the weight of a": f"{_sd('pair'):.4f}; under one head ln(10⁴)·(u_a + u_b): {_sd('one head'):.4f}",
        },
        reason=f"with two heads the weight of a has the standard deviation {_sd('pair'):.4f}, with one "
        f"{_sd('one head'):.4f}: less than half. The query of head 2 has no component along u_a.",
        facts=[varies(pair(_T), at_most="0.04"), varies(textbook(_T), at_least="0.16")],
    )


def lost_when_backwards(text: str) -> Verdict:
    return stands(
        text,
        argument="noisy_length.md#two-heads-lose-what-points-backwards",
        scope="all n >= 2, s > 1, T >= n and the error 0.01, once the isotropic noise has vanished",
        reason="for c <= 0 head 1 gives a at most 1/n and head 2 at most 1/(2n-1), so the mean misses one half by at "
        f"least 1/12. Hence the probability is at most P(c > 0) = Φ(√2) = {float(positive()[0]):.5f}.",
        checks=[
            # ½ - ½(1/n + 1/(2n-1)) >= 1/12, times 12n(2n-1)
            nonnegative(lambda n: 6 * n * (2 * n - 1) - 6 * (2 * n - 1) - 6 * n - n * (2 * n - 1), n=2),
            Fraction(1, 12) > ERROR,
            positive()[1] < Fraction(922, 1000),
        ],
        facts=[
            certify(with_length(-0.5), pair(_FAR), of=0, at_most="0.01"),
            certify(with_length(0.0), pair(_FAR), of=0, at_most="0.06"),
            certify(with_length(0.5), pair(_FAR), GOAL, error=ERROR),
        ],
    )


def coin_toss_remains(text: str) -> Verdict:
    return falls(
        text,
        example=_PAIR,
        reason="head 2 copies v_b in every sample, so that v_b has at least 0.49 of the mean weight and c is never nearer "
        "to v_a than that: the probability of being within 0.01 of v_a is 0.",
        points=[certify(noisy(), pair(_T), Copy(0), error=ERROR, confidence="0.2")],
    )


def still_the_mean_with_two(text: str) -> Verdict:
    reached = float(positive()[1])
    return falls(
        text,
        example={"n": str(N), "s, T": "e^200, 10⁴", "k_a": "-½ u_a", "weights": "below 0.01 on a"},
        reason=f"where k_a points backwards (c <= 0) head 1 gives a at most a tenth; that happens with probability "
        f"{1 - reached:.5f}. So c ≈ (v_a + v_b)/2 has a probability of at most {reached:.5f}, where 0.99 is asked for, however "
        "large s and T are.",
        points=[certify(noisy(), pair(_FAR), GOAL, error=ERROR, confidence=CONFIDENCE)],
        facts=[certify(with_length(-0.5), pair(_FAR), of=0, at_most="0.01")],
        condition="samples with k_a·q < 0 are ignored, and s is large",
    )


def quarter_of_the_variance(text: str) -> Verdict:
    return stands(
        text,
        argument="noisy_length.md#a-quarter-of-the-variance",
        scope=f"all s, T > 1 and n >= 2 for Var c = ¼ Var c_1; n = {N} for the comparison with one head ln(T)(u_a + u_b), "
        "T >= 10⁴",
        reason="q_2 has no component along u_a, so c = (c_1 + c_2)/2 with a c_2 that does not vary. A number between 0 "
        f"and 1 has a standard deviation of at most ½, so the weight of a has at most ¼ ({_sd('pair'):.4f} at s = T = "
        f"10⁴), where one head has {_sd('one head'):.4f} and tends to ½. P(c <= 0) = {float(1 - positive()[0]):.4f}.",
        checks=[
            _one_head_varies_more(),
            abs(2 * _sd("pair") - _sd("head 1 of the pair"))
            <= 2 * (_sd("pair", 1) - _sd("pair")) + _sd("head 1 of the pair", 1) - _sd("head 1 of the pair"),
            Fraction(785, 10000) < 1 - positive()[1] and 1 - positive()[0] < Fraction(788, 10000),
        ],
        facts=[shown("D.d-ii").ours, certify(with_length(0.1), pair(_FAR)[0], Copy(0), error=ERROR)],
    )


def _one_head_varies_more() -> bool:
    """Under ln(T)(u_a + u_b), n = 10, the weight of a has a variance above 1/16 for every T >= 10⁴.

    It is at least 0.9 when T^(c-1) >= 9(1 + 8/T), at most 0.1 when T^(c-1) <= 1/9, each with a probability of at least the m
    below, and half the mean square of the difference of two independent draws is the variance: at least m²(0.9 - 0.1)².
    """
    with balls.precision(128):
        bound = balls.exact(9 * (1 + Fraction(N - 2, T))).log() / balls.exact(T).log() * balls.exact(2).sqrt()
        mass = balls.lower(balls.mass_beyond(bound))
    return mass is not None and mass**2 * Fraction(64, 100) > Fraction(1, 16)


def heads_cancel(text: str) -> Verdict:
    return falls(
        text,
        example={**_PAIR, "k_a": "3/2 u_a, and -1/2 u_a"},
        reason="head 2 gains and loses nothing: at c = 3/2 the weight of a in the mean is above 0.49, at c = -1/2 below 0.01.",
        facts=[
            certify(with_length(1.5), pair(_T), of=0, at_least="0.49"),
            certify(with_length(-0.5), pair(_T), of=0, at_most="0.01"),
        ],
    )


def no_leave_needed(text: str) -> Verdict:
    reached = float(positive()[1])
    return falls(
        text,
        example={"n": str(N), "s, T": "e^200, 10⁴", "P(error at most 0.01)": f"at most {reached:.5f}"},
        reason=f"k_a·q_1 < 0 has the probability {1 - reached:.5f}, and there head 1 gives a at most a tenth: with those "
        f"samples the probability is at most {reached:.5f}, however large the queries.",
        points=[certify(noisy(), pair(_FAR), GOAL, error=ERROR, confidence=CONFIDENCE)],
    )


CHECKS = {
    "variances-double": variances_double,
    "lost-when-backwards": lost_when_backwards,
    "coin-toss-remains": coin_toss_remains,
    "still-the-mean-with-two": still_the_mean_with_two,
    "quarter-of-the-variance": quarter_of_the_variance,
    "heads-cancel": heads_cancel,
    "average-given-positive": lambda text: said(text, shown("D.d-ii").ours),
    "no-leave-needed": no_leave_needed,
}
