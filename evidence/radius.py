"""The radius of 300 designs with one head, against a bisection by a checker that shares no code with headwright.

Boxes and balls, without a profile and with one per key, per channel and per entry, for every goal and many sizes of keys. The
interval must contain the bisected radius and have a relative width of at most 10^-6. By the second opinion too,
its proved end must hold and its refuted end break.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import count, product
from pathlib import Path

import mpmath
import numpy as np

import headwright as hw
from evidence.partial import Partial
from tests import known_moves, second_opinion

CLAIM = "the radius of 300 designs with one head agrees with an independent bisection, to a relative width of 10^-6"
CASES = 300
KINDS = list(product(("box", "ball"), (None, "key", "channel", "entry")))
_DIGITS = 20


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    with Partial(store, __file__) as partial:
        for seed in range(CASES if limit is None else limit):
            if str(seed) not in partial:
                partial.add(str(seed), case(seed))
        rows = {name: partial[name] for name in partial}
    bad = [name for name, row in rows.items() if not row["good"]]
    return {
        "holds": not bad,
        "bad": bad,
        "cases": dict(Counter(row["kind"] for row in rows.values())),
        "goals": dict(Counter(row["goal"] for row in rows.values())),
        "largest_width": max(row["width"] for row in rows.values()),
        "smallest_and_largest_radius": [
            min(row["low"] for row in rows.values()),
            max(row["high"] for row in rows.values()),
        ],
    }


def case(seed: int) -> dict[str, object]:
    norm, per = KINDS[seed % len(KINDS)]
    rng, design = np.random.default_rng(seed), None
    for _ in count():
        keys, goal = _keys(rng)
        design = hw.design(keys, goal, error=float(rng.choice([0.2, 0.05, 0.001])), scale=0.5, throw=False)
        if isinstance(design, hw.Design) and design.norm > 0:
            break
    assert isinstance(design, hw.Design)
    n, d = keys.shape
    # between 1.05 times the error of the design and what its goal can be missed by at all
    most = 1 - float(min(goal.shares)) if len(goal.indices) == n else 1.0
    error = min(design.error * float(rng.choice([1.05, 1.5, 5.0])), (design.error + most) / 2)
    profile = None if per is None else rng.uniform(0, 3, size={"key": n, "channel": d, "entry": (n, d)}[per])
    if profile is not None and seed % 3 == 0:
        profile = profile * rng.integers(0, 2, size=profile.shape) + (rng.integers(0, profile.size) == 0)
    shape = {"key": (n, 1), "channel": (1, d), "entry": (n, d), None: (1, 1)}[per]
    wide = np.ones(shape) if profile is None else np.reshape(profile, shape)
    if not wide.any():
        wide, profile = wide + 1, profile + 1
    with mpmath.workdps(_DIGITS + 20):
        reach = known_moves.moves(keys.shape, design.query, norm, wide, Fraction(1, 2))
        given = known_moves.scores(keys, design.query, Fraction(1, 2)), reach
        shares = dict(zip(goal.indices, goal.shares, strict=True))
        far = known_moves.variation(*given, shares, mpmath.mpf(10) ** 6 / (max(reach) or 1)) > error
        low, high = (0, 0)
        if far:
            low, high = known_moves.bisected(lambda t: known_moves.variation(*given, shares, t) > error, _DIGITS)
    found = hw.radius(keys, design, error=error, norm=norm, per=per, profile=profile)
    row = {"kind": f"{norm}, {per or 'no profile'}", "goal": type(goal).__name__}
    if not far:  # the keys that move are too few to break it: nothing may be refuted
        good = found.refutation is None and found.verdict.status == "proved"
        return {**row, "good": bool(good), "width": 0.0, "low": 1.0, "high": 1.0}
    width = (found.high - found.low) / found.high
    agreed = found.low <= high and low <= found.high and found.exact and width <= 1e-6
    judged = second_opinion.judge(found.verdict.record), second_opinion.judge(found.refutation.record)
    breaks = second_opinion.check_counterexample(found.refutation)
    good = agreed and judged == ("true", "false") and breaks
    return {**row, "good": bool(good), "width": width, "low": found.low, "high": found.high}


def _keys(rng: np.random.Generator) -> tuple[np.ndarray, hw.Copy]:
    n, d, m = int(rng.integers(2, 25)), int(rng.integers(1, 9)), int(rng.integers(1, 5))
    keys = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-3, 3)
    chosen = rng.choice(n, min(m, n), replace=False).tolist()
    if len(chosen) == 1:
        return keys, hw.Copy(chosen[0])
    if rng.integers(2):
        return keys, hw.Average(*chosen)
    return keys, hw.Blend({j: int(rng.integers(1, 4)) for j in chosen})
