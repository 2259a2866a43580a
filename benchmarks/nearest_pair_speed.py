"""The nearest pair of a million sinusoidal positions: by shift, against all pairs in blocks of matrix products."""

from __future__ import annotations

import tracemalloc

import numpy as np

import headwright as hw
from benchmarks.certify_speed import best_of

CLAIM = (
    "the nearest pair of 1,000,000 sinusoidal positions of dimension 128 is found and proved in seconds and within 64 MiB, "
    "1,000 times faster than by all pairs in blocked matrix products, float32 or float64, extrapolated from a measured part"
)
LENGTH, DIM, BLOCK, PART = 1_000_000, 128, 4096, 16_384
FACTOR, MOST_SECONDS, MOST_BYTES = 1000, 10.0, 64 * 2**20


def run() -> list[dict[str, object]]:
    code = hw.position.sinusoidal(LENGTH, DIM)
    seconds = best_of(3, lambda: hw.position.nearest_pair(code))
    proof_seconds = best_of(3, lambda: hw.position.nearest_pair(code).verdict)
    peak = peak_bytes()
    proved = hw.position.nearest_pair(code).verdict.status == "proved"
    return [row(seconds, proof_seconds, peak, proved, kind) for kind in (np.float32, np.float64)]


def row(seconds: float, proof_seconds: float, peak: int, proved: bool, kind: type) -> dict[str, object]:
    part = hw.position.sinusoidal(PART, DIM)
    table = np.asarray(part).astype(kind)
    theirs = best_of(1, lambda: by_blocks(table)) * pairs(LENGTH) / pairs(PART)
    found, distance = by_blocks(table)
    ours = hw.position.nearest_pair(part)
    agree = found[1] - found[0] == ours.shift and abs(distance / ours.distance - 1) < 1e-4
    quick = seconds <= MOST_SECONDS and proof_seconds <= MOST_SECONDS and peak <= MOST_BYTES
    return {
        "L": LENGTH,
        "d": DIM,
        "seconds": seconds,
        "with_proof_seconds": proof_seconds,
        "peak_mib": peak / 2**20,
        "all_pairs": np.dtype(kind).name,
        "all_pairs_seconds_extrapolated": theirs,
        "ratio": theirs / seconds,
        "same_answer_on_the_part": bool(agree),
        "met": bool(agree and proved and quick and theirs >= FACTOR * seconds),
    }


def pairs(length: int) -> float:
    return length * (length - 1) / 2


def peak_bytes() -> int:
    """The most memory that search and proof hold at once, beside what is there already."""
    code = hw.position.sinusoidal(LENGTH, DIM)
    tracemalloc.start()
    assert hw.position.nearest_pair(code).verdict.status == "proved"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def by_blocks(table: np.ndarray) -> tuple[tuple[int, int], float]:
    """‖x‖² + ‖y‖² - 2x·y for all pairs i < j, a block of matrix products at a time."""
    squares = np.einsum("ij,ij->i", table, table)
    best, pair = np.inf, (0, 0)
    for a in range(0, len(table), BLOCK):
        for b in range(a, len(table), BLOCK):
            near = table[a : a + BLOCK] @ table[b : b + BLOCK].T
            near *= -2
            near += squares[a : a + BLOCK, None]
            near += squares[b : b + BLOCK]
            if a == b:
                near[np.tril_indices(len(near))] = np.inf
            place = int(near.argmin())
            i, j = divmod(place, near.shape[1])
            if near[i, j] < best:
                best, pair = near[i, j], (a + i, b + j)
    return pair, float(np.sqrt(max(best, 0)))
