"""A bounded number computes like a float, is frozen, and shows which kind it is."""

import json
import math
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.words.bounded import Close, Decided
from tests.facts import says


def test_it_is_a_float():
    half = hw.Bounded.proven(Fraction(1, 2), Fraction(1, 2), how="")
    assert half == 0.5
    assert half + 1 == 1.5
    assert type(half + 1) is float
    assert half < 0.6
    assert f"{half:.3f}" == "0.500"
    assert says(repr(half), "0.5")
    assert half.half_width == 0


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(2, 7) ** 40, Fraction(1, 10**320), Fraction(1, 7) - 1])
def test_ends_are_rounded_outward(value):
    bounded = hw.Bounded.proven(value, value + Fraction(1, 10**18), how="")
    assert Fraction(bounded.low) <= value
    assert Fraction(bounded.high) >= value + Fraction(1, 10**18)
    assert bounded.low <= bounded <= bounded.high
    assert Fraction(bounded.half_width) >= Fraction(bounded.high) - Fraction(float(bounded))


def test_the_two_kinds_never_look_alike():
    proved = hw.Bounded.proven(Fraction(13, 16), Fraction(7, 8), how="")
    estimated = hw.Bounded.estimated(0.8065, 0.806, 0.807, how="")
    assert says(repr(proved), "0.8125", "0.875")
    assert (
        repr(hw.Bounded.proven(Fraction(1, 2), Fraction(1, 2) + Fraction(1, 2**20), how=""))
        == "0.5000005 (proved, ±5e-7)"
    )
    assert repr(estimated) == "≈ 0.8065 (estimated: 0.806 … 0.807 at 95 %)"
    assert str(estimated) == f"{estimated}" == repr(estimated)
    assert "estimated" in estimated._repr_html_()
    assert "proved" in proved._repr_html_()
    assert json.loads(json.dumps(estimated.to_dict()))["kind"] == "estimated at 95 %"


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20)),
        (Fraction(12345, 10**9), Fraction(12346, 10**9)),
        (Fraction(0), Fraction(1, 10**38)),
    ],
)
def test_printed_digits_stay_inside_the_printed_radius(low, high):
    """The text alone is a true statement: |true - printed| <= printed radius, for every number between the bounds."""
    text = repr(hw.Bounded.proven(low, high, how=""))
    value, radius = text.split(" (proved, ±")
    for true in (low, high):
        assert abs(true - Fraction(value)) <= Fraction(radius.removesuffix(")"))


def test_it_is_frozen_and_travels():
    bounded = hw.Bounded.estimated(0.25, 0.2, 0.3, how="by hand")
    with pytest.raises(AttributeError, match="frozen"):
        bounded.low = 0.0
    again = pickle.loads(pickle.dumps(bounded))
    assert (again, again.low, again.high, again.proved, again.how) == (0.25, 0.2, 0.3, False, "by hand")
    with pytest.raises(ValueError, match="`value`"):
        hw.Bounded(0.5, low=0.6, high=0.7, proved=True, how="")
    assert math.isclose(bounded.half_width, 0.05)


@pytest.mark.parametrize(
    ("low", "value", "high"),
    [(0.0, 0.5, math.inf), (-math.inf, 0.5, 1.0), (-math.inf, -math.inf, 0.0), (math.inf, math.inf, math.inf)],
)
def test_only_an_estimate_may_be_without_end(low, value, high):
    with pytest.raises(ValueError, match="finite"):
        hw.Bounded(value, low=low, high=high, proved=True, how="")
    assert not hw.Bounded(value, low=low, high=high, proved=False, how="").proved


@pytest.mark.parametrize("wrong", [{"value": math.nan}, {"low": math.nan}, {"high": math.nan}])
def test_it_is_a_number(wrong):
    for proved in (True, False):
        with pytest.raises(ValueError, match="`value` must lie between"):
            hw.Bounded(**{"value": 0.5, "low": 0.0, "high": 1.0, "proved": proved, "how": "", **wrong})


