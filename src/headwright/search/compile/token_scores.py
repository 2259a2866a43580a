"""Scores between your own token vectors.

Maps Q, K are wanted with scores (Q x_a + b)·(K y_b + c) that are equal on selected keys and at least 1 less on all others.
With a one appended to each vector the scores are x_aᵀ W y_b for one matrix W. Three matrices are tried: the plain product less
the squares of the lengths, as far as these are affine; the one that gives any scores at all, if the vectors are independent
(left inverses of both); and the one of least norm, found for all tokens jointly. Of those that tell the keys apart, the one
with the smallest products is taken, because its scores round least. Nothing here is trusted: the walk reads the stored weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

import numpy as np

from headwright.search.compile.own_tokens import refuse_scores
from headwright.search.compile.plan import Plan
from headwright.search.layers.joint_least_norm import joint_least_norm
from headwright.search.layers.joint_problem import RowGoal
from headwright.search.least_norm.nearest_points import nearest_points
from headwright.theories.programs.steps import Atom, Step

_EVEN = (
    2.0**-19
)  # scores of selected keys that differ by less than this part of the gap count as equal: a few units of float32
_DEEP = 12.0  # the gap that the joint problem asks for, before it is scaled to 1
_NOISE = 1e-12  # singular values below this part of the largest are rounding
_MOST_ENTRIES = 2500  # of W for the joint problem, whose Newton system has their number squared
_MOST_EQUAL = 2000  # equalities in it


class ScoreMaps(NamedTuple):
    """Q (r, p), K (r, q) and their biases (r,); a selected key scores `least` or more, and every other 1 less or lower."""

    query: np.ndarray
    query_bias: np.ndarray
    key: np.ndarray
    key_bias: np.ndarray
    least: float


def maps_of(plan: Plan, step: Step, atom: Atom) -> ScoreMaps | None:
    """The maps of a condition that reads the user's tokens, None for any other; Unreachable or NotFound if there are none."""
    read = [own for own in (atom.key, atom.mine) if own is not None]
    if not any(plan.holds_vectors(own) for own in read):
        return None
    even = step.kind == "count" or step.default is not None
    if (atom, even) not in plan.found:
        codes = [plan.targets(own, plan.selecting(own)) for own in read]
        labels = [plan.labels(own) for own in read]
        asking = codes[1] if atom.mine is not None else np.zeros((1, 0))
        mine = labels[1] if atom.mine is not None else (None,)
        holds = np.array([[plan.program.selects(atom, label, own) for label in labels[0]] for own in mine])
        with np.errstate(all="ignore"):  # what overflows tells no keys apart
            found = score_maps(asking, codes[0], holds, even=even)
        if found is None and step.kind == "pick" and len(holds) == 1:
            found = _separated(codes[0], holds[0])
        if found is None:
            refuse_scores(step.kind, codes[0], labels[0], labels[1] if atom.mine is not None else None, holds)
        plan.found[atom, even] = found
    return cast("ScoreMaps", plan.found[atom, even])


def score_maps(asking: np.ndarray, keys: np.ndarray, holds: np.ndarray, *, even: bool) -> ScoreMaps | None:
    """Maps for asking vectors (a, p) and keys (b, q), where `holds` (a, b) says which keys are selected; None if none were found.

    `even`: selected keys must score the same for all asking vectors, so that they can be weighed against BOS.

    >>> corners = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    >>> maps = score_maps(corners, corners, np.eye(4, dtype=bool), even=True)
    >>> scores = (corners @ maps.query.T + maps.query_bias) @ (corners @ maps.key.T + maps.key_bias).T
    >>> scores.round(6).tolist()[0], round(maps.least, 6)
    ([1.0, 0.0, -1.0, 0.0], 1.0)
    """
    x, y = _with_one(asking), _with_one(keys)
    usable = [own for own in (_measured(w, x, y, holds, even) for w in _matrices(asking, keys, holds)) if own]
    if not usable:
        joint = _joint(x, y, holds, even)
        usable = [own for own in [None if joint is None else _measured(joint, x, y, holds, even)] if own]
    return min(usable, key=lambda own: own[0])[1] if usable else None


def _separated(keys: np.ndarray, chosen: np.ndarray) -> ScoreMaps | None:
    """Scores that put every chosen key above every other, equal or not: enough for a pick, whose keys have one value."""
    near = nearest_points(keys, chosen)
    scores = keys @ near.difference
    gap = float(scores[chosen].min() - scores[~chosen].max())
    if not gap > 0:
        return None
    least = float(scores[chosen].min()) / gap
    return ScoreMaps(np.zeros((1, 0)), np.ones(1), near.difference[None] / gap, np.zeros(1), least)


