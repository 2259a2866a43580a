"""What a stranger tried: attainable infima, sizes at the ends of float64, arrays changed afterwards, words that overclaim."""

import numpy as np
import pytest

import headwright as hw
from tests.facts import says

KEYS = np.random.default_rng(1).standard_normal((12, 5))


@pytest.mark.parametrize(
    ("keys", "goal", "error"),
    [
        ([[1.0], [2.0], [2.0]], hw.Copy(1), 0.5),
        (np.eye(4)[[0, 0, 0, 1]], hw.Copy(0), "2/3"),
        (np.eye(4)[[0, 0, 0, 1]], hw.Average(0, 1), "1/3"),
    ],
)
def test_an_infimum_that_no_query_attains(keys, goal, error):
    with pytest.raises((hw.NotFound, hw.Unreachable)):
        hw.design(keys, goal, error=error)
    (refusal,) = hw.design_many(keys, [goal], error=error)
    assert isinstance(refusal, hw.NotFound | hw.Unreachable)


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e-155, 1e155, 1e200])
@pytest.mark.parametrize("goal", [hw.Copy(0), hw.Average(0, 1)], ids=str)
@pytest.mark.filterwarnings("error")
def test_the_size_of_the_keys_means_nothing(size, goal):
    one, other = hw.design(KEYS, goal, error=0.3), hw.design(KEYS * size, goal, error=0.3)
    assert other.exact_ratios
    assert other.norm * size == pytest.approx(one.norm, rel=1e-9)
    assert other.norm <= other.lower_bound * (1 + 1e-9)
    assert says(other.summary(), f"{other.norm:.6g}")


@pytest.mark.filterwarnings("error")
def test_the_largest_numbers_there_are():
    keys = np.eye(4) * 1.7e308
    design = hw.design(keys, hw.Copy(0))
    assert hw.certify(keys, design).status == "proved"


def test_an_array_opened_and_changed_afterwards_changes_no_proof():
    keys = np.eye(3)
    keys.flags.writeable = False
    design = hw.design(keys, hw.Copy(0))
    verdict = hw.certify(keys, design)
    keys.flags.writeable = True
    keys[:] = 0
    assert design.error <= 0.01
    assert verdict.record.prove().status == "proved"


def test_a_shorter_query_with_other_ratios_is_not_denied():
    goal = hw.Blend({0: 1, 1: "1e-12"})
    design = hw.design(KEYS, goal)
    shorter = hw.design(KEYS, hw.Copy(0), error="0.0099").query
    assert np.linalg.norm(shorter) < design.lower_bound / 2
    assert hw.certify(KEYS, shorter, goal, error=0.01).status == "proved"
    assert says(design.summary(), f"{design.norm:.6g}")


def test_rounded_shares_are_marked():
    goal = hw.Blend({0: "0.3333333333", 1: "0.6666666667"})
    assert repr(goal) == "Blend({0: 0.333333…, 1: 0.666667…})"


def test_the_best_error_has_its_own_proof(tmp_path):
    corners = np.array([[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]])
    with pytest.raises(hw.Unreachable) as caught:
        hw.design(corners, hw.Copy(4))
    refusal = caught.value
    assert len(refusal.witness.indices) <= 3
    hw.save(tmp_path / "best.safetensors", refusal.best_verdict)
    assert hw.verify(tmp_path / "best.safetensors").bound == refusal.best_error > refusal.verdict.bound


def test_goals_must_be_a_list():
    with pytest.raises(TypeError, match=r"`goals`.*Copy"):
        hw.design_many(KEYS, hw.Copy(0))


def test_a_seed_is_checked_before_any_work():
    with pytest.raises(ValueError, match="`seed`"):
        hw.design(KEYS, hw.Copy(0), seed=-3)
