"""Signs over regions: what is claimed holds at every point that is tried, and what should be seen is seen."""

import math
import random
from fractions import Fraction

import pytest

from headwright.theories.formulas import forms
from headwright.theories.formulas.families.family import EVERYWHERE
from headwright.theories.formulas.forms import FormulaError, LogForm, OutOfClass, Range
from tests.prover.reading import NAMES, form


def sign(form, ranges=EVERYWHERE):
    return forms.sign(form, ranges)


def nonnegative(form, ranges=EVERYWHERE):
    return forms.nonnegative(form, ranges)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n", 1),
        ("n - 1", 1),
        ("n - 2", None),
        ("(n - 2)*(n - 1)", None),
        ("(n - 2)*(n + t)*eps", None),
        ("(n - 2)*s*eps*beta", None),
        ("sqrt(5+2*sqrt(6)) - sqrt(2) - sqrt(3)", None),
        ("log(5 - eps)", 1),
        ("t - log(eps)", 1),
        ("log(eps) - t", -1),
        ("n + log(eps)", None),
        ("t - log(eps)*log(n)", 1),
        ("log(1/(5 - eps))", -1),
        ("log((1 - eps)/2)", -1),
        ("eps - 1", -1),
        ("1 - eps^2", 1),
        ("log(n)", 1),
        ("log(eps)", -1),
        ("log(n/eps)", 1),
        ("log((n-1)/eps)", 1),
        ("log(n - 1)", None),
        ("log(n/eps) - log((n-1)/eps)", 1),
        ("log(n)*t - log(n - 1)*t", 1),
        ("2*log(n/eps) - log(n)", 1),
        ("log(n) - 1/2", 1),
        ("log(n) - 1", None),
        ("log(2*n) - 1", 1),
        ("sqrt(2) - 1", 1),
        ("sqrt(2) - 1.5", -1),
        ("2*sqrt(2)*log(n/eps) - 2*log(n/eps)", 1),
        ("1.4*log(n/eps) - sqrt(2)*log(n/eps)", -1),
        ("pi*e - 8", 1),
        ("sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13)-14", 1),
        ("log(T)", None),
        ("t*T", 1),
        ("log(n - 1)*t + n - 2", None),  # 0 at n = 2
        ("log(1 + 2*eps) - 1", None),
        ("sqrt(n - 2)", None),
        ("sqrt(n - 2) + t", 1),
        ("1/(t - T)^2", None),
        ("-t/(n - eps)", -1),
        ("(t - T)^2", None),
        ("(t - T)^2 + 1", None),
        ("0*t", 0),
        ("log(n)**2*log(eps)**3", -1),
        ("sqrt(n)*log(eps)", -1),
        ("1/log(n) + sqrt(t)", 1),
        ("log(1 + eps)", 1),
        ("log(1 + t)/n", 1),
        ("log(log(n + 2))", 1),
        ("log(n + sqrt(2))", 1),
    ],
)
def test_signs(text, expected):
    assert sign(form(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n - 2", True),
        ("log(n - 1)", True),
        ("(t - T)^2", True),
        ("sqrt(n - 2)*log(n - 1)", True),
        ("2 - n", False),
        ("0*n", True),
        ("t - T", False),
        ("-log(eps)*(n-2)", True),
    ],
)
def test_not_negative(text, expected):
    assert nonnegative(form(text)) is expected


def test_an_irrational_constant_lies_between_its_bounds():
    """√2·eps comes nearer to √2 than any rational just below it."""
    near = math.isqrt(2 * 4**40)
    assert sign(form(f"{near}/{2**40} - sqrt(2)*eps")) is None
    assert sign(form(f"{near + 9}/{2**40} - sqrt(2)*eps")) == 1
    assert sign(form(f"sqrt(2)*n - {2 * near + 2}/{2**40}")) is None
    assert sign(form(f"sqrt(2)*n - {2 * near - 9}/{2**40}")) == 1


def test_a_symbol_without_range_has_no_sign():
    assert sign(LogForm.symbol("x")) is None
    assert sign(LogForm.symbol("x") ** 2 + 1) is None
    assert sign(LogForm.symbol("n"), {}) is None


def test_ranges():
    wide = {"n": Range(3, closed=True), "eps": Range(Fraction(1, 4), Fraction(1, 2), closed=True)}
    assert sign(form("n - 2", wide), wide) == 1
    assert sign(form("1/2 - eps", wide), wide) is None
    assert nonnegative(form("1/2 - eps", wide), wide)
    assert sign(form("eps - 1/4", wide), wide) == 1
    assert sign(form("log(n) - 1", wide), wide) == 1
    with pytest.raises(ValueError, match=r"`high`.*`low`"):
        Range(2, 2)


def random_text(rng, depth):
    if depth == 0:
        return rng.choice([*NAMES, "1", "2", "0.5"])
    kind = rng.choice(["+", "-", "*", "/", "log", "log", "sqrt"])
    left = random_text(rng, depth - 1)
    return f"{kind}({left})" if kind in ("log", "sqrt") else f"({left}{kind}{random_text(rng, depth - 1)})"


def random_point(rng):
    """A point of the standard region, often near its ends."""
    size = rng.choice([1, 10, 10**6])
    near = Fraction(1, rng.choice([3, 10**3, 10**9]))
    return {
        "n": 2 + rng.choice([Fraction(0), near, Fraction(rng.randint(1, 9)) * size]),
        "eps": rng.choice([near, 1 - near, Fraction(1, 2)]),
        **{
            name: rng.choice([near, Fraction(1), Fraction(rng.randint(1, 9)) * size])
            for name in ("t", "T", "s", "beta")
        },
    }


def test_no_point_contradicts_a_sign():
    rng = random.Random(5)
    tried = 0
    for _ in range(220):
        try:
            found = form(random_text(rng, rng.randint(1, 4)))
        except (OutOfClass, FormulaError):
            continue
        claimed, least = sign(found), nonnegative(found)
        for _ in range(8 if claimed or least else 0):
            ball = found.enclosure(random_point(rng), bits=300)
            assert not (claimed == 1 and ball <= 0)
            assert not (claimed == -1 and ball >= 0)
            assert not (least and ball < 0)
            tried += 1
    assert tried > 600