def test_exact_ends_are_kept():
    third = hw.Bounded.proven(Fraction(1, 3), Fraction(1, 3))
    assert third.exact == Fraction(1, 3)
    assert third.low < third.exact < third.high
    again = pickle.loads(pickle.dumps(third))
    assert (again, again.exact, again.low, again.proved) == (third, third.exact, third.low, True)
    assert hw.Bounded.proven(Fraction(1, 3), Fraction(1, 2)).exact is None
    assert hw.Bounded.estimated(0.5, 0.5, 0.5).exact is None


def test_what_lies_between():
    wide = hw.Bounded.proven(Fraction(1, 3), Fraction(1, 2))
    assert 0.4 in wide
    assert Fraction(1, 3) in wide
    assert Fraction(1, 3) - Fraction(1, 10**30) not in wide  # which the floats around the ends would let in
    assert f"{wide:.3f}" == "0.417"
    guess = hw.Bounded.estimated(0.4, 0.3, 0.5)
    assert 0.3 in guess
    assert 0.6 not in guess
    with pytest.raises(ValueError, match=r"`low`.*`high`"):
        hw.Bounded.proven(Fraction(1), Fraction(0))


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (Fraction(91), Fraction(91), "91 (exact)"),
        (Fraction(1, 2), Fraction(1, 2), "0.5 (exact)"),
        (Fraction(1, 3), Fraction(1, 3), "1/3 (exact)"),
        (Fraction(0.1), Fraction(0.1), "0.1… (exact)"),
        (Fraction(10) ** 400, Fraction(10) ** 400, "1e400… (exact)"),
        (Fraction(10) ** 400, Fraction(10) ** 400 + 1, "1e400 (proved, ±1)"),
        (Fraction(0), Fraction(1, 10**330), "0.0 (proved, ±1e-330)"),
        (10**6 * Fraction(1), 10**6 + Fraction(1, 10), "1000000.05 (proved, ±0.05)"),
    ],
)
def test_how_proved_numbers_are_shown(low, high, shown):
    assert repr(hw.Bounded.proven(low, high)) == shown


def test_a_proved_number_beyond_float64_is_infinite_and_its_ends_are_not():
    huge = hw.Bounded.proven(Fraction(10) ** 400, Fraction(10) ** 400)
    assert float(huge) == math.inf
    assert huge.proved
    assert huge.exact == 10**400
    assert huge.low < math.inf
    assert huge.to_dict()["value"] is None
    assert json.loads(json.dumps(huge.to_dict()))["low"] == huge.low
    assert float(hw.Bounded.proven(-(Fraction(10) ** 400), -(Fraction(10) ** 400))) == -math.inf


def test_questions_about_bounds():
    close, decided = Close(Fraction(1, 8)), Decided(Fraction(1, 2))
    assert close(Fraction(1, 8), Fraction(1, 4))
    assert not close(Fraction(1, 8), Fraction(3, 8))
    assert decided(Fraction(1, 2), Fraction(1))
    assert decided(Fraction(0), Fraction(1, 4))
    assert not decided(Fraction(1, 4), Fraction(1, 2))


KEYS = np.random.default_rng(3).normal(size=(9, 5))


def radii():
    for key in range(9):
        found = hw.radius(KEYS, 9 * KEYS[key], hw.Copy(key), error="0.3")
        if found.low:
            yield found.summary(), [(found.low, -1), (found.high, 1)]


def compressions():
    found = hw.compress(KEYS, KEYS, error="0.05")
    for line, row in zip(repr(found).splitlines()[2:], found.tried, strict=True):
        yield line[line.index(row.kind) + len(row.kind) :], [(row.bits, 0), (row.certified, 1), (row.observed, -1)]


def spectra():
    for k in range(2, 9):
        found = hw.spectrum.singular_values(KEYS[:k])
        yield found.summary().partition("each to")[2], [(found.width, 1), (found.width / found.low[0], 1)]


@pytest.mark.parametrize("lines", [radii, compressions, spectra], ids=lambda lines: lines.__name__)
def test_proved_figures_are_printed_on_their_safe_side(lines):
    for text, figures in lines():
        shown = re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", text)
        assert len(shown) == len(figures), text
        for digits, (figure, way) in zip(shown, figures, strict=True):
            assert way * (Fraction(digits) - Fraction(figure)) >= 0, (text, figure)
            assert abs(float(digits) - figure) <= 0.1 * abs(figure)
