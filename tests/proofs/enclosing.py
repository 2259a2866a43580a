"""Claims about keys that vary, and enclosures of their probabilities, as the tests beside this file make them."""

from fractions import Fraction

import mpmath

from headwright.search.random_keys.outcome import heads_of
from headwright.theories.random_keys.with_probability import WithProbability, probability_enclosures

TENTH = Fraction(1, 10)


def enclosed(model, queries, goal, error, width=Fraction(1, 10**13), **kw):
    """The first enclosure as narrow as `width`, or the last one."""
    narrow = lambda low, high: high - low <= width  # noqa: E731
    for found in probability_enclosures(
        model, heads_of(model.centre, queries, **{"mix": "equal", **kw}), goal, error, enough=narrow
    ):
        if found.high - found.low <= width:
            break
    return found


def claim(model, queries, goal, *, error=TENTH, confidence=Fraction(1, 2), **kw):
    return WithProbability(
        model, heads_of(model.centre, queries, **{"mix": "equal", **kw}), goal, Fraction(error), Fraction(confidence)
    )


def normal_cdf(x):
    return mpmath.ncdf(x)
