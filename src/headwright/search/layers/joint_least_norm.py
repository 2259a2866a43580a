"""One matrix for many rows: the least Frobenius norm of W under the constraints of every row's goal, jointly.

An asking vector x_r attends to the vectors y_j with scores x_rᵀ W y_j, that is with the query q_r = Wᵀx_r. As for a single
query, its goal (support S_r, first member a_r) requires

    (y_i - y_{a_r})·q_r = b_ri  for i in S_r,      g_r = lse_{j ∉ S_r}((y_j - y_{a_r})·q_r) - c_r <= 0.

Only the part of W in span{x_r} × span{y_j - y_i} matters, so W = Bᵀ Y C with orthonormal bases B, C, ‖W‖ = ‖Y‖, and the problem
is convex in Y. It is solved by a primal-dual interior-point method with slacks s_r > 0 and multipliers λ_r > 0, λ_r s_r → 0:
each step is one Cholesky factorisation of

    I + Σ_r (z_r z_rᵀ) ⊗ (λ_r Cov_{p_r}(y) + (λ_r/s_r) v_r v_rᵀ),      z_r = B x_r, ∇g_r = z_r v_rᵀ, p_r the outsiders' softmax,

and about ten steps reach the rounding of float64. If no W exists, the multipliers grow without bound, and their direction is an
approximate witness. Nothing here is trusted: the layer is certified, and a witness is made exact elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from headwright.search.layers.joint_problem import JointProblem, Place, Point, RowGoal

_MOST_STEPS = 60  # hard problems that have a solution need half as many
_TIGHT = 1e-11
_ENOUGH = 1e-8  # what counts as solved when rounding allows no further step
_MOST_HALVINGS = 12
_NEARLY_TO_THE_WALL = 0.99
_BEHIND = 0.1  # the gap stays above this factor times the violation of g + s = 0
_DEPENDENT = 1e-13  # smaller directions of the ratios are rounding
_HOPELESS = 1e7  # if the multipliers show that Y needs a larger norm, the search gives up


@final
@dataclass(frozen=True, eq=False)
class JointNorm:
    """W (d, e) with scores x_rᵀ W y_j, multipliers λ (m,), p (m, n) and ν; `reached` is False if no W was found."""

    matrix: np.ndarray
    reached: bool
    multipliers: np.ndarray
    tilts: np.ndarray
    ratios: list[np.ndarray]
    steps: int


def joint_least_norm(asking: np.ndarray, attended: np.ndarray, goals: Sequence[RowGoal]) -> JointNorm:
    """The least-norm W for the goals of all rows: asking (m, d), one row per goal; attended (n, e)."""
    problem = JointProblem(asking, attended, goals)
    start = _start(problem)
    if problem.k and problem.d:
        place, reached, steps = _interior(problem, start)
    else:  # all asking vectors are zero, or all attended vectors are equal: W does not matter
        place, reached, steps = start, problem.met(start), 0
    multipliers, tilts = np.zeros(len(goals)), np.zeros((len(goals), len(attended)))
    multipliers[problem.leaking] = place.point.multipliers / problem.size / problem.size
    tilts[problem.leaking] = place.P
    matrix = problem.rows.T @ place.point.Y @ problem.columns / problem.size
    reached = reached and bool(np.isfinite(matrix).all())
    ratios = problem.by_goal(place.point.ratios / problem.size / problem.size)
    return JointNorm(matrix, reached, multipliers, tilts, ratios, steps)


def _start(problem: JointProblem) -> Place:
    """The least Y with the ratios, or nearest to them. Then b - E Y is orthogonal to every E Y, and stored as ν."""
    count, shape = len(problem.z), (problem.k, problem.d)
    y = np.linalg.lstsq(problem.E, problem.b, rcond=None)[0] if problem.E.size else np.zeros(math.prod(shape))
    left = problem.b - problem.E @ y
    apart = np.abs(left).max(initial=0.0) > _ENOUGH * (1.0 + np.abs(problem.b).max(initial=0.0))
    point = Point(y.reshape(shape), np.zeros(count), np.zeros(count), -left if apart else np.zeros(len(left)))
    if apart:
        return problem.place(point)
    slacks = np.maximum(np.abs(problem.place(point).slack), 0.1)
    return problem.place(point._replace(slacks=slacks, multipliers=np.ones(count)))


def _interior(problem: JointProblem, place: Place) -> tuple[Place, bool, int]:
    """(last place, whether it is a solution, steps taken); without a step if `_start` found contradictory ratios."""
    count = len(problem.z)
    reached, steps = False, 0
    while steps < _MOST_STEPS and not (steps == 0 and place.point.ratios.any()):
        point, worst = place.point, place.worst()
        gap = float(point.multipliers @ point.slacks) / max(count, 1)
        size = 1.0 + float(np.abs(point.Y).max(initial=0.0))
        reached = max(worst, gap) <= _ENOUGH * size
        if max(worst, gap) <= _TIGHT * size or problem.needs_more_than(_HOPELESS, place):
            break
        solver = _Solver(problem, place)
        if not solver.usable:
            break
        steps += 1
        ahead = solver.move(np.zeros(count))
        far = _longest(point, ahead)
        after = float((point.multipliers + far * ahead.multipliers) @ (point.slacks + far * ahead.slacks))
        shrink = min(1.0, (after / max(count, 1) / gap) ** 3) if gap else 0.0
        missed = float(np.abs(place.slack).max(initial=0.0)) * float(point.multipliers.sum()) / max(count, 1)
        target = np.full(count, max(gap * shrink, _BEHIND * missed))
        place = _searched(problem, place, solver.move(target), target)
    return place, reached, steps


def _searched(problem: JointProblem, place: Place, move: Point, target: np.ndarray) -> Place:
    """A step along `move`, halved until the conditions, with products λ_r s_r at `target`, are nearer to holding."""
    part, before = _longest(place.point, move), place.distance(target)
    for _ in range(_MOST_HALVINGS):
        there = problem.place(Point(*(old + part * change for old, change in zip(place.point, move, strict=True))))
        if there.distance(target) <= (1 - 0.01 * part) * before:
            break
        part /= 2
    return there


class _Solver:
    """The Newton system at one place, factored once."""

    def __init__(self, problem: JointProblem, place: Place) -> None:
        from scipy.linalg.lapack import dpotrf, dpotrs

        self._problem, self._place, self._backward = problem, place, dpotrs
        matrix = problem.hessian(place)
        self.usable = bool(np.isfinite(matrix.sum()))
        if self.usable:  # symmetric: the transpose is the same matrix, in the order that LAPACK overwrites
            self._factor, failed = dpotrf(matrix.T, lower=1, overwrite_a=1, clean=0)
            self.usable = failed == 0
        if self.usable and len(problem.b):
            self._across = self._solved(problem.E.T)
            self._pinv = np.linalg.pinv(problem.E @ self._across, rcond=_DEPENDENT, hermitian=True)

    def _solved(self, right: np.ndarray) -> np.ndarray:
        solution: Any = self._backward(self._factor, right, lower=1)
        return np.asarray(solution[0])

    def move(self, target: np.ndarray) -> Point:
        """The step that solves the linearised conditions, with λ_r s_r aimed at `target`."""
        problem, place, point = self._problem, self._place, self._place.point
        centred = target - point.multipliers * point.slacks
        pull = (centred + point.multipliers * place.slack) / point.slacks
        y = self._solved(-(place.stationary + (problem.z.T * pull) @ place.v).ravel())
        moved = np.zeros(len(problem.b))
        if len(moved):
            moved = self._pinv @ (problem.E @ y + place.unequal)
            y = y - self._across @ moved
        y = y.reshape(point.Y.shape)
        slacks = -place.slack - ((problem.z @ y) * place.v).sum(axis=1)
        multipliers = (centred - point.multipliers * slacks) / point.slacks
        return Point(y, slacks, multipliers, moved)


def _longest(point: Point, move: Point) -> float:
    """The part of the step, at most 1, that keeps slacks and multipliers positive."""
    limit = 1.0
    for value, change in ((point.slacks, move.slacks), (point.multipliers, move.multipliers)):
        fastest = float((-change / value).max(initial=0.0))
        if fastest > 0:
            limit = min(limit, _NEARLY_TO_THE_WALL / fastest)
    return limit
