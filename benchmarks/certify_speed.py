"""certify against the plain way: every key converted to a ball, every product and sum made there."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import headwright as hw

CLAIM = "certify takes at most 0.5 s at (100000, 64), and at most a tenth of doing everything in Arb there"
SIZES = ((100, 16), (10_000, 64), (100_000, 64))


def run() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for n, d in SIZES:
        rng = np.random.default_rng(n)
        keys = rng.standard_normal((n, d))
        query = 14.0 * keys[0] / (keys[0] @ keys[0]) ** 0.5
        ours = best_of(5, lambda: hw.certify(keys, query, hw.Copy(0), error=0.5))  # noqa: B023 - run at once
        plain = best_of(5 if n < 100_000 else 2, lambda: certify_in_arb(keys, query, 0, 0.5))  # noqa: B023
        verdict = hw.certify(keys, query, hw.Copy(0), error=0.5).status
        agree = (verdict == "proved") == certify_in_arb(keys, query, 0, 0.5)
        largest = (n, d) == SIZES[-1]
        rows.append(
            {
                "n": n,
                "d": d,
                "certify_ms": round(1e3 * ours, 3),
                "all_in_arb_ms": round(1e3 * plain, 3),
                "ratio": round(plain / ours, 1),
                "verdict": verdict,
                "met": agree and (not largest or (ours <= 0.5 and plain >= 10 * ours)),
            }
        )
    return rows


def certify_in_arb(keys: np.ndarray, query: np.ndarray, i: int, error: float) -> bool:
    """Copy(i) within `error`, every number a ball from the start."""
    from flint import arb

    balls = [arb(c) for c in query.tolist()]
    scores = [sum((arb(k) * q for k, q in zip(row, balls, strict=True)), arb(0)) for row in keys.tolist()]
    powers = [(score - scores[i]).exp() for score in scores]
    leak = sum((p for j, p in enumerate(powers) if j != i), arb(0))
    return bool(leak / (leak + powers[i]) <= error)


def best_of(times: int, job: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        job()
        best = min(best, time.perf_counter() - start)
    return best
