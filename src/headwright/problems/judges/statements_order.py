"""Statements about the order of tokens: A.2a (rows) and C.1.3 (columns).

Two tokens, x_1 = (1, 0) and x_2 = (0, 2), with Q = ln(2)·I and K = V = I have the scores 1, 0 and 0, 4 in units of ln 2, and so
the weights 2/3, 1/3 and 1/17, 16/17. What a false step would make of them after a swap is on the other side of a number.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from headwright.block import Block
from headwright.judging import certify
from headwright.position import equivariance
from headwright.problems.judges.statement_verdicts import falls, shown, stands
from headwright.verdict import Verdict

_PAIR = np.array([[1.0, 0.0], [0.0, 2.0]])
_SWAPPED = _PAIR[::-1]
_WHERE = {"tokens": "(1, 0), (0, 2), swapped", "maps": "Q = ln(2)·I, K = V = I"}


def _asks(
    tokens: np.ndarray, rows: int | list[int], of: Any, at_most: str | None = None, at_least: str | None = None
) -> Verdict:
    """A claim about what these rows, mixed equally, give of the tokens, or of one coordinate of their values."""
    return certify(tokens, math.log(2) * tokens[rows], of=of, at_most=at_most, at_least=at_least)


def conjugated_scores(text: str) -> Verdict:
    return stands(
        text,
        argument="order.md#step-by-step",
        scope="all n, X, linear maps, permutations and row-wise feed-forward networks, by algebra",
        reason="entry (i, j) of the new scores is entry (π(i), π(j)) of the old ones; exponentials go entry by entry, and "
        "a row's sum is the same sum in another order, so weights move like scores. Row i of the new output is then Σ_j "
        "α_π(i)π(j) v_π(j), the sum over all tokens that is row π(i) of the old one.",
        facts=[shown("A.2a").ours],
    )


def conjugated_columns(text: str) -> Verdict:
    return stands(
        text,
        argument="order.md#step-by-step",
        scope="all n, X, linear maps and permutations, by algebra",
        reason="Πᵀ S Π permutes rows and columns of the scores alike; the softmax of a column divides by the same sum in "
        "another order; and ΠΠᵀ = I cancels between values and weights.",
        facts=[shown("C.1.3").ours],
    )


def scores_stay(text: str) -> Verdict:
    return falls(
        text,
        example=_WHERE,
        reason="the step that the scores stay is false: x_1·x_1 = 1 and x_2·x_2 = 4 trade places when the two tokens do. With "
        "the same scores the weights would be the same, but entry (1, 1) of the weights is 2/3 before and 16/17 after.",
        facts=[_asks(_PAIR, 0, 0, at_most="0.7"), _asks(_SWAPPED, 0, 0, at_least="0.9")],
    )


def rows_alone(text: str) -> Verdict:
    return falls(
        text,
        example=_WHERE,
        reason="the step about the weights is false: not the queries alone are permuted but the keys too. With two tokens "
        "swapped, row 1 of the weights is 16/17, 1/17, where the statement has 1/17, 16/17.",
        facts=[_asks(_PAIR, 1, 0, at_most="0.1"), _asks(_SWAPPED, 0, 0, at_least="0.9")],
    )


def columns_alone(text: str) -> Verdict:
    return falls(
        text,
        example=_WHERE,
        reason="the step about the scores is false: the keys are permuted as well as the queries. Swapping two tokens moves "
        "x_1·x_1 = 1 from the upper left to the lower right, where swapping columns alone would move it to the upper "
        "right. Entry (1, 1) of the weights would be 1/3, and it is 16/17.",
        facts=[_asks(_PAIR, 0, 1, at_most="0.34"), _asks(_SWAPPED, 0, 0, at_least="0.9")],
    )


def nothing_changes(text: str) -> Verdict:
    return falls(
        text,
        example=_WHERE,
        reason="each token's own query decides its output, so the outputs move with the tokens: with the two tokens swapped the "
        "first output is 1/17·(1, 0) + 16/17·(0, 2), before it was 2/3·(1, 0) + 1/3·(0, 2).",
        facts=[_asks(_PAIR, 0, _PAIR[:, 0], at_least="0.6"), _asks(_SWAPPED, 0, _SWAPPED[:, 0], at_most="0.1")],
    )


def any_feed_forward(text: str) -> Verdict:
    return falls(
        text,
        example={**_WHERE, "network": "adds to each row the rows above it"},
        reason="a network that adds to each row the rows above it is a counterexample: after swapping two tokens the first row "
        "of Z' is the output of x_2 alone, whose first coordinate is 1/17, while the second row of Z was the sum of both "
        "outputs, whose first coordinate is 2/3 + 1/17.",
        facts=[_asks(_SWAPPED, 0, _SWAPPED[:, 0], at_most="0.1"), _asks(_PAIR, [0, 1], _PAIR[:, 0], at_least="0.3")],
    )


def positions_too(text: str) -> Verdict:
    coded = Block(np.eye(2), np.eye(2), np.eye(2), np.eye(2), residual=False, positions=np.array([[0, 0], [1, 0]]))
    return falls(
        text,
        example={"tokens": "(1, 0), (0, 2), swapped", "maps": "Q = K = V = I", "codes": "(0, 0), (1, 0)"},
        reason="position codes stay where they are when the tokens move: with 0 and 1 added to the first coordinates, swapping "
        "the two tokens changes the numbers in the outputs, not only their places.",
        points=[equivariance(coded, _PAIR)],
    )


def causal_too(text: str) -> Verdict:
    masked = Block(np.eye(2), np.eye(2), np.eye(2), np.eye(2), residual=False, causal=True)
    return falls(
        text,
        example={"tokens": "(1, 0), (0, 2), swapped", "maps": "Q = K = V = I"},
        reason="a causal mask stays where it is when the tokens move: the first token sees itself alone, so x_2 comes out "
        "unchanged when it stands first, but mixed with x_1 when it stands second.",
        points=[equivariance(masked, _PAIR)],
    )


def scores_unchanged(text: str) -> Verdict:
    return falls(
        text,
        example=_WHERE,
        reason="the step S(XΠ) = S(X) is false: x_1·x_1 = 1 and x_2·x_2 = 4 trade places when the two tokens do, and entry "
        "(1, 1) of the weights is 2/3 before and 16/17 after. The conclusion is true, but it does not follow from an unchanged "
        "score matrix, whose softmax would have no reason to become Softmax(S)Π.",
        facts=[_asks(_PAIR, 0, 0, at_most="0.7"), _asks(_SWAPPED, 0, 0, at_least="0.9")],
    )


CHECKS = {
    "scores-stay": scores_stay,
    "any-feed-forward": any_feed_forward,
    "rows-alone": rows_alone,
    "conjugated-scores": conjugated_scores,
    "nothing-changes": nothing_changes,
    "index-by-index": conjugated_scores,
    "positions-too": positions_too,
    "columns-alone": columns_alone,
    "conjugated-columns": conjugated_columns,
    "scores-unchanged": scores_unchanged,
    "causal-too": causal_too,
}
