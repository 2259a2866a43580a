"""Rational bounds on e^f over regions: below and above at every member, against mpmath."""

from fractions import Fraction

import mpmath
import pytest
from headwright.problems.judges.exponentials import exponential, split
from headwright.problems.judges.proving import everything
from headwright.problems.judges.regions import Region, root_below

from headwright import formulas
from tests.members_by_hand import number

FORMS = {
    "log(n/eps)": 1,
    "3/2*log(n/eps)": 2,
    "-5/4*log(n) + 1/4*log(eps)": 4,
    "sqrt(2)*log(n/eps) - log(3)": 1,
    "1.37*log((n-1)/eps + 2)": 1,
    "n/eps": 1,
    "-n - 1/eps": 1,
    "5/2*log(n) - 3/2*log(eps) - 7": 2,
    "n*log(n)": 1,
    "-(1+1/n)*log(n/eps)": 1,
    "40*log(n/eps)": 1,
    "-40*log(n)": 1,
    "3/2*log(n-1)": 2,
    "2*log(1-eps/2) - pi": 1,
    "1/3*log(5) + 1": 1,
    "log(n)/2 + log(n+1)/3": 2,
    "sqrt(n)": 2,
    "-sqrt(n) + log(n)/2": 2,
    "-3*sqrt(n) - n": 4,
    "sqrt(n-1)/2 - 1": 2,
    "sqrt(n) - sqrt(n+1)": 2,
}


def form_of(text):
    return formulas.scalar_form(formulas.parse(text, names=["n", "eps"]))


def value(function, region, n, eps):
    """A bound at one member, N and y taken from n and ε."""
    power = region.power
    known = {"N": (n + region.shift) ** (mpmath.mpf(1) / power), "y": 1 / eps ** (mpmath.mpf(1) / power) - 1}
    return number(str(function), {name: known[name] for name in function.names})


@pytest.mark.parametrize("most", [None, 3])
@pytest.mark.parametrize("steps", [1, 4])
@pytest.mark.parametrize(("text", "power"), FORMS.items())
def test_bounds_hold_at_random_members(text, power, steps, most, rng):
    region = everything(None, None)
    if power > 1:
        region = region.powered(power, -1 if "n-1" in text else 0)
    found = exponential(form_of(text), region, steps=steps, most=most)
    with mpmath.workdps(60):
        for _ in range(40):
            n, eps = mpmath.mpf(2 + rng.exponential(10.0)), mpmath.mpf(rng.random())
            true = mpmath.exp(number(text, {"n": n, "eps": eps}))
            hair = 1 + mpmath.mpf(10) ** -40
            if found.lower is not None:
                assert 0 <= value(found.lower, region, n, eps) <= true * hair
            if found.upper is not None:
                assert value(found.upper, region, n, eps) * hair >= true


def test_square_roots_are_bounded_where_the_region_has_them():
    written = everything(None, None).powered(2)
    assert exponential(form_of("sqrt(n)"), written, steps=4).lower is not None
    assert exponential(form_of("-sqrt(n)"), written, steps=4).upper is not None
    for region in (everything(None, None), everything(None, None).powered(3), everything(None, None).powered(2, -1)):
        assert exponential(form_of("sqrt(n)"), region, steps=4).lower is None


def test_what_is_exact_stays_exact():
    region = everything(None, None).powered(2)
    found = exponential(form_of("3/2*log(n/eps)"), region)
    assert found.lower == found.upper
    found = exponential(form_of("2*log(n) - log(eps)"), everything(None, None))
    assert found.lower == found.upper


def test_what_may_be_negative_inside_a_logarithm_has_no_bounds():
    found = exponential(form_of("log(n-2)"), everything(None, None))  # 0 at n = 2
    assert (found.lower, found.upper) == (None, None)
    assert exponential(form_of("log(n-2)"), Region(3, False, (Fraction(0), Fraction(1)))).lower is not None


def test_products_of_logarithms_are_not_taken_apart():
    assert split(form_of("log(n)*log(eps)")) is None
    assert split(form_of("1/log(n)")) is None
    assert split(form_of("log(log(n)+1)")) is None
    assert exponential(form_of("log(n)^2"), everything(None, None)).lower is None


@pytest.mark.parametrize(("number", "power"), [(2, 2), (2, 12), (3, 4), (10, 3), (8, 3), (0, 2), (1, 5)])
def test_roots_are_rounded_down(number, power):
    low = root_below(number, power)
    assert low**power <= number
    assert (low + Fraction(2, 10**6)) ** power > number
