"""The least-norm query: minimise ½‖q‖² subject to E q = b (ratios) and lse(A q) <= c (leak). Dense Newton, no modelling layer.

**Ratios first.** Let q₀ be the least-norm solution of E q = b and N an orthonormal basis of the null space of E. Every
solution is q = q₀ + N z with ‖q‖² = ‖q₀‖² + ‖z‖², so with B = A N, a = A q₀ what is left is

    minimise ½‖z‖²  subject to  f(z) = lse(B z + a) <= c.

If f(0) <= c, z = 0 is optimal (multiplier λ = 0). Otherwise the constraint is active and, with p = softmax(Bz + a),

    z + λ g = 0,  g = ∇f = Bᵀp,     f(z) = c,     H = ∇²f = Bᵀ(diag p - ppᵀ)B.

**Path.** For μ = 1/λ the first equation is the minimiser of the strongly convex f(z) + ½μ‖z‖², found by Newton steps with a
line search. Along the minimisers f falls with μ, at the rate df/d ln μ = μ² zᵀ(H + μI)⁻¹z, which says how far to move μ
towards f = c. Near the crossing both equations are solved together by Newton's method, which converges quadratically.

**When there is no such query.** By Gibbs' inequality every z with f(z) <= c has ‖z‖ >= (f - gᵀz - c)/‖g‖ at any point of the
path. If that exceeds what float64 scores can resolve, the search ends, and p is an approximate witness.

Nothing here is trusted: the query is certified, and (p, λ, ν) is a witness from which `proofs` proves that none is shorter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from headwright.geometry.nearest_points import min_norm_point

BEYOND = 1e13  # norm, in units of one over the longest row, past which float64 scores say nothing
_NEGLIGIBLE = 1e-18  # weights below this share of the largest do not move a float64 Hessian
_MOST_STEPS = 400
_PATIENCE = 30  # after this many steps the path is entered from its far end
_LONGEST_MOVE = 3.0  # of ln μ at a time
_TIGHT = 2.0**-44


@final
@dataclass(frozen=True, eq=False)
class LeastNorm:
    """query (d,) with its witness: multiplier λ, tilt p (k,) and ratio multipliers ν. `reached` is False if none was found.

    λ and ν are given up to a common positive factor, on which no bound depends.

    If none was found, `needed` estimates the norm that any query would need. `consistent` is False if E q = b has no solution.
    """

    query: np.ndarray
    multiplier: float
    tilt: np.ndarray
    ratios: np.ndarray
    reached: bool
    consistent: bool = True
    needed: float = 0.0
    steps: int = 0


def least_norm(
    A: np.ndarray, E: np.ndarray, b: np.ndarray, c: float, start: tuple[np.ndarray, float] | None = None
) -> LeastNorm:
    """Solve for rows A (k, d), ratio rows E (m-1, d) with right-hand sides b, and leak bound c.

    `start` may name a query and a multiplier close to the solution of a problem without ratios.

    >>> keys = np.eye(3)
    >>> least = least_norm(keys[1:] - keys[0], np.zeros((0, 3)), np.zeros(0), np.log(0.01 / 0.99))
    >>> least.query.round(4).tolist(), least.reached
    ([3.5255, -1.7628, -1.7628], True)
    """
    size = float(np.sqrt(max(np.einsum("ij,ij->i", rows, rows).max(initial=0.0) for rows in (A, E)))) or 1.0
    base, null, consistent = exact_ratios(E / size, b)
    B, a = (A / size, None) if null is None else (A @ null / size, A @ base / size)
    free = B.shape[1] > 0 and len(B) > 0
    if not free or not consistent:
        point = point_at(B, a, np.zeros(B.shape[1])) if len(B) else None
        reached = consistent and (point is None or point.f <= c)
        z, multiplier, p, needed, steps = np.zeros(B.shape[1]), 0.0, point.p if point else np.zeros(0), 0.0, 0
    else:
        near = None
        if start is not None and null is None:
            near = _together(B, None, point_at(B, None, start[0] * size), start[1] * size**2, c)
        if near is not None:
            (z, multiplier, p), reached, needed, steps = near, True, 0.0, 0
        else:
            z, multiplier, p, reached, needed, steps = _leak(B, a, c)
    query = z if null is None else base + null @ z
    ratios = np.zeros(0)
    if len(b):
        ratios = np.linalg.lstsq(E.T / size, -(query + multiplier * (p @ A) / size), rcond=None)[0]
    return LeastNorm(query / size, multiplier, p, ratios, reached, consistent, needed / size, steps)


def exact_ratios(E: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray | None, bool]:
    """Least-norm solution of E q = b, a null-space basis (None for all of space), and whether there is a solution."""
    d = E.shape[1]
    if not len(b):
        return np.zeros(d), None, True
    left, values, right = np.linalg.svd(E, full_matrices=True)
    rank = int((values > 64 * max(E.shape) * 2.0**-52 * max(values.max(), 2.0**-1000)).sum())
    start = right[:rank].T @ ((left[:, :rank].T @ b) / values[:rank])
    off = np.abs(E @ start - b).max()
    return start, right[rank:].T, bool(off <= 1e-9 * max(1.0, np.abs(b).max()))


class Point(NamedTuple):
    """Where the search is: z, f(z), the weights p, and once asked for the gradient and Hessian of f."""

    z: np.ndarray
    f: float
    p: np.ndarray


def log_sum_exp(scores: np.ndarray) -> float:
    """ln Σ exp(scores) without overflow; -inf for no scores."""
    if not len(scores):
        return -np.inf
    top = scores.max()
    return float(top + np.log(np.exp(scores - top).sum()))


def point_at(B: np.ndarray, a: np.ndarray | None, z: np.ndarray) -> Point:
    scores = B @ z
    if a is not None:
        scores += a
    top = scores.max()
    scores -= top
    powers = np.exp(scores, out=scores)
    whole = powers.sum()
    return Point(z, float(top + np.log(whole)), powers / whole)


def gradient(B: np.ndarray, p: np.ndarray) -> np.ndarray:
    """∇f = Bᵀp."""
    g: np.ndarray = p @ B
    return g


def curvature(B: np.ndarray, p: np.ndarray, g: np.ndarray) -> np.ndarray:
    """∇²f from the rows that matter; centring first keeps it positive semi-definite in float64."""
    active = p > _NEGLIGIBLE * p.max()
    rows, weights = (B, p) if active.mean() > 0.8 else (B[active], p[active])
    centred = rows - g
    centred *= np.sqrt(weights)[:, None]
    H: np.ndarray = centred.T @ centred
    return H


def _leak(B: np.ndarray, a: np.ndarray | None, c: float) -> tuple[np.ndarray, float, np.ndarray, bool, float, int]:
    """(z, λ, p, reached, needed, steps) for the problem without ratios."""
    point = point_at(B, a, np.zeros(B.shape[1]))
    if point.f <= c:
        return point.z, 0.0, point.p, True, 0.0, 0
    g = gradient(B, point.p)
    H = curvature(B, point.p, g)
    mu = max(float(g @ g) / max(point.f - c, 1.0), float(np.trace(H)) / len(H), 1e-300)
    needed, restarted = 0.0, False
    for step in range(_MOST_STEPS):
        slope = g + mu * point.z
        move = -solve_shifted(H, mu, slope)
        drop = -float(slope @ move)
        trial = lowered(B, a, point, move, drop, mu)
        if trial is None or (step == _PATIENCE and not restarted):
            restart = None if restarted else _margin_start(B, a, c)
            restarted = True
            if restart is not None:
                (trial, mu), drop = restart, 0.0
            if trial is None:
                break
        point = trial
        g = gradient(B, point.p)
        length = float(np.linalg.norm(g))
        ahead = point.f - float(g @ point.z) - c
        needed = max(needed, ahead / length if length > 0 else np.inf) if ahead > 0 else needed
        if point.f > c and needed > BEYOND:
            return point.z, 1 / mu, point.p, False, needed, step
        if drop < 0.1 and abs(point.f - c) < 0.5:  # on the path, near enough
            together = _together(B, a, point, 1 / mu, c)
            if together is not None:
                return (*together, True, needed, step)
        H = curvature(B, point.p, g)
        if drop < 0.1:
            mu = max(mu * float(np.exp(_towards(point, mu, H, c))), 1e-290)
    return point.z, 1 / mu, point.p, False, needed, _MOST_STEPS


def solve_shifted(H: np.ndarray, mu: float, right: np.ndarray) -> np.ndarray:
    """(H + μI)⁻¹ right, with μ kept where float64 can see it beside H."""
    shifted = H.copy()
    shifted.flat[:: len(H) + 1] += max(mu, 1e-15 * float(H.flat[:: len(H) + 1].max()), 1e-300)
    try:
        return np.linalg.solve(shifted, right)
    except np.linalg.LinAlgError:
        return np.full_like(right, np.nan)  # no step: the search ends or starts anew


def lowered(
    B: np.ndarray, a: np.ndarray | None, point: Point, move: np.ndarray, drop: float, mu: float
) -> Point | None:
    """A step along `move` that lowers f + ½μ‖z‖² enough (Armijo); None if rounding hides every decrease."""
    now = point.f + 0.5 * mu * float(point.z @ point.z)
    t = 1.0
    while True:
        trial = point_at(B, a, point.z + t * move)
        then = trial.f + 0.5 * mu * float(trial.z @ trial.z)
        if then <= now - 0.25 * t * drop + 1e-15 * abs(now):
            return trial
        if not t > 1e-9 or not np.isfinite(drop):
            return None
        t *= 0.5


def _margin_start(B: np.ndarray, a: np.ndarray | None, c: float) -> tuple[Point, float] | None:
    """Enter the path where f = c along the widest margin; None when the rows' hull holds the origin.

    With x the shortest vector of the hull, z = -x/‖x‖² scores every row -1 or less: as c falls, the shortest query tends to a
    multiple of it. Keys that nearly coincide need such long queries that the path from z = 0 takes hundreds of steps.
    """
    shortest = min_norm_point(B)
    if shortest.distance <= 1 / BEYOND:
        return None
    direction = -(shortest.point / shortest.distance) / shortest.distance
    support = list(shortest.indices)
    bend = np.linalg.lstsq(B[support], np.log(shortest.weights), rcond=None)[0]  # so that p is near the hull's weights
    scores, offsets = B @ direction, B @ bend + (0.0 if a is None else a)
    if scores.max() >= 0:
        return None
    low, high = 0.0, 1.0
    while log_sum_exp(high * scores + offsets) > c and high < 2.0**200:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if log_sum_exp(middle * scores + offsets) > c else (low, middle)
    point = point_at(B, a, high * direction + bend)
    return point, float(np.linalg.norm(gradient(B, point.p)) / np.linalg.norm(point.z))


def _towards(point: Point, mu: float, H: np.ndarray, c: float) -> float:
    """How far to move ln μ so that f comes to c."""
    rate = mu * mu * float(point.z @ solve_shifted(H, mu, point.z))
    if rate <= 1e-14 * max(1.0, abs(point.f)):
        return -_LONGEST_MOVE
    return float(np.clip((c - point.f) / rate, -_LONGEST_MOVE, _LONGEST_MOVE))


def _together(
    B: np.ndarray, a: np.ndarray | None, point: Point, multiplier: float, c: float
) -> tuple[np.ndarray, float, np.ndarray] | None:
    """Newton's method on z + λg = 0 and f = c together; None if it does not converge."""
    best = np.inf
    for _ in range(30):
        g = gradient(B, point.p)
        first, second = point.z + multiplier * g, point.f - c
        off = float(np.linalg.norm(first)) / max(float(np.linalg.norm(point.z)), 1e-300) + abs(second)
        seen = 1e-9 + 2.0**-46 * float(np.linalg.norm(point.z))  # what rounding of the scores leaves to be seen
        if off <= _TIGHT or (off <= seen and off > 0.5 * best):
            return point.z, multiplier, point.p
        if not np.isfinite(off) or off > 1e3 * max(best, 1e-3):
            return None
        best = min(best, off)
        H = curvature(B, point.p, g)
        u, w = solve_shifted(multiplier * H, 1.0, np.stack([first, g], axis=1)).T
        across = float(g @ w)
        if not across > 0:
            return None
        change = (second - float(g @ u)) / across
        t = min(1.0, 0.9 * multiplier / -change) if change < 0 else 1.0
        multiplier += t * change
        point = point_at(B, a, point.z - t * (u + change * w))
    return None
