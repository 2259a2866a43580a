"""100 random problems with keys that vary, feasible by construction: a certified design for each, confirmed by simulation.

Feasible because of the family. *blind*: keys (and noise) linearly independent, so some query pushes every outsider down and
does not feel the noise of the targets: one head, confidence 0.99. *crossed*: twelve keys, the outsiders in ± pairs around the
noisy target, so that no query copies it without feeling its noise, and a head that does feel it fails with probability above
0.05; two heads with opposite components reach confidence 0.95. *scaled*: finite laws of length on two keys, also independent.
*every key*: little isotropic noise on all keys, where only bounds are proved.

Each design must be proved, and 20,000 samples of the keys themselves, put through a plain softmax, must not reject its
confidence at 99.9 % (binomial test). Beside it: the best that the textbook's queries do on the same samples, over their lengths.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from scipy.stats import binomtest

import headwright as hw
from evidence.partial import Partial

CLAIM = (
    "100 random feasible problems with varying keys: each design found, proved, and confirmed by simulation of the keys"
)
CASES = 100
SAMPLES = 20_000
REJECTED = 1e-3  # p-value below which the simulation rejects the confidence
_CHUNK = 2_000
_LENGTHS = np.geomspace(0.5, 200, 40)


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    with Partial(store, __file__) as partial:
        cases = [f"case {seed}" for seed in range(CASES if limit is None else limit)]
        for seed, case in enumerate(cases):
            if case not in partial:
                partial.add(case, examined(seed))
        rows = {case: partial[case] for case in cases}
    bad = [case for case, row in rows.items() if not row["good"]]
    solved = [row for row in rows.values() if row["outcome"] == "proved"]
    families = sorted({str(row["family"]) for row in solved})
    return {
        "holds": not bad,
        "bad": bad,
        "outcomes": dict(Counter(row["outcome"] for row in rows.values())),
        "heads": dict(Counter(str(row["heads"]) for row in solved)),
        "begun_from": dict(Counter(str(row["method"]).partition(": ")[2] for row in solved)),
        "smallest_p_value": min((row["p_value"] for row in solved), default=None),
        "by_family": {name: summary([row for row in solved if row["family"] == name]) for name in families},
        "median_seconds": median(row["seconds"] for row in rows.values()),
        "most_seconds": max(row["seconds"] for row in rows.values()),
    }


def summary(rows: list[dict[str, float]]) -> dict[str, float]:
    """Figures of one family: norms against those of the same keys without noise, and the textbook's best probabilities."""
    return {
        "designs": len(rows),
        "median_norm_over_that_of_fixed_keys": round(median(row["norm"] / row["fixed_norm"] for row in rows), 3),
        "median_textbook_one_head": round(median(row["textbook_one_head"] for row in rows), 4),
        "median_textbook_copy_heads": round(median(row["textbook_copy_heads"] for row in rows), 4),
        "textbook_reaching_the_confidence": sum(
            max(row["textbook_one_head"], row["textbook_copy_heads"]) >= row["confidence"] for row in rows
        ),
    }


def examined(seed: int) -> dict[str, object]:
    family, model, goal, error, confidence, heads = problem(seed)
    start = perf_counter()
    try:
        design = hw.design(model, goal, error=error, confidence=confidence, heads=heads, seed=seed)
    except hw.NotFound as refusal:
        seconds = round(perf_counter() - start, 3)
        return {"family": family, "outcome": "not found", "seconds": seconds, "reason": refusal.reason, "good": False}
    seconds = round(perf_counter() - start, 3)
    verdict = hw.certify(model, design)
    keys = model.sample(SAMPLES, seed=10_000 + seed)
    hits = met(keys, design.queries, design.mix, goal, error)
    p_value = float(binomtest(hits, SAMPLES, confidence, alternative="less").pvalue)
    return {
        "family": family,
        "outcome": verdict.status,
        "heads": len(design.queries),
        "method": design.method,
        "norm": design.norm,
        "fixed_norm": hw.design(model.mean, goal, error=error, heads=1 if family != "crossed" else 2).norm,
        "confidence": confidence,
        "probability": verdict.bound,
        "simulated": hits / SAMPLES,
        "p_value": p_value,
        **textbook(keys[:_CHUNK], model.mean, goal, error),
        "seconds": seconds,
        "good": verdict.status == "proved" and bool(p_value >= REJECTED),
    }


