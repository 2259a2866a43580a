"""The least-norm query for one key that may move, among others that may: minimise ½‖z‖² subject to f(z) <= c, where

    f(z) = lse_j(A_j z + m_j(z)),      m_j(z) = ‖w_j ∘ z‖ + ‖w ∘ z‖,

with the ℓ1 norm for a box and the Euclidean norm for a ball. f is convex. Kinks are smoothed, |x| by √(x² + η²) and ‖x‖ by
√(‖x‖² + η²), which overestimates f, so that what is feasible for the smoothed problem is feasible. η falls step by step to a
negligible size, and for each η the multiplier 1/μ of the minimiser of f + ½μ‖z‖² is moved until f = c.

Nothing here is trusted: the query is certified, and the weights at it are a witness from which `proofs` proves a lower bound.
"""

from __future__ import annotations

from typing import NamedTuple, final

import numpy as np

_SMOOTHINGS = tuple(10.0**-k for k in range(2, 12))  # η as a part of the largest entry
_MOST_MOVES = 60  # of the multiplier, for one η
_MOST_STEPS = 60  # of Newton's method, for one multiplier
_LONGEST = 4.0  # move of ln μ at a time
_HAIR = 1e-10  # how far below c to aim, as a part of 1 + |c|, so that the query certifies
_NEAR = 1e-12  # a decrease this small, as a part of 1 + |f|, is below what a line search can see
_NARROW, _LOWEST = 1e-14, -600.0  # of ln μ: no room left between its bounds, and no sense in going further


@final
class Sturdy(NamedTuple):
    """query (d,), its weights p (k,), and whether f <= c was reached; if not, p is near a witness that nothing reaches it."""

    query: np.ndarray
    tilt: np.ndarray
    reached: bool


class _Problem(NamedTuple):
    A: np.ndarray  # rows k_j - k_i, (k, d)
    wide: np.ndarray  # how far key j moves at radius r: (k, d), (1, d), (k, 1) or (1, 1)
    own: np.ndarray  # the same for key i, (1, d) or (1, 1)
    box: bool


def least_sturdy(A: np.ndarray, wide: np.ndarray, own: np.ndarray, box: bool, c: float, start: np.ndarray) -> Sturdy:
    """Solve for rows A (k, d) and moves `wide`, `own` (see `_Problem`), from the query `start`.

    >>> least = least_sturdy(-np.ones((1, 1)), np.full((1, 1), 0.25), np.full((1, 1), 0.25), True, -2.0, np.array([2.0]))
    >>> least.query.round(6).tolist(), least.reached
    ([4.0], True)
    """
    problem = _Problem(A, wide, own, box)
    z = start.copy()
    _, slope, _, tilt = _at(problem, z, _SMOOTHINGS[0] * float(np.abs(z).max()))
    mu = float(np.linalg.norm(slope) / max(float(np.linalg.norm(z)), 1e-300)) or 1.0
    hair, reached = _HAIR * (1 + abs(c)), False
    for part in _SMOOTHINGS:
        eta = part * max(float(np.abs(z).max()), 1e-300)
        low, high = -np.inf, np.inf  # of ln μ: f is small enough at `low`, and too large at `high`
        for _ in range(_MOST_MOVES):
            z, value, tilt, rate = _minimised(problem, z, mu, eta)
            over = value - (c - hair)
            reached = bool(abs(over) <= hair / 2)
            if reached or not np.isfinite(value):
                break
            here = float(np.log(mu))
            low, high = (low, min(high, here)) if over > 0 else (max(low, here), high)
            step = float(np.clip(-over / rate, -_LONGEST, _LONGEST)) if rate > 0 else -float(np.sign(over)) * _LONGEST
            there = here + step if low < here + step < high else (low + high) / 2
            if not np.isfinite(there) or high - low < _NARROW or there < _LOWEST:
                break
            mu = float(np.exp(there))
        if not reached:
            break
    return Sturdy(z, tilt, reached)


def _minimised(problem: _Problem, z: np.ndarray, mu: float, eta: float) -> tuple[np.ndarray, float, np.ndarray, float]:
    """(minimiser of f + ½μ‖z‖², f there, weights, df/d ln μ), by Newton's method with a line search."""
    value, slope, bend, tilt = _at(problem, z, eta)
    before = np.inf
    for _ in range(_MOST_STEPS):
        gradient = slope + mu * z
        move = -_solved(bend, mu, gradient)
        drop = -float(gradient @ move)
        near = drop < _NEAR * (1 + abs(value))
        if not drop > 0 or (near and drop > 0.25 * before):  # what rounding leaves
            break
        now, t, before = value + 0.5 * mu * float(z @ z), 1.0, drop
        while not near and t > 1e-10:
            trial = z + t * move
            if _value(problem, trial, eta) + 0.5 * mu * float(trial @ trial) <= now - 0.25 * t * drop:
                break
            t *= 0.5
        z = z + t * move
        value, slope, bend, tilt = _at(problem, z, eta)
    return z, value, tilt, float(mu * mu * (z @ _solved(bend, mu, z)))


def _solved(bend: np.ndarray, mu: float, right: np.ndarray) -> np.ndarray:
    shifted = bend.copy()
    shifted.flat[:: len(bend) + 1] += max(mu, 1e-15 * float(bend.flat[:: len(bend) + 1].max()), 1e-300)
    try:
        return np.linalg.solve(shifted, right)
    except np.linalg.LinAlgError:
        return right / max(mu, 1e-300)


def _sizes(problem: _Problem, wide: np.ndarray, z: np.ndarray, eta: float) -> np.ndarray:
    """The smoothed ‖w ∘ z‖ for every row of w."""
    if problem.box:
        sums: np.ndarray = np.broadcast_to(wide, (len(wide), len(z))) @ np.sqrt(z * z + eta * eta)
        return sums
    lengths: np.ndarray = np.sqrt((np.broadcast_to(wide, (len(wide), len(z))) ** 2) @ (z * z + eta * eta))
    return lengths


def _value(problem: _Problem, z: np.ndarray, eta: float) -> float:
    scores = problem.A @ z + _sizes(problem, problem.wide, z, eta) + _sizes(problem, problem.own, z, eta)
    top = scores.max()
    return float(top + np.log(np.exp(scores - top).sum()))


def _at(problem: _Problem, z: np.ndarray, eta: float) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """f, its gradient, its Hessian and the weights p at z."""
    A, box = problem.A, problem.box
    moves = [_sizes(problem, wide, z, eta) for wide in (problem.wide, problem.own)]
    scores = A @ z + moves[0] + moves[1]
    top = scores.max()
    powers = np.exp(scores - top)
    value, p = float(top + np.log(powers.sum())), powers / powers.sum()
    rows, bend = A, np.zeros((len(z), len(z)))
    for wide, sizes in zip((problem.wide, problem.own), moves, strict=True):
        full = np.broadcast_to(wide, (len(wide), len(z)))
        weight = p if len(wide) > 1 else np.ones(1)
        if box:
            root = np.sqrt(z * z + eta * eta)
            rows = rows + full * (z / root)
            bend.flat[:: len(z) + 1] += (weight @ full) * eta * eta / root**3
        else:
            squares = full * full
            lean = squares * z / sizes[:, None]
            rows = rows + lean
            bend.flat[:: len(z) + 1] += (weight / sizes) @ squares
            bend -= (lean * (weight / sizes)[:, None]).T @ lean
    slope = p @ rows
    centred = (rows - slope) * np.sqrt(p)[:, None]
    return value, slope, centred.T @ centred + bend, p
