"""Nearest points of two hulls, and the shortest vector of one: Wolfe's method, an active set that grows by a linear oracle.

**One hull.** The shortest x in conv{r_1 … r_m} is the one with x·r_j >= x·x for all j. A *corral* is a set of affinely
independent rows whose affine hull has its shortest vector strictly inside their convex hull. From the x of one corral:

1. Ask for the row r with the least x·r. If x·(x - r) <= 0, x is the shortest.
2. Otherwise add r. It lies outside the corral's affine hull, on which x·r_j = x·x throughout, so the rows stay
   independent.
3. Find the shortest vector y of the new affine hull. If its weights are positive, y is the x of the next corral. If not,
   walk from x towards y until the first weight falls to zero, leave that row out, and repeat 3.

‖x‖ falls with every corral, so no corral occurs twice, and there are finitely many [P. Wolfe, Finding the nearest point in a
polytope, 1976]. In float64 rounding may hide the fall, so the corrals are recorded, and the search ends when one occurs again.

**Shortest vector of an affine hull.** With base row b and differences D = QR (as columns, an orthonormal Q): y = b - QQᵀb
with weights -R⁻¹Qᵀb on the other rows. The base is the row of largest weight, so that its own weight, 1 minus the others,
keeps its digits; QQᵀ is taken off twice, so that y·r_j agree on the corral to rounding of ‖y‖‖r_j‖ however short y is. No
product DᵀD is formed.

**Two hulls.** conv(S) - conv(rest) is the hull of all k_i - k_j, i in S, j outside. The oracle needs no pairs: the least
x·(k_i - k_j) is the least x·k_i minus the largest x·k_j, one product K x. A corral holds at most d+1 pairs. For scores
the keys are centred first, which changes no difference.

Nothing here is trusted: x gives a query, the weights give a witness, and `proofs` judges both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar, final

import numpy as np

_ROUNDING = 2.0**-51
_STEPS_PER_DIMENSION = 60  # Wolfe's method takes some two or three

Label = TypeVar("Label")


@final
@dataclass(frozen=True, eq=False)
class MinNormPoint:
    """The shortest vector `point` of a hull: `weights` (positive, sum 1) on the rows `indices`; `distance` is its length."""

    indices: tuple[int, ...]
    weights: np.ndarray
    point: np.ndarray
    distance: float


@final
@dataclass(frozen=True, eq=False)
class NearestPoints:
    """Nearest points of conv(S) and conv(rest): `difference` (d,) points from the second to the first, `distance` long.

    `weights` (positive, sum 1) on the `pairs` (i, j), i in S and j outside; `shares` (n,) are the same summed by key: sum 1 on S
    and sum 1 outside.
    """

    pairs: tuple[tuple[int, int], ...]
    weights: np.ndarray
    shares: np.ndarray
    difference: np.ndarray
    distance: float


def min_norm_point(rows: np.ndarray) -> MinNormPoint:
    """The shortest vector of the convex hull of `rows` (m, d).

    >>> shortest = min_norm_point(np.array([[2.0, 1.0], [2.0, -1.0], [3.0, 0.0]]))
    >>> shortest.point.tolist(), sorted(shortest.indices)
    ([2.0, 0.0], [0, 1])
    """
    power = _power(rows)
    work = np.ldexp(rows, -power)

    def lowest(x: np.ndarray) -> tuple[int, np.ndarray]:
        j = int((work @ x).argmin())
        return j, work[j]

    corral = _shortest(lowest, work.mean(axis=0))
    point = np.ldexp(corral.point, power)
    return MinNormPoint(tuple(corral.labels), corral.weights, point, _length(point))


def nearest_points(keys: np.ndarray, members: np.ndarray) -> NearestPoints:
    """Nearest points of the hull of the keys (n, d) that `members` (n,) marks and the hull of the others.

    >>> near = nearest_points(np.array([[0.0, 3.0], [1.0, 1.0], [1.0, -1.0]]), np.array([True, False, False]))
    >>> near.difference.tolist(), near.distance, near.shares.tolist()
    ([-1.0, 2.0], 2.23606797749979, [1.0, 1.0, 0.0])
    """
    power = _power(keys)
    work = np.ldexp(keys, -power)
    centred = work - work.mean(axis=0)

    def lowest(x: np.ndarray) -> tuple[tuple[int, int], np.ndarray]:
        scores = centred @ x
        i = int(np.where(members, scores, np.inf).argmin())
        j = int(np.where(members, -np.inf, scores).argmax())
        return (i, j), work[i] - work[j]

    corral = _shortest(lowest, work[members].mean(axis=0) - work[~members].mean(axis=0))
    shares = np.zeros(len(keys))
    for side in (0, 1):
        np.add.at(shares, [pair[side] for pair in corral.labels], corral.weights)
    difference = np.ldexp(corral.point, power)
    return NearestPoints(tuple(corral.labels), corral.weights, shares, difference, _length(difference))


def _power(rows: np.ndarray) -> int:
    """The power of two that brings the largest entry to about 1 (exactly, barring what is below 10^-300 of it)."""
    return int(np.frexp(np.abs(rows).max())[1])


def _length(vector: np.ndarray) -> float:
    """‖vector‖ without overflow or underflow."""
    power = _power(vector)
    return float(np.ldexp(np.linalg.norm(np.ldexp(vector, -power)), power))


@final
@dataclass(frozen=True, eq=False)
class _Corral(Generic[Label]):
    labels: list[Label]
    rows: np.ndarray
    weights: np.ndarray
    point: np.ndarray


def _shortest(lowest: Callable[[np.ndarray], tuple[Label, np.ndarray]], towards: np.ndarray) -> _Corral[Label]:
    """Wolfe's method from the row that is lowest along `towards`."""
    label, row = lowest(towards)
    here = _Corral([label], row[None], np.ones(1), row)
    seen = {frozenset(here.labels)}
    for _ in range(_STEPS_PER_DIMENSION * (len(row) + 10)):
        if np.linalg.norm(here.point) <= _touching(here):
            break
        label, row = lowest(here.point)
        ahead = float(here.point @ (here.point - row))
        if label in here.labels or ahead <= _ROUNDING * np.linalg.norm(here.point) * np.linalg.norm(row):
            break
        grown = _grown(here, label, row)
        if grown is None or frozenset(grown.labels) in seen:
            break
        seen.add(frozenset(grown.labels))
        here = grown
    if np.linalg.norm(here.point) <= _touching(here):
        return _Corral(here.labels, here.rows, here.weights, here.weights @ here.rows)
    return here


