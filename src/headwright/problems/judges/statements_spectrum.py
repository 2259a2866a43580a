"""Statements about singular values (A.3a, A.3b), judged in rationals.

A = UΣVᵀ with orthogonal U and V of rationals and a rational Σ has the singular values it was built from, so both sides of an
identity are computed exactly; false statements fail at small matrices whose singular values can be read off.
"""

from __future__ import annotations

from fractions import Fraction

from headwright.problems.judges.statement_verdicts import falls, stands
from headwright.verdict import Verdict

Matrix = list[list[Fraction]]


def _product(a: Matrix, b: Matrix) -> Matrix:
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in zip(*b, strict=True)]
        for row in a
    ]


def _transposed(a: Matrix) -> Matrix:
    return [list(column) for column in zip(*a, strict=True)]


def _turn(size: int, i: int, j: int, cosine: Fraction, sine: Fraction) -> Matrix:
    """The rotation in coordinates i and j; orthogonal because cosine² + sine² = 1."""
    turned = _diagonal([Fraction(1)] * size, size)
    turned[i][i] = turned[j][j] = cosine
    turned[i][j], turned[j][i] = -sine, sine
    return turned


def _diagonal(values: list[Fraction], rows: int) -> Matrix:
    return [[value if i == j else Fraction(0) for j, value in enumerate(values)] for i in range(rows)]


def _built(values: list[Fraction]) -> Matrix:
    """A 4×3 matrix with these three singular values."""
    left = _product(_turn(4, 0, 2, Fraction(3, 5), Fraction(4, 5)), _turn(4, 1, 3, Fraction(5, 13), Fraction(12, 13)))
    left = _product(left, _turn(4, 0, 1, Fraction(8, 17), Fraction(15, 17)))
    right = _product(
        _turn(3, 0, 1, Fraction(7, 25), Fraction(24, 25)), _turn(3, 1, 2, Fraction(20, 29), Fraction(21, 29))
    )
    return _product(_product(left, _diagonal(values, 4)), _transposed(right))


def _plain(*entries: int) -> tuple[Matrix, list[Fraction]]:
    """diag(entries) and its singular values, largest first."""
    numbers = [Fraction(entry) for entry in entries]
    return _diagonal(numbers, len(numbers)), sorted((abs(number) for number in numbers), reverse=True)


def _energy(a: Matrix) -> Fraction:
    return sum((x * x for row in a for x in row), Fraction(0))


_VALUES = [[Fraction(v) for v in values] for values in ((5, 3, 1), (2, 2, 2), (7, 0, 0), (4, Fraction(1, 3), 0))]


def trace_identity(text: str) -> Verdict:
    checks = []
    for values in _VALUES:
        a = _built(values)
        gram = _product(_transposed(a), a)
        trace = sum((gram[i][i] for i in range(3)), Fraction(0))
        checks.append(trace == _energy(a) == sum(v * v for v in values))
    return stands(
        text,
        scope="all real matrices, by algebra",
        reason="(AᵀA)_jj = Σ_i a_ij², so the trace is ‖A‖_F²; AᵀA = VΣᵀΣVᵀ has the eigenvalues σ_i², and a trace is the "
        "sum of the eigenvalues. Checked in rationals on four 4×3 matrices of known singular values.",
        checks=checks,
    )


def orthogonal_maps(text: str) -> Verdict:
    return stands(
        text,
        scope="all real matrices, by algebra",
        reason="‖UB‖_F² is the sum over B's columns b of ‖Ub‖² = ‖b‖², and rows likewise for Vᵀ; ‖Σ‖_F² = Σ σ_i². Checked in "
        "rationals on four 4×3 matrices of known singular values.",
        checks=[_energy(_built(values)) == sum(v * v for v in values) for values in _VALUES],
    )


