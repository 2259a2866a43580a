"""Reading one value out of a sum or a mean of two (D.b-i, E.1d).

v_a = A x and v_b = B y with AᵀB = 0. The projector onto the first span, P = A(AᵀA)⁻¹Aᵀ (A A⁺ where columns depend), has P A = A
and P B = 0; for columns of norm 1 it is A Aᵀ just when they are orthonormal. From the mean it must be doubled.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright import balls
from headwright.constructions import design, readout
from headwright.goals import Average
from headwright.problems.problem import Problem
from headwright.problems.showing import ERROR, N, Showing, checked
from headwright.proofs import ReadsOut
from headwright.verdict import Refuted, Verdict

_CAPTION = "weights of a head whose output is to be read"
_ROUNDING = Fraction(1, 10**12)  # what rounded bases and a rounded matrix may cost


def from_the_sum(problem: Problem) -> Showing:
    """D.b-i: orthonormal columns, orthogonal spans, the sum."""
    turned = np.linalg.qr(np.random.default_rng(31).standard_normal((N, 7)))[0]
    ours = checked(
        problem,
        {"M": "A*A'"},
        "v_a = A x and v_b = B y; A Aᵀ(A x + B y) = A(AᵀA)x + A(AᵀB)y = A x, because AᵀA = I and AᵀB = 0. M needs no knowledge "
        "of B. (Aᵀ alone gives x, the coordinates of v_a, not v_a.)",
    )
    worst = Fraction(readout(turned[:, :3], against=turned[:, 3:]).residual)
    text = (
        f"M = A Aᵀ, here for 3 and 4 vectors in {N} dimensions: exact for coordinate axes, and for turned ones within "
        f"{balls.decimal_above(worst, 2)} of what is summed; applied to twice the output of a head that averages two keys, it "
        "gives back the first value"
    )
    return _shown(problem, text, ours)


def from_the_mean(problem: Problem) -> Showing:
    """E.1d: unit columns that need not be orthogonal, orthogonal spans, the mean, row vectors."""
    s, t = np.zeros((N, 3)), np.zeros((N, 2))
    s[[0, 0, 1, 1, 2], [0, 1, 1, 2, 2]] = 1.0, 0.6, 0.8, 0.28, 0.96
    t[[3, 3, 4], [0, 1, 1]] = 1.0, 0.8, 0.6
    orthonormal_only = ReadsOut(2 * s @ s.T, s, t, Fraction(1, 2), _ROUNDING).prove()
    ours = checked(
        problem,
        {"M": "2*S*inv(S'*S)*S'"},
        "as rows v_i = xSᵀ and v_j = yTᵀ; cM = xSᵀS(SᵀS)⁻¹Sᵀ + yTᵀS(SᵀS)⁻¹Sᵀ = xSᵀ, because TᵀS = 0. M is symmetric, so that Mc "
        "for a column c is the same. M = 2 S Sᵀ is right for orthonormal columns alone: norm 1 is not enough. Where the columns "
        "of S depend on each other, M = 2 S S⁺.",
    )
    off = orthonormal_only.bound if isinstance(orthonormal_only, Refuted) else None
    text = (
        f"M = 2 S(SᵀS)⁻¹Sᵀ: the projector onto the first span, doubled because c is a mean; 3 and 2 slanted unit vectors in {N} "
        f"dimensions. 2 S Sᵀ would be off by {off or 0.0:.2g} of a column's length"
    )
    return _shown(problem, text, ours)


def _shown(problem: Problem, text: str, ours: Verdict) -> Showing:
    goal = Average(0, 1)
    found = design(np.eye(N), goal, error=ERROR, method="closed-form")
    return Showing(problem, text, ours, None, found.weights, goal, _CAPTION)


RUNS = {"D.b-i": from_the_sum, "E.1d": from_the_mean}
