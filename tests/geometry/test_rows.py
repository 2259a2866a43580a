"""Value, slope and curvature of a log-sum-exp over rows that are never written out, against those written out."""

import numpy as np
import pytest

from headwright.search.least_norm import rows as module
from headwright.search.least_norm.rows import Rows, corrected, log_sum_exp


def plain(keys, origin, left_out, q):
    """f, p, g and the Hessian from the rows as a matrix."""
    A = np.delete(keys, left_out, axis=0) - origin
    scores = A @ q
    powers = np.exp(scores - scores.max())
    p = powers / powers.sum()
    g = p @ A
    whole = np.zeros(len(keys))
    whole[np.setdiff1d(np.arange(len(keys)), left_out)] = p
    return log_sum_exp(scores), whole, g, (A - g).T @ ((A - g) * p[:, None])


@pytest.mark.parametrize("left_out", [(), (3,), (0, 63, 64, 199), tuple(range(32, 64))])
@pytest.mark.parametrize("size", [0.0, 1.0, 300.0])
@pytest.mark.parametrize("copied", [True, False])
def test_one_reading_gives_value_weights_and_slope(left_out, size, copied, rng, monkeypatch):
    monkeypatch.setattr(module, "_IN_CACHE", 32 * 5)
    if not copied:
        monkeypatch.setattr(module, "_BLOCK", 70 * 5)
    keys, q = rng.normal(size=(200, 5)), size * rng.normal(size=5)
    rows = Rows(keys, keys[3], left_out)
    f, p, g, H = plain(keys, keys[3], left_out, q)
    value = rows.at(q)
    assert value.f == pytest.approx(f, abs=1e-12 * max(1, size))
    np.testing.assert_allclose(value.p, p, atol=1e-12)
    np.testing.assert_allclose(value.g, g, atol=1e-11)
    np.testing.assert_allclose(rows.curvature(value), H, atol=1e-11)
    np.testing.assert_array_equal(rows.matrix().shape, (200 - len(left_out), 5))
    assert rows.count == 200 - len(left_out)


def test_keys_far_from_the_origin_keep_their_digits(rng, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 1)
    near = np.round(rng.normal(size=(300, 4)) * 2**20) / 2**20
    q = 100 * rng.normal(size=4)
    near_value, far_value = Rows(near, near[0]).at(q), Rows(near + 2.0**30, near[0] + 2.0**30).at(q)
    assert far_value.f == pytest.approx(near_value.f, rel=1e-14)


def test_a_sample_has_about_the_curvature_of_all_rows(rng):
    keys = rng.normal(size=(4000, 6))
    rows = Rows(keys, keys[0], (0,))
    assert rows.samples
    value = rows.at(rng.normal(size=6))
    true, rough = rows.curvature(value), rows.curvature(value, roughly=True)
    stretched = np.linalg.eigvals(np.linalg.solve(true, rough)).real
    assert stretched.min() > 0.3
    assert stretched.max() < 3


def test_no_rows_at_all():
    value = Rows(np.eye(2), np.zeros(2), (0, 1)).at(np.ones(2))
    assert value.f == -np.inf
    assert not value.p.any()


def test_numbers_that_overflow_are_seen(rng):
    with np.errstate(all="ignore"):
        assert not np.isfinite(Rows(rng.normal(size=(9, 3)) * 1e300, np.zeros(3)).at(np.full(3, 1e300)).f)


def test_a_corrected_hessian_maps_the_move_to_the_change(rng):
    half = rng.normal(size=(5, 5))
    H, move = half @ half.T, rng.normal(size=5)
    change = H @ move + 0.1 * move
    np.testing.assert_allclose(corrected(H, move, change) @ move, change)
    assert np.linalg.eigvalsh(corrected(H, move, change)).min() > 0
    assert corrected(H, move, -change) is H
