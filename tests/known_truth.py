"""Claims with a known answer: keys and what is asked of them, and the true value with 700 digits.

Written without headwright, for `evidence/` and for the tests: scores are rationals, exponentials mpmath's, and the sets
and thresholds over which a worst case is taken are tried one by one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import mpmath
import numpy as np

DIGITS = 700


@dataclass
class Base:
    """Keys as rows with multiplicities (the rows a goal names come once, and first), and what is asked of them."""

    rows: np.ndarray
    queries: np.ndarray
    goal: dict[int, Fraction] | None = None
    values: np.ndarray | None = None  # per row: asks for a functional of the weights instead of a goal
    counts: list[int] = field(default_factory=list)
    mix: np.ndarray | None = None
    scale: Fraction = Fraction(1)
    radius: Fraction | None = None
    norm: str = "box"
    errors: dict[Fraction, bool] | None = None  # where v is out of reach: errors, and whether they hold

    def __post_init__(self) -> None:
        self.counts = self.counts or [1] * len(self.rows)
        self.mix = np.ones(len(self.queries)) if self.mix is None else self.mix

    @property
    def n(self) -> int:
        return sum(self.counts)


def mp(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def exponentials(base: Base) -> list[list[Any]]:
    """Per head: the exponentials of all rows, times multiplicity, relative to the largest."""
    heads = []
    for query in base.queries.tolist():
        q = [Fraction(c) for c in query]
        scores = [base.scale * sum(Fraction(a) * b for a, b in zip(row, q, strict=True)) for row in base.rows.tolist()]
        gaps = [score - max(scores) for score in scores]
        exps = [mpmath.exp(mp(g)) for g in gaps]
        heads.append([e * c for e, c in zip(exps, base.counts, strict=True)])
    return heads


def reach(base: Base) -> Any:
    """How far a score moves when its key moves by the radius (one head)."""
    parts = [abs(Fraction(c)) for c in base.queries[0].tolist()]
    if base.norm == "box":
        move = base.scale * base.radius * sum(parts)
        return mp(move)
    square = (base.scale * base.radius) ** 2 * sum(c * c for c in parts)
    return mpmath.sqrt(mp(square))


def truth(base: Base) -> Any:
    """The true value the claims are placed around."""
    heads = exponentials(base)
    total = [mpmath.fsum(head) for head in heads]
    if base.radius is None:
        mix = [Fraction(float(m)) for m in base.mix]
        shares = [mp(m / sum(mix)) for m in mix]
        alpha = [mpmath.mpf(0)] * len(base.rows)
        for share, head, z in zip(shares, heads, total, strict=True):
            alpha = [a + share * e / z for a, e in zip(alpha, head, strict=True)]
        if base.values is not None:
            return mpmath.fsum(a * float(y) for a, y in zip(alpha, base.values, strict=True))
        wanted = [mp(base.goal.get(j, Fraction(0))) for j in range(len(alpha))]
        return mpmath.fsum(max(a - w, mpmath.mpf(0)) for a, w in zip(alpha, wanted, strict=True))
    up, down = mpmath.exp(reach(base)), mpmath.exp(-reach(base))
    if base.values is not None:
        return max(pushed(heads[0], base.values, set(order), up, down) for order in thresholds(base.values))
    inside = sorted(base.goal)
    outside = [j for j in range(len(base.rows)) if j not in base.goal]
    sets = chain.from_iterable(combinations(inside, size) for size in range(len(inside)))
    found = []
    for chosen in sets:
        members = {*outside, *chosen}
        wanted = sum((base.goal[j] for j in chosen), Fraction(0))
        indicator = np.array([float(j in members) for j in range(len(base.rows))])
        found.append(pushed(heads[0], indicator, members, up, down) - mp(wanted))
    return max(found)


def pushed(head: list[Any], y: np.ndarray, raised: set[int], up: Any, down: Any) -> Any:
    moved = [e * (up if j in raised else down) for j, e in enumerate(head)]
    return mpmath.fsum(e * float(v) for e, v in zip(moved, y, strict=True)) / mpmath.fsum(moved)


def thresholds(y: np.ndarray) -> Iterator[list[int]]:
    order = np.argsort(-y, kind="stable").tolist()
    yield from (order[:k] for k in range(len(order) + 1))


def digits(v: Any, keep: int = 60) -> Fraction:
    """v to `keep` digits, far below every margin."""
    power = keep - int(mpmath.floor(mpmath.log10(v)))
    return Fraction(int(mpmath.floor(v * mpmath.mpf(10) ** power)), 10**power) if power > 0 else Fraction(int(v))


def copy(j: int = 0) -> dict[int, Fraction]:
    return {j: Fraction(1)}


def average(m: int) -> dict[int, Fraction]:
    return dict.fromkeys(range(m), Fraction(1, m))


def blend(rng: np.random.Generator, m: int) -> dict[int, Fraction]:
    parts = [Fraction(float(w)) for w in rng.uniform(0.1, 1, m)]
    return {j: part / sum(parts) for j, part in enumerate(parts)}


def gauss(rng: np.random.Generator, i: int, *, h: int = 1, sharp: float = 2.0) -> dict[str, Any]:
    n, d = (2, 3, 7, 20, 60, 150, 400, 1000)[i % 8], int(rng.integers(1, 6))
    return {"rows": rng.normal(size=(n, d)), "queries": sharp * rng.normal(size=(h, d))}
