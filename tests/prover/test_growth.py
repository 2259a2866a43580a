"""Limits: what mpmath sees far out, at several values of the other symbols; and no answer where the growth is not known."""

import math
from fractions import Fraction

import mpmath
import pytest

from headwright.kernel import balls
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.family import EVERYWHERE
from headwright.theories.formulas.forms import OutOfClass, Range
from tests.prover.reading import form

OTHERS = [
    {"n": Fraction(2), "eps": Fraction(1, 3), "t": Fraction(1, 2), "s": Fraction(3), "beta": Fraction(5)},
    {"n": Fraction(10**6), "eps": Fraction(1, 10**9), "t": Fraction(40), "s": Fraction(1, 9), "beta": Fraction(1, 7)},
]


def limit(form, symbol, ranges=EVERYWHERE):
    return forms.limit(form, symbol, ranges)


def eventual_sign(form, symbol):
    return forms.eventual_sign(form, symbol, EVERYWHERE)


def defined(form):
    return forms.defined(form, EVERYWHERE)


def far_out(text, others, size):
    """The formula at T = 10^size, by mpmath."""
    with mpmath.workdps(60):
        names = {name: mpmath.mpf(x.numerator) / x.denominator for name, x in others.items()} | {
            "T": mpmath.mpf(10) ** size
        }
        known = {"log": mpmath.log, "sqrt": mpmath.sqrt, "pi": mpmath.pi}
        return eval(text.replace("^", "**"), {"__builtins__": {}}, known | names)


INFINITE = [
    ("log(T)", 1),
    ("T", 1),
    ("-T^2/n", -1),
    ("log(T^2)*n - T/(T + 1)", 1),
    ("log(n)*T", 1),
    ("log(eps)*T", -1),
    ("log(T)*log(n/eps)", 1),
    ("T - log(T)**9", 1),
    ("sqrt(T) - log(T)**2*n", 1),
    ("log(T) - n", 1),
    ("(T^2 + 1)/(n*T + 5)", 1),
    ("log(T + n) + log(T)", 1),
    ("log(T*n + 1)*sqrt(2) - log(T)", 1),
    ("log(T - n)", 1),
    ("sqrt(n*T)", 1),
    ("T/log(T)", 1),
    ("log(1/T)", -1),
]


@pytest.mark.parametrize(("text", "expected"), INFINITE)
def test_infinite_limits(text, expected):
    assert limit(form(text), "T") == expected * math.inf
    for others in OTHERS:
        values = [expected * far_out(text, others, 10**power) for power in (3, 5, 7)]
        assert values[0] < values[1] < values[2]
        assert values[2] > 10**4 * abs(far_out("log(n)", others, 1))


def test_a_limit_that_small_terms_do_not_disturb():
    text = "(T + 1)*log(T) - T*log(T + 1)"  # log(T) - 1 + …
    assert limit(form(text), "T") == math.inf
    assert [round(float(far_out(text, {}, size) - far_out("log(T)", {}, size)), 4) for size in (5, 10, 20)] == [
        -1,
        -1,
        -1,
    ]


FINITE = [
    ("n", "n"),
    ("T/(T + n)", "1"),
    ("(2*T + n)/(n*T - 1)", "2/n"),
    ("log(2*T + n) - log(T)", "log(2)"),
    ("log(T + n) - log(n*T + 1)", "-log(n)"),
    ("n/log(T)", "0"),
    ("log(T)/T", "0"),
    ("n*sqrt(T)/T", "0"),
    ("sqrt(T)*log(T)/T", "0"),
    ("log(T)**5/sqrt(T)", "0"),
    ("log(T*n)/log(T)", "1"),
    ("log(T^3 + T)/log(n*T^2)", "3/2"),
    ("(log(T + 1) - log(T))*log(n)", "0"),
    ("sqrt(T)/(sqrt(T) + n) + eps", "1 + eps"),
    ("(T - n)/(T + n)*sqrt(2)*log(n/eps)", "sqrt(2)*log(n/eps)"),
    ("T - T", "0"),
    ("T/T*n", "n"),
]


@pytest.mark.parametrize(("text", "expected"), FINITE)
def test_finite_limits(text, expected):
    found = limit(form(text), "T")
    assert (found - form(expected)).is_zero()
    assert defined(found)
    for others in OTHERS:
        with balls.precision(200), mpmath.workdps(50):
            value = balls.lower(found.enclosure(others, bits=200))
            exact = mpmath.mpf(value.numerator) / value.denominator
            near, far = (abs(far_out(text, others, size) - exact) for size in (10**4, 10**8))
            assert far <= near / 100 + mpmath.mpf(10) ** -40


@pytest.mark.parametrize(
    "text",
    [
        "T*(log(T + 1) - log(T))",  # tends to 1, by terms that the orders do not see
        "1/(T*(log(T + 1) - log(T)))",
        "n/(T*(log(T + 1) - log(T)) + 1)",
        "log(log(T))",
        "sqrt(T + 1)",
        "T*log(n - 1)",  # 0 at n = 2
        "T*(n - 3)",
        "T + 0*log(n - 2)",
        "T*(n - 2)",
        "log(n - T)",  # undefined far out
        "log((n - 2)*T + 1)",  # at n = 2 it does not grow
        "T/(n - 3)*0 + T*log(n - 2)",
        "1/(T - T + n - 2)*T",
        "t - beta + T - T + sqrt(log(T))",
    ],
)
def test_what_is_not_known_is_not_guessed(text):
    with pytest.raises(OutOfClass):
        limit(form(text), "T")


def test_a_finite_limit_keeps_its_conditions():
    found = limit(form("log(n - 2)*T/(T + 1)"), "T")
    assert (found - form("log(n - 2)")).is_zero()
    assert not defined(found)
    assert found.enclosure({"n": 4}).is_finite()
    assert not found.enclosure({"n": 2}).is_finite()
    assert not defined(limit(form("log(n - 2)/T"), "T"))
    assert not defined(limit(form("T - T + 1/(n - 3)"), "T"))
    assert not defined(limit(form("log((n - 2)*T + t) - log(T)"), "T"))  # at n = 2 it tends to -∞
    with pytest.raises(OutOfClass):
        limit(form("1/((n - 3)*T + 1)"), "T")  # at n = 3 it is 1


def test_a_form_without_the_symbol_is_its_own_limit():
    found = form("log(n)")
    assert limit(found, "T") is found


def test_eventual_signs():
    assert eventual_sign(form("n - T"), "T") == -1
    assert eventual_sign(form("1/T"), "T") == 1
    assert eventual_sign(form("T - T"), "T") == 0
    assert eventual_sign(form("n - 1"), "T") == 1
    with pytest.raises(OutOfClass, match="sign"):
        eventual_sign(form("t - n"), "T")


def test_the_region_decides_a_sign():
    large = {**EVERYWHERE, "s": Range(2)}
    with pytest.raises(OutOfClass, match="sign"):
        limit(form("T*log(s)"), "T")
    assert limit(form("T*log(s)"), "T", large) == math.inf
    assert limit(form("log(s)"), "s", large) == math.inf
