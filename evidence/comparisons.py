"""Replaced keys: the proved bounds of every query beside its total variation and its change of output, computed another way.

The other way is float64: scores by NumPy, exponentials by NumPy, with an error bound of its own that is much wider than their
rounding (`REACH`). A sample of the queries of every case is computed with 40 digits from exact scores.
"""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

import headwright as hw
from evidence.partial import Partial
from headwright.search.compress.comparison import Comparison

CLAIM = "no bound of a total variation, of a change of output or of a winner is violated by any of 10^6 queries over key sets"
PARTS = ("kernel/**/*.py", "theories/stored_keys/*.py", "search/compress/*.py")
SEED = 1604
CASES = 640
DIGITS = 40
SAMPLED = 1  # queries of each case that are computed with 40 digits
SHAPES = ((16, 2048, 8), (64, 2048, 16), (256, 1024, 64), (1024, 1024, 32), (3, 2048, 2))  # keys, queries, dimension
SIZES = (0.1, 1.0, 4.0, 30.0)  # of the scores
STORED = ("noise", "tiny noise", "coarse", "one channel", "shifted", "others")
REACH = 1e-10  # what float64 may be off here: scores up to 10^4 are rounded by less than 10^-11
ROWS = 256


def case(i: int) -> dict[str, Any]:
    """Keys, stored keys, queries and values of case i; shape, size of the scores and kind of change all vary."""
    rng = np.random.default_rng([SEED, i])
    n, m, d = SHAPES[i % len(SHAPES)]
    size, kind = SIZES[i % len(SIZES)], STORED[i % len(STORED)]
    causal = i % 2 == 1 and m <= n
    keys, queries = rng.standard_normal((n, d)), size * rng.standard_normal((m, d)) / d**0.5
    if i % 7 == 0:
        keys[rng.integers(n)] *= 20  # an outlier
    stored = {
        "noise": lambda: keys + rng.uniform(0.01, 0.3) * rng.standard_normal((n, d)),
        "tiny noise": lambda: keys + 1e-9 * rng.standard_normal((n, d)),
        "coarse": lambda: np.rint(keys * 7 / np.abs(keys).max(axis=0)) * (np.abs(keys).max(axis=0) / 7),
        "one channel": lambda: keys * np.where(np.arange(d) == 0, 1.2, 1.0),
        "shifted": lambda: keys + rng.standard_normal(d),
        "others": lambda: rng.standard_normal((n, d)),
    }[kind]()
    values = rng.standard_normal((n, 4))
    others = values if i % 3 else values + 0.1 * rng.standard_normal((n, 4))
    return {
        "keys": keys,
        "stored": stored,
        "queries": queries,
        "values": values,
        "stored_values": others,
        "causal": causal,
        "scale": (1.0, 0.5, 1.25)[i % 3],
    }


def examine(i: int) -> dict[str, Any]:
    given = case(i)
    c = hw.compare(**given)
    seen: Counter[str] = Counter(queries=c.variation.size)
    for start in range(0, len(given["queries"]), ROWS):
        block = slice(start, start + ROWS)
        variation, change, before, after = in_float64(given, block)
        seen["violated"] += int(
            (c.variation_low[block] > variation + REACH).sum() + (c.variation[block] < variation - REACH).sum()
        )
        near = REACH * (1 + change)
        seen["violated"] += int(
            (c.output_change_low[block] > change + near).sum() + (c.output_change[block] < change - near).sum()
        )
        seen["violated"] += int(
            (c.winner_kept[block] & (before != after)).sum() + (c.winner_changed[block] & (before == after)).sum()
        )
    rng = np.random.default_rng([SEED, i, 1])
    for row in rng.choice(len(given["queries"]), SAMPLED, replace=False).tolist():
        seen["sampled"] += 1
        seen["violated"] += digits_violate(given, row, c)
    seen["winner decided"] = int((c.winner_kept | c.winner_changed).sum())
    return {"seen": dict(seen), "width": float((c.variation - c.variation_low).max())}


def hidden(given: dict[str, Any], rows: np.ndarray) -> np.ndarray:
    n, m = len(given["keys"]), len(given["queries"])
    return np.arange(n)[None, :] > (n - m + rows if given["causal"] else np.full(len(rows), n))[:, None]


def in_float64(given: dict[str, Any], block: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(total variation, change of output, winner before, winner after) of a block of queries."""
    rows = np.arange(len(given["queries"]))[block]
    weights, winners, outputs = [], [], []
    for keys, values in ((given["keys"], given["values"]), (given["stored"], given["stored_values"])):
        scores = given["scale"] * given["queries"][block] @ keys.T
        scores[hidden(given, rows)] = -np.inf
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append(powers / powers.sum(axis=1, keepdims=True))
        winners.append(scores.argmax(axis=1))
        outputs.append(weights[-1] @ values)
    variation = np.abs(weights[0] - weights[1]).sum(axis=1) / 2
    return variation, np.linalg.norm(outputs[0] - outputs[1], axis=1), winners[0], winners[1]


def digits_violate(given: dict[str, Any], row: int, c: Comparison) -> int:
    """Whether 40 digits contradict a bound of one query."""
    seen = ~hidden(given, np.array([row]))[0]
    query = [Fraction(x) * Fraction(given["scale"]) for x in given["queries"][row].tolist()]
    weights, outputs = [], []
    with mpmath.workdps(DIGITS):
        for keys, values in ((given["keys"], given["values"]), (given["stored"], given["stored_values"])):
            exact = [sum(Fraction(k) * q for k, q in zip(key, query, strict=True)) for key in keys[seen].tolist()]
            top = max(exact)
            powers = [mpmath.exp(mpmath.mpf((s - top).numerator) / (s - top).denominator) for s in exact]
            whole = mpmath.fsum(powers)
            weights.append([p / whole for p in powers])
            outputs.append([mpmath.fdot(weights[-1], column) for column in values[seen].T.tolist()])
        variation = mpmath.fsum(abs(a - b) for a, b in zip(*weights, strict=True)) / 2
        change = mpmath.sqrt(mpmath.fsum((a - b) ** 2 for a, b in zip(*outputs, strict=True)))
        off = mpmath.mpf(10) ** (4 - DIGITS)
        inside = c.variation_low[row] - off <= variation <= c.variation[row] + off
        return int(not (inside and c.output_change_low[row] - off <= change <= c.output_change[row] + off))


def run(store: Path, *, limit: int | None = None) -> dict[str, Any]:
    cases = [str(i) for i in range(CASES)][:limit]
    with Partial(store, __file__, parts=PARTS) as partial:
        for name in cases:
            if name not in partial:
                partial.add(name, examine(int(name)))
        rows = [partial[name] for name in cases]
    seen: Counter[str] = Counter()
    for row in rows:
        seen.update(row["seen"])
    return {
        "holds": seen["violated"] == 0 and (limit is not None or seen["queries"] >= 10**6),
        "cases": len(rows),
        "queries": seen["queries"],
        "queries with 40 digits": seen["sampled"],
        "violations": seen["violated"],
        "share of winners decided": round(seen["winner decided"] / seen["queries"], 6),
        "widest bounds": max(row["width"] for row in rows),
        "seed": SEED,
    }
