"""low_rank: the truncated decomposition is proved nearest; sampling is labelled, and proved only as far as it reaches."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.search.spectrum import _low_rank
from headwright.search.spectrum._low_rank import probable_norm
from tests.facts import near, says


@pytest.mark.parametrize("shape", [(6, 4), (3, 7), (5, 5), (1, 4)])
def test_error_and_best_meet(rng, shape):
    matrix = rng.normal(size=shape)
    values = [*np.linalg.svd(matrix)[1], 0.0]
    for rank in range(1, min(shape) + 1):
        found = hw.spectrum.low_rank(matrix, rank)
        assert found.verdict.status == "proved"
        assert found.method == "decomposition"
        assert found.left.shape == (shape[0], rank)
        assert found.right.shape == (rank, shape[1])
        assert found.rank == rank
        assert found.best <= values[rank] + 1e-15
        assert found.error >= values[rank]
        assert found.error - found.best <= 1e-13 * values[0]
        assert found.error <= found.bound * (1 + 1e-12)
        assert found.bound == pytest.approx(np.linalg.norm(matrix) / (rank + 1) ** 0.5)
        assert np.linalg.norm(matrix - found.matrix, 2) <= found.error * (1 + 1e-9) + 1e-14
    assert found.best == 0


def test_the_zero_matrix_and_extreme_scales():
    nothing = hw.spectrum.low_rank(np.zeros((2, 3)), 1)
    assert nothing.error == nothing.best == nothing.bound == 0
    for scale in (1e300, 1e-300):
        found = hw.spectrum.low_rank(np.diag([3.0, 2.0]) * scale, 1)
        assert found.best <= 2 * scale <= found.error
        assert found.error - found.best <= 1e-13 * scale


def test_two_thousand_by_a_hundred(rng):
    matrix = rng.normal(size=(2000, 128))
    found = hw.spectrum.low_rank(matrix, 10)
    assert found.verdict.status == "proved"
    assert found.error - found.best <= 1e-10 * np.linalg.norm(matrix, 2)


def test_sampling_is_labelled_and_true(rng):
    matrix = rng.normal(size=(80, 5)) @ rng.normal(size=(5, 60)) + 0.01 * rng.normal(size=(80, 60))
    values = np.linalg.svd(matrix)[1]
    found = hw.spectrum.low_rank(matrix, 4, method="randomised", seed=3)
    assert (found.method, found.seed) == ("randomised", 3)
    assert found.verdict.status == "proved"
    assert says(found.verdict.claim, 14)  # seen through that many sampled directions
    assert "Frobenius" in found.verdict.reason
    assert "estimated" in repr(found)
    assert values[4] <= found.error <= values[4] + 1.1 * np.linalg.norm(values[5:])
    assert found.best == pytest.approx(values[4], rel=1e-3)
    assert values[4] <= found.estimate <= 2 * values[4]
    again = hw.spectrum.low_rank(matrix, 4, method="randomised", seed=3)
    assert (again.left == found.left).all()
    assert (hw.spectrum.low_rank(matrix, 4, method="randomised", seed=4).left != found.left).any()


def test_sampling_takes_over_beyond_a_size(rng, monkeypatch):
    matrix = rng.normal(size=(20, 30))
    monkeypatch.setattr(_low_rank, "WHOLE", 20 * 20 * 30)
    assert hw.spectrum.low_rank(matrix, 2).method == "decomposition"
    monkeypatch.setattr(_low_rank, "WHOLE", 20 * 20 * 30 - 1)
    assert hw.spectrum.low_rank(matrix, 2).method == "randomised"
    assert hw.spectrum.low_rank(matrix, 2, method="decomposition").seed is None


def test_sampling_everything_is_a_whole_decomposition(rng):
    """Few enough columns that all directions are taken: the claim is the sharp one again."""
    matrix = rng.normal(size=(9, 6))
    found = hw.spectrum.low_rank(matrix, 2, method="randomised")
    assert found.error - found.best < 1e-13 * 10
    assert found.verdict.claim == hw.spectrum.low_rank(matrix, 2, method="decomposition").verdict.claim


def test_the_estimate_of_a_norm(rng):
    """Above the norm, and not far above, for one that is known; 0 for nothing."""
    zeros, ones = np.zeros((7, 1)), np.zeros((1, 5))
    for _ in range(20):
        matrix = rng.normal(size=(7, 5)) * 1e200
        norm = np.linalg.norm(matrix / 1e200, 2) * 1e200
        assert norm <= probable_norm(matrix, zeros, ones, seed=1) <= 1.5 * norm
    assert probable_norm(np.zeros((7, 5)), zeros, ones, seed=1) == 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "magic"}, ValueError, "`method`.*'magic'"),
        ({"seed": -1}, ValueError, "`seed`.*-1"),
        ({"seed": 0.5}, TypeError, "`seed`"),
    ],
)
def test_wrong_options(options, error, message):
    with pytest.raises(error, match=message):
        hw.spectrum.low_rank(np.eye(2), 1, **options)


@pytest.mark.parametrize("matrix", [np.eye(3), [[3, 0, 0], [4, 5, 0], [0, 0, 1e-3]], np.diag([7.0, 5.0, 1 / 3])])
def test_what_is_printed_is_rounded_outward(matrix):
    """Printed bounds are no better than the proved ones, and close enough to see that they meet. The claim cuts them."""
    found = hw.spectrum.low_rank(matrix, 2)
    best, error = sorted(Fraction(word) for word in re.findall(r"\d+\.\d+(?:e-?\d+)?", found.summary()))
    assert best <= Fraction(found.best) <= Fraction(found.error) <= error
    assert error - best < Fraction(5, 10**11) * error
    for number, words in ((found.error, "within"), (found.best, "nearer than")):
        shown = Fraction(re.search(rf"{words} ([\d.]+(?:e-?\d+)?)", found.verdict.claim)[1])
        assert shown <= Fraction(number) <= shown * (1 + Fraction(1, 10**11))
    assert Fraction(found.verdict.bound_text.split()[-1]) == error


def test_it_shows_itself_and_is_saved(tmp_path):
    found = hw.spectrum.low_rank([[3, 0], [4, 5]], 1)
    assert says(repr(found), 1, 2)
    assert near(repr(found), 5**0.5)
    assert json.loads(json.dumps(found.to_dict()))["error"] == found.error
    assert found.table()["part"][:3] == ["rank", "error", "best"]
    hw.save(tmp_path / "claim", found.verdict)
    assert hw.verify(tmp_path / "claim").status == "proved"
    with pytest.raises(AttributeError):
        found.bound = 0.0
