"""A second opinion on how far a score must lead: weights of scores with these very leads, for many n and errors, in mpmath.

No number of points makes a claim true for all. With m = n - 1 and w = 1/odds, both thresholds are sums of c·m^i·w^j, c > 0.
The first is at least m·w for all m and w if Σ c·m^i over the terms with j = 1 is at least m. The sum is convex in m: once it
grows by as much as m it always does, so that only the m before need be looked at. The second threshold is at most w for all m
and w if and only if it is a multiple of w, by 1 at most: any other term outgrows w for large m, for large w or for w near 0.
"""

from fractions import Fraction

import mpmath
from mpmath import mp, mpf

KIND = "lead-decides"
SIZES, ODDS = (2, 3, 5, 17, 400), ("1e-9", "0.0101", "0.3", "1", "2.5", "99", "1e7")
NEAR = mpf(10) ** -25
MOST = 10**4  # m looked at


def judge(fields):
    """ "false" where a point breaks the claim or what is needed is too much, "true" where the terms show it, or "unknown"."""
    with mpmath.workdps(40):
        if not all(holds(fields, n, mpf(odds)) for n in SIZES for odds in ODDS):
            return "false"
    needed = [(Fraction(c), i, j) for c, i, j in fields["needed"]]
    if any((i, j) != (0, 1) for _, i, j in needed) or sum(c for c, _, _ in needed) > 1:
        return "false"
    return "true" if outweighs([(Fraction(c), i) for c, i, j in fields["enough"] if j == 1]) else "unknown"


def outweighs(terms):
    """Whether Σ c·m^i >= m is seen for all whole m >= 1."""
    ahead = 0
    for m in range(1, MOST):
        before, ahead = ahead, sum(c * m**i for c, i in terms) - m
        if ahead < 0 or (m > 1 and ahead >= before):
            return ahead >= 0
    return False


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
