"""Stored entries are the exact reals rounded to nearest, ties to even, also next to a midpoint."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.balls import Waves, exact, precision, rounding_reach, stored_rows
from headwright.balls.ball import around
from headwright.balls.stored_waves import nearest
from headwright.balls.waves import Turn
from headwright.number_types import round_to
from tests.second_opinion_apart import TYPES, _stored, waves


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    ("dim", "base"), [(2, Fraction(10000)), (6, Fraction(10000)), (4, Fraction(10) ** 40), (4, Fraction("0.3"))]
)
def test_rows_are_rounded_correctly(dtype, dim, base):
    made = stored_rows(Waves(300, dim, base), 0, 300, dtype)
    fixed = waves(300, dim, base)
    unit = Fraction(1, 2**240)
    for row, integers in zip(made.tolist(), fixed, strict=True):
        for entry, n in zip(row, integers, strict=True):
            assert Fraction(entry) in (_stored(unit * n, dtype), _stored(unit * (n + 1), dtype))
    assert not np.signbit(made[made == 0]).any()


@pytest.mark.parametrize("dtype", TYPES)
def test_what_float64_does_not_settle_is_asked_of_balls(monkeypatch, dtype):
    """Radii as wide as many steps of the type: the same rows."""
    code = Waves(60, 6, Fraction(10000))
    settled, sines = stored_rows(code, 0, 60, dtype), Turn.sines

    def wide(*given, **named):
        middle, radius = sines(*given, **named)
        return middle, radius + 2.0**-6

    monkeypatch.setattr(Turn, "sines", wide)
    np.testing.assert_array_equal(stored_rows(code, 0, 60, dtype), settled)


@pytest.mark.parametrize("dtype", TYPES)
def test_parts_are_parts_of_the_whole(dtype):
    code = Waves(40_000, 4, Fraction(10000))
    whole = stored_rows(code, 0, 40_000, dtype)
    for start, stop in ((0, 1), (7, 12), (16_383, 16_386), (39_990, 40_000)):
        np.testing.assert_array_equal(stored_rows(code, start, stop, dtype), whole[start:stop])


@pytest.mark.parametrize(("dtype", "step"), [("bfloat16", 2.0**-7), ("float16", 2.0**-10), ("float32", 2.0**-23)])
def test_next_to_a_midpoint(dtype, step):
    """Nearer to a midpoint than float64 can tell: the side decides, and precision is raised until it is seen."""
    for k in (0, 1):
        low, high = 1 + k * step, 1 + (k + 1) * step
        middle = (Fraction(low) + Fraction(high)) / 2
        for side, wanted in ((1, high), (-1, low)):
            asked = []

            def entry(bits, side=side, asked=asked, middle=middle):
                asked.append(bits)
                with precision(bits):
                    return exact(middle) + exact(Fraction(side, 2**300)) + around([0.0], [2.0**-bits])[0]

            assert nearest(entry, dtype) == wanted
            assert asked == [128, 256, 512]


def test_a_ball_over_several_numbers_settles_nothing():
    """Its midpoint can be on one side of a number of the type that it holds."""
    balls = iter([exact(1) / 0, around([1.01], [0.02])[0], around([0.9999], [0.01])[0], around([1.001], [1e-9])[0]])
    assert nearest(lambda bits: next(balls), "bfloat16") == 1.0
    assert next(balls, None) is None


@pytest.mark.parametrize("dtype", TYPES)
def test_reach_is_what_rounding_can_do(rng, dtype):
    """Two unit circles' worth of rounding each, at most; and random rows come to a good part of it."""
    x, y = np.sin(rng.uniform(0, 9, size=(2, 4000, 2)))
    before = np.linalg.norm(x - y, axis=1)
    after = np.linalg.norm(round_to(x, dtype) - round_to(y, dtype), axis=1)
    moved, reach = np.abs(after - before).max(), float(rounding_reach(2, dtype))
    assert 0.3 * reach < moved <= reach
    assert rounding_reach(2, dtype) ** 2 >= 2 * Fraction(1, 4 ** TYPES[dtype][0])
    assert rounding_reach(8, dtype) ** 2 >= 8 * Fraction(1, 4 ** TYPES[dtype][0])
