"""Your own token vectors: checks, the codes of labels, the direction along which a table tells tokens apart, and refusals.

The tokens are V vectors t_a in d columns of the stream, and d may be less than V. A head reads them by scores t_aᵀ W t_b
(`token_scores.py`). Hidden units read one number w·t. So a table needs a direction w along which tokens with different entries
keep apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.goals import Average, Copy, Goal, Top
from headwright.search.design import design
from headwright.search.layers.design_layer import design_layer
from headwright.search.least_norm.nearest_points import nearest_points
from headwright.theories.programs.rounding import held
from headwright.theories.programs.steps import Label
from headwright.words.refusals import NotFound, Unreachable

_DIRECTIONS = 400  # drawn: the best smallest gap among V projections grows slowly with more
_REFINED = 400  # small moves from the best of them
_ASKED = "0.01"  # a refusal says that no head leaks less than this
_MOST_ROWS = 200  # tokens that are tried one by one for a witness
_MOST_TOGETHER = 60  # tokens whose goals are tried together, which needs their number squared


def checked_tokens(tokens: Any, vocabulary: Sequence[str], dtype: str) -> np.ndarray | None:
    """The vectors (V, d) in float64, or an error that names `tokens`; Unreachable if two of them are equal.

    >>> checked_tokens([[1, 0], [0, 1], [-1, -1]], "abc", "float32").shape
    (3, 2)
    """
    if tokens is None:
        return None
    vectors = inputs.float64(tokens, name="tokens", ndim=2)
    if len(vectors) != len(vocabulary):
        raise ValueError(
            f"`tokens` must have a row for each of the {len(vocabulary)} tokens of the vocabulary, got {len(vectors)}"
        )
    if not held(vectors, dtype):
        row, column = np.argwhere(vectors != vectors.astype(np.float32))[0]
        raise ValueError(
            f"`tokens` must hold numbers of {dtype}, but entry [{row}, {column}] is {float(vectors[row, column])!r}. "
            f"Round them first, with `tokens.astype(numpy.{dtype})`"
        )
    order = np.lexsort(vectors.T)
    same = np.flatnonzero((vectors[order[1:]] == vectors[order[:-1]]).all(axis=1))
    if len(same):
        first, second = sorted(order[same[0] : same[0] + 2].tolist())
        refusal = design(vectors, Copy(first), error=_ASKED, throw=False)
        assert isinstance(refusal, Unreachable)
        names = f"{vocabulary[first]!r} and {vocabulary[second]!r}"
        _raise(f"nothing can tell the tokens {names} apart, because their vectors are equal", refusal)
    return vectors


def codes_of_labels(vectors: np.ndarray, labels: Sequence[Label], vocabulary: Sequence[str]) -> np.ndarray:
    """The vector of each label. One that is no token, such as a default, gets 0 or a vector between tokens, away from them all.

    A vector between tokens takes no token away from the corners of their hull.

    >>> codes_of_labels(np.array([[1.0, 0.0], [0.0, 1.0]]), ["b", "?"], ["a", "b"]).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    place = {token: k for k, token in enumerate(vocabulary)}
    known = [place.get(label) if isinstance(label, str) else None for label in labels]
    if None not in known:
        return vectors[[k for k in known if k is not None]]
    near = min((_nearest(vectors[k + 1 :], own) for k, own in enumerate(vectors[:-1])), default=0.0)
    with np.errstate(
        over="ignore", under="ignore"
    ):  # what float32 cannot hold lies far from no token, or is not finite
        between = [vectors.mean(axis=0), *((vectors[0] + own) / 2 for own in vectors[1:])]
        tried = [np.zeros(vectors.shape[1]), *(own.astype(np.float32).astype(np.float64) for own in between)]
    tried = [own for own in tried if np.isfinite(own).all()]
    enough = [own for own in tried if _nearest(vectors, own) >= near / 2]
    away = enough[0] if enough else max(tried, key=lambda own: _nearest(vectors, own))
    return np.array([away if k is None else vectors[k] for k in known])


def _nearest(vectors: np.ndarray, own: np.ndarray) -> float:
    """The largest difference in one entry between a vector and the nearest of the others."""
    return float(np.abs(vectors - own).max(axis=1).min())


def direction(codes: np.ndarray, classes: Sequence[object]) -> np.ndarray:
    """w (d,) such that w·t differs by 1 or more between any two codes (L, d) of different classes, with a small norm.

    >>> codes = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> y = codes @ direction(codes, "abb")
    >>> bool(min(abs(y[1] - y[0]), abs(y[2] - y[0])) > 0.999)
    True
    """
    rng = np.random.default_rng(0)
    known = {own: k for k, own in enumerate(dict.fromkeys(classes))}
    label = np.array([known[own] for own in classes])
    d = codes.shape[1]
    tried = [*np.eye(d), *rng.standard_normal((_DIRECTIONS, d))]
    for k in range(
        len(known) if 1 < len(known) <= _MOST_TOGETHER else 0
    ):  # the widest margin between one class and the others
        tried.append(nearest_points(codes, label == k).difference)
    best, room = np.eye(d)[0], 0.0
    for w in tried:
        best, room = _better(best, room, w, codes, label)
    step = 0.3 * float(np.linalg.norm(best)) / np.sqrt(d)
    for _ in range(_REFINED):
        before = room
        best, room = _better(best, room, best + step * rng.standard_normal(d), codes, label)
        step *= 1.0 if room > before else 0.98
    return np.asarray(best / _gap(best, codes, label) if room > 0 else best)


