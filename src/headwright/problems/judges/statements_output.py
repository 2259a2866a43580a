"""Statements about the output: what it is when one weight dominates, what that means, and the three tokens (B.3e-i, C.1.1, D.a).

Ten orthonormal keys serve as the place where false ones fail: under q = 7 k_3 key 3 has the weight e⁷/(e⁷ + 9) = 0.9919.
"""

from __future__ import annotations

import numpy as np

from headwright.constructions import design
from headwright.goals import Copy
from headwright.judging import certify
from headwright.problems.judges.statement_verdicts import falls, of_published, said, shown, stands
from headwright.problems.showing import N
from headwright.problems.token_example import C, D, tokens
from headwright.refusals import Unreachable
from headwright.verdict import Verdict

_KEYS = np.eye(N)
_QUERY = 7.0 * _KEYS[3]
_WHERE = {"keys": "10 orthonormal, u_0 … u_9", "q": "7 u_3"}


def that_value_and_a_mean(text: str) -> Verdict:
    return stands(
        text,
        argument="weights.md#the-output-when-one-weight-dominates",
        scope="all n >= 2, values, keys and queries, by splitting the sum",
        reason="c = Σ α_i v_i; the terms with i ≠ j are 1 - α_j times Σ α_i v_i/(1 - α_j), whose factors α_i/(1 - α_j) are "
        "positive and sum to 1. So c is off from v_j by at most 1 - α_j times the diameter of the values.",
        facts=[shown("C.1.1c").ours],
    )


def exactly_that_value(text: str) -> Verdict:
    return falls(
        text,
        example={**_WHERE, "values": "v_3 = 1, all others 0"},
        reason="key 3 has the weight 0.9919, at least 0.99, and the output is 0.9919, not 1.",
        facts=[certify(_KEYS, _QUERY, of=3, at_least="0.99"), certify(_KEYS, _QUERY, of=3, at_most="0.992")],
    )


def mean_of_all_values(text: str) -> Verdict:
    return falls(
        text,
        example={**_WHERE, "values": "v_3 = 1, all others 0"},
        reason="the mean of all values is 0.1, and the output is at least 0.99.",
        facts=[certify(_KEYS, _QUERY, of=3, at_least="0.99")],
    )


def nearly_that_key(text: str) -> Verdict:
    return falls(
        text,
        example={**_WHERE, "values": "v_i = -u_i"},
        reason="the output has the coordinate -0.9919 along u_3, where the key has 1: keys decide the weights, and what comes "
        "out is made of values.",
        facts=[certify(_KEYS, _QUERY, of=-_KEYS[3], at_most="-0.99")],
    )


def whatever_the_values(text: str) -> Verdict:
    return falls(
        text,
        example={**_WHERE, "values": "v_0 = 1000000, all others 0"},
        reason="key 3 has more than 0.99 of the weight, but key 0 keeps 0.0009 and its value is 1000000: the output is "
        "above 900, where v_3 = 0.",
        facts=[
            certify(_KEYS, _QUERY, of=3, at_least="0.99"),
            certify(_KEYS, _QUERY, of=1e6 * _KEYS[0], at_least="900"),
        ],
        condition="all values lie within 1 of each other",
    )


def hard_choice(text: str) -> Verdict:
    return falls(
        text,
        example=_WHERE,
        reason="key 3 has more than 0.99 of the weight, and every other key keeps at least 0.0009: exp is never 0.",
        facts=[certify(_KEYS, _QUERY, of=3, at_least="0.99"), certify(_KEYS, _QUERY, of=0, at_least="0.0009")],
    )


def aligned_query_dominates(text: str) -> Verdict:
    return falls(
        text,
        example={"keys": "10 orthonormal", "q": "k_0"},
        reason="q = k_0 is aligned with k_0 exactly, and the weight of k_0 is below 0.24: e/(e + 9) = 0.232. The angle is the "
        "same for q and for 100 q, the weights are not.",
        facts=[certify(_KEYS, _KEYS[0], of=0, at_most="0.24")],
    )


def nearest_key_wins(text: str) -> Verdict:
    keys = np.eye(N)
    keys[1] = 20.0 * keys[0]
    return falls(
        text,
        example={"keys": "u_0, 20 u_0, u_2 … u_9", "q": "u_0"},
        reason="the key u_0 lies at distance 0 from q, and its weight is below 0.0001: the key 20 u_0, at distance 19, "
        "takes it.",
        facts=[certify(keys, keys[0], of=0, at_most="0.0001"), certify(keys, keys[0], of=1, at_least="0.99")],
    )


