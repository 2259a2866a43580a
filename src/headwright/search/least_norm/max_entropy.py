"""The query that comes nearest to giving every target its least weight, and the tilted weights that bound what it lacks.

For targets i with levels c_i, f_i(q) = lse_{j≠i}((k_j - k_i)·q) and weights p_i = softmax of the same numbers,

    min_q max_i (f_i(q) - c_i)  =  max Σ_i λ_i (H(p_i) - c_i)   over λ >= 0, Σ λ = 1, Σ_i λ_i Σ_j p_ij (k_j - k_i) = 0.

A proof of impossibility needs the right side. Replace the maximum on the left by the smooth (1/β) ln Σ exp(β(f_i - c_i)). It is
convex, its gradient is Σ λ_i Σ_j p_ij (k_j - k_i) with λ = softmax(β(f - c)), and where the gradient vanishes, (λ, p) is feasible
on the right and at most ln(m)/β below the maximum. It is minimised by Newton steps, with β raised in rounds. With one target the
solution is the distribution of largest entropy whose mean is k_i, and no rounds are needed.

Scores may have a fixed part: k_j·q + lift_j. Then lift_j - lift_i joins (k_j - k_i)·q, and Σ λ_i p_ij (lift_j - lift_i) the
value.

If the minimum is only approached, by ever longer queries, the weights concentrate on a face of the hull. The problem is then
solved again on the keys that keep weight.

Nothing here is trusted: (λ, p) is made exact and judged by `proofs`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

SHARP = 2.0**20  # the last β: the bound is within ln(m)/β of the best
_MOST_STEPS = 150  # for each β
_SETTLED = 1e-22  # of the squared Newton decrement
FADED = 1e-11  # weights below this share of the largest belong to keys off the face
_CLEAR = 1e-9  # a maximum further below 0 is reached by a query in spite of rounding


class Tilt(NamedTuple):
    """λ (m,), p (m, n) with p_ii = 0, and the value of the right side, which bounds every maximum from below."""

    shares: np.ndarray
    spread: np.ndarray
    value: float


class _Point(NamedTuple):
    height: float
    worst: float
    shares: np.ndarray
    spread: np.ndarray


def coordinates(keys: np.ndarray, origin: int) -> np.ndarray:
    """The keys (n, d) seen from one of them, in coordinates (n, r) of comparable size that span what they span."""
    largest = np.abs(keys).max(axis=0)
    seen = np.ldexp(keys, -np.frexp(largest)[1])  # exact but for underflow, and safe to subtract
    seen = seen - seen[origin]
    spread = np.abs(seen).max(axis=0)
    seen = seen[:, spread > 0] / spread[spread > 0]
    if seen.shape[1] == 0:
        return np.zeros((len(keys), 1))
    _, sizes, axes = np.linalg.svd(np.linalg.qr(seen, mode="r"))
    kept = sizes > 1e-14 * sizes[0]
    scaled: np.ndarray = seen @ (axes[: len(sizes)][kept].T * (np.sqrt(len(keys)) / sizes[kept]))
    return scaled


def tilt(
    keys: np.ndarray, targets: list[int], levels: np.ndarray, lifts: np.ndarray | None = None, *, sharp: float = SHARP
) -> Tilt | None:
    """The tilted weights for these targets and levels, at β up to `sharp`; None if a query has a maximum clearly below 0."""
    fixed = np.zeros(len(keys)) if lifts is None else lifts
    point = _descend(_Rows(coordinates(keys, targets[0]), fixed, np.array(targets), levels), sharp)
    if point is None:
        return None
    p = point.spread
    gains = -(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=1) + p @ fixed - fixed[targets]
    return Tilt(point.shares, p, float(point.shares @ (gains - levels)))


def on_face(
    keys: np.ndarray, targets: list[int], levels: np.ndarray, tilted: Tilt, lifts: np.ndarray | None = None
) -> Tilt | None:
    """The same on only the keys that kept weight; None if none has faded, or if a query succeeds without them."""
    mass = tilted.shares @ tilted.spread
    kept = mass > FADED * mass.max()
    if kept.sum() == np.count_nonzero(mass):
        return None
    kept[targets] = True
    names = np.flatnonzero(kept)
    inner = tilt(keys[names], np.searchsorted(names, targets).tolist(), levels, None if lifts is None else lifts[names])
    if inner is None:
        return None
    spread = np.zeros_like(tilted.spread)
    spread[:, names] = inner.spread
    return Tilt(inner.shares, spread, inner.value)


class _Rows(NamedTuple):
    """The keys (n, r) of the search, the fixed parts (n,) of their scores, the targets and their levels."""

    rows: np.ndarray
    lifts: np.ndarray
    targets: np.ndarray
    levels: np.ndarray


def _descend(given: _Rows, sharp: float) -> _Point | None:
    """The minimiser for a β sharp enough; None as soon as the maximum itself is clearly below 0."""
    rows, _, targets, _ = given
    query = np.zeros(rows.shape[1])
    beta = sharp if len(targets) == 1 else 4.0
    while True:
        point = _look(given, query, beta)
        for _ in range(_MOST_STEPS):
            if point.worst < -_CLEAR:
                return None
            step, decrement = _newton(rows, targets, point, beta)
            if not decrement > _SETTLED:
                break
            length, before = 1.0, point
            while length > 1e-10:
                point = _look(given, query + length * step, beta)
                if point.height <= before.height - 0.25 * length * decrement + 1e-15 * (1 + abs(before.height)):
                    break
                length /= 2
            else:
                point = before
                break
            query = query + length * step
        if beta >= sharp or np.log(len(targets)) < 1e-3 * beta * point.worst:  # or clearly above 0
            return point
        beta *= 8


def _look(given: _Rows, query: np.ndarray, beta: float) -> _Point:
    rows, lifts, targets, levels = given
    scores = rows @ query + lifts
    leads = scores[None, :] - scores[targets][:, None]
    leads[np.arange(len(targets)), targets] = -np.inf
    top = leads.max(axis=1)
    spread = np.exp(leads - top[:, None])
    sums = spread.sum(axis=1)
    heights = top + np.log(sums) - levels
    worst = float(heights.max())
    shares = np.exp(beta * (heights - worst))
    height = worst + float(np.log(shares.sum())) / beta
    return _Point(height, worst, shares / shares.sum(), spread / sums[:, None])


def _newton(rows: np.ndarray, targets: np.ndarray, point: _Point, beta: float) -> tuple[np.ndarray, float]:
    """The Newton step and the squared decrement."""
    means = point.spread @ rows
    slopes = means - rows[targets]
    slope = point.shares @ slopes
    weights = point.shares @ point.spread
    centre = weights @ rows
    off = (rows - centre) * np.sqrt(weights)[:, None]
    between = (means - centre) * np.sqrt(point.shares)[:, None]
    apart = (slopes - slope) * np.sqrt(beta * point.shares)[:, None]
    curvature = off.T @ off - between.T @ between + apart.T @ apart
    sizes, axes = np.linalg.eigh(curvature)
    turned = axes.T @ slope
    turned = turned / np.maximum(sizes, max(1e-16 * sizes[-1], np.finfo(float).tiny))
    step = -(axes @ turned)
    return step, float(-(step @ slope))
