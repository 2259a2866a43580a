"""Float64 exponentials with a radius: they hold the true value, at both ends of what is known of x."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.kernel.balls.float_exp import LOWEST, exp_enclosed


def exact(value):
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction(-1 if sign else 1) * mantissa * Fraction(2) ** exponent


def true_exp(x):
    """e^x of a rational x, to 80 digits."""
    with mpmath.workdps(80):
        return exact(mpmath.exp(mpmath.mpf(x.numerator) / x.denominator))


def points(rng):
    near_steps = np.log(2) * (np.arange(1, 860) - 0.5)  # where the integer part changes
    return -np.concatenate(
        [
            rng.uniform(0, 600, 1500),
            rng.exponential(1.0, 500),
            10.0 ** rng.uniform(-18, 0, 300),
            near_steps,
            [0.0, 600.0],
        ]
    )


def test_midpoints_are_good_to_2_to_the_minus_47(rng):
    x = points(rng)
    midpoints, radii = exp_enclosed(x, np.zeros_like(x))
    for value, middle, radius in zip(x.tolist(), midpoints.tolist(), radii.tolist(), strict=True):
        true = true_exp(Fraction(value))
        assert abs(Fraction(middle) - true) <= true / 2**47
        assert Fraction(radius) >= Fraction(middle) / 2**46


@pytest.mark.parametrize("width", [1e-17, 1e-14, 1e-9, 1e-3, 0.25])
def test_both_ends_are_inside(rng, width):
    x = points(rng)[::7]
    radius = width * rng.uniform(0.5, 1.0, size=len(x))
    midpoints, radii = exp_enclosed(x, radius)
    for value, r, middle, spread in zip(*(a.tolist() for a in (x, radius, midpoints, radii)), strict=True):
        low, high = true_exp(Fraction(value) - Fraction(r)), true_exp(Fraction(value) + Fraction(r))
        assert Fraction(middle) - Fraction(spread) <= low
        assert high <= Fraction(middle) + Fraction(spread)
        assert Fraction(spread) <= Fraction(middle) * (Fraction(2) * Fraction(r) + Fraction(1, 2**44)) or value < LOWEST


def test_far_below_is_between_zero_and_a_tiny_number():
    x = np.array([np.nextafter(LOWEST, -np.inf), -745.0, -1e5, -1e300])
    midpoints, radii = exp_enclosed(x, np.full(4, 0.25))
    assert (midpoints == 0).all()
    assert Fraction(float(radii[0])) >= true_exp(Fraction(LOWEST) + Fraction(1, 4))
    assert (radii < 1e-250).all()


@pytest.mark.parametrize(
    ("x", "radius"), [(0.3, 0.0), (np.nan, 0.0), (np.inf, 0.0), (-1.0, 0.26), (-1.0, np.nan), (-1.0, np.inf)]
)
def test_what_it_cannot_enclose_it_refuses(x, radius):
    assert exp_enclosed(np.array([-1.0, x]), np.array([0.0, radius])) is None
