"""A query of bounded norm whose attention moves far when keys are replaced: gradient ascent from many starts, not trusted.

With weights p over the keys, p' over the stored ones and s = sign(p - p'), the total variation ½ Σ|p - p'| has the gradient

    ½τ [Kᵀ(p ∘ (s - p·s)) - K'ᵀ(p' ∘ (s - p'·s))].

The starts lie along differences of two keys' moves, where scores move most, with a part that draws weight to the two keys; the
others are random, or point at single keys. Every point found is a query that a claim can judge, so it is at worst a weak attack.
"""

from __future__ import annotations

import numpy as np

_STARTS, _ROOM = 48, 750_000  # of each make; at most this many over n·d
_STAGES, _LAST = ((None, 8), (96, 16)), (24, 150)  # how many of the starts go on, and their steps
_PULLS = (0.5, 1.0, 2.0, 4.0)  # how much of a start draws weight to its two keys
_LONGER, _SHORTER = 1.2, 0.5  # the next step after one that helped, or did not
_INSIDE = 1 - 2.0**-40  # of the norm, so that rounding leaves the query inside the ball


def strongest_query(
    keys: np.ndarray, stored: np.ndarray, norm: float, scale: float, *, causal: bool = False, seed: int = 0
) -> np.ndarray:
    """A query (d,) of at most this norm that moves the weights over `keys` (n, d) about as far as any that was found.

    With `causal`, the weights may be those over the first t keys, and t = 2, 4, 8, … and n are tried.

    >>> q = strongest_query(np.eye(2), 0.5 * np.eye(2), 1.0, 1.0)
    >>> bool(abs(np.linalg.norm(q) - 1) < 1e-9 and abs(q[0] + q[1]) < 1e-3)
    True
    """
    n = len(keys)
    seen = {n, *(2**k for k in range(1, n.bit_length()) if causal and 2**k < n)}
    with np.errstate(all="ignore"):
        attacks = [(*_attack(keys[:t], stored[:t], norm, scale, seed), t) for t in sorted(seen)]
        queries, moved, t = max(attacks, key=lambda attack: attack[1].max())  # the number of keys that goes on
        best, steps = np.argsort(-moved)[: _LAST[0]], _LAST[1]
        queries, moved = _ascent(queries[best], keys[:t], stored[:t], norm * _INSIDE, scale, steps)
    found: np.ndarray = queries[int(np.argmax(moved))]
    return found


def _attack(
    keys: np.ndarray, stored: np.ndarray, norm: float, scale: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Queries after all stages but the last, and the total variation of each over all these keys."""
    queries = _starts(keys, stored, np.random.default_rng(seed))
    lengths = np.linalg.norm(queries, axis=1, keepdims=True)
    queries = queries[np.isfinite(lengths[:, 0]) & (lengths[:, 0] > 0)]
    queries *= norm * _INSIDE / np.linalg.norm(queries, axis=1, keepdims=True)
    moved = np.zeros(len(queries))
    for count, steps in _STAGES:
        best = np.argsort(-moved)[:count]
        queries, moved = _ascent(queries[best], keys, stored, norm * _INSIDE, scale, steps)
    return queries, moved


def _starts(keys: np.ndarray, stored: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    n, d = keys.shape
    count = max(4, min(_STARTS, _ROOM // (n * d)))
    moves, middle = stored - keys, keys.mean(axis=0)
    # Of the keys that move most, the pairs that move furthest apart.
    far = np.argsort(-np.linalg.norm(moves - moves.mean(axis=0), axis=1))[: 4 * count]
    apart = ((moves[far, None] - moves[far]) ** 2).sum(axis=-1)
    order = np.argsort(-np.triu(apart, 1), axis=None)[:count]
    first, second = (far[part] for part in np.unravel_index(order, apart.shape))
    along = _unit(moves[first] - moves[second])
    between = _unit(keys[first] - keys[second])
    pull = (keys[first] + keys[second]) / 2 - middle
    pull = _unit(pull - (pull * between).sum(axis=1, keepdims=True) * between)  # both keys score alike along this
    single = keys[rng.permutation(n)[:count]] - middle
    return np.concatenate([*(along + part * pull for part in _PULLS), rng.normal(size=(count, d)), single])


def _lengths(rows: np.ndarray) -> np.ndarray:
    lengths: np.ndarray = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return lengths[:, None]


def _unit(rows: np.ndarray) -> np.ndarray:
    lengths = _lengths(rows)
    unit: np.ndarray = np.divide(rows, lengths, out=np.zeros(rows.shape), where=lengths > 0)
    return unit


def _ascent(
    queries: np.ndarray, keys: np.ndarray, stored: np.ndarray, norm: float, scale: float, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """Queries moved along the gradient within the ball, each by steps of its own length, and their total variations."""
    length = np.full(len(queries), 0.2 * norm)
    moved, slope = _variation(queries, keys, stored, scale)
    for _ in range(steps):
        tried = queries + length[:, None] * _unit(slope)
        size = _lengths(tried)
        tried = np.where(size > norm, tried * (norm / size), tried)
        value, other = _variation(tried, keys, stored, scale)
        better = value > moved
        queries, slope = (np.where(better[:, None], *pair) for pair in ((tried, queries), (other, slope)))
        moved, length = np.where(better, value, moved), length * np.where(better, _LONGER, _SHORTER)
    return queries, moved


def _variation(
    queries: np.ndarray, keys: np.ndarray, stored: np.ndarray, scale: float
) -> tuple[np.ndarray, np.ndarray]:
    scaled = scale * queries
    before, after = (_weights(scaled @ part.T) for part in (keys, stored))
    change = before - after
    signs = np.sign(change)
    gains = [part * (signs - np.einsum("ij,ij->i", part, signs)[:, None]) for part in (before, after)]
    return 0.5 * np.abs(change).sum(axis=1), 0.5 * scale * (gains[0] @ keys - gains[1] @ stored)


def _weights(scores: np.ndarray) -> np.ndarray:
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    return scores
