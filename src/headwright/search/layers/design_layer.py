"""design_layer: tokens, goals and outputs in, a Layer out that certifies row by row — or a refusal that says why not.

Only W = QᵀK matters for the weights. The least Frobenius norm of W is found for all rows jointly
(`search/layers/joint_least_norm.py`), and W is factored by its singular values.

Q and K with few rows are found by turns. For fixed K the problem in Q is the joint least-norm problem with the vectors K x_j
attended to; for fixed Q it is the same with Q x_r asking. Each turn solves both, beginning with the leading singular directions
of the full solution, and the norm falls until it settles. Where the first turn has no solution, other beginnings are drawn. The
problem is hard: the rank that is found is not proved to be the smallest.

V solves V m_r = y_r for the wanted mean m_r = Σ_j w_rj x_j of every row, by least squares, with least norm. Where the means are
dependent and the outputs break their relation, no V exists: the residual of least squares lies in the left null space of the
means, so it is itself the approximate relation; made exact, it is the witness.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel.goals import Goal
from headwright.kernel.verdict import Proved, Verdict
from headwright.search.layers.joint_least_norm import joint_least_norm
from headwright.search.layers.layer_refusals import why_not
from headwright.search.layers.layer_request import LayerRequest, checked_layer
from headwright.search.least_norm.relations import null_combination
from headwright.theories.matrices.layer_rows import LayerRows
from headwright.theories.matrices.outputs_contradict import OutputsContradict
from headwright.words.layer import Layer
from headwright.words.refusals import NotFound, Unreachable, Witness

# Leaks are aimed below the asked one by the first of these that certifies.
_HAIRS = tuple(2.0**-k for k in (34, 28, 22, 16, 10, 5))
_NOISE = 1e-12  # singular values below this part of the largest are rounding
_SLACK = 1e-9  # residual, against the outputs' size, that counts as rounding where no exact relation explains it
_ROUNDING = 1e-11  # residual of a row, against its own output, from which on an exact relation is looked for
_TURNS = 12  # at most: each solves two convex problems
_BEGINNINGS = 12  # at most: the first from the full solution, the others drawn
_SETTLED = 1e-4  # a turn that shortens by less than this part is the last


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
        values, residual = _value_map(request)
        repeated = np.repeat(values[None], request.heads, axis=0)
        allowed = _tolerance(request, values, residual)
        for queries, keys, method in _maps(request):
            Q, K, V = (queries[0], keys[0], values) if request.heads == 1 else (queries, keys, repeated)
            asked = request.tokens, request.goals, request.outputs, request.asked
            layer = Layer(Q, K, V, *asked, allowed, residual, request.causal, method, prove=_prove_rows)
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
            maps = [_low_rank_maps(request, head, hair, product) for head, product in enumerate(products)]
            yield *_stacked(maps), "low rank"


def _product(request: LayerRequest, head: int, hair: float) -> tuple[np.ndarray, bool]:
    """(QᵀK, whether its ratios are exact); where there are no exact ratios, the error is split among a goal's targets."""
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


