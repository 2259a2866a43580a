"""Order: attention sees a set of tokens, and permuting them permutes what comes out (A.2a, C.1.3).

Rows are tokens and P is a permutation matrix: the scores of PX are PAPᵀ, softmax(PAPᵀ) = P softmax(A) Pᵀ because a sum does not
change with the order of its terms, and PᵀP = I. With tokens as columns the same reads S(XΠ) = ΠᵀS(X)Π: rows and columns of the
score matrix are permuted, where sheet C says that it stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from headwright import balls
from headwright.attention import attend
from headwright.block import Block
from headwright.judging import certify
from headwright.position import equivariance
from headwright.problems.problem import Problem
from headwright.problems.showing import Showing, argued, refuted_by
from headwright.verdict import Refuted, Verdict

_TOKENS = np.array([[1, 0], [0, 2], [1, 1]])  # three tokens of width two, as rows
_SWAP = (1, 0, 2)
_CYCLE = (1, 2, 0)  # with the swap it generates every permutation of three
_MAPS = {
    "query": np.array([[1, 2], [0, 1]]),
    "key": np.array([[1, 0], [-1, 1]]),
    "value": np.array([[2, 1], [1, 0]]),
}


def _block(**more: Any) -> Block:
    """One head, then a feed-forward map with three hidden units, in small integers."""
    inner, outer = np.array([[1, -1], [0, 2], [1, 1]]), np.array([[1, 0, -1], [2, 1, 0]])
    query, key, value = _MAPS.values()
    return Block(query, key, value, np.eye(2), inner=inner, outer=outer, residual=False, **more)


def _fuller() -> Block:
    """Two heads with biases, residuals and norms."""
    query, key, value = (np.stack([each, each.T + 1]) for each in _MAPS.values())
    output, bias = np.stack([np.eye(2), np.eye(2)[::-1]]), np.array([[1, 0], [0, -1]])
    return Block(query, key, value, output, query_bias=bias, norm_scale=np.ones((2, 2)), norm_shift=np.zeros((2, 2)))


def a_2a(problem: Problem) -> Showing:
    ordered = (_block(positions=np.array([[0, 0], [1, 0], [0, 1]])), _block(causal=True))
    proofs = [equivariance(block, _TOKENS) for block in (_block(), _fuller())]
    ours = argued(
        "Z(PX) = P Z(X): what attention and a row-wise feed-forward make of permuted tokens is what they make of the tokens, "
        "permuted alike",
        argument="order.md#a-block-sees-a-set",
        scope="all numbers of tokens, widths, heads, maps, biases and inputs, without positions and masks, by algebra",
        reason="the row of a token is a function of the token and of the set of all tokens: it sums exp(score)·value and "
        "exp(score) over the tokens, and sums do not know an order. Residuals, norms and feed-forward act on each row by itself. "
        "It ends where the order is put in: with a position table, and with a causal mask, the same block is refuted.",
        inequalities=[isinstance(equivariance(block, _TOKENS), Refuted) for block in ordered],
        instances=proofs,
    )
    theirs = argued(
        "the linear maps commute with P, A' = PAPᵀ, softmax(PAPᵀ) = P softmax(A) Pᵀ, and Z' = PZ",
        argument="order.md#step-by-step",
        scope="all numbers of tokens, maps, inputs and permutations, by algebra, step by step",
        reason="(PX)W = P(XW); A' = (PQ)(PK)ᵀ = P(QKᵀ)Pᵀ; entry (i, j) of softmax(PAPᵀ) divides exp(A_π(i)π(j)) by the sum of "
        "its row, which is row π(i) of A in another order; then O' = P softmax(A) PᵀPV = PO, as PᵀP = I, and the "
        "feed-forward acts on each row by itself.",
        inequalities=[*_linear_steps(), *_softmax_identity()],
        instances=proofs,
    )
    block = _block()
    turned = block.attention(_TOKENS[list(_CYCLE)])[0][_CYCLE.index(0)]
    return Showing(
        problem,
        "three tokens of width two through attention and feed-forward in exact polynomials, every exponential a free variable, "
        "under the swap of two tokens and the cycle of three, which generate all permutations; proved for two blocks and all "
        "inputs of that shape",
        ours,
        theirs,
        block.attention(_TOKENS)[0][0],
        None,
        "weights of token 0",
        (("weights of the same token after the cycle, in place 2", turned),),
    )


def _permuted(matrix: np.ndarray, order: Sequence[int]) -> np.ndarray:
    """P M Pᵀ, row and column i being those of `order`[i]."""
    return matrix[np.ix_(order, order)]


def _linear_steps() -> list[bool]:
    """(PX)W = P(XW) and A' = PAPᵀ in integers, for both generators."""
    found = []
    for order in (_SWAP, _CYCLE):
        p = np.eye(3, dtype=int)[list(order)]
        for w in _MAPS.values():
            found.append(bool((p @ _TOKENS @ w.T == p @ (_TOKENS @ w.T)).all()))
        moved, before = _scores(p @ _TOKENS), _scores(_TOKENS)
        found += [bool((moved == p @ before @ p.T).all()), bool((moved == _permuted(before, order)).all())]
    return found


