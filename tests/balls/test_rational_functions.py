"""Rational functions: the same values as fractions give, equal exactly when they are equal, signs only where they are certain."""

import random
from fractions import Fraction
from itertools import product

import pytest

from headwright.kernel import balls, budget
from headwright.theories.formulas.bounded_polynomials import TooLarge
from headwright.theories.formulas.rational_functions import RationalFunction

NAMES = ("n", "eps", "t")
POINTS = [Fraction(a, b) for a, b in [(-5, 2), (-1, 3), (0, 1), (2, 7), (1, 1), (3, 1), (22, 5)]]


def symbols():
    return [RationalFunction.symbol(name) for name in NAMES]


def value(function, point):
    """By substitution of constants: None where the denominator vanishes."""
    try:
        return function.substituted({name: RationalFunction.constant(x) for name, x in point.items()}).value()
    except ZeroDivisionError:
        return None


def random_pair(rng, depth):
    """A random function, and the Python function that it should be."""
    if depth == 0:
        if rng.random() < 0.5:
            name = rng.choice(NAMES)
            return RationalFunction.symbol(name), lambda p: p[name]
        number = Fraction(rng.randint(-4, 4), rng.randint(1, 3))
        return RationalFunction.constant(number), lambda p: number
    (f, a), (g, b) = random_pair(rng, depth - 1), random_pair(rng, depth - 1)
    kind = rng.choice("+-*/^")
    if kind == "+":
        return f + g, lambda p: a(p) + b(p)
    if kind == "-":
        return f - g, lambda p: a(p) - b(p)
    if kind == "*":
        return f * g, lambda p: a(p) * b(p)
    if kind == "/" and not g.is_zero():
        return f / g, lambda p: a(p) / b(p)
    power = rng.choice([0, 2, 3, -1]) if not f.is_zero() else 2
    return f**power, lambda p: a(p) ** power


def test_values_agree_with_fractions():
    rng = random.Random(7)
    compared = 0
    for _ in range(150):
        function, oracle = random_pair(rng, rng.randint(1, 4))
        for _ in range(6):
            point = {name: rng.choice(POINTS) for name in NAMES}
            try:
                expected = oracle(point)
            except ZeroDivisionError:
                continue  # the function may have cancelled what the fractions stumble over
            assert value(function, point) == expected
            compared += 1
    assert compared > 400


def test_equal_functions_are_held_alike():
    n, eps, _ = symbols()
    one, other = (n * n - 1) / (n - 1), n + 1
    assert one == other
    assert hash(one) == hash(other)
    assert one.names == ("n",)
    assert (n - n).names == ()
    assert n / eps != n
    assert n != "n"
    assert (n / eps) ** -2 == eps * eps / (n * n)
    assert str((n + 1) / (eps * n)) == "(n + 1)/(eps*n)"
    assert str(n / eps) == "n/eps"
    assert str(n / (eps + 1)) == "n/(eps + 1)"
    assert str(n * 2 - Fraction(1, 2)) == "2*n - 1/2"


def test_constants_have_a_value_and_others_have_none():
    n, _, _ = symbols()
    assert RationalFunction.constant(Fraction(3, 7)).value() == Fraction(3, 7)
    assert (n - n).value() == 0
    assert n.value() is None
    assert (n * 2 / n).value() == 2


def test_division_by_zero_is_an_error():
    n, eps, _ = symbols()
    for make in (lambda: n / (n - n), lambda: (n - n) ** -1, lambda: (n / (n - eps)).substituted({"n": eps})):
        with pytest.raises(ZeroDivisionError):
            make()


def test_substitution_is_simultaneous():
    n, eps, t = symbols()
    function = (n * n + eps) / (n - 2)
    swapped = function.substituted({"n": eps, "eps": n})
    assert swapped == (eps * eps + n) / (eps - 2)
    assert function.substituted({"n": (t + 1) / t}) == ((t + 1) ** 2 / t**2 + eps) / ((t + 1) / t - 2)
    assert function.substituted({"x": n}) is function


def test_coefficients_put_the_polynomial_together_again():
    n, eps, t = symbols()
    polynomial = n**2 * eps + n * (eps - 3) + t * n**2 - 5
    parts = polynomial.coefficients(["n", "x"])
    assert parts == {(2, 0): eps + t, (1, 0): eps - 3, (0, 0): RationalFunction.constant(-5)}
    total = RationalFunction.constant(0)
    for (power, _), coefficient in parts.items():
        total = total + coefficient * n**power
    assert total == polynomial
    with pytest.raises(ValueError, match="polynomial"):
        (n / eps).coefficients(["n"])
    assert (n**3 / eps**2).degree("eps") == 2
    assert (n**3 / eps**2).degree("n") == 3
    assert n.degree("t") == 0
    assert (n / eps).numerator == n
    assert (n / eps).denominator == eps


def test_squares_are_replaced_above_and_below():
    root, n, _ = RationalFunction.symbol("r"), *symbols()[:2]
    two = RationalFunction.constant(2)
    assert (root**5).squares_replaced("r", two) == root * 4
    found = ((root + 1) ** 2 / (root**2 + n)).squares_replaced("r", two)
    assert found == (root * 2 + 3) / (n + 2)
    with pytest.raises(ZeroDivisionError):
        (n / (root * root - 2)).squares_replaced("r", two)


