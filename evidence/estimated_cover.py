"""Estimated outcomes: intervals at 95 % cover a reference as often as they should, and narrow as samples grow.

Five problems with several Gaussian dimensions. In two dimensions the reference is a quadrature of its own: the trapezoid rule
in both Gaussian numbers, over key space by definition; elsewhere it is a run with 64 times as many points and another seed.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import headwright as hw
from evidence.partial import Partial

CLAIM = "200 seeded repeats each: 95 % intervals for mean, mean error, probability and quantile cover in >= 182; widths fall"
REPEATS, LEAST, SAMPLES, LARGER = 200, 182, 2**12, 2**18
ERROR, SHARE = 0.25, 0.9
FIGURES = ("mean", "error_mean", "probability", "quantile")
GROWTH = (2**10, 2**12, 2**14, 2**16)


def problems() -> dict[str, tuple[hw.GaussianKeys, np.ndarray, Any]]:
    rng = np.random.default_rng(5)
    keys = rng.standard_normal((7, 5))
    wide = rng.standard_normal((60, 16)) / 4
    pair = np.zeros((2, 6))
    pair[0, :3], pair[1, :3] = (5.0, 1.0, 0.0), (0.0, 5.0, 1.0)
    return {
        "two lengths, one head": (
            hw.GaussianKeys(np.eye(6), along={0: 0.3, 1: 0.2}),
            pair[0] + pair[1],
            hw.Average(0, 1),
        ),
        "two lengths, two heads": (hw.GaussianKeys(np.eye(6), along={0: 0.3, 2: 0.5}), pair, hw.Average(0, 1)),
        "four lengths, Copy": (hw.GaussianKeys(keys, along=dict.fromkeys(range(4), 0.1)), 2 * keys[0], hw.Copy(0)),
        "one key, factor of rank 2, two heads": (
            hw.GaussianKeys(keys, factors={1: 0.4 * rng.standard_normal((5, 2))}),
            np.stack([2 * keys[1], 1.5 * keys[3]]),
            hw.Blend({1: 2, 3: 1}),
        ),
        "noise on all of 60 keys": (hw.GaussianKeys(wide, isotropic=0.02), 9 * wide[:2], hw.Average(0, 1)),
    }


def figures(
    model: hw.GaussianKeys, queries: np.ndarray, goal: Any, samples: int, seed: int
) -> dict[str, tuple[float, ...]]:
    """(value, low, high) of each figure."""
    found = hw.outcome(model, queries, goal, samples=samples, seed=seed, mix="equal")
    assert not found.proved
    i = goal.indices[0]
    mean, half = float(found.mean[i]), float(found.uncertainty["mean"][i])
    numbers = {
        "error_mean": found.error_mean,
        "probability": found.probability(ERROR),
        "quantile": found.quantile(SHARE),
    }
    return {
        "mean": (mean, mean - half, mean + half),
        **{name: (float(figure), figure.low, figure.high) for name, figure in numbers.items()},
    }


def references(name: str) -> dict[str, float]:
    model, queries, goal = problems()[name]
    if "two lengths" in name:
        return quadrature(model, queries, goal)
    return {figure: values[0] for figure, values in figures(model, queries, goal, LARGER, 10**9).items()}


def quadrature(model: hw.GaussianKeys, queries: np.ndarray, goal: Any) -> dict[str, float]:
    """Two varying lengths on a fine grid of both Gaussian numbers; probability and quantile by summed cells."""
    steps = np.linspace(-8, 8, 1201)
    mass = np.exp(-(steps**2) / 2)
    mass /= mass.sum()
    first, second = model.varying
    wanted = goal.weights(model.n)
    means, errors = np.empty(len(steps)), np.empty((len(steps), len(steps)))
    rows = np.atleast_2d(queries)
    for k, z in enumerate(steps):
        mixed = np.zeros((len(steps), model.n))
        for query in rows:
            scores = np.tile(model.centre @ query, (len(steps), 1))
            scores[:, first] *= 1 + z * math.sqrt(model.along[first])  # unit means: the length is 1 + √v z
            scores[:, second] *= 1 + steps * math.sqrt(model.along[second])
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            mixed += powers / powers.sum(axis=1, keepdims=True) / len(rows)
        means[k] = mass @ mixed[:, goal.indices[0]]
        errors[k] = np.abs(mixed - wanted).sum(axis=1) / 2
    weights = np.outer(mass, mass).ravel()
    flat = errors.ravel()
    order = np.argsort(flat)
    summed = np.cumsum(weights[order])
    return {
        "mean": float(mass @ means),
        "error_mean": float(weights @ flat),
        "probability": float(weights[flat <= ERROR].sum()),
        "quantile": float(flat[order[np.searchsorted(summed, SHARE)]]),
    }


def examine(name: str, seed: int, true: dict[str, float]) -> dict[str, Any]:
    found = figures(*problems()[name], SAMPLES, seed)
    return {figure: bool(low <= true[figure] <= high) for figure, (_, low, high) in found.items()}


def widths(name: str) -> dict[str, Any]:
    """Mean width of each interval over 20 seeds, as the samples grow, and the slope of its logarithm."""
    table = {figure: [] for figure in FIGURES}
    for samples in GROWTH:
        repeats = [figures(*problems()[name], samples, seed) for seed in range(20)]
        for figure in FIGURES:
            table[figure].append(float(np.mean([found[figure][2] - found[figure][1] for found in repeats])))
    slope: Callable[[list[float]], float] = lambda row: float(np.polyfit(np.log(GROWTH), np.log(row), 1)[0])  # noqa: E731
    return {figure: {"widths": row, "slope": slope(row)} for figure, row in table.items()}


def run(store: Path, *, limit: int | None = None) -> dict[str, Any]:
    repeats = range(REPEATS)[:limit]
    with Partial(store, __file__) as partial:
        for name in problems():
            if f"{name}: reference" not in partial:
                partial.add(f"{name}: reference", references(name))
            for seed in repeats:
                case = f"{name}: {seed}"
                if case not in partial:
                    partial.add(case, examine(name, seed, partial[f"{name}: reference"]))
            if limit is None and f"{name}: widths" not in partial:
                partial.add(f"{name}: widths", widths(name))
        covered = {
            name: {figure: sum(partial[f"{name}: {seed}"][figure] for seed in repeats) for figure in FIGURES}
            for name in problems()
        }
        slopes = {
            name: {figure: round(partial[f"{name}: widths"][figure]["slope"], 2) for figure in FIGURES}
            for name in problems()
            if limit is None
        }
    least = (
        LEAST if limit is None else math.floor(0.6 * len(repeats))
    )  # of a subset: far below what 95 % leaves to chance
    return {
        "holds": all(n >= least for row in covered.values() for n in row.values())
        and all(slope <= -0.45 for row in slopes.values() for slope in row.values()),
        "repeats": len(repeats),
        "covered": covered,
        "slopes of the width in the samples": slopes,
    }
