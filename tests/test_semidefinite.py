"""Positive semi-definite or not, decided exactly: beside eigenvalues far from zero, and on the line itself."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.theories.random_keys import semidefinite
from headwright.theories.random_keys.semidefinite import is_semidefinite


def minors_say(matrix):
    """All principal minors in rationals: the textbook criterion."""
    exact = [[Fraction(x) for x in row] for row in matrix.tolist()]
    n = len(exact)
    return all(
        determinant([[exact[i][k] for k in chosen] for i in chosen]) >= 0
        for mask in range(1, 2**n)
        for chosen in [[i for i in range(n) if mask >> i & 1]]
    )


def determinant(rows):
    if not rows:
        return Fraction(1)
    return sum(
        (-1) ** k * x * determinant([row[:k] + row[k + 1 :] for row in rows[1:]]) for k, x in enumerate(rows[0]) if x
    ) or Fraction(0)


def test_small_matrices_agree_with_their_minors(rng):
    seen = set()
    for case in range(600):
        n = 1 + case % 4
        root = rng.integers(-2, 3, (n, 1 + case % 3)).astype(float)
        matrix = root @ root.T
        if case % 2:
            i, k = rng.integers(n, size=2)
            matrix[i, k] = matrix[k, i] = matrix[i, k] + rng.choice([-1.0, 1.0]) * 2.0 ** -int(rng.integers(0, 60))
        found = is_semidefinite(matrix)
        assert found == minors_say(matrix)
        seen.add(found)
    assert seen == {True, False}


@pytest.mark.parametrize("n", [2, 5, 30])
def test_a_hair_decides_on_the_edge(rng, n):
    root = rng.integers(-9, 10, (n, n - 1)).astype(float)
    matrix = root @ root.T  # singular, in whole numbers
    assert is_semidefinite(matrix)
    vector = np.linalg.eigh(matrix)[1][:, 0]
    k = int(np.abs(vector).argmax())
    less, more = matrix.copy(), matrix.copy()
    less[k, k] -= 2.0**-30
    more[k, k] += 2.0**-30
    assert not is_semidefinite(less)
    assert is_semidefinite(more)


@pytest.mark.parametrize("unit", [2.0**-500, 2.0**-1040, 2.0**500])
def test_tiny_and_huge_numbers(unit):
    assert is_semidefinite(unit * np.array([[2.0, 1.0], [1.0, 1.0]]))
    assert not is_semidefinite(unit * np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert is_semidefinite(np.array([[unit, 0.0], [0.0, 0.0]]))
    assert not is_semidefinite(np.array([[unit, unit], [unit, 0.0]]))


def test_float64_alone_decides_where_the_margin_is_wide(rng, monkeypatch):
    def unexpected(matrix):
        raise AssertionError("integers are not needed here")

    monkeypatch.setattr(semidefinite, "_whole", unexpected)
    root = rng.standard_normal((40, 60))
    matrix = root @ root.T
    assert is_semidefinite((matrix + matrix.T) / 2)


def test_float64_leaves_what_its_roundings_could_turn(monkeypatch):
    """Least eigenvalue 2^-52 beside 1: within reach of the roundings, so it must go to the integers, either way."""
    asked = []
    monkeypatch.setattr(semidefinite, "_by_elimination", lambda rows: asked.append(rows) or True)
    for least in (2.0**-52, -(2.0**-52)):
        is_semidefinite(np.array([[1.0, 1.0], [1.0, 1.0 + least]]))
    assert len(asked) == 2