def met(keys: np.ndarray, queries: np.ndarray, mix: np.ndarray, goal: hw.Copy, error: float) -> int:
    """In how many of the samples (s, n, d) the weights are within the error: plain softmax, nothing shared with the library."""
    wanted = np.zeros(keys.shape[1])
    wanted[list(goal.indices)] = [float(share) for share in goal.shares]
    count = 0
    for start in range(0, len(keys), _CHUNK):
        scores = np.einsum("snd,hd->shn", keys[start : start + _CHUNK], queries)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = np.einsum("h,shn->sn", mix / mix.sum(), powers / powers.sum(axis=-1, keepdims=True))
        count += int((0.5 * np.abs(weights - wanted).sum(axis=-1) <= error).sum())
    return count


def textbook(keys: np.ndarray, mean: np.ndarray, goal: hw.Copy, error: float) -> dict[str, float]:
    """The best share of the samples that t·Σ targets, and the heads t·target, meet over the lengths t."""
    targets = mean[list(goal.indices)]
    shares = np.array([float(share) for share in goal.shares])
    one = max(met(keys, t * targets.sum(axis=0)[None], np.ones(1), goal, error) for t in _LENGTHS)
    several = max(met(keys, t * targets, shares, goal, error) for t in _LENGTHS)
    return {"textbook_one_head": one / len(keys), "textbook_copy_heads": several / len(keys)}


def problem(seed: int) -> tuple[str, hw.GaussianKeys | hw.ScaledKeys, hw.Copy, float, float, int | str]:
    """(family, model, goal, error, confidence, heads); five families in turn."""
    rng = np.random.default_rng(seed)
    error = float(rng.choice([0.1, 0.1, 0.05, 0.2]))
    if seed % 5 == 1:
        return "crossed", crossed(rng), hw.Average(0, 1), 0.1, 0.95, "auto"
    n = int(rng.integers(5, 13))
    d = n + int(rng.integers(1, 6))
    keys = rng.normal(size=(n, d))
    keys /= np.linalg.norm(keys, axis=1)[:, None]
    a, b = rng.choice(n, 2, replace=False).tolist()
    goals = [hw.Average(a, b), hw.Blend({a: 0.7, b: 0.3}), hw.Average(a, b), hw.Copy(a)]
    goal = goals[int(rng.integers(4))]
    variance = float(rng.uniform(0.1, 0.6))
    if seed % 5 == 0:
        return "blind, along", hw.GaussianKeys(keys, along={a: variance}), goal, error, 0.99, 1
    if seed % 5 == 2:
        factor = {a: 3 * np.sqrt(variance / d) * rng.normal(size=d)}
        return "blind, factor", hw.GaussianKeys(keys, factors=factor), goal, error, 0.99, 1
    if seed % 5 == 3:
        low = float(rng.uniform(0.3, 0.8))
        laws = {a: {low: "1/2", 2 - low: "1/2"}, b: {0.75: "1/4", 1: "1/2", 1.25: "1/4"}}
        return "scaled", hw.ScaledKeys(keys, laws), goal, error, 0.99, "auto"
    return "every key", hw.GaussianKeys(keys, isotropic=10 ** float(rng.uniform(-4.5, -3))), goal, error, 0.95, "auto"


def crossed(rng: np.random.Generator) -> hw.GaussianKeys:
    """Twelve keys in seven dimensions: two orthonormal targets, ten outsiders in ± pairs across them, all turned at random."""
    keys = np.zeros((12, 7))
    keys[0, 0] = keys[1, 1] = 1.0
    outer = rng.normal(size=(5, 5))
    keys[2:7, 2:] = outer / np.linalg.norm(outer, axis=1)[:, None]
    keys[7:, 2:] = -keys[2:7, 2:]
    turn = np.linalg.qr(rng.normal(size=(7, 7)))[0]
    return hw.GaussianKeys(keys @ turn, along={0: float(rng.uniform(0.4, 0.7))})
