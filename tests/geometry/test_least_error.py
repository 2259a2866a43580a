"""The solver of least errors against closed forms, CVXPY with Clarabel, and its own duality gap on hard rows."""

import math
import warnings

import cvxpy as cp
import numpy as np
import pytest

from headwright.search.least_norm.least_error import least_error as searched
from headwright.search.least_norm.newton import LeastNormProblem, least_norm
from headwright.search.least_norm.rows import Rows, log_sum_exp
from tests.geometry.test_least_norm import HARD, hard_keys, no_ratios, problem


def least_error(A, E, b, radius, offset=None):
    """The solution for rows given as an array."""
    return searched(LeastNormProblem(Rows(A, np.zeros(A.shape[1]), lifts=offset), E, b), radius)


def gap(A, E, b, radius, found, offset=0.0):
    """The value found less the bound of Gibbs' inequality for the returned witness."""
    p = found.tilt[found.tilt > 0]
    entropy = -(p * np.log(p)).sum()
    v = found.tilt @ A + found.ratios @ E
    return found.value - (
        entropy + found.tilt @ (offset + np.zeros(len(A))) - found.ratios @ b - radius * np.linalg.norm(v)
    )


def by_cvxpy(A, E, b, radius):
    """(status, value)."""
    q = cp.Variable(A.shape[1])
    made = cp.Problem(cp.Minimize(cp.log_sum_exp(A @ q)), [cp.norm(q) <= radius, *([E @ q == b] if len(b) else [])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made.solve(solver=cp.CLARABEL)
        except cp.SolverError:
            return "error", None
    return made.status, made.value


def test_orthonormal_keys():
    """The best query within R is along k_0 less the mean of the others: f = ln(n-1) - R √(n/(n-1))."""
    for radius in (1e-3, 1.0, 50.0):
        found = least_error(*problem(np.eye(9), {0: 1.0}, 0.01)[:3], radius)
        assert found.value == pytest.approx(math.log(8) - radius * math.sqrt(9 / 8), rel=1e-12)
        assert np.linalg.norm(found.query) == pytest.approx(radius, rel=1e-14)


@pytest.mark.parametrize("seed", range(25))
def test_agrees_with_cvxpy(seed):
    rng = np.random.default_rng(seed)
    n, d, m = rng.integers(5, 60), rng.integers(4, 20), rng.integers(1, 4)
    keys = rng.normal(size=(n, d)) + rng.normal(size=d)
    goal = dict(zip(rng.choice(n, m, replace=False).tolist(), rng.dirichlet(np.ones(m)).tolist(), strict=True))
    A, E, b, _ = problem(keys, goal, 0.01)
    radius = float(rng.choice([0.3, 1.0, 2.6, 8.0]))
    found, (status, theirs) = least_error(A, E, b, radius), by_cvxpy(A, E, b, radius)
    if found.feasible:
        assert abs(gap(A, E, b, radius, found)) <= 1e-12 * max(1, abs(found.value))
        assert np.linalg.norm(found.query) <= radius * (1 + 1e-15)
        assert np.abs(E @ found.query - b).max(initial=0) <= 1e-12
    if status == "optimal":
        assert found.feasible
        assert found.value == pytest.approx(theirs, rel=1e-6, abs=1e-6)
    else:
        assert not found.feasible
        assert found.shortest > radius


@pytest.mark.parametrize("kind", HARD)
@pytest.mark.parametrize("radius", [1e-9, 1e-2, 1.0, 30.0, 1e4])
def test_hard_rows(kind, radius, rng):
    keys = hard_keys(kind, rng)
    for goal in ({0: 1.0}, {0: 0.5, 3: 0.5}):
        A, E, b, _ = problem(keys, goal, 0.01)
        found = least_error(A, E, b, radius)
        assert found.feasible
        # what the rounding of the scores hides: the longest row times the norm, 2^-52 of it
        seen = np.linalg.norm(A, axis=1).max() * radius * 2.0**-48
        assert gap(A, E, b, radius, found) <= 1e-9 * max(1.0, abs(found.value)) + seen


@pytest.mark.parametrize("goal", [{2: 1.0}, {1: 0.5, 4: 0.5}, {0: 0.5, 3: 0.3, 5: 0.2}])
def test_is_the_inverse_of_the_shortest(goal, rng):
    A, E, b, c = problem(rng.normal(size=(20, 12)), goal, 0.01)
    shortest = least_norm(A, E, b, c)
    found = least_error(A, E, b, float(np.linalg.norm(shortest.query)))
    assert found.value == pytest.approx(c, abs=1e-10)
    np.testing.assert_allclose(found.query, shortest.query, atol=1e-6)


def test_an_offset_is_added_to_the_scores(rng):
    A, a = rng.normal(size=(15, 4)), rng.normal(size=15)
    found = least_error(A, *no_ratios(4), 1.5, offset=a)
    assert found.value == pytest.approx(log_sum_exp(A @ found.query + a), rel=1e-14)
    assert gap(A, *no_ratios(4), 1.5, found, a) <= 1e-13
    E, b = rng.normal(size=(1, 4)), np.array([0.2])
    found = least_error(A, E, b, 1.5, offset=a)
    assert found.value == pytest.approx(log_sum_exp(A @ found.query + a), rel=1e-14)
    assert gap(A, E, b, 1.5, found, a) <= 1e-13


def test_the_best_lies_inside_the_ball(rng):
    """A key amid the others: longer queries do worse, and the radius plays no part."""
    A = rng.normal(size=(200, 3))
    near, far = (least_error(A, *no_ratios(3), radius) for radius in (50.0, 1e6))
    assert near.value == pytest.approx(far.value, rel=1e-14)
    assert np.linalg.norm(near.query) < 10
    assert gap(A, *no_ratios(3), 1e6, far) <= 1e-9


def test_no_best_because_longer_is_always_better():
    """A key on an edge of the hull: the third key fades as the query grows, the two beside it do not."""
    A = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, -1.0]])
    for radius in (1.0, 30.0, 1e3, 1e6):
        found = least_error(A, *no_ratios(2), radius)
        assert found.value == pytest.approx(math.log(2 + math.exp(-radius)), rel=1e-13)
        assert gap(A, *no_ratios(2), radius, found) <= 1e-12 + 1e-15 * radius


