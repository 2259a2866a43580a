"""Leaked mass over a box of scores: the largest is known by formula, and both sides of it are judged rightly.

One target with score s and N equal outsiders with score 0, every key free to move its score by ±δ: the largest leak is
N / (N + e^{s-2δ}). Interval arithmetic that forgets that numerator and denominator share their terms says
1 - e^{s-δ} / (e^{s+δ} + N·e^δ) instead; how much more that is stands beside.
"""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

import headwright as hw
from evidence.partial import Partial

CLAIM = "the worst leak over a score box is distinguished from one a relative 1e-9 above and below it, for up to 200,001 keys"
OUTSIDERS = (1_000, 10_000, 100_000, 200_000)
LEAKS = (0.001, 0.01, 0.1, 0.5, 0.9)
HALF_WIDTHS = (1 / 32, 1 / 8, 1 / 4, 1 / 2)
MARGIN = Fraction(1, 10**9)
DIGITS = 60


def cases(limit: int | None = None) -> list[tuple[int, float, float]]:
    """All 80, smallest n first; the half-width varies fastest."""
    return [(count, leak, half) for count in OUTSIDERS for leak in LEAKS for half in HALF_WIDTHS][:limit]


def examine(count: int, leak: float, half: float) -> dict[str, Any]:
    """Both verdicts on one case: at 1e-9 above the true worst leak and at 1e-9 below it."""
    score = math.log(count * (1 - leak) / leak)
    keys = np.zeros((count + 1, 1))
    keys[0] = score
    with mpmath.workdps(DIGITS):
        worst = count / (count + mpmath.exp(mpmath.mpf(score) - 2 * mpmath.mpf(half)))
        true = Fraction(int(mpmath.floor(worst * mpmath.mpf(10) ** 50)), 10**50)
        low, high = mpmath.exp(mpmath.mpf(score) - half), mpmath.exp(mpmath.mpf(score) + half)
        naive = 1 - low / (high + count * mpmath.exp(mpmath.mpf(half)))
        looseness = float(naive / worst)
    above, below = (
        hw.certify(keys, np.ones(1), hw.Copy(0), error=true * factor, radius=half, norm="box").status
        for factor in (1 + MARGIN, 1 - MARGIN)
    )
    return {"above": above, "below": below, "worst": float(true), "naive over true": looseness}


def run(store: Path, *, limit: int | None = None) -> dict[str, Any]:
    with Partial(store, __file__) as partial:
        for case in cases(limit):
            if str(case) not in partial:
                partial.add(str(case), examine(*case))
        return summary([partial[str(case)] for case in cases(limit)])


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    right = sum(row["above"] == "proved" and row["below"] == "refuted" for row in rows)
    false = sum(row["above"] == "refuted" or row["below"] == "proved" for row in rows)
    return {
        "holds": right == len(rows),
        "cases": len(rows),
        "right on both sides": right,
        "false verdicts": false,
        "naive interval bound over the true worst, largest": round(max(row["naive over true"] for row in rows), 4),
    }
