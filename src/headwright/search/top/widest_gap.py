"""The shortest z that scores a set S above the rest by a gap, where every score has a fixed part: s = R z + lifts.

    minimise ½‖z‖²  subject to  (r_i - r_j)·z >= g - (lift_i - lift_j)   for all i in S, j outside.

Without fixed parts this is a question about two hulls (`nearest_points.py`). With them it is a least-distance problem, which
Lawson and Hanson reduce to non-negative least squares [Solving Least Squares Problems, 1974, §23.4]. Pairs (i, j) are added one
at a time, the one with the smallest gap next; ‖z‖ grows with each. If there is no such z, the weights on the pairs show it: the
differences cancel, and the right-hand sides do not.

Nothing here is trusted: z gives a query, the weights give a witness, and `proofs` judges both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

_STEPS_PER_DIMENSION = 60  # two or three pairs for each dimension are usual
_MET = 1e-13  # of the largest score: a gap this near to the one asked is met
_NOTHING = 1e-10  # a residual of this size is 0: no z meets these pairs


class WidestGap(NamedTuple):
    """z (k,), None if there is none, and the witness: positive `weights` on `pairs` (i in S, j outside)."""

    z: np.ndarray | None
    pairs: list[tuple[int, int]]
    weights: np.ndarray

    def shares(self, n: int) -> np.ndarray:
        """The weights by key (n,): the same sum on S and outside."""
        shares = np.zeros(n)
        for side in (0, 1):
            np.add.at(shares, [pair[side] for pair in self.pairs], self.weights)
        return shares


def widest_gap(rows: np.ndarray, members: np.ndarray, lifts: np.ndarray, gap: float) -> WidestGap:
    """Solve for rows (n, k), the set that `members` (n,) marks, fixed parts `lifts` (n,) and a gap.

    >>> found = widest_gap(np.array([[1.0], [-1.0]]), np.array([True, False]), np.array([0.5, 0.0]), 1.0)
    >>> found.z.tolist(), found.pairs
    ([0.25], [(0, 1)])
    """
    size = float(np.abs(rows - rows.mean(axis=0)).max()) or 1.0
    scaled = (rows - rows.mean(axis=0)) / size
    z, pairs, weights = np.zeros(rows.shape[1]), list[tuple[int, int]](), np.zeros(0)
    for _ in range(_STEPS_PER_DIMENSION * (len(z) + 10)):
        scores = scaled @ z + lifts
        i = int(np.where(members, scores, np.inf).argmin())
        j = int(np.where(members, -np.inf, scores).argmax())
        met = scores[i] - scores[j] >= gap - _MET * max(abs(gap), float(np.abs(scores).max()))
        if not pairs and met:
            return WidestGap(z, [(i, j)], np.ones(1))
        if met:
            break
        if (i, j) in pairs:  # tight pairs that no z meets together, but for rounding
            return WidestGap(None, pairs, _cancelling(*_constraints(scaled, lifts, pairs, gap), weights))
        pairs.append((i, j))
        G, h = _constraints(scaled, lifts, pairs, gap)
        weights, point = _shortest(G, h)
        kept = np.flatnonzero(weights)
        pairs, weights = [pairs[k] for k in kept], weights[kept]
        if point is None:
            return WidestGap(None, pairs, weights)
        z = point
    return WidestGap(z / size, pairs, weights)


def _constraints(
    rows: np.ndarray, lifts: np.ndarray, pairs: list[tuple[int, int]], gap: float
) -> tuple[np.ndarray, np.ndarray]:
    above, below = np.array(pairs).T
    return rows[above] - rows[below], gap - (lifts[above] - lifts[below])


def _shortest(G: np.ndarray, h: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """(weights, z) for the shortest z with G z >= h, z None if there is none; both made anew from the pairs that are tight."""
    from scipy.optimize import nnls

    reach = float(np.abs(h).max())
    E, f = np.vstack([G.T, h[None] / reach]), np.append(np.zeros(G.shape[1]), 1.0)
    weights, _ = nnls(E, f, maxiter=30 * len(h) + 100)
    off = E @ weights - f
    if np.linalg.norm(off) <= _NOTHING:
        return _cancelling(G, h, weights), None
    tight = weights > 0
    z = np.linalg.lstsq(G[tight], h[tight], rcond=None)[0]
    again = np.linalg.lstsq(G[tight].T, z, rcond=None)[0]
    if (again > 0).all():
        weights[tight] = again
    return weights, z


def _cancelling(G: np.ndarray, h: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weights u near those given with Gᵀu = 0 up to rounding, if the tight rows have such; the weights given otherwise."""
    tight = np.flatnonzero(weights)
    u = np.linalg.svd(G[tight].T, full_matrices=True)[2][-1]
    u = u if u @ h[tight] > 0 else -u
    better = np.zeros_like(weights)
    better[tight] = u
    return better if (u > 0).all() and np.linalg.norm(better @ G) <= np.linalg.norm(weights @ G) else weights
