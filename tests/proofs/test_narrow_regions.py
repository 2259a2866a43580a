"""Regions too narrow for float64 keys to lie in: verdicts stay right, only the stored counterexample is left out."""

from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel import balls
from headwright.kernel.region import Region
from headwright.kernel.weight_bound import extreme

NARROW = Fraction(1, 10**200)  # no float64 number other than 1 is this near to 1
EQUAL = np.ones((3, 2))
TWO_HEADS = np.array([[1.0, 0.5], [0.25, -1.0]])


def test_float64_keys_stay_where_they_are():
    region = Region(NARROW, "ball")
    assert (region.moved(EQUAL, np.ones((3, 1)) * region.direction(TWO_HEADS[0])) == EQUAL).all()


def test_the_vertex_refutes_without_stored_keys():
    found = hw.certify(EQUAL, TWO_HEADS[0], hw.Copy(0), error="2/3", radius=NARROW, norm="ball")
    assert found.status == "refuted"
    assert found.counterexample["signs"].tolist() == [-1, 1, 1]
    assert "keys" not in found.counterexample
    assert hw.certify(EQUAL, TWO_HEADS[0], hw.Copy(0), error="2/3").status == "proved"


@pytest.mark.parametrize(
    "question", [{"goal": hw.Copy(0), "error": "2/3"}, {"of": 0, "at_most": "1/3"}], ids=["error", "weight"]
)
def test_two_heads_stay_undecided(question):
    found = hw.certify(EQUAL, TWO_HEADS, radius=NARROW, norm="ball", **question, mix="equal")
    assert found.status == "undecided"
    assert found.next_step


def test_an_extreme_found_too_early_is_still_proved():
    """One round of the iteration stops short of the vertex; what it returns is a proved bound or nothing."""
    with balls.precision(64):
        numerators = [balls.exact(k) for k in (1, 2, 5, 3)]
        y, kappa = np.array([0.0, 1.0, 2.0, 5.0]), balls.exact(Fraction(1, 10))
        true = max(
            sum(v * e * (1 if v > c else 0.1) for v, e in zip(y, (1, 2, 5, 3), strict=True))
            / sum(e * (1 if v > c else 0.1) for v, e in zip(y, (1, 2, 5, 3), strict=True))
            for c in (-1, 0, 1, 2, 5)
        )
        ends = numerators, [kappa * e for e in numerators]
        full = extreme(ends, y)
        assert float(full) == pytest.approx(true, rel=1e-12)
        assert full >= Fraction(true) * (1 - Fraction(1, 10**12))
        early = extreme(ends, y, rounds=1)
        assert early is None or early >= full
