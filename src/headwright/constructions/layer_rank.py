"""Layers of low rank: Q and K with few rows, found by turns. A hard problem: what is found is not proved to be the smallest.

For fixed K the problem in Q is the joint least-norm problem with the vectors K x_j attended to; for fixed Q it is the same with
Q x_r asking. Beginning with the leading singular directions of the full solution, each turn solves one of them; the norm falls
until it settles. Where the first turn has no solution, other beginnings are drawn.
"""

from __future__ import annotations

import numpy as np

from headwright.constructions.layer_request import LayerRequest
from headwright.design_refusals import NotFound
from headwright.geometry import joint_least_norm

_TURNS = 12  # at most: each solves two convex problems
_BEGINNINGS = 12  # at most: the first from the full solution, the others drawn
_SETTLED = 1e-4  # a turn that shortens by less than this part is the last


def low_rank_maps(request: LayerRequest, head: int, hair: float, product: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q, K of the asked rank, or of the smallest that was found; NotFound when there was none."""
    if request.rank != "smallest":
        assert isinstance(request.rank, int)
        maps = _of_rank(request, head, hair, product, request.rank)
        if maps is None:
            raise NotFound(
                f"no layer of rank {request.rank} was found that meets every row's goal; this proves nothing"
            )
        return maps
    for rank in range(1, min(product.shape) + 1):
        maps = _of_rank(request, head, hair, product, rank)
        if maps is not None:
            return maps
    raise NotFound("no layer was found at any rank; this proves nothing")


def _of_rank(
    request: LayerRequest, head: int, hair: float, product: np.ndarray, rank: int
) -> tuple[np.ndarray, np.ndarray] | None:
    generator = np.random.default_rng(0)
    for beginning in range(_BEGINNINGS):
        start = _start(product, rank) if beginning == 0 else generator.standard_normal((rank, product.shape[1]))
        maps = _by_turns(request, head, hair, start)
        if maps is not None:
            return maps
    return None


def _start(product: np.ndarray, rank: int) -> np.ndarray:
    """The leading right singular vectors, scaled: what the full solution attends by."""
    _, values, right = np.linalg.svd(product)
    return np.asarray(np.sqrt(values[:rank, None]) * right[:rank])


def _by_turns(request: LayerRequest, head: int, hair: float, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    goals, tokens = request.row_goals(head, hair), request.tokens
    asking = tokens[request.rows]
    best: tuple[np.ndarray, np.ndarray] | None = None
    norm = np.inf
    for _ in range(_TURNS):
        first = joint_least_norm(asking, tokens @ keys.T, goals)
        if not first.reached:
            break
        queries = first.matrix.T
        second = joint_least_norm(asking @ queries.T, tokens, goals)
        if second.reached:
            keys = second.matrix
        queries, keys = _balanced(queries, keys)
        best = queries, keys
        now = float(np.linalg.norm(queries.T @ keys))
        if now > norm * (1 - _SETTLED):
            break
        norm = now
    return best


def _balanced(queries: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same product with both factors of one size and orthogonal rows."""
    rank = len(queries)
    left, values, right = np.linalg.svd(queries.T @ keys)
    roots = np.sqrt(values[:rank, None])
    return roots * left[:, :rank].T, roots * right[:rank]
