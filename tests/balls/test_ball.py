"""Ways into balls are exact or outward, ways out are outward: checked against Fractions."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from headwright.kernel import balls
from headwright.kernel.balls import ball as inside

LARGEST = Fraction(math.nextafter(math.inf, 0))
SMALLEST = Fraction(5e-324)

small = st.fractions(max_denominator=10**9)
scaled = st.builds(lambda f, e: f * Fraction(10) ** e, small, st.integers(-1200, 1200))
floats = st.floats(allow_nan=False, allow_infinity=False)
near_floats = st.builds(lambda x, f: Fraction(x) * (1 + f * Fraction(1, 2**70)), floats, small)
numbers = st.one_of(small, scaled, floats.map(Fraction), near_floats)


@given(numbers)
def test_float_above_is_the_least_float_not_below(value):
    found = balls.float_above(value)
    if math.isinf(found):
        assert found > 0
        assert value > LARGEST
        return
    assert Fraction(found) >= value
    under = math.nextafter(found, -math.inf)
    assert math.isinf(under) or Fraction(under) < value


@given(numbers)
def test_float_below_is_the_greatest_float_not_above(value):
    found = balls.float_below(value)
    if math.isinf(found):
        assert found < 0
        assert value < -LARGEST
        return
    assert Fraction(found) <= value
    over = math.nextafter(found, math.inf)
    assert math.isinf(over) or Fraction(over) > value


@pytest.mark.parametrize("value", [LARGEST, -LARGEST, SMALLEST, -SMALLEST, Fraction(0), Fraction(1, 10)])
def test_floats_come_out_as_themselves(value):
    nearest = float(value)
    if Fraction(nearest) == value:
        assert balls.float_above(value) == balls.float_below(value) == nearest


def test_beyond_the_range_and_below_the_least():
    assert balls.float_above(LARGEST + 1) == math.inf
    assert balls.float_above(-LARGEST - 1) == -float(LARGEST)
    assert balls.float_below(-LARGEST - 1) == -math.inf
    assert balls.float_below(LARGEST + 1) == float(LARGEST)
    assert balls.float_above(SMALLEST / 3) == 5e-324
    assert balls.float_below(SMALLEST / 3) == 0
    assert balls.float_above(-SMALLEST / 3) == 0


@given(numbers, st.integers(1, 12))
def test_decimals_are_outward_and_near(value, digits):
    above, below = Fraction(balls.decimal_above(value, digits)), Fraction(balls.decimal_below(value, digits))
    assert below <= value <= above
    assert above - below <= abs(value) * Fraction(10) ** (1 - digits)


@pytest.mark.parametrize(
    ("value", "above", "below"),
    [
        (Fraction(0), "0", "0"),
        (Fraction(1), "1", "1"),
        (Fraction(1, 3), "0.333334", "0.333333"),
        (Fraction(-1, 3), "-0.333333", "-0.333334"),
        (Fraction(9999999, 10**7), "1", "0.999999"),
        (Fraction(123456789), "123457000", "123456000"),
        (Fraction(10) ** 20, "1e20", "1e20"),
        (Fraction(2, 3) / 10**4, "0.0000666667", "0.0000666666"),
        (Fraction(2, 3) / 10**5, "6.66667e-6", "6.66666e-6"),
        (Fraction(5, 2), "2.5", "2.5"),
    ],
)
def test_decimals_as_written(value, above, below):
    assert balls.decimal_above(value) == above
    assert balls.decimal_below(value) == below


@pytest.mark.parametrize("power", [4400, 5000, 5900])
def test_decimals_of_numbers_longer_than_python_likes_to_print(power):
    assert balls.decimal_above(Fraction(1, 10**power)) == f"1e-{power}"


def test_nothing_is_written_as_zero():
    assert inside._written(0, 7) == "0"


def test_exact_is_exact_for_integers_and_floats():
    with balls.precision(64):
        for value in (0, -7, 3**200, 0.1, 5e-324, -1.7e308):
            ball = balls.exact(value)
            assert balls.lower(ball) <= Fraction(value) <= balls.upper(ball)
            assert ball.is_exact()


@given(numbers)
def test_exact_contains_the_rational(value):
    with balls.precision(64):
        ball = balls.exact(value)
        assert balls.lower(ball) <= value <= balls.upper(ball)


@given(floats, st.floats(0, 1e300))
def test_around_contains_both_ends(mid, rad):
    (ball,) = balls.around([mid], [rad])
    assert balls.lower(ball) <= Fraction(mid) - Fraction(rad)
    assert balls.upper(ball) >= Fraction(mid) + Fraction(rad)


def test_around_wants_one_radius_for_each():
    with pytest.raises(ValueError, match="zip"):
        balls.around([1.0, 2.0], [0.0])


def test_total_of_nothing_is_zero():
    assert balls.total([]) == 0
    assert balls.total([balls.exact(2), balls.exact(3)]) == 5


def test_no_end_where_the_ball_is_not_finite():
    wide = balls.exact(1) / balls.around([0.0], [1.0])[0]
    assert balls.upper(wide) is None
    assert balls.lower(wide) is None


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("exponent", [-19_000, -19_903, -(10**6), -(10**30)])
def test_ends_of_numbers_next_to_zero(sign, exponent):
    """What is too small to hold exactly is stepped outward: never to the other side of the number."""
    number = sign * balls.exact(3) * _power_of_two(exponent)
    above, below = balls.upper(number), balls.lower(number)
    if exponent >= -19_000:
        assert above == below == sign * 3 * Fraction(2) ** exponent
    elif sign > 0:
        assert below == 0
        assert above == inside._TINY > Fraction(3, 2**19_903)
    else:
        assert above == 0
        assert below == -inside._TINY


def _power_of_two(exponent):
    from flint import arb, fmpz

    return arb((fmpz(1), fmpz(exponent)))


def test_end_of_zero():
    assert balls.upper(balls.exact(0)) == balls.lower(balls.exact(0)) == 0


def test_precision_is_put_back():
    from flint import ctx

    before = ctx.prec
    with balls.precision(777):
        assert ctx.prec == 777
    assert ctx.prec == before
    with pytest.raises(KeyError), balls.precision(777):
        raise KeyError
    assert ctx.prec == before


def test_ends_lie_on_the_side_that_was_proved():
    third, far = balls.around([1.0], [0.25])[0], Fraction(2)
    assert balls.upper_end(third, most=far) >= Fraction(5, 4)
    assert balls.lower_end(third, least=Fraction(0)) <= Fraction(3, 4)
    assert balls.upper_end(third, most=Fraction(1)) == balls.lower_end(third, least=Fraction(1)) == 1
    nowhere = balls.exact(1) / balls.exact(0)
    assert balls.upper_end(nowhere, most=far) == balls.lower_end(nowhere, least=far) == far
