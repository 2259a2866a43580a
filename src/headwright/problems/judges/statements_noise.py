"""Statements about one head under a key of varying length: A.1c, B.3c-ii, C.2.1b, D.c-ii, E.1f.

The other noise has vanished. k_a = c·u_a with c ~ N(1, ½), or c = 1/2 or 3/2 by a coin toss in A.1c; q = t(u_a + u_b), so that
the weights are as e^{tc} on a, e^t on b and 1 elsewhere. Key 0 is a (or 1, or i), key 1 is b (or 2, or j).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headwright import balls
from headwright.geometry.polynomial_signs import nonnegative
from headwright.judging import certify
from headwright.noise import outcome
from headwright.problems.judges.statement_verdicts import falls, of_published, said, shown, stands
from headwright.problems.noisy_length import GOAL, SURE, T, noisy, textbook, varies, with_length
from headwright.problems.random_length import pick_condition
from headwright.problems.showing import ERROR, ODDS, N
from headwright.verdict import Verdict

_T = math.log(T)
_SHEET_T = math.log(N / (2 * ODDS))  # A.1c: ln(n/ε) at n = 10 and the ε that stands for error 0.01
_AT = {"n": str(N), "ε": str(2 * ODDS)}
_LEAD = np.eye(N)[0] - np.eye(N)[1]


def still_half_each(text: str) -> Verdict:
    return falls(
        text,
        example={**_AT, "c": "1/2"},
        reason="at c = 1/2 the scores of k_1 and k_2 are t/2 and t, not equal: α_1 is below 0.05 and α_2 above 0.9.",
        facts=[
            certify(with_length(0.5), textbook(_SHEET_T), of=0, at_most="0.05"),
            certify(with_length(0.5), textbook(_SHEET_T), of=1, at_least="0.9"),
        ],
    )


def ratio_n_over_eps(text: str) -> Verdict:
    ratio = np.eye(N)[0] - 23 * np.eye(N)[1]
    return falls(
        text,
        example={**_AT, "c": "3/2", "n/ε": str(N / (2 * ODDS))},
        reason="at c = 3/2 the score of k_1 leads that of k_2 by t/2, not by t: α_1/α_2 is below 23, where n/ε is 495.",
        facts=[certify(with_length(1.5), textbook(_SHEET_T), of=ratio, at_most="0")],
    )


def second_key_wins(text: str) -> Verdict:
    return falls(
        text,
        example={**_AT, "c": "3/2"},
        reason="at c = 3/2 the score of k_1 is 3t/2 against t for k_2, and α_1 exceeds α_2 by more than 0.9.",
        facts=[certify(with_length(1.5), textbook(_SHEET_T), of=_LEAD, at_least="0.9")],
    )


def ratio_and_pick(text: str) -> Verdict:
    return falls(
        text,
        example={**_AT, "c": "1/2", "α_2": "0.9424", "α_1": "0.0424", "all others together": "0.0152"},
        reason="the ratio is right, but it does not make a pick: at n = 10 and ε = 2/99, c = 1/2, v_2 has the weight "
        "0.9424 and is off by more than 0.05, where 0.01 is allowed.",
        facts=[
            certify(with_length(0.5), textbook(_SHEET_T), of=1, at_most="0.943"),
            certify(with_length(0.5), textbook(_SHEET_T), of=0, at_least="0.042"),
        ],
        condition=f"n/ε is large: {_condition()}",
    )


def _condition() -> str:
    """The number in the condition of A.1c, without its formula."""
    return pick_condition()[0].rpartition(": ")[2]


def never_an_average(text: str) -> Verdict:
    return stands(
        text,
        argument="noisy_length.md#a-coin-toss-between-two-lengths",
        scope="all n >= 2 and ε in (0, 1)",
        reason="the scores are t·c and t with t = ln(n/ε), so the ratio is (n/ε)^(±1/2); n/ε > 2. How large n/ε must be "
        "for a pick is the condition y + n - 2 <= odds(error)·y² with y = (n/ε)^(1/2).",
        checks=[nonnegative(lambda n, y: n * (1 + y) - 2 * (1 + y), n=2, y=0)],  # ε = 1/(1 + y): n/ε >= 2/ε
        facts=[shown("A.1c").ours],
    )


def still_the_mean(text: str) -> Verdict:
    return falls(
        text,
        example={"n": str(N), "query": "ln(10⁴)·(u_a + u_b)", "P(error at most 0.01)": "below 0.005"},
        reason="at n = 10 and the factor ln 10⁴ the output is within 0.01 of the mean with probability below 0.005, where "
        "0.99 is asked for: a right mean of the key does not keep its length from deciding between the two.",
        points=[certify(noisy(), textbook(_T), GOAL, error=ERROR, confidence="0.005")],
    )


def small_variance(text: str) -> Verdict:
    law = outcome(noisy(), textbook(_T), GOAL)
    return falls(
        text,
        example={"n": str(N), "query": "ln(10⁴)·(u_a + u_b)", "weight of a": f"{law.mean[0]:.4f} ± {law.sd[0]:.4f}"},
        reason=f"the weight of a has the mean {law.mean[0]:.4f}, but the standard deviation {law.sd[0]:.4f}, where ½ is "
        "the most that any number between 0 and 1 can have. That it averages out over samples helps no single one.",
        facts=[varies(textbook(_T), at_least="0.185")],  # a standard deviation above 0.43
    )


def always_towards_a(text: str) -> Verdict:
    return falls(
        text,
        example={"n": str(N), "query": "ln(10⁴)·(u_a + u_b)", "k_a": "½ u_a"},
        reason="the factor c of k_a lies below 1 as often as above: at c = 1/2 the weight of b exceeds that of a by more "
        "than 0.9.",
        facts=[certify(with_length(0.5), textbook(_T), of=-_LEAD, at_least="0.9")],
    )


def larger_factor_cures(text: str) -> Verdict:
    """False for every t: an error of at most e needs (n-2)(½-e)e^{-t} <= e, so t is at least some t_0, and |c-1| <= w/t.

    Here w = ln((½+e)/(½-e)), as neither target has more than ½+e nor less than ½-e; so P <= P(|c-1| <= w/t_0).
    """
    half = Fraction(1, 2)
    with balls.precision(128):
        least = balls.exact((N - 2) * (half - ERROR) / ERROR).log()
        width = balls.exact((half + ERROR) / (half - ERROR)).log() / least * balls.exact(2).sqrt()
        most = balls.upper(1 - 2 * balls.mass_beyond(width))
    points = [certify(noisy(), textbook(t), GOAL, error=ERROR, confidence="0.008") for t in (_T, 50.0, 200.0)]
    return falls(
        text,
        example={"n": str(N), "factor": "any; for instance ln 10⁴, 50, 200", "P(error at most 0.01)": "below 0.008"},
        reason="the lead of a over b is the factor times (c - 1), so a larger factor makes small differences of length "
        "count more. At n = 10 the probability of an error of at most 0.01 is below 0.008 for every factor, and smaller "
        "the larger it is.",
        points=points,
        also=[most is not None and most < Fraction(8, 1000)],
    )


def any_noisy_key_spoils(text: str) -> Verdict:
    return falls(
        text,
        example={"n": str(N), "x": "a key other than i and j", "query": "ln(10⁴)·(μ_i + μ_j)"},
        reason="for x other than i and j the query is orthogonal to μ_x, so the score of k_x is 0 whatever its length: "
        "the output is within 0.01 of the mean with probability 1.",
        facts=[certify(noisy(5), textbook(_T), GOAL, error=ERROR, confidence=SURE)],
    )


def leans_unless_another(text: str) -> Verdict:
    return stands(
        text,
        argument="noisy_length.md#which-way-the-output-leans",
        scope="all n >= 3 and factors t > 0, once the isotropic noise has vanished (a stretching factor of exactly 1 has "
        "probability 0)",
        reason="α_x/(the other target's weight) = e^(t(c-1)) for k_x = c·μ_x and x = i or j; for any other x the score of "
        "k_x is c·(μ_x·q) = 0 whatever c.",
        facts=[of_published("B.3c-ii"), certify(noisy(5), textbook(_T), GOAL, error=ERROR, confidence=SURE)],
    )


CHECKS = {
    "still-half-each": still_half_each,
    "ratio-n-over-eps": ratio_n_over_eps,
    "never-an-average": never_an_average,
    "ratio-and-pick": ratio_and_pick,
    "second-key-wins": second_key_wins,
    "ratio-and-threshold": lambda text: said(text, shown("A.1c").ours),
    "still-the-mean": still_the_mean,
    "weight-varies": lambda text: said(text, of_published("C.2.1b")),
    "small-variance": small_variance,
    "coin-toss": lambda text: said(text, shown("B.3c-ii").ours),
    "always-towards-a": always_towards_a,
    "leans-with-the-length": lambda text: said(text, of_published("B.3c-ii")),
    "larger-factor-cures": larger_factor_cures,
    "any-noisy-key-spoils": any_noisy_key_spoils,
    "coin-toss-unless-another": lambda text: said(text, shown("E.1f").ours),
    "leans-unless-another": leans_unless_another,
}