def sum_of_singular_values(text: str) -> Verdict:
    a, sigma = _plain(3, 4)
    return falls(
        text,
        example={"A": "diag(3, 4)"},
        reason="diag(3, 4) has the singular values 4 and 3, whose sum is 7, but ‖A‖_F = √(9 + 16) = 5: the square of a "
        "sum is not the sum of the squares.",
        checks=[_energy(a) == 25, sum(sigma) == 7, sum(sigma) ** 2 != _energy(a)],
    )


def determinant_of_gram(text: str) -> Verdict:
    a, sigma = _plain(1, 2)
    return falls(
        text,
        example={"A": "diag(1, 2)"},
        reason="for diag(1, 2) the determinant of AᵀA = diag(1, 4) is 4, while σ_1² + σ_2² = 5: the determinant is the "
        "product of the squares.",
        checks=[_energy(a) == 5, (sigma[0] * sigma[1]) ** 2 == 4],
    )


def square_alone(text: str) -> Verdict:
    values = _VALUES[0]
    return falls(
        text,
        example={"A": "a 4×3 matrix with the singular values 5, 3, 1"},
        reason="a 4×3 matrix built with the singular values 5, 3 and 1 has the squared Frobenius norm "
        f"{_energy(_built(values))} = 25 + 9 + 1, computed exactly: it is not square, and the identity holds.",
        checks=[_energy(_built(values)) == 35],
    )


def largest_is_all(text: str) -> Verdict:
    a, sigma = _plain(3, 4)
    return falls(
        text,
        example={"A": "diag(3, 4)"},
        reason="diag(3, 4) has σ_1 = 4 and σ_2 = 3, which is not 0, and ‖A‖_F = 5, which is not 4.",
        checks=[sigma == [4, 3], sigma[0] ** 2 != _energy(a)],
    )


def k_largest_terms(text: str) -> Verdict:
    checks = [
        k * values[k - 1] ** 2 <= sum(v * v for v in values[:k]) <= _energy(_built(values))
        for values in _VALUES
        for k in (1, 2, 3)
    ]
    return stands(
        text,
        scope="all real matrices and k from 1 to d, by ordering the singular values",
        reason="σ_1 >= ... >= σ_k >= 0 gives k σ_k² <= σ_1² + ... + σ_k², and the terms left out are not negative. "
        "Checked in rationals on four 4×3 matrices, every k.",
        checks=checks,
    )


def without_the_square(text: str) -> Verdict:
    a, sigma = _plain(1, 1)
    return falls(
        text,
        example={"A": "the 2×2 identity", "k": "2"},
        reason="for the 2×2 identity σ_2 = 1, but ‖A‖_F/2 = √2/2 < 1: the root of k is √k, not k.",
        checks=[(2 * sigma[1]) ** 2 > _energy(a)],
    )


def every_term_below_the_mean(text: str) -> Verdict:
    a, sigma = _plain(3, 1)
    return falls(
        text,
        example={"A": "diag(3, 1)", "i": "1"},
        reason="for diag(3, 1) σ_1² = 9, while the mean of the terms is (9 + 1)/2 = 5: the largest term exceeds the mean "
        "unless all are equal.",
        checks=[_energy(a) / 2 == 5, sigma[0] ** 2 > _energy(a) / 2],
    )


def equality_at_the_rank(text: str) -> Verdict:
    a, sigma = _plain(2, 1)
    return falls(
        text,
        example={"A": "diag(2, 1)", "k": "2, its rank"},
        reason="diag(2, 1) has rank 2 and σ_2² = 1, while ‖A‖_F²/2 = 5/2: the k terms need not be equal.",
        checks=[sigma[1] > 0, sigma[1] ** 2 != _energy(a) / 2],
    )


def k_smallest_terms(text: str) -> Verdict:
    _, sigma = _plain(2, 1)
    return falls(
        text,
        example={"A": "diag(2, 1)", "k": "1"},
        reason="for diag(2, 1) and k = 1 the smallest term is σ_2² = 1, which is less than σ_1² = 4.",
        checks=[sigma[1] ** 2 < sigma[0] ** 2],
    )


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
