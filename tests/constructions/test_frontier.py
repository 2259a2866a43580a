"""The frontier: probabilities that are the found queries' own, never falling, with the best length marked."""

import json

import numpy as np
import pytest

import headwright as hw
from tests.facts import says

NOISY = hw.GaussianKeys(np.eye(5), along={1: 0.5})
GOAL = hw.Average(1, 3)


@pytest.fixture(scope="module")
def found():
    return hw.frontier(NOISY, GOAL, error=0.1, seed=1)


def test_curves_never_fall_and_more_heads_are_no_worse(found):
    assert sorted(found.curves) == [1, 2]
    for norms, chances in found.curves.values():
        assert (np.diff(norms) > 0).all()
        assert (np.diff(chances) >= 0).all()
        assert chances[0] == 0
        assert chances[-1] > 0.999
    assert (found.curves[2][1] >= found.curves[1][1]).all()
    assert (found.curves[2][1] > found.curves[1][1] + 0.1).any()


def test_the_best_length_has_its_design_and_its_proof(found):
    assert found.proved
    for h, (norm, chance) in found.best.items():
        design = found.designs[h]
        assert len(design.queries) == h
        assert design.norm == norm
        assert chance >= found.curves[h][1].max() - 2.5e-3
        assert hw.certify(NOISY, design, confidence=chance - 1e-5).status == "proved"
        assert np.isclose(found.curves[h][0], norm, rtol=1e-3).any()
    # score 0 on both targets, -ln(13.5) on the three others: leak 0.1, blind to the noise
    assert found.best[1][0] < np.sqrt(3) * np.log(13.5)


def test_the_textbook_direction_has_a_best_length_and_then_fails(found):
    norms, chances = found.textbook
    best = int(chances.argmax())
    assert 0 < best < len(norms) - 1
    assert 0.05 < chances[best] < 0.2
    assert chances[-1] < 0.5 * chances[best]
    unit = (np.eye(5)[1] + np.eye(5)[3]) / np.sqrt(2)
    assert hw.certify(NOISY, norms[best] * unit, GOAL, error=0.1, confidence=chances[best]).status == "proved"
    assert hw.certify(NOISY, norms[best] * unit, GOAL, error=0.1, confidence=chances[best] + 1e-4).status == "refuted"


def test_given_norms_are_kept_and_finite_laws_are_exact():
    laws = {0: {"1/2": "1/4", "3/2": "3/4"}}
    found = hw.frontier(hw.ScaledKeys(np.eye(4), laws), hw.Average(0, 1), error="0.1", heads=1, norms=[9.0, 1.0, 3.0])
    norms, chances = found.curves[1]
    assert norms.tolist() == [1.0, 3.0, 9.0]
    assert set(chances.tolist()) <= {0.0, 0.25, 0.75, 1.0}
    assert chances[-1] == 1.0
    assert found.proved


def test_estimates_are_called_estimates():
    model = hw.GaussianKeys(np.eye(4), isotropic=0.02)
    found = hw.frontier(model, hw.Average(0, 1), error=0.2, heads=1, norms=[5.0])
    assert not found.proved
    assert "estimated" in repr(found)
    chance = found.curves[1][1][0]
    met = model.sample(20_000, seed=5) @ found.designs[1].query
    weights = np.exp(met) / np.exp(met).sum(axis=1, keepdims=True)
    share = (0.5 * np.abs(weights - [0.5, 0.5, 0, 0]).sum(axis=1) <= 0.2).mean()
    assert share == pytest.approx(found.best[1][1], abs=0.02)
    assert 0.5 < chance < 1


def test_it_shows_itself(found):
    table = found.table()
    assert [name.split()[0] for name in table] == ["norm", "1", "2", "textbook"]
    assert len({len(column) for column in table.values()}) == 1
    assert json.loads(json.dumps(found.to_dict()))["best"]["1"]["norm"] == found.best[1][0]
    assert says(repr(found), 1)
    assert "proved" in repr(found)
    with pytest.raises(ValueError, match="read-only"):
        found.curves[1][1][0] = 1.0


@pytest.mark.parametrize(
    ("asked", "error", "why"),
    [
        ({"keys": np.eye(5)}, TypeError, "`keys`.*ndarray"),
        ({"goal": hw.Top(1)}, TypeError, "`goal`"),
        ({"error": 0}, ValueError, "`error`"),
        ({"heads": ()}, ValueError, "`heads`"),
        ({"heads": (1, 0)}, ValueError, "`heads`.*0"),
        ({"norms": [1.0, -2.0]}, ValueError, "`norms`"),
        ({"norms": []}, ValueError, "`norms`"),
    ],
)
def test_wrong_calls(asked, error, why):
    given = {"keys": NOISY, "goal": GOAL, "error": 0.1, **asked}
    with pytest.raises(error, match=why):
        hw.frontier(given.pop("keys"), given.pop("goal"), **given)
