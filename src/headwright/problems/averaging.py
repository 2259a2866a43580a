"""Averaging: two keys (or any subset) share the attention (A.1b, B.3b, C.1.2a, D.b-ii, E.1c)."""

from __future__ import annotations

import math

import numpy as np

from headwright.constructions import design
from headwright.goals import Average
from headwright.judging import certify
from headwright.problems.problem import Problem
from headwright.problems.showing import ERROR, ODDS, N, Showing, checked

_THRESHOLD = (N - 2) / (2 * ODDS)  # T >= (n-2)/(2 odds) for two targets


def a_1b(problem: Problem) -> Showing:
    keys, goal, epsilon = np.eye(N), Average(0, 1), 2 * ODDS
    found = design(keys, goal, error=ERROR, method="closed-form")
    family = checked(
        problem,
        problem.published_answer,
        "the two targets score ln(n/ε), the others 0, so α_1 = α_2 = 1/(2 + (n-2)·ε/n), and (n-2)·ε <= n·ε. The length is "
        "√2 ln(n/ε).",
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
    family = checked(
        problem,
        problem.published_answer or {"q": "log(T)*(k_a + k_b)"},
        f"the two targets score {score} and the others 0, so that α_a = α_b = {factor}/(2{factor} + n - 2). The total variation "
        f"from one half each is (n-2)/(2{factor} + n - 2), at most the error from {factor} >= (n-2)/(2·odds(error)) on: "
        f"{float(_THRESHOLD):.4g} for n = {N} and error {float(ERROR)}.",
    )
    theirs = family if problem.published is not None else None
    text = (
        f"q = t(k_a + k_b), t = ln((n-2)/(2·odds)) = {found.norm / math.sqrt(2):.4g} for n = {N}, error {float(ERROR)}; "
        "any subset S likewise with q = t Σ k_j, t = ln((n-m)/(m·odds))"
    )
    return Showing(problem, text, family if theirs is None else certify(keys, found), theirs, found.weights, goal)


def exact_average(problem: Problem) -> Showing:
    """E.1c asks for equality, which softmax cannot give beyond two keys."""
    keys, goal = np.eye(N), Average(0, 1)
    found = design(keys, goal, error=ERROR, method="closed-form")
    verdict = checked(
        problem,
        {"q": "none"},
        "equality for every choice of values needs weight 0 on each third key, but a softmax weight is positive. With a large "
        "factor q = t(k_i + k_j) comes as near as one likes, never there. For n = 2, q = 0 does it.",
    )
    text = f'"none" for n >= 3; nearest in the sheet\'s sense: q = t(k_i + k_j), within {float(ERROR)} at t = '
    return Showing(problem, f"{text}{found.norm / math.sqrt(2):.4g}", verdict, None, found.weights, goal)


RUNS = {
    "B.3b": large_factor,
    "C.1.2a": large_factor,
    "D.b-ii": large_factor,
    "E.1c": exact_average,
}
