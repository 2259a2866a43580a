"""All Copy goals over the same keys at once, against one after the other."""

from __future__ import annotations

import numpy as np

import headwright as hw
from benchmarks.certify_speed import best_of

CLAIM = "design_many for all 1000 Copy goals of (1000, 64) is at least 3 times faster than one at a time"
N, D, FACTOR = 1000, 64, 3


def run() -> list[dict[str, object]]:
    keys = np.random.default_rng(1).standard_normal((N, D))
    goals = [hw.Copy(i) for i in range(N)]
    together = best_of(2, lambda: hw.design_many(keys, goals))
    alone = best_of(1, lambda: [hw.design(keys, goal) for goal in goals])
    many, some = hw.design_many(keys, goals), [hw.design(keys, goal) for goal in goals[:20]]
    agree = max(abs(a.norm / b.norm - 1) for a, b in zip(many, some, strict=False))
    proved = all(hw.certify(keys, design).status == "proved" for design in many[:50])
    return [
        {
            "goals": N,
            "together_s": together,
            "one_at_a_time_s": alone,
            "ratio": alone / together,
            "largest_difference": agree,
            "met": proved and agree <= 1e-9 and alone >= FACTOR * together,
        }
    ]
