"""Statements about single weights: why they are a distribution, and when one dominates (B.3a, C.1.1a, C.1.1b, D.a, E.1a, E.1b).

Ten orthonormal keys serve as the place where false ones fail: under q = 7 k_3 key 3 has the weight e⁷/(e⁷ + 9) = 0.9919.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright.formulas import parse
from headwright.judging import certify
from headwright.problems.judges.statement_verdicts import falls, said, shown
from headwright.problems.showing import N
from headwright.proofs import Inequality
from headwright.verdict import Verdict

_KEYS = np.eye(N)
_QUERY = 7.0 * _KEYS[3]
_WHERE = {"keys": "10 orthonormal, u_0 … u_9", "q": "7 u_3"}


def _holds(text: str, relation: str) -> Verdict:
    """The claim that a number spelled like this has this relation to 0."""
    return Inequality(parse(text, names=()).root, relation, {}).prove()


def sum_to_one_is_enough(text: str) -> Verdict:
    first, second = Fraction(3, 2), Fraction(-1, 2)
    return falls(
        text,
        example={"numbers": f"{first}, {second}"},
        reason=f"{first} and {second} sum to 1, but no outcome can have the probability {second}.",
        facts=[_holds(f"{first} + ({second}) - 1", "="), _holds(f"-({second})", ">")],
    )


def each_at_most_one(text: str) -> Verdict:
    number = Fraction(9, 10)
    return falls(
        text,
        example={"numbers": f"{number}, {number}"},
        reason=f"{number} and {number} both lie between 0 and 1, but together they are {2 * number}, and no distribution has "
        "more than 1 to give.",
        facts=[_holds(f"{number}", ">="), _holds(f"1 - {number}", ">="), _holds(f"2*{number} - 1", "!=")],
    )


def one_weight_is_one(text: str) -> Verdict:
    return falls(
        text,
        example=_WHERE,
        reason="key 3 has the largest score, 7, and the weight 0.9919, not 1; each other key has 0.0009, not 0.",
        facts=[certify(_KEYS, _QUERY, of=3, at_most="0.992"), certify(_KEYS, _QUERY, of=0, at_least="0.0009")],
    )


def scores_are_probabilities(text: str) -> Verdict:
    keys = np.eye(2)
    return falls(
        text,
        example={"keys": "(1, 0), (0, 1)", "q": "(7, -1)", "scores": "7, -1"},
        reason="a score is a dot product and may be any number: here the scores are 7 and -1, one of them negative, and their "
        "sum is 6. Two scores that are not negative and sum to 1 differ by at most 1 and give no weight above e/(e + 1) < 0.74, "
        "and here one weight is above 0.99.",
        facts=[certify(keys, np.array([7.0, -1.0]), of=0, at_least="0.99")],
    )


def large_key_takes_mass(text: str) -> Verdict:
    keys = np.eye(N)
    keys[0] *= 100.0
    return falls(
        text,
        example={"k_j": "100 u_0 beside the unit keys u_1 … u_9", "q": "10 u_1"},
        reason="k_j is a hundred times as long as every other key, and q is orthogonal to it: its dot product with q is 0 "
        "and its weight below 0.0001.",
        facts=[certify(keys, 10.0 * keys[1], of=0, at_most="0.0001")],
    )


def largest_score_suffices(text: str) -> Verdict:
    return falls(
        text,
        example={"keys": "10 orthonormal", "scores": "1/8 for k_j, 0 for the others"},
        reason="k_j has the largest score, 1/8 against 0, and a weight below 0.12, hardly more than the tenth it would have if "
        "all scores were equal.",
        facts=[certify(_KEYS, _KEYS[0] / 8, of=0, at_most="0.12")],
    )


def quotient_of_scores(text: str) -> Verdict:
    query = (99 * _KEYS[0] + np.ones(N)) / 1024
    return falls(
        text,
        example={"keys": "10 orthonormal", "scores": "100/1024 for k_j, 1/1024 for the others"},
        reason="the score of k_j is a hundred times every other, and its weight is below 0.11: multiplying all scores by "
        "a number changes the weights but not the quotients.",
        facts=[certify(_KEYS, query, of=0, at_most="0.11")],
    )


def orthogonal_to_every_key(text: str) -> Verdict:
    keys = np.eye(N, N + 1)
    return falls(
        text,
        example={"keys": "u_0 … u_9", "q": "7 u_10, orthogonal to all of them"},
        reason="all scores are then 0, so that all weights are equal: each of ten keys has the weight 1/10, k_j too.",
        facts=[certify(keys, 7.0 * np.eye(N + 1)[N], of=3, at_most="0.101")],
    )


def longest_key_necessary(text: str) -> Verdict:
    keys = np.eye(N)
    keys[1] *= 5.0
    return falls(
        text,
        example={"keys": "u_0, 5 u_1, u_2 … u_9", "q": "10 u_0"},
        reason="5 u_1 is the longest key, and the unit key u_0 has a weight above 0.99 under q = 10 u_0.",
        facts=[certify(keys, 10.0 * keys[0], of=0, at_least="0.99")],
    )


CHECKS = {
    "sum-to-one-is-enough": sum_to_one_is_enough,
    "one-weight-is-one": one_weight_is_one,
    "non-negative-and-sum-to-one": lambda text: said(text, shown("C.1.1a").ours),
    "each-at-most-one": each_at_most_one,
    "scores-are-probabilities": scores_are_probabilities,
    "quotients-of-exponentials": lambda text: said(text, shown("C.1.1a").ours),
    "large-key-takes-mass": large_key_takes_mass,
    "dot-product-large-relative": lambda text: said(text, shown("B.3a").ours),
    "largest-score-suffices": largest_score_suffices,
    "quotient-of-scores": quotient_of_scores,
    "lead-over-every-score": lambda text: said(text, shown("B.3a").ours),
    "orthogonal-to-every-key": orthogonal_to_every_key,
    "longest-key-necessary": longest_key_necessary,
}