def _scores(tokens: np.ndarray) -> np.ndarray:
    """QKᵀ (n, n) in integers, row by row the scores of one token."""
    scores: np.ndarray = (tokens @ _MAPS["query"].T) @ (tokens @ _MAPS["key"].T).T
    return scores


def _softmax_identity() -> list[bool]:
    """softmax(PAPᵀ) = P softmax(A) Pᵀ for 3 × 3 scores, their exponentials being nine free variables, entry by entry."""
    free = balls.free_variables(9)
    rows = [free[3 * i : 3 * i + 3] for i in range(3)]
    found = []
    for order in (_SWAP, _CYCLE):
        moved = [[rows[a][b] for b in order] for a in order]  # exponentials of PAPᵀ
        for i, row in enumerate(moved):
            own = rows[order[i]]
            found += [row[j] * sum(own) == own[order[j]] * sum(row) for j in range(3)]  # cross-multiplied, sums > 0
    return found


def c_1_3(problem: Problem) -> Showing:
    """Tokens are columns here: X is the transpose of `_TOKENS`, and Q = K = V = I for numbers that one can check by hand."""
    x = _TOKENS.T
    p = np.eye(3, dtype=int)[:, list(_SWAP)]  # XΠ has the columns of X in this order
    before, after = x.T @ x, (x @ p).T @ (x @ p)
    plain = Block(np.eye(2), np.eye(2), np.eye(2), np.eye(2), residual=False)
    conclusion = [equivariance(plain, _TOKENS), equivariance(replace(_block(), inner=None, outer=None), _TOKENS)]
    ours = argued(
        "attention(XΠ) = attention(X)Π, by S(XΠ) = ΠᵀS(X)Π and Softmax(ΠᵀSΠ) = ΠᵀSoftmax(S)Π",
        argument="order.md#step-by-step",
        scope="all numbers of tokens, maps, inputs and permutations, by algebra",
        reason="Q(XΠ) = Q(X)Π, and likewise for K and V; the scores of XΠ are ΠᵀSΠ; each row of the softmax divides by the sum "
        "of the same terms in another order; and V(X)Π·(ΠᵀSoftmax(S)Π)ᵀ = V(X)·Softmax(S)ᵀΠ, as ΠΠᵀ = I.",
        inequalities=[*_linear_steps(), *_softmax_identity()],
        instances=conclusion,
    )
    return Showing(
        problem,
        f"both sides of the score matrix are permuted, S(XΠ) = ΠᵀS(X)Π: for X = {x.tolist()}, Q = K = I and Π swapping tokens 0 "
        f"and 1, entry (0, 0) is {before[0, 0]} for X and {after[0, 0]} for XΠ, where it was entry (1, 1)",
        ours,
        _published(x, p, conclusion),
        attend(x.T, x.T).weights[0],
        None,
        "weights of token 0",
        (("weights of the same token after the swap, in place 1", attend((x @ p).T, (x @ p).T).weights[1]),),
    )


