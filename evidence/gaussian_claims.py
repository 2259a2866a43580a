"""Claims of a probability over several Gaussian keys: how many of those that lie 0.02 away from the truth are decided.

The truth is the share of a million draws in NumPy, by the definition: scores are drawn from their covariances, and the total
variation is half of Σ|α - w|. Every claim lies 0.02 and five standard errors away from that share, about half of them above it.
"""

import math
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import headwright as hw
from evidence.partial import Partial

CLAIM = "400 random claims 0.02 off the true probability, up to 4 noisy keys, one or two heads: >= 80 % decided, none falsely"
CASES, LEAST, AWAY = 400, 0.8, 0.02
DRAWS, SIGMAS = 2**20, 5
KINDS = ("isotropic", "length", "one factor", "two factors", "covariance")
GOALS = ("Copy", "Average", "Blend")


def cases(limit: int | None = None) -> range:
    return range(CASES)[:limit]


def problem(seed: int) -> dict[str, Any]:
    """A model of 1 to 4 noisy keys, one or two heads, a goal, an error that is met with a probability from 0.05 to 0.95."""
    rng = np.random.default_rng([16, seed])
    n, d = int(rng.integers(4, 13)), int(rng.integers(3, 9))
    heads, noisy = 1 + seed % 2, 1 + seed // 2 % 4
    keys = rng.standard_normal((n, d))
    targets = 1 if GOALS[seed % 3] == "Copy" else int(rng.integers(2, 5))
    members = rng.permutation(n)[: min(n - 1, targets)].tolist()
    goal: Any = {
        "Copy": lambda: hw.Copy(members[0]),
        "Average": lambda: hw.Average(*members),
        "Blend": lambda: hw.Blend({i: int(rng.integers(1, 6)) for i in members}),
    }[GOALS[seed % 3]]()
    queries = queries_for(keys, goal, heads, rng)
    moving = rng.permutation(n)[:noisy].tolist()
    kinds = {int(j): KINDS[int(rng.integers(len(KINDS)))] for j in moving}
    parts: dict[str, Any] = {"isotropic": np.zeros(n), "along": {}, "factors": {}, "cov": np.zeros((n, d, d))}
    for j, kind in kinds.items():
        felt = float(np.linalg.norm(queries, axis=1).max())
        spread = 10 ** rng.uniform(-0.5, 0.3) / felt  # scores deviate by some 0.3 to 2
        if kind == "isotropic":
            parts["isotropic"][j] = spread**2
        elif kind == "length":
            parts["along"][j] = float(d * spread**2)
        elif kind == "covariance":
            root = spread * rng.standard_normal((d, d))
            parts["cov"][j] = (root @ root.T + (root @ root.T).T) / 2 + 1e-6 * spread**2 * np.eye(d)
        else:
            parts["factors"][j] = spread * rng.standard_normal((d, 1 + (kind == "two factors")))
    mix = rng.uniform(0.3, 1.0, size=heads)
    return {
        **{"model": hw.GaussianKeys(keys, **parts), "queries": queries, "mix": mix, "goal": goal, "kinds": kinds},
        **{"level": float(rng.uniform(0.05, 0.95)), "above": bool(rng.integers(2)), "seed": seed},
    }


def queries_for(keys: np.ndarray, goal: Any, heads: int, rng: np.random.Generator) -> np.ndarray:
    """A designed query, or one for each half of the goal, a little off; in every fourth case random directions."""
    d = keys.shape[1]
    if rng.integers(4) == 0:
        return np.asarray(3 / math.sqrt(d) * rng.standard_normal((heads, d)))
    goals = [goal] * heads
    if heads == 2 and len(goal.indices) > 1 and rng.integers(2):
        shares = dict(zip(goal.indices, goal.shares, strict=True))
        halves = [goal.indices[0::2], goal.indices[1::2]]
        goals = [hw.Blend({i: shares[i] for i in half}) for half in halves]
    rows = []
    for each in goals:
        try:
            row = hw.design(keys, each, error=float(rng.uniform(0.05, 0.3))).query
        except (hw.NotFound, hw.Unreachable):
            row = 2 * sum(keys[i] for i in each.indices) / len(each.indices)
        size = max(1.0, float(np.linalg.norm(row)))  # a goal that holds by itself is designed by the zero query
        rows.append(row * rng.uniform(0.7, 1.3) + 0.1 * size / math.sqrt(d) * rng.standard_normal(d))
    return np.array(rows)


