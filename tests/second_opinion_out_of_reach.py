"""The second opinion on "no query comes within this error": the witness added up in fractions, logarithms by series.

Nothing of headwright is used. A witness that cancels and gains proves the claim ("true"); one that does not proves nothing, and
then a few queries are tried: one that meets the error makes the claim "false".
"""

import math
from fractions import Fraction

import numpy as np

from tests import second_opinion_image as images
from tests.brackets import whole_numbers

KINDS = ("out-of-reach",)
PRECISIONS = (96, 256, 1024)
WAYS = 12  # directions in which a query is tried, each at a few lengths


def judge(arrays, fields):
    keys, exponent = whole_numbers(arrays["keys"])
    shares = dict(zip(fields["goal"]["indices"], map(Fraction, fields["goal"]["shares"]), strict=True))
    error = Fraction(fields["error"])
    rows = {}
    for i, j, text in fields["witness"]:
        above, _, below = text.partition("/")
        assert j not in rows.get(i, {}), "a pair counted twice"
        rows.setdefault(i, {})[j] = Fraction(int(above, 16), int(below or "1", 16))
    if valid(shares, error, rows):
        lift = Fraction(fields.get("scale", 1)) * Fraction(2) ** exponent
        added = sums(keys, rows)
        value = images.common_value(arrays, added)
        for p in PRECISIONS if value is not None else ():
            start = Interval(lift * value, lift * value)
            gain = sum((excess(shares[i], error, list(row.values()), p) for i, row in rows.items()), start)
            if gain.low > 0:
                return "true"
            if gain.high <= 0:
                break
    if "matrix" in arrays:
        return "unknown"
    return "false" if reached(keys, exponent, shares, float(error)) else "unknown"


def work(arrays, fields):
    n, d = arrays["keys"].shape
    digits = sum(len(text) for _, _, text in fields["witness"])
    there = np.size(arrays.get("matrix", ())) * digits / 1000
    return len(fields["witness"]) * (30 + d) + digits * d / 40 + n * d / 5 + there


def valid(shares, error, rows):
    """Targets that keep weight, other keys, positive numbers."""
    if not rows or any(i not in shares or shares[i] <= error or i in row for i, row in rows.items()):
        return False
    return all(number > 0 for row in rows.values() for number in row.values())


def sums(keys, rows):
    """Σ N_ij (k_j - k_i), one coordinate at a time, in units of the integer keys."""
    common = math.lcm(*(number.denominator for row in rows.values() for number in row.values()))
    whole = [(i, j, int(number * common)) for i, row in rows.items() for j, number in row.items()]
    return [
        Fraction(sum(number * (keys[j][c] - keys[i][c]) for i, j, number in whole), common) for c in range(len(keys[0]))
    ]


class Interval:
    """Two rationals around a number."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __add__(self, other):
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        return Interval(self.low - other.high, self.high - other.low)

    def times(self, positive):
        return Interval(self.low * positive, self.high * positive)


def excess(share, error, numbers, p):
    """λ (H - c) for one target, c = ln((1 - w + e)/(w - e)): each of its logarithms is of one fraction above 0."""
    mass = sum(numbers)
    parts = [number / mass for number in numbers]
    entropy = sum((logarithm(1 / part, p).times(part) for part in parts), Interval(0, 0))
    return (entropy - logarithm((1 - share + error) / (share - error), p)).times(mass)


def logarithm(x, p):
    """ln x for rational x > 0: x = 2^k y with y in [1/2, 2], ln y = 2 artanh((y-1)/(y+1)), and ln 2 = 2 artanh(1/3)."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    y = x / Fraction(2) ** k
    part, twos = artanh((y - 1) / (y + 1), p), artanh(Fraction(1, 3), p).times(abs(k))
    return part + twos if k >= 0 else part - twos


def artanh(t, p):
    """2 (t + t³/3 + t⁵/5 + …) for |t| <= 1/3, in integers over 2^w; each term rounded both ways."""
    if t < 0:
        turned = artanh(-t, p)
        return Interval(-turned.high, -turned.low)
    w = p + 20
    low = math.floor(t * 2**w)
    high = math.ceil(t * 2**w)
    sums, odd = [0, 0], 1
    powers = [low, high]
    while powers[1] > 1:
        sums = [sums[0] + powers[0] // odd, sums[1] - (-powers[1] // odd)]
        powers = [powers[0] * low * low >> 2 * w, -(-powers[1] * high * high >> 2 * w)]
        odd += 2
    return Interval(
        Fraction(2 * sums[0], 2**w), Fraction(2 * (sums[1] + 2), 2**w)
    )  # what is left is below its first term · 9/8


def reached(keys, exponent, shares, error):
    """Whether some query tried meets the error by a wide margin, in floating point."""
    numbers = [[float(Fraction(entry) * Fraction(2) ** exponent) for entry in key] for key in keys]
    middle = [sum(float(w) * numbers[i][c] for i, w in shares.items()) for c in range(len(numbers[0]))]
    mean = [sum(column) / len(numbers) for column in zip(*numbers, strict=True)]
    ways = [[a - b for a, b in zip(middle, mean, strict=True)]]
    ways += [[a - b for a, b in zip(middle, other, strict=True)] for other in numbers[:WAYS]]
    for way in ways:
        size = sum(c * c for c in way)
        for length in (0.0, 1.0, 4.0, 16.0, 64.0, 256.0):
            scores = [length * sum(a * b for a, b in zip(key, way, strict=True)) / (size or 1.0) for key in numbers]
            top = max(scores)
            parts = [math.exp(score - top) for score in scores]
            mass = sum(parts)
            off = sum(abs(part / mass - float(shares.get(j, 0))) for j, part in enumerate(parts)) / 2
            if off < error * (1 - 1e-6) - 1e-9:
                return True
    return False
