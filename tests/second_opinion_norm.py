"""The second opinion on least norms: Gibbs' inequality added up again in Fractions, with mpmath's intervals for logarithms."""

from fractions import Fraction

import mpmath

from tests import second_opinion_image as images
from tests.brackets import rationals, whole_numbers

DIGITS = (30, 90)


def no_shorter(arrays, fields):
    """ "true" when the witness shows the norm, "false" when it does not: then nobody may call the norm proved by it."""
    norm, scale, error = (Fraction(fields[name]) for name in ("norm", "scale", "error"))
    if norm == 0:
        return "true"
    integers, exponent = whole_numbers(arrays["keys"])
    keys = [[k * Fraction(2) ** exponent for k in row] for row in integers]
    u = rationals(arrays["witness"])
    indices, shares = fields["goal"]["indices"], [Fraction(share) for share in fields["goal"]["shares"]]
    first, own = indices[0], set(indices)
    outside = [j for j in range(len(keys)) if j not in own]
    assert all(u[j] >= 0 for j in outside)
    used = [j for j in range(len(keys)) if j != first and u[j] != 0]
    v = [sum((u[j] * (keys[j][k] - keys[first][k]) for j in used), Fraction(0)) for k in range(len(keys[0]))]
    # by (1) of the image: λ(H - c) - ν·b + τ v·b⊥ >= τ ‖Pv‖ √(norm² - ‖b⊥‖²), or the norm is below ‖b⊥‖
    length_squared, along, square = images.split(arrays, v)
    if norm**2 <= square:
        return "true"
    for digits in DIGITS:
        right_squared = scale**2 * (norm**2 - square) * length_squared
        if _shown(u, outside, indices, shares, error, scale * along, right_squared, digits):
            return "true"
    return "false"


def _shown(u, outside, indices, shares, error, lift, right_squared, digits):
    """Whether λ(H - c) - ν·b + lift is at least the root on the right for certain, everything moved to one side."""
    iv = mpmath.iv
    before, iv.dps = iv.dps, digits
    try:
        lam = sum((u[j] for j in outside), Fraction(0))
        left = iv.mpf(0)
        if lam > 0:
            bound = error / (1 - error) / shares[0]
            left = _real(lam) * (iv.log(_real(lam)) - iv.log(_real(bound)))
            for j in outside:
                if u[j] > 0:
                    left -= _real(u[j]) * iv.log(_real(u[j]))
        for a, share in zip(indices[1:], shares[1:], strict=True):
            left -= _real(u[a]) * iv.log(_real(share / shares[0]))
        return bool((left + _real(lift) - iv.sqrt(_real(right_squared))).a >= 0)
    finally:
        iv.dps = before


def _real(x):
    return mpmath.iv.mpf(x.numerator) / mpmath.iv.mpf(x.denominator)


def work(kind, arrays, fields):
    n, d = arrays["keys"].shape
    return n * d / 3 + 20 * n + images.work(arrays)


JUDGES = {"no-shorter": no_shorter}
