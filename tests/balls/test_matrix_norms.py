"""Norms of residuals: whatever the order of summation, the bound is not below the exact norm, nor far above it."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from headwright.theories.matrices.matrix_norms import (
    exact_squared_norm,
    norm_above,
    residual_norm,
    scaled,
    squared_norm,
    stretch,
)

U = Fraction(1, 2**53)


def exactly(matrix, left=None, right=None):
    """‖A - X Yᵀ‖_F² entry by entry, in fractions."""
    total = Fraction(0)
    for i, row in enumerate(matrix.tolist()):
        for j, entry in enumerate(row):
            rest = Fraction(entry)
            if left is not None:
                pairs = zip(left[i].tolist(), right[j].tolist(), strict=True)
                rest -= sum((Fraction(x) * Fraction(y) for x, y in pairs), Fraction(0))
            total += rest**2
    return total


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 2), (2, 130, 4), (7, 257, 3)])
def test_the_residual_is_bounded(rng, shape):
    n, m, k = shape
    left, right = rng.normal(size=(n, m)), rng.normal(size=(k, m))
    for matrix in (rng.normal(size=(n, k)), left @ right.T, np.zeros((n, k))):
        bound, exact = residual_norm(matrix, left, right), exactly(matrix, left, right)
        assert bound**2 >= exact
        above = np.linalg.norm(left) * np.linalg.norm(right) * 2.0**-52 * (min(m, 128) + m // 128 + 6)
        assert float(bound) <= float(exact) ** 0.5 * (1 + 1e-12) + 2 * above


def test_a_product_that_equals_its_rounding_still_has_a_residual(rng):
    """The computed residual is 0, the true one is the rounding of the product."""
    left, right = rng.normal(size=(40, 3)), rng.normal(size=(30, 3))
    matrix = left @ right.T
    assert np.abs(matrix - left @ right.T).max() == 0
    assert residual_norm(matrix, left, right) ** 2 >= exactly(matrix, left, right) > 0


def test_roundings_that_all_go_one_way_inside_a_piece():
    """1 + 127 · 2^-53: summed one after the other, every later term is lost."""
    left, right = np.full((3, 128), 2.0**-26), np.full((3, 128), 2.0**-27)
    left[:, 0] = right[:, 0] = 1
    matrix = np.ones((3, 3))
    assert residual_norm(matrix, left, right) ** 2 >= exactly(matrix, left, right)


def test_terms_that_cancel():
    """2^53 + 1 - 2^53 in every order: in some of them the 1 is lost, and the computed residual is 0."""
    left = np.array(list(permutations([2.0**53, 1.0, -(2.0**53)])))
    right, matrix = np.ones((2, 3)), np.zeros((6, 2))
    for rows in range(1, 7):
        some = left[:rows], right[: 1 + rows % 2]
        assert residual_norm(matrix[:rows, : 1 + rows % 2], *some) ** 2 >= rows * (1 + rows % 2)


def test_every_block_of_rows_is_measured():
    matrix = np.zeros((3, 2**20 + 1))
    for row in range(3):
        matrix[row, row] = 3.0
        assert residual_norm(matrix, np.zeros((3, 1)), np.zeros((2**20 + 1, 1))) ** 2 >= 9 * (row + 1)


def test_roundings_that_all_go_one_way_between_pieces():
    """2 + 2^-53 + 2^-53 + …, one term in each of 2,000 pieces: every term is lost."""
    left, right = np.zeros((2, 128 * 2000)), np.zeros((2, 128 * 2000))
    left[:, 0] = right[:, 0] = 1
    left[:, 200::128], right[:, 200::128] = 2.0**-26, -(2.0**-27)
    terms = len(range(200, 128 * 2000, 128))
    exact = 2 + terms * U  # 3 - 1 + …, in each of four entries
    bound = residual_norm(np.full((2, 2), 3.0), left, right)
    assert bound >= 2 * exact
    assert bound <= 2 * exact + 2200 * U * 16


def test_each_entry_may_carry_one_rounding(rng):
    """X = fl(U diag(s)) and A = fl(A · c) stand for the exact products."""
    for _ in range(30):
        wide, values, right = rng.normal(size=(2, 1)), rng.normal(size=1), rng.normal(size=(2, 1))
        exact = [[Fraction(x[0]) * Fraction(values[0]) * Fraction(y[0]) for y in right] for x in wide]
        matrix = np.array([[float(entry) for entry in row] for row in exact])
        off = sum(
            (Fraction(a) - e) ** 2
            for row, wanted in zip(matrix, exact, strict=True)
            for a, e in zip(row, wanted, strict=True)
        )
        assert residual_norm(matrix, wide * values, right) ** 2 >= off


def test_underflow_counts():
    tiny = np.full((2, 3), 1e-200)
    assert residual_norm(np.zeros((2, 2)), tiny, tiny) ** 2 >= exactly(np.zeros((2, 2)), tiny, tiny) > 0
    one = np.array([[5e-324]])
    assert residual_norm(one, one, one) >= Fraction(5e-324)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("number", [np.inf, np.nan, 1e200])
def test_what_overflows_shows_nothing(place, number):
    parts = [np.full(shape, 1e200 if number == 1e200 else 1.0) for shape in ((3, 2), (3, 1), (2, 1))]
    parts[place][1, 0] = number
    assert residual_norm(*parts) is None


def test_the_squared_norm_is_enclosed(rng):
    for _ in range(300):
        matrix = rng.normal(size=rng.integers(1, 4, size=2)) * 2.0 ** rng.integers(-600, 600)
        low, high = squared_norm(matrix)
        assert low <= exactly(matrix) <= high
        assert high <= low * (1 + 12 * U)
        assert exact_squared_norm(matrix) == exactly(matrix)


def test_long_rows_and_many_rows():
    row = np.full((2, 5000), 0.99 * 2.0**-26.5)  # 1 + δ² is 1 in float64
    row[:, 0] = 1
    low, high = squared_norm(row)
    assert low <= exactly(row) <= high
    tall = np.full((2**20 // 3 + 5, 3), 0.1)  # two blocks
    low, high = squared_norm(tall)
    assert low <= tall.size * Fraction(0.1) ** 2 <= high
    assert exact_squared_norm(tall) == tall.size * Fraction(0.1) ** 2


def test_numbers_far_apart():
    matrix = np.array([[1e300, 1e-300], [5e-324, 0.0], [-3.0, 1e-170]])
    low, high = squared_norm(matrix)
    assert low <= exactly(matrix) <= high
    assert exact_squared_norm(matrix) == exactly(matrix)
    assert squared_norm(np.zeros((2, 3))) == (0, 0)
    small = np.array([[1.0, 1e-170]])
    assert squared_norm(small)[1] >= exactly(small)
    assert norm_above(np.full((1, 1), np.nan)) is None


def test_tiny_entries_beside_large_ones_are_not_forgotten():
    """Squares that underflow after scaling: many of them, beside one number whose square is exact."""
    matrix = np.full((3, 2), 2.0**-600)
    matrix[0, 0] = 1
    low, high = squared_norm(matrix)
    assert low <= exactly(matrix) <= high
    assert high > 1


@pytest.mark.parametrize("number", [3e300, -5e-324, 1.0, 0.75])
def test_scaling_is_by_a_power_of_two(number):
    part, exponent = scaled(np.array([[number, number / 4], [0.0, 0.0]]))
    assert 0.5 <= np.abs(part).max() < 1
    assert Fraction(part[0, 0]) * Fraction(2) ** exponent == Fraction(number)


def test_scaling_needs_gradual_underflow(monkeypatch):
    def flushes():
        raise FloatingPointError("flushed")

    monkeypatch.setattr("headwright.theories.matrices.matrix_norms.need_gradual_underflow", flushes)
    with pytest.raises(FloatingPointError, match="flushed"):
        scaled(np.ones((1, 1)))
    with pytest.raises(FloatingPointError, match="flushed"):
        exact_squared_norm(np.ones((1, 1)))


@pytest.mark.parametrize(("c", "e"), [(1.0, 1.0), (1.25, 0.75), (0.5, 1.375), (1 + 2.0**-30, 1 - 2.0**-28)])
def test_the_factors_of_bases_that_are_not_quite_orthonormal(c, e):
    """U = c I, V = e I change every singular value by the factor c e; α = |c² - 1|, β = |e² - 1|."""
    left, right = np.vstack([c * np.eye(2), np.zeros((3, 2))]), e * np.eye(2)
    alpha, beta = (abs(Fraction(x) ** 2 - 1) * Fraction(15, 10) for x in (c, e))  # ‖·‖_F is √2 times the spectral norm
    low, high = stretch(left, right)
    assert low <= Fraction(c) * Fraction(e) <= high
    assert low**2 >= max(1 - alpha, 0) * max(1 - beta, 0) - 100 * U
    assert high**2 <= (1 + alpha) * (1 + beta) + 100 * U


def test_bases_far_from_orthonormal():
    wide, good = 2.0 * np.eye(2), np.eye(2)
    for left, right in ((wide, good), (good, wide), (wide, wide)):
        low, high = stretch(left, right)
        assert low == 0  # 1 - α < 0, also where both are
        assert high >= 2
    assert stretch(1e200 * good, good) is None
    assert stretch(good, 1e200 * good) is None
