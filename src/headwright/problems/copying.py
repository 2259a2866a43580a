"""Copying: one key takes almost all the attention (A.1a, B.3a, C.1.1, D.a, E.1a, E.1b)."""

from __future__ import annotations

import math

import numpy as np

from headwright.attention import attend
from headwright.constructions import design
from headwright.goals import Copy
from headwright.judging import certify
from headwright.problems.problem import Problem
from headwright.problems.showing import COUNTEREXAMPLE, ERROR, ODDS, N, Showing, argued, checked, refuted_by
from headwright.proofs import LEADS

_LEAD = math.log((N - 1) / ODDS)
_WHEN_IT_HOLDS = (
    "k_j·q exceeds every other k_i·q by at least ln((n-1)/odds(error)): "
    f"by {_LEAD:.4g} for n = {N} and error {float(ERROR)}"
)


def separated(n: int) -> np.ndarray:
    """Unit keys (n, n) at distance 1 from key 0, the closest that A.1a allows: k_0·k_j = 1/2."""
    keys = math.sqrt(3) / 2 * np.eye(n)
    keys[:, 0] = 0.5
    keys[0] = np.eye(n)[0]
    return keys


def a_1a(problem: Problem) -> Showing:
    keys, goal, epsilon = separated(N), Copy(0), ODDS
    found = design(keys, goal, error=ERROR, method="closed-form")
    family = checked(
        problem,
        problem.published_answer,
        "k_1·k_i <= 1/2, so every other score trails by at least ln(n/ε) and the others weigh at most (n-1)·ε/n against key "
        "1; (n-1)·ε <= n·ε. The length is 2 ln(n/ε) itself.",
    )
    return Showing(
        problem,
        f"q = t k_1 with t = (2/r²) ln((n-1)/odds), r the distance to the nearest key; here n = {N}, r = 1, "
        f"error {float(ERROR)}: length {found.norm:.4g}, where the sheet allows {2 * math.log(N / epsilon):.4g}",
        certify(keys, found),
        family,
        found.weights,
        goal,
    )


def dominance(problem: Problem) -> Showing:
    """When one weight dominates: B.3a, D.a-ii, E.1b."""
    keys, goal = np.eye(N), Copy(3)
    found = design(keys, goal, error=ERROR, method="closed-form")
    verdict = LEADS.prove()
    ours = verdict.explained(
        "write x_j = exp(k_j·q - k_i·q): α_i = 1/(1 + Σ x_j) >= 1 - error if and only if Σ x_j <= odds(error). "
        "If every x_j <= odds/(n-1) the sum is at most odds; if one x_j > odds the sum is larger."
    )
    theirs = None
    if problem.published is not None:
        theirs = verdict.explained(
            "what counts is the difference of the dot products, not their quotient: a lead of "
            f"{_LEAD:.4g} is enough for n = {N} and error {float(ERROR)}."
        )
    needed = math.log(1 / ODDS)
    text = (
        f"necessary: a lead of ln(1/odds) = {needed:.4g} over every other score; enough: ln((n-1)/odds) = {_LEAD:.4g} "
        f"(n = {N}, error {float(ERROR)})"
    )
    return Showing(problem, text, ours, theirs, found.weights, goal)


def distribution(problem: Problem) -> Showing:
    """Why weights are a categorical distribution: C.1.1a, D.a-i, E.1a."""
    rng = np.random.default_rng(20)
    keys, query = rng.standard_normal((N, 4)), rng.standard_normal(4)
    verdict = argued(
        "every attention weight is positive and the weights sum to 1",
        argument="weights.md#weights-are-a-distribution",
        scope="all n, d, keys and queries, by exp > 0",
        reason="α_j = x_j / Σ x with x_j = exp(score_j) > 0: each quotient is positive, and they sum to Σ x / Σ x = 1.",
        inequalities=[],
        instances=[
            certify(keys, query, of=np.ones(N), at_most=1),
            certify(keys, query, of=np.ones(N), at_least=1),
            *(certify(keys, query, of=j, at_least=0) for j in range(N)),
        ],
    )
    text = "softmax divides positive numbers by their sum; shown on ten random keys in four dimensions"
    theirs = verdict if problem.published is not None else None
    return Showing(problem, text, verdict, theirs, attend(query, keys).weights, caption="weights of a random query")


