"""The value map of a layer: V with V m_r = y_r for the wanted mean m_r = Σ_j w_rj x_j of every row, least squares, least norm.

Where the means are dependent and the outputs break their relation no V exists: the residual of least squares lies in the left
null space of the means, so it is itself the approximate relation; made exact, it is the witness.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headwright.constructions.layer_request import LayerRequest
from headwright.design_refusals import NotFound, Unreachable, Witness
from headwright.geometry.relations import null_combination
from headwright.proofs import OutputsContradict
from headwright.verdict import Proved

_SLACK = 1e-9  # residual, against the outputs' size, that counts as rounding where no exact relation explains it
_ROUNDING = 1e-11  # residual of a row, against its own output, from which on an exact relation is looked for


def value_map(request: LayerRequest) -> tuple[np.ndarray, float]:
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
    refusal = _refusal(request, rows, wanted, missing) if doubtful.any() else None
    if isinstance(refusal, Unreachable):
        raise refusal
    if refusal is not None and residual > _SLACK * float(np.abs(wanted).max()):
        raise refusal
    return solution.T, residual


def tolerance(request: LayerRequest, values: np.ndarray, residual: float) -> float:
    """error × diameter of the values, plus what least squares left and a hair for rounding; three digits, rounded up."""
    if not request.outputs:
        return 0.0
    said = request.tokens @ values.T
    diameter = max(float(np.linalg.norm(said - row, axis=1).max()) for row in said)
    # 1e-9 and 1e-12: rounding of the sums, with room; 1e-300: a tolerance is positive
    allowed = (float(request.error) * diameter + residual) * (1 + 1e-9) + 1e-12 * float(np.abs(said).max()) + 1e-300
    unit = 10.0 ** (math.floor(math.log10(allowed)) - 2)
    return float(f"{math.ceil(allowed / unit) * unit:.3g}")


def _refusal(request: LayerRequest, rows: list[int], wanted: np.ndarray, missing: np.ndarray) -> Exception:
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