def _factored(product: np.ndarray, rank: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Q, K (r, d), both of the same size, with QᵀK = product up to rank r, by default the numerical rank."""
    left, values, right = np.linalg.svd(product)
    rank = rank or max(1, int((values > _NOISE * values[0]).sum()))
    roots = np.sqrt(values[:rank, None])
    return roots * left[:, :rank].T, roots * right[:rank]


def _low_rank_maps(request: LayerRequest, head: int, hair: float, product: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q, K of the asked rank, or of the smallest that was found; NotFound when there was none."""
    given = request.rank
    for rank in [given] if isinstance(given, int) else range(1, min(product.shape) + 1):
        generator = np.random.default_rng(0)
        drawn = (generator.standard_normal((rank, product.shape[1])) for _ in range(_BEGINNINGS - 1))
        for start in (_factored(product, rank)[1], *drawn):
            maps = _by_turns(request, head, hair, start)
            if maps is not None:
                return maps
    which = f"of rank {given}" if isinstance(given, int) else "at any rank"
    raise NotFound(f"no layer {which} was found that meets every row's goal; this proves nothing")


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
        best = queries, keys = _factored(queries.T @ keys, len(queries))
        now = float(np.linalg.norm(queries.T @ keys))
        if now > norm * (1 - _SETTLED):
            break
        norm = now
    return best


def _stacked(maps: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """All heads at the largest rank among them, shorter ones filled up with zero rows."""
    rank = max(len(queries) for queries, _ in maps)
    filled = [[np.pad(part, ((0, rank - len(part)), (0, 0))) for part in pair] for pair in maps]
    return np.array([pair[0] for pair in filled]), np.array([pair[1] for pair in filled])


def _value_map(request: LayerRequest) -> tuple[np.ndarray, float]:
    """(V (v, d), largest residual); the identity where no outputs are wanted. Unreachable when outputs contradict each other."""
    if not request.outputs:
        return np.eye(request.tokens.shape[1]), 0.0
    rows = list(request.outputs)
    means = np.array([request.goals[r].weights(len(request.tokens)) @ request.tokens for r in rows])
    wanted = np.array([request.outputs[r] for r in rows])
    solution = np.linalg.lstsq(means, wanted, rcond=None)[0]
    missing = wanted - means @ solution
    residual = float(np.linalg.norm(missing, axis=1).max())
    doubtful = np.abs(missing).max(axis=1) > _ROUNDING * np.abs(wanted).max(axis=1)
    refusal = _contradiction(request, rows, wanted, missing) if doubtful.any() else None
    if isinstance(refusal, Unreachable):
        raise refusal
    if refusal is not None and residual > _SLACK * float(np.abs(wanted).max()):
        raise refusal
    return solution.T, residual


def _tolerance(request: LayerRequest, values: np.ndarray, residual: float) -> float:
    """error × diameter of the values, plus what least squares left and a hair for rounding; three digits, rounded up."""
    if not request.outputs:
        return 0.0
    said = request.tokens @ values.T
    diameter = max(float(np.linalg.norm(said - row, axis=1).max()) for row in said)
    # 1e-9 and 1e-12: rounding of the sums, with room; 1e-300: a tolerance is positive
    allowed = (float(request.error) * diameter + residual) * (1 + 1e-9) + 1e-12 * float(np.abs(said).max()) + 1e-300
    unit = 10.0 ** (math.floor(math.log10(allowed)) - 2)
    return float(f"{math.ceil(allowed / unit) * unit:.3g}")


def _contradiction(request: LayerRequest, rows: list[int], wanted: np.ndarray, missing: np.ndarray) -> Exception:
    """Unreachable with an exact relation among the means, NotFound where none could be made exact."""
    near = missing[:, np.linalg.norm(missing, axis=0).argmax()]
    # rows whose part of the residual is rounding do not belong to the relation
    near = np.where(np.abs(near) > 1e-9 * np.abs(near).max(), near, 0.0)
    signs = np.where(near < 0, -1, 1)
    means = [_exact_mean(request, row, int(sign)) for row, sign in zip(rows, signs, strict=True)]
    weights = null_combination(means, np.abs(near))
    if weights is not None:
        witness = tuple(Fraction(int(sign) * weight) for sign, weight in zip(signs, weights, strict=True))
        claim = OutputsContradict(request.tokens, wanted, {r: request.goals[r] for r in rows}, witness)
        verdict = claim.prove()
        if isinstance(verdict, Proved):
            used = tuple(r for r, u in zip(rows, witness, strict=True) if u)
            whole = sum(abs(u) for u in witness)
            shown = Witness(used, tuple(u / whole for u in witness if u))
            return Unreachable(verdict.claim, verdict=verdict, witness=shown)
    return NotFound("no value map was found that gives the wanted outputs: the wanted means are nearly dependent")


def _exact_mean(request: LayerRequest, row: int, sign: int) -> list[Fraction]:
    goal = request.goals[row]
    members = [[Fraction(x) for x in request.tokens[i].tolist()] for i in goal.indices]
    return [
        sign * sum((w * x for w, x in zip(goal.shares, column, strict=True)), Fraction(0))
        for column in zip(*members, strict=True)
    ]


def _prove_rows(layer: Layer) -> Verdict:
    return LayerRows(**layer.claimed()).prove()
