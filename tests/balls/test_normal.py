"""Masses of a standard Gaussian against mpmath, tails included."""

import mpmath
import pytest

from headwright.kernel import balls
from headwright.theories.random_keys.normal import mass_between, mass_beyond


@pytest.mark.parametrize(
    ("low", "high"),
    [(-1.0, 1.0), (0.5, 2.0), (-2.0, -0.5), (0.0, 40.0), (-40.0, 0.0), (12.0, 13.0), (-39.0, -38.5), (3.0, 3.0)],
)
def test_masses_contain_forty_digits(low, high):
    with mpmath.workdps(60), balls.precision(128):
        found = mass_between(low, high)
        right = (mpmath.erf(mpmath.mpf(high) / mpmath.sqrt(2)) - mpmath.erf(mpmath.mpf(low) / mpmath.sqrt(2))) / 2
        if abs(low) > 10:  # the difference of two erf near one loses digits
            tails = [
                mpmath.erfc(mpmath.mpf(min(abs(low), abs(high))) / mpmath.sqrt(2)),
                mpmath.erfc(mpmath.mpf(max(abs(low), abs(high))) / mpmath.sqrt(2)),
            ]
            right = (tails[0] - tails[1]) / 2 if low * high > 0 else right
        below, above = balls.lower(found), balls.upper(found)
        assert (
            mpmath.mpf(below.numerator) / below.denominator <= right <= mpmath.mpf(above.numerator) / above.denominator
        )
        assert above - below <= abs(above) / 2**100 + (low == high)


def test_the_mass_beyond_nothing_is_one_half():
    with balls.precision(64):
        assert mass_beyond(balls.exact(0)) == balls.exact(0.5)
