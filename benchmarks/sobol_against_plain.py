"""Scrambled Sobol points against independent samples, both in score space: time to the same root-mean-square error.

Sobol's error is measured over seeds against a far larger run. Independent samples err by c/√samples, c the standard deviation
of one; c and the time of one sample are measured here too, so the time they need for Sobol's error follows: (c/error)² samples.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import headwright as hw
from headwright.search.random_keys.independent_draws import independent_errors
from headwright.search.random_keys.outcome import heads_of

CLAIM = "for two to four noisy dimensions Sobol points reach the same error in at most a twentieth of the time of plain samples"
SAMPLES, SEEDS, REFERENCE = 2**20, 16, 2**23
ERROR, FACTOR = 0.2, 20


def problem(dimensions: int) -> tuple[hw.GaussianKeys, np.ndarray]:
    """Twelve keys, orthonormal but for the noise in the length of the first few; two heads."""
    model = hw.GaussianKeys(np.eye(12), along={j: 0.15 + 0.05 * j for j in range(dimensions)})
    queries = np.zeros((2, 12))
    queries[0, :4], queries[1, :4] = (6.0, 3.0, 1.0, 2.0), (2.0, 6.0, 2.0, -1.0)
    return model, queries


def run() -> list[dict[str, object]]:
    return [row for dimensions in (2, 3, 4) for goal in FIGURES for row in compared(dimensions, goal)]


def compared(dimensions: int, goal: hw.Copy | hw.Average) -> list[dict[str, object]]:
    """One row for each figure of this goal."""
    model, queries = problem(dimensions)
    larger = hw.outcome(model, queries, goal, samples=REFERENCE, seed=10**6, mix="equal")
    start = time.perf_counter()
    found = []
    for seed in range(SEEDS):
        outcome = hw.outcome(model, queries, goal, samples=SAMPLES, seed=seed, mix="equal")
        found.append([float(figure(outcome)) for _, figure, _ in FIGURES[goal]])
    sobol_time = (time.perf_counter() - start) / SEEDS
    rows: list[dict[str, object]] = []
    for (name, figure, plain), values in zip(FIGURES[goal], np.array(found).T, strict=True):
        sobol_error = float(np.sqrt(np.mean((values - float(figure(larger))) ** 2)))
        start = time.perf_counter()
        plain_error = plain_deviation(model, queries, goal, plain) / SAMPLES**0.5
        plain_time = time.perf_counter() - start
        needed = (plain_error / sobol_error) ** 2
        rows.append(
            {
                "dimensions": dimensions,
                "figure": name,
                "sobol_error": sobol_error,
                "plain_error": plain_error,
                "plain_samples_needed": needed * SAMPLES,
                "sobol_ms": 1e3 * sobol_time,
                "plain_ms_to_same_error": 1e3 * needed * plain_time,
                "ratio": needed * plain_time / sobol_time,
                "met": needed * plain_time >= FACTOR * sobol_time,
            }
        )
    return rows


def plain_deviation(
    model: hw.GaussianKeys, queries: np.ndarray, goal: hw.Copy | hw.Average, of: Callable[[np.ndarray], np.ndarray]
) -> float:
    """The standard deviation, over plain samples, of what `of` makes of their errors."""
    chunks = independent_errors(model, heads_of(model.centre, queries, mix="equal"), goal, SAMPLES, 1)
    return float(np.concatenate([np.asarray(of(errors), dtype=float) for errors in chunks]).std())


# goal -> (name, the figure of an outcome, what it is the mean of over errors)
FIGURES = {
    hw.Copy(0): [("mean weight of key 0", lambda found: found.mean[0], lambda errors: 1 - errors)],
    hw.Average(0, 1): [
        ("mean error, Average(0, 1)", lambda found: found.error_mean, lambda errors: errors),
        (f"P(error <= {ERROR})", lambda found: found.probability(ERROR), lambda errors: errors <= ERROR),
    ],
}
