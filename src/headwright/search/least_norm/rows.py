"""The rows r_j = k_j - o of a log-sum-exp, without a copy of the keys: its value, slope and curvature at a query.

At a hundred thousand keys the time goes into reading them. `at` reads them once for value, weights and slope together, block by
block, with the running maximum of an online softmax. The curvature costs as much as several such readings, so a search may ask
for that of a sample: rows drawn at equal steps of the cumulated weights, hence in proportion to their weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np

_IN_CACHE = 2**16  # entries of a block that is read for a slope: half a megabyte
_BLOCK = 2**19  # entries of a block that is read for a curvature: large enough for the matrix product
_NEGLIGIBLE = 1e-18  # weights below this share of the largest do not move a float64 Hessian
_SAMPLED = 16  # rows of a sample for each dimension: its curvature is off by a quarter or so
_TIMES = 2  # a sample is drawn where there are this many times as many rows
_LOOKED_AT = 1024  # rows from which size and spread are estimated
_FAR = 8.0  # keys further from the origin than this many times their spread lose digits in their scores


class Value(NamedTuple):
    """f = ln Σ exp(r_j·q), its weights p (n,) and its slope g = Σ p_j r_j (d,)."""

    f: float
    p: np.ndarray
    g: np.ndarray


@final
class Rows:
    """Rows keys - origin, but for those left out, whose weight is always 0. With `lifts` (n,), each score is r_j·q + lift_j.

    >>> rows = Rows(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 3.0]]), np.zeros(2), [2])
    >>> value = rows.at(np.zeros(2))
    >>> round(value.f, 4), value.p.tolist(), value.g.tolist()
    (0.6931, [0.5, 0.5, 0.0], [0.5, 0.5])
    """

    def __init__(
        self, keys: np.ndarray, origin: np.ndarray, left_out: Sequence[int] = (), lifts: np.ndarray | None = None
    ) -> None:
        some = keys[:: max(1, len(keys) // _LOOKED_AT)]
        apart = some - origin
        spread = float(np.abs(apart).max(initial=0.0))
        if keys.size <= _BLOCK or float(np.abs(origin).max(initial=0.0)) > _FAR * spread:
            keys, origin = keys - origin, np.zeros_like(origin)
        self.keys, self.origin, self.left_out = keys, origin, np.sort(np.array(left_out, dtype=np.intp))
        self.lifts = lifts
        self.count = len(keys) - len(self.left_out)
        self.samples = len(keys) > _TIMES * _SAMPLED * keys.shape[1]  # so that a sample is cheaper
        self.size = float(np.sqrt(np.einsum("ij,ij->i", apart, apart).max(initial=0.0)))  # of the longest row seen

    def matrix(self) -> np.ndarray:
        """The rows themselves, those left out dropped."""
        kept: np.ndarray = np.delete(self.keys, self.left_out, axis=0) - self.origin
        return kept

    def fixed(self) -> np.ndarray:
        """The fixed parts of their scores."""
        return np.zeros(self.count) if self.lifts is None else np.delete(self.lifts, self.left_out)

    def at(self, q: np.ndarray) -> Value:
        n, d = self.keys.shape
        scores, g = np.empty(n), np.zeros(d)
        rows = max(1, _IN_CACHE // d)
        top, whole = -np.inf, 0.0
        for start in range(0, n, rows):
            block = self.keys[start : start + rows]
            own = np.matmul(block, q, out=scores[start : start + rows])
            if self.lifts is not None:
                own += self.lifts[start : start + rows]
            first, last = np.searchsorted(self.left_out, (start, start + rows))
            own[self.left_out[first:last] - start] = -np.inf
            highest = own.max()
            if highest > top:
                shrink = np.exp(top - highest)
                top, whole, g = highest, whole * shrink, g * shrink
            elif not highest > -np.inf:  # all left out, or not a number
                whole += float(np.exp(highest))
                continue
            powers = np.exp(own - top)
            whole += float(powers.sum())
            g += powers @ block
        if whole == 0:
            return Value(-np.inf, np.zeros(n), g)
        scores -= top
        p = np.exp(scores, out=scores)
        p /= whole
        return Value(float(top + np.log(whole) - self.origin @ q), p, g / whole - self.origin)

    def curvature(self, value: Value, *, roughly: bool = False) -> np.ndarray:
        """∇²f; centring first keeps it positive semi-definite in float64. `roughly`: of a sample, where that is cheaper."""
        (n, d), p, mean = self.keys.shape, value.p, value.g + self.origin
        if roughly and self.samples:
            sampled = _SAMPLED * d
            steps = (np.arange(sampled) + 0.5) / sampled
            cumulated = np.cumsum(p)
            drawn = np.minimum(np.searchsorted(cumulated, steps * cumulated[-1]), n - 1)  # n where p is not a number
            centred = self.keys[drawn] - mean
            rough: np.ndarray = (centred.T @ centred) / sampled
            return rough
        active = np.flatnonzero(p > _NEGLIGIBLE * p.max())
        keys, weights = (self.keys, p) if 5 * len(active) > 4 * n else (self.keys[active], p[active])
        H = np.zeros((d, d))
        rows = max(1, _BLOCK // d)
        for start in range(0, len(keys), rows):
            centred = keys[start : start + rows] - mean
            centred *= np.sqrt(weights[start : start + rows])[:, None]
            H += centred.T @ centred
        return H


def log_sum_exp(scores: np.ndarray) -> float:
    """ln Σ exp(scores) without overflow; -inf for no scores."""
    if not len(scores):
        return -np.inf
    top = scores.max()
    return float(top + np.log(np.exp(scores - top).sum()))


def corrected(H: np.ndarray, move: np.ndarray, change: np.ndarray) -> np.ndarray:
    """H with H·move = change, and otherwise as it was (BFGS); H itself where rounding hides the curvature along the move."""
    along, seen = H @ move, float(move @ change)
    expected = float(move @ along)
    if not (seen > 1e-8 * expected > 0):  # f is convex: anything else is rounding
        return H
    return H - np.outer(along, along) / expected + np.outer(change, change) / seen
