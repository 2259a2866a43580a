"""Nearest points of hulls: optimality shown by duality, agreement with Clarabel, and no kind of keys that stops the search."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.search.least_norm.nearest_points import _affine, _Corral, _grown, min_norm_point, nearest_points


def marked(n, m):
    members = np.zeros(n, dtype=bool)
    members[:m] = True
    return members


def assert_consistent(keys, members, found):
    """What holds of every answer, good or bad: convex weights, few pairs, and their difference."""
    assert len(found.pairs) == len(set(found.pairs)) <= keys.shape[1] + 1
    assert (found.weights > 0).all()
    assert found.weights.sum() == pytest.approx(1, abs=1e-12)
    assert found.shares[members].sum() == pytest.approx(1, abs=1e-12)
    assert found.shares[~members].sum() == pytest.approx(1, abs=1e-12)
    assert all(members[i] and not members[j] for i, j in found.pairs)
    size = np.abs(keys).max() or 1.0
    signed = np.where(members, found.shares, -found.shares) / size
    np.testing.assert_allclose(found.difference / size, size * (signed @ (keys / size)), atol=1e-11)
    assert found.distance == pytest.approx(np.linalg.norm(found.difference / size) * size, rel=1e-12, abs=1e-300)


def relative_gap(keys, members, found):
    """1 - (smallest gap along x)/‖x‖²: 0 at the optimum, and ‖x‖ is optimal to about this part."""
    keys, x = keys / found.distance, found.difference / found.distance
    scores = (keys - keys.mean(axis=0)) @ x
    return 1 - (scores[members].min() - scores[~members].max())


@pytest.mark.parametrize("scale", [1.0, 1e8, 1e-8, 1e290, 1e-290])
@pytest.mark.parametrize(
    ("n", "d", "m", "shift"), [(30, 4, 3, 6), (7, 12, 2, 0), (200, 16, 5, 9), (9, 1, 4, 50), (60, 64, 1, 0)]
)
def test_separated_hulls(rng, n, d, m, shift, scale):
    keys = rng.normal(size=(n, d))
    keys[:m, 0] += shift
    members = marked(n, m)
    found = nearest_points(keys * scale, members)
    assert_consistent(keys * scale, members, found)
    assert abs(relative_gap(keys * scale, members, found)) < 1e-12
    assert found.distance == pytest.approx(nearest_points(keys, members).distance * scale, rel=1e-12)


def test_against_clarabel(rng):
    import cvxpy

    for n, d, m, shift in ((20, 3, 4, 4.0), (12, 15, 3, 0.0), (60, 6, 9, 5.0), (25, 5, 1, 1.0)):
        keys = rng.normal(size=(n, d))
        keys[:m] += shift / np.sqrt(d)
        p, r = cvxpy.Variable(m, nonneg=True), cvxpy.Variable(n - m, nonneg=True)
        length = cvxpy.Minimize(cvxpy.norm(p @ keys[:m] - r @ keys[m:]))
        best = cvxpy.Problem(length, [cvxpy.sum(p) == 1, cvxpy.sum(r) == 1]).solve(solver="CLARABEL")
        assert nearest_points(keys, marked(n, m)).distance == pytest.approx(best, abs=1e-6)


def test_min_norm_point_is_the_case_of_one_key(rng):
    keys = rng.normal(size=(40, 5))
    keys[0] *= 4
    one = nearest_points(keys, marked(40, 1))
    other = min_norm_point(keys[0] - keys[1:])
    np.testing.assert_allclose(one.difference, other.point, rtol=1e-12)
    assert {j - 1 for _, j in one.pairs} == set(other.indices)
    assert other.distance == pytest.approx(one.distance)
    assert other.weights.sum() == pytest.approx(1)


def test_min_norm_point_of_easy_sets():
    alone = min_norm_point(np.array([[3.0, 4.0]]))
    assert (alone.indices, alone.distance) == ((0,), 5.0)
    around = min_norm_point(np.array([[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0], [9.0, 7.0]]))
    assert around.distance < 1e-15
    assert len(around.indices) == 3
    assert min_norm_point(np.zeros((4, 2))).distance == 0


def test_hulls_that_meet(rng):
    for _ in range(20):
        keys = rng.normal(size=(60, 4))
        members = marked(60, 8)
        found = nearest_points(keys, members)
        assert_consistent(keys, members, found)
        assert found.distance < 1e-14


TOUCHING = {
    "edge through a point": ([[0, 0], [2, 0]], [[1, 0], [1, 1], [1, 5]]),
    "same point": ([[1, 2], [5, 5]], [[1, 2], [-3, 0]]),
    "all equal": ([[1, 1], [1, 1]], [[1, 1]]),
    "all zero": ([[0, 0]], [[0, 0], [0, 0]]),
    "edges cross": ([[0, 0], [4, 4]], [[0, 4], [4, 0]]),
    "edges overlap": ([[0, 0], [4, 0]], [[1, 0], [9, 0]]),
}


@pytest.mark.parametrize("name", TOUCHING)
def test_touching_hulls(name):
    inside, outside = (np.array(part, dtype=float) for part in TOUCHING[name])
    members = marked(len(inside) + len(outside), len(inside))
    found = nearest_points(np.vstack([inside, outside]), members)
    assert_consistent(np.vstack([inside, outside]), members, found)
    assert found.distance < 1e-15


def test_duplicates_and_few_dimensions(rng):
    base = rng.normal(size=(10, 3))
    base[:2, 0] += 9
    keys = np.repeat(base, 5, axis=0) @ rng.normal(size=(3, 8))  # each key five times, rank 3 in d = 8
    members = marked(50, 10)
    found = nearest_points(keys, members)
    assert_consistent(keys, members, found)
    assert abs(relative_gap(keys, members, found)) < 1e-12
    assert len(found.pairs) <= 4


def test_keys_far_from_the_origin(rng):
    keys = rng.integers(-50, 50, size=(30, 5)).astype(float)
    keys[:3, 0] += 200
    near, far = nearest_points(keys, marked(30, 3)), nearest_points(keys + 2.0**40, marked(30, 3))
    np.testing.assert_allclose(far.difference, near.difference, rtol=1e-12)


@pytest.mark.parametrize("distance", [1e-3, 1e-6, 1e-9])
def test_near_duplicates(rng, distance):
    keys = rng.normal(size=(20, 24))
    keys[0] = keys[7] + distance * rng.normal(size=24)
    members = marked(20, 1)
    found = nearest_points(keys, members)
    assert_consistent(keys, members, found)
    assert abs(relative_gap(keys, members, found)) < 1e-15 / distance * 100


def test_key_lengths_of_every_size(rng):
    keys = rng.normal(size=(40, 6)) * 10.0 ** rng.uniform(-6, 6, size=(40, 1))
    for m in (1, 3):
        assert_consistent(keys, marked(40, m), nearest_points(keys, marked(40, m)))


def test_halves_of_a_crowd(rng):
    keys = rng.normal(size=(600, 8))
    members = keys[:, 0] > 0
    found = nearest_points(keys, members)
    assert abs(relative_gap(keys, members, found)) < 1e-11


def test_exact_answer_on_a_grid():
    """(0,0), (0,1) against the line x + y = 4 and beyond: nearest points (0,1) and (1.5, 2.5)."""
    keys = np.array([[0, 0], [0, 1], [4, 0], [0, 4], [3, 3]], dtype=float)
    found = nearest_points(keys, marked(5, 2))
    np.testing.assert_allclose(found.difference, [-1.5, -1.5])
    assert [Fraction(round(share * 8), 8) for share in found.shares] == [0, 1, Fraction(3, 8), Fraction(5, 8), 0]


def test_dependent_rows_end_the_search_without_a_point():
    rows = np.array([[1.0, 1.0], [1.0, 1.0], [2.0, 0.5]])
    assert _affine(rows, np.array([0.2, 0.7, 0.1])) is None
    assert _affine(np.ones((4, 2)), np.full(4, 0.25)) is None
    here = _Corral([0], rows[:1], np.ones(1), rows[0])
    assert _grown(here, 1, rows[1]) is None
