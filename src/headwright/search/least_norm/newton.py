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

from headwright.search.least_norm.nearest_points import min_norm_point
from headwright.search.least_norm.rows import Rows, Value, corrected, log_sum_exp

BEYOND = 1e13  # norm, in units of one over the longest row, past which float64 scores say nothing
_MOST_STEPS = 400
_PATIENCE = 30  # after this many steps the path is entered from its far end
_LONGEST_MOVE = 3.0  # of ln μ at a time
_TIGHT = 2.0**-44
_NEAR = 6.0  # |f - c| from which both equations are tried together
_STALLS = 3  # steps of that which may fail to halve the distance
_CLOSE = 1e-5  # a distance at which rounding may end it: the norm is off by its square
_ROUGH = 0.05  # how far off a step may be whose Hessian is that of a sample
_STALE = 0.1  # a step that does not come nearer by this factor asks for a new Hessian


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

    `start` may name a query and a multiplier close to the solution.

    >>> keys = np.eye(3)
    >>> least = least_norm(keys[1:] - keys[0], np.zeros((0, 3)), np.zeros(0), np.log(0.01 / 0.99))
    >>> least.query.round(4).tolist(), least.reached
    ([3.5255, -1.7628, -1.7628], True)
    """
    return LeastNormProblem(Rows(A, np.zeros(A.shape[1])), E, b).solve(c, start)


@final
class LeastNormProblem:
    """The problem for given rows and ratios, to be solved for one leak bound or several."""

    def __init__(self, rows: Rows, E: np.ndarray, b: np.ndarray) -> None:
        self.size = max(rows.size, float(np.sqrt(np.einsum("ij,ij->i", E, E).max(initial=0.0)))) or 1.0
        self.rows, self.E, self.b, self.samples = rows, E / self.size, b, rows.samples
        self.base, self.null, self.consistent = _ratios(self.E, b)
        self._origin: Point | None = None

    def solve(self, c: float, start: tuple[np.ndarray, float] | None = None) -> LeastNorm:
        """The solution for leak bound c. `start` may name a query and a multiplier close to it."""
        point, multiplier, needed, steps = self.first(), 0.0, 0.0, 0
        if not self.consistent or not len(point.z) or point.f <= c:
            reached = self.consistent and point.f <= c
        else:
            near = None if start is None else _together(self, *self._from(*start), c)
            if near is not None:
                (point, multiplier), reached = near, True
            else:
                point, multiplier, reached, needed, steps = _leak(self, c)
        query = self.query(point.z)
        ratios: np.ndarray = np.zeros(0)
        if len(self.b):
            pull = query + multiplier * point.value.g / self.size
            ratios = np.linalg.lstsq(self.E.T, -pull, rcond=None)[0]
        return LeastNorm(
            query / self.size, multiplier, point.value.p, ratios, reached, self.consistent, needed / self.size, steps
        )

    def at(self, z: np.ndarray) -> Point:
        value = self.rows.at(self.query(z) / self.size)
        slope = value.g / self.size
        return Point(z, value, slope if self.null is None else slope @ self.null)

    def curvature(self, point: Point, *, roughly: bool) -> np.ndarray:
        """∇²f in z."""
        H = self.rows.curvature(point.value, roughly=roughly) / self.size**2
        return H if self.null is None else self.null.T @ H @ self.null

    def rows_and_offsets(self) -> tuple[np.ndarray, np.ndarray]:
        """B and a with scores B z + a, as arrays."""
        A = self.rows.matrix() / self.size
        return (A, self.rows.fixed()) if self.null is None else (A @ self.null, A @ self.base + self.rows.fixed())

    def _from(self, query: np.ndarray, multiplier: float) -> tuple[Point, float]:
        z = query * self.size
        return self.at(z if self.null is None else (z - self.base) @ self.null), multiplier * self.size**2

    def query(self, z: np.ndarray) -> np.ndarray:
        """The query that z stands for, times `size`."""
        return z if self.null is None else self.base + self.null @ z

    def first(self) -> Point:
        """z = 0."""
        if self._origin is None:
            free = len(self.base) if self.null is None else self.null.shape[1]
            self._origin = self.at(np.zeros(free))
        return self._origin


def _ratios(E: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray | None, bool]:
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
    """Where the search is: z, the value of f there, and its slope in z."""

    z: np.ndarray
    value: Value
    g: np.ndarray

    @property
    def f(self) -> float:
        return self.value.f


def _leak(problem: LeastNormProblem, c: float) -> tuple[Point, float, bool, float, int]:
    """(point, λ, reached, needed, steps) for the problem in z."""
    point = problem.first()
    H = problem.curvature(point, roughly=True)
    mu = max(float(point.g @ point.g) / max(point.f - c, 1.0), float(np.trace(H)) / len(H), 1e-300)
    needed, restarted = 0.0, False
    for step in range(_MOST_STEPS):
        slope = point.g + mu * point.z
        move = -solve_shifted(H, mu, slope)
        drop = -float(slope @ move)
        trial = lowered(problem, point, move, drop, mu)
        if trial is None or (step == _PATIENCE and not restarted):
            restart = None if restarted else _margin_start(problem, c)
            restarted = True
            if restart is not None:
                (trial, mu), drop = restart, 0.0
            if trial is None:
                break
        point = trial
        length = float(np.linalg.norm(point.g))
        ahead = point.f - float(point.g @ point.z) - c
        needed = max(needed, ahead / length if length > 0 else np.inf) if ahead > 0 else needed
        if point.f > c and needed > BEYOND:
            return point, 1 / mu, False, needed, step
        if drop < 0.1 and abs(point.f - c) < _NEAR:  # on the path, near enough
            together = _together(problem, point, 1 / mu, c, H)
            if together is not None:
                return (*together, True, needed, step)
        H = problem.curvature(point, roughly=step < _PATIENCE)
        if drop < 0.1:
            mu = max(mu * float(np.exp(_towards(point, mu, H, c))), 1e-290)
    return point, 1 / mu, False, needed, _MOST_STEPS


def solve_shifted(H: np.ndarray, mu: float, right: np.ndarray) -> np.ndarray:
    """(H + μI)⁻¹ right, with μ kept where float64 can see it beside H."""
    shifted = H.copy()
    shifted.flat[:: len(H) + 1] += max(mu, 1e-15 * float(H.flat[:: len(H) + 1].max()), 1e-300)
    try:
        return np.linalg.solve(shifted, right)
    except np.linalg.LinAlgError:
        return np.full_like(right, np.nan)  # no step: the search ends or starts anew


def lowered(problem: LeastNormProblem, point: Point, move: np.ndarray, drop: float, mu: float) -> Point | None:
    """A step along `move` that lowers f + ½μ‖z‖² enough (Armijo); None if rounding hides every decrease."""
    now = point.f + 0.5 * mu * float(point.z @ point.z)
    t = 1.0
    while True:
        trial = problem.at(point.z + t * move)
        then = trial.f + 0.5 * mu * float(trial.z @ trial.z)
        if then <= now - 0.25 * t * drop + 1e-15 * abs(now):
            return trial
        if not t > 1e-9 or not np.isfinite(drop):
            return None
        t *= 0.5


def _margin_start(problem: LeastNormProblem, c: float) -> tuple[Point, float] | None:
    """Enter the path where f = c along the widest margin; None when the rows' hull holds the origin.

    With x the shortest vector of the hull, z = -x/‖x‖² scores every row -1 or less: as c falls, the shortest query tends to a
    multiple of it. Keys that nearly coincide need such long queries that the path from z = 0 takes hundreds of steps.
    """
    B, a = problem.rows_and_offsets()
    shortest = min_norm_point(B)
    if shortest.distance <= 1 / BEYOND:
        return None
    direction = -(shortest.point / shortest.distance) / shortest.distance
    support = list(shortest.indices)
    bend = np.linalg.lstsq(B[support], np.log(shortest.weights), rcond=None)[0]  # so that p is near the hull's weights
    scores, offsets = B @ direction, B @ bend + a
    if scores.max() >= 0:
        return None
    low, high = 0.0, 1.0
    while log_sum_exp(high * scores + offsets) > c and high < 2.0**200:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if log_sum_exp(middle * scores + offsets) > c else (low, middle)
    point = problem.at(high * direction + bend)
    return point, float(np.linalg.norm(point.g) / np.linalg.norm(point.z))


def _towards(point: Point, mu: float, H: np.ndarray, c: float) -> float:
    """How far to move ln μ so that f comes to c."""
    rate = mu * mu * float(point.z @ solve_shifted(H, mu, point.z))
    if rate <= 1e-14 * max(1.0, abs(point.f)):
        return -_LONGEST_MOVE
    return float(np.clip((c - point.f) / rate, -_LONGEST_MOVE, _LONGEST_MOVE))


def _together(
    problem: LeastNormProblem, point: Point, multiplier: float, c: float, H: np.ndarray | None = None
) -> tuple[Point, float] | None:
    """Newton's method on z + λg = 0 and f = c together, from the Hessian of a point nearby; None if it does not converge.

    A Hessian costs several times what value and slope do. So the one at hand is corrected by what the step has shown of it (BFGS)
    for as long as the steps converge fast, and far from the solution that of a sample serves.
    """
    best = before = np.inf
    kept: tuple[Point, float] | None = None  # as near as rounding lets it come
    rough, stalls = problem.samples, 0
    for _ in range(40):
        g = point.g
        first, second = point.z + multiplier * g, point.f - c
        length = float(np.linalg.norm(point.z))
        if length > BEYOND:
            return None
        off = float(np.linalg.norm(first)) / max(length, 1e-300) + abs(second)
        seen = 1e-9 + 2.0**-46 * length  # what rounding of the scores leaves to be seen
        if off <= _TIGHT or (off <= seen and off > 0.5 * best):
            return point, multiplier
        stalls += off > 0.5 * best
        if off < best and off <= _CLOSE and abs(second) <= seen:
            kept = point, multiplier
        if not np.isfinite(off) or off > 1e3 * max(best, 1e-3) or stalls > _STALLS:
            break
        if H is None or off > _STALE * before or (rough and off <= _ROUGH):
            rough = problem.samples and off > _ROUGH
            H = problem.curvature(point, roughly=rough)
        best, before = min(best, off), off
        u, w = solve_shifted(multiplier * H, 1.0, np.stack([first, g], axis=1)).T
        across = float(g @ w)
        if not across > 0:
            break
        change = (second - float(g @ u)) / across
        t = min(1.0, 0.9 * multiplier / -change) if change < 0 else 1.0
        multiplier += t * change
        move = -t * (u + change * w)
        point = problem.at(point.z + move)
        H = corrected(H, move, point.g - g)
    return kept
