"""Float64 logarithms and entropies with a radius: they hold the true value."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.kernel import balls
from headwright.kernel.balls.float_log import RADIUS, enclosed_entropy, float_log, weighted_logs


def rational(value):
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction(-1 if sign else 1) * mantissa * Fraction(2) ** exponent


def true_log(x):
    with mpmath.workdps(80):
        return rational(mpmath.log(mpmath.mpf(x)))


def points(rng):
    near_one = 1 + np.concatenate([-1.0 * 10.0 ** -np.arange(1, 16), 10.0 ** -np.arange(1, 16)])
    steps = np.sqrt(0.5) * 2.0 ** np.arange(-1060, 1020, 7)  # where the exponent changes
    either = np.concatenate([steps, np.nextafter(steps, 0), np.nextafter(steps, np.inf)])
    ends = [5e-324, 2.0**-1022, 1.0, np.nextafter(1, 0), np.nextafter(1, 2), 1.7976931348623157e308]
    return np.concatenate([rng.random(1000), 10.0 ** rng.uniform(-300, 300, 1000), near_one, either, ends])


def test_logarithms_are_good_to_half_their_radius(rng):
    x = points(rng)
    for value, found in zip(x.tolist(), float_log(x).tolist(), strict=True):
        assert abs(Fraction(found) - true_log(value)) <= Fraction(RADIUS) / 2 * abs(Fraction(found))


def true_entropy(weights):
    with mpmath.workdps(80):
        used = [mpmath.mpf(u) for u in weights.tolist() if u > 0]
        lam = mpmath.fsum(used)
        return rational(lam), rational(lam * mpmath.log(lam) - mpmath.fsum(u * mpmath.log(u) for u in used))


@pytest.mark.parametrize("spread", [0.1, 3.0, 30.0])
@pytest.mark.parametrize("size", [1.0, 1e-200, 1e200])
def test_entropies_hold_the_truth(rng, spread, size):
    weights = size * np.exp(spread * rng.normal(size=300))
    weights[::7] = 0.0
    with balls.precision(96):
        found = enclosed_entropy(weights)
        ends = [(balls.lower(ball), balls.upper(ball)) for ball in found]
    for (low, high), true in zip(ends, true_entropy(weights), strict=True):
        assert low <= true <= high
    assert ends[0][1] - ends[0][0] <= ends[0][1] / 2**50


@pytest.mark.parametrize("far", [False, True])
def test_sums_of_logarithms_hold_the_truth(rng, far):
    """Terms of both signs that cancel to almost nothing are as uncertain as they are large."""
    for _ in range(300):
        weights = rng.random(2) * 0.3
        if far:
            weights = np.append(weights, np.exp(rng.uniform(0.1, 0.2)))
        with balls.precision(96):
            found = weighted_logs(weights)
            low, high = balls.lower(found), balls.upper(found)
        assert low <= sum(Fraction(u) * true_log(u) for u in weights.tolist()) <= high


def test_underflow_is_part_of_the_radius():
    weights = np.full(1000, 5e-324)
    with balls.precision(96):
        entropy = enclosed_entropy(weights)[1]
        low, high = balls.lower(entropy), balls.upper(entropy)
    assert low <= true_entropy(weights)[1] <= high


def test_no_weight_and_too_large_a_weight():
    with balls.precision(96):
        assert [ball == 0 for ball in enclosed_entropy(np.zeros(3))] == [True, True]
        assert enclosed_entropy(np.array([1.0, 1e300])) is None
