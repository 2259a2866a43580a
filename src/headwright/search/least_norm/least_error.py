"""The least error within a norm: minimise lse(A q + a) subject to E q = b (ratios) and ‖q‖ <= R. The twin of `newton.py`.

**Ratios first.** As there, q = q₀ + N z with ‖q‖² = ‖q₀‖² + ‖z‖². What is left, with B = A N and ρ² = R² - ‖q₀‖², is

    minimise f(z) = lse(B z + a)  subject to  ‖z‖ <= ρ.

**Path.** The minimiser z(λ) of λ f(z) + ½‖z‖² grows with λ, and the one with ‖z(λ)‖ = ρ is the solution. It is found by Newton
steps with a line search. Near the path, its tangent dz/dλ = μ²(H + μI)⁻¹z, μ = 1/λ, says how far to move λ, and together with the
Newton step it solves z + λg = 0 and ‖z‖ = ρ quadratically. Both for short and for long queries z(λ) is nearly a straight line
in λ, so λ may grow by large factors.

**When to stop.** With p = softmax(Bz + a) and g = Bᵀp, every z' in the ball has f(z') >= f(z) - gᵀz - ρ‖g‖ by Gibbs'
inequality. So no point of the ball lies lower than f(z) by more than gᵀz + ρ‖g‖. This gap closes also where the best query lies
inside the ball, or where there is none because ever longer queries do a little better: then λ grows until float64 sees no gap.

Nothing here is trusted: the query is certified, and (p, ν) is a witness from which `proofs` proves that no error is smaller.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from headwright.search.least_norm.newton import LeastNormProblem, Point, lowered, solve_shifted

_CLOSED = 2.0**-47  # of the value, or of 1: float64 scores show no smaller gap
_SMALL = 1e-9  # gaps above this part of the value, or of 1, are tried again
_MOST_STEPS = 300
# The factor on λ at a time: the first, which grows where each step lands near the path, and the largest.
_REACH, _FARTHEST = 4.0, 1e6
# How far a Newton step may still lower f near the path; the second is for a search with care.
_NEAR, _NEARER = 1e-2, 1e-3
_BEND = 1.5  # factor on λ where its tangent leads astray
_RISE = 0.1  # of f along a tangent: more is refused
# The shortest query with exact ratios may be longer than the norm by this part, which is rounding.
_AT_THE_EDGE = 2.0**-44
# Of the norm: less than this above the shortest is the rounding of a norm, of which ρ would be made the square root.
_ULPS = 2.0**-49
_FLAT = 2.0**-26  # of the norm: a smaller ρ is not used for the witness, whose multipliers grow like 1/ρ
_FAR = 2.0**38  # norm, in units of one over the longest row, past which the search goes on along a straight line
_LONGEST = 2.0**500  # norms whose squares float64 still holds
_LARGEST = 1e290  # λ: float64 holds no steps beyond


@final
@dataclass(frozen=True, eq=False)
class LeastError:
    """query (d,) and the log-sum-exp `value` it reaches, with the witness (p, ν): tilt p (k,) and ratio multipliers ν.

    `feasible` is False if every query with exact ratios is longer than the norm. Then p = 0, and ν alone is the witness. The
    shortest has norm `shortest`, which is infinite if there is none.
    """

    query: np.ndarray
    value: float
    tilt: np.ndarray
    ratios: np.ndarray
    feasible: bool
    shortest: float = 0.0
    steps: int = 0


def least_error(problem: LeastNormProblem, radius: float) -> LeastError:
    """The solution for norm `radius` > 0. The tilt has an entry for every row, 0 for those left out.

    >>> from headwright.search.least_norm.rows import Rows
    >>> rows = Rows(np.eye(3), np.eye(3)[0], [0])
    >>> least = least_error(LeastNormProblem(rows, np.zeros((0, 3)), np.zeros(0)), np.sqrt(6))
    >>> least.query.round(6).tolist(), round(least.value, 6), round(float(np.log(2)) - 3, 6)
    ([2.0, -1.0, -1.0], -2.306853, -2.306853)
    """
    whole = min(radius * problem.size, _LONGEST)
    base, shortest = problem.base, float(np.linalg.norm(problem.base))
    if not problem.consistent or shortest > whole * (1 + _AT_THE_EDGE):
        # If the system has no solution, its residual is a combination of rows that cancels while the right-hand sides do not.
        off = problem.E @ base - problem.b
        ratios = -np.linalg.lstsq(problem.E.T, base, rcond=None)[0] if problem.consistent else off
        least = shortest / problem.size if problem.consistent else np.inf
        return LeastError(base / problem.size, np.nan, np.zeros(len(problem.rows.keys)), ratios, False, least)
    spare = whole - shortest
    rest = float(np.sqrt(spare * (whole + shortest))) if spare > _ULPS * whole else 0.0
    z, steps = problem.first().z, 0
    if len(z) and problem.rows.count and rest > 0:
        for careful in (False, True):
            z, closed, taken = _in_ball(problem, min(rest, _FAR), careful=careful)
            steps += taken
            if closed:
                break
    point = problem.at(z)
    ratios = np.zeros(0)
    if len(problem.b):
        mu = float(np.linalg.norm(point.g)) / max(rest, _FLAT * whole)
        pull = mu * problem.query(z) + point.value.g / problem.size
        ratios = np.linalg.lstsq(problem.E.T, -pull, rcond=None)[0]
    best = _longer(problem, point, rest)
    query = problem.query(best.z) / problem.size
    return LeastError(query, best.f, point.value.p, ratios, True, shortest / problem.size, steps)


def _in_ball(problem: LeastNormProblem, rho: float, *, careful: bool) -> tuple[np.ndarray, bool, int]:
    """(z, closed, steps): the minimiser of lse(Bz + a) over ‖z‖ <= ρ, as far as float64 sees, and whether its gap is small."""
    near = _NEARER if careful else _NEAR
    point = problem.first()
    g = point.g
    spread = (float(np.trace(problem.curvature(point, roughly=True))) + float(g @ g)) / len(g)
    lam = min(rho / max(float(np.linalg.norm(g)), 1e-300), 1 / max(spread, 1e-300))
    best, least, before, stalled, reach, bent = point.z, np.inf, np.inf, 0, _REACH, False
    for step in range(1, _MOST_STEPS + 1):  # noqa: B007 - the count is returned
        length = float(np.linalg.norm(point.z))
        inside = point.z if length <= rho else point.z * (rho / length)
        gap = float(g @ inside) + rho * float(np.linalg.norm(g))
        if gap < least and length <= rho * (1 + _CLOSED):
            best, least = inside, gap
        # steps that do not close half of a small gap, three in a row, are rounding
        stalled = 0 if gap < 0.5 * before or gap > _SMALL * max(1.0, abs(point.f)) else stalled + 1
        before = gap
        if least <= _CLOSED * max(1.0, abs(point.f)) or stalled >= 3 or not np.isfinite(gap) or lam > _LARGEST:
            break
        solve = _inverse(problem, point, 1 / lam, careful)
        off = g + point.z / lam
        move = -solve(off)
        drop = -float(off @ move)
        trial = None
        if drop < near and not bent:
            z = point.z + move
            trial, change = _along(problem, z, solve(z) / lam / lam, point, lam, rho, reach)
            if trial is None and change > 0:  # the path bends here: a Newton step for a larger λ follows it
                lam, reach, bent = lam * _BEND, _REACH, True
                continue
        bent = False
        if trial is not None:
            point, lam, reach = trial, lam + change, min(_REACH * reach, _FARTHEST)
            g = point.g
            square = float(g @ g)
            fitted = -float(point.z @ g) / square if square > 0 else lam  # the λ for which z + λg is least
            lam = float(np.clip(fitted, lam, reach * lam))
        else:
            trial = lowered(problem, point, move, drop, 1 / lam)
            if trial is None:
                break
            point, reach = trial, _REACH
            g = point.g
    return best, least <= _SMALL * max(1.0, abs(point.f)), step


def _inverse(problem: LeastNormProblem, point: Point, mu: float, careful: bool) -> Callable[[np.ndarray], np.ndarray]:
    """(H + μI)⁻¹ as a function; with care from the triangular factor of the rows, which sees 2^-104 of H and not 2^-52."""
    if not careful:
        H = problem.curvature(point, roughly=False)
        return lambda right: solve_shifted(H, mu, right)
    B, _ = problem.rows_and_offsets()
    p, g = np.delete(point.value.p, problem.rows.left_out), point.g
    heavy = p > 0
    rows = np.sqrt(p[heavy])[:, None] * (B[heavy] - g)
    upper: np.ndarray = np.linalg.qr(np.concatenate([rows, np.sqrt(mu) * np.eye(len(g))]))[1]

    def solve(right: np.ndarray) -> np.ndarray:
        try:
            solved: np.ndarray = np.linalg.solve(upper, np.linalg.solve(upper.T, right))
            return solved
        except np.linalg.LinAlgError:
            return np.full_like(right, np.nan)

    return solve


def _longer(problem: LeastNormProblem, point: Point, rho: float) -> Point:
    """The point itself or, where it stopped short of the sphere, the one on the sphere in its direction if that lies lower."""
    length = float(np.linalg.norm(point.z))
    if not 0 < length < rho * (1 - _CLOSED):
        return point
    farther = problem.at(point.z * (rho / length))
    return farther if farther.f < point.f else point


def _along(
    problem: LeastNormProblem,
    z: np.ndarray,
    tangent: np.ndarray,
    now: Point,
    lam: float,
    rho: float,
    reach: float,
) -> tuple[Point | None, float]:
    """Where the tangent of the path meets the sphere, or as far along it as λ may move, and the change of λ.

    None for the point if f rises on the way, other than by drawing in a z that was too long: on a straight path it would not.
    """
    slope = float(np.linalg.norm(now.g))
    along, across, short = float(tangent @ tangent), float(z @ tangent), rho * rho - float(z @ z)
    root = float(np.sqrt(max(across * across + along * short, 0.0)))
    change = short / (across + root) if across + root > 0 else np.inf
    change = float(np.clip(change, (1 / reach - 1) * lam, (reach - 1) * lam))
    while True:
        point = problem.at(z + change * tangent)
        drawn_in = max(0.0, -change) * float(np.sqrt(along))
        if point.f <= now.f + _RISE + 2 * slope * drawn_in:
            return point, change
        if change < 0.1 * lam:
            return None, change
        change /= 8
