"""Shortest queries for many Copy goals over the same keys, side by side: starts for the careful solver.

All goals share the keys, so one matrix product serves all of them in each Newton step: scores Z Kᵀ, gradients P K, and the
second moments Σ_j p_j k_j k_jᵀ as P X, where X holds the upper triangles of the keys' outer products, formed once. X is float32,
because the Hessian affects only the steps, not where they converge. The steps are those of `newton` on z + λg = 0 and f = c,
undamped except to keep λ > 0. Goals that do not converge are returned as NaN and solved one by one.
"""

from __future__ import annotations

import numpy as np

_MOST_NUMBERS = 2**27  # in X: half a gigabyte
_TOGETHER = 128  # goals at a time
_MOST_STEPS = 16
_SETTLED = 2.0**-43
_CLOSE, _STALE = 1e-3, 1e-2  # below and falling this fast, an old Hessian serves another step


def copy_queries(keys: np.ndarray, indices: list[int], c: float) -> tuple[np.ndarray, np.ndarray]:
    """Queries (g, d) and multipliers (g,) for Copy(i), i in `indices`, at leak bound c; NaN for those not found here."""
    n, d = keys.shape
    queries, multipliers = np.full((len(indices), d), np.nan), np.full(len(indices), np.nan)
    if n < 3 or n * d * (d + 1) // 2 > _MOST_NUMBERS:
        return queries, multipliers
    centred = keys - keys.mean(axis=0)
    size = float(np.abs(centred).max()) or 1.0
    centred /= size
    narrow = centred.astype(np.float32)
    rows, columns = np.triu_indices(d)
    moments = narrow[:, rows] * narrow[:, columns]
    for first in range(0, len(indices), _TOGETHER):
        part = slice(first, first + _TOGETHER)
        z, multiplier = _settle(centred, moments, np.array(indices[part]), c)
        queries[part], multipliers[part] = z / size, multiplier / size**2
    return queries, multipliers


def _settle(keys: np.ndarray, moments: np.ndarray, own: np.ndarray, c: float) -> tuple[np.ndarray, np.ndarray]:
    """(z, λ) for the keys `own`, NaN where Newton's method did not settle."""
    d, goals = keys.shape[1], np.arange(len(own))
    z, multiplier = np.zeros((len(own), d)), np.ones(len(own))
    settled = np.zeros(len(own), dtype=bool)
    before = np.full(len(own), np.inf)
    H = np.broadcast_to(keys.T @ keys / len(keys), (len(own), d, d))  # at z = 0 all goals see the keys' own covariance
    identity = np.eye(d)
    with np.errstate(all="ignore"):
        for step in range(_MOST_STEPS):
            scores = z @ keys.T - np.einsum("gd,gd->g", z, keys[own])[:, None]
            scores[goals, own] = -np.inf
            top = scores.max(axis=1)
            p = np.exp(scores - top[:, None])
            whole = p.sum(axis=1)
            p /= whole[:, None]
            mean = p @ keys
            g, off = mean - keys[own], top + np.log(whole) - c
            if step == 0:
                multiplier = 1 / np.maximum(np.einsum("gd,gd->g", g, g) / np.maximum(off, 1.0), np.trace(H[0]) / d)
            first = z + multiplier[:, None] * g
            residual = np.linalg.norm(first, axis=1) / np.linalg.norm(z, axis=1) + np.abs(off)
            settled = residual < _SETTLED
            if settled.all():
                break
            if step > 0 and not (residual < np.minimum(_CLOSE, _STALE * before)).all():  # else the last Hessian will do
                H = _second_moments(p, moments, d)
                H -= mean[:, :, None] * mean[:, None, :]
            before = residual
            right = np.stack([first, g], axis=2)
            try:
                u, w = np.moveaxis(np.linalg.solve(identity + multiplier[:, None, None] * H, right), 2, 0)
            except np.linalg.LinAlgError:
                break
            change = (off - np.einsum("gd,gd->g", g, u)) / np.einsum("gd,gd->g", g, w)
            t = np.where(change < 0, np.minimum(1.0, 0.9 * multiplier / -change), 1.0)
            multiplier = multiplier + t * change
            z = z - t[:, None] * (u + change[:, None] * w)
    z[~settled], multiplier[~settled] = np.nan, np.nan
    return z, multiplier


def _second_moments(p: np.ndarray, moments: np.ndarray, d: int) -> np.ndarray:
    """Σ_j p_j k_j k_jᵀ for every goal, from the packed upper triangles."""
    packed = (p.astype(np.float32) @ moments).astype(np.float64)
    full = np.zeros((len(p), d, d))
    rows, columns = np.triu_indices(d)
    place = np.empty((d, d), dtype=np.intp)
    place[rows, columns] = place[columns, rows] = np.arange(len(rows))
    np.take(packed, place.ravel(), axis=1, out=full.reshape(len(p), d * d))
    return full
