"""energy and tail: the numbers agree with the theorems, and the words say which is which."""

from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.theories.matrices import singular_squares
from tests.facts import encloses, near


def test_the_energy_of_a_known_matrix():
    found = hw.spectrum.energy([[1, 2], [3, 4], [5, 6]])
    assert found.total.exact == 91
    assert 91 in found.sum
    assert found.sum.high - found.sum.low < 1e-11
    assert found.verdict.status == "proved"
    assert "trace" in found.verdict.reason
    assert (found.verdict.record.low, found.verdict.record.high) == (91, 91)
    assert found.norm.ends[0] ** 2 <= 91 <= found.norm.ends[1] ** 2


def test_the_total_is_exact_and_enclosed_for_large_matrices(rng, monkeypatch):
    matrix = rng.normal(size=(30, 7))
    exact = sum(Fraction(entry) ** 2 for entry in matrix.ravel().tolist())
    assert hw.spectrum.energy(matrix).total.exact == exact
    monkeypatch.setattr(singular_squares, "EXACT_ENTRIES", 100)
    found = hw.spectrum.energy(matrix)
    assert exact in found.total
    low, high = found.total.ends
    assert 0 < high - low < exact / 10**14
    assert found.verdict.status == "proved"
    assert found.verdict.record.low < exact < found.verdict.record.high


@pytest.mark.parametrize("matrix", [np.zeros((3, 2)), [[1e200, 1e-200]], np.full((2, 2), 5e-324), [[-3.5]]])
def test_extreme_energies(matrix):
    found = hw.spectrum.energy(matrix)
    assert found.total.exact in found.sum
    written = found.to_dict()["total"]
    assert written["high"] is None or written["low"] <= written["high"]  # None: float64 does not reach that far
    assert all(written[name] is None or np.isfinite(written[name]) for name in ("value", "low", "high"))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_tail_of_a_known_matrix(k):
    """σ = 6, 3, 2; ‖A‖_F = 7."""
    found = hw.spectrum.tail(np.diag([2.0, 6.0, 3.0])[[0, 2, 1]], k)
    assert (6, 3, 2)[k - 1] in found.singular_value
    assert (49, 13, 4)[k - 1] in found.energy
    assert found.bound.ends[0] ** 2 * k <= 49 <= found.bound.ends[1] ** 2 * k
    assert found.separated
    assert found.verdict.status == "proved"
    assert found.verdict.record.k == k
    assert k * found.verdict.record.bound**2 >= 49
    assert found.verdict.bound == pytest.approx((49 / k) ** 0.5)


@pytest.mark.parametrize(
    ("matrix", "k"), [(np.eye(3), 3), (np.ones((2, 5)), 1), (np.zeros((2, 2)), 2), (np.diag([1, 1, 0]), 2)]
)
def test_equality_is_decided_by_the_theorem_alone(matrix, k):
    found = hw.spectrum.tail(matrix, k)
    assert found.separated == (not np.any(matrix))
    assert found.verdict.status == "proved"


def test_they_show_themselves():
    energy, tail = hw.spectrum.energy([[3, 0], [4, 5]]), hw.spectrum.tail([[3, 0], [4, 5]], 2)
    assert repr(energy).startswith("Energy: ‖A‖_F² = 50 (exact), Σσ_i² = ")
    assert encloses(repr(energy), 50)
    assert repr(tail).startswith("Tail: σ_2 = ")
    assert near(repr(tail).splitlines()[0], 5**0.5, within=1e-12)
    for found in (energy, tail):
        assert "Proved" in found._repr_html_()
        assert found.to_dict()["verdict"]["status"] == "proved"
    assert energy.table()["share"] == pytest.approx([0.9, 0.1])
    assert energy.table()["share so far"][-1] == pytest.approx(1)
    assert tail.table()["bound"] == pytest.approx([50**0.5, 5])
    assert hw.spectrum.energy(np.zeros((2, 3))).shares().tolist() == [0, 0]


def test_both_are_proved_again_from_a_file(tmp_path):
    for verdict in (hw.spectrum.energy(np.eye(2)).verdict, hw.spectrum.tail(np.eye(2), 2).verdict):
        hw.save(tmp_path / "claim", verdict)
        assert hw.verify(tmp_path / "claim").status == "proved"
