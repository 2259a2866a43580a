"""Impossibility for several targets, whatever their ratios: sound against every query tried, and as strong as the method is."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

import headwright as hw
from headwright.search.least_norm import impossibility
from headwright.search.least_norm.impossibility import prove_unreachable, proved_any_ratio_bound
from tests.facts import says

MIDWAY = np.array([[0.0], [1.0], [2.0]])


def unreachable(keys, goal, error):
    found = prove_unreachable(np.asarray(keys, dtype=float), goal, Fraction(error))
    assert found is None or (found.verdict.status == "proved" and found.best_error >= found.verdict.bound)
    return found


def test_a_key_midway_between_its_targets():
    found = unreachable(MIDWAY, hw.Average(0, 2), "0.1")
    assert found.best_error == pytest.approx(1 / 6, abs=1e-6)
    assert proved_any_ratio_bound(MIDWAY, hw.Average(0, 2)) == pytest.approx(1 / 6, abs=1e-6)
    assert unreachable(MIDWAY, hw.Average(0, 2), "0.17") is None  # though .309 is the truth: sound, not tight
    weights = np.exp(np.outer(np.linspace(-3, 3, 4001), [0, 1, 2]))
    errors = np.abs(weights / weights.sum(axis=1)[:, None] - [0.5, 0, 0.5]).sum(axis=1) / 2
    assert errors.min() > 0.309


def test_unequal_shares_of_equal_keys():
    goal = hw.Blend({0: "0.6", 1: "0.4"})
    keys = np.array([[1, 1], [1, 1], [0, 3]], dtype=float)
    found = unreachable(keys, goal, "0.05")
    assert says(found.reason, 0, 1)
    assert proved_any_ratio_bound(keys, goal) == pytest.approx(0.1, abs=1e-6)
    assert unreachable(keys, goal, "0.11") is None


def test_average_of_five_keys_in_the_plane(rng):
    """Whatever is proved lies below what a query does."""
    refused = 0
    for _ in range(6):
        keys, goal = rng.standard_normal((12, 2)), hw.Average(0, 1, 2, 3, 4)
        wanted = goal.weights(12)
        error = lambda q, k=keys, w=wanted: np.abs(np.exp(k @ q - logsumexp(k @ q)) - w).sum() / 2  # noqa: E731
        best = min(minimize(error, start, method="Nelder-Mead").fun for start in 2 * rng.standard_normal((5, 2)))
        bound = proved_any_ratio_bound(keys, goal)
        assert bound <= best
        refused += bound > 0
        if bound > 0:
            assert unreachable(keys, goal, Fraction(bound * 0.999)) is not None
            assert unreachable(keys, goal, Fraction(min(bound * 1.01, 0.99))) is None
    assert refused >= 3


def test_shares_below_the_error_drop_out():
    goal = hw.Blend({0: "0.9", 1: "0.1"})
    keys = np.array([[0], [5], [-1], [1]], dtype=float)
    found = unreachable(keys, goal, "0.2")
    assert {i for i, _, _ in found.verdict.record.witness} == {0}
    assert unreachable(keys, hw.Average(0, 1), "0.5") is None


def test_what_can_be_done_has_no_bound(rng):
    assert proved_any_ratio_bound(np.eye(5), hw.Average(0, 3)) == 0.0
    assert proved_any_ratio_bound(np.eye(5), hw.Copy(2)) == 0.0
    assert proved_any_ratio_bound(np.ones((1, 2)), hw.Copy(0)) == 0.0
    assert unreachable(np.ones((1, 2)), hw.Copy(0), "0.1") is None
    assert proved_any_ratio_bound(np.array([[0.0], [1], [3]]), hw.Copy(1)) == pytest.approx(0.653965, abs=1e-6)


def test_a_search_too_large_is_not_begun(monkeypatch):
    monkeypatch.setattr(impossibility, "_MOST_PAIRS", 5)
    assert unreachable(MIDWAY, hw.Average(0, 2), "0.1") is None
    assert proved_any_ratio_bound(MIDWAY, hw.Average(0, 2)) == 0.0
