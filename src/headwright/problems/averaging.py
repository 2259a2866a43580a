"""Averaging: two keys (or any subset) share the attention (A.1b, B.3b, C.1.2a, D.b-ii, E.1c)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from headwright import balls
from headwright.constructions import design
from headwright.goals import Average
from headwright.judging import certify
from headwright.problems.problem import Problem
from headwright.problems.showing import ERROR, ODDS, N, Showing, for_all
from headwright.verdict import Verdict

_THRESHOLD = (N - 2) / (2 * ODDS)  # T >= (n-2)/(2 odds) for two targets


def a_1b(problem: Problem) -> Showing:
    keys, goal, epsilon = np.eye(N), Average(0, 1), 2 * ODDS
    found = design(keys, goal, error=ERROR, method="closed-form")
    query = math.log(N / epsilon) * (keys[0] + keys[1])
    family = for_all(
        "q = ln(n/ε)(k_1 + k_2) is no longer than 2√2 ln(n/ε) and has α_1, α_2 >= 1/(2+ε)",
        scope="all n >= 2, ε in (0, 1), and orthonormal keys, by reduction to one inequality",
        reason="the two targets score ln(n/ε), the others 0, so α_1 = α_2 = 1/(2 + (n-2)·ε/n), and (n-2)·ε <= n·ε. "
        "The length is √2 ln(n/ε).",
        inequalities=[balls.nonnegative(lambda n, e: n * e - (n - 2) * e, n=2, e=0)],
        instances=[certify(keys, query, of=i, at_least=1 / (2 + epsilon)) for i in (0, 1)],
    )
    return Showing(
        problem,
        f"q = t(k_1 + k_2) with t = ln((n-2)/(2·odds)); here n = {N}, error {float(ERROR)}: length {found.norm:.4g}, "
        f"where the sheet allows {2 * math.sqrt(2) * math.log(N / epsilon):.4g}",
        certify(keys, found),
        family,
        found.weights,
        goal,
    )


def large_factor(problem: Problem) -> Showing:
    """q = ln(T)(k_a + k_b), or β(k_a + k_b) with T = e^β: B.3b, C.1.2a, D.b-ii."""
    keys, goal = np.eye(N), Average(0, 1)
    found = design(keys, goal, error=ERROR, method="closed-form")
    factor, score = ("e^β", "β") if problem.id.startswith("C") else ("T", "ln T")

    def spare(n: Any, p: Any, y: Any) -> Any:
        """leak <= error in the form (n-2)(1 + p) <= 2T + n-2, p = 1/odds, at T = (n-2)·p/2 + y."""
        return (2 * ((n - 2) * p / 2 + y) + (n - 2)) - (n - 2) * (1 + p)

    family = for_all(
        f"q = {score}·(k_a + k_b) gives α_a = α_b = {factor}/(2{factor} + n - 2), and c ≈ (v_a + v_b)/2 for large {factor}",
        scope=f"all n >= 2, orthonormal keys and errors in (0, 1), from {factor} >= (n-2)/(2·odds(error)) on",
        reason=f"the two targets score {score}, the others 0, which is the stated formula; the total variation from "
        f"one half each is (n-2)/(2{factor} + n - 2), at most the error from the threshold on: {float(_THRESHOLD):.4g} "
        f"for n = {N} and error {float(ERROR)}.",
        inequalities=[balls.nonnegative(spare, n=2, p=0, y=0)],
        instances=[certify(keys, found), *_formula_instances(keys), *_any_subset()],
    )
    theirs = family if problem.published is not None else None
    text = (
        f"q = t(k_a + k_b), t = ln((n-2)/(2·odds)) = {found.norm / math.sqrt(2):.4g} for n = {N}, error {float(ERROR)}; "
        "any subset S likewise with q = t Σ k_j, t = ln((n-m)/(m·odds))"
    )
    return Showing(problem, text, family if theirs is None else certify(keys, found), theirs, found.weights, goal)


def _formula_instances(keys: np.ndarray) -> list[Verdict]:
    """At scores ln 1024 (rounded) the weights agree with T/(2T + n - 2), to a part in 10^12."""
    query = math.log(1024.0) * (keys[0] + keys[1])
    stated = 1024 / (2 * 1024 + N - 2)
    return [
        certify(keys, query, of=0, at_least=stated * (1 - 1e-12)),
        certify(keys, query, of=0, at_most=stated * (1 + 1e-12)),
        certify(keys, query, of=5, at_least=stated / 1024 * (1 - 1e-12)),
        certify(keys, query, of=5, at_most=stated / 1024 * (1 + 1e-12)),
    ]


def _any_subset() -> list[Verdict]:
    keys = np.eye(N)
    subsets = (Average(4), Average(1, 3, 8), Average(0, 2, 4, 5, 6, 7), Average(*range(N)))
    return [certify(keys, design(keys, goal, error=ERROR, method="closed-form")) for goal in subsets]


def exact_average(problem: Problem) -> Showing:
    """E.1c asks for equality, which softmax cannot give beyond two keys."""
    keys, goal = np.eye(N), Average(0, 1)
    found = design(keys, goal, error=ERROR, method="closed-form")
    verdict = for_all(
        "no query gives c = (v_i + v_j)/2 exactly for all values once n >= 3; for n = 2, q = 0 does",
        scope="all n >= 3, keys and finite queries, by exp > 0",
        reason="equality for every choice of values needs weight 0 on each third key, but a softmax weight is positive. "
        "With a large factor q = t(k_i + k_j) comes as near as one likes, never there.",
        inequalities=[],
        instances=[
            *(certify(keys, found, of=j, at_least="1e-9") for j in range(2, N)),
            certify(np.eye(2), np.zeros(2), of=0, at_least="1/2"),
            certify(np.eye(2), np.zeros(2), of=0, at_most="1/2"),
        ],
    )
    text = f'"none" for n >= 3; nearest in the sheet\'s sense: q = t(k_i + k_j), within {float(ERROR)} at t = '
    return Showing(problem, f"{text}{found.norm / math.sqrt(2):.4g}", verdict, None, found.weights, goal)


RUNS = {
    "A.1b": a_1b,
    "B.3b": large_factor,
    "C.1.2a": large_factor,
    "D.b-ii": large_factor,
    "E.1c": exact_average,
}
