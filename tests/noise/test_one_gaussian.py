"""Noise that is one Gaussian: rigorous integrals against mpmath's, sharp and blunt heads alike."""

import math

import mpmath
import numpy as np
import pytest

import headwright as hw
from evidence import one_gaussian
from headwright.kernel import inputs
from tests.noise.direct import close, mp_variation, mp_weights, rows


def test_the_textbook_example():
    """mathematics: n = 10, t = ln 10⁴, length of variance 1/2; both figures to 1e-12."""
    keys = hw.GaussianKeys(np.eye(10), along={0: 0.5})
    t = math.log(1e4)
    one = hw.outcome(keys, t * (np.eye(10)[0] + np.eye(10)[1]), hw.Average(0, 1))
    two = hw.outcome(keys, t * np.eye(10)[:2], hw.Average(0, 1), mix="equal")
    figures = [one.mean[0], one.sd[0], two.mean[0], two.sd[0]]
    expected = [0.49995277607654, 0.43697423825961, 0.42521582594565, 0.15234120742895]
    assert np.abs(np.array(figures) - expected).max() < 1e-12
    assert one.proved
    assert max(one.uncertainty["mean"].max(), one.uncertainty["sd"].max()) < 1e-15
    assert float(two.probability("0.1")) == pytest.approx(0.80622621445, abs=1e-10)


@pytest.mark.parametrize("goal", [hw.Copy(2), hw.Copy(0), hw.Average(0, 1), hw.Blend({2: 3, 0: 1, 4: 2})], ids=str)
@pytest.mark.parametrize("heads", [1, 2])
def test_all_moments_against_mpmath(rng, goal, heads):
    """Key 2 moves along a factor; means, deviations, outputs and mean error against a trapezoid rule of forty digits."""
    n, d = 5, 3
    keys, factor = rng.normal(size=(n, d)), rng.normal(size=d)
    queries, mix, values = 2 * rng.normal(size=(heads, d)), rng.uniform(0.5, 2, size=heads), rng.normal(size=(n, 2))
    found = hw.outcome(hw.GaussianKeys(keys, factors={2: factor}), queries, goal, values=values, mix=mix)
    with mpmath.workdps(30):
        step, total = mpmath.mpf(1) / 40, mpmath.mpf(0)
        moments, squares, outs, outer, error = (
            [mpmath.mpf(0)] * n,
            [mpmath.mpf(0)] * n,
            [mpmath.mpf(0)] * 2,
            mpmath.mpf(0),
            mpmath.mpf(0),
        )
        for k in range(-400, 401):
            z = k * step
            mass = mpmath.exp(-z * z / 2) * step / mpmath.sqrt(2 * mpmath.pi)
            moved = rows(keys)
            moved[2] = [x + z * mpmath.mpf(f) for x, f in zip(moved[2], factor.tolist(), strict=True)]
            weights = mp_weights(moved, queries, mix)
            out = [mpmath.fdot(weights, column.tolist()) for column in values.T]
            total += mass
            moments = [m + mass * w for m, w in zip(moments, weights, strict=True)]
            squares = [m + mass * w * w for m, w in zip(squares, weights, strict=True)]
            outs = [m + mass * o for m, o in zip(outs, out, strict=True)]
            outer += mass * out[0] * out[1]
            error += mass * mp_variation(weights, goal)
        for j in range(n):
            assert close(found.mean[j], 1e-14, moments[j])
            assert close(found.sd[j], 1e-13, mpmath.sqrt(squares[j] - moments[j] ** 2))
        for k in range(2):
            assert close(found.output_mean[k], 1e-13, outs[k])
        assert close(found.output_cov[0, 1], 1e-13, outer - outs[0] * outs[1])
        smooth = len(goal.indices) == 1
        assert close(found.error_mean, 1e-13 if smooth else 1e-4, error)  # kinks spoil the trapezoid rule, not ours
    assert found.error_mean.high - found.error_mean.low < 1e-15


def test_the_mean_error_with_kinks(rng):
    """Average over a moving and a fixed key, n = 2, one head: TV = |σ(x) - ½|, whose mean is a smooth integral on each side."""
    found = hw.outcome(hw.GaussianKeys(np.eye(2), along={0: 0.25}), [3.0, 1.0], hw.Average(0, 1))
    with mpmath.workdps(30):
        turn = mpmath.mpf(-2) / 1.5

        def part(z):
            return abs(1 / (1 + mpmath.exp(-2 - mpmath.mpf(1.5) * z)) - mpmath.mpf(1) / 2) * mpmath.npdf(z)

        true = mpmath.quad(part, [-12, -6, -3, turn, 0, 2, 4, 8, 12])
        assert close(found.error_mean, found.error_mean.half_width + 1e-25, true)
    assert found.error_mean.half_width < 1e-16


def test_quantiles_are_proved_on_both_sides(rng):
    model = hw.GaussianKeys(np.eye(6), along={1: 0.4})
    found = hw.outcome(model, 5 * (np.eye(6)[0] + np.eye(6)[1]), hw.Average(0, 1))
    for p in ("0.05", "1/2", 0.9, "0.999"):
        quantile = found.quantile(p)
        assert quantile.proved
        assert quantile.high - quantile.low < 1e-11
        assert found.probability(quantile.high).high >= float(inputs.rational(p, name="p"))
        assert found.probability(quantile.low).low <= float(inputs.rational(p, name="p"))


def test_tiny_deviations_keep_their_digits():
    """A length that varies by 1e-12: the deviations are 1e-12 times the slopes, known to many digits still."""
    found = hw.outcome(hw.GaussianKeys(np.eye(3), along={0: 1e-24}), [2.0, 1.0, 0.0], hw.Copy(0))
    weight = found.mean[0]
    slope = 2.0 * weight * (1 - weight)
    assert found.sd[0] == pytest.approx(1e-12 * slope, rel=1e-9)
    assert found.uncertainty["sd"][0] < 1e-14 * found.sd[0]


def test_a_head_that_does_not_feel_the_noise():
    """Two heads, the second blind to key 0: its weights are constants, and the sum is right."""
    model, queries = hw.GaussianKeys(np.eye(3), along={0: 0.5}), np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 1.0]])
    both, first = hw.outcome(model, queries, mix="equal"), hw.outcome(model, queries[0])
    second = hw.outcome(np.eye(3), queries[1])
    assert np.allclose(both.mean, (first.mean + second.mean) / 2, atol=1e-15)
    assert np.allclose(both.sd, first.sd / 2, atol=1e-15)
    assert np.allclose(both.head_mean[1], second.mean, atol=1e-15)


def test_heads_correlate_through_the_same_key():
    """Equal heads are one head: their weights move together, so mixing does not reduce the deviation."""
    model, query = hw.GaussianKeys(np.eye(3), along={0: 0.5}), np.array([4.0, 1.0, 0.0])
    one, two = hw.outcome(model, query), hw.outcome(model, np.stack([query, query]), mix="equal")
    assert np.allclose(one.sd, two.sd, rtol=1e-13)


def test_probabilities_contain_the_reference(tmp_path):
    found = one_gaussian.run(tmp_path, limit=15)
    assert found["holds"], found
    assert found["cases"] == 15
    assert found["widest"] <= 1e-12
