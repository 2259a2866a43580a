"""Why no layer was found: a row whose goal no query meets, goals that contradict each other, or nothing that is known.

Rows that can each be met alone may contradict each other when their tokens are dependent: with x_2 = x_0 + x_1 the scores of
row 2 are the sums of the others'. Every target i of row r must keep at least w_ri - e of its weight; the least norm under these
constraints alone has no solution, its multipliers are the approximate relation, and made exact (`geometry.null_weights`) they are
the witness of `proofs.GoalsContradict`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from headwright.kernel import balls
from headwright.kernel.goals import Copy
from headwright.kernel.goals_contradict import Entry, GoalsContradict
from headwright.kernel.verdict import Proved
from headwright.search.design import design
from headwright.search.layers.joint_least_norm import joint_least_norm
from headwright.search.layers.layer_request import LayerRequest
from headwright.search.least_norm.relations import null_weights
from headwright.words.refusals import NotFound, Unreachable, Witness

_FADED = (1e-6, 1e-9, 0.0)  # weights below this part of the largest are taken for zero, in turn
_MOST_PAIRS = 4000  # of targets and other tokens for which an exact relation is looked for


def why_not(request: LayerRequest, head: int) -> Unreachable | NotFound:
    """The refusal, proved where that was possible."""
    left_open: NotFound | None = None
    for row in request.rows:
        try:
            design(request.tokens[: request.seen(row)], request.target(row, head), error=request.error)
        except Unreachable as alone:
            if request.heads == 1 or isinstance(request.goals[row], Copy):
                return _of_row(row, alone)
            left_open = left_open or NotFound(
                f"row {row}, head {head}: {alone.reason}; other ways to share the goal among heads were not tried"
            )
        except NotFound as alone:
            left_open = left_open or NotFound(
                f"row {row}: {alone.reason}", best=alone.best, proved_bound=alone.proved_bound
            )
    together = _contradiction(request) if request.heads == 1 else None
    if together is not None:
        return together
    return left_open or NotFound(
        "every row's goal can be met alone, but no layer was found that meets all of them together; this proves nothing"
    )


def _of_row(row: int, alone: Unreachable) -> Unreachable:
    return Unreachable(
        f"row {row}: {alone.reason}",
        verdict=alone.verdict,
        witness=alone.witness,
        best_error=alone.best_error,
        best_verdict=alone.best_verdict,
    )


def _contradiction(request: LayerRequest) -> Unreachable | None:
    """Unreachable with an exact relation among products of tokens, None where none was found."""
    for witness in _witnesses(request):
        claim = GoalsContradict(request.tokens, request.goals, request.error, witness, request.causal)
        verdict = claim.prove()
        if isinstance(verdict, Proved):
            rows = sorted({r for r, *_ in witness})
            sums = [sum((number for r, *_, number in witness if r == row), Fraction(0)) for row in rows]
            shares = tuple(part / sum(sums) for part in sums)
            named = ", ".join(map(str, rows[:8])) + (" …" if len(rows) > 8 else "")
            reason = f"no layer of one head meets the goals of rows {named} together: their tokens, and so their scores, are tied"
            if len(rows) == 1:
                reason = (
                    f"no layer of one head meets the goal of row {named}: its token cannot ask for it, whatever QᵀK is"
                )
            return Unreachable(reason, verdict=verdict, witness=Witness(tuple(rows), shares))
    return None


def _witnesses(request: LayerRequest) -> Iterator[tuple[Entry, ...]]:
    """Exact relations from the multipliers of the problem in which every target keeps its least weight."""
    places, goals = request.least_weights(split=False)
    if not goals or sum(len(goal.outside) for goal in goals) > _MOST_PAIRS:
        return
    solution = joint_least_norm(request.tokens[[row for row, _ in places]], request.tokens, goals)
    weights = solution.multipliers[:, None] * solution.tilts
    if solution.reached or not np.isfinite(weights).all() or not weights.any():
        return
    weights = weights / weights.max()
    whole, _ = balls.exact_product(request.tokens)
    for faded in _FADED:
        pairs = [(p, j) for p, j in np.argwhere(weights > faded).tolist()]
        products = [np.outer(whole[places[p][0]], whole[j] - whole[places[p][1]]).ravel() for p, j in pairs]
        near = np.array([weights[p, j] for p, j in pairs])
        exact = null_weights(np.array(products, dtype=object), near)
        if exact is not None:
            entries = zip(pairs, exact, strict=True)
            yield tuple((*places[p], j, number) for (p, j), number in entries if number)
