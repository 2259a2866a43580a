"""Rational bounds on e^f over regions: below and above at every member, against mpmath."""

from fractions import Fraction

import mpmath
import pytest

from headwright.theories.formulas.families.exponentials import exponential, split
from headwright.theories.formulas.families.regions import Part, root_below
from tests.members_by_hand import number
from tests.prover.reading import form

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


def everything(**changes):
    return Part(2, None, None, **changes)


def value(function, part, n, eps):
    """A bound at one member, N and y taken from n and ε."""
    power = part.power
    known = {"N": (n + part.shift) ** (mpmath.mpf(1) / power), "y": 1 / eps ** (mpmath.mpf(1) / power) - 1}
    return number(str(function), {name: known[name] for name in function.names})


@pytest.mark.parametrize("most", [None, 3])
@pytest.mark.parametrize("steps", [1, 4])
@pytest.mark.parametrize(("text", "power"), FORMS.items())
def test_bounds_hold_at_random_members(text, power, steps, most, rng):
    part = everything(power=power, shift=-1 if power > 1 and "n-1" in text else 0, steps=steps, cut=most)
    found = exponential(form(text), part)
    with mpmath.workdps(60):
        for _ in range(12):
            n, eps = mpmath.mpf(2 + rng.exponential(10.0)), mpmath.mpf(rng.random())
            true = mpmath.exp(number(text, {"n": n, "eps": eps}))
            hair = 1 + mpmath.mpf(10) ** -40
            if found.lower is not None:
                assert 0 <= value(found.lower, part, n, eps) <= true * hair
            if found.upper is not None:
                assert value(found.upper, part, n, eps) * hair >= true


@pytest.mark.parametrize("text", ["3/2*log(n)", "-1/2*log(n-1)", "sqrt(n)", "-sqrt(n-1)", "1/2*log(eps) + log(n)/2"])
@pytest.mark.parametrize(("power", "shift"), [(2, -1), (2, 0), (2, 3), (3, 0), (4, -1)])
def test_bounds_hold_however_the_part_is_written(text, power, shift):
    part = everything(power=power, shift=shift, steps=2)
    found = exponential(form(text), part)
    with mpmath.workdps(60):
        for n, eps in ((2, "0.5"), (3, "0.01"), (50, "0.99")):
            n, eps = mpmath.mpf(n), mpmath.mpf(eps)
            true, hair = mpmath.exp(number(text, {"n": n, "eps": eps})), 1 + mpmath.mpf(10) ** -40
            assert found.lower is None or value(found.lower, part, n, eps) <= true * hair
            assert found.upper is None or value(found.upper, part, n, eps) * hair >= true


def test_square_roots_are_bounded_where_the_region_has_them():
    written = everything(power=2, steps=4)
    assert exponential(form("sqrt(n)"), written).lower is not None
    assert exponential(form("-sqrt(n)"), written).upper is not None
    for part in (everything(steps=4), everything(power=3, steps=4), everything(power=2, shift=-1, steps=4)):
        assert exponential(form("sqrt(n)"), part).lower is None


def test_what_is_exact_stays_exact():
    found = exponential(form("3/2*log(n/eps)"), everything(power=2))
    assert found.lower == found.upper
    found = exponential(form("2*log(n) - log(eps)"), everything())
    assert found.lower == found.upper


def test_what_may_be_negative_inside_a_logarithm_has_no_bounds():
    found = exponential(form("log(n-2)"), everything())  # 0 at n = 2
    assert (found.lower, found.upper) == (None, None)
    assert exponential(form("log(n-2)"), Part(3, None, None)).lower is not None


def test_products_of_logarithms_are_not_taken_apart():
    assert split(form("log(n)*log(eps)")) is None
    assert split(form("1/log(n)")) is None
    assert split(form("log(log(n)+1)")) is None
    assert exponential(form("log(n)**2"), everything()).lower is None


@pytest.mark.parametrize(("number", "power"), [(2, 2), (2, 12), (3, 4), (10, 3), (8, 3), (0, 2), (1, 5)])
def test_roots_are_rounded_down(number, power):
    low = root_below(number, power)
    assert low**power <= number
    assert (low + Fraction(2, 10**6)) ** power > number
