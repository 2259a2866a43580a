"""Polynomial inequalities: True only where they hold, with the least values taken into account."""

from fractions import Fraction
from itertools import product

from headwright.geometry.polynomial_signs import nonnegative


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
