"""Witnesses of impossibility are found where they must be, are proved, and are as strong as the best query says."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

import headwright as hw
from headwright.kernel import balls
from headwright.kernel.out_of_reach import OutOfReach
from headwright.search.least_norm import impossibility, max_entropy
from headwright.search.least_norm.impossibility import prove_unreachable
from tests.facts import is_mean, says
from tests.second_opinion import judge


def unreachable(keys, goal, error):
    """The answer for Copy, Average or Blend, its proof looked at from all sides; None when there is none."""
    keys = np.asarray(keys, dtype=float)
    found = prove_unreachable(keys, goal, Fraction(error))
    if found is None:
        return None
    assert found.verdict.status == "proved"
    assert isinstance(found.verdict.record, OutOfReach)
    assert found.verdict.record.error == Fraction(error)
    assert sum(found.witness.weights) == 1
    assert min(found.witness.weights) > 0
    assert found.best_error >= max(found.verdict.bound, float(Fraction(error)))
    return found


def least_error(keys, i):
    """1 - α_i at the best query a general optimiser finds."""
    rows = np.delete(keys, i, axis=0) - keys[i]
    rows = rows / np.abs(rows).max(axis=0)
    value = lambda q: logsumexp(rows @ q)  # noqa: E731
    slope = lambda q: np.exp(rows @ q - logsumexp(rows @ q)) @ rows  # noqa: E731
    lowest = minimize(value, np.zeros(rows.shape[1]), jac=slope, method="BFGS", options={"gtol": 1e-10}).fun
    return 1 / (1 + math.exp(-lowest))


def inside(rng, n, d, *, shrink=0.1):
    keys = rng.standard_normal((n, d))
    keys[0] *= shrink
    return keys


def test_a_key_between_two_others():
    found = unreachable([[0.0], [1.0], [3.0]], hw.Copy(1), "0.1")
    assert dict(zip(found.witness.indices, found.witness.weights, strict=True)) == {
        0: Fraction(2, 3),
        2: Fraction(1, 3),
    }
    entropy = math.log(3) - 2 / 3 * math.log(2)
    assert found.best_error == pytest.approx(1 / (1 + math.exp(-entropy)), abs=1e-12)
    assert says(found.reason, 1, 2)
    assert judge(found.verdict.record) == "true"


def test_the_centre_of_a_simplex():
    keys = np.vstack([np.eye(4), np.full((1, 4), 0.25)])
    for error in ("0.01", "0.3", "0.79"):
        found = unreachable(keys, hw.Copy(4), error)
        assert found.best_error == pytest.approx(0.8, abs=1e-12)
        assert is_mean(keys, 4, found.witness)
    assert unreachable(keys, hw.Copy(4), "0.801") is None


@pytest.mark.parametrize("size", [1.0, 1e8, 1e-8, 1e-200, 1e200])
def test_a_random_point_inside(rng, size):
    keys = inside(rng, 50, 5) * size
    found = unreachable(keys, hw.Copy(0), "0.2")
    assert len(found.witness.indices) <= 6
    assert is_mean(keys, 0, found.witness)
    assert found.verdict.bound < found.best_error  # the maximum of the entropy beats a vertex
    best = least_error(keys / size, 0)
    assert 0 <= best - found.best_error < 1e-6


def test_far_from_the_origin(rng):
    keys = inside(rng, 50, 5) + 1e7
    found = unreachable(keys, hw.Copy(0), "0.2")
    assert is_mean(keys, 0, found.witness)
    assert 0 <= least_error(keys, 0) - found.best_error < 1e-6


def test_large_errors_are_decided_by_the_largest_entropy(rng):
    keys = inside(rng, 50, 5)
    best = unreachable(keys, hw.Copy(0), "0.2").best_error
    above = unreachable(keys, hw.Copy(0), Fraction(best) - Fraction(1, 10**9))
    assert len(above.witness.indices) == 49
    assert is_mean(keys, 0, above.witness)
    assert unreachable(keys, hw.Copy(0), Fraction(best) + Fraction(1, 10**7)) is None


def test_a_key_outside_is_never_refused(rng):
    for n, d in ((4, 6), (30, 3)):
        keys = rng.standard_normal((n, d))
        keys[2] = 2 * np.abs(keys).max() * d
        assert unreachable(keys, hw.Copy(2), "0.01") is None
    assert unreachable([[0.0], [1.0], [3.0]], hw.Copy(2), "0.0001") is None


def test_outside_by_less_than_float64_tells():
    """The third key is 2^-52 beyond the second: no witness exists, however hard to see."""
    assert unreachable([[0.0, 0], [1, 0], [1 + 2.0**-52, 0], [0, 1]], hw.Copy(2), "0.1") is None
    assert unreachable([[0.0, 0], [1, 0], [1 - 2.0**-53, 0], [0, 1]], hw.Copy(2), "0.1") is not None
    assert unreachable([[0.0, 0], [2, 0], [1, -(2.0**-60)], [0, 1]], hw.Copy(2), "0.1") is None


def test_rounded_convex_combinations(rng):
    """Inside a full-dimensional hull the rounding is corrected; where the keys span too little, nothing is claimed."""
    for n, d in ((30, 3), (9, 2), (40, 6), (4, 6), (6, 8)):
        keys = rng.standard_normal((n, d))
        keys[0] = rng.dirichlet(np.ones(n - 1)) @ keys[1:]
        found = unreachable(keys, hw.Copy(0), "0.3")
        assert (found is not None) == (n > d + 1)
        keys[0] = (keys[1] + keys[2]) / 2
        found = unreachable(keys, hw.Copy(0), "0.3")
        if found is not None:
            assert is_mean(keys, 0, found.witness)
            assert len(found.witness.indices) <= d + 1


def test_a_key_almost_between_two_others_deep_inside(rng):
    keys = rng.standard_normal((56, 4))
    keys[1:3] *= 0.2
    keys[0] = (keys[1] + keys[2]) / 2 + [1e-17, 0, 0, 0]
    found = unreachable(keys, hw.Copy(0), "0.3")
    assert 2 < len(found.witness.indices) <= 5 or keys[0].tolist() == ((keys[1] + keys[2]) / 2).tolist()
    assert is_mean(keys, 0, found.witness)


def test_a_key_on_a_face():
    keys = np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0], [2, 2, 0], [1, 1, 0], [1, 1, 5], [0, 1, 3]], dtype=float)
    for error in ("0.3", "0.7"):
        found = unreachable(keys, hw.Copy(4), error)
        assert set(found.witness.indices) <= {0, 1, 2, 3}
        assert found.best_error == pytest.approx(0.8, abs=1e-9)


def test_keys_that_span_less_than_the_space(rng):
    keys = (rng.integers(-4, 5, (40, 3)) @ rng.integers(-4, 5, (3, 6))).astype(float)
    keys[0] = 0
    found = unreachable(keys, hw.Copy(0), "0.1")
    assert len(found.witness.indices) <= 4
    assert is_mean(keys, 0, found.witness)
    assert unreachable(keys, hw.Copy(0), "0.9").best_error == found.best_error


def test_duplicates_are_named():
    keys = np.array([[9, 2], [0, 1], [9, 2], [9, 2], [5, 5]], dtype=float)
    found = unreachable(keys, hw.Copy(0), "0.6")
    assert says(found.reason, 0, 2, 3)
    assert set(found.witness.indices) <= {2, 3}  # either, or both
    assert is_mean(keys, 0, found.witness)
    assert found.best_error == 2 / 3
    assert unreachable(keys, hw.Copy(0), "0.67") is None
    assert unreachable([[1.0], [1.0]], hw.Copy(1), "0.499").best_error == 0.5


def test_a_duplicate_inside_the_hull_has_more_against_it():
    keys = np.array([[0, 0], [4, 0], [0, 4], [1, 1], [1, 1]], dtype=float)
    found = unreachable(keys, hw.Copy(3), "0.1")
    assert says(found.reason, 3, 4)
    assert found.best_error > 0.7
    many = unreachable(np.ones((9, 2)), hw.Copy(0), "0.1")
    assert len(many.witness.indices) <= 3  # any of the eight, but few
    assert is_mean(np.ones((9, 2)), 0, many.witness)
    assert many.best_error == balls.float_below(Fraction(8, 9))
    assert says(many.reason, 1, 2, 3, 4, 5, 6)


def test_few_pairs_are_corrected_and_all_are_kept(rng, monkeypatch):
    keys = inside(rng, 60, 4)
    whole = unreachable(keys, hw.Copy(0), "0.8")
    monkeypatch.setattr(impossibility, "_CORRECTED", 8)
    few = unreachable(keys, hw.Copy(0), "0.8")
    assert few.best_error == pytest.approx(whole.best_error, abs=1e-12)
    changed = [number for _, _, number in few.verdict.record.witness if number.denominator > 1]
    assert len(few.witness.indices) == 59
    assert len(changed) <= 4


def test_a_search_that_misleads_proves_nothing(rng, monkeypatch):
    """The solver is not trusted: weights from elsewhere give no proof, or a true one."""
    keys = rng.standard_normal((12, 3)) + np.array([4, 0, 0])
    keys[0] = [-9, 0, 0]
    fake = max_entropy.Tilt(np.ones(1), np.full((1, 12), 1 / 11), 5.0)
    fake.spread[0, 0] = 0
    monkeypatch.setattr(impossibility, "tilt", lambda *_, **__: fake)
    monkeypatch.setattr(impossibility, "on_face", lambda *_: None)
    assert unreachable(keys, hw.Copy(0), "0.3") is None


@pytest.mark.parametrize("failing", ["dense", "programme"])
def test_what_is_left_when_one_search_fails(rng, monkeypatch, failing):
    keys = inside(rng, 20, 3)
    if failing == "programme":
        monkeypatch.setattr(impossibility, "_VERTICES", 0)
        assert len(unreachable(keys, hw.Copy(0), "0.2").witness.indices) == 19
    else:
        monkeypatch.setattr(impossibility, "tilt", lambda *_, **__: None)
        assert unreachable(keys, hw.Copy(0), "0.2") is None


def test_a_thousand_keys(rng):
    keys = inside(rng, 1000, 32, shrink=0.02)
    found = unreachable(keys, hw.Copy(0), "0.1")
    assert len(found.witness.indices) <= 33
    assert 0 <= least_error(keys, 0) - found.best_error < 1e-6
