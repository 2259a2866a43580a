"""500 random problems that cannot be solved: each is refused, and each witness is judged again by the independent checker.

They are impossible by construction: a key drawn inside the hull of others (Copy, below the best error there is), two such
targets (Average), sets whose hulls overlap (Top), a target that has an exact duplicate (Blend). For Copy, `best_error` is
compared with a Newton iteration in 40 digits that shares nothing with the library.
"""

from __future__ import annotations

from pathlib import Path

import mpmath
import numpy as np

import headwright as hw
from evidence.partial import Partial
from tests.second_opinion import judge

CLAIM = "500 random infeasible problems are refused, every witness confirmed; best_error for Copy to 1e-9 of a 40-digit reference"
CASES = 500
REFERENCES = 100


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    count = CASES if limit is None else limit
    with Partial(store, __file__) as partial:
        for seed in range(count):
            if f"{seed}" not in partial:
                partial.add(f"{seed}", case(seed))
        rows = [partial[f"{seed}"] for seed in range(count)]
    differences = [row["difference"] for row in rows if row["difference"] is not None]
    bad = [seed for seed, row in enumerate(rows) if row["outcome"] != "unreachable" or row["second_opinion"] != "true"]
    return {
        "holds": not bad and max(differences, default=0.0) <= 1e-9,
        "cases": len(rows),
        "bad": bad,
        "best_errors_compared": len(differences),
        "largest_difference": max(differences, default=0.0),
        "by_goal": {kind: sum(row["goal"] == kind for row in rows) for kind in sorted({row["goal"] for row in rows})},
    }


def case(seed: int) -> dict[str, object]:
    rng = np.random.default_rng(10_000 + seed)
    keys, goal, error = made(rng, seed)
    row: dict[str, object] = {"goal": type(goal).__name__, "difference": None, "second_opinion": None}
    try:
        hw.design(keys, goal, error=error)
    except hw.Unreachable as refusal:
        row |= {"outcome": "unreachable", "second_opinion": judge(refusal.verdict.record)}
        if isinstance(goal, hw.Copy) and seed < 5 * REFERENCES:
            row["difference"] = abs(refusal.best_error - least_error(keys, goal.index))
    except hw.NotFound as refusal:
        row |= {"outcome": "not found", "reason": refusal.reason}
    else:
        row["outcome"] = "solved"
    return row


def made(rng: np.random.Generator, seed: int) -> tuple[np.ndarray, hw.Copy, float]:
    n, d = int(rng.integers(8, 50)), int(rng.integers(1, 6))
    n += 3 * d
    keys = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-3, 3) + rng.normal(size=d)
    inside = rng.dirichlet(np.ones(n - 2)) @ keys[2:]
    match seed % 5:
        case 0:
            keys[0] = inside
            return keys, hw.Copy(0), 0.01
        case 1:
            keys[0] = inside
            return keys, hw.Copy(0), 0.6  # above one half: only the largest entropy refutes it
        case 2:
            keys[0], keys[1] = inside, rng.dirichlet(np.ones(n - 2)) @ keys[2:]
            return keys, hw.Average(0, 1), 0.01
        case 3:
            keys[0] = inside
            return keys, hw.Top(0, 2), 0.01
        case _:
            keys[0] = keys[5]
            return keys, hw.Blend({0: "0.7", 1: "0.3"}), 0.05


def least_error(keys: np.ndarray, i: int) -> float:
    """e^H/(1+e^H) for the largest entropy H: the least log-sum-exp over queries, by Newton's method in 40 digits."""
    with mpmath.workdps(40):
        rows = [
            [mpmath.mpf(float(a)) - mpmath.mpf(float(b)) for a, b in zip(key, keys[i], strict=True)] for key in keys
        ]
        del rows[i]
        size = max(abs(x) for row in rows for x in row)
        rows = [[x / size for x in row] for row in rows]
        d = len(rows[0])
        q = mpmath.zeros(d, 1)
        for _ in range(200):
            value, p = entropy_side(rows, q)
            g = mpmath.matrix([mpmath.fsum(w * row[k] for w, row in zip(p, rows, strict=True)) for k in range(d)])
            H = mpmath.matrix(d, d)
            for a in range(d):
                for b in range(d):
                    second = mpmath.fsum(w * row[a] * row[b] for w, row in zip(p, rows, strict=True))
                    H[a, b] = second - g[a] * g[b]
            move = mpmath.lu_solve(H, g)
            t = mpmath.mpf(1)
            while entropy_side(rows, q - t * move)[0] > value and t > mpmath.mpf(2) ** -60:
                t /= 2
            q -= t * move
            if mpmath.norm(g) < mpmath.mpf(10) ** -25:
                break
        odds = mpmath.exp(entropy_side(rows, q)[0])
        return float(odds / (1 + odds))


def entropy_side(rows: list[list[mpmath.mpf]], q: mpmath.matrix) -> tuple[mpmath.mpf, list[mpmath.mpf]]:
    """Log-sum-exp of the scores, and their softmax."""
    scores = [mpmath.fsum(x * y for x, y in zip(row, q, strict=True)) for row in rows]
    top = max(scores)
    powers = [mpmath.exp(s - top) for s in scores]
    whole = mpmath.fsum(powers)
    return top + mpmath.log(whole), [w / whole for w in powers]
