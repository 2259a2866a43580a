"""The second opinion on rows that are apart: rows by mpmath as integers over 2^240, every pair compared, none by shift."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath

from tests.brackets import whole_numbers
from tests.second_opinion_words import parts_of

KIND = "rows-apart"
PLACES = 240  # bits behind the point
OFF = 8  # an entry is off by at most this many units
TYPES = {"float32": (24, -149), "float16": (11, -24), "bfloat16": (8, -133)}  # bits of the significand, least exponent


def judge(arrays, fields):
    """ "true", "false" or "unknown" for all pairs together."""
    table = rows(arrays, fields["rows"])
    found = []
    if fields["distance"] is not None:
        square = _square(table, fields["distance"])
        found += [_pair(table, i, j, square) for j in range(len(table[0])) for i in range(j)]
    if fields["pair"] is not None:
        i, j = fields["pair"]
        found.append(_within(table, i, j, _square(table, fields["within"])))
    return "false" if False in found else "unknown" if None in found else "true"


def breaks(verdict):
    """Whether the pair that a Refuted names breaks the claim by itself."""
    _, arrays, fields = parts_of(verdict.record)
    table = rows(arrays, fields["rows"])
    i, j = verdict.counterexample["pair"]
    too_near = fields["distance"] is not None and _pair(table, i, j, _square(table, fields["distance"])) is False
    too_far = fields["pair"] == [i, j] and _within(table, i, j, _square(table, fields["within"])) is False
    return 0 <= i < j < len(table[0]) and (too_near or too_far)


def bound_claim(verdict):
    """The claim with the verdict's bound for its distance."""
    return None if verdict.bound is None else replace(verdict.record, distance=Fraction(verdict.bound))


def work(arrays, fields):
    """In rough units of 10 microseconds, as in `second_opinion`."""
    said = fields["rows"]
    length, d = arrays["table"].shape if "table" in arrays else (said["length"], said["dim"])
    return length * d * 3 + length * length * d / 50


def rows(arrays, said):
    """(integer rows, unit, off): row = unit · integers, each off by at most `off`."""
    if "table" not in arrays:
        return waves(said["length"], said["dim"], Fraction(said["base"])), Fraction(1, 2**PLACES), OFF
    integers, exponent = whole_numbers(arrays["table"])
    unit = Fraction(2) ** exponent
    if said["dtype"] is None:
        return integers, unit, 0
    least = Fraction(2) ** -1200
    return [[int(_stored(unit * n, said["dtype"]) / least) for n in row] for row in integers], least, 0


@cache
def waves(length, dim, base):
    """sin(tω), cos(tω) times 2^240, row by row."""
    with mpmath.workprec(PLACES + 64 + max(0, (1 / base).__ceil__().bit_length())):
        omega = [(mpmath.mpf(base.numerator) / base.denominator) ** (mpmath.mpf(-2 * i) / dim) for i in range(dim // 2)]
        made = []
        for t in range(length):
            pairs = [mpmath.cos_sin(t * w) for w in omega]
            made.append([int(mpmath.floor(x * 2**PLACES)) for cos, sin in pairs for x in (sin, cos)])
    return made


def _stored(x, dtype):
    """The nearest number of the type, ties to even: x over the last place it can have there, rounded as Python rounds."""
    bits, lowest = TYPES[dtype]
    size = abs(x)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent += size >= Fraction(2) ** exponent  # 2^(exponent-1) <= size < 2^exponent
    last = Fraction(2) ** max(exponent - bits, lowest)
    return round(x / last) * last


def _ends(table, i, j):
    """The squared distance of two rows lies between these, in squared units."""
    integers, _, off = table
    steps = [abs(a - b) for a, b in zip(integers[i], integers[j], strict=True)]
    return sum(max(s - 2 * off, 0) ** 2 for s in steps), sum((s + 2 * off) ** 2 for s in steps)


def _square(table, distance):
    return Fraction(distance) ** 2 / table[1] ** 2


def _pair(table, i, j, square):
    """Whether two rows are at least that far apart, or for 0 not equal."""
    low, high = _ends(table, i, j)
    if square == 0:
        return True if low > 0 else False if high == 0 else None
    return True if low >= square else False if high < square else None


def _within(table, i, j, square):
    low, high = _ends(table, i, j)
    return True if high <= square else False if low > square else None
