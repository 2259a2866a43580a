"""Sines and cosines of integer times: float64 midpoints and radii, and balls, hold what mpmath says."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.balls import Waves, precision
from headwright.balls.waves import Turn

TIMES = [0, 1, 2, 3, 22, 44, 355, 710, 4095, 103_993, 312_689, 999_999, 2**31 + 1, 2**32 - 1]
CODES = [
    (8, Fraction(10000)),
    (2, Fraction(10000)),
    (6, Fraction(1, 10**30)),
    (12, Fraction(10) ** 200),
    (6, Fraction("2.5")),
]


def true(waves, t, i):
    """|sin(tω_i/2)| to 60 digits behind the point, whatever the size of the angle."""
    with mpmath.workdps(700):
        base = mpmath.mpf(waves.base.numerator) / waves.base.denominator
        return fraction(abs(mpmath.sin(t * base ** (mpmath.mpf(-2 * i) / waves.dim) / 2)))


def fraction(x):
    sign, mantissa, exponent, _ = x._mpf_
    return Fraction(-1 if sign else 1) * mantissa * Fraction(2) ** exponent


@pytest.mark.parametrize(("dim", "base"), CODES)
def test_sines_are_enclosed(rng, dim, base):
    waves = Waves(2**32, dim, base)
    times = np.array(
        TIMES + rng.integers(2**32, size=20).tolist() + rng.integers(5000, size=20).tolist(), dtype=np.uint64
    )
    for i, turn in enumerate(waves.half_steps):
        middles, radii = turn.sines(times)
        for t, middle, radius in zip(*(a.tolist() for a in (times, middles, radii)), strict=True):
            exact = true(waves, t, i)
            assert abs(Fraction(middle) - exact) <= Fraction(radius)
            # the radius is honest and of use: a relative 2^-46, and what 2^-95 half turns a step come to
            assert Fraction(radius) <= Fraction(middle) / 2**45 + Fraction(t, 2**92)
            assert abs(Fraction(middle) - exact) <= exact / 2**47 + Fraction(4 * t, 2**95)


@pytest.mark.parametrize(("dim", "base"), CODES)
def test_balls_hold_distances(dim, base):
    waves = Waves(2**32, dim, base)
    for t in TIMES[1:]:
        square = sum(4 * true(waves, t, i) ** 2 for i in range(waves.columns))
        with precision(400):
            assert abs(waves.square(t, 128) - mpf_ball(square)) < 2.0**-90


def mpf_ball(x):
    from headwright.balls import exact

    return exact(Fraction(round(x * 2**300), 2**300))


def test_half_steps_are_known_to_one_unit():
    assert {turn.error for turn in Waves(10, 6, Fraction(10000)).half_steps} == {1}


def test_an_angle_known_less_well_has_a_wider_radius():
    from headwright.balls import exact

    with precision(53):
        wide = Turn.of(exact(Fraction(1, 3)))
    assert wide.error > 2**30
    _, radii = wide.sines(np.array([1, 1000], dtype=np.uint64))
    assert (radii > np.array([1, 1000]) * 3.14 * wide.error * 2.0**-95).all()


@pytest.mark.parametrize(
    ("length", "dim", "base", "why"),
    [
        (0, 2, 1, "`length`"),
        (2**32 + 1, 2, 1, "`length`"),
        (5, 3, 1, "`dim`"),
        (5, 0, 1, "`dim`"),
        (5, 2**16 + 2, 1, "`dim`"),
        (5, 2, 0, "`base`"),
        (5, 2, -3, "`base`"),
        (5, 2, 10**301, "`base`"),
    ],
)
def test_what_is_no_wave(length, dim, base, why):
    with pytest.raises(ValueError, match=why):
        Waves(length, dim, Fraction(base))