def test_factors_multiply_to_the_function():
    n, eps, _ = symbols()
    function = (n**2 - 1) * eps * Fraction(-3, 7) / (n + 5) ** 2
    constant, factors = function.factors()
    again = RationalFunction.constant(constant)
    for factor, exponent in factors:
        assert factor.factors() == (1, [(factor, 1)])
        again = again * factor**exponent
    assert again == function
    assert constant == Fraction(-3, 7)
    assert len(factors) == 4
    assert (n - n).factors() == (0, [])


SIGNS = [
    # function, least, above, not negative, positive
    (lambda n, e: n * e - e, {"n": 1, "eps": 0}, (), True, False),
    (lambda n, e: n * e - e, {"n": 1, "eps": 0}, ("n", "eps"), True, True),
    (lambda n, e: n * e - e, {"n": 1, "eps": 0}, ("n",), True, False),
    (lambda n, e: n * e - e * 2, {"n": 1, "eps": 0}, ("n", "eps"), False, False),
    (lambda n, e: (n - 1) / (n + 1), {"n": 1}, (), True, False),
    (lambda n, e: (n + 1) / (n - 1), {"n": 1}, (), True, False),
    (lambda n, e: (n + 1) / (n - 1), {"n": 1}, ("n",), True, True),
    (lambda n, e: (-n + 1) / (-n - 1), {"n": 1}, ("n",), True, True),
    (lambda n, e: n + e, {"n": 0}, (), False, False),
    (lambda n, e: n - n, {"n": 0}, ("n",), True, False),
    (lambda n, e: n - n + 3, {}, (), True, True),
    (lambda n, e: n - n - 3, {}, (), False, False),
    (lambda n, e: n - Fraction(1, 2), {"n": Fraction(1, 2)}, ("n",), True, True),
]


def test_signs_are_claimed_only_where_they_hold():
    n, eps, _ = symbols()
    for build, least, above, not_negative, positive in SIGNS:
        function = build(n, eps)
        assert function.nonnegative(least) is not_negative
        assert function.positive(least, above=above) is positive
        steps = [Fraction(0), Fraction(1, 9), Fraction(1), Fraction(50)]
        for moves in product(steps, repeat=len(least)):
            point = {name: low + move for (name, low), move in zip(least.items(), moves, strict=True)}
            if not all(name in point for name in function.names):
                continue
            found = value(function, point)
            strict = all(point[name] > least[name] for name in above)
            assert not (not_negative and found is not None and found < 0)
            assert not (positive and strict and (found is None or found <= 0))


def test_balls_enclose_the_value(rng):
    n, eps, t = symbols()
    function = (n**3 - eps * t * 2 + Fraction(1, 7)) / (eps**2 + t - 5)
    for _ in range(50):
        point = {name: Fraction(int(rng.integers(-30, 30)), 7) for name in NAMES}
        expected = value(function, point)
        ball = function.at({name: balls.exact(x) for name, x in point.items()})
        if expected is None:
            assert not ball.is_finite()
        else:
            assert balls.lower(ball) <= expected <= balls.upper(ball)


def test_a_wide_ball_holds_every_value_of_a_power():
    x = RationalFunction.symbol("x")
    (wide,) = balls.around([0.0], [2.0])
    for exponent in (1, 2, 3):
        ball = (x**exponent).at({"x": wide})
        assert balls.lower(ball) <= min(0, (-2) ** exponent)
        assert balls.upper(ball) >= 2**exponent
    assert not (x**-1).at({"x": wide}).is_finite()


def test_size_is_bounded():
    n, eps, t = symbols()
    for make in (
        lambda: (n + eps + t + 1) ** 64,
        lambda: n**200,
        lambda: (n + 1) ** 100 * (n + 2) ** 100,
        lambda: RationalFunction.constant(10**300) ** 64,
        lambda: RationalFunction.constant(2**15000) * RationalFunction.constant(2**15000),
        lambda: RationalFunction.constant(2**30000),
        lambda: sum((n**i * eps**j for i in range(20) for j in range(20)), n - n),
        lambda: (n**9 + eps**9 + t**9).substituted({"n": n + eps + t + 1, "eps": eps + t + 1, "t": (t + 1) ** 13 + n}),
    ):
        with pytest.raises(TooLarge):
            make()
    assert (n + 1) ** 64 == (n + 1) ** 32 * (n + 1) ** 32


def test_a_denominator_counts_for_equality_and_for_the_sign():
    n, _, t = symbols()
    assert n / (n + 1) != n / (n + 2)
    assert not (n / (t - 1)).nonnegative({"n": 0, "t": 0})
    assert not (n / (t - 1)).positive({"n": 1, "t": 0})
    assert (n / (t - 1)).positive({"n": 1, "t": 2})


def test_a_product_is_paid_for_before_it_is_made():
    one = RationalFunction.symbol("n") + RationalFunction.symbol("eps") + 1
    factor = one * one * one
    with budget.within(10**9):
        assert factor * factor == one * one * one * one * one * one
    with pytest.raises(budget.OverBudget), budget.within(35_000):  # the parts of a quotient are paid for, too
        factor * factor