def _published(x: np.ndarray, p: np.ndarray, conclusion: list[Verdict]) -> Verdict:
    """Sheet C's chain of steps at this X and Π: the false ones named and shown failing, the conclusion proved."""
    before, after = x.T @ x, (x @ p).T @ (x @ p)
    changed = [(row, column) for row in range(3) for column in range(3) if before[row, column] != after[row, column]]
    kept = float(attend(x.T, x.T).weights[0, 0]) * (1 + 1e-12)  # what place 0 gives itself before
    return refuted_by(
        "the score matrix does not change, S(XΠ) = S(X), and the softmax gives Softmax(S)Π; hence attention(XΠ) = attention(X)Π",
        [certify(x.T, x.T[0], of=0, at_most=kept)],
        points=[certify((x @ p).T, (x @ p).T[0], of=0, at_most=kept)],
        example={
            "false step": "“S(XΠ) = S(X)”",
            "X": str(x.tolist()),
            "Π": "swaps tokens 0 and 1",
            "Q, K": "I",
            "S(X)": str(before.tolist()),
            "S(XΠ)": str(after.tolist()),
            **{f"entry {place}": f"{before[place]} for X, {after[place]} for XΠ" for place in changed[:1]},
        },
        reason="the conclusion is true, but two steps on the way are false. S(XΠ) = (QXΠ)ᵀ(KXΠ) = ΠᵀS(X)Π: rows and columns of "
        "the score matrix are permuted; and its softmax is ΠᵀSoftmax(S)Π, not Softmax(S)Π. With weights as rows the output is "
        "V(X)·Softmax(S)ᵀ, so that V(X)Π·ΠᵀSoftmax(S)ᵀΠ = attention(X)Π, as ΠΠᵀ = I: the permuted score matrix undoes the "
        "permutation of the values. With S unchanged, nothing would undo it.",
        condition="Π leaves S(X) and Softmax(S) as they are, as Π = I does, or any Π where all tokens are equal; the conclusion "
        "attention(XΠ) = attention(X)Π holds always",
        also=[
            bool(changed),
            bool((after == p.T @ before @ p).all()),
            *_linear_steps(),
            *_softmax_identity(),
        ],
        instances=[*conclusion, *_later_steps_fail(x, p)],
    )


def _later_steps_fail(x: np.ndarray, p: np.ndarray) -> list[Verdict]:
    """Proved, each by a number that lies between two sides: Softmax(S(XΠ)) is not Softmax(S)Π, and V(X)Π·Softmax(S)ᵀ, the output
    that unchanged scores would give, is not attention(X)Π. Both are looked at in place 0."""
    weights, moved = attend(x.T, x.T).weights, x @ p
    asked = int(np.argmax(p[:, 0]))  # the token that Π brings to place 0
    half = float(weights[0, asked] + weights[asked, asked]) / 2
    middle = float(weights[0] @ moved[1] + weights[asked] @ x[1]) / 2
    return [
        certify(x.T, x.T[0], of=asked, at_most=half),  # entry (0, 0) of Softmax(S)Π
        certify(moved.T, moved.T[0], of=0, at_least=half),  # entry (0, 0) of Softmax(S(XΠ))
        certify(x.T, x.T[0], of=moved[1], at_most=middle),  # coordinate 1 of the output with unchanged scores
        certify(moved.T, moved.T[0], of=moved[1], at_least=middle),  # and of the true one
    ]


RUNS = {"A.2a": a_2a, "C.1.3": c_1_3}