def _better(
    best: np.ndarray, room: float, w: np.ndarray, codes: np.ndarray, label: np.ndarray
) -> tuple[np.ndarray, float]:
    norm = float(np.linalg.norm(w))
    own = _gap(w, codes, label) / norm if norm > 0 else 0.0
    return (w, own) if own > room else (best, room)


def _gap(w: np.ndarray, codes: np.ndarray, label: np.ndarray) -> float:
    """The smallest difference of w·t between codes of different classes, which are neighbours in order."""
    y = codes @ w
    order = np.argsort(y, kind="stable")
    other = label[order[1:]] != label[order[:-1]]
    return float(np.diff(y[order])[other].min(initial=np.inf)) if other.any() else 1.0


def refuse_scores(
    kind: str, keys: np.ndarray, names: Sequence[Label], asking: Sequence[Label] | None, holds: np.ndarray
) -> NoReturn:
    """Raise Unreachable if it is proved that no head selects these keys (L, d) for a step of this kind, and NotFound otherwise.

    `holds` (a, L) says which keys each asking label selects; `asking` is None where all positions select alike. If the asking
    vectors are the keys themselves, the goals are also tried together.
    """
    equal = kind in ("count", "mean")
    with np.errstate(all="ignore"):
        width = [_widest(keys, own) for own in holds]
    rows = [row for row in range(len(holds)) if 0 < holds[row].sum() < len(keys)]
    for row in sorted(rows, key=lambda own: width[own])[:_MOST_ROWS]:
        chosen = np.flatnonzero(holds[row]).tolist()
        goal = _goal(chosen) if equal or len(chosen) == 1 else Top(*chosen)
        refusal = design(keys, goal, error=None if isinstance(goal, Top) else _ASKED, throw=False)
        if isinstance(refusal, Unreachable):
            named = _listed([names[k] for k in chosen])
            does = f"gives at least 99 % of its weight to {named}"
            if len(chosen) > 1:
                does = f"gives equal weight to {named}, within 1 %" if equal else f"prefers {named} to all other tokens"
            others = [names[k] for k in refusal.witness.indices] if refusal.witness else []
            hull = f". Its vector is a mean of those of {_listed(others)}"
            tied = f". A relation between the vectors of {_listed(others)} proves it"
            seen = "" if not others else hull if len(chosen) == 1 else tied
            _raise(f"`{kind}` has no head for these tokens: no query {does}{seen}. {_WAY_OUT}", refusal)
    if asking is not None and list(asking) == list(names) and len(keys) <= _MOST_TOGETHER and equal:
        goals = {row: _goal(np.flatnonzero(holds[row]).tolist()) for row in rows}
        try:
            design_layer(_with_one(keys), goals, error=_ASKED)
        except Unreachable as refusal:
            tied = _listed([asking[k] for k in refusal.witness.indices]) if refusal.witness else "some tokens"
            _raise(
                f"`{kind}` has no head for these tokens: each has a query, but no W gives all of {tied} theirs. {_WAY_OUT}",
                refusal,
            )
        except NotFound:
            pass
    raise NotFound(f"no head was found for `{kind}` whose scores tell these tokens apart. {_WAY_OUT}")


_WAY_OUT = "Hidden units can tell the tokens apart: select by the register `p.map(lambda t: t, p.tokens)` instead"


def _goal(chosen: list[int]) -> Goal:
    return Copy(chosen[0]) if len(chosen) == 1 else Average(*chosen)


def _widest(keys: np.ndarray, chosen: np.ndarray) -> float:
    """How far the mean of the chosen keys lies out, along itself: keys in the hull of others come first."""
    centred = keys - keys.mean(axis=0)
    towards = centred[chosen].sum(axis=0)
    return float((centred[chosen] @ towards).min(initial=np.inf) - (centred[~chosen] @ towards).max(initial=-np.inf))


def _with_one(vectors: np.ndarray) -> np.ndarray:
    """The vectors with a column of ones, which stands for the biases."""
    return np.concatenate([vectors, np.ones((len(vectors), 1))], axis=1)


def _listed(names: Sequence[Label]) -> str:
    shown = [repr(name) for name in names[:8]]
    return ", ".join(shown) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _raise(reason: str, refusal: Unreachable) -> NoReturn:
    raise Unreachable(
        reason,
        verdict=refusal.verdict,
        witness=refusal.witness,
        best_error=refusal.best_error,
        best_verdict=refusal.best_verdict,
    ) from None
