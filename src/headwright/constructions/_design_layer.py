"""design_layer: tokens, goals and outputs in, a Layer out that certifies row by row — or a refusal that says why not.

Only W = QᵀK matters for the weights. The least Frobenius norm of W is found for all rows jointly
(`geometry/joint_least_norm.py`), W is factored by its singular values, and V solves for the outputs (`layer_values.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from headwright.constructions.layer_rank import low_rank_maps
from headwright.constructions.layer_refusals import why_not
from headwright.constructions.layer_request import LayerRequest, checked_layer
from headwright.constructions.layer_values import tolerance, value_map
from headwright.design_refusals import NotFound
from headwright.geometry import joint_least_norm
from headwright.goals import Goal
from headwright.layer import Layer
from headwright.proofs import LayerRows
from headwright.verdict import Proved, Verdict

_HAIRS = tuple(
    2.0**-k for k in (34, 28, 22, 16, 10, 5)
)  # leaks are aimed below the asked one by the first that certifies
_NOISE = 1e-12  # singular values below this part of the largest are rounding


def design_layer(
    tokens: ArrayLike,
    goals: Mapping[int, Goal],
    outputs: Mapping[int, Any] | None = None,
    *,
    error: float | str | Fraction = 0.01,
    rank: int | str | None = None,
    heads: int = 1,
    causal: bool = False,
) -> Layer:
    """Maps Q, K, V for your own `tokens` (n, d): each row named in `goals` attends as its goal says and yields its output.

    The Frobenius norm of QᵀK is the least with exact ratios, jointly over the rows; where dependent tokens leave no exact ratios,
    the error is shared out among the targets instead (`.method` says so). `rank` bounds the rows of Q and K (a number,
    or "smallest" for the least that is found); with `heads` > 1 every head copies one member of each goal and the heads are mixed
    equally; with `causal` a row sees the tokens up to itself.

    Raises `Unreachable` (proved: a token in the hull of others; goals that contradict each other, or outputs that do on the means
    the goals name, where the witness weighs rows instead of keys; the verdict's scope says what is excluded) or `NotFound`.

    >>> import numpy as np, headwright as hw
    >>> layer = hw.design_layer(np.eye(3), {0: hw.Copy(2), 1: hw.Average(0, 1)}, {0: [1.0, 0.0], 1: [0.0, 1.0]})
    >>> layer.verdict.status, layer.output().round(2)[:2].tolist()
    ('proved', [[0.99, 0.01], [0.01, 0.99]])
    """
    request = checked_layer(tokens, goals, outputs, error, rank, heads, causal)
    with np.errstate(all="ignore"):
        values, residual = value_map(request)
        allowed = tolerance(request, values, residual)
        for queries, keys, method in _maps(request):
            layer = _layer(request, queries, keys, values, allowed, residual, method)
            if isinstance(layer.verdict, Proved):
                return layer
    raise NotFound(
        f"float64 cannot hold it: the maps found for {len(request.goals)} rows do not certify at error {request.asked}"
    )


def _maps(request: LayerRequest) -> Iterator[tuple[np.ndarray, np.ndarray, str]]:
    """Candidates (Q, K) of shape (h, r, d), nearest to the asked error first."""
    for hair in _HAIRS:
        products, exact = zip(*(_product(request, head, hair) for head in range(request.heads)), strict=True)
        if request.rank is None:
            method = "least joint norm" if all(exact) else "approximate ratios"
            yield *_stacked([_factored(product) for product in products]), method
        else:
            yield (
                *_stacked([low_rank_maps(request, head, hair, products[head]) for head in range(request.heads)]),
                "low rank",
            )


def _product(request: LayerRequest, head: int, hair: float) -> tuple[np.ndarray, bool]:
    """(QᵀK, whether its ratios are exact); where exact ratios cannot be had, the error is split among a goal's targets."""
    asking = request.tokens[request.rows]
    solution = joint_least_norm(asking, request.tokens, request.row_goals(head, hair))
    if solution.reached:
        return solution.matrix, True
    places, goals = request.least_weights(split=True, hair=hair)
    if request.heads == 1 and len(goals) > len(request.rows):
        solution = joint_least_norm(request.tokens[[row for row, _ in places]], request.tokens, goals)
        if solution.reached:
            return solution.matrix, False
    raise why_not(request, head)


def _factored(product: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q, K (r, d) with QᵀK = product, r its numerical rank and both of the same size."""
    left, values, right = np.linalg.svd(product)
    rank = max(1, int((values > _NOISE * values[0]).sum()))
    roots = np.sqrt(values[:rank, None])
    return roots * left[:, :rank].T, roots * right[:rank]


def _stacked(maps: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """All heads at the largest rank among them, shorter ones filled up with zero rows."""
    rank = max(len(queries) for queries, _ in maps)
    filled = [[np.pad(part, ((0, rank - len(part)), (0, 0))) for part in pair] for pair in maps]
    return np.array([pair[0] for pair in filled]), np.array([pair[1] for pair in filled])


def _prove_rows(layer: Layer) -> Verdict:
    return LayerRows(**layer.claimed()).prove()


def _layer(
    request: LayerRequest,
    queries: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
    allowed: float,
    residual: float,
    method: str,
) -> Layer:
    one = request.heads == 1
    return Layer(
        queries[0] if one else queries,
        keys[0] if one else keys,
        values if one else np.repeat(values[None], request.heads, axis=0),
        request.tokens,
        request.goals,
        request.outputs,
        request.asked,
        allowed,
        residual,
        request.causal,
        method,
        prove=_prove_rows,
    )