@pytest.mark.parametrize("radius", [1e10, 1e100, 1e300])
def test_huge_norms(radius, rng):
    A = rng.normal(size=(20, 12)) - 3 * np.eye(12)[0]
    found = least_error(A, *no_ratios(12), radius)
    assert np.isfinite(found.query).all()
    assert found.value <= -0.1 * min(radius, 1e150)


def test_ratios_that_no_short_query_has(rng):
    A, E, b, _ = problem(rng.normal(size=(9, 5)), {0: 0.9, 1: 0.05, 2: 0.05}, 0.01)
    shortest = np.linalg.norm(np.linalg.lstsq(E, b, rcond=None)[0])
    found = least_error(A, E, b, 0.5 * shortest)
    assert not found.feasible
    assert found.shortest == pytest.approx(shortest)
    assert -found.ratios @ b == pytest.approx(shortest * np.linalg.norm(found.ratios @ E))
    at_the_edge = least_error(A, E, b, shortest * (1 - 1e-15))
    assert at_the_edge.feasible
    np.testing.assert_allclose(E @ at_the_edge.query, b, atol=1e-12)


def test_ratios_that_no_query_has():
    E, b = np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([1.0, 1.0])
    found = least_error(np.ones((1, 2)), E, b, 10.0)
    assert not found.feasible
    assert found.shortest == np.inf
    assert -found.ratios @ b > 0.1
    assert np.abs(found.ratios @ E).max() < 1e-14


def test_no_rows():
    found = least_error(np.zeros((0, 3)), np.array([[1.0, 0.0, 0.0]]), np.array([0.5]), 1.0)
    np.testing.assert_allclose(found.query, [0.5, 0, 0])
    assert found.value == -np.inf