def variations(case: dict[str, Any]) -> np.ndarray:
    """½Σ|α - w| of independent draws (DRAWS,)."""
    rng = np.random.default_rng([17, case["seed"]])
    model, queries = case["model"], case["queries"]
    means, n, wanted = queries @ model.mean.T, model.n, case["goal"].weights(model.n)
    shares, found = case["mix"] / case["mix"].sum(), []
    roots = {}
    for j in case["kinds"]:
        values, vectors = np.linalg.eigh(queries @ model.covariance(j) @ queries.T)
        roots[j] = vectors * np.sqrt(np.maximum(values, 0))
    for _ in range(16):
        scores = np.repeat(means[None], DRAWS // 16, axis=0)
        for j, root in roots.items():
            scores[:, :, j] += rng.standard_normal((len(scores), len(root))) @ root.T
        powers = np.exp(scores - scores.max(axis=2, keepdims=True))
        weights = np.einsum("h,chn->cn", shares, powers / powers.sum(axis=2, keepdims=True))
        found.append(np.abs(weights - wanted).sum(axis=1) / 2)
    return np.concatenate(found).reshape(-1)[: DRAWS * n]


def examine(seed: int) -> dict[str, Any]:
    case = problem(seed)
    drawn = variations(case)
    error = min(max(float(np.quantile(drawn, case["level"])), 1e-6), 1 - 1e-6)
    truth = float((drawn <= error).mean())
    deviation = math.sqrt(max(truth * (1 - truth), 1e-6) / DRAWS)
    away = AWAY + SIGMAS * deviation
    above = truth + away < 1 and (case["above"] or truth - away <= 0)
    confidence = truth + away if above else truth - away
    start = process_time()
    verdict = hw.certify(
        case["model"], case["queries"], case["goal"], error=error, confidence=confidence, mix=case["mix"]
    )
    return {
        **{"status": verdict.status, "true": not above, "seconds": round(process_time() - start, 3)},
        **{"truth": truth, "confidence": confidence, "error": error, "heads": len(case["queries"])},
        **{"noisy": len(case["kinds"]), "noisy targets": len({*case["kinds"]} & {*case["goal"].indices})},
        "targets": len(case["goal"].indices),
    }


def run(store: Path, *, limit: int | None = None) -> dict[str, Any]:
    with Partial(store, __file__) as partial:
        for seed in cases(limit):
            if str(seed) not in partial:
                partial.add(str(seed), examine(seed))
        return summary([partial[str(seed)] for seed in cases(limit)])


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    decided = [row for row in rows if row["status"] in ("proved", "refuted")]
    false = sum((row["status"] == "proved") != row["true"] for row in decided)
    times = sorted(row["seconds"] for row in rows)
    return {
        "holds": false == 0 and len(decided) >= LEAST * len(rows),
        "cases": len(rows),
        "decided": len(decided),
        "decided falsely": false,
        "share decided": round(len(decided) / len(rows), 4),
        "decided by heads and noisy keys": {
            f"{h} and {k}": f"{sum(row['heads'] == h and row['noisy'] == k for row in decided)} of {len(those)}"
            for h in (1, 2)
            for k in (1, 2, 3, 4)
            if (those := [row for row in rows if row["heads"] == h and row["noisy"] == k])
        },
        "median seconds of processor time": times[len(times) // 2],
        "longest seconds of processor time": times[-1],
    }
