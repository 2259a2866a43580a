"""Sums of squares of singular values, and bounds on the k-th: numbers that are right, wrong by one bit, and out of reach."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.kernel.certificate import verify
from headwright.theories.matrices import singular_squares
from headwright.theories.matrices.singular_squares import SingularSquares, SingularTail
from headwright.words.files import save

MATRIX = np.array([[3.0, 0.1], [4.0, 5.0], [-0.5, 1e-3]])
WHOLE = sum(Fraction(x) ** 2 for x in MATRIX.ravel().tolist())
TINY = Fraction(1, 10**30)


@pytest.mark.parametrize(
    ("low", "high", "status"),
    [
        (WHOLE, WHOLE, "proved"),
        (Fraction(0), WHOLE, "proved"),
        (WHOLE, Fraction(10**9), "proved"),
        (WHOLE + TINY, WHOLE + 1, "refuted"),
        (Fraction(0), WHOLE - TINY, "refuted"),
    ],
)
def test_sums(low, high, status, tmp_path):
    verdict = SingularSquares(MATRIX, low, high).prove()
    assert verdict.status == status
    save(tmp_path / "claim", verdict)
    assert verify(tmp_path / "claim").status == status


def test_a_sum_that_is_only_enclosed(monkeypatch):
    monkeypatch.setattr(singular_squares, "EXACT_ENTRIES", 2)
    assert SingularSquares(MATRIX, WHOLE, WHOLE).prove().status == "undecided"
    assert SingularSquares(MATRIX, WHOLE - 1, WHOLE + 1).prove().status == "proved"
    assert SingularSquares(MATRIX, WHOLE + 1, WHOLE + 2).prove().status == "refuted"


@pytest.mark.parametrize("k", [1, 2])
def test_tails(k, tmp_path):
    enough = Fraction(int((WHOLE / k) ** Fraction(1, 2) * 10**9) + 1, 10**9)
    verdict = SingularTail(MATRIX, k, enough).prove()
    assert verdict.status == "proved"
    assert Fraction(verdict.bound) >= enough
    save(tmp_path / "claim", verdict)
    assert verify(tmp_path / "claim").status == "proved"
    true = Fraction(float(np.linalg.svd(MATRIX)[1][k - 1]))
    assert SingularTail(MATRIX, k, true * Fraction(99, 100)).prove().status == "undecided"  # false, and never proved


def test_the_least_bound_of_equal_values():
    assert SingularTail(np.eye(3), 3, Fraction(1)).prove().status == "proved"
    assert SingularTail(np.eye(3), 3, 1 - TINY).prove().status == "undecided"


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: SingularSquares(MATRIX, Fraction(2), Fraction(1)), "low"),
        (lambda: SingularTail(MATRIX, 3, Fraction(1)), "k"),
        (lambda: SingularTail(MATRIX, 0, Fraction(1)), "k"),
        (lambda: SingularTail(MATRIX, 1, Fraction(-1)), "bound"),
    ],
)
def test_wrong_parts_are_named(make, named):
    with pytest.raises(ValueError, match=f"`{named}`"):
        make()
