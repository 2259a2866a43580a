"""Statements about the heads β(μ_a + μ_b) and β(μ_a - μ_b) under a key of noisy length: C.2.2b.

k_a = c·μ_a with c ~ N(1, ½), the other noise gone. Both heads give a the weight e^(βc)/(e^(βc) + r), r the sum of the other
exponentials, which do not depend on c. Key 0 is a, key 1 is b; n = 10 and β = ln 10⁴ unless said.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np

from headwright import balls
from headwright.judging import certify
from headwright.noise import Outcome, outcome
from headwright.problems.judges.statement_verdicts import falls, stands
from headwright.problems.noisy_heads import positive
from headwright.problems.noisy_length import GOAL, T, noisy, varies, with_length
from headwright.problems.showing import N
from headwright.verdict import Verdict

_HEADS = math.log(T) * np.array([np.eye(N)[0] + np.eye(N)[1], np.eye(N)[0] - np.eye(N)[1]])
_QUERIES = {"mean": _HEADS, "sum": _HEADS[0], "difference": _HEADS[1]}
_CROSS = {"n": str(N), "β": "ln 10⁴"}


@cache
def _laws() -> dict[str, Outcome]:
    return {name: outcome(noisy(), queries, GOAL) for name, queries in _QUERIES.items()}


def _sd(name: str, side: int = 0) -> float:
    """The standard deviation of the weight of a; with side -1 or 1 its proved lower or upper bound. NaN where not proved."""
    law = _laws()[name]
    return float(law.sd[0] + side * law.uncertainty["sd"][0]) if law.proved else math.nan


def _added() -> list[Verdict]:
    """Proved: four times the variance of the mean is more than the two heads' variances together, as 4·0.1 > 0.2 + 0.1."""
    return [
        varies(_QUERIES["mean"], at_least="0.1"),
        varies(_QUERIES["sum"], at_most="0.2"),
        varies(_QUERIES["difference"], at_most="0.1"),
    ]


def independent_heads(text: str) -> Verdict:
    added = math.sqrt(_sd("sum") ** 2 + _sd("difference") ** 2) / 2
    return falls(
        text,
        example={**_CROSS, "sd of the weight of a": f"{_sd('mean'):.4f}; if the heads were independent: {added:.4f}"},
        reason="all heads of one sample see the same k_a: the weight of a has the standard deviation "
        f"{_sd('mean'):.4f} in the mean, where independent heads would make it {added:.4f}.",
        facts=_added(),
    )


def between_the_heads(text: str) -> Verdict:
    return stands(
        text,
        argument="noisy_length.md#the-mean-lies-between-its-two-heads",
        scope=f"n >= 2 fixed and β large: in the limit, and at n = {N}, β = ln 10⁴; both weights rise with c for all β > 0",
        reason="as β grows α_a tends to 1 or 0, in the head of the sum by c > 1, in that of the difference by c > 0 (n = "
        f"2: c > -1), which orders the variances. At n = {N}, β = ln 10⁴ the standard deviations are {_sd('sum'):.4f} in "
        f"the head of the sum, {_sd('mean'):.4f} in the mean, {_sd('difference'):.4f} in the head of the difference.",
        checks=[
            *(_ordered(p) for side in (positive(), _above_minus_one()) for p in side),
            _sd("difference", 1) < _sd("mean", -1),
            _sd("mean", 1) < _sd("sum", -1),
        ],
        facts=_rising(),
    )


def _ordered(p: Fraction) -> bool:
    """Limits of the variances, p the probability of the difference's event: p(1-p) < ¼(¼ + p(1-p) + (1-p)) < ¼.

    The events are nested, so their covariance is ½(1-p). Both inequalities keep their sides between two such p above ½, as
    p(1-p) and 1-p fall there and 1 + 4(1-p) - 12p(1-p) = 12(p - ⅔)² - ⅓ rises beyond ⅔.
    """
    alone = p * (1 - p)
    return Fraction(2, 3) < p and alone < (Fraction(1, 4) + alone + 1 - p) / 4 < Fraction(1, 4)


def _above_minus_one() -> tuple[Fraction, Fraction]:
    """P(c > -1) = Φ(2√2), from below and from above."""
    with balls.precision(128):
        mass = 1 - balls.mass_beyond(2 * balls.exact(2).sqrt())
        low, high = balls.lower(mass), balls.upper(mass)
    return low or Fraction(0), high or Fraction(0)


def fluctuations_cancel(text: str) -> Verdict:
    return falls(
        text,
        example={**_CROSS, "sd of α_a": f"{_sd('mean'):.4f} in the mean, {_sd('difference'):.4f} in head 2 by itself"},
        reason="the mean varies more than the single head β(μ_a - μ_b) does: the standard deviation of α_a is "
        f"{_sd('mean'):.4f} against {_sd('difference'):.4f}.",
        facts=[varies(_QUERIES["mean"], at_least="0.1"), varies(_QUERIES["difference"], at_most="0.1")],
        condition=f"only compared with head 1 by itself: {_sd('mean'):.4f} against {_sd('sum'):.4f}",
    )


def mean_does_not_vary(text: str) -> Verdict:
    return falls(
        text,
        example={**_CROSS, "k_a": "3/2 μ_a, and -1/2 μ_a"},
        reason="in the mean of the two heads the weight of a is above 0.98 at c = 3/2 and below 0.01 at c = -1/2.",
        facts=[
            certify(with_length(1.5), _HEADS, of=0, at_least="0.98"),
            certify(with_length(-0.5), _HEADS, of=0, at_most="0.01"),
        ],
    )


def nothing_cancels(text: str) -> Verdict:
    return stands(
        text,
        argument="noisy_length.md#nothing-cancels",
        scope="all n >= 2 and β > 0, once the isotropic noise has vanished",
        reason="with r the sum of the other exponentials, which do not depend on c, α_a = e^(βc)/(e^(βc) + r) rises "
        "strictly with c in both heads, and two increasing functions of one random number have a positive covariance "
        "(Chebyshev).",
        facts=[*_rising(), *_added()],
    )


def _rising() -> list[Verdict]:
    """In both heads of C.2.2a the weight of a is small at c = -1/2 and large at c = 3/2."""
    return [
        *(certify(with_length(-0.5), head, of=0, at_most="0.01") for head in _HEADS),
        *(certify(with_length(1.5), head, of=0, at_least="0.98") for head in _HEADS),
    ]


def difference_averages(text: str) -> Verdict:
    return falls(
        text,
        example={**_CROSS, "k_a": "μ_a"},
        reason="the head β(μ_a - μ_b) scores b with -β: at c = 1 it gives b a weight below 0.0001 and a one above 0.99.",
        facts=[
            certify(with_length(1.0), _HEADS[1], of=1, at_most="0.0001"),
            certify(with_length(1.0), _HEADS[1], of=0, at_least="0.99"),
        ],
    )


CHECKS = {
    "independent-heads": independent_heads,
    "between-the-heads": between_the_heads,
    "fluctuations-cancel": fluctuations_cancel,
    "mean-does-not-vary": mean_does_not_vary,
    "nothing-cancels": nothing_cancels,
    "difference-averages": difference_averages,
}
