"""One head that averages two of n keys under isotropic noise: proved bounds on P(error met), sharper than a box of scores.

Keys N(μ_j, αI) with q·μ_a = q·μ_b = q·μ_j + g for every other j. Then D = s_a - s_b ~ N(0, 2α‖q‖²), and with M the mean of
s_a and s_b each s_j - M ~ N(-g, ³⁄₂α‖q‖²). Put w = e^{|D|/2} and R = Σ e^{s_j - M}: the total variation from one half each is
the larger of what the weaker target lacks and of the leak, so it is at most e just when

    (½ - e)(w² + 1 + R w) <= 1   and   R/(w + 1/w + R) <= e,

both easier for smaller R. But for (n-2) tails of Gaussians R lies between (n-2)e^{-g-r} and (n-2)e^{-g+r}.
"""

from __future__ import annotations

from fractions import Fraction

from headwright import balls

_BITS = 128
_REACHES = (3.5, 4.0, 4.5, 5.0)  # r in standard deviations: a trade of what escapes against a tighter R


def at_least(*, n: int, gap: float, length: float, variance: float, error: Fraction) -> Fraction:
    """A proved lower bound on P(total variation <= error) for gap g and query length ‖q‖."""
    best = Fraction(0)
    with balls.precision(_BITS):
        for reach in _REACHES:
            spread = _deviation(Fraction(3, 2) * Fraction(variance), length)
            others = (n - 2) * (reach * spread - balls.exact(gap)).exp()
            if not others <= balls.exact(error) * (2 + others):
                continue
            outside = 2 * balls.mass_beyond(_widest(others, error) / _deviation(2 * Fraction(variance), length))
            low = balls.lower(1 - outside - (n - 2) * balls.mass_beyond(balls.exact(reach)))
            best = best if low is None else max(best, low)
    return best


def at_most(
    *, n: int, gaps: tuple[float, float | None], lengths: tuple[float, float], variance: float, error: Fraction
) -> Fraction:
    """A proved upper bound on P(total variation <= error) for all gaps and lengths between the given ones (None: no end)."""
    best = Fraction(1)
    with balls.precision(_BITS):
        for reach in _REACHES:
            others, escape = balls.exact(0), balls.exact(0)
            if gaps[1] is not None:
                spread = _deviation(Fraction(3, 2) * Fraction(variance), lengths[1])
                others = (n - 2) * (-reach * spread - balls.exact(gaps[1])).exp()
                escape = (n - 2) * balls.mass_beyond(balls.exact(reach))
            widest = _widest(others, error)
            inside = 1 - 2 * balls.mass_beyond(widest / _deviation(2 * Fraction(variance), lengths[0]))
            largest = (_widest(balls.exact(0), error) / 2).exp()  # no larger w is within the error, whatever R
            too_much = others > balls.exact(error / (1 - error)) * (largest + 1 / largest)
            high = balls.upper(escape if too_much else escape + inside)
            best = best if high is None else min(best, high)
    return best


def _deviation(variance: Fraction, length: float) -> balls.Ball:
    return (balls.exact(variance) * balls.exact(length) ** 2).sqrt()


def _widest(others: balls.Ball, error: Fraction) -> balls.Ball:
    """The |D| = 2 ln w at which (½ - e)(w² + 1 + R w) = 1."""
    constant = 1 / balls.exact(Fraction(1, 2) - error) - 1
    return 2 * ((others**2 + 4 * constant).sqrt() / 2 - others / 2).log()
