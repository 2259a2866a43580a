"""Probabilities of a standard Gaussian z, as balls: Arb's erfc, always applied to the smaller tail."""

from __future__ import annotations

from headwright import budget
from headwright.balls.ball import Ball, exact, function_cost


def mass_between(low: float, high: float) -> Ball:
    """P(low <= z <= high) for low <= high, from the tails on the interval's own side, so that small masses keep their digits.

    >>> from headwright.balls import precision
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
