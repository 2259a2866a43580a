"""Proved enclosures of singular values against a 50-digit reference, on 200 matrices made to be awkward.

Gaussian, Hilbert (square and rectangular), repeated and zero singular values, integers of deficient rank, values falling by
powers of ten, scales of 10^±150, single rows and columns, zero, embeddings that are low rank and noise. The reference is mpmath's
singular value decomposition of the very same numbers at 50 digits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import mpmath
import numpy as np

import headwright as hw
from evidence.partial import Partial

CLAIM = (
    "proved enclosures of all singular values of 200 matrices, Hilbert matrices, repeated and zero singular values among them, "
    "each at most 1e-10 of the largest wide, contain the 50-digit reference"
)
DIGITS = 50
WIDEST = 1e-10


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """With `limit`, that many matrices, every kind in turn."""
    cases = [(kind, seed) for seed in range(20) for kind in KINDS][: 200 if limit is None else limit]
    with Partial(store, __file__) as partial:
        for kind, seed in cases:
            name = f"{kind} {seed}"
            if name not in partial:
                partial.add(name, examined(KINDS[kind](seed, np.random.default_rng([seed, len(kind)]))))
        rows = {f"{kind} {seed}": partial[f"{kind} {seed}"] for kind, seed in cases}
    widest = max(rows, key=lambda name: rows[name]["width"])
    bad = [name for name, row in rows.items() if not (row["proved"] and row["inside"] and row["width"] <= WIDEST)]
    return {
        "holds": not bad and (limit is not None or len(rows) == 200),
        "matrices": len(rows),
        "kinds": dict(Counter(name.rsplit(" ", 1)[0] for name in rows)),
        "singular_values": sum(row["values"] for row in rows.values()),
        "widest": {"matrix": widest, "shape": rows[widest]["shape"], "of_the_largest": rows[widest]["width"]},
        "bad": bad,
    }


def examined(matrix: np.ndarray) -> dict[str, object]:
    """One matrix: proved or not, whether every reference value is inside, the widest interval against the largest value."""
    found = hw.spectrum.singular_values(matrix)
    inside = contained(found.low.tolist(), found.high.tolist(), reference(matrix))
    width = 0.0 if not found.high[0] else float((found.high - found.low).max() / found.high[0])
    return {
        "shape": list(matrix.shape),
        "values": len(found),
        "proved": found.verdict.status == "proved",
        "inside": inside,
        "width": width,
    }


def contained(low: list[float], high: list[float], values: list[mpmath.mpf]) -> bool:
    """Whether each value lies inside, and 1e-45 of the largest to either side of it too, which the reference may be off by."""
    with mpmath.workdps(DIGITS):
        off = values[0] * mpmath.mpf(10) ** -45
        ends = zip(low, high, values, strict=True)
        return all(a <= max(value - off, 0) and value + off <= b for a, b, value in ends)


def reference(matrix: np.ndarray) -> list[mpmath.mpf]:
    """The singular values, largest first, to about 48 digits of the largest."""
    with mpmath.workdps(DIGITS):
        tall = matrix if len(matrix) >= matrix.shape[1] else matrix.T
        return sorted(mpmath.svd_r(mpmath.matrix(tall.tolist()), compute_uv=False), reverse=True)


def sides(seed: int) -> tuple[int, int]:
    """Unequal sides, sometimes tall and sometimes wide."""
    short, long = 2 + seed % 9, 4 + (5 * seed) % 17
    return (long, short) if seed % 2 else (short, long)


def orthonormal(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    return np.linalg.qr(rng.standard_normal((n, m)))[0]


def with_values(rng: np.random.Generator, n: int, d: int, values: np.ndarray) -> np.ndarray:
    return orthonormal(rng, n, len(values)) * values @ orthonormal(rng, d, len(values)).T


def hilbert(n: int, d: int) -> np.ndarray:
    return 1.0 / (1 + np.arange(n)[:, None] + np.arange(d))


def repeated(seed: int, rng: np.random.Generator) -> np.ndarray:
    """Even seeds: exactly repeated values, as a signed permutation of 3, 3, 3, …; odd ones: repeated up to rounding."""
    n, d = sides(seed)
    if seed % 2:
        return with_values(rng, n, d, np.repeat([2.0, 1.0], [min(n, d) - min(n, d) // 2, min(n, d) // 2]))
    matrix = np.zeros((n, d))
    matrix[rng.permutation(n)[: min(n, d)], rng.permutation(d)[: min(n, d)]] = 3.0 * rng.choice([-1, 1], min(n, d))
    return matrix


def deficient(seed: int, rng: np.random.Generator) -> np.ndarray:
    """Integers of rank at most half the shorter side: exact zeros among the singular values."""
    (n, d), rank = sides(seed), max(1, min(sides(seed)) // 2)
    return (rng.integers(-9, 10, (n, rank)) @ rng.integers(-9, 10, (rank, d))).astype(float)


def graded(seed: int, rng: np.random.Generator) -> np.ndarray:
    n, d = sides(seed)
    return with_values(rng, n, d, 10.0 ** -(np.arange(min(n, d)) * (1 + seed % 3)))


def scaled(seed: int, rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal(sides(seed)) * (1e150 if seed % 2 else 1e-150)


def thin(seed: int, rng: np.random.Generator) -> np.ndarray:
    """A single row, a single column, a single number, or nothing but zeros."""
    shapes = ((1, 3 + seed), (3 + seed, 1), (1, 1), (2 + seed % 4, 3))
    return rng.standard_normal(shapes[seed % 4]) * (seed % 4 != 3)


def embedding(seed: int, rng: np.random.Generator) -> np.ndarray:
    """Low rank and noise, as tables of token vectors look: 60 tokens, 12 dimensions."""
    return rng.standard_normal((60, 3)) @ rng.standard_normal((3, 12)) + 0.01 * rng.standard_normal((60, 12))


KINDS: dict[str, Callable[[int, np.random.Generator], np.ndarray]] = {
    "gaussian": lambda seed, rng: rng.standard_normal(sides(seed)),
    "hilbert": lambda seed, rng: hilbert(seed + 1, seed + 1),
    "rectangular hilbert": lambda seed, rng: hilbert(*sides(seed)),
    "repeated": repeated,
    "deficient": deficient,
    "graded": graded,
    "scaled": scaled,
    "thin or zero": thin,
    "integers": lambda seed, rng: rng.integers(-1000, 1000, sides(seed)).astype(float),
    "embedding": embedding,
}
