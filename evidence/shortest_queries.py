"""The shortest query on 200 random problems against CVXPY with Clarabel, and on hard families of keys.

Each random problem must agree with the peer to 1e-6 in norm and have a certified gap (norm over proved lower bound) of at
most 1 + 1e-9, or be refused where the peer calls it infeasible. Each hard case must be solved and certified, or refused
with a checked witness, or not found with the reason "float64 cannot hold it".
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cvxpy as cp
import numpy as np

import headwright as hw
from evidence.partial import Partial

CLAIM = (
    "200 random problems agree with CVXPY and are proved optimal to 1e-9; every hard case ends in a proof or a refusal"
)
RANDOM = 200


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    with Partial(store, __file__) as partial:
        for seed in range(RANDOM if limit is None else limit):
            if f"random {seed}" not in partial:
                partial.add(f"random {seed}", random_problem(seed))
        for name, keys, goal, error in hard_cases() if limit is None else ():
            if name not in partial:
                partial.add(name, solved(keys, goal, error))
        rows = {name: partial[name] for name in partial}
    tried = {name: row for name, row in rows.items() if name.startswith("random")}
    hard = {name: row for name, row in rows.items() if not name.startswith("random")}
    bad = [name for name, row in tried.items() if not row["good"]] + [n for n, row in hard.items() if not row["good"]]
    return {
        "holds": not bad,
        "bad": bad,
        "random": dict(Counter(row["outcome"] for row in tried.values())),
        "largest_gap": max(row.get("gap") or 0.0 for row in tried.values()),
        "largest_difference_from_cvxpy": max(row.get("difference") or 0.0 for row in tried.values()),
        "hard": {name: {k: v for k, v in row.items() if k != "good"} for name, row in hard.items()},
    }


def random_problem(seed: int) -> dict[str, object]:
    """Any n and d, keys moved and scaled, all goals, several errors."""
    rng = np.random.default_rng(seed)
    n, d, m = int(rng.integers(3, 120)), int(rng.integers(2, 32)), int(rng.integers(1, 5))
    m = min(m, n - 1)
    keys = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-2, 2) + rng.normal(size=d) * rng.choice([0.0, 3.0])
    chosen = rng.choice(n, m, replace=False).tolist()
    shares = dict(zip(chosen, rng.dirichlet(2 * np.ones(m)).tolist(), strict=True))
    goal = hw.Copy(chosen[0]) if m == 1 else hw.Average(*chosen) if seed % 2 else hw.Blend(shares)
    error = float(rng.choice([0.3, 0.05, 0.01, 1e-4]))
    row = solved(keys, goal, error)
    theirs = by_cvxpy(keys, goal, error)
    if row["outcome"] == "solved" and row["exact_ratios"]:
        row["difference"] = (
            None if theirs is None else abs(theirs / max(row["norm"], 1e-300) - 1) if theirs > 1e-6 else 0.0
        )
        row["good"] = theirs is not None and row["difference"] <= 1e-6 and row["gap"] <= 1e-9
    else:
        row["good"] = bool(row["good"]) and theirs is None
    return row


def solved(keys: np.ndarray, goal: hw.Copy, error: float) -> dict[str, object]:
    try:
        design = hw.design(keys, goal, error=error)
    except hw.Unreachable as refusal:
        again = refusal.verdict.record.prove().status
        return {"outcome": "unreachable", "best_error": refusal.best_error, "good": again == "proved"}
    except hw.NotFound as refusal:
        honest = "float64 cannot" in refusal.reason or refusal.proved_bound is not None
        return {"outcome": "not found", "reason": refusal.reason, "good": honest}
    certified = hw.certify(keys, design).status == "proved"
    gap = None if not design.exact_ratios else design.norm / design.lower_bound - 1 if design.norm else 0.0
    return {
        "outcome": "solved",
        "norm": design.norm,
        "gap": gap,
        "exact_ratios": design.exact_ratios,
        "good": certified and (gap is None or gap < 1e-3),
    }


def by_cvxpy(keys: np.ndarray, goal: hw.Copy, error: float) -> float | None:
    """The peer's norm for exact ratios; None when it finds the problem infeasible."""
    first, *others = goal.indices
    w = [float(share) for share in goal.shares]
    outside = [j for j in range(len(keys)) if j not in goal.indices]
    size = float(np.abs(keys - keys[first]).max())
    q = cp.Variable(keys.shape[1])
    limits = [cp.log_sum_exp((keys[outside] - keys[first]) / size @ q) <= math.log(error / (1 - error) / w[0])]
    if others:
        limits.append((keys[others] - keys[first]) / size @ q == np.array([math.log(v / w[0]) for v in w[1:]]))
    problem = cp.Problem(cp.Minimize(cp.norm(q)), limits)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
        except cp.SolverError:
            return None
    good = problem.status in ("optimal", "optimal_inaccurate") and q.value is not None
    return float(np.linalg.norm(q.value)) / size if good else None


def hard_cases() -> Iterator[tuple[str, np.ndarray, hw.Copy, float]]:
    rng = np.random.default_rng(3)
    unit = rng.normal(size=(500, 32))
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    across = rng.normal(size=32)
    across -= (across @ unit[0]) * unit[0]
    across /= np.linalg.norm(across)
    families: dict[str, tuple[np.ndarray, tuple[hw.Copy, ...]]] = {}
    for cosine in (0.99, 0.9999):
        keys = unit.copy()
        keys[1] = cosine * keys[0] + math.sqrt(1 - cosine**2) * across
        families[f"cosine {cosine}"] = keys, (hw.Copy(0), hw.Average(0, 5), hw.Blend({0: 0.7, 1: 0.3}))
    keys = rng.normal(size=(500, 32))
    keys[1] = keys[0] + 1e-6 * rng.normal(size=32)
    families["distance 1e-6"] = keys, (hw.Copy(0), hw.Average(0, 7), hw.Blend({0: 0.7, 1: 0.3}))
    line = np.linspace(-1, 1, 1000)[:, None] * rng.normal(size=16) + 1e-3 * rng.normal(size=(1000, 16))
    families["line plus noise"] = line, (hw.Copy(0), hw.Copy(500), hw.Average(100, 900))
    wide = rng.normal(size=(300, 24)) * 10.0 ** rng.uniform(-6, 6, size=(300, 1))
    wide[0], wide[1] = (1e6 * rng.normal(size=24), 1e-6 * rng.normal(size=24))
    families["norms 1e-6 to 1e6"] = wide, (hw.Copy(0), hw.Copy(1), hw.Average(0, 1))
    crowd = rng.normal(size=(500, 32))
    families["crowd of 500"] = crowd, tuple(hw.Average(*range(m)) for m in (2, 5, 20))
    for family, (keys, goals) in families.items():
        for goal in goals:
            for error in (0.4, 0.01, 1e-12):
                yield f"{family}, {goal}, error {error}", keys, goal, error