def looks_one_entry_up(text: str) -> Verdict:
    return stands(
        text,
        argument="weights.md#the-output-when-one-weight-dominates",
        scope="all n >= 2, values, keys and queries",
        reason="a lead of ln((n-1)/odds(error)) over every other score gives α_j >= 1 - error, and c - v_j = Σ α_i (v_i - "
        "v_j) is then at most the error times the diameter of the values.",
        facts=[shown("B.3a").ours, shown("D.a-iv").ours],
    )


def only_averages(text: str) -> Verdict:
    return falls(
        text,
        example=_WHERE,
        reason="key 3 has a weight above 0.99: its value comes through almost alone.",
        facts=[certify(_KEYS, _QUERY, of=3, at_least="0.99")],
    )


def any_key_of_any_set(text: str) -> Verdict:
    try:
        design(np.array([[-1.0], [0.0], [1.0]]), Copy(1), error="0.6")
        found: list[Verdict] = []
    except Unreachable as refusal:
        found = [refusal.verdict]
    return falls(
        text,
        example={"keys": "-1, 0, 1 on a line", "k_j": "0"},
        reason="the score of the key 0 is the mean of the other two scores, so one of them is at least as large whatever "
        "q: its weight 1/(1 + e^q + e^-q) never exceeds 1/3.",
        facts=found,
    )


def mean_of_three_tokens(text: str) -> Verdict:
    x = tokens(2.5)
    return falls(
        text,
        example={"β": "2.5"},
        reason="x_2 is orthogonal to the other two tokens but not to itself: at β = 2.5 its own weight is above 0.99, not 1/3.",
        facts=[certify(x, x[1], of=1, at_least="0.99")],
    )


def adding_u_d_works(text: str) -> Verdict:
    x, y = tokens(2.5, (D,)), tokens(2.5, (C,))
    return falls(
        text,
        example={"β": "2.5", "x_2": "u_a + u_d"},
        reason="adding u_d raises the score of x_1 to β², but that of x_2 itself to 2β²: at β = 2.5 x_1 has a weight "
        "below 0.01 and x_2 one above 0.99.",
        facts=[certify(x, x[1], of=0, at_most="0.01"), certify(y, y[1], of=1, at_least="0.99")],
    )


def small_norm_works(text: str) -> Verdict:
    x = tokens(0.125)
    return falls(
        text,
        example={"β": "1/8"},
        reason="at β = 1/8 the three weights are about equal, so x_2 = u_a keeps at least a third: c_2 has a part of "
        "length β/3 along u_a, where u_b has none, and β/3 is more than β/4.",
        facts=[certify(x, x[1], of=1, at_least="1/3")],
    )


def weight_with_beta(text: str) -> Verdict:
    x, keys = tokens(2.5), np.eye(3)
    return falls(
        text,
        example={"β": "2.5", "stated weight": "e^2.5/(e^2.5 + 2) = 0.859", "true weight": "above 0.99"},
        reason="u_a has the norm β, so that its dot product with itself is not β: at β = 2.5 the stated weight is 0.859, "
        "the true one above 0.99.",
        facts=[certify(x, x[1], of=1, at_least="0.99"), certify(keys, 2.5 * keys[0], of=0, at_most="0.87")],
    )


CHECKS = {
    "exactly-that-value": exactly_that_value,
    "mean-of-all-values": mean_of_all_values,
    "nearly-that-value": lambda text: said(text, shown("C.1.1c").ours),
    "nearly-that-key": nearly_that_key,
    "whatever-the-values": whatever_the_values,
    "that-value-and-a-mean": that_value_and_a_mean,
    "hard-choice": hard_choice,
    "aligned-query-dominates": aligned_query_dominates,
    "nearest-key-wins": nearest_key_wins,
    "looks-one-entry-up": looks_one_entry_up,
    "only-averages": only_averages,
    "any-key-of-any-set": any_key_of_any_set,
    "mean-of-three-tokens": mean_of_three_tokens,
    "adding-u-d-works": adding_u_d_works,
    "follows-x-2": lambda text: said(text, of_published("B.3e-i")),
    "small-norm-works": small_norm_works,
    "keeps-a-third": lambda text: said(text, shown("B.3e-i").ours),
    "weight-with-beta": weight_with_beta,
}
