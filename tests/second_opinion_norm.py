"""The second opinion on least norms and least errors: Gibbs' inequality added up again, with mpmath's intervals."""

import math
from fractions import Fraction

import mpmath
import numpy as np

from tests import second_opinion_image as images
from tests.brackets import rationals, root, whole_numbers

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


def none_withstands(arrays, fields):
    """The same for a Copy that withstands moves, with what the moves take off computed again, entry by entry."""
    scale, error, radius = (Fraction(fields[name]) for name in ("scale", "error", "radius"))
    least = Fraction(fields["least"]) if "least" in fields else None
    if least == 0:
        return "true"
    integers, exponent = whole_numbers(arrays["keys"])
    keys = [[k * Fraction(2) ** exponent for k in row] for row in integers]
    n, d = len(keys), len(keys[0])
    u, (own,) = rationals(arrays["witness"]), fields["goal"]["indices"]
    used = [j for j in range(n) if j != own and u[j] != 0]
    assert all(u[j] > 0 for j in used)
    rows = [rationals(row) for row in np.asarray(arrays.get("profile", np.ones((1, 1))))]
    rows = rows * n if len(rows) == 1 else rows
    v = [sum((u[j] * (keys[j][k] - keys[own][k]) for j in used), Fraction(0)) for k in range(d)]
    reach = [radius * sum(u[j] * (rows[j][k] + rows[own][k]) for j in used) for k in range(len(rows[0]))]
    below, above = _what_is_left(v, reach, fields["norm"])
    if above > 0 and least is None:
        return "false" if below > 0 else "unknown"
    size = 0 if above <= 0 else (scale * least) ** 2 * above**2
    for digits in DIGITS:
        if _shown([u[j] if j in used else Fraction(0) for j in range(n)], used, [own], [1], error, 0, size, digits):
            return "true" if size or _strictly(u, used, error) else "false"
    return "false" if below == above or fields["norm"] == "box" or len(reach) == 1 else "unknown"


def _strictly(u, used, error):
    """Whether λ(H - c) > 0."""
    return _shown(u, used, [used[0]], [1], error, 0, 0, DIGITS[-1], strictly=True)


def _what_is_left(v, reach, norm):
    """Rationals around the length of v beyond the reach: between the same two where it is not an ellipsoid, up to the root."""
    p = 400
    if norm == "box":
        wide = reach * len(v) if len(reach) == 1 else reach
        return root(sum(max(abs(x) - w, Fraction(0)) ** 2 for x, w in zip(v, wide, strict=True)), p)
    if len(reach) == 1:
        low, high = root(sum(x * x for x in v), p)
        return low - reach[0], high - reach[0]
    if all(w > 0 or x == 0 for x, w in zip(v, reach, strict=True)):
        inside = sum(((x / w) ** 2 for x, w in zip(v, reach, strict=True) if w > 0), Fraction(0))
        if inside <= 1:
            return Fraction(0), Fraction(0)
    low, high = 0.0, float(max(reach)) * math.sqrt(float(sum(x * x for x in v)))
    for _ in range(200):
        s = (low + high) / 2
        parts = [float(x) * float(w) / (s + float(w) ** 2) for x, w in zip(v, reach, strict=True) if w > 0]
        low, high = (low, s) if sum(part * part for part in parts) < 1 else (s, high)
    y = [x * w * w / (Fraction(high) + w * w) if w > 0 else Fraction(0) for x, w in zip(v, reach, strict=True)]
    size = sum(((x / w) ** 2 for x, w in zip(y, reach, strict=True) if w > 0), Fraction(0))
    shrunk = 1 / max(root(size, p)[1], Fraction(1))
    above = root(sum((x - shrunk * z) ** 2 for x, z in zip(v, y, strict=True)), p)[1]
    return Fraction(1, 10**300), above


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


JUDGES = {"no-shorter": no_shorter, "no-smaller-error": no_smaller_error, "none-withstands": none_withstands}
