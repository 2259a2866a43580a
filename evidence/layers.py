"""Whole layers designed from scratch: the three-token example, independent tokens, dependent tokens; every end is judged again.

The three-token example is asked for at the error of its known answer, 2/(e^{β²} + 2), rounded down, so that not even a hair is
given away; the known answer has ‖QᵀK‖ = √2. The 24 dependent tokens in 16 dimensions all have goals, and outputs for none, some
or all of the rows: such a request may be impossible, and then the refusal carries a witness that the independent checker accepts.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np

import headwright as hw
from evidence.partial import Partial
from tests.second_opinion import judge

CLAIM = (
    "the three-token example for β = 2 … 20 certified at the known answer's error with a norm of at most √2; 100 layers of 12 "
    "independent tokens certified; 50 of 24 dependent tokens certified or refused; the independent checker agrees with all"
)
BETAS = tuple(range(2, 21))
INDEPENDENT, DEPENDENT = 100, 50


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """With `limit`, that many cases of each kind."""
    cases = [("three tokens", beta) for beta in BETAS[:limit]]
    cases += [("independent", seed) for seed in range(INDEPENDENT)[:limit]]
    cases += [("dependent", seed) for seed in range(DEPENDENT)[:limit]]
    with Partial(store, __file__) as partial:
        for kind, number in cases:
            if f"{kind} {number}" not in partial:
                partial.add(f"{kind} {number}", KINDS[kind](number))
        rows = {f"{kind} {number}": partial[f"{kind} {number}"] for kind, number in cases}
    bad = [name for name, row in rows.items() if not row["good"]]
    return {
        "holds": not bad,
        "bad": bad,
        "outcomes": {
            kind: dict(Counter(r["outcome"] for n, r in rows.items() if n.startswith(kind))) for kind in KINDS
        },
        "longest_norm_of_three_tokens": max(r["norm"] for name, r in rows.items() if name.startswith("three")),
        "norm_of_the_known_answer": math.sqrt(2),
    }


def three_tokens(beta: int) -> dict[str, object]:
    """u_a … u_d orthogonal of norm β; x_1 = u_d + u_b, x_2 = u_a, x_3 = u_c + u_b; wanted: c_2 = u_b and c_1 = u_b - u_c."""
    a, b, c, d = beta * np.eye(4)
    with mpmath.workdps(60):
        known = 2 / (mpmath.exp(beta**2) + 2)
        error = Fraction(int(mpmath.floor(known * mpmath.mpf(2) ** 700)), 2**700)
    row = ended(np.array([d + b, a, c + b]), {0: hw.Copy(2), 1: hw.Copy(0)}, {0: b - c, 1: b}, error=error)
    good = row["outcome"] == "certified" and row["judged"] == "true" and row["norm"] <= math.sqrt(2)
    return {**row, "good": good}


def independent(seed: int) -> dict[str, object]:
    """12 tokens in 16 dimensions, a goal in every row, outputs in every second that is free: always possible."""
    rng = np.random.default_rng(20_000 + seed)
    tokens = rng.normal(size=(12, 16)) * 10.0 ** rng.uniform(-1, 1)
    goals = drawn(rng, 12)
    outputs = {row: rng.normal(size=5) for row in free(goals)[::2]}
    row = ended(tokens, goals, outputs, error=str(rng.choice(["0.1", "0.01", "0.0001"])))
    return {**row, "good": row["outcome"] == "certified" and row["judged"] == "true"}


def dependent(seed: int) -> dict[str, object]:
    rng = np.random.default_rng(30_000 + seed)
    tokens = rng.normal(size=(24, 16))
    if seed % 5 == 4:  # whole numbers in few dimensions: exact relations among the asking tokens, too
        rank = int(rng.integers(7, 13))
        tokens = (rng.integers(-4, 5, size=(24, rank)) @ rng.integers(-2, 3, size=(rank, 16))).astype(float)
    goals = drawn(rng, 24)
    value_map = rng.normal(size=(5, 16))
    means = np.array([goal.weights(24) for goal in goals.values()]) @ tokens
    some = free(goals)[:8]
    outputs = (
        {},
        {row: rng.normal(size=5) for row in some},
        {row: rng.normal(size=5) for row in goals},  # 24 wishes of 16 dimensions: they contradict each other
        {row: value_map @ means[row] for row in goals},  # they do not
        {},
    )[seed % 5]
    row = ended(tokens, goals, outputs or None, error="0.01")
    return {**row, "good": row["outcome"] != "not found" and row["judged"] == "true"}


def drawn(rng: np.random.Generator, n: int) -> dict[int, hw.Copy]:
    """Copy, Average of two or three, or Blend in every row."""
    goals = {}
    for row in range(n):
        members = rng.choice(n, 1 + row % 3, replace=False).tolist()
        if len(members) == 1:
            goals[row] = hw.Copy(members[0])
        elif rng.uniform() < 0.5:
            goals[row] = hw.Average(*members)
        else:
            goals[row] = hw.Blend({i: f"{k + 1}/7" for k, i in enumerate(members)})
    return goals


def free(goals: dict[int, hw.Copy]) -> list[int]:
    """Rows whose wanted weights are linearly independent, so that over independent tokens any outputs can be had."""
    chosen: list[int] = []
    for row in goals:
        shares = np.array([goals[r].weights(len(goals)) for r in (*chosen, row)])
        if np.linalg.matrix_rank(shares) == len(shares):
            chosen.append(row)
    return chosen


def ended(tokens: np.ndarray, goals: dict, outputs: dict | None, *, error: str | Fraction) -> dict[str, object]:
    try:
        layer = hw.design_layer(tokens, goals, outputs, error=error)
    except hw.Unreachable as refusal:
        record = refusal.verdict.record
        return {"outcome": f"refused ({record.kind})", "judged": judge(record), "norm": 0.0}
    except hw.NotFound as refusal:
        return {"outcome": "not found", "judged": None, "norm": 0.0, "reason": refusal.reason}
    return {"outcome": "certified", "judged": judge(layer.verdict.record), "norm": layer.norm}


KINDS = {"three tokens": three_tokens, "independent": independent, "dependent": dependent}
