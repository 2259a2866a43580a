"""Probabilities of a standard Gaussian z: as balls by Arb's erfc, always applied to the smaller tail, and in cells as floats."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls.ball import Ball, exact, float_below, function_cost, lower, precision
from headwright.kernel.balls.float_exp import exp_enclosed

_FAR_ENOUGH = 8.0  # P(|z| > 8) < 2·10^-15
_STEEPEST = 2.0**40  # beyond it the exponent's own rounding is too wide


def mass_between(low: float, high: float) -> Ball:
    """P(low <= z <= high) for low <= high, from the tails on the interval's own side, so that small masses keep their digits.

    >>> from headwright.kernel.balls import precision
    >>> with precision(64):
    ...     bool(abs(mass_between(-1.0, 1.0) - 0.6826894921370859) < 1e-15)
    True
    """
    if high <= 0:
        low, high = -high, -low
    if low >= 0:
        return mass_beyond(exact(low)) - mass_beyond(exact(high))
    return 1 - mass_beyond(exact(-low)) - mass_beyond(exact(high))


def mass_beyond(bound: Ball) -> Ball:
    """P(z > bound) = erfc(bound/√2)/2."""
    budget.spend(8 * function_cost())
    return (bound / exact(2).sqrt()).erfc() / 2


@cache
def normal_cells(count: int) -> tuple[np.ndarray, np.ndarray]:
    """(ends, masses): `count` + 1 ends of cells from -8 to 8, and of each cell a float64 number not above its probability.

    A bound from cells is off by a share of their mean width. That is least for widths in proportion to 1/√density, hence the
    quantiles of a Gaussian of variance 2. Where the ends lie changes no proof, since the masses belong to the ends as they are.

    >>> ends, masses = normal_cells(4)
    >>> len(ends), bool(0.999999 < masses.sum() < 1)
    (5, True)
    """
    inner = [math.sqrt(2) * NormalDist().inv_cdf(k / count) for k in range(1, count)]
    ends = [-_FAR_ENOUGH, *inner, _FAR_ENOUGH]
    masses = []
    with precision(128), budget.within(math.inf):  # made once, on nobody's budget
        for low, high in pairwise(ends):
            least = lower(mass_between(low, high))
            masses.append(0.0 if least is None else max(0.0, float_below(least)))
    cells = np.array(ends), np.array(masses)
    for part in cells:
        part.flags.writeable = False  # every proof of this process shares them
    return cells


def growths(slope: Ball, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Float64 numbers not above, and not below, e^{slope·z} for every z in `ends`; None if the slope is beyond float64.

    The slope as a float is off by at most 2^-50 of itself, its product with z by as much again: so is the exponent x. For x > 0
    the bounds are those of e^-x, inverted; a quotient rounds by at most 2^-53 of itself.
    """
    middle = float(slope.mid())
    if not slope.is_finite() or not abs(middle) < _STEEPEST or not slope.rad() <= abs(slope) * 2.0**-52:
        return None
    x = middle * ends
    enclosed = exp_enclosed(-np.abs(x), np.abs(x) * 2.0**-49)
    if enclosed is None:
        return None
    small, radius = enclosed
    low, high = np.maximum(small - radius, 0.0) * (1 - 2.0**-52), (small + radius) * (1 + 2.0**-52)
    with np.errstate(divide="ignore"):
        turned = (1 - 2.0**-52) / high, (1 + 2.0**-52) / low
    return np.where(x > 0, turned[0], low), np.where(x > 0, turned[1], high)
