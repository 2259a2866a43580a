"""The second opinion on least norms and least errors: Gibbs' inequality added up again, with mpmath's intervals."""

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
    *about, (length, along, square) = _read(arrays, fields)
    if norm**2 <= square:  # no query of the image is shorter than ‖b⊥‖
        return "true"
    right_squared = scale**2 * (norm**2 - square) * length
    return "true" if any(_shown(*about, error, scale * along, right_squared, digits) for digits in DIGITS) else "false"


def no_smaller_error(arrays, fields):
    """The same for a least error within a norm. Without weights outside, a strict contradiction between the ratios is needed."""
    norm, scale, error = (Fraction(fields[name]) for name in ("max_norm", "scale", "error"))
    if error == 0:
        return "true"
    *about, (length, along, square) = _read(arrays, fields)
    if norm**2 < square:  # there is no query of that norm
        return "true"
    u, outside, *_ = about
    weighed = any(u[j] > 0 for j in outside)
    if weighed and error == 1:
        return "false"
    asked = error if weighed else Fraction(1, 2)  # plays no part
    right_squared = scale**2 * (norm**2 - square) * length
    for digits in DIGITS:
        if _shown(*about, asked, scale * along, right_squared, digits, strictly=not weighed):
            return "true"
    return "false"


def _read(arrays, fields):
    """(u, outsiders, support, shares, ‖v‖²), exactly."""
    integers, exponent = whole_numbers(arrays["keys"])
    keys = [[k * Fraction(2) ** exponent for k in row] for row in integers]
    u = rationals(arrays["witness"])
    indices, shares = fields["goal"]["indices"], [Fraction(share) for share in fields["goal"]["shares"]]
    first, own = indices[0], set(indices)
    outside = [j for j in range(len(keys)) if j not in own]
    assert all(u[j] >= 0 for j in outside)
    used = [j for j in range(len(keys)) if j != first and u[j] != 0]
    v = [sum((u[j] * (keys[j][k] - keys[first][k]) for j in used), Fraction(0)) for k in range(len(keys[0]))]
    # by (1) of the image: ‖Pv‖², v·b⊥ and ‖b⊥‖², which are ‖v‖², 0 and 0 without one
    return u, outside, indices, shares, images.split(arrays, v)


def _shown(u, outside, indices, shares, error, lift, right_squared, digits, strictly=False):
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
        least = (left + _real(lift) - iv.sqrt(_real(right_squared))).a
        return bool(least > 0 if strictly else least >= 0)
    finally:
        iv.dps = before


def _real(x):
    return mpmath.iv.mpf(x.numerator) / mpmath.iv.mpf(x.denominator)


def work(kind, arrays, fields):
    n, d = arrays["keys"].shape
    return n * d / 3 + 20 * n + images.work(arrays)


JUDGES = {"no-shorter": no_shorter, "no-smaller-error": no_smaller_error}
