"""Numbers held exactly or between two integers: the arithmetic of `second_opinion`, apart from headwright's own.

Float64 arrays become integers by their bits, without a floating-point operation, so that not even a processor told to
flush subnormal numbers changes what is read.
"""

import math
from fractions import Fraction

import numpy as np


def whole_numbers(array):
    """(nested lists of integers, exponent) with array = integers · 2^exponent, read from the bits themselves."""
    bits = np.ascontiguousarray(array, dtype=np.float64).view(np.uint64)
    flat = [_unpacked(b) for b in bits.ravel().tolist()]
    lowest = min((e for m, e in flat if m), default=0)
    integers = [m << (e - lowest) if m else 0 for m, e in flat]
    if bits.ndim == 1:
        return integers, lowest
    width = bits.shape[1]
    return [integers[i : i + width] for i in range(0, len(integers), width)], lowest


def _unpacked(bits):
    field, fraction = bits >> 52 & 0x7FF, bits & (2**52 - 1)
    assert field != 0x7FF, "a certificate holds finite numbers"
    mantissa = fraction | 2**52 if field else fraction
    return (-mantissa if bits >> 63 else mantissa), max(field, 1) - 1075


def rationals(array):
    integers, exponent = whole_numbers(array)
    return [i * Fraction(2) ** exponent for i in integers]


def decided(ends):
    """Whether the number between the ends is <= 0; None when they do not tell."""
    return True if ends[1] <= 0 else False if ends[0] > 0 else None


def added(pairs):
    return sum(a for a, _ in pairs), sum(b for _, b in pairs)


def scaled(ends, factor):
    return (ends[0] * factor, ends[1] * factor) if factor >= 0 else (ends[1] * factor, ends[0] * factor)


def root(x, p):
    """Rationals around √x, 2^-p apart, or equal when the root is exact."""
    low = math.isqrt((x.numerator << 2 * p) // x.denominator)
    return Fraction(low, 2**p), Fraction(low + (Fraction(low * low, 4**p) != x), 2**p)


def bracket(x, p):
    """Integers around e^x · 2^p for rational x <= 0: Taylor's series of e^{-x/2^k}, its inverse, k squarings."""
    if x == 0:
        return 2**p, 2**p
    if x < -p:
        return 0, 1  # e^-p < 2^-p
    k = (-x.numerator // x.denominator).bit_length() + math.isqrt(p) // 2
    w = p + k + 16
    t = (-x.numerator << (w - k)) // x.denominator  # t / 2^w <= -x/2^k < (t+1) / 2^w, below 1/2
    low = below = high = above = 2**w
    i = 0
    while above > 1:
        i += 1
        below, above = below * t // (i << w), -(-above * (t + 1) // (i << w))
        low, high = low + below, high + above
    low, high = 4**w // (high + 1), -(-(4**w) // low)  # what is left of the series is below its last term
    for _ in range(k):
        low, high = low * low >> w, -(-high * high >> w)
    return low >> (w - p), -(-high >> (w - p))
