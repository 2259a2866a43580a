"""What the library designs for a scene: queries, a layer, or the refusal that says why there are none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel.goals import Goal, Top
from headwright.playground.scene import Scene
from headwright.search.design import design
from headwright.search.layers.design_layer import design_layer
from headwright.words.design import Design
from headwright.words.layer import Layer
from headwright.words.refusals import NotFound, Unreachable

Designed = Design | Layer | Unreachable | NotFound
# A layer is one convex problem over all its rows. Up to this size it takes a second or two, and a notebook waits for it.
MOST_TOKENS = 40
_FLAT = 1e-12  # singular values below this part of the largest are rounding


def designed(scene: Scene) -> Designed | None:
    """What the library finds for the scene; None if it has no goal or brings its own queries. ValueError says what does not fit.

    >>> designed(Scene.of({"keys": [[0], [1], [2]], "goal": {"goal": "copy", "indices": [1], "shares": ["1"]}})).best_error
    0.6666666666666666
    """
    if scene.layer is not None:
        return _layer(scene)
    goal = scene.goal
    if goal is None or scene.queries is not None:
        return None
    asked: dict[str, Any] = {"scale": scene.scale, "heads": scene.heads, "throw": False}
    if scene.max_norm is not None:
        asked["max_norm"] = scene.max_norm
    elif not isinstance(goal, Top):
        asked["error"] = str(scene.error)
    if scene.radius:
        asked |= {"radius": scene.radius, "norm": "ball"}
    if is_steady(scene):
        basis = steady_basis(scene)
        if basis is None:
            return NotFound("the noisy keys span the whole space, so that only the zero query is steady")
        asked["within"] = basis
    found: Design | Unreachable | NotFound = design(scene.keys, goal, **asked)
    return found


def is_steady(scene: Scene) -> bool:
    """Whether the designed query must not feel the noise along keys."""
    return scene.steady and bool(scene.along)


def steady_basis(scene: Scene) -> np.ndarray | None:
    """W (d, r) with columns at right angles to every key that varies in length; None where nothing is left.

    It is exact where those keys lie on axes, and in the plane.
    """
    noisy, d = scene.keys[sorted(scene.along)], scene.keys.shape[1]
    used = np.flatnonzero(noisy.any(axis=0))
    if len(used) <= np.linalg.matrix_rank(noisy, tol=None):
        rest = np.delete(np.eye(d), used, axis=1)
        return rest if rest.shape[1] else None
    if d == 2:
        return np.array([[-noisy[0, 1]], [noisy[0, 0]]])
    _, sizes, rows = np.linalg.svd(noisy)
    rank = int((sizes > _FLAT * sizes[0]).sum())
    return np.ascontiguousarray(rows[rank:].T)


def is_exactly_steady(scene: Scene, basis: np.ndarray) -> bool:
    """Whether every column is at right angles to the noisy keys in exact arithmetic."""
    exact = [[Fraction(x) for x in row] for row in scene.keys[sorted(scene.along)].tolist()]
    columns = [[Fraction(x) for x in column] for column in basis.T.tolist()]
    return all(sum(x * y for x, y in zip(row, column, strict=True)) == 0 for row in exact for column in columns)


def _layer(scene: Scene) -> Layer | Unreachable | NotFound | None:
    assert scene.layer is not None
    goals = {row: goal for row, goal in enumerate(scene.layer) if goal is not None}
    if scene.goal != scene.layer[scene.row]:
        raise ValueError(f"the goal shown must be that of row {scene.row} of the layer")
    if scene.heads != 1 or scene.queries is not None or scene.max_norm is not None or scene.model or scene.radius:
        raise ValueError("a layer has one head and designed queries, and goes with no norm budget, noise or radius")
    if not goals:
        return None
    if len(scene.keys) > MOST_TOKENS:
        return NotFound(
            f"the playground designs layers of at most {MOST_TOKENS} tokens, and there are {len(scene.keys)}"
        )
    if any(not isinstance(goal, Goal) for goal in goals.values()):
        raise ValueError("a layer's goals must be copy, average or blend")
    try:
        return design_layer(scene.keys, goals, error=str(scene.error))  # type: ignore[arg-type]  # checked above
    except (Unreachable, NotFound) as refusal:
        return refusal
