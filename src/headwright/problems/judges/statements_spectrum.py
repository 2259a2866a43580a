"""Statements about singular values (A.3a, A.3b): false ones fail at small matrices, whose singular values are enclosed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright.problems.judges.statement_verdicts import falls, of_published, said
from headwright.proofs import SingularSquares
from headwright.spectrum import singular_values
from headwright.verdict import Verdict


def _values(a: np.ndarray) -> Verdict:
    """Proved intervals of the singular values, less than 10^-10 wide."""
    return singular_values(a).verdict


def _squares(a: np.ndarray) -> Verdict:
    """Proved: what the squares of the entries add up to, and those of the singular values with them."""
    whole = sum((Fraction(entry) ** 2 for entry in a.ravel().tolist()), Fraction(0))
    return SingularSquares(a, whole, whole).prove()


def trace_identity(text: str) -> Verdict:
    return said(text, of_published("A.3a")).explained(
        "(AᵀA)_jj = Σ_i a_ij², so the trace is ‖A‖_F²; AᵀA = VΣᵀΣVᵀ has the eigenvalues σ_i², and a trace is the sum of the "
        "eigenvalues. Four matrices of different kinds are certified."
    )


def orthogonal_maps(text: str) -> Verdict:
    return said(text, of_published("A.3a")).explained(
        "‖UB‖_F² is the sum over B's columns b of ‖Ub‖² = ‖b‖², and rows likewise for Vᵀ; ‖Σ‖_F² = Σ σ_i². Four matrices of "
        "different kinds are certified."
    )


def k_largest_terms(text: str) -> Verdict:
    return said(text, of_published("A.3b")).explained(
        "σ_1 >= ... >= σ_k >= 0 gives k σ_k² <= σ_1² + ... + σ_k², and the terms left out are not negative. Four matrices of "
        "different kinds are certified, every k."
    )


def _fails_at(text: str, a: np.ndarray, words: dict[str, str], reason: str) -> Verdict:
    """False at this matrix: by its singular values and by what their squares add up to."""
    return falls(text, example=words, reason=reason, facts=[_values(a), _squares(a)])


def sum_of_singular_values(text: str) -> Verdict:
    reason = (
        "diag(3, 4) has the singular values 4 and 3, whose sum is 7, but ‖A‖_F = √(9 + 16) = 5: the square of a sum is not the "
        "sum of the squares."
    )
    return _fails_at(text, np.diag([3.0, 4.0]), {"A": "diag(3, 4)"}, reason)


def determinant_of_gram(text: str) -> Verdict:
    reason = (
        "for diag(1, 2) the determinant of AᵀA = diag(1, 4) is 4, while σ_1² + σ_2² = 5: the determinant is the product of the "
        "squares."
    )
    return _fails_at(text, np.diag([1.0, 2.0]), {"A": "diag(1, 2)"}, reason)


def square_alone(text: str) -> Verdict:
    a = np.zeros((4, 3))
    a[[0, 1, 2], [0, 1, 2]] = 5, 3, 1
    reason = (
        "the 4×3 matrix with 5, 3 and 1 on its diagonal has these singular values and the squared Frobenius norm 35 = 25 + 9 + "
        "1: it is not square, and the identity holds."
    )
    return _fails_at(text, a, {"A": "4×3, with 5, 3, 1 on its diagonal"}, reason)


def largest_is_all(text: str) -> Verdict:
    reason = "diag(3, 4) has σ_1 = 4 and σ_2 = 3, which is not 0, and ‖A‖_F = 5, which is not 4."
    return _fails_at(text, np.diag([3.0, 4.0]), {"A": "diag(3, 4)"}, reason)


def without_the_square(text: str) -> Verdict:
    reason = "for the 2×2 identity σ_2 = 1, but ‖A‖_F/2 = √2/2 < 1: the root of k is √k, not k."
    return _fails_at(text, np.eye(2), {"A": "the 2×2 identity", "k": "2"}, reason)


def every_term_below_the_mean(text: str) -> Verdict:
    reason = (
        "for diag(3, 1) σ_1² = 9, while the mean of the terms is (9 + 1)/2 = 5: the largest term exceeds the mean unless all are "
        "equal."
    )
    return _fails_at(text, np.diag([3.0, 1.0]), {"A": "diag(3, 1)", "i": "1"}, reason)


def equality_at_the_rank(text: str) -> Verdict:
    reason = "diag(2, 1) has rank 2 and σ_2² = 1, while ‖A‖_F²/2 = 5/2: the k terms need not be equal."
    return _fails_at(text, np.diag([2.0, 1.0]), {"A": "diag(2, 1)", "k": "2, its rank"}, reason)


def k_smallest_terms(text: str) -> Verdict:
    reason = "for diag(2, 1) and k = 1 the smallest term is σ_2² = 1, which is less than σ_1² = 4."
    return _fails_at(text, np.diag([2.0, 1.0]), {"A": "diag(2, 1)", "k": "1"}, reason)


CHECKS = {
    "sum-of-singular-values": sum_of_singular_values,
    "determinant-of-gram": determinant_of_gram,
    "trace-identity": trace_identity,
    "square-alone": square_alone,
    "orthogonal-maps": orthogonal_maps,
    "largest-is-all": largest_is_all,
    "without-the-square": without_the_square,
    "every-term-below-the-mean": every_term_below_the_mean,
    "k-largest-terms": k_largest_terms,
    "least-of-the-largest": k_largest_terms,
    "equality-at-the-rank": equality_at_the_rank,
    "k-smallest-terms": k_smallest_terms,
}