def _with_one(vectors: np.ndarray) -> np.ndarray:
    return np.concatenate([vectors, np.ones((len(vectors), 1))], axis=1)


def _matrices(asking: np.ndarray, keys: np.ndarray, holds: np.ndarray) -> Iterator[np.ndarray]:
    """W (p + 1, q + 1): the plain product, and the product of left inverses."""
    if asking.shape[1] == keys.shape[1] > 0 and holds.any():
        w = np.zeros((asking.shape[1] + 1, keys.shape[1] + 1))
        w[:-1, :-1] = np.eye(asking.shape[1])
        w[:, -1] -= _half_square(asking[holds.any(axis=1)])
        w[-1, :] -= _half_square(keys[holds.any(axis=0)])
        yield w
    x, y = _with_one(asking), _with_one(keys)
    if min(np.linalg.matrix_rank(x) - len(x), np.linalg.matrix_rank(y) - len(y)) == 0:
        yield np.linalg.pinv(x) @ np.where(holds, 0.0, -1.0) @ np.linalg.pinv(y).T


def _half_square(vectors: np.ndarray) -> np.ndarray:
    """The affine function of a vector that comes nearest to half of its squared length: a constant if that is enough."""
    half = (vectors**2).sum(axis=1) / 2
    middle = (half.min() + half.max()) / 2
    if np.ptp(half) <= _EVEN * middle:
        return np.append(np.zeros(vectors.shape[1]), middle)
    return np.asarray(np.linalg.lstsq(_with_one(vectors), half, rcond=None)[0])


def _joint(x: np.ndarray, y: np.ndarray, holds: np.ndarray, even: bool) -> np.ndarray | None:
    """W of least norm; `even`: selected keys score 0, like a key of zeros that is added."""
    equal = int(holds.sum()) if even else int(np.maximum(holds.sum(axis=1) - 1, 0).sum())
    if x.shape[1] * y.shape[1] > _MOST_ENTRIES or equal > _MOST_EQUAL:
        return None
    goals = []
    for own in holds:
        selected = np.flatnonzero(own)
        support = np.append(len(y), selected) if even or not len(selected) else selected
        goals.append(RowGoal(support, np.zeros(len(support) - 1), np.flatnonzero(~own), -_DEEP))
    solution = joint_least_norm(x, np.concatenate([y, np.zeros((1, y.shape[1]))]), goals)
    return solution.matrix if solution.reached else None


def _measured(
    w: np.ndarray, x: np.ndarray, y: np.ndarray, holds: np.ndarray, even: bool
) -> tuple[float, ScoreMaps] | None:
    """The maps of W, scaled to a gap of 1, and the size of their products; None if they do not tell the keys apart."""
    scores = x @ w @ y.T
    low = np.where(holds, scores, np.inf).min(axis=1)
    high = np.where(holds, scores, -np.inf).max(axis=1)
    if even:
        low, high = np.full_like(low, low.min()), np.full_like(high, high.max())
    some = np.isfinite(low)  # asking labels that select a key
    level = np.where(some, low, low.min(initial=np.inf, where=some) if some.any() else 0.0)
    gap = float((level[:, None] - np.where(holds, -np.inf, scores)).min())
    if not (np.isfinite(scores).all() and gap > 0 and (high[some] - low[some] <= _EVEN * gap).all()):
        return None
    if not np.isfinite(gap):  # every key is selected
        none = np.zeros(0)
        return 0.0, ScoreMaps(np.zeros((0, len(w) - 1)), none, np.zeros((0, w.shape[1] - 1)), none, 0.0)
    corner = w[-1, -1] / gap
    w = w / gap
    w[-1, -1] = 0.0  # the same for all keys: BOS gets less instead
    query, key = _factored(w)
    size = float((np.abs(x @ query.T) @ np.abs(y @ key.T).T).max())
    return size, ScoreMaps(query[:, :-1], query[:, -1], key[:, :-1], key[:, -1], float(level.min() / gap - corner))


def _factored(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q and K with QᵀK = W, and as few rows as the rank of W."""
    inner = w[:-1, :-1]
    if not w[-1].any() and not w[:, -1].any() and inner.shape[0] == inner.shape[1] and inner.any():
        scale = inner[0, 0]
        if np.array_equal(inner, scale * np.eye(len(inner))):  # the plain product, with keys that are exact
            return scale * np.eye(*w[:-1].shape), np.eye(*w[:-1].shape)
    left, values, right = np.linalg.svd(w)
    rank = int((values > _NOISE * values[0]).sum())
    root = np.sqrt(values[:rank])
    return (left[:, :rank] * root).T, root[:, None] * right[:rank]