def output(problem: Problem) -> Showing:
    """What the output then is, and what it means: C.1.1c, D.a-iii, D.a-iv."""
    keys, goal = np.eye(N), Copy(3)
    found = design(keys, goal, error=ERROR, method="closed-form")
    values = np.linspace(-1.0, 1.0, N)  # diameter 2
    verdict = argued(
        "the output is within error × diameter of v_j when α_j >= 1 - error: c ≈ v_j",
        argument="weights.md#the-output-when-one-weight-dominates",
        scope="all n, values, keys and queries, by the triangle inequality",
        reason="c - v_j = Σ α_i (v_i - v_j) over i ≠ j, and those α_i sum to at most the error. "
        "The head looks up one entry: whatever the other values are, they hardly matter.",
        inequalities=[],
        instances=[
            certify(keys, found, of=values, at_most=values[3] + 2 * float(ERROR)),
            certify(keys, found, of=values, at_least=values[3] - 2 * float(ERROR)),
        ],
    )
    theirs = verdict if problem.published is not None else None
    text = f"copy key 3 of {N}: scalar values from -1 to 1 come out within 0.02 of v_3"
    if problem.id == "D.a-iv":
        text = f"attention then looks one entry up and copies its value; here key 3 of {N}, to within 0.02"
    return Showing(problem, text, verdict, theirs, found.weights, goal)


def large_key(problem: Problem) -> Showing:
    """C.1.1b: is a large key enough?"""
    keys, goal = np.eye(N), Copy(0)
    found = design(keys, goal, error=ERROR, method="closed-form")
    large = np.eye(N)
    large[0] *= 100.0
    query = 10.0 * large[1]
    theirs = refuted_by(
        "when k_j is large compared with the other keys, its dot product with the query is large and takes the mass",
        [],
        points=[certify(large, query, goal, error=ERROR)],
        example={
            "k_j": "100 u_0 beside unit keys u_1 … u_9",
            "q": "10 u_1",
            "α_j": f"{attend(query, large).weights[0]:.3g}",
        },
        reason="a long key that the query does not point along scores 0 and loses, and one it points away from scores below "
        "all others. Length alone decides nothing; the dot product with the query does.",
        condition=_WHEN_IT_HOLDS,
        instances=[LEADS.prove()],
    )
    text = f"not the key's length but its lead in dot product decides: {_WHEN_IT_HOLDS}"
    return Showing(problem, text, certify(keys, found), theirs, attend(query, large).weights, goal, COUNTEREXAMPLE)


def aligned_query(problem: Problem) -> Showing:
    """C.1.1d: is a query aligned with a key enough?"""
    keys, goal = np.eye(N), Copy(0)
    found = design(keys, goal, error=ERROR, method="closed-form")
    theirs = refuted_by(
        "when the query is closely aligned with a key k_j, the output is dominated by v_j",
        [],
        points=[certify(keys, keys[0], goal, error=ERROR)],
        example={
            "keys": "10 orthonormal",
            "q": "k_0, aligned exactly",
            "α_0": f"{attend(keys[0], keys).weights[0]:.4g}",
        },
        reason="softmax sees dot products, not angles: a short query aligned with k_0 leaves the weights nearly even, and a key "
        "2k_0 beats k_0 under every query aligned with both.",
        condition=_WHEN_IT_HOLDS,
        instances=[LEADS.prove()],
    )
    text = f"aligned and long enough: q = t k_0 with t = ln((n-1)/odds) = {found.norm:.4g}, where q = k_0 falls short"
    weights = attend(keys[0], keys).weights
    return Showing(problem, text, certify(keys, found), theirs, weights, goal, COUNTEREXAMPLE)


RUNS = {
    "B.3a": dominance,
    "C.1.1a": distribution,
    "C.1.1b": large_key,
    "C.1.1c": output,
    "C.1.1d": aligned_query,
    "D.a-i": distribution,
    "D.a-ii": dominance,
    "D.a-iii": output,
    "D.a-iv": output,
    "E.1a": distribution,
    "E.1b": dominance,
}
