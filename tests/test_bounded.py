"""A figure computes like a float, is frozen, and shows which kind it is."""

import json
import math
import pickle
from fractions import Fraction

import pytest

import headwright as hw
from tests.facts import says


def test_a_figure_is_a_float():
    half = hw.Figure.proven(Fraction(1, 2), Fraction(1, 2), how="")
    assert half == 0.5
    assert half + 1 == 1.5
    assert type(half + 1) is float
    assert half < 0.6
    assert f"{half:.3f}" == "0.500"
    assert says(repr(half), "0.5")
    assert half.half_width == 0


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(2, 7) ** 40, Fraction(1, 10**320), Fraction(1, 7) - 1])
def test_ends_are_rounded_outward(value):
    figure = hw.Figure.proven(value, value + Fraction(1, 10**18), how="")
    assert Fraction(figure.low) <= value
    assert Fraction(figure.high) >= value + Fraction(1, 10**18)
    assert figure.low <= figure <= figure.high
    assert Fraction(figure.half_width) >= Fraction(figure.high) - Fraction(float(figure))


def test_the_two_kinds_never_look_alike():
    proved = hw.Figure.proven(Fraction(13, 16), Fraction(7, 8), how="")
    estimated = hw.Figure.estimated(0.8065, 0.806, 0.807, how="")
    assert says(repr(proved), "0.8125", "0.875")
    assert (
        repr(hw.Figure.proven(Fraction(1, 2), Fraction(1, 2) + Fraction(1, 2**20), how=""))
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
        (Fraction(1, 3), Fraction(1, 3)),
        (Fraction(12345, 10**9), Fraction(12346, 10**9)),
        (Fraction(0), Fraction(1, 10**38)),
    ],
)
def test_printed_digits_stay_inside_the_printed_radius(low, high):
    """The text alone is a true statement: |true - printed| <= printed radius, for every number between the bounds."""
    text = repr(hw.Figure.proven(low, high, how=""))
    value, radius = text.split(" (proved, ±")
    for true in (low, high):
        assert abs(true - Fraction(value)) <= Fraction(radius.removesuffix(")"))


def test_figures_are_frozen_and_travel():
    figure = hw.Figure.estimated(0.25, 0.2, 0.3, how="by hand")
    with pytest.raises(AttributeError, match="frozen"):
        figure.low = 0.0
    again = pickle.loads(pickle.dumps(figure))
    assert (again, again.low, again.high, again.proved, again.how) == (0.25, 0.2, 0.3, False, "by hand")
    with pytest.raises(ValueError, match="`value`"):
        hw.Figure(0.5, low=0.6, high=0.7, proved=True, how="")
    assert math.isclose(figure.half_width, 0.05)


@pytest.mark.parametrize(
    ("low", "value", "high"),
    [(0.0, 0.5, math.inf), (-math.inf, 0.5, 1.0), (-math.inf, -math.inf, 0.0), (math.inf, math.inf, math.inf)],
)
def test_only_an_estimate_may_be_without_end(low, value, high):
    with pytest.raises(ValueError, match="finite"):
        hw.Figure(value, low=low, high=high, proved=True, how="")
    assert not hw.Figure(value, low=low, high=high, proved=False, how="").proved


@pytest.mark.parametrize("wrong", [{"value": math.nan}, {"low": math.nan}, {"high": math.nan}])
def test_a_figure_is_a_number(wrong):
    for proved in (True, False):
        with pytest.raises(ValueError, match="`value` must lie between"):
            hw.Figure(**{"value": 0.5, "low": 0.0, "high": 1.0, "proved": proved, "how": "", **wrong})
