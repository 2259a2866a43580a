"""What the heads of a real model can do within their own norm: the largest weight that any such query gives each key.

The model and the text are those of `compressed_keys.py`. Each head may use queries up to the norm of its own longest query there.
"""

from __future__ import annotations

import math
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from evidence.compressed_keys import NEEDS as NEEDS, every_head
from evidence.partial import Partial
from headwright import Copy, Design, attend, design_many

CLAIM = (
    "for every key of every head of a real model, the largest weight of any query within the head's own norm, bounded from both "
    "sides to 1e-9, and never below what the model's own queries give"
)
LEVELS = (0.5, 0.9)
# What the figures rest on.
PARTS = (
    "kernel/no_smaller_error.py",
    "kernel/within_error.py",
    "search/least_norm/within_norm.py",
    "search/least_norm/least_error.py",
)


def one_head(queries: np.ndarray, keys: np.ndarray) -> dict[str, Any]:
    """The norm, and for each key: a weight that a query reaches, one that none exceeds, and the largest of the own queries."""
    scale = 1 / math.sqrt(keys.shape[1])  # as float64 holds it
    norm = float(np.linalg.norm(queries, axis=1).max())
    designs = design_many(keys, [Copy(i) for i in range(len(keys))], max_norm=norm, scale=scale, throw=True)
    bounds = [(design.error, design.error_lower_bound) for design in designs if isinstance(design, Design)]
    own = attend(queries, keys, scale=scale).weights.max(axis=0)
    return {
        "norm": norm,
        "reached": [0.0 if error is None else 1 - error for error, _ in bounds],
        "at_most": [1.0 if least is None else 1 - least for _, least in bounds],
        "own": own.tolist(),
    }


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """Every head, or the first `limit`; the figures of each layer."""
    found, size = every_head(Partial(store, __file__, parts=PARTS), one_head, limit)
    rows = list(found.values())
    apart = max(most - low for row in rows for low, most in zip(row["reached"], row["at_most"], strict=True))
    # 1e-9: the own weights are computed in float64, without a proof
    above = max(own - most for row in rows for own, most in zip(row["own"], row["at_most"], strict=True))
    return {
        "holds": apart <= 1e-9 and above <= 1e-9,
        **size,
        "heads": len(rows),
        "largest_distance_of_the_bounds": apart,
        "layers": [
            _over_heads([row for name, row in found.items() if name.startswith(f"{layer}.")])
            for layer in sorted({int(name.split(".")[0]) for name in found})
        ],
    }


def _over_heads(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """One layer: the range of norms, the medians, and the shares of keys with at least each level."""
    norms = [row["norm"] for row in rows]
    figures: dict[str, Any] = {"norms": [min(norms), max(norms)]}
    for name in ("reached", "own"):
        every = [weight for row in rows for weight in row[name]]
        shares = [sum(weight >= level for weight in every) / len(every) for level in LEVELS]
        figures |= {name: shares, f"{name}_median": median(every)}
    return figures
