"""compare against computing the two attentions that it compares, in float64 NumPy with the same blocks, on one thread.

The largest size, 32 heads of 4096 queries and keys in dimension 128, causal, is run by itself in a new process, whose peak memory
is measured. It takes minutes. HEADWRIGHT_COMPARE_HEADS sets another number of heads.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

CLAIM = (
    "compare takes at most 1.5 times as long as the two attentions in float64 NumPy, and at most 2 GB at 32 heads of 4096 keys "
    "and queries in dimension 128, causal"
)
N, D = 4096, 128
HEADS = 32
ROWS = 128  # queries in a block, as `compare` has them at this size
MOVES = {"int8-like": 0.003, "int4-like": 0.1}  # standard deviation of the keys' moves
LIMIT, MEMORY = 1.5, 2e9


def run() -> list[dict[str, object]]:
    heads = int(os.environ.get("HEADWRIGHT_COMPARE_HEADS", HEADS))
    rows: list[dict[str, object]] = []
    for name in MOVES:
        for values in (False, True):
            job = f"from benchmarks.compare_speed import measured; measured({heads}, {name!r}, {values})"
            found = json.loads(
                subprocess.run([sys.executable, "-c", job], capture_output=True, check=True, text=True).stdout
            )
            ratio, memory = found["compare_s"] / found["attentions_s"], found["peak_bytes"]
            rows.append(
                {
                    "heads": heads,
                    "keys": name,
                    "values": values,
                    "compare_s": round(found["compare_s"], 2),
                    "attentions_s": round(found["attentions_s"], 2),
                    "ratio": round(ratio, 2),
                    "peak_GB": round(memory / 1e9, 2),
                    "widest_bounds": found["width"],
                    "met": ratio <= LIMIT and memory <= MEMORY,
                }
            )
    return rows


def measured(heads: int, name: str, with_values: bool) -> None:
    """Print the processor time of both for these keys, and the peak memory of the process."""
    import resource

    import headwright as hw

    rng = np.random.default_rng(0)
    shape = heads, N, D
    keys, queries = rng.standard_normal(shape), rng.standard_normal(shape)
    keys *= 0.3
    stored = keys + MOVES[name] * rng.standard_normal(shape)
    values = rng.standard_normal(shape) if with_values else None
    hw.compare(keys[0], stored[0], queries[0], causal=True)  # everything is imported, and the memory warm

    def plain(some: range) -> float:
        return sum(
            spent(lambda: attentions(keys[h], stored[h], queries[h], None if values is None else values[h]))  # noqa: B023
            for h in some
        )

    before = plain(range(0, heads, 2))  # half of them before and half after, since other processes come and go
    start = time.process_time()
    result = hw.compare(keys, stored, queries, values=values, causal=True)
    ours = time.process_time() - start
    attentions_s = before + plain(range(1, heads, 2))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    width = float((result.variation - result.variation_low).max())
    print(json.dumps({"compare_s": ours, "attentions_s": attentions_s, "peak_bytes": peak, "width": width}))


def spent(job: Callable[[], object]) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


def attentions(keys: np.ndarray, stored: np.ndarray, queries: np.ndarray, values: np.ndarray | None) -> None:
    """The weights over the keys and over the stored keys, and the outputs where there are values, block by block."""
    n = len(keys)
    scores = np.empty(ROWS * n)
    for start in range(0, n, ROWS):
        stop = min(start + ROWS, n)
        hidden = np.arange(start + 1, stop)[None, :] >= np.arange(start + 1, stop + 1)[:, None]
        for rows in (keys, stored):
            weights = scores[: (stop - start) * stop].reshape(-1, stop)
            np.matmul(queries[start:stop], rows[:stop].T, out=weights)
            weights[:, start + 1 :][hidden] = -np.inf
            weights -= weights.max(axis=1)[:, None]
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=1)[:, None]
            if values is not None:
                weights @ values[:stop]
