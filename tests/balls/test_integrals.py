"""Integrals of logistic functions against a Gaussian: mpmath lies inside the balls, which are narrow."""

from itertools import pairwise

import mpmath
import numpy as np
import pytest

from headwright.kernel import balls
from headwright.theories.random_keys.integrals import logistic_integral, logistic_mean
from headwright.theories.random_keys.normal import mass_between


@pytest.mark.parametrize(("level", "slope"), [(0.0, 3.0), (4.5, 0.25), (-20.0, 7.0), (2.0, 40.0), (-3.0, 1e-9)])
def test_logistic_integrals_against_mpmath(level, slope):
    with balls.precision(128), mpmath.workdps(45):
        lines = [(balls.exact(level), balls.exact(slope)), (balls.exact(-1.5), balls.exact(slope / 3))]
        one, two = logistic_mean(lines[:1]), logistic_mean(lines)

        def first(z):
            return 1 / (1 + mpmath.exp(level + slope * z))

        def both(z):
            return first(z) / (1 + mpmath.exp(-1.5 + mpmath.mpf(slope / 3) * z))

        step = 0.5 if slope > 10 else 2
        turn = -level / slope if slope > 0.1 else 0
        cuts = sorted(
            {-38, 38, *np.arange(-12, 12.1, step).tolist(), *(turn + k * 3 / slope for k in range(-4, 5) if slope > 1)}
        )
        density = mpmath.npdf
        for ball, function in ((one, first), (two, both)):
            true = mpmath.quad(lambda z: function(z) * density(z), [c for c in cuts if abs(c) <= 38])  # noqa: B023
            low, high = balls.lower(ball), balls.upper(ball)
            assert high - low < 1e-28 * float(high)
            slack = mpmath.mpf(10) ** -30
            assert mpmath.mpf(low.numerator) / low.denominator <= true + slack
            assert mpmath.mpf(high.numerator) / high.denominator >= true - slack


def test_a_wide_line_gives_a_wide_integral():
    """The integrals of both ends of a line known to ±1e-6 lie inside the integral of the line."""
    with balls.precision(128):
        (wide,) = balls.around([0.25], [1e-6])
        whole = logistic_mean([(wide, balls.exact(3))])
        for level in (0.25 - 0.99e-6, 0.25, 0.25 + 0.99e-6):
            assert whole.contains(logistic_mean([(balls.exact(level), balls.exact(3))]))
        assert 1e-8 < float(whole.rad()) < 1e-5


def test_parts_make_the_whole():
    with balls.precision(128):
        lines = [(balls.exact(-1.5), balls.exact(20)), (balls.exact(0.5), balls.exact(-2))]
        cuts = [-40.0, -1.0, 0.075, 0.1, 3.0, 40.0]
        parts = balls.total([logistic_integral(lines, a, b) for a, b in pairwise(cuts)])
        assert abs(parts - logistic_mean(lines)) < 1e-28
        assert logistic_integral([], 0, 40).overlaps(mass_between(0, 40))
