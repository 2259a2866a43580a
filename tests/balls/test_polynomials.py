"""Polynomial inequalities: True only where they hold, with the least values taken into account. Equations: exact."""

from fractions import Fraction
from itertools import product

from headwright.balls import coefficient, free_variables, nonnegative


def test_what_it_calls_nonnegative_is():
    cases = [
        (lambda x, y: x * y - y, {"x": 1, "y": 0}, True),
        (lambda x, y: x * y - 2 * y, {"x": 1, "y": 0}, False),
        (lambda x, y: (x - 3) ** 2 * y + 1, {"x": 3, "y": 0}, True),
        (lambda x, y: x - y, {"x": 0, "y": 0}, False),
        (lambda x, y: 0 * x, {"x": 0, "y": 0}, True),
    ]
    for build, least, expected in cases:
        assert nonnegative(build, **least) is expected
        if expected:
            for dx, dy in product([0, Fraction(1, 7), 1, 100], repeat=2):
                assert build(least["x"] + dx, least["y"] + dy) >= 0


def test_one_negative_coefficient_is_enough_to_say_nothing():
    assert not nonnegative(lambda x: x * x - x + 1, x=0)  # true, but not seen this way: False says nothing
    assert nonnegative(lambda x: x * x - x + 1, x=1)


def test_equal_polynomials_are_equal_and_others_are_not():
    x, y, z = free_variables(3)
    assert len({str(variable) for variable in (x, y, z)}) == 3
    assert (x + y) * z == y * z + x * z
    assert (x + y) ** 2 - (x - y) ** 2 == 4 * x * y
    assert x * y != x * z
    assert x + coefficient(2.0**-1000) != x  # no tolerance


def test_a_coefficient_is_the_float_itself():
    (x,) = free_variables(1)
    for value in (0.1, -3.0, 5e-324, 1e300, 0.0):
        exactly = Fraction(value)
        assert coefficient(value) * x * exactly.denominator == exactly.numerator * x
