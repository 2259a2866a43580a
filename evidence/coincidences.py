"""Nearest and coinciding positions against brute force: all pairs of rows that are made or rounded by other arithmetic.

The exact rows come from integers of 256 bits: e^{iω(t+1)} = e^{iωt}·e^{iω}, started by mpmath, off by less than 2^-230
after 4,096 steps. The rows as stored come from the library's float64 rows, each entry rounded in integers. Then every pair is
looked at by the sum of its squared differences, and those that float64 cannot tell from the nearest are compared in Fractions.
No shift, no ball, no screen is used.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np

import headwright as hw
from evidence.partial import Partial

CLAIM = (
    "for d = 2, 4, 8, …, 512 and five others, and for six other bases, L = 4,096, exact and, for d up to 256, in float32, "
    "float16 and bfloat16, the nearest pair and the first coincidence are those of brute force; so is the nearest pair at d = 2, "
    "L = 100,000; all 1,000,000 positions are proved distinct at d = 2"
)
LENGTH = 4096
DIMS = (2, 4, 6, 8, 10, 16, 32, 48, 64, 96, 128, 130, 256, 512)
BASES = (
    (2, 10_000),
    (6, 1),
    (4, 16),
    (8, 10**9),
    *((dim, 10_000) for dim in DIMS[1:]),
    (64, 1),
    (24, 2),
    (16, 500_000),
)
TYPES = {"float32": (24, -149), "float16": (11, -24), "bfloat16": (8, -133)}
PLACES = 256
SHIFTS, MANY = 100_000, 1_000_000
WIDEST = 256  # whose rows are judged as stored: 2^20 numbers
KEPT = 62  # bits behind the point that rounding sees, and one that says whether more followed


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """With `limit`, that many dimensions and bases."""
    cases = BASES[:limit]
    with Partial(store, __file__) as partial:
        for dim, base in cases:
            if f"{dim} base {base}" not in partial:
                rows, types = fixed_rows(LENGTH, dim, base), (None, *TYPES) if dim <= WIDEST else (None,)
                partial.add(f"{dim} base {base}", {str(dtype): compared(rows, base, dtype) for dtype in types})
        if "long" not in partial:
            partial.add("long", longest())
        rows_of = {f"{d} base {b}, {t}": row for d, b in cases for t, row in partial[f"{d} base {b}"].items()}
        rows_of["long"] = partial["long"]
    bad = [name for name, row in rows_of.items() if not row["good"]]
    first = {name: row["coincidence"] for name, row in rows_of.items() if row.get("coincidence")}
    return {"holds": not bad, "bad": bad, "cases": len(rows_of), "coincidences": first, "long": rows_of["long"]}


def compared(fixed: np.ndarray, base: int, dtype: str | None) -> dict[str, object]:
    """Ours against brute force on the same code."""
    length, dim = fixed.shape
    code = hw.position.sinusoidal(length, dim, float(base))
    ours, first = hw.position.nearest_pair(code, dtype=dtype), hw.position.coincidence(code, dtype=dtype)
    verdict = hw.position.distinct(code, dtype=dtype)
    if dtype is None:
        shifts, true = brute_shifts(fixed)
        good = (
            ours.pair == (0, min(shifts))
            and len(shifts) == 1
            and first is None
            and ours.distance.low <= true <= ours.distance.high
        )
        good = good and 0 < ours.distance.high - ours.distance.low <= 4e-16 * ours.distance.high
    else:
        whole = np.vectorize(int, otypes=[object])(np.ldexp(np.asarray(code), PLACES))
        stored = rounded(whole, *TYPES[dtype])
        pair, square = brute_pair(stored)
        good = ours.pair == pair and Fraction(ours.distance.low) ** 2 <= square <= Fraction(ours.distance.high) ** 2
        good = good and first == (pair if square == 0 else None) and (first is None) == (verdict.status == "proved")
        good = good and (first is None or verdict.counterexample == {"pair": first})
    good = bool(good and verdict.status != "undecided" and ours.verdict.status == "proved")
    return {
        "good": good,
        "pair": list(ours.pair),
        "distance": ours.distance,
        "coincidence": list(first) if first else None,
    }


def longest() -> dict[str, object]:
    """d = 2: every shift below 100,000 by mpmath; the first 1,000,000 positions proved distinct."""
    ours = hw.position.nearest_pair(hw.position.sinusoidal(SHIFTS, 2))
    with mpmath.workdps(30):
        distances = [2 * abs(mpmath.sin(mpmath.mpf(s) / 2)) for s in range(1, SHIFTS)]
        least = min(distances)
        same = ours.pair == (0, 1 + distances.index(least)) and ours.distance.low <= least <= ours.distance.high
    proof = hw.position.distinct(hw.position.sinusoidal(MANY, 2))
    good = bool(same and proof.status == "proved" and proof.bound is not None and proof.bound > 0)
    return {"good": good, "pair": list(ours.pair), "distance": ours.distance, "million_apart": proof.bound}


def fixed_rows(length: int, dim: int, base: int) -> np.ndarray:
    """sin(tω), cos(tω) in columns 2i, 2i+1, as Python integers over 2^256."""
    one = 1 << PLACES
    with mpmath.workprec(PLACES + 64):
        omega = [mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / dim) for i in range(dim // 2)]
        cos1, sin1 = (
            np.array([int(mpmath.nint(f(w) * one)) for w in omega], dtype=object) for f in (mpmath.cos, mpmath.sin)
        )
    cos, sin = np.full(dim // 2, one, dtype=object), np.full(dim // 2, 0, dtype=object)
    rows = np.empty((length, dim), dtype=object)
    for t in range(length):
        rows[t, 0::2], rows[t, 1::2] = sin, cos
        cos, sin = (cos * cos1 - sin * sin1) >> PLACES, (sin * cos1 + cos * sin1) >> PLACES
    return rows


def rounded(fixed: np.ndarray, bits: int, lowest: int) -> np.ndarray:
    """Nearest numbers with so many bits, ties to even: integers cut to 62 bits, and a mark where more followed."""
    size = np.abs(fixed)
    cut = (size >> (PLACES - KEPT)).astype(np.int64)
    more = (size & ((1 << (PLACES - KEPT)) - 1)) != 0
    exponent = np.frexp(cut.astype(np.float64))[1].astype(np.int64)
    exponent -= cut < (
        np.int64(1) << np.maximum(exponent - 1, 0)
    )  # where the conversion to float64 rounded up to a power of two
    drop = np.maximum(exponent - bits, lowest + KEPT)
    assert (drop[size > 0] >= 1).all(), "an entry too small for 62 bits"
    drop = np.maximum(drop, 1)
    whole, rest, half = cut >> drop, cut & ((np.int64(1) << drop) - 1), np.int64(1) << (drop - 1)
    up = (rest > half) | ((rest == half) & (more.astype(bool) | (whole % 2 == 1)))
    result = np.ldexp((whole + up).astype(np.float64), drop - KEPT)
    return np.where(fixed < 0, -result, result) + 0.0


def brute_pair(stored: np.ndarray) -> tuple[tuple[int, int], Fraction]:
    """The nearest pair of all, smallest j and then smallest i among equals."""
    least, near = np.inf, []
    for j in range(1, len(stored)):
        square = ((stored[:j] - stored[j]) ** 2).sum(axis=1)
        least = min(least, float(square.min()))
        near += [(int(i), j) for i in np.flatnonzero(square <= least * (1 + 1e-12))]
        if least == 0:
            break  # no later j comes before this one
    best = None
    for i, j in near:
        differences = zip(stored[i].tolist(), stored[j].tolist(), strict=True)
        square = sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in differences), Fraction(0))
        if best is None or (square, j, i) < best:
            best = (square, j, i)
    return (best[2], best[1]), best[0]


def brute_shifts(fixed: np.ndarray) -> tuple[set[int], mpmath.mpf]:
    """The shifts of the nearest pairs of all, as float64 tells them, and the exact distance of one of these pairs."""
    rows = (fixed / (1 << PLACES)).astype(np.float64)
    least, near = np.inf, []
    for j in range(1, len(rows)):
        square = ((rows[:j] - rows[j]) ** 2).sum(axis=1)
        least = min(least, float(square.min()))
        near += [(float(square[i]), int(i), j) for i in np.flatnonzero(square <= least * (1 + 1e-7))]
    found = [(i, j) for square, i, j in near if square <= least * (1 + 1e-7)]
    i, j = found[0]
    total = sum((a - b) ** 2 for a, b in zip(fixed[i], fixed[j], strict=True))
    with mpmath.workprec(PLACES):
        return {j - i for i, j in found}, mpmath.sqrt(mpmath.mpf(total)) / (1 << PLACES)
