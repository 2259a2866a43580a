"""The constants of the rounding model against rationals."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.theories.programs.rounding import ROUNDING, held


@pytest.mark.parametrize(("kind", "u"), [("real", 0), ("float64", Fraction(1, 2**53)), ("float32", Fraction(1, 2**24))])
def test_constants(kind, u):
    rounding = ROUNDING[kind]
    assert Fraction(rounding.unit) == u
    for k in (0, 1, 2, 3, 401, 10**5):
        assert Fraction(float(rounding.gamma(np.array(k)))) >= k * u / (1 - k * u)
        sums = k * u / (1 - k * u)
        exact = (1 + 8 * u) * (1 + u) * (1 + sums) / ((1 - 8 * u) * (1 - sums)) - 1
        assert Fraction(rounding.attention(k)) >= exact
        assert Fraction(rounding.attention(k)) <= exact * (1 + Fraction(1, 2**20)) + k * Fraction(1, 2**110)
    finfo = {"float32": np.finfo(np.float32)}.get(kind, np.finfo(np.float64))
    assert rounding.largest * 2**7 <= float(finfo.max)
    if u:
        assert rounding.least >= float(finfo.smallest_subnormal)
        assert 4 * rounding.least * 2**30 >= float(finfo.tiny)  # an exp that flushes what is not normal
        assert rounding.gamma(np.array(1 / float(u) / 2)) == np.inf
        assert rounding.attention(int(1 / u)) == np.inf


def test_float32_holds_what_it_holds():
    assert held(np.array([1.0, 2.0**-149, 2.0**127]), "float32")
    for number in (0.1, 2.0**-150, 2.0**128, 1 + 2.0**-24):
        assert not held(np.array([1.0, number]), "float32")
        assert held(np.array([1.0, number]), "float64")
