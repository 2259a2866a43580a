"""Claims whose exact answer is known, put a hair to either side of it: none may be judged wrongly.

The true value v (total variation, its worst over moved keys, or a functional of the weights) comes from
`tests/known_truth.py`, which knows nothing of headwright. Claims then ask for v·(1 ± m), and near 1 also for
1 - (1-v)·(1 ± m), as exact rationals.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

import headwright as hw
from evidence.partial import Partial
from tests import known_truth
from tests.known_truth import Base, average, blend, copy, digits, gauss, truth

CLAIM = "no claim is judged falsely, and none with n <= 1000 is left open at a relative margin of 1e-12 or more"
SEED = 20250
MARGINS = ("1e-15", "1e-12", "1e-9", "1e-6", "1e-3")
REPEATS = 13
TRUTH = hashlib.sha256(Path(known_truth.__file__).read_bytes()).hexdigest()[:8]  # finished cases rest on it too
LARGE = {"blocks": 5, "blocks heads": 3, "blocks moved": 4}  # rarer: each takes seconds
SMALL_N = 1000
OUTCOMES = {
    ("proved", True): "proved rightly",
    ("refuted", False): "refuted rightly",
    ("proved", False): "FALSE PROVED",
    ("refuted", True): "FALSE REFUTED",
}


def claims(base: Base) -> Iterator[tuple[str, Fraction, bool]]:
    """(margin, asked number, whether the claim is true)."""
    if base.errors is not None:
        yield from (("far", error, holds) for error, holds in base.errors.items())
        return
    with mpmath.workdps(known_truth.DIGITS):
        v = truth(base)
        value = digits(v)
        rest = digits(1 - v) if base.values is None and v > 0.99 else None
    for margin in MARGINS:
        for sign in (1, -1):
            m = sign * Fraction(margin)
            if base.values is not None or value * (1 + m) < 1:
                yield margin, value * (1 + m), sign > 0
            if rest is not None:
                yield margin, 1 - rest * (1 - m), sign > 0


def verdict(base: Base, asked: Fraction) -> str:
    keys = np.repeat(base.rows, base.counts, axis=0)
    common = {"radius": base.radius, "norm": base.norm, "scale": base.scale, "mix": base.mix}
    if base.values is not None:
        y = np.repeat(base.values, base.counts)
        return hw.certify(keys, base.queries, of=y, at_most=asked, **common).status
    shares = set(base.goal.values())
    goal = hw.Blend(base.goal) if len(shares) > 1 else (hw.Average if len(base.goal) > 1 else hw.Copy)(*base.goal)
    return hw.certify(keys, base.queries, goal, error=asked, **common).status


def examine(base: Base) -> dict[str, Any]:
    seen: Counter[str] = Counter()
    for margin, asked, holds in claims(base):
        try:
            status = verdict(base, asked)
        except (ArithmeticError, MemoryError, ValueError):  # no false answer, but no answer either
            status = "raised"
        seen[f"{margin} {OUTCOMES.get((status, holds), status)}"] += 1
    return {"n": base.n, "seen": dict(seen)}


def run(store: Path, *, limit: int | None = None) -> dict[str, Any]:
    cases = [(name, i) for i in range(REPEATS) for name in FAMILIES if i < LARGE.get(name, REPEATS)][:limit]
    with Partial(store, __file__) as partial:
        for name, i in cases:
            if label(name, i) not in partial:
                partial.add(
                    label(name, i),
                    {"family": name, **examine(FAMILIES[name](np.random.default_rng([SEED, *name.encode(), i]), i))},
                )
        return summary([partial[label(name, i)] for name, i in cases])


def label(name: str, i: int) -> str:
    return f"{name} {i} {TRUTH}"


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    per: dict[str, Counter[str]] = {margin: Counter() for margin in ("far", *MARGINS)}
    families: Counter[str] = Counter()
    open_small = 0
    for row in rows:
        for what, count in row["seen"].items():
            margin, outcome = what.split(" ", 1)
            per[margin][outcome] += count
            families[row["family"]] += count
            if outcome == "undecided" and margin != "1e-15" and row["n"] <= SMALL_N:
                open_small += count
    outcomes: Counter[str] = sum(per.values(), Counter())
    false = outcomes["FALSE PROVED"] + outcomes["FALSE REFUTED"]
    margins = {
        margin: {**seen, "share decided": round(1 - (seen["undecided"] + seen["raised"]) / max(1, seen.total()), 6)}
        for margin, seen in per.items()
    }
    return {
        "holds": false == outcomes["raised"] == open_small == 0,
        "claims": sum(families.values()),
        "false verdicts": false,
        "exceptions": outcomes["raised"],
        "left open at 1e-12 or wider, n <= 1000": open_small,
        "largest n": max(row["n"] for row in rows),
        "per relative margin": margins,
        "per family": dict(families),
        "seed": SEED,
    }


def random_copy(rng: np.random.Generator, i: int) -> Base:
    return Base(**gauss(rng, i), goal=copy(), scale=(Fraction(1), Fraction(1, 3), Fraction(0.7))[i % 3])


def several_heads(rng: np.random.Generator, i: int) -> Base:
    h = 2 + i % 3
    base = gauss(rng, i % 6, h=h)
    n = len(base["rows"])
    goal = (copy(), average(min(3, n)), blend(rng, min(4, n)))[i % 3]
    return Base(
        **base, goal=goal, mix=rng.uniform(size=h) * 10.0 ** rng.integers(-8, 3, h), scale=Fraction(1, 1 + i % 2)
    )


def equal_targets(rng: np.random.Generator, i: int) -> Base:
    base, m = gauss(rng, 2 + i % 6), 2 + i % 4
    base["rows"][:m] = base["rows"][0]
    return Base(**base, goal=average(m))


def ratios_by_logarithm(rng: np.random.Generator, i: int) -> Base:
    """Orthonormal keys and q_j = t + ln w_j: the ratios are right to rounding only."""
    n, m = 4 + 3 * i, 2 + i % 3
    goal = blend(rng, m)
    query = np.where(np.arange(n) < m, 5.0 * i, 0.0)
    query[:m] += np.log([float(goal[j]) for j in range(m)])
    return Base(np.eye(n), query[None], goal=goal)


def uneven(rng: np.random.Generator, i: int) -> Base:
    base = gauss(rng, 2 + i % 6, sharp=0.3)
    return Base(**base, goal=(average(3), blend(rng, 5))[i % 2])


def duplicates(rng: np.random.Generator, i: int) -> Base:
    rows = rng.integers(-2, 3, size=(5 + 20 * i, 3)).astype(float)
    return Base(rows, rng.normal(size=(1, 3)), goal=(copy(), average(4), blend(rng, 3))[i % 3])


def subnormal(rng: np.random.Generator, i: int) -> Base:
    rows = rng.integers(1, 2**51, size=(2 + 4 * i, 1 + i % 4)) * 2.0**-1074
    return Base(rows, rng.uniform(0.5, 1, size=(1, rows.shape[1])) * 2.0**1023, goal=copy(i % 2))


def huge_scores(rng: np.random.Generator, i: int) -> Base:
    """Scores near ±1e5, 1e8 or 1e14 whose differences are small; entries of 1e300 against 1e-300."""
    n, far = 3 + 7 * i, (1e5, -1e5, 1e8, -1e8, 2.0**46)[i % 5]
    steps = rng.integers(-40, 41, size=n) / 8
    if i % 3 == 0:
        return Base((far + steps)[:, None], np.ones((1, 1)), goal=copy())
    if i % 3 == 1:
        return Base(
            np.column_stack([far + steps, np.full(n, -far)]), np.ones((1, 2)), goal=copy(), scale=Fraction(1, 3)
        )
    return Base(rng.normal(size=(n, 2)) * 1e300, rng.normal(size=(1, 2)) * 3e-300, goal=average(2))


def tiny_error(rng: np.random.Generator, i: int) -> Base:
    gap, n = (20.0, 100.0, 300.0, 500.0, 690.0)[i % 5], 2 + 9 * i
    rows = np.column_stack([np.where(np.arange(n) < 1 + i % 2, gap, 0.0), rng.uniform(-1, 0, size=n)])
    rows[:2, 1] = 0.0
    return Base(rows, np.array([[1.0, 2.0]]), goal=(copy(), average(2))[i % 2])


def near_one(rng: np.random.Generator, i: int) -> Base:
    gap, n = (10.0, 100.0, 300.0, 690.0)[i % 4], 2 + 9 * i
    rows = np.column_stack([np.where(np.arange(n) < 1, -gap, 0.0), rng.uniform(0, 1, size=n)])
    return Base(rows, np.array([[1.0, 2.0]]), goal=copy())


def out_of_reach(rng: np.random.Generator, i: int) -> Base:
    """Gaps so wide that the true error is below 1e-1000, or that close to 1."""
    gap, tiny = (1e5, 1e8, 1e300, 3e3)[i % 4], Fraction(1, 10**300)
    rows = np.array([[gap], [0.0], [gap / 2]])
    answers = {tiny: True, Fraction(1, 2): True} if i % 2 else {Fraction(1, 2): False, 1 - tiny: False}
    return Base(rows, np.ones((1, 1)), goal=copy(0 if i % 2 else 1), errors=answers)


def moved(rng: np.random.Generator, i: int) -> Base:
    base = gauss(rng, 2 + i % 6, sharp=(0.5, 2.0)[i % 2])
    goal = (copy(), average(2 + i % 3), blend(rng, 3 + i % 2))[i % 3]
    radius = (Fraction(1, 10), Fraction(1, 1000), Fraction(0.3))[(i // 3) % 3]
    return Base(**base, goal=goal, radius=radius, norm=("box", "ball")[i % 2], scale=Fraction(1, 1 + i % 3))


def functional(rng: np.random.Generator, i: int) -> Base:
    base = gauss(rng, i % 6, h=1 + i % 3)
    return Base(**base, values=rng.uniform(0.1, 1, size=len(base["rows"])), mix=rng.uniform(0.1, 1, size=1 + i % 3))


def functional_moved(rng: np.random.Generator, i: int) -> Base:
    base = gauss(rng, i % 5)
    values = rng.uniform(0.1, 1, size=len(base["rows"]))
    if i % 2:
        values = (np.arange(len(values)) == 0).astype(float)
    return Base(**base, values=values, radius=Fraction(1 + i, 20), norm=("box", "ball")[i % 2])


def blocks(rng: np.random.Generator, i: int, *, h: int = 1, **asked: Any) -> Base:
    """A few distinct keys, one of them or two many times over."""
    rows = rng.normal(size=(6, 3))
    rows[:2] += 4
    n = (1_000, 3_000, 10_000, 30_000, 100_000)[i % 5]
    queries = np.abs(rng.normal(size=(h, 3))) + 0.5
    return Base(rows, queries, goal=(copy(), average(2))[i % 2], counts=[1, 1, 1, 1, n // 3, n - n // 3 - 4], **asked)


FAMILIES: dict[str, Callable[[np.random.Generator, int], Base]] = {
    "one head": random_copy,
    "several heads": several_heads,
    "equal targets": equal_targets,
    "ratios by logarithm": ratios_by_logarithm,
    "uneven": uneven,
    "duplicates": duplicates,
    "subnormal": subnormal,
    "huge scores": huge_scores,
    "tiny error": tiny_error,
    "near one": near_one,
    "out of reach": out_of_reach,
    "moved keys": moved,
    "functional": functional,
    "functional, moved keys": functional_moved,
    "blocks": blocks,
    "blocks heads": lambda rng, i: blocks(rng, i, h=2, mix=np.array([0.3, 0.7])),
    "blocks moved": lambda rng, i: blocks(rng, i + 1, radius=Fraction(1, 50), norm="ball"),
}
