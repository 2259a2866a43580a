"""Singular values: their squares add up, the sum bounds the k-th, and cutting off there is near enough (A.3a, A.3b, A.3c).

    Σσ_i² = tr(AᵀA) = ‖A‖_F²,      k σ_k² <= σ_1² + … + σ_k² <= ‖A‖_F²,      ‖A - A_{k-1}‖₂ = σ_k <= ‖A‖_F/√k,

A_{k-1} being the sum of the first k-1 terms σ_i u_i v_iᵀ. Each is a theorem for all matrices; on a few it is also certified in
numbers, from proved intervals of every singular value.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright.problems.problem import Problem
from headwright.problems.showing import Showing, argued, checked
from headwright.spectrum import LowRank, energy, low_rank, singular_values, tail
from headwright.verdict import Verdict

_EQUAL = "orthonormal, 12×3"
_ALL = "all real n×d matrices, n >= d, by theorem"


def matrices() -> dict[str, np.ndarray]:
    """Four kinds of spectrum, n > d: like noise, fast falling, of rank 2, and with all values equal."""
    rng = np.random.default_rng(61)
    pairs = np.array([[1, 2, 0, 1], [0, 1, 3, -1]])
    return {
        "random, 12×5": rng.standard_normal((12, 5)),
        "graded, 9×6": rng.standard_normal((9, 6)) * 10.0 ** -np.arange(6),
        "of rank 2, 8×4": rng.integers(-4, 5, size=(8, 2)) @ pairs,
        _EQUAL: np.kron(np.eye(3), np.full((4, 1), 0.5)),
    }


def squared_norm(a: np.ndarray) -> Fraction:
    """‖A‖_F² of the float64 numbers as they stand.

    >>> squared_norm(np.array([[1.5, 2.0]]))
    Fraction(25, 4)
    """
    return sum((Fraction(entry) ** 2 for entry in a.ravel().tolist()), Fraction(0))


def a_3a(problem: Problem) -> Showing:
    found = {name: energy(a) for name, a in matrices().items()}
    totals = {name: squared_norm(a) for name, a in matrices().items()}
    theirs = argued(
        "Σ σ_i² = ‖A‖_F²: both are the trace of AᵀA",
        argument="singular_values.md#the-squares-add-up",
        scope=_ALL,
        reason="entry (j, j) of AᵀA is the squared norm of column j, so that tr(AᵀA) = ‖A‖_F²; and AᵀA = VΣ²Vᵀ has the trace of "
        "Σ², because tr(VΣ²Vᵀ) = tr(Σ²VᵀV). On each of four matrices the exact ‖A‖_F² lies within the sum over proved intervals.",
        inequalities=[
            *(totals[name] in each.sum for name, each in found.items()),
            *(each.total.low <= totals[name] <= each.total.high for name, each in found.items()),
        ],
        instances=[verdict for each in found.values() for verdict in (each.singular_values.verdict, each.verdict)],
    )
    first = next(iter(found.values()))
    text = (
        f"both sides for four matrices of different kinds; for the random 12×5 one Σσ_i² = {float(first.sum):.12g} from proved "
        f"intervals at most {first.singular_values.width:.1e} wide, and ‖A‖_F² = {float(first.total):.12g}"
    )
    return Showing(problem, text, first.verdict, theirs)


def a_3b(problem: Problem) -> Showing:
    checks, proofs = _bounds_hold()
    theirs = argued(
        "σ_k² <= ‖A‖_F²/k: each of the k largest terms of Σσ_i² is at least σ_k²",
        argument="singular_values.md#the-k-th-is-at-most-a-mean",
        scope=f"{_ALL}, and every k from 1 to d",
        reason="σ_1 >= … >= σ_k, so that k σ_k² <= σ_1² + … + σ_k², and what is left of the sum ‖A‖_F² is not negative. Equality "
        "holds just when the first k values are equal and all others 0, as at k = d for orthonormal columns.",
        inequalities=checks,
        instances=proofs,
    )
    a = matrices()["random, 12×5"]
    values, total = singular_values(a), squared_norm(a)
    shares = ", ".join(f"{float(k * Fraction(float(v)) ** 2 / total):.2f}" for k, v in enumerate(values.values, 1))
    text = f"k σ_k² as a share of ‖A‖_F², never above 1: for a random 12×5 matrix and k = 1 … 5 it is {shares}"
    return Showing(problem, text, tail(a, 3).verdict, theirs)


def _bounds_hold() -> tuple[list[bool], list[Verdict]]:
    """k·high_k² <= ‖A‖_F² for every k, `high` proved; where equality holds, k·low_k² <= ‖A‖_F² is all that numbers can show."""
    checks, proofs = [], []
    for name, a in matrices().items():
        found, total = singular_values(a), squared_norm(a)
        for k in range(1, len(found.values) + 1):
            end = found.low if name == _EQUAL and k == len(found.values) else found.high
            checks.append(k * Fraction(float(end[k - 1])) ** 2 <= total)
        proofs.append(found.verdict)
    return checks, proofs


def a_3c(problem: Problem) -> Showing:
    """For every k: the zero matrix at k = 1, then the decomposition cut off after k-1 terms."""
    a = matrices()["random, 12×5"]
    values = singular_values(a)
    made = [low_rank(a, k - 1) for k in range(2, min(a.shape) + 1)]
    text = _distances(float(values.values[0]), made, float(squared_norm(a)) ** 0.5)
    theirs = checked(
        problem,
        problem.published_answer,
        "A - M = Σ_{i>=k} σ_i u_i v_iᵀ has the largest singular value σ_k, which is at most ‖A‖_F/√k by A.3b; and no "
        "matrix of that rank is nearer (Eckart, Young, Mirsky). Where A has a smaller rank than k-1, M = A has it too; unless "
        "A = 0, adding small terms brings the rank to k-1 within the bound.",
    )
    return Showing(problem, text, made[1].verdict, theirs)  # k = 3: rank 2


def _distances(largest: float, made: list[LowRank], norm: float) -> str:
    off = ", ".join(f"{value:.3g}" for value in (largest, *(each.error for each in made)))
    allowed = ", ".join(f"{norm / k**0.5:.3g}" for k in range(1, len(made) + 2))
    return (
        f"the decomposition cut off after k-1 terms; for a random 12×5 matrix and k = 1 … {len(made) + 1} it is {off} away, "
        f"where ‖A‖_F/√k is {allowed}"
    )


RUNS = {"A.3a": a_3a, "A.3b": a_3b, "A.3c": a_3c}
