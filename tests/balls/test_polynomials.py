"""Polynomial equations: exact."""

from fractions import Fraction

from headwright.theories.order.polynomials import coefficient, free_variables


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
