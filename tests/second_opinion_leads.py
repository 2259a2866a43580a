"""A second opinion on how far a score must lead: weights of scores with these very leads, for many n and errors, in mpmath."""

from fractions import Fraction

import mpmath
from mpmath import mp, mpf

KIND = "lead-decides"
SIZES, ODDS = (2, 3, 5, 17, 400), ("1e-9", "0.0101", "0.3", "1", "2.5", "99", "1e7")
NEAR = mpf(10) ** -25


def judge(fields):
    """ "false" where a point breaks the claim, "unknown" otherwise: no number of points makes it true for all."""
    with mpmath.workdps(40):
        return "unknown" if all(holds(fields, n, mpf(odds)) for n in SIZES for odds in ODDS) else "false"


def holds(fields, n, odds):
    enough, needed = (value(fields[name], n, odds) for name in ("enough", "needed"))
    least = 1 / (1 + odds)  # 1 - error
    even = 1 / (1 + (n - 1) / enough)  # every lead is ln(enough)
    one = 1 / (
        1 + (1 + mpf(10) ** -20) / needed + (n - 2) * mpf(10) ** -30
    )  # one lead is less, the others are enormous
    return even >= least - NEAR and one <= least + NEAR


def value(terms, n, odds):
    return mp.fsum(mpf(Fraction(c).numerator) / Fraction(c).denominator * (n - 1) ** i / odds**j for c, i, j in terms)


def work(fields):
    return 200
