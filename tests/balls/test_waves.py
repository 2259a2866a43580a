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


def true(waves, t, column):
    """The entry to 60 digits behind the point, whatever the size of the angle."""
    with mpmath.workdps(700):
        base = mpmath.mpf(waves.base.numerator) / waves.base.denominator
        angle = t * base ** (mpmath.mpf(-2 * (column // 2)) / waves.dim)
        return fraction((mpmath.cos if column % 2 else mpmath.sin)(angle))


def fraction(x):
    sign, mantissa, exponent, _ = x._mpf_
    return Fraction(-1 if sign else 1) * mantissa * Fraction(2) ** exponent


@pytest.mark.parametrize(("dim", "base"), CODES)
def test_entries_are_enclosed(rng, dim, base):
    waves = Waves(2**32, dim, base)
    times = np.array(
        TIMES + rng.integers(2**32, size=20).tolist() + rng.integers(5000, size=20).tolist(), dtype=np.uint64
    )
    for column in range(dim):
        middles, radii = waves.steps[column // 2].sines(times, quarter=bool(column % 2))
        for t, middle, radius in zip(*(a.tolist() for a in (times, middles, radii)), strict=True):
            exact = true(waves, t, column)
            assert abs(Fraction(middle) - exact) <= Fraction(radius)
            # the radius is honest and of use: a relative 2^-46, and what 2^-95 half turns a step come to
            assert Fraction(radius) <= abs(Fraction(middle)) / 2**45 + Fraction(t, 2**92)
            assert abs(Fraction(middle) - exact) <= abs(exact) / 2**47 + Fraction(4 * t, 2**95)


@pytest.mark.parametrize(("dim", "base"), CODES)
def test_balls_hold_entries_and_distances(dim, base):
    waves = Waves(2**32, dim, base)
    for t in TIMES[1:]:
        square = Fraction(0)
        for column in range(dim):
            exact = true(waves, t, column)
            ball = waves.entry(t, column, 128)
            with precision(400):
                assert abs(ball - mpf_ball(exact)) < 2.0**-100
            square += (exact - column % 2) ** 2
        with precision(400):
            assert abs(waves.square(t, 128) - mpf_ball(square)) < 2.0**-90


def mpf_ball(x):
    from headwright.balls import exact

    return exact(Fraction(round(x * 2**300), 2**300))


def test_small_angles_have_a_relative_radius(rng):
    """Steps from 2^-34 down to 1e-300: the sine is known to a relative 2^-46, however small, and is not lost in units."""
    seen = set()
    for base in (Fraction(2) ** 60, Fraction(1e300)):
        waves = Waves(2**32, 20, base)
        times = np.array([1, 2, 3, 2**32 - 1, *rng.integers(2**32, size=6)], dtype=np.uint64)
        for i, turn in enumerate(waves.steps):
            seen.add(turn.small is None)
            if turn.small is None:
                continue
            assert turn.small * 2**34 <= 1
            middles, radii = turn.sines(times)
            for t, middle, radius in zip(*(a.tolist() for a in (times, middles, radii)), strict=True):
                exact = true(waves, t, 2 * i)
                assert abs(Fraction(middle) - exact) <= Fraction(radius) <= exact / 2**45
                assert abs(Fraction(middle) - exact) <= exact / 2**50
    assert seen == {True, False}


def test_a_step_is_small_where_2_to_the_32_of_them_are_a_quarter():
    from headwright.balls import exact

    with precision(400):
        turns = [Turn.of(exact(Fraction(step)) / exact(1).atan() / 4) for step in (2.0**-33, 1.01 * 2.0**-34, 2.0**-35)]
        assert [turn.small is None for turn in turns] == [True, True, False]
        assert abs(turns[2].small * 2.0**35 - 1) <= 2.0**-53
    with precision(53):
        assert Turn.of(exact(Fraction(1, 3 * 2**40))).small is None  # not known well enough


def test_half_steps_are_half_of_a_step():
    waves = Waves(10, 6, Fraction(10000))
    for whole, half in zip(waves.steps, waves.half_steps, strict=True):
        assert abs(2 * half.units - whole.units) <= 4
        assert whole.error == half.error == 1


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
