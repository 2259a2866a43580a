"""The solver against closed forms, CVXPY with Clarabel, and its own optimality conditions on hard rows."""

import math
import warnings

import cvxpy as cp
import numpy as np
import pytest

from headwright.search.least_norm.newton import least_norm
from headwright.search.least_norm.rows import log_sum_exp

HARD = ("near duplicates", "line", "wide norms", "far from the origin", "rank deficient", "few keys")


def no_ratios(d):
    return np.zeros((0, d)), np.zeros(0)


def odds(error):
    return error / (1 - error)


def problem(keys, goal, error):
    """(A, E, b, c) for shares {index: weight}."""
    (first, w), *others = goal.items()
    outside = [j for j in range(len(keys)) if j not in goal]
    A, E = keys[outside] - keys[first], keys[[j for j, _ in others]].reshape(-1, keys.shape[1]) - keys[first]
    return A, E, np.array([math.log(v / w) for _, v in others]), math.log(odds(error) / w)


def optimal_by(A, E, b, c, found):
    """Relative gap between the norm and the bound that Gibbs' inequality gives for the returned witness."""
    p = found.tilt[found.tilt > 0]
    entropy = -(p * np.log(p)).sum()
    v = found.multiplier * found.tilt @ A + found.ratios @ E
    bound = (found.multiplier * (entropy - c) - found.ratios @ b) / np.linalg.norm(v)
    return np.linalg.norm(found.query) / bound - 1


@pytest.mark.parametrize(("m", "norm"), [(1, 8.154794574685), (2, 10.392564647234), (5, 13.681545831706)])
def test_orthonormal_keys(m, norm):
    keys = np.eye(40)
    found = least_norm(*problem(keys, dict.fromkeys(range(3, 3 + m), 1 / m), 0.01))
    g = math.log((40 - m) / (m * odds(0.01)))
    assert np.linalg.norm(found.query) == pytest.approx(g * math.sqrt(m * (40 - m) / 40), rel=1e-12)
    assert np.linalg.norm(found.query) == pytest.approx(norm, rel=1e-12)


def by_cvxpy(A, E, b, c):
    q = cp.Variable(A.shape[1])
    ratios = [E @ q == b] if len(b) else []
    made = cp.Problem(cp.Minimize(cp.norm(q)), [cp.log_sum_exp(A @ q) <= c, *ratios])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.solve(solver=cp.CLARABEL)
    return made.value if made.status in ("optimal", "optimal_inaccurate") else None


@pytest.mark.parametrize("seed", range(25))
def test_agrees_with_cvxpy(seed):
    rng = np.random.default_rng(seed)
    n, d, m = rng.integers(5, 60), rng.integers(4, 20), rng.integers(1, 4)
    keys = rng.normal(size=(n, d)) + rng.normal(size=d)
    goal = dict(zip(rng.choice(n, m, replace=False).tolist(), rng.dirichlet(np.ones(m)).tolist(), strict=True))
    asked = problem(keys, goal, rng.choice([0.2, 0.01, 1e-4]))
    found, theirs = least_norm(*asked), by_cvxpy(*asked)
    if theirs is None:
        assert not found.reached
    else:
        assert found.reached
        assert np.linalg.norm(found.query) == pytest.approx(theirs, rel=1e-6, abs=1e-6)


def hard_keys(kind, rng):
    if kind == "near duplicates":
        keys = rng.normal(size=(50, 8))
        keys[1] = keys[0] + 1e-6 * rng.normal(size=8)
        return keys
    if kind == "line":
        return np.linspace(-1, 1, 300)[:, None] * rng.normal(size=12) + 1e-3 * rng.normal(size=(300, 12))
    if kind == "wide norms":
        keys = rng.normal(size=(40, 6)) * 10.0 ** rng.uniform(-6, 6, size=(40, 1))
        keys[0] = 3e6 * rng.normal(size=6)
        return keys
    if kind == "far from the origin":
        return rng.normal(size=(60, 20)) + 1e6
    if kind == "rank deficient":
        return rng.normal(size=(30, 12)) @ rng.normal(size=(12, 25))
    return rng.normal(size=(5, 9))


@pytest.mark.parametrize("kind", HARD)
@pytest.mark.parametrize("error", [0.4, 0.01, 1e-12])
def test_hard_rows_are_solved_to_optimality(kind, error, rng):
    keys = hard_keys(kind, rng)
    asked = problem(keys, {0: 1.0}, error)
    found = least_norm(*asked)
    assert found.reached
    assert log_sum_exp(asked[0] @ found.query) <= asked[3] + 1e-7
    assert abs(optimal_by(*asked, found)) < 1e-8


def test_inactive_leak_leaves_only_the_ratios(rng):
    keys = rng.normal(size=(6, 9))
    A, E, b, _ = problem(keys, {2: 0.7, 4: 0.3}, 0.01)
    found = least_norm(A, E, b, 50.0)
    assert found.multiplier == 0
    np.testing.assert_allclose(found.query, np.linalg.pinv(E) @ b, rtol=1e-10)
    assert abs(optimal_by(A, E, b, 50.0, found)) < 1e-10


def test_no_rows_and_no_freedom():
    found = least_norm(np.zeros((0, 3)), np.array([[1.0, 0, 0]]), np.array([2.0]), 0.0)
    assert found.reached
    np.testing.assert_allclose(found.query, [2.0, 0, 0])
    stuck = least_norm(np.array([[5.0]]), np.array([[1.0]]), np.array([2.0]), 0.0)
    assert not stuck.reached


def test_inside_the_hull_is_not_reached_and_says_how_far(rng):
    keys = rng.normal(size=(40, 3))
    keys[0] = keys[1:].mean(axis=0)
    found = least_norm(*problem(keys, {0: 1.0}, 0.01))
    assert not found.reached
    assert found.needed > 1e10
    assert np.linalg.norm(found.tilt @ (keys[1:] - keys[0])) < 1e-8


def test_inside_the_hull_a_large_error_is_reached(rng):
    keys = rng.normal(size=(40, 3))
    keys[0] = keys[1:].mean(axis=0)
    found = least_norm(*problem(keys, {0: 1.0}, 0.999))
    assert found.reached


def test_contradicting_ratios_are_noticed():
    E = np.array([[1.0, 0.0], [1.0, 0.0]])
    found = least_norm(np.array([[0.0, 1.0]]), E, np.array([1.0, 2.0]), 0.0)
    assert not found.consistent
    assert not found.reached


@pytest.mark.parametrize("power", [-8, 8])
def test_scaling_keys_scales_the_query(power, rng):
    keys = rng.normal(size=(30, 7))
    one = least_norm(*problem(keys, {0: 0.5, 3: 0.5}, 0.01))
    other = least_norm(*problem(keys * 10.0**power, {0: 0.5, 3: 0.5}, 0.01))
    np.testing.assert_allclose(other.query * 10.0**power, one.query, rtol=1e-8)
