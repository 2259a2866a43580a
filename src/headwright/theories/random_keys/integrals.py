"""Integrals of logistic functions against a standard Gaussian, as balls: Arb's adaptive integration, its remainder included.

A weight that feels one Gaussian z is 1/(1 + e^{a + bz}). For lines (a_i, b_i)

    logistic_integral  =  ∫_low^high  Π_i 1/(1 + e^{a_i + b_i z})  φ(z) dz ,      φ(z) = e^{-z²/2}/√(2π).

The integrand is meromorphic: at a pole the division gives no finite ball, as Arb requires of an integrand. On wide complex
balls e^x may contain 0, so the factor is written with whichever of e^x and e^-x is smaller. The function is the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from headwright.kernel import budget
from headwright.kernel.balls.ball import Ball, exact, function_cost
from headwright.theories.random_keys.normal import mass_beyond

FAR = 40  # P(|z| > 40) < 10^-348
_SPARE = 24  # bits of the working precision that the lines' own radii may take up


def logistic_integral(lines: Sequence[tuple[Ball, Ball]], low: float, high: float) -> Ball:
    """∫ over [low, high] of the product of the lines' logistic functions, at the present precision.

    >>> from headwright.kernel.balls import precision
    >>> with precision(128):
    ...     bool(abs(logistic_integral([(exact(0), exact(3))], -40, 40) - 0.5) < 1e-28)
    True
    """
    from flint import acb, ctx

    complex_lines = [(acb(level), acb(slope)) for level, slope in lines]
    root = acb(2 * acb.pi()).sqrt()

    over: list[budget.OverBudget] = []

    def integrand(z: Ball, _: bool) -> Ball:
        if over:
            return acb(math.nan)
        try:
            budget.spend(2 * (1 + len(lines)) * function_cost())
        except budget.OverBudget as spent:  # an exception may not cross flint's own code
            over.append(spent)
            return acb(math.nan)
        value = (-z * z / 2).exp()
        for level, slope in complex_lines:
            x = level + slope * z
            if x.real.mid() > 0:
                small = (-x).exp()
                value = value * small / (1 + small)
            else:
                value = value / (1 + x.exp())
        return value

    tolerance = exact(2) ** (_SPARE - ctx.prec)
    tiny = exact(2) ** (-1200)
    whole = acb.integral(integrand, acb(low), acb(high), rel_tol=tolerance, abs_tol=tiny)
    if over:
        raise over[0]
    return (whole / root).real


def logistic_mean(lines: Sequence[tuple[Ball, Ball]]) -> Ball:
    """The expectation of the product over all z: beyond ±40 it lies between 0 and the mass there."""
    beyond = 2 * mass_beyond(exact(FAR))
    return logistic_integral(lines, -FAR, FAR) + exact(0).union(beyond)
