"""A query that survives being stored in a narrow type: found by search, judged by proof.

Rounding moves every coordinate by up to half its spacing, and with it the scores. What that breaks differs:

* the leak, when the query meets the error with nothing to spare: a slightly longer query regains it;
* the ratios inside the goal's support, which no length regains: some coordinates must be rounded the other way, so that
  the rounding errors cancel where it matters.

For the second, write r for the rounding errors. The scores of the keys that carry weight move least where rᵀHr is small, H the
covariance of the keys under the weights: a closest-vector problem on the lattice of stored numbers. Babai's nearest plane
gives a good point in O(d²): round one coordinate after the other, coarsest first, each time letting those not yet rounded make
good the error so far. From the best such point, single and paired steps to neighbouring numbers lower the total variation
itself. All of it is a heuristic; lengthening keeps the differences of the targets' scores, and with them the ratios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from headwright.kernel.goals import Goal
from headwright.kernel.number_types import round_to
from headwright.search.least_norm.landscape import total_variation

# Lengths tried: the shortest that survives is wanted, so they grow slowly at first.
_FACTORS = (1.0, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2.0)
_STEPS, _PAIRED, _ORDERS = 60, 10, 3  # steps of a descent, coordinates paired in one, orders of rounding
_RIDGE = 1e-4  # of the mean spread: see `nearest_plane`
_LOWER = 1e-9  # a step must lower the total variation by this part: less is rounding
_MORE, _WORK = 60, 2_000_000  # random lengths tried after those: each rounds anew; fewer where n·d is large
_BLOCK = 2**21  # scores held at once while the neighbours are looked at
_LARGEST = {
    "float32": float(np.finfo(np.float32).max),
    "float16": float(np.finfo(np.float16).max),
    "bfloat16": (2 - 2.0**-7) * 2.0**127,
}

Nearest = Callable[[np.ndarray], np.ndarray]


def survive(
    keys_rounded: np.ndarray,
    goal: Goal,
    error: Fraction,
    query: np.ndarray,
    scale: float | Fraction,
    precision: str,
    *,
    judge: Callable[[np.ndarray], bool],
    seed: int = 0,
) -> tuple[np.ndarray | None, str]:
    """A query (d,) of numbers of `precision` that `judge` accepts, and how it was found; or None, and why none was.

    `query` (d,) meets the error for the rounded keys (n, d) at `scale` before its own rounding. Candidates come roughly
    shortest first; those that float64 sees to miss the error are not judged.

    >>> from headwright.kernel.goals import Copy
    >>> survive(np.eye(2), Copy(0), Fraction(1, 10), np.array([1.1, -1.1]), 1.0, "bfloat16", judge=lambda q: q[0] > 1.1)
    (array([ 1.1015625, -1.1015625]), 'rounded to nearest')
    """
    try:
        first = round_to(query, precision)
    except ValueError as overflow:
        return None, f"the query does not fit: {overflow}"
    if judge(first):
        return first, "rounded to nearest"
    order = [*goal.indices, *sorted(set(range(len(keys_rounded))) - set(goal.indices))]
    rows = float(scale) * (keys_rounded[order] - keys_rounded[order[0]])  # one vector added to all keys changes nothing
    shares = np.array([float(share) for share in goal.shares])
    least = float(total_variation(rows @ first, shares))
    for candidate, how in _candidates(rows, shares, query, precision, np.random.default_rng(seed)):
        variation = float(total_variation(rows @ candidate, shares))
        least = min(least, variation)
        if variation <= float(error) and judge(candidate):
            return candidate, how
    if least <= float(error):
        return (
            None,
            f"nearest found has total variation {least:.6g}, too near {float(error):.6g} to be proved within it",
        )
    return None, f"nearest found has total variation {least:.6g} > {float(error):.6g}"


def _candidates(
    rows: np.ndarray, shares: np.ndarray, query: np.ndarray, precision: str, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, str]]:
    def nearest(x: np.ndarray) -> np.ndarray:
        return round_to(np.clip(x, -_LARGEST[precision], _LARGEST[precision]), precision)

    between = rows[1 : len(shares)] - rows[0]
    # rcond: targets in line but for rounding count as in line
    level = np.linalg.pinv(between, rcond=1e-9) @ (between @ query)  # the shortest query with these ratios
    more = min(_MORE, _WORK // rows.size)
    for factor in [*_FACTORS, *(1 + 0.5 * rng.random(more)).tolist()]:
        wanted = level + factor * (query - level)
        length = "" if factor == 1 else f"lengthened by {factor:.4g}, "
        rounded = [nearest(wanted)]
        yield rounded[0], length + "rounded to nearest"
        spacing = _spacing(rounded[0], precision)
        for k in range(_ORDERS):
            coarseness = spacing if k == 0 else spacing * np.exp(rng.normal(size=len(query)))
            rounded.append(nearest_plane(rows, wanted, np.argsort(-coarseness, kind="stable"), nearest))
            yield rounded[-1], length + "rounded by nearest planes"
        best = rounded[int(np.argmin([total_variation(rows @ x, shares) for x in rounded]))]
        for lower in _descent(rows, shares, best, precision, nearest):
            yield lower, length + "then moved to neighbouring numbers"


def _spacing(x: np.ndarray, precision: str) -> np.ndarray:
    """The distance from each |x| to the next larger number of the type; bfloat16 is float32 less 16 bits."""
    kind = np.float16 if precision == "float16" else np.float32
    coarser = 2.0**16 if precision == "bfloat16" else 1.0
    spacing: np.ndarray = np.spacing(np.abs(x).astype(kind)).astype(np.float64) * coarser
    return spacing


def nearest_plane(rows: np.ndarray, wanted: np.ndarray, order: np.ndarray, nearest: Nearest) -> np.ndarray:
    """Babai's point for rᵀHr, r = wanted - rounded, the coordinates rounded in the given order.

    H = RᵀR, R upper triangular, so rᵀHr = Σ_i R_ii² (r_i + Σ_{j>i} R_ij r_j / R_ii)²: from the last coordinate to the first, each
    is rounded so that its own square is least. The ridge keeps directions without weight from paying for the others.
    """
    scores = rows @ wanted
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    apart = (rows - weights @ rows)[:, order[::-1]]  # the first to be rounded comes last
    spread = (weights[:, None] * apart).T @ apart
    size = float(np.trace(spread)) / len(order)
    if not size > 0:
        return nearest(wanted)
    upper = np.linalg.cholesky(spread + _RIDGE * size * np.eye(len(order))).T
    aim, left = wanted[order[::-1]], np.zeros(len(order))  # left = aim - rounded, so far
    for i in reversed(range(len(order))):
        drift = float(upper[i, i + 1 :] @ left[i + 1 :]) / upper[i, i]
        left[i] = aim[i] - float(nearest(aim[i : i + 1] + drift)[0])
    point = np.empty_like(wanted)
    point[order[::-1]] = aim - left
    return nearest(point)  # aim - left is the stored number up to a rounding of float64


def _descent(
    rows: np.ndarray, shares: np.ndarray, x: np.ndarray, precision: str, nearest: Nearest
) -> Iterator[np.ndarray]:
    """Ever lower total variation by steps to neighbouring numbers: of one coordinate, and of two where one does not help."""
    lowest = float(total_variation(rows @ x, shares))
    for _ in range(_STEPS):
        spacing = _spacing(x, precision)
        sizes = (spacing, np.maximum(spacing, np.median(spacing)))
        singles = [(i, sign * size[i]) for size in sizes for i in range(len(x)) for sign in (1, -1)]
        moves = _moved(x, [[single] for single in singles], nearest)
        variations = _variations(rows, shares, moves)
        if variations.min() >= lowest:
            chosen = [singles[k] for k in np.argsort(variations, kind="stable")[: 2 * _PAIRED]]
            pairs = [[a, b] for a, b in combinations(chosen, 2) if a[0] != b[0]]
            if not pairs:
                return
            moves = _moved(x, pairs, nearest)
            variations = _variations(rows, shares, moves)
        if not variations.min() < lowest * (1 - _LOWER):
            return
        lowest, x = float(variations.min()), moves[int(variations.argmin())]
        yield x


def _moved(x: np.ndarray, moves: list[list[tuple[int, float]]], nearest: Nearest) -> np.ndarray:
    """One row per list of (coordinate, step)."""
    moved = np.repeat(x[None], len(moves), axis=0)
    for row, steps in zip(moved, moves, strict=True):
        for i, step in steps:
            row[i] += step
    return nearest(moved)


def _variations(rows: np.ndarray, shares: np.ndarray, queries: np.ndarray) -> np.ndarray:
    block = max(1, _BLOCK // len(rows))
    parts = [total_variation(queries[k : k + block] @ rows.T, shares) for k in range(0, len(queries), block)]
    return np.concatenate(parts)