def _touching(here: _Corral[Label]) -> float:
    """A length that rounding alone accounts for."""
    return _ROUNDING * len(here.labels) * float(np.abs(here.rows).max())


def _grown(here: _Corral[Label], label: Label, row: np.ndarray) -> _Corral[Label] | None:
    """The next corral after `row` is added; None when rounding leaves no independent rows."""
    labels, rows, weights = [*here.labels, label], np.vstack([here.rows, row]), np.append(here.weights, 0.0)
    while True:
        affine = _affine(rows, weights)
        if affine is None:
            return None
        wanted, point = affine
        if (wanted > 0).all():
            return _Corral(labels, rows, wanted, point)
        falling = np.flatnonzero(wanted <= 0)
        steps = weights[falling] / (weights[falling] - wanted[falling] + 2.0**-1000)
        weights = weights + steps.min() * (wanted - weights)
        weights[falling[steps.argmin()]] = 0.0
        kept = np.flatnonzero(weights > 0)
        labels, rows, weights = [labels[k] for k in kept], rows[kept], weights[kept]


def _affine(rows: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """(weights, point) of the shortest vector of the rows' affine hull; None when they are not independent."""
    base = int(weights.argmax())
    others = np.delete(np.arange(len(rows)), base)
    if len(others) > rows.shape[1]:
        return None
    Q, R = np.linalg.qr((rows[others] - rows[base]).T)
    along = Q.T @ rows[base]
    try:
        parts = np.linalg.solve(R, -along)
    except np.linalg.LinAlgError:
        return None
    point = rows[base] - Q @ along
    point -= Q @ (Q.T @ point)
    wanted = np.empty(len(rows))
    wanted[others] = parts
    wanted[base] = 1.0 - parts.sum()
    return (wanted, point) if np.isfinite(wanted).all() else None
