"""headwright_check: decide the claims in certificate files, with the standard library alone.

    python headwright_check.py [--json] [--] FILE...

A certificate states a claim about exact numbers that are in the file. This program reads the file, states the claim in
words, and decides it with integers, fractions, and intervals of real numbers whose ends are rounded outward. It was
written from the page "The certificate format" alone. For each file it prints the name, the statement, and an answer:

    confirmed          the statement is true
    refuted            the statement is false
    open               this checker cannot tell
    not a certificate  the file breaks a rule of the format, which is named

The exit code is 2 if a file is not a certificate, otherwise 1 if one is refuted, 3 if one is open, 0 if all are true.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import re
import struct
import sys
import zlib
from fractions import Fraction
from functools import cache, cmp_to_key, lru_cache
from operator import mul
from types import SimpleNamespace

BITS = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)  # the precisions that are tried, one after the other
BASE_BUDGET, BUDGET_PER_BYTE, RATIONAL_BITS = 10_000_000, 0.15, 13_952
LARGEST_FILE, LARGEST_HEADER, LARGEST_UNPACKED = 300_000_000, 16_000_000, 150_000_000


class Malformed(Exception):
    """The file is not a certificate."""


class TooMuch(Exception):
    """The checker gives up: the claim stays open."""


class Uncertain(Exception):
    """Something, such as a quotient, is not determined at this precision."""


class NoValue(Exception):
    """A formula has certainly no value."""


# All that changes: the precision, and the work that is left
STATE = SimpleNamespace(bits=BITS[0], left=BASE_BUDGET)


def charge(units):
    """Count work before it is done. A unit is about a microsecond."""
    STATE.left -= units
    if STATE.left < 0:
        raise TooMuch("the budget of work is used up")


def afford(condition, what):
    """Give up unless the condition holds."""
    if not condition:
        raise TooMuch(f"{what} is too large for this checker")


def sure(condition, reason, error=Uncertain):
    """Nothing can be said unless the condition holds; or the formula has no value, if the error is NoValue."""
    if not condition:
        raise error(reason)


def product_cost(bits):
    """The work of a product of integers of this size."""
    return 0.1 + (bits / 1000) ** 1.6


# ---------------------------------------------------------------------------------------------------------------------
# Intervals


@lru_cache(maxsize=64)
def scaled_sum(bits, terms, sign):
    """An integer N with N <= 2^bits x <= N + 2, for x = the sum of c artanh(1/k) over the terms (c, k), or of
    c arctan(1/k) if the sign is -1. All roundings together are far below 2^24 units of 2^-(bits + 32)."""
    more, total = bits + 32, 0
    charge(more * len(terms) / 6 * (0.2 + more / 20_000))
    for factor, x in terms:
        power, k = (1 << more) // x, 1
        while power:
            total += factor * (power // k) * sign ** (k // 2)
            power //= x * x
            k += 2
    return (total - (1 << 24)) >> 32


def ln2_scaled(bits):
    """An integer L with L <= 2^bits ln 2 <= L + 2."""
    return scaled_sum(bits, ((18, 26), (-2, 4801), (8, 8749)), 1)


def pi_scaled(bits):
    """An integer P with P <= 2^bits pi <= P + 2, by Machin's formula."""
    return scaled_sum(bits, ((16, 5), (-4, 239)), -1)


def exp_of(x):
    """exp of a rational number x.

    exp(x) = 2^k exp(x - k ln 2), and the second factor is the 2^h-th power of a short series. All is done in integers
    that stand for multiples of 2^-w. x is off by at most 4 units, which the exponential at most doubles.
    """
    num, den = x.numerator, x.denominator
    size = max(0, num.bit_length() - den.bit_length() + 16) // 16 * 16  # |x| < 2^size
    afford(size <= 40_000, "an exponential")
    if not num:
        return exact(1)
    w = STATE.bits + 12
    h = math.isqrt(w) // 2 + 1
    fine = w + 2 * h
    charge(2 + (2.5 * h + 6) * product_cost(fine))
    k, rest = divmod((num << (w + size)) // den, ln2_scaled(w + size))
    y, total, term, i = (rest >> size) << h, 0, 1 << fine, 0
    while term:
        total += term
        i += 1
        term = (term * y >> fine) // i
    for _ in range(h):
        total = total * total >> fine
    total >>= 2 * h
    return Interval(total - 24, total + 24, k - w)


def ln_of(x):
    """ln of a rational number x. A power of 2 brings it between 3/4 and 3/2, and h roots close to 1, then 2 artanh.

    All is done in integers that stand for multiples of 2^-w. Each root rounds by one unit, and shrinks the error so far
    to 0.6 of it, so the last is off by at most 3 units. Each of the i / 2 terms of the series is off by less than 3.
    """
    sure(x > 0, "a logarithm of a number that may not be positive")
    num, den = x.numerator, x.denominator
    size = den.bit_length()
    k = ((num << (size + 1)) // (3 * den)).bit_length() - size
    num, den = num << max(-k, 0), den << max(k, 0)
    if x == 1:
        return exact(0)
    w = STATE.bits + 20 + (0 if k else den.bit_length() - (num - den).bit_length())  # close to 1, ln loses bits
    h = math.isqrt(w) // 2 + 2
    w += 2 * h
    charge(3 + 6 * h * product_cost(2 * w))
    y, one = (num << w) // den, 1 << w
    for _ in range(h):
        y = math.isqrt(y << w)
    power, total, i = (abs(y - one) << w) // (y + one), 0, 1
    square = power * power >> w
    while power:
        total += power // i
        power = power * square >> w
        i += 2
    total = (total << (h + 1)) * (1 if num > den else -1) + k * ln2_scaled(w)
    slack = ((3 * i + 16) << h) + 2 * abs(k)
    return Interval(total - slack, total + slack, -w)


class Interval:
    """The real numbers from lo 2^e to hi 2^e. Ends are rounded outward to the precision."""

    __slots__ = ("e", "hi", "lo")

    def __init__(self, lo, hi, e=0):
        excess = max(lo.bit_length(), hi.bit_length()) - STATE.bits
        if excess > 0:
            lo, hi, e = lo >> excess, -(-hi >> excess), e + excess
        self.lo, self.hi, self.e = lo, hi, e

    def ends(self, e):
        """Its ends as multiples of 2^e, rounded outward."""
        shift = self.e - e
        return (self.lo << shift, self.hi << shift) if shift >= 0 else (self.lo >> -shift, -(-self.hi >> -shift))

    def __neg__(self):
        return Interval(-self.hi, -self.lo, self.e)

    def __add__(self, other):
        charge(0.8 + STATE.bits / 2000)
        ((low, high), (lo, hi)), e = aligned((self, exact(other)))
        return Interval(low + lo, high + hi, e)

    __radd__ = __add__

    def __sub__(self, other):
        return self + -exact(other)

    def __rsub__(self, other):
        return exact(other) + -self

    def __mul__(self, other):
        other = exact(other)
        charge(0.8 + 2 * product_cost(STATE.bits))
        if self.lo >= 0 and other.lo >= 0:
            return Interval(self.lo * other.lo, self.hi * other.hi, self.e + other.e)
        ends = [x * y for x in (self.lo, self.hi) for y in (other.lo, other.hi)]
        return Interval(min(ends), max(ends), self.e + other.e)

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = exact(other)
        sure(not other.lo <= 0 <= other.hi, "a division by a number that may be 0")
        charge(2 + 3 * product_cost(2 * STATE.bits))
        if other.hi < 0:
            return -self / -other
        shift = STATE.bits + 4 + other.hi.bit_length()
        low = (self.lo << shift) // (other.hi if self.lo >= 0 else other.lo)
        high = -((-self.hi << shift) // (other.lo if self.hi >= 0 else other.hi))
        return Interval(low, high, self.e - other.e - shift)

    def __rtruediv__(self, other):
        return exact(other) / self

    def square(self):
        """The squares of its numbers."""
        charge(0.8 + product_cost(STATE.bits))
        ends = self.lo**2, self.hi**2
        return Interval(0 if self.lo <= 0 <= self.hi else min(ends), max(ends), 2 * self.e)

    def exp(self):
        """The exponentials of its numbers."""
        charge(abs(self.e) / 10)
        return hull([exp_of(end * Fraction(2) ** self.e) for end in {self.lo, self.hi}])

    def ln(self):
        """The logarithms of its numbers, all of which must be positive."""
        charge(abs(self.e) / 10)
        return hull([ln_of(end * Fraction(2) ** self.e) for end in {self.lo, self.hi}])

    def sqrt(self):
        """The roots of its numbers, none of which may be negative."""
        sure(self.lo >= 0, "a root of a number that may be negative")
        charge(2 + 4 * product_cost(2 * STATE.bits))
        shift = 2 * STATE.bits + 4 + (self.e & 1)
        low, high = math.isqrt(self.lo << shift), math.isqrt(self.hi << shift)
        return Interval(low, high + (high * high < self.hi << shift), (self.e - shift) // 2)

    def clipped(self):
        """max(x, 0)."""
        return Interval(max(self.lo, 0), max(self.hi, 0), self.e)

    def sign(self):
        """1, -1 or 0 if all its numbers have this sign, otherwise None."""
        signs = {(end > 0) - (end < 0) for end in (self.lo, self.hi)}
        return signs.pop() if len(signs) == 1 else None


def exact(x):
    """An interval around a rational number, of one number if it fits into the precision."""
    if isinstance(x, Interval):
        return x
    num, den = x.numerator, x.denominator
    if den & (den - 1) == 0:
        return Interval(num, num, 1 - den.bit_length())
    return Interval(num, num) / Interval(den, den)


def aligned(intervals):
    """([(lo, hi)], e): the ends of intervals as multiples of one 2^e, of which those far below the precision of the
    largest are rounded."""
    exponents = [x.e for x in intervals]
    e = min(exponents)
    if max(exponents) - e > 2 * STATE.bits:
        tops = [x.e + max(x.lo.bit_length(), x.hi.bit_length()) for x in intervals if x.lo or x.hi]
        e = max(e, max(tops, default=0) - 2 * STATE.bits)
    return [x.ends(e) for x in intervals], e


def hull(intervals):
    """The smallest interval around some intervals."""
    ends, e = aligned(intervals)
    return Interval(min(lo for lo, _ in ends), max(hi for _, hi in ends), e)


def below(a, b):
    """Whether a < b: True, False, or None if it is not determined."""
    if not isinstance(a, Interval) and not isinstance(b, Interval):
        return a < b
    difference = exact(b) - exact(a)
    return True if difference.lo > 0 else False if difference.hi <= 0 else None


def at_most(a, b):
    """Whether a <= b: True, False, or None if it is not determined."""
    return negated(below(b, a))


def negated(answer):
    """The contrary of True, False or None."""
    return None if answer is None else not answer


def every(answers):
    """False if one is False, otherwise None if one is None, otherwise True."""
    result = True
    for answer in answers:
        if answer is False:
            return False
        result = result and answer
    return result


# ---------------------------------------------------------------------------------------------------------------------
# Values of JSON, each in its one form


def require(condition, reason, value=None):
    """The value. The file is refused unless the condition holds."""
    if not condition:
        raise Malformed(reason)
    return value


def read_rational(value, what="a rational", base=10, fractions=True):
    """A rational such as "-3" or "1/100", in lowest terms, or in base 16 one such as "-0x1f" or "0x1f/0x2"."""
    digits = "(0|[1-9][0-9]{0,4200})" if base == 10 else "0x(0|[1-9a-f][0-9a-f]*)"
    fits = isinstance(value, str) and re.fullmatch(f"-?{digits}(/{digits})?", value) and value not in ("-0", "-0x0")
    require(fits, f"{what} must be a rational in a text, in base {base}")
    num, slash, den = value.partition("/")
    charge(2 + len(value) / 100 + len(value) * len(den) / 10_000)
    num, den = int(num, base), int(den or "1", base)
    fits = not slash or (fractions and den > 1 and math.gcd(num, den) == 1)
    fits = fits and (base == 16 or max(num.bit_length(), den.bit_length()) <= RATIONAL_BITS)
    return Fraction(num, require(fits, f"{what} is not in lowest terms, too long, or must not be a fraction", den))


def read_hex(value, what="a number", fractions=True):
    """A number in base 16."""
    return read_rational(value, what, 16, fractions)


def read_large(value, what="a number"):
    """A rational in which a power of ten with 300 to 1,000,000 zeros is written as "10^5000"."""
    if isinstance(value, str) and re.fullmatch(r"10\^([3-9][0-9]{2}|[1-9][0-9]{3,5}|1000000)", value):
        charge(int(value[3:]))
        return Fraction(10 ** int(value[3:]))
    number = read_rational(value, what)
    return require(len(value) <= 300 or value.rstrip("0") != "1", f"{what} must be written as a power of ten", number)


def read_integer(value, what="a number", least=0, most=None):
    """An integer of JSON."""
    fits = type(value) is int and (least is None or value >= least) and (most is None or value <= most)
    return require(fits, f"{what} must be an integer in its range", value)


def read_truth(value, what="a truth value"):
    """true or false."""
    return require(type(value) is bool, f"{what} must be true or false", value)


def read_text(value, what="a text"):
    """A text of JSON."""
    return require(isinstance(value, str), f"{what} must be a text", value)


def read_list(value, what="a list", least=0, most=math.inf):
    """A list of JSON, as it is."""
    require(isinstance(value, list) and least <= len(value) <= most, f"{what} must be a list of the right length")
    charge(1 + len(value) / 4)
    return value


def read_pair(value, what):
    """A list of two entries."""
    return read_list(value, what, 2, 2)


def read_object(value, names, optional=(), what="an object"):
    """An object of JSON with exactly these parts, perhaps without the optional ones."""
    fits = isinstance(value, dict) and set(names) <= set(value) <= {*names, *optional}
    return require(fits, f"{what} must be an object with the parts {some(names)}", value)


def read_indices(value, n, what, least=0):
    """A list of distinct numbers below n (any, if n is None)."""
    most = None if n is None else n - 1
    indices = [read_integer(i, f"an index of {what}", most=most) for i in read_list(value, what, least)]
    return require(len(set(indices)) == len(indices), f"{what} names an index twice", indices)


def say(x):
    """A rational in words: exact up to 60 characters, otherwise its beginning and its size."""
    num, den = x.numerator.bit_length(), x.denominator.bit_length()
    text = str(x) if max(num, den) <= 8000 else ""
    return text if 0 < len(text) <= 60 else f"{text[:50]}… (about 2^{num - den})"


def some(values, most=8):
    """A list in words, shortened if it is long."""
    values = list(values)
    shown = ", ".join(str(value)[:120] for value in values[:most])
    return shown + (f", … ({len(values)} in all)" if len(values) > most else "")


def parsed(text, what):
    """The value of a JSON text, which must be an object. Names occur once in an object, and numbers are finite."""

    def once(pairs):
        return require(len(dict(pairs)) == len(pairs), f"a name occurs twice in one object of {what}", dict(pairs))

    def whole(digits):
        return int(require(len(digits) <= 4300, f"an integer in {what} is too long", digits))

    def pointed(digits):
        return require(math.isfinite(float(digits)), f"a number in {what} is not finite", float(digits))

    charge(len(text) / 20)
    try:
        value = json.loads(text, object_pairs_hook=once, parse_int=whole, parse_float=pointed, parse_constant=pointed)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"{what} is not JSON that this checker can read: {error}") from None
    return require(isinstance(value, dict), f"{what} must be an object", value)


# ---------------------------------------------------------------------------------------------------------------------
# The container


class Array:
    """An array of doubles. Its rows are those along the last axis, numbered through all the axes before."""

    def __init__(self, name, shape, content):
        self.name, self.shape, self.content = name, shape, content
        self.width, self.count = shape[-1], math.prod(shape[:-1])
        self.label = f"{name} <f8 {shape}".encode()  # what the digest says before the numbers

    def __str__(self):
        mark = hashlib.sha256(self.label + bytes(self.content)).hexdigest()
        return f"{self.name} {'×'.join(map(str, self.shape))} #{mark[:8]}"

    def row(self, i=0):
        """Row number i, a tuple of doubles."""
        charge(0.2 + self.width / 50)
        return struct.unpack_from(f"<{self.width}d", self.content, 8 * self.width * i)

    def rows(self):
        """All rows, one after the other."""
        return map(self.row, range(self.count))

    def fractions(self, i=0):
        """Row number i as fractions."""
        charge(6 * self.width)
        return list(map(Fraction, self.row(i)))

    def fraction_rows(self):
        """All rows as fractions."""
        return list(map(self.fractions, range(self.count)))

    def integers(self, i=0):
        """(numbers, e): row number i is the integers times 2^e."""
        return scaled_integers(self.row(i))

    def part(self, i):
        """The array number i along the first axis."""
        size = len(self.content) // self.shape[0]
        return Array(f"{self.name}[{i}]", self.shape[1:], self.content[size * i : size * (i + 1)])

    def parts(self, axes=2):
        """The parts of an array that have so many axes: those along its first axis, or the array itself."""
        return [self] if len(self.shape) == axes else list(map(self.part, range(self.shape[0])))

    def matrix(self):
        """(rows of integers, e): a common exponent for all rows."""
        return common_exponent(list(map(self.integers, range(self.count))))

    def columns(self):
        """The columns of a matrix, as lists of fractions."""
        return list(map(list, zip(*self.fraction_rows())))


def scaled_integers(row):
    """(numbers, e) with row = numbers 2^e. Multiplying a double by a power of two moves its bits, here without loss."""
    sizes = [abs(x) for x in row if x] or [1.0]
    least, most = math.frexp(min(sizes))[1], math.frexp(max(sizes))[1]
    charge(0.1 * len(row) * (1 + (most - least) / 200))
    if least < -900 or most - least > 900:
        charge(10 * len(row))
        return [int(Fraction(x) * 2**1074) for x in row], -1074
    factor = math.ldexp(1.0, 53 - least)
    return [int(x * factor) for x in row], least - 53


def common_exponent(pairs):
    """Rows of integers with exponents, brought to one exponent."""
    e = min((exponent for numbers, exponent in pairs if any(numbers)), default=0)
    for numbers, exponent in pairs:
        charge(len(numbers) * (0.05 + abs(exponent - e) / 4000))
    return [[x << (exponent - e) for x in numbers] if exponent > e else numbers for numbers, exponent in pairs], e


def container(data):
    """The metadata, and {name: (type, shape, bytes)} for the arrays."""
    size = int.from_bytes(data[:8], "little")
    require(0 < size <= min(len(data) - 8, 100_000_000), "the header is longer than the file, or empty")
    afford(size <= LARGEST_HEADER, "the header")
    text = bytes(data[8 : 8 + size]).decode()
    require(text.startswith("{") and text.rstrip(" ").endswith("}"), "the header is not an object")
    header = parsed(text, "the header")
    body, arrays, end = data[8 + size :], {}, 0
    metadata = header.pop("__metadata__", {})
    require(isinstance(metadata, dict) and all(isinstance(x, str) for x in metadata.values()), "bad metadata")
    for name, entry in header.items():
        read_object(entry, ("dtype", "shape", "data_offsets"), what=f"the entry {name} of the header")
        for number in read_pair(entry["data_offsets"], "offsets") + read_list(entry["shape"], "a shape", most=64):
            read_integer(number, f"a number of {name} in the header", most=1 << 40)
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        first, last = entry["data_offsets"]
        require(first == end <= last, "the arrays leave a gap or overlap")
        arrays[name], end = (entry["dtype"], tuple(entry["shape"]), body[first:last]), last
    return require(end == len(body), "the data do not end with the last array", (metadata, arrays))


def unpacked(shape, packed):
    """The arrays inside a packed file."""
    size = int.from_bytes(packed[:8], "little")  # zlib makes nothing more than 1,032 times as long
    require(shape == (len(packed),) and 8 < len(packed) > size / 1100, "the packed array has another size")
    afford(size <= LARGEST_UNPACKED, "the packed content")
    STATE.left += BUDGET_PER_BYTE * size
    stream = zlib.decompressobj()
    content = stream.decompress(packed[8:], size + 1)
    require(len(content) == size and stream.eof and not stream.unused_data, "the packed content has another size")
    metadata, arrays = container(memoryview(content))
    return require(not metadata, "the packed arrays must not have metadata", arrays)


def digest(metadata, arrays):
    """What the digest must be."""
    names = [name for name in ("headwright", "claim", "said", "design") if name in metadata]
    contents = [text.encode() for name in names for text in (name, metadata[name])]
    contents += [x for _, array in sorted(arrays.items()) for x in (array.label, array.content)]
    whole = hashlib.sha256()
    for content in contents:
        whole.update(len(content).to_bytes(8, "big"))
        whole.update(content)
    return whole.hexdigest()


def opened(data):
    """The outermost claim of a file."""
    metadata, found = container(data)
    read_object(metadata, ("headwright", "claim", "digest"), ("said", "design"), "the metadata")
    require(metadata["headwright"] == "4", "this is another version of the format")
    packed = {name: kind for name, (kind, _, _) in found.items()} == {"packed": "U8"}
    if packed:
        found = unpacked(*found["packed"][1:])
    arrays = {}
    for name, (kind, shape, content) in found.items():
        fits = kind == "F64" and shape and 0 not in shape and len(content) == 8 * math.prod(shape)
        require(fits, f"{name} must be an array of doubles that is not empty, of the size that its shape says")
        arrays[name] = Array(name, shape, content)
        require(all(all(map(math.isfinite, row)) for row in arrays[name].rows()), f"{name} must be finite")
    require(metadata["digest"] == digest(metadata, arrays), "the digest is wrong: the file is damaged")
    named = tuple(prefix + "." for prefix in ("design", "said") if prefix in metadata)
    own = {name: array for name, array in arrays.items() if not name.startswith(named)}
    said = parsed(metadata.get("said", '{"verdict": "undecided"}'), "what the sender says")
    require(said.get("verdict") in ("proved", "refuted", "undecided"), "the sender's verdict is missing or unknown")
    parts = parsed(metadata["claim"], "the claim")
    require(packed == (parts.get("kind") == "runs-program"), "files of runs-program are packed, and no others")
    return Claim(parts, own, {**arrays, **said})


class Claim:
    """A claim that is being read: parts of JSON and arrays. Each is marked as used when it is asked for."""

    def __init__(self, parts, arrays, said=None, level=1, seen=None):
        require(isinstance(parts, dict), "a claim must be an object")
        self.parts, self.arrays, self.said, self.level = parts, arrays, said or {}, level
        self.seen = [] if seen is None else seen  # one entry for each claim of the file
        self.seen.append(self)
        require(level <= 6 and len(self.seen) <= 2048, "there are too many claims in claims")
        self.unused = {*parts, *arrays} - {"kind"}
        require(not set(parts) & set(arrays), "a part of the claim has the name of an array")
        self.kind = read_text(parts.get("kind"), "the kind")

    def read(self):
        """The statement in words, and the function that decides it at the current precision."""
        if self.kind not in KINDS:
            raise TooMuch(f"this checker does not know claims of kind {self.kind[:60]}")
        charge(20)
        statement = KINDS[self.kind](self)
        self.finish()
        return statement

    def has(self, name):
        """Whether there is a part or an array of this name."""
        return name in self.parts or name in self.arrays

    def json(self, name):
        """A part as JSON has it."""
        require(name in self.parts, f"the part {name} is missing")
        self.unused.discard(name)
        return self.parts[name]

    def rational(self, name, above=None, least=None, under=None):
        """A part that is a rational: more than `above`, at least `least`, less than `under`."""
        x = read_rational(self.json(name), name)
        fits = (above is None or x > above) and (least is None or x >= least) and (under is None or x < under)
        return require(fits, f"{name} lies outside its range", x)

    def integer(self, name, least=0, most=None):
        """A part that is an integer."""
        return read_integer(self.json(name), name, least, most)

    def text(self, name, allowed=None):
        """A part that is a text, perhaps one of a few."""
        text = read_text(self.json(name), name)
        return require(allowed is None or text in allowed, f"{name} must be one of {some(allowed or ())}", text)

    def strings(self, name):
        """A part that is a list of texts."""
        return [read_text(entry, f"an entry of {name}") for entry in read_list(self.json(name), name)]

    def array(self, name, axes=None, shape=None):
        """An array with this number of axes, or with this shape, in which None is any length."""
        require(name in self.arrays, f"the array {name} is missing")
        self.unused.discard(name)
        array = self.arrays[name]
        shape = shape or [None] * (axes or len(array.shape))
        fits = len(shape) == len(array.shape) and all(a in (None, b) for a, b in zip(shape, array.shape))
        return require(fits, f"{name} has a shape that does not fit: {array.shape}", array)

    def maybe_array(self, name, axes=None, shape=None):
        """The same for an array that may be absent: then None."""
        return self.array(name, axes, shape) if name in self.arrays else None

    def arrays_under(self, prefix):
        """{NAME: array} for the arrays called prefix.NAME."""
        charge(len(self.arrays))
        names = sorted(name for name in self.arrays if name.startswith(prefix + "."))
        return {name[len(prefix) + 1 :]: self.array(name) for name in names}

    def inner(self, parts, prefix):
        """A claim inside this one, with the arrays that begin with the prefix."""
        return Claim(parts, self.arrays_under(prefix), level=self.level + 1, seen=self.seen)

    def take(self, spec, found=None):
        """Several parts at once, as attributes: keys[n,d] an array whose axes have these lengths, scale>0 or least>=0 a
        rational, error<1 one between 0 and 1, causal! a truth value; a word with ? may be absent: then it is None. The
        names in SHARED are parts with functions of their own. n and d become attributes too."""
        found = found or SimpleNamespace(claim=self, said=self.said)
        for word in spec.split():
            name, axes, sign, absent = re.fullmatch(r"(\w+)(?:\[(.*)\])?(>0|>=0|<1|!)?(\?)?", word).groups()
            if name in SHARED:
                value = SHARED[name](self, found)
            elif absent and not self.has(name):
                value = None
            elif axes:
                value = self.array(name, shape=[vars(found).get(axis) for axis in axes.split(",")])
                vars(found).update(zip(axes.split(","), value.shape))
            elif sign == "!":
                value = read_truth(self.json(name), name)
            else:
                value = self.rational(name, **LIMITS[sign])
            setattr(found, name, value)
        return found

    def finish(self):
        """Refuse the claim if anything in it was not used."""
        require(not self.unused, f"the claim has the unknown part {some(sorted(self.unused))}")


LIMITS = {">0": {"above": 0}, ">=0": {"least": 0}, "<1": {"above": 0, "under": 1}, None: {}}
KINDS = {}  # the function of each kind


def kind(name, spec=None):
    """Mark the function that reads the claims of a kind. With a spec, it gets the parts that the spec names."""

    def marked(function):
        KINDS[name] = (lambda claim: function(claim.take(spec))) if spec else function
        return function

    return marked


# ---------------------------------------------------------------------------------------------------------------------
# What several kinds share: goals, number types, images, heads, regions


class Goal:
    """A wanted distribution: the keys `indices` with the `shares`. All other keys have the share 0."""

    def __init__(self, value, n):
        read_object(value, ("goal", "indices", "shares"), what="the goal")
        self.name, self.indices = value["goal"], read_indices(value["indices"], n, "the goal", 1)
        self.shares = [read_rational(share, "a share") for share in read_list(value["shares"], "shares")]
        (counts,), unit = whole_vectors([self.shares])
        fits = len(self.shares) == len(self.indices) and min(counts) > 0 and sum(counts) * unit == 1
        require(fits, "a goal needs a positive share for each key, with sum 1")
        names = ["blend"] + ["copy"] * (len(self.indices) == 1) + ["average"] * (len(set(self.shares)) == 1)
        require(self.name in names, "the goal is not a copy, average or blend")
        self.support = set(self.indices)
        self.unit = unit.denominator

    def __str__(self):
        blend = (f"{i} ({say(w)})" for i, w in zip(self.indices, self.shares))
        return f"the {self.name} of keys {some(blend if self.name == 'blend' else self.indices)}"


def read_top(claim, found):
    """The keys of a top, of which at least one key is left out."""
    value = read_object(claim.json("top"), ("goal", "indices"), what="the top")
    indices = read_indices(value["indices"], found.n, "the top", 1)
    fits = value["goal"] == "top" and len(indices) < found.n
    return require(fits, "the goal is not a top, or leaves out no key", indices)


def read_row_goals(claim, rows, tokens, causal=False):
    """A list of (row, goal). A goal names tokens that its row sees."""
    pairs = [read_pair(pair, "a goal by row") for pair in read_list(claim.json("goals"), "goals", 1)]
    seen = read_indices([row for row, _ in pairs], rows, "goals")
    return [(row, Goal(value, min(tokens, row + 1) if causal else tokens)) for row, (_, value) in zip(seen, pairs)]


FLOATS = {  # bits of the integer, exponent of `least`, the largest number
    "float32": (24, -149, (2**24 - 1) * 2.0**104),
    "float16": (11, -24, 65504.0),
    "bfloat16": (8, -133, 255 * 2.0**120),
    "fp8-e4m3": (4, -9, 448.0),
    "fp8-e5m2": (3, -16, 57344.0),
}
WIDE = ("float32", "float16", "bfloat16")
NF4 = (
    *(-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635),
    *(-0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634),
    *(0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0),
)
LEVELS = {"int8": range(-127, 128), "int4": range(-7, 8), "int3": range(-3, 4), "nf4": NF4}


def is_of_type(x, name):
    """Whether a double is a number of one of the FLOATS."""
    bits, least, largest = FLOATS[name]
    unit = max(math.frexp(x)[1] - bits, least)
    return abs(x) <= largest and math.ldexp(x, -unit).is_integer()


def is_quantized(column, levels):
    """Whether the column is levels times one positive float16 number. The largest entry is some level times it."""
    numbers, levels = set(map(Fraction, column)), set(map(Fraction, levels))
    largest = max(numbers, key=abs)
    scales = [largest / level for level in levels if level * largest > 0]
    scales = [x for x in scales if x <= 65504 and x == float(x) and is_of_type(float(x), "float16")]
    charge(4 * len(column) + len(levels) * (25 + 3 * len(scales)))
    return not largest or any(numbers <= {level * x for level in levels} for x in scales)


def read_precision(claim, found):
    """Of which type the numbers of the keys must be, and those of the queries for wide floats. In words."""
    if not claim.has("precision"):
        return ""
    name = claim.text("precision", (*FLOATS, *LEVELS))
    fits = name not in WIDE or not getattr(found, "image", None)
    require(fits, f"the precision {name} does not go with an image")
    arrays = [found.keys, found.queries] if name in WIDE and hasattr(found, "queries") else [found.keys]
    for array in arrays:
        charge(0.4 * array.count * array.width)
        if name in FLOATS:
            good = all(is_of_type(x, name) for row in array.rows() for x in row)
        else:
            good = all(is_quantized(column, LEVELS[name]) for part in array.parts() for column in zip(*part.rows()))
        require(good, f"{array.name} is not of type {name}")
    return f" ({' and '.join(array.name for array in arrays)} of type {name})"


class Image:
    """The queries W x + b for all real x."""

    def __init__(self, claim, d):
        self.array, self.b = claim.array("matrix", shape=(d, None)), claim.maybe_array("offset", shape=(d,))
        self.columns, self.offset = self.array.columns(), self.b.fractions() if self.b else [Fraction(0)] * d
        require(any(map(any, self.columns)), "the matrix of the image is zero")
        if claim.has("span"):
            read_indices(claim.json("span"), len(self.columns), "span", 1)

    def __str__(self):
        return f" q = W x + b with W = {self.array} and b = {self.b or 0}"

    def query(self, x):
        """W x + b."""
        return [inner_product(row, x) + b for row, b in zip(zip(*self.columns), self.offset)]

    def products(self, v):
        """The products of v with the columns of W."""
        return matrix_times(self.columns, v)

    def split(self, v):
        """(|Pv|^2, |b'|^2, v.b') with P the projector on the columns of W and b' = b - Pb.

        In the Gram matrix of all columns, v and b, the columns of W are eliminated. What is left in the corner are the
        products of v - Pv and b - Pb. If W is large, P = I and b' = 0 are taken instead.
        """
        r = len(self.columns)
        if r > 40:
            return inner_product(v, v), 0, 0
        vectors, unit = whole_vectors([*self.columns, v, self.offset])
        gram, before = eliminated([matrix_times(vectors, x) for x in vectors], r)
        scale = unit * unit / before
        return inner_product(v, v) - gram[r][r] * scale, gram[r + 1][r + 1] * scale, gram[r][r + 1] * scale


def eliminated(rows, r):
    """A symmetric matrix of integers after elimination of r columns, without fractions (Bareiss), and by what it is to
    be divided. Columns with a pivot of 0 are skipped: in a positive semi-definite matrix all else in them is 0 too."""
    before = 1
    for k in range(r):
        pivot = rows[k][k]
        charge((len(rows) - k) ** 2 * (0.5 + 3 * product_cost(pivot.bit_length())))
        for row in rows[k + 1 :] if pivot else ():
            factor = row[k]
            row[:] = [(pivot * x - factor * y) // before for x, y in zip(row, rows[k])]
        before = pivot or before
    return rows, before


def inner_product(x, y):
    """The inner product of two lists of exact numbers."""
    charge(0.3 * len(x) * (5 if x and isinstance(x[0], Fraction) else 1))
    return sum(map(mul, x, y))


def matrix_times(rows, x):
    """A matrix times a vector."""
    return [inner_product(row, x) for row in rows]


def whole_vectors(vectors):
    """(integers, unit) with vectors = integers * unit, for lists of fractions."""
    unit = 1
    for den in {x.denominator for vector in vectors for x in vector}:
        charge(1 + (unit.bit_length() + den.bit_length()) * den.bit_length() / 100_000)
        unit = math.lcm(unit, den)
    charge(sum(map(len, vectors)) * (0.5 + unit.bit_length() / 2000))
    return [[x.numerator * (unit // x.denominator) for x in vector] for vector in vectors], Fraction(1, unit)


def exact_scores(keys, query, scale, rows=None):
    """The exact scores of the rows of `keys`, an Array, for a query of fractions."""
    (query,), unit = whole_vectors([query])
    unit *= scale
    charge(9 * keys.count * product_cost(unit.numerator.bit_length() + unit.denominator.bit_length()))
    rows = map(keys.integers, range(keys.count) if rows is None else rows)
    return [inner_product(numbers, query) * unit * Fraction(2) ** e for numbers, e in rows]


class Heads:
    """Heads over keys: their shares, and their exact scores."""

    def __init__(self, claim, found):
        claim.take("keys[n,d] image scale>0", found)
        found.r = len(found.image.columns) if found.image else found.d
        claim.take("queries[h,r]", found)
        self.keys, self.queries, self.n, self.h, self.scale = found.keys, found.queries, found.n, found.h, found.scale
        self.mix = read_mix(claim, self.h)
        rows = self.queries.fraction_rows()
        self.vectors = list(map(found.image.query, rows)) if found.image else rows
        words = f"{self.keys}, {self.queries}{f' as x in{found.image}' if found.image else ''}, scale {say(self.scale)}"
        mixed = f", {self.h} heads mixed by {some(map(say, self.mix))}" if self.h > 1 else ""
        self.words = words + mixed + read_precision(claim, found)

    def scores(self):
        """The scores of each head."""
        return [exact_scores(self.keys, q, self.scale) for q in self.vectors]

    def __str__(self):
        return self.words


def read_mix(claim, h):
    """The numbers m of the heads, at least 0 and not all 0."""
    mix = claim.array("mix", shape=(h,)).fractions()
    return require(min(mix) >= 0 and any(mix), "mix must have numbers of at least 0, not all 0", mix)


class Region:
    """How far each key may move, each independently of the others."""

    def __init__(self, claim, n, d):
        self.radius, self.norm = claim.rational("radius", above=0), claim.text("norm", ("box", "ball"))
        self.profile = claim.maybe_array("profile", 2)
        rows = self.profile.fraction_rows() if self.profile else [[Fraction(1)]]
        require(len(rows) in (1, n) and len(rows[0]) in (1, d), "the profile has a shape that does not fit")
        require(min(map(min, rows)) >= 0 and any(map(any, rows)), "the profile must be >= 0, not all 0")
        self.rows = [row * d if len(row) == 1 else row for row in rows]

    def row(self, j):
        """The profile of key j."""
        return self.rows[j if len(self.rows) > 1 else 0]

    def pair(self, j, s, query, scale):
        """The highest and the lowest score of key j, whose score is s: exact numbers for Exponentials."""
        products, factor = [p * abs(q) for p, q in zip(self.row(j), query)], scale * self.radius
        charge(3 * len(products))
        if self.norm == "box":
            return s + sum(products) * factor, s - sum(products) * factor
        square = inner_product(products, products) * factor**2
        return ((s, square), (s, -square)) if square else (s, s)

    def __str__(self):
        profile = f" times {self.profile}" if self.profile else ""
        shape = "coordinate by coordinate" if self.norm == "box" else "in an ellipsoid with these half axes"
        return f", for all keys moved independently by up to {say(self.radius)}{profile} {shape}"


SHARED = {  # the functions that read parts of several kinds, beside what is found so far
    "goal": lambda claim, found: Goal(claim.json("goal"), found.n),
    "top": read_top,
    "image": lambda claim, found: Image(claim, found.d) if claim.has("matrix") else None,
    "precision": read_precision,
    "heads": Heads,
    "region": lambda claim, found: Region(claim, found.n, found.d) if claim.has("radius") else None,
}


class Exponentials:
    """exp(x - top) for exact x, each computed once at a precision. x is a fraction, or a pair (s, D) that stands for
    s + sqrt(D) if D > 0 and for s - sqrt(-D) if D < 0."""

    def __init__(self, numbers):
        self.top, self.known = max(x[0] if isinstance(x, tuple) else x for x in numbers), {}

    def __call__(self, x):
        charge(3)
        place = STATE.bits, x
        if place not in self.known and isinstance(x, tuple):
            root = exact(abs(x[1])).sqrt()
            self.known[place] = (x[0] - self.top + (root if x[1] > 0 else -root)).exp()
        elif place not in self.known:
            self.known[place] = exp_of(x - self.top)
        return self.known[place]


def sum_of(intervals):
    """The sum of some intervals."""
    intervals = [exact(0), *intervals]
    charge(len(intervals) * (0.8 + STATE.bits / 2000))
    ends, e = aligned(intervals)
    return Interval(sum(lo for lo, _ in ends), sum(hi for _, hi in ends), e)


def sign_of_sum(terms, exps):
    """The sign of the sum of c exp(x) over pairs (c, x), 0 if the terms cancel exactly, None if it is not determined.

    Powers of e to different rational numbers are linearly independent over the rationals (Lindemann, Weierstrass). So
    once terms with equal exponents are added up exactly, the sum is 0 only if nothing is left.
    """
    groups = {}
    for c, x in terms:
        charge(2)
        groups[x] = groups.get(x, 0) + c
    return sum_of(exps(x) * c for x, c in groups.items() if c).sign()


def not_positive(sign):
    """Whether a number of this sign is <= 0."""
    return None if sign is None else sign <= 0


class Weights:
    """The weights of mixed heads with given exact scores, as W_j / Z."""

    def __init__(self, scores_of_heads, mix=(1,)):
        self.heads, self.mix = scores_of_heads, mix if len(scores_of_heads) > 1 else (1,)
        self.exps = [Exponentials(own) for own in scores_of_heads]

    def numerators(self):
        """[W_j], Z: W_j is the sum over heads g of m_g exp(s_gj) times the sums of the other heads.

        Without a division, equal scores make this exact.
        """
        parts = [list(map(exps, own)) for own, exps in zip(self.heads, self.exps)]
        sums, factors = [sum_of(part) for part in parts], [exact(m) for m in self.mix]
        for g, h in itertools.permutations(range(len(parts)), 2):
            factors[g] = factors[g] * sums[h]
        columns = [sum_of(f * x for f, x in zip(factors, column)) for column in zip(*parts)]
        return columns, sum_of(f * z for f, z in zip(factors, sums))

    def variation(self, goal):
        """(V, U): the total variation from the goal is V / U, as intervals, by (V) of the page."""
        numerators, z = self.numerators()
        parts = [(numerators[a] * goal.unit - z * (w * goal.unit)).clipped() for a, w in zip(goal.indices, goal.shares)]
        others = sum_of(w for j, w in enumerate(numerators) if j not in goal.support)
        return sum_of(parts) + others * goal.unit, z * goal.unit

    def compared(self, goal, e):
        """The sign of TV - e, or None. For one head, the keys T with more than their share are found, and then the sign
        of alpha(T) - w(T) - e is that of a sum of exponentials."""
        variation, unit = self.variation(goal)
        sign = (variation * e.denominator - unit * e.numerator).sign()
        if sign is not None or len(self.heads) > 1:
            return sign
        (own,), (exps,) = self.heads, self.exps
        shares = dict(zip(goal.indices, goal.shares))
        more = {a: sign_of_sum([((j == a) - w, x) for j, x in enumerate(own)], exps) for a, w in shares.items()}
        if None in more.values():
            return None
        limit = e + sum(w for a, w in shares.items() if more[a] > 0)
        return sign_of_sum([((more.get(j, 1) > 0) - limit, x) for j, x in enumerate(own)], exps)

    def within(self, goal, e):
        """Whether TV <= e: True, False or None."""
        return not_positive(self.compared(goal, e))


def both_ends(x):
    """The lower and the upper end of an interval, as intervals."""
    return Interval(x.lo, x.lo, x.e), Interval(x.hi, x.hi, x.e)


ASCENDING = cmp_to_key(lambda a, b: (a - b).lo)  # sorts intervals of one number, which decides nothing by itself


def judged(boxes, mix, goal, e):
    """True if TV <= e for all weights with exponentials in the boxes, False if TV > e for all, otherwise None.

    `boxes` has a pair (high, low) for each key of each head. For a set T of keys, alpha(T) of a head is between
    A_low / (A_low + B_high) and A_high / (A_high + B_low), with A the sum over T and B that of the others. TV is the
    largest alpha(T) - w(T), for sets T with all keys outside the support.
    """
    answer, whole = True, sum(mix)
    for inside in itertools.product((True, False), repeat=len(goal.indices)):
        rest = {a for a, chosen in zip(goal.indices, inside) if not chosen}
        most = least = exact(-sum(w for w, chosen in zip(goal.shares, inside) if chosen))
        for m, pairs in zip(mix, boxes) if rest else ():
            a = [sum_of(pair[k] for j, pair in enumerate(pairs) if j not in rest) for k in (0, 1)]
            b = [sum_of(pairs[j][k] for j in rest) for k in (0, 1)]
            most = most + a[0] / (a[0] + b[1]) * (m / whole)
            least = least + a[1] / (a[1] + b[0]) * (m / whole)
        if rest and below(e, least):
            return False
        if rest and at_most(most, e) is not True:
            answer = None
    return answer


# ---------------------------------------------------------------------------------------------------------------------
# Weights of given queries


@kind("within-error", "heads goal error<1")
def within_error(c):
    """TV(alpha, w) <= e: (V) of the page with intervals; for one head the sign of a sum of exponentials decides."""
    weights = Weights(c.heads.scores(), c.heads.mix)
    sentence = f"The weights of {c.heads} are within total variation {say(c.error)} of {c.goal}."
    return sentence, lambda: weights.within(c.goal, c.error)


def moved_pairs(c):
    """For each head the (highest, lowest) scores of the keys."""
    scale, all_scores = c.heads.scale, c.heads.scores()
    if not c.region:
        return [[(s, s) for s in own] for own in all_scores]
    return [[c.region.pair(j, s, q, scale) for j, s in enumerate(own)] for own, q in zip(all_scores, c.heads.vectors)]


@kind("withstands", "heads goal error<1 region")
def withstands(c):
    """For all keys moved within the region TV(alpha, w) <= e.

    One head: scores move independently, so for each set T of keys alpha(T) is largest when the scores in T are at
    their highest, and the others at their lowest. This is (1 - c) A(T) <= c B(T) with c = e + w(T). Several heads: all
    sets T at once, as if the scores of different heads moved independently.
    """
    require(c.region, "the radius is missing")
    sentence = f"The weights of {c.heads} stay within total variation {say(c.error)} of {c.goal}{c.region}."
    moved = moved_pairs(c)
    exps = [Exponentials([x for x, _ in pairs]) for pairs in moved]
    if c.heads.h == 1:
        return sentence, lambda: every(worst_sets(moved[0], exps[0], c.goal, c.error))

    def decide():
        boxes = [[(values(high), values(low)) for high, low in pairs] for pairs, values in zip(moved, exps)]
        return judged(boxes, c.heads.mix, c.goal, c.error)

    return sentence, decide


def worst_sets(moved, exps, goal, e):
    """For each number of members from each group of equal shares, whether (1 - c) A(T) <= c B(T) for all such sets T.

    The worst of them has the keys with the largest (1 - c) exp(s + delta) + c exp(s - delta). Their upper ends bound
    the sum from above. The set itself refutes; it proves where no other set can be worse.
    """
    ends = [(exps(high), exps(low)) for high, low in moved]
    groups = {w: [a for a, share in zip(goal.indices, goal.shares) if share == w] for w in set(goal.shares)}
    outside = [j for j in range(len(moved)) if j not in goal.support]
    high, low = sum_of(ends[j][0] for j in outside), sum_of(ends[a][1] for a in goal.indices)
    charge(20 * len(goal.indices) * math.prod(len(keys) + 1 for keys in groups.values()))
    for counts in itertools.product(*(range(len(keys) + 1) for keys in groups.values())):
        c = e + sum(w * k for w, k in zip(groups, counts))
        total, chosen, alike = high * (1 - c) - low * c, set(outside), True
        for k, keys in zip(counts, groups.values() if c < 1 else ()):
            gains = {a: both_ends(ends[a][0] * (1 - c) + ends[a][1] * c)[1] for a in keys}
            worst = sorted(keys, key=lambda a: ASCENDING(gains[a]))[len(keys) - k :]
            total = total + sum_of(gains[a] for a in worst)
            chosen.update(worst)
            alike = alike and (k in (0, len(keys)) or len({moved[a] for a in keys}) == 1)
        if c < 1 and total.hi > 0:
            sign = sign_of_sum([(1 - c, x) if j in chosen else (-c, y) for j, (x, y) in enumerate(moved)], exps)
            yield not_positive(sign) if alike or sign == 1 else None


@kind("weight-bound", "heads values[n] bound region")
def weight_bound(c):
    """The sum of y_j alpha_j is at most (at least) c, perhaps for all keys moved within a region.

    One head: the sum of (y_j - c) exp(s_j) has a sign. It is largest if the keys with y_j > c are as high, and the
    others as low as the region allows. Several heads in a region: only the keys as they are may refute.
    """
    side = c.claim.text("side", ("at most", "at least"))
    sentence = f"The sum of {c.values} times the weights of {c.heads} is {side} {say(c.bound)}{c.region or ''}."
    sign = 1 if side == "at most" else -1
    y, bound = [sign * x for x in c.values.fractions()], sign * c.bound
    if c.heads.h == 1:
        (moved,) = moved_pairs(c)
        exps = Exponentials([x for x, _ in moved])
        terms = [(x - bound, high if x > bound else low) for x, (high, low) in zip(y, moved)]
        return sentence, lambda: not_positive(sign_of_sum(terms, exps))
    weights = Weights(c.heads.scores(), c.heads.mix)

    def decide():
        total = sum_of(w * (x - bound) for w, x in zip(weights.numerators()[0], y))
        return not_positive(total.sign()) and (not c.region or None)

    return sentence, decide


@kind("top-gap", "heads top gap>0? region")
def top_gap(c):
    """s_i - delta_i - (s_j + delta_j) > 0, or >= gap, for all i in S and all others j. Squaring decides it exactly."""
    require(c.heads.h == 1, "top-gap is about one head")
    gap, chosen = c.gap or 0, set(c.top)
    much = f"by {say(gap)} or more" if gap else "by more than 0"
    sentence = f"The head of {c.heads} scores the keys {some(c.top)} above all others {much}{c.region or ''}."

    def decide():
        rooted = [[x if isinstance(x, tuple) else (x, 0) for x in pair] for pair in moved_pairs(c)[0]]
        # the worst scores, for each square of a root that is added to them
        highs = dict(sorted((a, x) for j, ((x, a), _) in enumerate(rooted) if j not in chosen))
        lows = dict(sorted(((-b, y) for j, (_, (y, b)) in enumerate(rooted) if j in chosen), reverse=True))
        charge(20 * len(lows) * len(highs))
        both = itertools.product(lows.items(), highs.items())
        return all(exceeds_roots(y - x - gap, a, b, not gap) for (b, y), (a, x) in both)

    return sentence, decide


def exceeds_roots(x, a, b, strictly):
    """Whether x >= sqrt(a) + sqrt(b), or > if strictly: x^2 - a - b against 2 sqrt(a b)."""
    rest = x * x - a - b
    return x >= 0 and rest >= 0 and (rest**2 > 4 * a * b or (not strictly and rest**2 == 4 * a * b))


@kind("variation-of-each", "keys[g,n,d] queries[c,h,d] scale>0 least[b] most[b] precision")
def variation_of_each(c):
    """least_i <= TV(alpha, w) <= most_i for each row i, as in within-error."""
    mix = read_mix(c.claim, c.h)
    goals = [Goal(value, c.n) for value in read_list(c.claim.json("goals"), "goals")]
    fits = c.b % c.g == 0 and c.c in (1, c.b) and len(goals) in (1, c.b)
    require(fits, "the numbers of key sets, queries, goals and bounds do not fit")
    heads = f"{c.queries} over {c.keys}{c.precision}, scale {say(c.scale)}, mixed by {some(map(say, mix))},"
    sentence = f"Row by row the weights of {heads} are between {c.least} and {c.most} away from {some(goals)}."

    def answers():
        for i, (low, high) in enumerate(zip(c.least.fractions(), c.most.fractions())):
            part, asked, goal = c.keys.part(i // (c.b // c.g)), c.queries.part(i % c.c), goals[i % len(goals)]
            weights = Weights([exact_scores(part, q, c.scale) for q in asked.fraction_rows()], mix)
            yield weights.within(goal, high)
            sign = weights.compared(goal, low)
            yield None if sign is None else sign >= 0

    return sentence, lambda: every(answers())


def row_words(goals):
    """Goals by row in words."""
    return some(f"{goal} in row {row}" for row, goal in goals)


@kind("layer-rows", "tokens[n,d] Q[h,r,d] K[h,r,d] V[v,d] causal! error<1 tolerance")
def layer_rows(c):
    """TV(alpha_r, w_r) <= e for rows with goals, and |sum of alpha_rj V x_j - y_r| <= tolerance for wanted rows."""
    goals = read_row_goals(c.claim, c.n, c.n, c.causal)
    wanted = read_indices(c.claim.json("wanted"), c.n, "wanted")
    fits = set(wanted) <= {row for row, _ in goals} and (not wanted or c.tolerance > 0)
    require(fits, "a wanted row has no goal, or the tolerance is not more than 0")
    outputs = c.claim.array("outputs", shape=(len(wanted), c.v)) if wanted else None
    layer = f"{'causal ' if c.causal else ''}layer with {c.tokens}, {c.Q}, {c.K} and {c.V}"
    also = f", and the outputs of rows {some(wanted)} within {say(c.tolerance)} of {outputs}" if wanted else ""
    sentence = f"In a {layer}, the weights are within total variation {say(c.error)} of {row_words(goals)}{also}."

    def answers():
        x = c.tokens.fraction_rows()
        *keys, values = ([matrix_times(a.fraction_rows(), row) for row in x] for a in (*c.K.parts(), c.V))
        for row, goal in goals:
            asked = [matrix_times(part.fraction_rows(), x[row]) for part in c.Q.parts()]
            seen = row + 1 if c.causal else c.n
            weights = Weights([matrix_times(k[:seen], q) for k, q in zip(keys, asked)], [Fraction(1)] * c.h)
            yield weights.within(goal, c.error)
            if row in wanted:
                (numerators, z), target = weights.numerators(), outputs.fractions(wanted.index(row))
                rest = [[a - b for a, b in zip(value, target)] for value in values]
                yield at_most(length_square(numerators, rest), (z * c.tolerance).square())

    return sentence, lambda: every(answers())


def length_square(numerators, rows):
    """The square of the length of the sum of numerators times rows."""
    return sum_of(sum_of(w * x for w, x in zip(numerators, column)).square() for column in zip(*rows))


KEPT = "keys[g,n,d] stored[g,n,d] queries[h,m,d] scale>0 causal! error>0 values[g,n,v]? stored_values[g,n,v]?"


@kind("attention-kept", KEPT)
def attention_kept(c):
    """The weights over `keys` and over `stored` differ by at most e in total variation, or the outputs in length.

    With weights x_j / z and y_j / u this is sum |x_j u - y_j z| <= 2 e z u, or |sum (x_j u v_j - y_j z v'_j)| <= e z u.
    """
    require(c.values or (c.error < 1 and not c.stored_values), "error must be less than 1, or values are missing")
    require(c.h % c.g == 0 and (c.m <= c.n or not c.causal), "queries and key sets do not fit")
    kept = c.stored_values or c.values
    what = f"outputs with {c.values} and then {kept}" if c.values else "weights"
    queries = f"query of {c.queries}, scale {say(c.scale)}{', causal' if c.causal else ''},"
    sentence = f"For each {queries} over {c.keys} and {c.stored}, the {what} differ by at most {say(c.error)}."

    def answers():
        for a, i in itertools.product(range(c.h), range(c.m)):
            group, seen = a // (c.h // c.g), range(c.n - c.m + i + 1 if c.causal else c.n)
            q = c.queries.fractions(a * c.m + i)
            own = [exact_scores(array.part(group), q, c.scale, seen) for array in (c.keys, c.stored)]
            (x, z), (y, u) = (Weights([s]).numerators() for s in own)
            if c.values:
                rows = [row for array in (c.values, kept) for row in array.part(group).fraction_rows()[: len(seen)]]
                square = length_square([w * u for w in x] + [-(w * z) for w in y], rows)
                yield at_most(square, (z * u * c.error).square())
            else:
                moves = [v * u - w * z for v, w in zip(x, y)]
                yield at_most(sum_of(move.clipped() + (-move).clipped() for move in moves), z * u * (2 * c.error))

    return sentence, lambda: every(answers())


@kind("kept-on-ball", "keys[g,n,d] stored[g,n,d] error<1 scale>0 max_norm>0 causal! tried[g,d]?")
def kept_on_ball(c):
    """Every query of length R or less moves the weights by at most e: they move by at most tanh(tau R D / 4), with D
    the largest distance between the moves of two keys. What was tried is not looked at."""
    queries = f"query of length at most {say(c.max_norm)}, scale {say(c.scale)}{', causal' if c.causal else ''},"
    sentence = f"For every {queries} the weights over {c.keys} and {c.stored} differ by at most {say(c.error)}."

    def decide():
        widest = max(move_spread(c.keys.part(i), c.stored.part(i)) for i in range(c.g))
        y = (exact(widest).sqrt() * (c.scale * c.max_norm / 2)).exp()
        return at_most((y - 1) / (y + 1), c.error) or None

    return sentence, decide


def move_spread(keys, stored):
    """The square of the largest distance between two of the moves stored_j - keys_j."""
    both, e = common_exponent([array.integers(i) for array in (keys, stored) for i in range(keys.count)])
    moves = {tuple(b - a for a, b in zip(x, y)) for x, y in zip(both, both[keys.count :])}
    charge(len(moves) ** 2 * 0.1 * keys.width)
    return max(sum((a - b) ** 2 for a, b in zip(x, y)) for x in moves for y in moves) * Fraction(4) ** e


# ---------------------------------------------------------------------------------------------------------------------
# What no query can do. These rest on (G): lse(x) >= H(p) + p.x for every distribution p


def gibbs(numbers, limit):
    """u (H(p) - ln limit), with u the sum of the numbers u_j >= 0 and p their shares. If lse(x) <= ln limit, by (G)
    it is at most minus the sum of u_j x_j."""
    whole = sum(numbers)
    entropy = sum_of((exact(whole) / exact(u)).ln() * u for u in numbers if 0 < u < whole)
    return entropy - ln_of(limit) * whole if whole else entropy


def combination(keys, factors):
    """The sum of factors_j k_j, for a dictionary of factors, as fractions."""
    js = [j for j, x in factors.items() if x]
    (numbers,), unit = whole_vectors([[factors[j] for j in js]])
    sums = {}  # for each exponent, so that few numbers are shifted
    for j, factor in zip(js, numbers):
        row, e = keys.integers(j)
        charge(3 + keys.width * (0.15 + factor.bit_length() / 5000))
        sums[e] = [a + factor * x for a, x in zip(sums.get(e, [0] * keys.width), row)]
    parts = [[x * Fraction(2) ** e for x in row] for e, row in sums.items()]
    return [sum(column) * unit for column in zip(*parts)] or [Fraction(0)] * keys.width


def query_words(c):
    """Which queries a claim is about."""
    at = f" with scale {say(c.scale)}" if c.scale else ""
    return f"query{vars(c).get('image') or ''}{at} over {c.keys}{c.precision}"


def long_enough(c, v, gain):
    """Whether |q| >= least follows from gain <= -tau v.q and (I), -v.q <= |Pv| sqrt(|q|^2 - |b'|^2) - v.b'. Without an
    image P = I and b' = 0."""
    along, beside, shift = c.image.split(v) if c.image else (inner_product(v, v), 0, 0)
    needed = gain / c.scale + shift
    enough = below(0, needed) and at_most((c.least**2 - beside) * along, needed * needed)
    return beside >= c.least**2 or enough or None


def ratios_gain(c, e):
    """G with G <= -tau v.q for every query with exact ratios and a leak of at most e.

    The leak says that the lse over j outside S of tau (k_j - k_a0).q is at most ln(e / ((1 - e) w_a0)), and the ratios
    that tau (k_a - k_a0).q = ln(w_a / w_a0).
    """
    u, first = c.witness.fractions(), c.goal.shares[0]
    ratios = sum_of(ln_of(w / first) * u[a] for a, w in zip(c.goal.indices, c.goal.shares) if u[a])
    return gibbs(leaking(c), e / ((1 - e) * first)) - ratios


def leaking(c):
    """The numbers of the witness outside the support."""
    return [x for j, x in enumerate(c.witness.fractions()) if j not in c.goal.support]


def ratios_vector(c):
    """v, the sum of u_j (k_j - k_a0), with u the witness."""
    u = c.witness.fractions()
    u[c.goal.indices[0]] -= sum(u)
    return combination(c.keys, dict(enumerate(u)))


@kind("no-shorter", "keys[n,d] goal error<1 scale>0 least>=0 witness[n] image precision")
def no_shorter(c):
    """Every query with exact ratios and a leak of at most e has |q| >= least: see ratios_gain and long_enough."""
    require(min(leaking(c), default=0) >= 0, "the witness is negative outside the support")
    aims = f"that aims at {c.goal} exactly in these ratios, with at most {say(c.error)} on other keys"
    sentence = f"Every {query_words(c)} {aims}, has a length of {say(c.least)} or more."
    return sentence, lambda: c.least == 0 or long_enough(c, ratios_vector(c), ratios_gain(c, c.error))


@kind("no-smaller-error", "keys[n,d] goal max_norm>0 scale>0 error>=0 witness[n] image precision")
def no_smaller_error(c):
    """Every query with |q| <= R and exact ratios has a leak of at least e: see ratios_gain.

    -tau v.q <= tau m for such queries. If the leak were less than e, then Ent - ratios - tau m would be less than
    lambda ln(e / ((1 - e) w_a0)). Without a lambda, G > 0 says that there is no such query.
    """
    require(c.error <= 1 and min(leaking(c), default=0) >= 0, "error > 1, or the witness < 0 outside the support")
    aims = f"that aims at {c.goal} exactly in these ratios, of length {say(c.max_norm)} or less"
    sentence = f"Every {query_words(c)} {aims}, has {say(c.error)} or more on other keys (1: there is none)."

    def decide():
        v, leaks = ratios_vector(c), any(leaking(c))
        along, beside, shift = c.image.split(v) if c.image else (inner_product(v, v), 0, 0)
        certain = c.error == 0 or c.max_norm**2 < beside
        if certain or (leaks and c.error == 1):
            return certain or None
        furthest = (exact(along * (c.max_norm**2 - beside)).sqrt() - shift) * c.scale
        gain = ratios_gain(c, c.error if leaks else Fraction(1, 2))
        return (at_most(furthest, gain) if leaks else below(furthest, gain)) or None

    return sentence, decide


@kind("none-withstands", "keys[n,d] goal error<1 scale>0 region witness[n] least>=0? precision")
def none_withstands(c):
    """Every query that copies key i within e, for all keys moved in the region, has |q| >= least, or there is none.

    Such a query has lse over j != i of (tau (k_j - k_i).q + delta_j + delta_i) <= ln(e / (1 - e)). By (G), the G of
    ratios_gain is at most -tau v.q - sum u_j (delta_j + delta_i). For a box the last sum is tau W.|q|, so that
    G <= tau L |q|; for a ball it is at least tau y.q for every y in the ellipsoid with half axes W.
    """
    require(c.region and len(c.goal.indices) == 1, "the radius is missing, or the goal is not a copy")
    others = leaking(c)
    require(others and min(others) >= 0 and any(others), "the witness must be >= 0, not all 0")
    length = "is impossible" if c.least is None else f"has a length of {say(c.least)} or more"
    sentence = f"A {query_words(c)} with weights within {say(c.error)} of {c.goal}{c.region}, {length}."

    @cache
    def rest_square():
        v, factors = ratios_vector(c), c.witness.fractions()
        factors[c.goal.indices[0]] = sum(others)
        charge(3 * c.n * c.d)
        axes = [sum(f * c.region.row(j)[k] for j, f in enumerate(factors) if f) * c.region.radius for k in range(c.d)]
        if c.region.norm == "box":
            rest = [max(abs(x) - w, 0) for x, w in zip(v, axes)]
        else:
            square = sum(math.ceil((x / w) ** 2 * 4**80) for x, w in zip(v, axes) if w)  # rounded up, times 4^80
            root = Fraction(math.isqrt(square) + 1, 2**80) if square > 4**80 else 1
            rest = [x - (x / root if w else 0) for x, w in zip(v, axes)]
        return inner_product(rest, rest) * c.scale**2

    def decide():
        gain = ratios_gain(c, c.error)
        if c.least == 0 or below(0, gain) is not True:
            return c.least == 0 or None
        return rest_square() == 0 or (c.least and at_most(rest_square() * c.least**2, gain.square())) or None

    return sentence, decide


def read_witness(claim, goals, seen):
    """{(*place, i): {j: N}} from entries [*place, i, j, N]: i in the support of the goal at this place, j another key
    below the number that is seen there, each once, and N > 0 in base 16."""
    result, arity = {}, len(next(iter(goals))) + 3
    for entry in read_list(claim.json("witness"), "witness"):
        *place, number = read_list(entry, "an entry of the witness", arity, arity)
        *place, i, j = (read_integer(x, "an index of the witness") for x in place)
        place = tuple(place)
        fits = place in goals and i in goals[place].support and i != j < seen[place]
        numbers = result.setdefault((*place, i), {})
        require(fits and j not in numbers, "the witness has an index that it must not have, or names a place twice")
        numbers[j] = read_hex(number, "a number of the witness")
        require(numbers[j] > 0, "the numbers of the witness must be positive")
    return result


def contradiction(witness, goals, e):
    """The sum over (*place, i) of the sum of N there times H(p) - ln((1 - w_i + e) / (w_i - e)), with p the shares of
    the N.

    TV <= e implies alpha_i >= w_i - e, which says that lse over j != i of the score differences is at most the
    logarithm. By (G) the sum is at most minus the N times the differences. If these cancel, it must not be positive.
    """
    result = exact(0)
    for (*place, i), numbers in witness.items():
        goal = goals[tuple(place)]
        w = goal.shares[goal.indices.index(i)]
        sure(w > e, "a share that may be missed altogether")
        result = result + gibbs(numbers.values(), (1 - w + e) / (w - e))
    return result


def all_differences(witness, keys):
    """{place: the sum of N (k_j - k_i)}."""
    factors = {}
    for (*place, i), numbers in witness.items():
        own = factors.setdefault(tuple(place), {})
        for j, number in (*numbers.items(), (i, -sum(numbers.values()))):
            own[j] = own.get(j, 0) + number
    return {place: combination(keys, own) for place, own in factors.items()}


@kind("out-of-reach", "keys[n,d] goal error<1 image precision scale>0?")
def out_of_reach(c):
    """No query has TV(alpha, w) <= e, as the witness combines the score differences to 0: see contradiction."""
    require(bool(c.scale) == bool(c.image and c.image.b), "a scale goes with an offset, and only with it")
    goals = {(): c.goal}
    witness = read_witness(c.claim, goals, {(): c.n})
    sentence = f"No {query_words(c)} has weights within total variation {say(c.error)} of {c.goal}."

    def decide():
        bound = contradiction(witness, goals, c.error)
        for v in all_differences(witness, c.keys).values():
            if any(c.image.products(v) if c.image else v):
                return None
            bound = bound + (inner_product(v, c.image.offset) * c.scale if c.scale else 0)
        return below(0, bound) or None

    return sentence, decide


@kind("goals-contradict", "tokens[n,d] causal! error<1")
def goals_contradict(c):
    """No matrix M has TV(alpha_r, w_r) <= e in every row r: the witness combines the score differences
    x_r.M (x_j - x_i) to 0 for every M, as the sum of N x_r (x_j - x_i)^T is 0. See contradiction."""
    by_row = read_row_goals(c.claim, c.n, c.n, c.causal)
    goals = {(row,): goal for row, goal in by_row}
    witness = read_witness(c.claim, goals, {row: row[0] + 1 if c.causal else c.n for row in goals})
    weights = f"{'causal ' if c.causal else ''}softmax weights of the scores x_r.M x_j over {c.tokens}"
    sentence = f"No matrix M has {weights} within total variation {say(c.error)} of {row_words(by_row)}."

    def decide():
        if below(0, contradiction(witness, goals, c.error)) is not True:
            return None
        vectors = [(c.tokens.fractions(r), v) for (r,), v in all_differences(witness, c.tokens).items()]
        charge(len(vectors) * c.d * c.d * 5)
        return not any(sum(x[a] * y[b] for x, y in vectors) for a in range(c.d) for b in range(c.d)) or None

    return sentence, decide


@kind("hulls-meet", "keys[n,d] top image gap>0? scale>0? precision")
def hulls_meet(c):
    """No query scores the keys of S above the others: N_j times keys of S, minus N_j times others, with equal sums M,
    is 0 (in an image: 0 but for A from the offset). For a query with gap g the same sum of scores is at least g M."""
    indices = read_indices(c.claim.json("indices"), c.n, "indices")
    weights = [read_hex(x, "a weight", fractions=False) for x in read_list(c.claim.json("weights"), "weights")]
    require(len(weights) == len(indices) and min(weights, default=1) > 0, "each index needs a positive weight")
    fits = (c.gap is None) == (c.scale is None) and (c.gap is None or (c.image and c.image.b))
    require(fits, "gap and scale go together, with an offset")
    much = f" by {say(c.gap)} or more" if c.gap else ""
    sentence = f"No {query_words(c)} scores the keys {some(c.top)} above all others{much}."

    def decide():
        factors = {j: x if j in c.top else -x for j, x in zip(indices, weights)}
        most, v = sum(x for x in factors.values() if x > 0), combination(c.keys, factors)
        if sum(factors.values()) or not most or any(c.image.products(v) if c.image else v):
            return None
        a = inner_product(v, c.image.offset) if c.image else 0
        return (a <= 0 if c.gap is None else c.scale * a < c.gap * most) or None

    return sentence, decide


@kind("gap-norm", "keys[n,d] top gap>0 scale>0 least>=0 witness[n] image precision")
def gap_norm(c):
    """Every query with this gap has |q| >= least: gap <= -tau v.q for v the difference of two means of keys."""
    u, chosen = c.witness.fractions(), set(c.top)
    inside, outside = sum(u[j] for j in chosen), sum(w for j, w in enumerate(u) if j not in chosen)
    require(min(u) >= 0 and inside > 0 and outside > 0, "the witness must be >= 0, with a part on either side")
    wins = f"scores the keys {some(c.top)} above all others by {say(c.gap)} or more"
    sentence = f"Every {query_words(c)} that {wins} has a length of {say(c.least)} or more."
    factors = {j: -w / inside if j in chosen else w / outside for j, w in enumerate(u)}
    return sentence, lambda: long_enough(c, combination(c.keys, factors), c.gap)


@kind("outputs-contradict", "tokens[n,d] outputs[m,v]")
def outputs_contradict(c):
    """No matrix V has V m_r = y_r for every pair: the sum of u_r m_r is 0, that of u_r y_r is not."""
    goals = read_row_goals(c.claim, c.n, c.n)
    witness = [read_hex(x, "a number of the witness") for x in read_list(c.claim.json("witness"), "witness")]
    require(len(witness) == len(goals) == c.m, "the witness, the goals and the outputs have different lengths")
    sentence = f"No matrix V maps the means of {c.tokens} by shares ({row_words(goals)}) to the rows of {c.outputs}."

    def decide():
        shares = [dict(zip(goal.indices, (u * w for w in goal.shares))) for u, (_, goal) in zip(witness, goals)]
        mean = map(sum, zip(*(combination(c.tokens, own) for own in shares)))
        return (any(combination(c.outputs, dict(enumerate(witness)))) and not any(mean)) or None

    return sentence, decide


@kind("spans-meet", "basis[d,m] against[d,p]")
def spans_meet(c):
    """No map gives v_a for v_a + v_b: sum x_j a_j = sum y_j b_j is not 0, so that as v_a, with v_b = 0, it must give
    itself, and as v_b, with v_a = 0, it must give 0."""
    names = ("in_basis", "in_against")
    x, y = ([read_hex(a, name, fractions=False) for a in read_list(c.claim.json(name), name)] for name in names)
    require(len(x) == c.m and len(y) == c.p, "there must be an integer for each column")
    sentence = f"No map gives v_a for v_a + v_b, for all v_a in the span of {c.basis} and v_b in that of {c.against}."

    def decide():
        first = matrix_times(c.basis.fraction_rows(), x)
        return (any(first) and first == matrix_times(c.against.fraction_rows(), y)) or None

    return sentence, decide


# ---------------------------------------------------------------------------------------------------------------------
# Matrices: (rows of integers, e) stands for the integers times 2^e


def dot(a, b):
    """The inner product of two lists of integers."""
    return sum(map(mul, a, b))


def matrix_product(a, b):
    """The product of two matrices, the first of which may be sparse. A last column of it that is a bias is left out:
    it has no row in the second."""
    rows, width = [], len(b[0][0]) if b[0] else 0
    for row in a[0]:
        numbers, lines = list(filter(None, row)), list(itertools.compress(b[0], row))
        charge(1 + len(row) / 20 + width * (0.3 + 0.08 * len(lines)))
        rows.append([dot(numbers, column) for column in (zip(*lines) if lines else [()] * width)])
    return rows, a[1] + b[1]


def transpose_of(a):
    """The transpose of a matrix."""
    return list(zip(*a[0])), a[1]


def minus(a, b):
    """The difference of two matrices."""
    both, e = common_exponent([(row, e) for rows, e in (a, b) for row in rows])
    return [[x - y for x, y in zip(p, q)] for p, q in zip(both, both[len(a[0]) :])], e


def square_norm(a):
    """The sum of the squares of the entries, a fraction."""
    charge(0.2 * sum(map(len, a[0])))
    return sum(x * x for row in a[0] for x in row) * Fraction(4) ** a[1]


def frobenius(a):
    """The Frobenius norm, which is at least the spectral norm."""
    return exact(square_norm(a)).sqrt()


def stretches(u, v):
    """(sqrt((1 - alpha)(1 - beta)), sqrt((1 + alpha)(1 + beta))), with alpha = |U^T U - I| and beta = |V^T V - I|: the
    columns of U and V stretch by factors between these. The first is 0 if one exceeds 1."""
    size = range(len(u[0][0]))
    identity = [[int(i == j) for j in size] for i in size], 0
    alpha, beta = (frobenius(minus(matrix_product(transpose_of(x), x), identity)) for x in (u, v))
    return ((1 - alpha).clipped() * (1 - beta).clipped()).sqrt(), ((1 + alpha) * (1 + beta)).sqrt()


def falling(array):
    """Numbers of an array that are at least 0 and do not increase."""
    s = array.fractions()
    require(s[-1] >= 0 and all(a >= b for a, b in zip(s, s[1:])), f"{array.name} must be >= 0, and not increase")
    return s


def scaled_columns(u, s, first=0):
    """U diag(s), with s an array of which the numbers before the first one are taken as 0."""
    numbers, e = s.integers()
    return [[x * y for x, y in zip(row, [0] * first + numbers[first:])] for row in u[0]], u[1] + e


@kind("singular-squares", "matrix[n,d] low high")
def singular_squares(c):
    """The squares of the singular values add up to the squares of the entries."""
    require(c.low <= c.high, "low is above high")
    sentence = f"The squares of the singular values of {c.matrix} have a sum from {say(c.low)} to {say(c.high)}."
    return sentence, lambda: c.low <= square_norm(c.matrix.matrix()) <= c.high


@kind("singular-tail", "matrix[n,d] bound>=0")
def singular_tail(c):
    """k times the square of the k-th singular value is at most the sum of all squares."""
    k = c.claim.integer("k", 1, min(c.n, c.d))
    sentence = f"The singular value number {k} of {c.matrix}, counted from 1, largest first, is at most {say(c.bound)}."
    return sentence, lambda: square_norm(c.matrix.matrix()) <= k * c.bound**2 or None


@kind("singular-values", "matrix[n,d] low[p] high[p] left[n,p] values[p] right[d,p]")
def singular_values(c):
    """low_i <= sigma_i(A) <= high_i: the singular values of U diag(s) V^T are s_i times factors between those of
    `stretches`, and A differs from it by at most eps in norm, so that each singular value does."""
    lows, highs, s = c.low.fractions(), c.high.fractions(), falling(c.values)
    fits = c.p == min(c.n, c.d) and all(a <= b for a, b in zip(lows, highs))
    require(fits, "there are too many or too few bounds, or one of `low` is above that of `high`")
    sentence = f"The {c.p} singular values of {c.matrix}, largest first, lie between {c.low} and {c.high}."

    def decide():
        u, v = c.left.matrix(), c.right.matrix()
        least, most = stretches(u, v)
        rest = frobenius(minus(c.matrix.matrix(), matrix_product(scaled_columns(u, c.values), transpose_of(v))))
        found = [((least * x - rest).clipped(), most * x + rest, *ends) for x, *ends in zip(s, lows, highs)]
        if any(below(above, low) or below(high, under) for under, above, low, high in found):
            return False
        return all(at_most(low, under) and at_most(above, high) for under, above, low, high in found) or None

    return sentence, decide


LOW_RANK = "matrix[n,d] left[n,r] right[r,d] error>=0 best>=0 witness_left[n,q] witness_values[q] witness_right[d,q]"


@kind("low-rank", LOW_RANK)
def low_rank(c):
    """|A - L R| <= error and sigma_(r+1)(A) >= best.

    U' diag(s') V'^T, what follows the first r columns of the witness, has a norm of at most the upper factor times
    s_(r+1), and A - L R is near it. A^T U is near V diag(s), whose singular values are at least sqrt(1 - beta) s_i, and
    those of A^T U are at most sqrt(1 + alpha) times those of A. No matrix of rank r is nearer than sigma_(r+1).
    """
    s = falling(c.witness_values)
    require(max(c.r, c.q) <= min(c.n, c.d), "there are more columns than a rank allows")
    best = f"no matrix of rank {c.r} or less is nearer than {say(c.best)}"
    sentence = f"In spectral norm {c.matrix} is within {say(c.error)} of {c.left} times {c.right}, and {best}."

    def decide():
        a, u, v = c.matrix.matrix(), c.witness_left.matrix(), c.witness_right.matrix()
        (least, most), following = stretches(u, v), s[c.r] if c.r < c.q else 0
        tail = matrix_product(scaled_columns(u, c.witness_values, c.r), transpose_of(v))
        rest = minus(a, matrix_product(c.left.matrix(), c.right.matrix()))
        above = most * following + frobenius(minus(rest, tail))
        apart_by = frobenius(minus(scaled_columns(v, c.witness_values), matrix_product(transpose_of(a), u)))
        under = (least * following - apart_by).clipped()
        if below(c.error, under) or below(above, c.best):
            return False
        return (at_most(above, c.error) and (c.best == 0 or at_most(c.best, under))) or None

    return sentence, decide


@kind("reads-out", "basis[d,m] matrix[d,d] against[d,p]? share>0 bound>=0 witness[d,m]?")
def reads_out(c):
    """|M s (v_a + v_b) - v_a| <= eps (sum |x_j||a_j| + sum |y_j||b_j|): enough for each column, as norms add up, and
    needed for each column. For all v_b orthogonal to the basis: (s M - X A^T) v_b = s M v_b."""
    require(bool(c.against) != bool(c.witness), "there must be either the array against or a witness")
    vectors = f"v_a spanned by {c.basis} and v_b {f'spanned by {c.against}' if c.against else 'orthogonal to it'}"
    sentence = f"For all {vectors}, {say(c.share)} {c.matrix} (v_a + v_b) is v_a up to {say(c.bound)} times lengths."

    def decide():
        rows = c.matrix.fraction_rows()
        wrong = [(a, [x * c.share - y for x, y in zip(matrix_times(rows, a), a)]) for a in c.basis.columns()]
        wrong += [(b, [x * c.share for x in matrix_times(rows, b)]) for b in (c.against.columns() if c.against else ())]
        if any(inner_product(x, x) > c.bound**2 * inner_product(a, a) for a, x in wrong):
            return False
        if c.against:
            return True
        pairs = zip(rows, c.witness.fraction_rows())
        rest = [x * c.share - inner_product(w, a) for row, w in pairs for x, a in zip(row, c.basis.fraction_rows())]
        return inner_product(rest, rest) <= c.bound**2 or None

    return sentence, decide


# ---------------------------------------------------------------------------------------------------------------------
# Rows that are apart


def cos_sin(x):
    """(cos, sin) of an interval: series at its middle, of which the distance to the ends is added to the error."""
    w = STATE.bits + 40
    size = max(0, x.e + max(x.lo.bit_length(), x.hi.bit_length()))
    afford(size <= 10_000, "a cosine")
    low, high = x.ends(-w - size)
    turns, angle = divmod((low + high) // 2, 2 * pi_scaled(w + size))
    angle >>= size
    error = ((high - low) >> size) + (abs(turns) >> size) * 4 + (1 << 20)
    charge(8 + w / 3 * product_cost(w))
    sums, term, i = [0, 0, 0, 0], 1 << w, 0
    while term:
        sums[i % 4] += term
        i += 1
        term = (term * angle >> w) // i
    return tuple(Interval(a - error, a + error, -w) for a in (sums[0] - sums[2], sums[1] - sums[3]))


def rounded(x, name):
    """x rounded to one of the FLOATS, of two equally near ones to that with an even integer. None if it overflows."""
    bits, least, largest = FLOATS[name]
    length = x.numerator.bit_length() - x.denominator.bit_length()
    length += abs(x) >= Fraction(2) ** length
    unit = Fraction(2) ** max(length - bits, least)
    result = round(x / unit) * unit
    return result if abs(result) <= largest else None


@cache
def frequency(base, power, _bits):
    """base to a power, once for each precision."""
    return (ln_of(base) * power).exp()


class Waves:
    """Rows of sines and cosines: sin(t w_i) in column 2i, cos(t w_i) in column 2i + 1, w_i = base^(-2i/d)."""

    def __init__(self, value):
        read_object(value, ("code", "length", "dim", "base"), ("dtype",), "rows")
        require(value["code"] in ("sinusoidal", "rotary"), "the code is unknown")
        self.count = read_integer(value["length"], "length", 1, 1 << 32)
        self.dim, self.base = read_integer(value["dim"], "dim", 2, 65_536), read_rational(value["base"], "base")
        fits = self.dim % 2 == 0 and Fraction(1e-300) <= self.base <= Fraction(1e300)
        require(fits, "dim is odd, or the base is too large or too small")

    def __str__(self):
        return f"{self.count} positions in sinusoidal waves of dimension {self.dim} with base {say(self.base)}"

    def angles(self, t):
        """t w_i for each i."""
        return (frequency(self.base, Fraction(-2 * i, self.dim), STATE.bits) * t for i in range(self.dim // 2))

    def square(self, shift, enough=None):
        """The square of the distance of rows t and t + shift: the sum of 4 sin^2(w_i shift / 2). It may stop early,
        when it is at least `enough`."""
        result = exact(0)
        for x in self.angles(Fraction(shift, 2)):
            result = result + cos_sin(x)[1].square() * 4
            if enough is not None and at_most(enough, result):
                break
        return result

    def row(self, t, dtype):
        """Row t, rounded."""
        charge(10 * self.dim)
        waves = [cos_sin(x)[::-1] if t else (exact(0), exact(1)) for x in self.angles(t)]
        ends = [[rounded(end * Fraction(2) ** x.e, dtype) for end in (x.lo, x.hi)] for pair in waves for x in pair]
        sure(all(low == high for low, high in ends), "a number between two of the type")
        return [low for low, _ in ends]


def apart(rows, distance):
    """Whether any two rows of fractions are at least `distance` apart, or different if it is 0. Sorted by one column,
    only rows that are close there are compared."""
    if not distance:
        return len(set(map(tuple, rows))) == len(rows)
    rows, unit = whole_vectors(rows)
    limit = (distance / unit) ** 2
    c = max(range(len(rows[0])), key=lambda i: max(row[i] for row in rows) - min(row[i] for row in rows))
    order = sorted(rows, key=lambda row: row[c])
    for i, row in enumerate(order):
        for other in itertools.islice(order, i + 1, None):
            charge(0.8 + 0.09 * len(row))
            if (other[c] - row[c]) ** 2 >= limit:
                break
            if sum((a - b) ** 2 for a, b in zip(row, other)) < limit:
                return False
    return True


@kind("rows-apart", "distance>=0? within>=0? everywhere!?")
def rows_apart(c):
    """Any two rows are at least delta apart, and a pair of rows is not too far apart.

    Exact waves: the distance of rows depends on the difference of their numbers alone. Rows at different integers are
    different, as w_0 = 1 and pi is irrational. Tables and rounded rows: squares of rationals.
    """
    value = c.claim.json("rows")
    require(isinstance(value, dict), "rows must be an object")
    waves = Waves(value) if "code" in value else None
    table, dtype = None if waves else c.claim.array("table", 2), value.get("dtype")
    fits = (waves or set(value) <= {"dtype"}) and ("dtype" not in value or dtype in WIDE)
    require(fits, "rows has an unknown part, or its dtype is unknown")
    length, exact_waves = (waves or table).count, waves and not dtype
    pair = read_indices(c.claim.json("pair"), length, "pair", 2) if c.claim.has("pair") else None
    require(pair is None or (len(pair) == 2 and pair[0] < pair[1]), "a pair must be two rising numbers of rows")
    require((pair is None) == (c.within is None) and (pair or c.distance is not None), "distance, pair or within lacks")
    fits = c.everywhere is None or (c.everywhere and c.distance is not None and exact_waves)
    require(fits, "everywhere goes with exact waves and a distance")
    rows = [[rounded(x, dtype) if dtype else x for x in row] for row in table.fraction_rows()] if table else []
    require(all(None not in row for row in rows), f"a number of the table overflows {dtype}")
    words = f" any two are different, and {say(c.distance)} or more apart." if c.distance is not None else ""
    words += f" Rows {pair[0]} and {pair[1]} are at most {say(c.within)} apart." if pair else ""
    whose = f"{table or waves}{f', rounded to {dtype}' if dtype else ''}{' (and everywhere)' if c.everywhere else ''}"
    sentence = f"Rows of {whose}:{words}"

    def row(t):
        return rows[t] if table else waves.row(t, dtype)

    def square(i, j):
        return waves.square(j - i) if exact_waves else sum((a - b) ** 2 for a, b in zip(row(i), row(j)))

    def answers():
        yield at_most(square(*pair), c.within**2) if pair else True
        if exact_waves and c.distance:
            yield from (at_most(c.distance**2, waves.square(s, c.distance**2)) for s in range(1, length))
        elif c.distance is not None and not exact_waves:
            charge(20 * length)
            yield apart([row(t) for t in range(length)], c.distance)

    return sentence, lambda: every(answers())


# ---------------------------------------------------------------------------------------------------------------------
# Keys that vary


class GaussianLaw:
    """Independent keys k_j ~ N(mu_j, a_j I + v_j m m^T + U_j U_j^T + C_j) with m = mu_j / |mu_j|."""

    def __init__(self, claim, keys):
        (n, d), self.keys, self.factors = keys.shape, keys, {}
        self.a, self.v = (claim.array(name, shape=(n,)).fractions() for name in ("isotropic", "along"))
        good = min(self.a) >= 0 and min(a + v for a, v in zip(self.a, self.v)) >= 0
        require(good and all(any(keys.row(j)) for j in range(n) if self.v[j]), "isotropic or along must not be so")
        for name in [name for name in claim.arrays if name.startswith("factor_")]:
            number = name[7:]
            require(re.fullmatch("0|[1-9][0-9]{0,8}", number) and int(number) < n, f"{name} belongs to no key")
            self.factors[int(number)] = claim.array(name, shape=(d, None)).columns()
        cov = claim.maybe_array("cov")
        require(not cov or cov.shape in ((d, d), (n, d, d)), "cov has a shape that does not fit")
        self.cov = [part.fraction_rows() for part in cov.parts()] if cov else [[]]
        require(all(map(is_semidefinite, self.cov)), "cov must be symmetric and positive semi-definite")

    def covariance(self, j, queries, scale):
        """The covariances tau^2 q_g^T Sigma_j q_h of the scores of key j."""
        mu, cov = self.keys.fractions(j), self.cov[j % len(self.cov)]
        weighted = [(1, u) for u in self.factors.get(j, [])]
        if self.v[j]:
            weighted.append((self.v[j] / inner_product(mu, mu), mu))

        def entry(p, q):
            parts = sum(w * inner_product(u, p) * inner_product(u, q) for w, u in weighted)
            return (self.a[j] * inner_product(p, q) + parts + inner_product(p, matrix_times(cov, q))) * scale**2

        return [[entry(p, q) for q in queries] for p in queries]


def is_semidefinite(rows):
    """Whether a matrix of fractions is symmetric and positive semi-definite. A pivot of 0 must stand in a row of 0."""
    symmetric = all(rows[i][j] == rows[j][i] for i in range(len(rows)) for j in range(i))
    rows, _ = eliminated(whole_vectors(rows)[0], len(rows))
    return symmetric and all(row[k] >= 0 and (row[k] or not any(row[k:])) for k, row in enumerate(rows))


def read_laws(claim, n):
    """{key: [(factor, probability)]} of a scaled law."""
    laws, last = {}, -1
    for entry in read_list(claim.json("laws"), "laws"):
        key, law = read_pair(entry, "an entry of laws")
        last = read_integer(key, "a key of laws", last + 1, n - 1)
        pairs = [tuple(map(read_rational, read_pair(pair, "an entry of a law"))) for pair in read_list(law, "a law", 1)]
        require(len({c for c, _ in pairs}) == len(pairs), "a law names a factor twice")
        (counts,), unit = whole_vectors([[p for _, p in pairs]])
        require(min(counts) > 0 and sum(counts) * unit == 1, "probabilities must be positive, with the sum 1")
        laws[last] = pairs
    require(math.prod(map(len, laws.values())) <= 4_194_304, "there are too many combinations of factors")
    return laws


def below_normal(x):
    """P(z <= x) for a standard Gaussian z and a fraction x: 1/2 + density (x + x^3/3 + x^5/15 + ...).

    Each further term is x^2 / k times the one before. From x^2 / k <= 1/2 on, the rest is at most the last term.
    """
    square, w = x * x, STATE.bits
    term = result = exact(abs(x))
    k, limit = 1, Interval(1, 1, term.e + term.hi.bit_length() - w - 8)
    while x and (2 * square > k + 2 or below(term, limit) is not True):
        k += 2
        term = term * square / k
        result = result + term
    density = exp_of(-square / 2) / (Interval(pi_scaled(w), pi_scaled(w) + 2, -w) * 2).sqrt()
    part = (result + hull([exact(0), term])) * density
    return (part if x > 0 else -part) + Fraction(1, 2)


def signs_of_one(cov):
    """If one Gaussian moves the scores with these covariances, its signs in them. Otherwise None."""
    variances = [row[g] for g, row in enumerate(cov)]
    signs = [(x > 0) - (x < 0) for x in cov[variances.index(max(variances))]]
    moves = [sign * x for sign, x in zip(signs, variances)]
    fits = all(x * abs(x) == a * abs(b) * sign for a, row in zip(moves, cov) for x, b, sign in zip(row, moves, signs))
    return signs if fits else None


@kind("within-error-with-probability", "heads goal error<1 confidence<1")
def within_error_with_probability(c):
    """TV(alpha, w) <= e with probability at least c: a finite sum for a scaled law, otherwise see gaussian_answer."""
    gaussian = c.claim.text("law", ("gaussian", "scaled")) == "gaussian"
    require(not c.claim.has("matrix") and not c.claim.has("precision"), "there must be no image and no precision")
    laws = None if gaussian else read_laws(c.claim, c.heads.n)
    law = GaussianLaw(c.claim, c.heads.keys) if gaussian else None
    varying = "independent Gaussian keys" if gaussian else f"keys {some(laws)} times independent factors"
    chance = f"With a probability of {say(c.confidence)} or more over {varying}, the weights"
    sentence = f"{chance} of {c.heads} are within total variation {say(c.error)} of {c.goal}."
    return sentence, lambda: gaussian_answer(c, law) if gaussian else scaled_answer(c, laws)


def scaled_answer(c, laws):
    """Bounds of the probability of a scaled law: the sum over all combinations of factors."""
    good, bad, own = Fraction(0), Fraction(0), c.heads.scores()
    for chosen in itertools.product(*laws.values()):
        factors = dict(zip(laws, (factor for factor, _ in chosen)))
        weights = Weights([[s * factors.get(j, 1) for j, s in enumerate(scores)] for scores in own], c.heads.mix)
        probability, answer = math.prod((p for _, p in chosen), start=Fraction(1)), weights.within(c.goal, c.error)
        charge(9 * len(laws) * product_cost(good.denominator.bit_length() + probability.denominator.bit_length()))
        good, bad = good + probability * (answer is True), bad + probability * (answer is False)
        if good >= c.confidence or 1 - bad < c.confidence:
            return good >= c.confidence
    return None


def gaussian_answer(c, law):
    """Bounds of the probability of a Gaussian law.

    The line of the Gaussian z that moves the key m is cut into cells, and all other scores are kept in a box of some
    standard deviations, the reach. The probability of leaving it is subtracted. Cells in which nothing is decided are
    cut in two, and wait behind the others. The key and the reach are what the sender says. Otherwise the key is the
    one that varies most.
    """
    own, mix = c.heads.scores(), c.heads.mix
    cov = [law.covariance(j, c.heads.vectors, c.heads.scale) for j in range(c.heads.n)]
    spread = [[row[g] for g, row in enumerate(rows)] for rows in cov]
    if not any(map(any, spread)):
        return Weights(own, mix).within(c.goal, c.error)
    key, reach = c.said.get("key"), c.said.get("reach")
    key = key if type(key) is int and 0 <= key < len(cov) else max(range(len(cov)), key=lambda j: sum(spread[j]))
    good = isinstance(reach, str) and re.fullmatch("[1-9][0-9]{0,8}(/[1-9][0-9]{0,8})?", reach)
    reach = Fraction(reach) if good else Fraction(4)
    signs, others = signs_of_one(cov[key]), sum(map(bool, itertools.chain(*spread[:key], *spread[key + 1 :])))
    exps = [[exps(x) for x in scores] for exps, scores in zip(map(Exponentials, own), own)]

    def moved(g, j, ends):
        low, high = both_ends(hull([(exact(spread[j][g]).sqrt() * z).exp() for z in ends]))
        return exps[g][j] * high, exps[g][j] * low

    boxes = [[moved(g, j, (-reach, reach)) for j in range(len(cov))] for g in range(len(own))]
    leave = below_normal(-reach) * (2 * others)
    good, bad, width = -leave, leave + 1, Fraction(math.isqrt(STATE.bits) + 2)
    cells = [(-width, width)] if signs else []
    for low, high in cells:
        for cell in ((low, (low + high) / 2), ((low + high) / 2, high)):
            for g, pairs in enumerate(boxes):
                pairs[key] = moved(g, key, [z * signs[g] for z in cell])
            found = judged(boxes, mix, c.goal, c.error)
            size = below_normal(cell[1]) - below_normal(cell[0])
            good, bad = good + size * (found is True), bad - size * (found is False)
            cells += [cell] if found is None and len(cells) < 100 else []
        if at_most(c.confidence, good) or below(bad, c.confidence):
            return at_most(c.confidence, good) is True
    return None


# ---------------------------------------------------------------------------------------------------------------------
# Claims made of claims


@kind("all-of")
def all_of(claim):
    """All of the claims are true: each is. One that is false refutes it."""
    entries = read_list(claim.json("claims"), "claims", 1)
    inner = [claim.inner(entry, f"claims.{i}").read() for i, entry in enumerate(entries)]
    statements = " ".join(f"({i}) {sentence}" for i, (sentence, _) in enumerate(inner, 1))
    return f"All of these are true: {statements}", lambda: every(answer_now(decide) for _, decide in inner)


@kind("contrary")
def contrary(claim):
    """`claim` is false: it is refuted. `where` is a proper claim, and has no bearing on this."""
    sentence, decide = claim.inner(claim.json("claim"), "claim").read()
    if claim.has("where"):
        claim.inner(claim.json("where"), "where").read()
    return f"This is false: {sentence}", lambda: negated(answer_now(decide))


# ---------------------------------------------------------------------------------------------------------------------
# Formulas

ARGUMENTS = dict.fromkeys(("log", "exp", "sqrt", "abs", "inv", "pinv", "norm"), (1, 1))
ARGUMENTS.update({"min": (2, 8), "max": (2, 8), "dot": (2, 2), "svd_part": (2, 2)})
NODES = {"number": 1, "name": 1, "constant": 1, "power": 2, "transposed": 1}  # how many parts they have
SIGNS = {"sum": {1: " + ", -1: " − "}, "product": {1: "·", -1: "/"}}
LARGE_SYMBOLS = ("t", "T", "s", "beta")


def read_name(value):
    """A name in formulas."""
    require(isinstance(value, str) and re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,40}", value), "a name is none")
    return value


def read_nodes(value, names, depth=0):
    """The number of nodes of a formula, with at most 60 levels below the root. Its names are added to `names`."""
    word, *parts = read_list(value, "a formula", 1)
    require(isinstance(word, str) and depth <= 60, "a formula has a bad node, or is too deep")
    if word == "array":
        rows = [list(map(read_rational, read_list(row, "a row", 1))) for row in read_list(parts, word, 1)]
        require(len(set(map(len, rows))) == 1, "the rows of an array differ in length")
        return 1 + sum(map(len, rows[1:]))
    if word in SIGNS:
        terms = [read_pair(term, "a term") for term in read_list(parts, word, 1)]
        require(all(type(sign) is int and abs(sign) == 1 for sign, _ in terms), "a sign must be 1 or -1")
        parts = [part for _, part in terms]
    elif word == "call":
        require(parts and isinstance(parts[0], str) and parts[0] in ARGUMENTS, "a function is unknown")
        parts = read_list(parts[1:], parts[0], *ARGUMENTS[parts[0]])
    else:
        require(len(parts) == NODES.get(word), "a node is unknown, or has too many parts or too few")
        require(word != "constant" or parts[0] in ("pi", "e", "I"), "a constant is unknown")
        names.update(map(read_name, parts if word == "name" else ()))
        require(word != "number" or read_rational(parts[0]) is not None, "a number is none")
        parts = parts if word in ("power", "transposed") else []
    return 1 + sum(read_nodes(part, names, depth + 1) for part in parts)


def read_tree(value, allowed=None):
    """(formula, its names). The names must be among those that are allowed."""
    names = set()
    require(read_nodes(value, names) <= 2000, "a formula has more than 2,000 nodes")
    require(allowed is None or names <= set(allowed), f"a formula has other names than {some(allowed or ())}")
    return value, names


def in_words(tree):
    """A formula, with power(x, y) and transposed(x)."""
    word, *parts = tree
    if word in SIGNS:
        text = "".join(SIGNS[word][sign] + in_words(part) for sign, part in parts)
        return f"({'1' if text[0] == '/' else ''}{text.lstrip(' +·')})"
    if word == "array":
        return f"[{'; '.join(map(', '.join, parts))}]"
    if word in ("number", "name", "constant"):
        return f"({parts[0]})" if set("-/") & set(parts[0]) else parts[0]
    name, *arguments = parts if word == "call" else tree
    return f"{name}({', '.join(map(in_words, arguments))})"


# A number is a fraction, an interval, or a polynomial in symbols; a matrix is a list of rows of numbers, and has more
# than one entry. A polynomial is a dictionary from monomials to fractions or intervals. A monomial is a frozenset of
# pairs (atom, power), and an atom is the name of a symbol, or stands for the logarithm of a polynomial: the frozenset
# of its items. Negative powers occur of symbols that are positive, and of logarithms that are not 0.

UNIT = frozenset()


def terms_of(x):
    """The pairs (monomial, coefficient) of a number."""
    return list(x.items()) if isinstance(x, dict) else [(UNIT, x)]


def sum_of_terms(terms):
    """The sum of pairs (monomial, coefficient)."""
    p = {}
    for monomial, c in terms:
        bits = c.numerator.bit_length() + c.denominator.bit_length() if isinstance(c, Fraction) else 0
        charge(7 + 3 * len(monomial) + (bits / 300) ** 2)
        p[monomial] = p[monomial] + c if monomial in p else c
    p = {monomial: c for monomial, c in p.items() if isinstance(c, Interval) or c}
    return p if p.keys() - {UNIT} else p.get(UNIT, Fraction(0))


def plus(*numbers):
    """The sum of some numbers."""
    return sum_of_terms(term for x in numbers for term in terms_of(x))


def times(x, y):
    """x y for numbers."""

    def merged(a, b):
        powers = {atom: dict(a).get(atom, 0) + dict(b).get(atom, 0) for atom, _ in a | b}
        return frozenset(pair for pair in powers.items() if pair[1])

    charge(0.5)
    if x in (0, 1) or y in (0, 1):
        return x if x == 0 or y == 1 else y
    pairs = itertools.product(terms_of(x), terms_of(y))
    return sum_of_terms((merged(a, b), d if c == 1 else c if d == 1 else c * d) for (a, c), (b, d) in pairs)


def negative(x):
    """-x for numbers."""
    return {monomial: -c for monomial, c in x.items()} if isinstance(x, dict) else -x


def difference(x, y):
    """x - y for numbers."""
    return Fraction(0) if x == y else plus(x, negative(y))


def raised(x, k):
    """x to the power k >= 0."""
    return times(x, raised(x, k - 1)) if k else Fraction(1)


def inner(x, y):
    """The inner product of two lists of numbers."""
    return plus(*map(times, x, y))


class Calculus:
    """The values of formulas, for all values of the symbols in their ranges at once.

    A range is (low, high, closed). A high end of None is none. `closed` is about the high end if there is one,
    otherwise about the low end; other low ends are open. What is said of signs holds for all values of the symbols.
    Where the page leaves open what a value is, or it takes more than is done here, it is Uncertain.
    """

    def __init__(self, ranges, names, large=(), space=None):
        self.ranges, self.large, self.space = ranges, large, space  # space: the targets, in a space of open size
        self.names = {**names, **{name: {frozenset({(name, 1)}): Fraction(1)} for name in ranges}}

    def value(self, tree):
        """The value of a formula."""
        word, *parts = tree
        if word == "name":
            sure(parts[0] in self.names, "a name without a value")
            return self.names[parts[0]]
        if word == "constant":
            sure(parts[0] != "I", "an identity matrix")
            pi = pi_scaled(STATE.bits)
            return exp_of(Fraction(1)) if parts[0] == "e" else Interval(pi, pi + 2, -STATE.bits)
        if word in ("number", "array"):
            rows = [list(map(read_rational, row)) for row in (parts if word == "array" else [parts])]
            sure(not self.space or len(rows) == len(rows[0]) == 1, "an array beside vectors of open size")
            return rows if len(rows) > 1 or len(rows[0]) > 1 else rows[0][0]
        if word not in SIGNS:
            name, *arguments = parts if word == "call" else tree
            return self.call(name, *map(self.value, arguments))
        join = self.add if word == "sum" else self.multiply
        undo = self.inv if word == "product" else lambda x: self.multiply(Fraction(-1), x)
        result, *rest = [self.value(part) if sign == 1 else undo(self.value(part)) for sign, part in parts]
        for x in rest:
            result = join(result, x)
        return result

    def number(self, x):
        """x, which must be a number."""
        sure(not isinstance(x, list), "a matrix stands where a number must be", NoValue)
        return x

    def add(self, x, y):
        """x + y."""
        if not (isinstance(x, list) and isinstance(y, list)):
            return plus(self.number(x), self.number(y))
        sure(len(x) == len(y) and len(x[0]) == len(y[0]), "shapes do not fit", NoValue)
        return [list(map(plus, *rows)) for rows in zip(x, y)]

    def multiply(self, x, y):
        """x y. A product of shape 1 × 1 is a number."""
        if isinstance(x, list) and isinstance(y, list):
            sure(len(x[0]) == len(y), "shapes do not fit", NoValue)
            result = [[inner(row, column) for column in zip(*y)] for row in x]
            return result if len(x) > 1 or len(y[0]) > 1 else result[0][0]
        x, y = (y, x) if isinstance(x, list) else (x, y)
        return [[times(x, a) for a in row] for row in y] if isinstance(y, list) else times(x, y)

    def call(self, name, x, *others):
        """The value of a function. Powers and inverses of matrices are not supported, nor are singular values."""
        if name == "transposed":
            return self.multiply(Fraction(1), list(zip(*x))) if isinstance(x, list) else x
        sure(hasattr(self, name) and not (isinstance(x, list) and name in ("inv", "power")), "not supported")
        return getattr(self, name)(*map(self.number, (x, *others)))

    def inv(self, x):
        """1 / x."""
        sure(self.sign(self.number(x)) != 0, "a division by 0", NoValue)
        sure(self.sign(x) and len(terms_of(x)) == 1, "a division by a number that may be 0, or by a sum of symbols")
        if not isinstance(x, dict):
            return 1 / x
        return {frozenset((atom, -k) for atom, k in monomial): 1 / c for monomial, c in x.items()}

    def abs(self, x):
        """The absolute value."""
        positive = self.positive(x, False)
        sure(positive or self.positive(negative(x), False), "an absolute value of a number whose sign is not known")
        return x if positive else negative(x)

    def power(self, x, y):
        """x to the power y."""
        if isinstance(y, Fraction) and y.denominator == 1 and abs(y) <= 60:
            return raised(x if y >= 0 else self.inv(x), abs(int(y)))
        sure(self.sign(x) == 1, "a power of a number that may not be positive")
        return self.exp(times(y, self.log(x)))

    def log(self, x):
        """The logarithm of a number. That of a polynomial is an atom."""
        sure(self.sign(x) in (1, None), "a logarithm of a number that is not positive", NoValue)
        sure(self.sign(x), "a logarithm of a number that may not be positive")
        return {frozenset({(frozenset(x.items()), 1)}): Fraction(1)} if isinstance(x, dict) else exact(x).ln()

    def exp(self, x):
        """The exponential of a number without symbols."""
        sure(not isinstance(x, dict), "an exponential of symbols")
        return Fraction(1) if x == 0 else exact(x).exp()

    def sqrt(self, x):
        """The root of a number without symbols."""
        sure(self.sign(x) != -1, "the root of a negative number", NoValue)
        sure(not isinstance(x, dict), "a root of symbols")
        root = Fraction(*map(math.isqrt, (x.numerator, x.denominator)) if isinstance(x, Fraction) else (-1, 1))
        return root if root * root == x else exact(x).sqrt()

    def sign(self, x):
        """1, -1 or 0 if a number has this sign for all values of the symbols, otherwise None."""
        if isinstance(x, dict):
            return 1 if self.positive(x) else -1 if self.positive(negative(x)) else None
        return x.sign() if isinstance(x, Interval) else (x > 0) - (x < 0)

    def stands(self, x, relation):
        """Whether x stands in a relation to 0: True, False or None."""
        sign = self.sign(x)
        if sign is None:
            return (relation == ">=" and self.positive(x, False)) or None
        return {">=": sign >= 0, ">": sign > 0, "=": sign == 0, "!=": sign != 0}[relation]

    def positive(self, x, strict=True):
        """Whether it is certain that x > 0, or x >= 0 if not strict, for all values of the symbols.

        After symbols are shifted to others that are >= 0, it is enough that all terms are. Or x is Σ c ln P + r with
        rational numbers c: then x >= 0 if and only if exp(r) Π P^c >= 1. All is multiplied until each c is an integer.
        """
        if not isinstance(x, dict):
            return exact(x).lo > 0 or (not strict and exact(x).lo == 0)
        lows = [self.lowest(*term) for term in terms_of(self.shifted(x))]
        return (None not in lows and (not strict or any(lows))) or self.by_logarithms(x, strict)

    def shifted(self, x):
        """A positive multiple of x, in which each symbol is low + x, or (low z + high)/(1 + z), with x, z >= 0."""
        for name, (low, high, _) in self.ranges.items():
            powers = [dict(monomial).get(name, 0) for monomial, _ in terms_of(x)]
            least, most, symbol = min(0, *powers), max(0, *powers), self.names[name]
            sure(low >= 0 or least == 0, "a division by a symbol that may be negative")
            over = plus(symbol, low) if high is None else plus(times(symbol, low), high)
            under = Fraction(1) if high is None else plus(symbol, Fraction(1))
            factors = [times(raised(over, k - least), raised(under, most - k)) for k in powers]
            parts = [{monomial - {(name, k)}: c} for (monomial, c), k in zip(terms_of(x), powers)]
            x = inner(parts, factors)
        return x

    def lowest(self, monomial, c):
        """Whether a term of symbols that are >= 0 is positive; False if it may be 0, None if it may be negative."""
        signs = [1 if isinstance(atom, str) else self.sign(plus(dict(atom), Fraction(-1))) for atom, _ in monomial]
        if not all(signs):
            return None
        low = exact(c).lo if math.prod(sign ** abs(k) for sign, (_, k) in zip(signs, monomial)) > 0 else -exact(c).hi
        attained = any(isinstance(atom, str) and self.ranges[atom][2] for atom, _ in monomial)
        return None if low < 0 else low > 0 and not attained

    def by_logarithms(self, x, strict):
        """Whether x > 0 or x >= 0 is certain because x = Σ c ln P + r, with rational c, and exp(r) Π P^c >= 1."""
        logs = [(*next(iter(monomial)), c) for monomial, c in x.items() if len(monomial) == 1]
        plain = all(isinstance(atom, frozenset) and k == 1 and isinstance(c, Fraction) for atom, k, c in logs)
        unit = math.lcm(*(c.denominator for _, _, c in logs)) if plain else 0  # with which the powers become integers
        if not plain or len(logs) < len(x.keys() - {UNIT}) or sum(abs(c) for _, _, c in logs) * unit > 40:
            return False
        sides = [Fraction(1), self.exp(x.get(UNIT, Fraction(0)) * unit)]
        for atom, _, c in logs:
            sides[c > 0] = times(sides[c > 0], raised(dict(atom), int(abs(c) * unit)))
        return self.positive(difference(sides[1], sides[0]), strict)

    def limit(self, x):
        """The limit as all large symbols grow: ±math.inf, or x, which then does not depend on them."""
        groups = {}
        for monomial, c in terms_of(x):
            growing = frozenset(pair for pair in monomial if self.grows(*pair))
            groups.setdefault(growing, []).append((monomial - growing, c))
        signs = {self.sign(sum_of_terms(part)) for growing, part in groups.items() if growing}
        sure(signs in (set(), {1}, {-1}), "terms that grow, of different signs")
        return signs.pop() * math.inf if signs else x

    def grows(self, atom, power):
        """Whether a power of an atom tends to infinity. Otherwise it does not depend on the large symbols."""
        end = self.limit(dict(atom)) if isinstance(atom, frozenset) else math.inf if atom in self.large else 0
        sure(power > 0 or end != math.inf, "a number that tends to 0")
        return end == math.inf

    def share(self, own, scores):
        """The weight of a key with this score, among pairs (score, number of keys), in the limit if there is one."""
        gaps = [(self.limit(difference(score, own)), count) for score, count in scores if count != 0]
        if math.inf in [gap for gap, _ in gaps]:
            return Fraction(0)
        return self.inv(plus(*(times(count, self.exp(gap)) for gap, count in gaps if gap != -math.inf)))


# ---------------------------------------------------------------------------------------------------------------------
# Statements about formulas


def matrix_of(array):
    """The matrix in an array of the file, which must have more than one entry. A vector is a column."""
    sure(array.count * array.width > 1, "an array with a single entry")
    return array.fraction_rows() if len(array.shape) == 2 else [[x] for x in array.fractions()]


def read_range(value, name):
    """(low, high, closed) from a range."""
    signs = sorted(read_object(value, (), (">", ">=", "<", "<="), "a range"))
    require(signs in ([">"], [">="], ["<", ">"], ["<=", ">"]), f"the range of {name} has another form")
    high, low = [None, *(read_rational(value[sign]) for sign in signs)][-2:]
    require(high is None or low < high, f"the range of {name} is empty")
    return low, high, signs[0][1:] == "="


@kind("inequality")
def inequality(claim):
    """A formula stands in a relation to 0 for all symbols in their ranges.

    Without ranges, or to refute it at a point, the formula is evaluated with fractions and intervals. Otherwise see
    Calculus.positive.
    """
    tree, names = read_tree(claim.json("tree"))
    relation = claim.text("relation", (">=", ">", "=", "!="))
    ranges = claim.json("ranges")
    require(isinstance(ranges, dict), "ranges must be an object")
    ranges = {read_name(name): read_range(value, name) for name, value in ranges.items()}
    given = claim.arrays_under("given")
    require(all(len(array.shape) == 2 for array in given.values()), "the given arrays must have two axes")
    require(names == set(ranges) | set(given) and not set(ranges) & set(given), "the names do not fit the formula")
    point = read_object(claim.json("point"), ranges, what="point") if claim.has("point") else {}
    point = {name: read_rational(x) for name, x in point.items()}
    for name, x in point.items():
        gaps = [(sign, x - read_rational(end)) for sign, end in claim.parts["ranges"][name].items()]
        require(all({">": y > 0, ">=": y >= 0, "<": y < 0, "<=": y <= 0}[sign] for sign, y in gaps), "out of range")

    def decide():
        arrays = {name: matrix_of(array) for name, array in given.items()}
        calculus = Calculus({} if point else ranges, {**arrays, **point})
        answer = calculus.stands(calculus.number(calculus.value(tree)), relation)
        return None if point and answer else answer

    where = [f"{x} {sign} {bound}" for x in ranges for sign, bound in claim.parts["ranges"][x].items()]
    where += [f"{name} = {array}" for name, array in given.items()]
    return f"{in_words(tree)} {relation} 0{f', for all {some(where, 60)}' if where else ''}.", decide


@kind("lead-decides")
def lead_decides(claim):
    """E >= m x and R <= x for all integers m >= 1 and real x > 0, with E = Σ c m^i x^j over `enough`, R over `needed`.

    With x = 1/odds = (1 - e)/e: a score ahead of n - 1 = m others by ln E has a weight of at least E/(E + m), perhaps
    no more, which is at least 1 - e if and only if E >= m x. A lead below ln R over one key, and a large one over all
    others, leaves any weight below R/(R + 1), and all these are below 1 - e if and only if R <= x.
    """
    sums = []
    for name in ("enough", "needed"):
        terms = [read_list(term, "a term", 3, 3) for term in read_list(claim.json(name), name, 1, 16)]
        sums.append([(read_rational(c), read_integer(i, most=8), read_integer(j, most=8)) for c, i, j in terms])
        require(all(c > 0 for c, _, _ in sums[-1]), "the coefficients must be positive")

    def margins(m, x):
        values = [plus(*(times(c, times(raised(m, i), raised(x, j))) for c, i, j in terms)) for terms in sums]
        return difference(values[0], times(m, x)), difference(x, values[1])

    def decide():
        calculus = Calculus({"m": (Fraction(1), None, True), "x": (Fraction(0), None, False)}, {})
        if all(calculus.positive(margin, False) for margin in margins(*calculus.names.values())):
            return True
        points = itertools.product([1, 2, 3, 10, 10**6], [Fraction(10) ** k for k in range(-9, 10)])
        return False if any(min(margins(Fraction(m), x)) < 0 for m, x in points) else None

    enough, needed = (" + ".join(f"{say(c)}·(n − 1)^{i}/odds^{j}" for c, i, j in terms) for terms in sums)
    text = f"For n ≥ 2, e in (0, 1) and odds = e/(1 − e): a score ahead of all others by ln({enough}) or more has a"
    return f"{text} weight of 1 − e or more, and one ahead of some other by less than ln({needed}) has less.", decide


# ---------------------------------------------------------------------------------------------------------------------
# Families


class Family:
    """What queries are asked to do, and their formulas. See the page."""

    def __init__(self, claim, symbols=LARGE_SYMBOLS):
        self.basis, self.heads = claim.strings("basis"), claim.integer("heads", 1, 2)
        self.m = len(self.basis)
        require(self.m in (1, 2) and len(set(map(read_name, self.basis))) == self.m, "basis must be one or two names")
        require(not set(self.basis) & {"n", "eps", *LARGE_SYMBOLS}, "a name of the basis is taken")
        vars(self).update(vars(claim.take("each! vanishing! different! limit>0? leaning>=0")))
        require(self.limit is None if self.heads == 2 else not self.different, "limit and different do not fit heads")
        self.lengths = [read_rational(length) for length in read_list(claim.json("lengths"), "lengths", 1, 8)]
        plain = self.m == self.heads == 1 and self.lengths == [1] and self.leaning < 1
        require(not self.leaning or plain, "leaning is 1 or more, or there are two targets or heads, or lengths")
        self.trees = read_list(claim.json("trees"), "trees", self.heads, self.heads)
        allowed = symbols and [*self.basis, "n", "eps", *symbols]
        self.names = set().union(*(read_tree(tree, allowed)[1] for tree in self.trees))
        self.large = self.names & set(symbols or ())
        require(not self.large or (self.m == 2 and not self.each and self.limit is None), "large symbols do not fit")

    def __str__(self):
        most, least = ("less than", "more than") if self.vanishing else ("at most", "at least")
        what = f"differ from equal shares on them by {most} ε/({self.m} + ε) in total variation"
        what = f"are {least} 1/({self.m} + ε) on each of them" if self.each else what
        lengths = f", the first one multiplied by each of {some(map(say, self.lengths))}" if self.lengths != [1] else ""
        limit = f", and the squared length of the query is at most {self.limit}·ln(n/ε)²" if self.limit else ""
        text = f"the mean weights of {'; '.join(map(in_words, self.trees))}, with the targets {some(self.basis)}"
        return f"{text}{lengths}, {what}{limit}" + ", and the two queries differ" * self.different

    def answers(self, calculus, queries, heads, n, eps, slack=Fraction(0)):
        """Whether each thing that is asked holds. heads: for each the pairs (score, number of keys), targets first."""
        if self.different:
            signs = [calculus.sign(calculus.limit(difference(f, g))) for f, g in zip(*queries)]
            yield True if any(signs) else None if None in signs else False
        if self.limit is not None:
            most, long = self.limit * (1 + slack) ** 2, calculus.log(times(n, calculus.inv(eps)))
            f, *same = queries[0]
            ratio = most / len(queries[0])  # if all coefficients are f, |f| is compared, and not its square
            root = Fraction(math.isqrt(ratio.numerator), math.isqrt(ratio.denominator))
            plain = calculus.ranges and root**2 == ratio and all(difference(f, g) == 0 for g in same)
            ends = [plus(times(root, long), x) for x in (f, negative(f))] if plain else [Fraction(-1)]
            if not all(calculus.positive(x, False) for x in ends):
                yield calculus.stands(difference(times(most, raised(long, 2)), inner(queries[0], queries[0])), ">=")
        relation = ">" if self.vanishing and not self.large else ">="
        margins = self.simple_margins if calculus.ranges and not self.large else self.margins
        for length in self.lengths:
            scaled = [[(times(length, first), count), *others] for (first, count), *others in heads]
            yield from (calculus.stands(x, relation) for x in margins(calculus, scaled, n, eps, slack))

    def margins(self, calculus, heads, n, eps, slack):
        """By how much the mean weights of the targets exceed what is asked."""
        shares = [[calculus.share(own, scores) for own, _ in scores[: self.m]] for scores in heads]
        means = [times(Fraction(1, self.heads), plus(*weights)) for weights in zip(*shares)]
        if self.each:
            return [plus(mean, -1 / (self.m + eps * (1 + slack))) for mean in means]
        error = eps / (self.m + eps)
        error = min(error * (1 - slack if self.vanishing else 1 + slack), (1 + error) / 2)
        return [*(plus(mean, error - Fraction(1, self.m)) for mean in means), plus(*means, error - 1)]

    def simple_margins(self, calculus, heads, n, eps, slack):
        """Nothing if each head certainly gives weights that will do, otherwise Uncertain.

        If a head gives one score f to k targets, and r or less to all other keys, these have a weight of at least
        1/(k + ε'), together k/(k + ε'), if f - r >= ln((n - k)/ε'), with ε' = ε k/m. Each head does so for all targets,
        or the first for the first target, and the second for the second.
        """
        scores = [[score for score, _ in head[: self.m]] for head in heads]
        alike = all(difference(score, own[0]) == 0 for own in scores for score in own)
        sure(alike or self.heads == 2, "one query with several coefficients")
        k = self.m if alike else 1
        need = times(plus(n, Fraction(-k)), times(Fraction(self.m, k), calculus.inv(eps)))
        for g, own in enumerate(scores):
            ahead = times(1 - self.leaning, own[0 if alike else g])
            good = need == 0 or calculus.positive(difference(ahead, calculus.log(need)), self.vanishing)
            sure(good and (alike or calculus.positive(negative(own[1 - g]), False)), "no simple reason was found")
        return []

    def columns(self, calculus, d):
        """The values of the formulas, which must be columns of length d."""
        values = [calculus.value(tree) for tree in self.trees]
        sure(all(isinstance(x, list) and (len(x), len(x[0])) == (d, 1) for x in values), "a query that is not a column")
        return [[x for [x] in rows] for rows in values]

    def at(self, n, eps, path=None, error=Fraction(0)):
        """Whether the family is served for these n and ε, each a number or a range: True, False, or None. Large symbols
        are any, or powers of one along a path; then all errors must be met, or that of another ε."""
        large = self.large and ({"X"} if path else self.large)
        ranges = {"n": n, "eps": eps, **dict.fromkeys(large, (Fraction(1000), None, False))}
        fixed = {name: ranges.pop(name) for name in ("n", "eps") if isinstance(ranges[name], Fraction)}
        calculus, size = Calculus(ranges, fixed, large, True), range(self.m + 1)
        names = calculus.names
        names.update({name: raised(names["X"], path[name]) for name in self.large if path})
        names.update({name: [[Fraction(i == k)] for k in size] for i, name in enumerate(self.basis)})
        queries = [query[: self.m] for query in self.columns(calculus, self.m + 1)]
        one, rest = Fraction(1), plus(names["n"], Fraction(-self.m))
        heads = [[*((x, one) for x in query), (times(self.leaning, query[0]), rest)] for query in queries]
        return every(self.answers(calculus, queries, heads, names["n"], error if large else names["eps"]))


def read_member(value):
    """(n, ε, values of further symbols, powers of large symbols) from a member."""
    read_object(value, ("n", "epsilon", "further", "path"), what="a member")
    n, eps = read_large(value["n"], "n"), read_rational(value["epsilon"], "epsilon")
    require(n >= 2 and n.denominator == 1 and eps > 0, "a member needs an integer n ≥ 2 and a positive epsilon")
    require(isinstance(value["further"], dict) and isinstance(value["path"], dict), "further and path must be objects")
    further = {read_name(name): read_large(x, name) for name, x in value["further"].items()}
    return n, eps, further, {read_name(x): read_integer(k, "a power", 1, 4) for x, k in value["path"].items()}


def read_part(value, asked_eps):
    """Check a part of the proof that the sender has in mind. None is needed here."""
    read_object(value, ("low", "power", "shift", "steps"), ("high", "epsilon", "cut"), "a part")
    eps = read_rational(value["epsilon"]) if "epsilon" in value else None
    require(eps == asked_eps, "the epsilon of a part is not that of the claim")
    low, high = (read_large(value.get(name, value["low"]), name) for name in ("low", "high"))
    require(2 <= low <= high and low.denominator == high.denominator == 1, "the ends of a part must be integers from 2")
    for name in value.keys() & {"power", "steps", "cut"}:
        read_integer(value[name], name, 1, 64)
    read_integer(value["shift"], "shift", -int(low))


@kind("serves-family")
def serves_family(claim):
    """Queries do what a family asks for every member: all numbers n of keys, and all tolerances ε.

    At a given member, the weights are evaluated. Otherwise see Family.simple_margins, or Calculus.limit for large
    symbols: the limits of the differences of scores give those of the weights.
    """
    family = Family(claim)
    n = read_large(claim.json("n"), "n") if claim.has("n") else None
    require(n is None or (n >= 2 and n.denominator == 1), "n must be an integer from 2 on")
    most = 1 if family.leaning else None
    eps = claim.rational("epsilon", above=0, under=most) if claim.has("epsilon") else None
    for part in read_list(claim.json("parts"), "parts", most=80):
        read_part(part, eps)
    for other in read_list(claim.json("outside"), "outside", most=80):
        read_member(other)
    member = read_member(claim.json("member")) if claim.has("member") else None

    def fails(at_n, error, further, path):
        other = eps if eps or "eps" in family.names else Fraction(1, 2)
        at_eps = further.get("eps", other) if family.large else error
        fits = at_eps is not None and (at_eps == eps or (eps is None and 0 < at_eps < 1))
        sure(n in (None, at_n) and fits and path.keys() >= family.large, "this is not a member")
        return family.at(at_n, at_eps, path, error) is False

    def decide():
        if member:
            return False if fails(*member) else None
        pieces = [Fraction(2), (Fraction(3), None, True)] if n is None else [n]
        return every(family.at(piece, eps or (Fraction(0), Fraction(1), False)) for piece in pieces)

    keys = f"unit keys with products ≤ {family.leaning} with the target" if family.leaning else "orthonormal keys"
    members = f"{f'n = {say(n)}' if n else 'every n ≥ 2'} and {f'eps = {eps}' if eps else 'every eps in (0, 1)'}"
    large = f"every ε > 0, once all of {some(sorted(family.large))} are large enough" if family.large else "ε = eps"
    return f"Over {keys}, for {members}, and {large}: {family}.", decide


@kind("serves-keys")
def serves_keys(claim):
    """Queries given by formulas do what a family asks, over the keys in the file: evaluation with intervals."""
    family, keys = Family(claim, None), claim.array("keys", 2)
    n, d = keys.shape
    arrays = claim.arrays_under("vectors")
    require(all(array.shape == (d,) for array in arrays.values()), "the vectors do not have the length of the keys")
    require(not set(arrays) & {"keys", "n", "eps"} and n >= 2, "a vector has a name that is taken, or there is one key")
    eps, slack = claim.rational("epsilon", above=0), claim.rational("slack", least=0, under=1)

    def decide():
        vectors = {name: matrix_of(array) for name, array in arrays.items()}
        calculus = Calculus({}, {**vectors, "n": Fraction(n), "eps": eps})
        queries = family.columns(calculus, d)
        heads = [[(inner(keys.fractions(j), query), Fraction(1)) for j in range(n)] for query in queries]
        return every(family.answers(calculus, queries, heads, Fraction(n), eps, slack))

    given = "".join(f", {name} = {array}" for name, array in arrays.items())
    text = f"Over {keys}, the targets being the first rows, with n = {n}, eps = ε = {say(eps)}{given}: {family}; the"
    return f"{text} bounds on weights and length are widened by the slack {say(slack)}, as the format says.", decide


# ---------------------------------------------------------------------------------------------------------------------
# Programs

STEPS = {
    "count": "select", "mean": "of select", "pick": "of select", "last": "of select", "length": "",
    "compare": "sum strict", "sign": "sum", "map": "of table",
}  # fmt: skip
CONDITIONS = {"matches": "key mine", "below": "key mine", "among": "key chosen", "at": "index", "before": ""}
LOCAL = ("map", "compare", "sign")  # steps that read the asking position alone


class Register:
    """What a register can hold: labels in their order (depth 0), or means of labels (depth 1), or means of means."""

    def __init__(self, labels, depth=0):
        charge(5 * len(labels))
        self.labels, self.depth = tuple(labels), depth
        self.places = {label: i for i, label in enumerate(self.labels)}
        self.numbers = all(not isinstance(label, str) for label in self.labels)


class Program:
    """A program that is read in its strict form: its steps, and what each register can hold."""

    def __init__(self, value):
        read_object(value, ("vocabulary", "length", "causal", "steps"), what="the program")
        self.text = json.dumps(value, sort_keys=True)
        charge(len(self.text) / 20)
        self.vocabulary = [read_text(token, "a token") for token in read_list(value["vocabulary"], "vocabulary", 1)]
        self.rank = {token: i for i, token in enumerate(self.vocabulary)}
        require(all(self.vocabulary) and len(self.rank) == len(self.vocabulary), "tokens must be distinct, not empty")
        self.length, self.causal = read_integer(value["length"], "length", 1), read_truth(value["causal"], "causal")
        self.registers, self.steps = [Register(self.vocabulary), Register(range(self.length))], [{}, {}]
        self.needs = [{0}, {1}]  # the registers that each register needs, directly or through others, itself included
        for step in read_list(value["steps"], "steps"):
            step = self.read_parts(step, STEPS)
            reads = {r for part in (step, *step.get("select", ())) for r in (*part["mine"], *part["keys"])}
            charge(10 + sum(len(self.needs[r]) for r in reads) + len(step.get("table", ())) * len(step["mine"]) / 4)
            self.needs.append({len(self.steps)}.union(*(self.needs[r] for r in reads)))
            self.registers.append(self.held(step))
            self.steps.append(step)

    def __str__(self):
        mark = hashlib.sha256(self.text.encode()).hexdigest()[:8]
        return self.text if len(self.text) <= 1000 else f"{self.text[:1000]}… (the JSON text #{mark})"

    def read_parts(self, value, forms):
        """A step or a condition, with what it reads: the registers `keys` of others and the registers `mine`."""
        kind = value.get("kind") if isinstance(value, dict) else None
        require(isinstance(kind, str) and kind in forms, "a step or a condition must be an object of a known kind")
        read_object(value, {"kind", *forms[kind].split()}, ["default"] * (kind in ("pick", "last")), f"a {kind}")
        parts = {name: self.read_part(kind, name, value[name]) for name in value}
        terms = parts.get("sum") or parts.get("index")
        own = terms[1] if terms else parts.get("of", ())
        parts["mine"] = [parts["mine"]] if "mine" in parts else [1] if kind == "before" else list(own)
        require(kind != "length" or not self.causal, "a causal program has no step length")
        require(kind not in STEPS or "sum" not in parts or own, "a sum that is compared has a register")
        require(kind == "map" or len(parts.get("of", "1")) == 1, "only a map is of several registers")
        if kind == "below":
            pair = [self.registers[r] for r in (parts["key"], *parts["mine"])]
            charge(sum(len(r.labels) for r in pair) / 5)
            tokens = all(set(r.labels) <= self.rank.keys() for r in pair)
            require(tokens or all(r.numbers for r in pair), "below compares integers, or tokens")
        if kind == "among":
            require(parts["chosen"] <= self.registers[parts["key"]].places.keys(), "chosen has an unknown label")
        return {"keys": [parts.setdefault("key", 1)] if forms is CONDITIONS else [], **parts}

    def read_part(self, kind, name, value):
        """One part of a step or a condition."""
        if name == "select":
            return [self.read_parts(entry, CONDITIONS) for entry in read_list(value, name)]
        if name == "of":
            deepest = 0 if kind == "map" else math.inf
            return [self.register(r, deepest, kind == "mean") for r in read_list(value, name, 1)]
        if name in ("sum", "index"):
            return self.read_sum(value, name == "index")
        if name in ("table", "chosen"):
            return (list if name == "table" else set)(map(read_label, read_list(value, name)))
        if name in ("key", "mine"):
            return self.register(value, 0)
        return {"strict": read_truth, "default": read_label, "kind": read_text}[name](value)

    def register(self, value, depth, numbers=False):
        """The number of an earlier register, with means no deeper than this, and with numbers if that is asked for."""
        register = self.registers[read_integer(value, "a register", 0, len(self.registers) - 1)]
        require(register.depth <= depth, f"register {value} must not hold such means")
        require(register.numbers or not numbers, f"register {value} must hold numbers")
        return value

    def read_sum(self, value, whole):
        """(c, {register: factor}) for a sum, with labels and integers alone if it is the index of `at`."""
        first, terms = read_rational(read_list(value, "a sum", 1)[0], "a sum"), {}
        for term in value[1:]:
            number, factor = read_pair(term, "a term")
            require(self.register(number, 0 if whole else 1, True) not in terms, "a register occurs twice in a sum")
            terms[number] = read_rational(factor, "a factor")
        for x in (first, *terms.values()):
            fits = max(abs(x.numerator), x.denominator) <= 1 << 53 and (x.denominator == 1 or not whole)
            require(fits, "a number in a sum is too large, or it must be an integer")
        require(all(terms.values()), "a factor in a sum is 0")
        return first, terms

    def held(self, step):
        """What the register of a step can hold."""
        kind = step["kind"]
        if kind in ("compare", "sign"):
            return Register(range(-(kind == "sign"), 2))
        if kind in ("count", "length"):
            return Register(range(int(all(map(meets_itself, step.get("select", ())))), self.length + 1))
        of = [self.registers[r] for r in step["of"]]
        if kind == "map":
            require(len(set(step["of"])) == len(of), "a register occurs twice in a map")
            require(len(step["table"]) == math.prod(len(r.labels) for r in of), "a table has another length")
            labels = dict.fromkeys(step["table"])
            step["table"] = dict(zip(itertools.product(*(r.labels for r in of)), step["table"]))
            return Register(sorted(labels) if all(isinstance(label, int) for label in labels) else labels)
        require("default" not in step or not of[0].depth, "there is no default for a mean")
        if kind == "mean":
            return Register((), of[0].depth + 1)
        new = "default" in step and step["default"] not in of[0].places
        return Register((*of[0].labels, step["default"])) if new else of[0]

    def computed(self, step, values):
        """The value of a map, compare or sign, where its registers hold these values: {register: value}."""
        if step["kind"] == "map":
            return step["table"][tuple(values[r] for r in step["of"])]
        first, terms = step["sum"]
        total = first + sum(factor * values[r] for r, factor in terms.items())
        if step["kind"] == "sign":
            return (total > 0) - (total < 0)
        return int(total > 0 if step["strict"] else total >= 0)

    def meets(self, condition, label, values):
        """Whether a key with this label is selected by an asking position with the values {register: value}."""
        kind = condition["kind"]
        if kind == "among":
            return label in condition["chosen"]
        if kind == "at":
            return label == condition["index"][0] + sum(f * values[r] for r, f in condition["index"][1].items())
        own = values[condition["mine"][0]]
        if kind == "below":
            return self.rank[label] < self.rank[own] if isinstance(label, str) else label < own
        return label == own if kind == "matches" else label <= own

    def run(self, word, output):
        """The values of a register at all positions of a word, which must be defined for it."""
        values, n = {0: list(word), 1: list(range(len(word)))}, len(word)
        for number in sorted(self.needs[output] - {0, 1}):
            charge(10 + 4 * n * (1 + len(self.steps[number]["mine"])))
            values[number] = [self.value(self.steps[number], values, i, n) for i in range(n)]
        return values[output]

    def value(self, step, values, i, n):
        """The value of a step at position i."""
        if step["kind"] in LOCAL:
            return self.computed(step, {r: values[r][i] for r in step["mine"]})
        selected = range(i + 1 if self.causal else n)
        for condition in step.get("select", ()):
            charge(0.8 * len(selected) * (1 + len(condition["mine"])))
            own, keys = {r: values[r][i] for r in condition["mine"]}, values[condition["key"]]
            selected = [j for j in selected if self.meets(condition, keys[j], own)]
        charge(len(selected))
        if step["kind"] in ("count", "length"):
            return len(selected)
        found = [values[step["of"][0]][j] for j in selected] or [step.get("default")]
        sure(found[0] is not None and (step["kind"] != "pick" or len(set(found)) == 1), "the word is not defined")
        if step["kind"] == "mean":
            charge(sum(x.denominator.bit_length() for x in found) / 20)
            return Fraction(sum(found)) / len(found)
        return found[-1]


def meets_itself(condition):
    """Whether each position certainly meets a condition for itself."""
    same = condition["kind"] == "matches" and condition["mine"] == [condition["key"]]
    return same or condition["kind"] == "before" or condition.get("index") == (0, {1: 1})


def read_label(value):
    """A label: a text, or an integer of up to 2^53 in size. true and false are 1 and 0."""
    require(isinstance(value, str) or (isinstance(value, int) and abs(value) <= 1 << 53), "a label has a wrong form")
    return value if isinstance(value, str) else int(value)


@kind("needs-later")
def needs_later(claim):
    """No causal transformer computes this register: its value at a position depends on later tokens.

    Two words that agree up to the position have different values there, and a causal model sees no difference.
    """
    program = Program(claim.json("program"))
    output, position = claim.integer("output", most=len(program.registers) - 1), claim.integer("position")
    words = [claim.strings("first"), claim.strings("second")]
    for word in words:
        require(position < len(word) <= program.length, "the position lies outside a word, or a word is too long")
        require(all(token in program.rank for token in word), "a word has an unknown token")
    require(words[0][: position + 1] == words[1][: position + 1], "the words differ up to the position")
    sentence = (
        f"No causal transformer computes register {output} of the program {program}: its value at position {position} "
        f"differs between the words {some(words[0], 40)} and {some(words[1], 40)}, which agree up to there."
    )

    def decide():
        first, second = (program.run(word, output) for word in words)
        return True if first[position] != second[position] else None

    return sentence, decide


# ---------------------------------------------------------------------------------------------------------------------
# Programs in weights
#
# Numbers of the stream are enclosed in boxes: a pair (middles, radii) of lists of integers that stand for multiples of
# 2^-unit. So do other bounds. Weights are exact: a matrix is a pair (rows of integers, exponent).
# Claims about programs of means, or with a head that computes `length`, stay open.


def summed(*lists):
    """The sums of lists of numbers, entry by entry."""
    return list(map(sum, zip(*lists)))


def up(x, e):
    """x 2^e, rounded up."""
    return x << e if e >= 0 else -(-x >> -e)


def down(x, e):
    """x 2^e, rounded down."""
    return x << e if e >= 0 else x >> -e


def bounds(matrix, sizes):
    """Upper bounds of |M| times the sizes, row by row."""
    charge(2 + len(matrix[0]) * (1 + 0.1 * len(sizes)))
    return [up(dot(map(abs, row), sizes), matrix[1]) for row in matrix[0]]


def image(matrix, box):
    """The box of M y for all y in a box."""
    charge(2 + len(matrix[0]) * (1 + 0.1 * len(box[0])))
    values = [dot(row, box[0]) for row in matrix[0]]
    mids = [down(value, matrix[1]) for value in values]
    return mids, [rad + (up(value, matrix[1]) > mid) for value, mid, rad in zip(values, mids, bounds(matrix, box[1]))]


def columns_of(matrix, columns):
    """Some columns of an exact matrix."""
    return [[row[c] for c in columns] for row in matrix[0]], matrix[1]


def box_sum(*boxes):
    """The box of sums."""
    charge(0.2 * len(boxes) * (1 + len(boxes[0][0])))
    return summed(*(box[0] for box in boxes)), summed(*(box[1] for box in boxes))


def box_between(lows, highs):
    """The box with these ends."""
    mids = [(low + high) >> 1 for low, high in zip(lows, highs)]
    return mids, [high - mid for mid, high in zip(mids, highs)]


def box_around(boxes):
    """The smallest box around some boxes. None stands for a box without points."""
    boxes = [box for box in boxes if box is not None]
    charge(0.4 * sum(1 + len(box[0]) for box in boxes))
    lows = [[mid - rad for mid, rad in zip(*box)] for box in boxes]
    highs = [[mid + rad for mid, rad in zip(*box)] for box in boxes]
    return box_between(list(map(min, zip(*lows))), list(map(max, zip(*highs)))) if boxes else None


def filled(row):
    """How many entries are not 0."""
    return sum(map(bool, row))


def sizes_of(box):
    """The largest sizes of the numbers in a box."""
    return [abs(mid) + rad for mid, rad in zip(*box)]


class Arithmetic:
    """Bounds of rounding errors, in multiples of 2^-unit: u = 2^-digits (0 if exact), and what underflow costs."""

    def __init__(self, dtype):
        self.unit, self.known = 2 * STATE.bits, {}
        self.one, self.exact = 1 << self.unit, dtype == "real"
        self.digits, least, most = (24, 149, 120) if dtype == "float32" else (53, 1040, 900)
        self.tiny, self.limit = up(1, self.unit - least), 1 << (self.unit + most - 2)

    def gamma(self, k, size):
        """gamma_k times a size, and 2 (k + 1) underflows: nothing for no terms."""
        if self.exact or not k:
            return 0
        sure(4 * k < 1 << self.digits, "sums of too many terms")
        return -(-size * k // ((1 << self.digits) - k)) + 2 * (k + 1) * self.tiny

    def rounded(self, size):
        """Twice what rounding a number of this size may cost."""
        return 0 if self.exact else up(size, 1 - self.digits) + self.tiny

    def check(self, sizes):
        """Stop unless all these sizes are so small that no number overflows."""
        sure(all(size < self.limit for size in sizes), "a number may overflow")

    def exponential(self, x):
        """(low, high) around exp(x) for x <= 0."""
        if x not in self.known:
            e = Interval(x, x, -self.unit).exp() if x >= -self.unit << self.unit else Interval(0, 1, -self.unit)
            self.known[x] = e.ends(-self.unit)
        return self.known[x]

    def share(self, others, own):
        """others / (others + own), rounded up."""
        return min(self.one, -(-(others << self.unit) // (others + own))) if others else 0

    def towards(self, box, other, most, least=0):
        """The box of (1 - s) x + s y with x in one box, y in the other, and least <= s <= most: linear in each."""
        lows, highs = [], []
        for mid, rad, middle, radius in zip(*box, *other):
            low, high, below, above = mid - rad, mid + rad, middle - radius, middle + radius
            lows.append(down(min((self.one - s) * low + s * below for s in (least, most)), -self.unit))
            highs.append(up(max((self.one - s) * high + s * above for s in (least, most)), -self.unit))
        return box_between(lows, highs)


class Place(SimpleNamespace):
    """A place of the layout. Then `boxes` says what its columns hold, {label of its register: box}, and `bos` for BOS.

    A label without a box never occurs.
    """

    head = units = None


class Reading:
    """What a map reads from the stream: the boxes of `rows r + bias`, for each label of each register.

    r = B y + stray, so it is rows B y + bias within |rows| |stray|, and within the rounding. The last column of the
    matrix is the bias.
    """

    def __init__(self, stream, matrix):
        real, self.registers = stream.real, stream.program.registers
        self.sizes = bounds(matrix, [*stream.sizes, real.one])
        real.check(self.sizes)
        lost = [real.gamma(filled(row), size) for row, size in zip(matrix[0], self.sizes)]
        mids, rads = image(columns_of(matrix, [-1]), ([real.one], [0]))
        self.bias = self.bos = mids, summed(rads, bounds(matrix, [*stream.stray, 0]), lost)
        self.parts, self.others = {}, {}
        coordinates = matrix_product(matrix, stream.basis)
        for place in stream.written:
            cut = columns_of(coordinates, place.columns)
            if any(map(any, cut[0])):
                boxes, more = {x: image(cut, box) for x, box in place.boxes.items()}, self.parts.get(place.register)
                if more is not None:
                    boxes = {x: box_sum(box, more[x]) for x, box in boxes.items() if x in more}
                self.parts[place.register] = boxes
                self.bos = box_sum(self.bos, image(cut, place.bos))

    def at(self, known):
        """The box where registers have these labels, {register: label}, and all others any. None if they never have."""
        registers = tuple(r for r in self.parts if r in known)
        if registers not in self.others:
            hulls = [box_around(boxes.values()) for r, boxes in self.parts.items() if r not in known]
            sure(None not in hulls, "a register without labels")
            self.others[registers] = box_sum(self.bias, *hulls)
        boxes = [self.others[registers], *(self.parts[r].get(known[r]) for r in registers)]
        return None if None in boxes else box_sum(*boxes)

    def anywhere(self):
        """The box around all positions, BOS included."""
        return box_around([self.at({}), self.bos])

    def choices(self, registers):
        """({register: label}, box) for each combination of labels of some registers that may occur."""
        labels = [self.registers[r].labels for r in registers]
        charge((5 + len(labels)) * math.prod(map(len, labels)))
        for choice in itertools.product(*labels):
            known = dict(zip(registers, choice))
            box = self.at(known)
            if box is not None:
                yield known, box


class Stream:
    """What is known of the rows of the stream, step by step, for every word on which the program is defined.

    A row is B y + stray. For a position whose registers have certain labels, the columns of y that belong to a place
    lie in the box of its label (those of BOS in its box `bos`), and columns of later places are 0. `stray` bounds
    |stray|, and `sizes` bounds the row itself, entry by entry. Each step is shown from what holds before it.
    """

    def __init__(self, program, network, layout, dtype, output):
        self.program, self.network, self.real = program, network, Arithmetic(dtype)
        self.basis, self.inverse, self.width = network.basis, network.inverse, network.width
        self.places, self.written, needs = [Place(**entry) for entry in layout], [], program.needs[output]
        owned, count = [c for place in self.places for c in place.columns], len(self.inverse[0])
        sure(len(set(owned)) == len(owned) and all(c < count for c in owned), "the layout does not share out columns")
        sure({place.register for place in self.places} <= needs | {0, 1}, "a register that the output does not need")
        sure(not any(program.registers[r].depth for r in needs), "a program of means")
        self.tables({c for place in self.places if place.block >= 0 for c in place.columns}, set(owned))

    def tables(self, later, owned):
        """The rows of the first stream: those of tokens plus those of positions. Columns of later places stay 0."""
        none, network, count = [0] * self.width, self.network, len(self.program.vocabulary)
        charge(self.program.length * (1 + self.width / 10))
        kept = [none if c in later else row for c, row in enumerate(self.inverse[0])], self.inverse[1]
        arrays = ((network.tokens, count), (network.positions, self.program.length))
        sides = [[self.row(array, i, kept) for i in range(n + 1)] for array, n in arrays]
        largest = [[list(map(max, zip(*(row[i] for row in side)))) for side in sides] for i in (0, 1)]
        self.stray = self.sizes = none
        self.add(*(summed(*pair) for pair in largest), none)
        rest = Place(register=None, columns=[c for c in range(len(kept[0])) if c not in owned])
        for place in (*(p for p in self.places if p.block < 0), rest):
            cuts = [[columns_of((row[2], 0), place.columns)[0] for row in side] for side in sides]
            which, labels = (0, [None] * count) if place is rest else self.alone(place.register)
            hull = box_around(cuts[1 - which][1:])
            place.boxes, place.bos = {}, box_sum(cuts[0][0], cuts[1][0])
            for label, box in zip(labels, cuts[which][1:]):
                place.boxes[label] = box_around([place.boxes.get(label), box_sum(box, hull)])
            self.written.append(place)

    def row(self, array, i, kept):
        """(|stray|, |row|, y) for a row of a table: y are the coordinates that are kept, the stray what they leave."""
        row = fixed(array, self.real.unit, i, self.width)
        y = image(kept, row)
        back = image(self.basis, y)
        return [abs(a - b) + r + s for a, b, r, s in zip(row[0], back[0], row[1], back[1])], sizes_of(row), y

    def alone(self, register):
        """(0 or 1, labels) for a register that depends on the token alone, or on the index alone."""
        program, needs = self.program, self.program.needs[register]
        sure(not {0, 1} <= needs, "a table for a register that needs both token and position")
        sure(all(program.steps[r]["kind"] in LOCAL for r in needs - {0, 1}), "a table for a register that needs heads")
        words = [program.vocabulary[:1] * program.length] if 1 in needs else [[token] for token in program.vocabulary]
        return int(1 in needs), [value for word in words for value in program.run(word, register)]

    def add(self, stray, added, terms, fresh=()):
        """Add to the stream what is `added` at most, what of it is stray, and the roundings of the map and the sum.

        `fresh` are places, and what they hold now: (place, boxes, box of BOS).
        """
        lost = map(self.real.gamma, terms, added)
        lost = [x + self.real.rounded(size + new + x) for x, size, new in zip(lost, self.sizes, added)]
        self.stray, self.sizes = summed(self.stray, stray, lost), summed(self.sizes, added, lost)
        self.real.check(self.sizes)
        for place, place.boxes, place.bos in fresh:
            self.written.append(place)

    def split(self, matrix, places):
        """How a map writes: for each place the coordinates in its columns, and what is left beside them."""
        columns = [c for place in places for c in place.columns]
        found = matrix_product(([self.inverse[0][c] for c in columns], self.inverse[1]), matrix)
        left = minus(matrix, matrix_product(columns_of(self.basis, columns), found)) if columns else matrix
        rows = iter(found[0])
        return [(list(itertools.islice(rows, len(place.columns))), found[1]) for place in places], left

    def heads(self, block):
        """The step of all heads of a block."""
        stray = added = terms = [0] * self.width
        fresh, names = [], ("query", "key", "value", "output")
        for head, maps in enumerate(zip(*(self.network.maps(block, name) for name in names))):
            attention = Attention(self, *(Reading(self, matrix) for matrix in maps[:3]))
            served = [p for p in self.places if (p.block, p.head) == (block, head)]
            parts, left = self.split(maps[3], served)
            for place, part in zip(served, parts):
                boxes = {x: image(part, attention.noisy(box)) for x, box in attention.written(place).items()}
                fresh.append((place, boxes, image(part, attention.noisy(attention.asked_by_bos()))))
            most = [*sizes_of(attention.noisy(attention.everything)), 0]
            stray, added = summed(stray, bounds(left, most)), summed(added, bounds(maps[3], most))
            terms = summed(terms, map(filled, maps[3][0]))
        self.add(stray, added, terms, fresh)

    def units(self, block):
        """The step of all hidden units of a block. A constant stands behind them: outer_bias are its weights."""
        if "inner" not in self.network.blocks[block]:
            return
        real, fresh = self.real, []
        (inner, e), outer = self.network.maps(block, "inner")[0], self.network.maps(block, "outer")[0]
        sizes = bounds((inner, e), [*self.sizes, real.one])
        real.check(sizes)
        errors = [real.gamma(filled(row), size) for row, size in zip(inner, sizes)]
        most = [*summed(sizes, errors), real.one]
        served = [p for p in self.places if p.block == block and p.units and p.head is None]
        parts, left = self.split(outer, served)
        for place, part in zip(served, parts):
            own = range(len(inner))[slice(*place.units)]
            rows = {(*inner[k][:-1], 0) for k in own}
            sure(len(rows) == 1, "a place has no units, or its units read different numbers")
            slack = bounds(part, [errors[k] + 1 if k in own else most[k] for k in range(len(inner))] + [0])
            biases = [down(inner[k][-1], e + real.unit) for k in own]
            reading = Reading(self, (list(rows), e))
            fresh.append((place, *self.kinked(place, columns_of(part, [*own, -1]), reading, biases, slack)))
        self.add(bounds(left, most), bounds(outer, most), map(filled, outer[0]), fresh)

    def kinked(self, place, written, reading, biases, slack):
        """(boxes, box of BOS) of what units write: a constant, and weights times max(y + b, 0), of one number y.

        They are linear between the kinks -b, so that they are least and largest at kinks, or at ends of the interval
        of y. Biases are off by a unit of 2^-unit at most.
        """

        def written_at(read):
            (mid,), (rad,) = read
            points = {mid - rad, mid + rad, *(-b for b in biases if abs(b + mid) < rad)}
            charge(2 + len(points) * (len(biases) + 1) * (0.3 + 0.1 * len(slack)))
            units = [[*(max(y + b, 0) for b in biases), self.real.one] for y in points]
            values = [[dot(row, unit) for unit in units] for row in written[0]]
            lows = [down(min(line), written[1]) for line in values]
            mids, rads = box_between(lows, [up(max(line), written[1]) for line in values])
            return mids, summed(rads, slack)

        step, boxes = self.program.steps[place.register], {}
        direct = step.get("kind") not in LOCAL
        for known, read in reading.choices([place.register] if direct else step["mine"]):
            label = known[place.register] if direct else self.program.computed(step, known)
            boxes[label] = box_around([boxes.get(label), written_at(read)])
        return boxes, written_at(reading.bos)

    def error(self, output):
        """The largest distance of the output from what it must be."""
        reading, worst = Reading(self, with_bias(self.network.reader, self.network.reader_bias)), 0
        for known, box in reading.choices([output]):
            wanted = self.network.code(self.program.registers[output], known[output], self.real.unit)
            worst = max(worst, *(abs(a - b) + r + s for a, r, b, s in zip(*box, *wanted)))
        return worst


class Attention:
    """One head: the scores of its keys, and what a position reads from it."""

    def __init__(self, stream, q, k, v):
        self.q, self.k, self.v, self.everything = q, k, v, v.anywhere()
        self.program, self.real, self.length = stream.program, stream.real, stream.program.length
        size = sum(up(x * y, -self.real.unit) for x, y in zip(sizes_of(q.anywhere()), sizes_of(k.anywhere())))
        self.real.check([size])
        self.error = self.real.gamma(len(q.sizes), size)
        terms = 4 * (self.length + 11)
        self.noise = [self.real.gamma(terms, size + self.real.one) for size in sizes_of(self.everything)]

    def noisy(self, box):
        """What a weighted sum in a box may be after rounding.

        With n = N + 1 <= 1 / (16 u) the relative error of a weight on the page is at most (18 u + 2 n u) / (1 - 2 n u),
        which is less than (21 + 3 n) u. The rest of gamma_4(n + 10), and the 1 that is added to the sizes, cover
        underflows: less than 16 n of them, times 1 + size.
        """
        return box[0], summed(box[1], self.noise)

    def score(self, a, b, rows=slice(None)):
        """The ends of the inner products of numbers in two boxes, over some rows."""
        mids, rads, middles, radii = a[0][rows], a[1][rows], b[0][rows], b[1][rows]
        charge(1 + 0.4 * len(mids))
        mid, rad = dot(mids, middles), dot(map(abs, mids), radii) + dot(rads, summed(map(abs, middles), radii))
        return down(mid - rad, -self.real.unit), up(mid + rad, -self.real.unit)

    def exponentials(self, keys, bos):
        """(keys, bos): exponentials of scores, divided by that of `top`, above which no score can be.

        Keys are (low, high, miss): the ends if a key can be selected, and the most if it is not, each None (and then
        0, which no other upper end is) if that cannot be. A computed score is off by `error`, and by a rounding of its
        distance from the largest.
        """
        top = max(bos[1], *(x for key in keys for x in key[1:] if x is not None)) + self.error

        def power(x, side):
            if x is None:
                return 0
            x += side * (self.error + self.real.rounded(top - x + self.error)) - top
            return self.real.exponential(min(x, 0))[side > 0]

        return [tuple(map(power, key, (-1, 1, 1))) for key in keys], tuple(map(power, bos, (-1, 1)))

    def asked_by_bos(self):
        """What the row of BOS reads: in a causal program itself, otherwise itself and a bounded share of the others."""
        if self.program.causal:
            return self.v.bos
        key = None, None, self.score(self.q.bos, self.k.at({}))[1]
        keys, bos = self.exponentials([key], self.score(self.q.bos, self.k.bos))
        return self.real.towards(self.v.bos, self.everything, self.real.share(self.length * keys[0][2], bos[0]))

    def askers(self, step, rows):
        """The exponentials for each combination of labels of an asking position.

        Rows of query and key stand in groups, one for each condition, one for the order of `last`, and a rest. The
        layout says which, and any groups are sound: each score is a sum over them.
        """
        order = {"kind": "among", "key": 1, "keys": [1], "mine": [], "chosen": range(self.length)}
        rest = {"kind": "among", "key": None, "keys": [], "mine": [], "chosen": (None,)}
        conditions = [*step["select"], *[order] * (step["kind"] == "last"), rest]
        counts, groups = [*rows, len(self.q.sizes) - sum(rows)], []
        sure(len(counts) == len(conditions) and counts[-1] >= 0, "the layout has other rows")
        for condition, start, count in zip(conditions, itertools.accumulate(counts, initial=0), counts):
            boxes = [(known.get(condition["key"]), box) for known, box in self.k.choices(condition["keys"])]
            groups.append((condition, slice(start, start + count), boxes))
        for known, asking in self.q.choices(sorted({r for condition in conditions for r in condition["mine"]})):
            charge(self.length * sum(3 + len(condition["mine"]) for condition, _, _ in groups))
            end = known.get(1, self.length) + 1 if self.program.causal else self.length
            keys = zip(*(self.in_group(group, asking, known) for group in groups))
            keys = [combined(parts) for parts in itertools.islice(keys, end)]
            yield self.exponentials(keys, self.score(asking, self.k.bos))

    def in_group(self, group, asking, known):
        """For each index the (low, high) of scores that meet the condition, and the most of others: None for none."""
        condition, rows, boxes = group
        found = []
        for label, box in boxes:
            low, high = self.score(asking, box, rows)
            found.append((low, high, None) if self.program.meets(condition, label, known) else (None, None, high))
        if condition["key"] == 1 and len(found) == self.length:
            return found
        ends = [[x for x in column if x is not None] for column in zip(*found)]
        return [(min(ends[0], default=None), max(ends[1], default=None), max(ends[2], default=None))] * self.length

    def written(self, place):
        """What a position reads, by the label of the register that the place serves."""
        step, real, away, alone = self.program.steps[place.register], self.real, 0, 0
        sure(step.get("kind") in ("count", "pick", "last"), "a head serves another step")
        if step["kind"] == "count":
            return self.counted(self.program.registers[place.register], self.askers(step, place.rows))
        for keys, bos in self.askers(step, place.rows):
            before, after = 0, sum(key[2] for key in keys)
            alone = max(alone, real.share(after, bos[0]))
            for low, high, miss in keys:
                after -= miss
                if high:
                    away = max(away, real.share(bos[1] + before + after, low))
                before += max(miss, high) if step["kind"] == "last" else miss
        (of,) = step["of"]
        boxes = {known[of]: real.towards(box, self.everything, away) for known, box in self.v.choices([of])}
        if "default" in step:
            missed = real.towards(self.v.bos, self.everything, alone)
            boxes[step["default"]] = box_around([boxes.get(step["default"]), missed])
        return boxes

    def counted(self, register, askers):
        """The boxes of a count: BOS has a weight that depends on how many keys are selected."""
        real, shares = self.real, {}
        for keys, bos in askers:
            gains = sorted((high - miss for _, high, miss in keys if high), reverse=True)
            mosts = itertools.accumulate(gains, initial=sum(key[2] for key in keys))
            leasts = itertools.accumulate(sorted(low for low, high, _ in keys if high), initial=0)
            for count, most, least in zip(itertools.count(), mosts, leasts):
                if count in register.places:
                    shares.setdefault(count, []).append(real.share(bos[1], least))
                    shares[count].append(real.one - real.share(most, bos[0]))
        return {x: real.towards(self.v.at({}), self.v.bos, max(s), min(s)) for x, s in shares.items()}


def combined(parts):
    """(low, high, miss) of a key from those in all groups. It is selected if it meets the conditions of all."""
    reach = [max(x for x in part[1:] if x is not None) for part in parts]
    slips = [sum(reach) - most + miss for most, (_, _, miss) in zip(reach, parts) if miss is not None]
    ends = [None if None in column else sum(column) for column in list(zip(*parts))[:2]]
    return (*ends, max(slips, default=None))


def fixed(array, unit, i, count=0):
    """The box of one row of an array, or so many zeros if there is not an array."""
    numbers, e = array.integers(i) if array else ([0] * count, 0)
    mids = [down(x, e + unit) for x in numbers]
    return mids, [up(x, e + unit) - mid for x, mid in zip(numbers, mids)]


def with_bias(array, bias):
    """The exact matrix of a map, with its bias as one more column."""
    rows, e = array.matrix()
    more = bias.integers() if bias else ([0] * len(rows), e)
    columns, e = common_exponent([*((column, e) for column in zip(*rows)), more])
    return list(zip(*columns)), e


BLOCK = {
    "query": "hrd", "key": "hrd", "value": "hvd", "output": "hdv", "query_bias": "hr", "key_bias": "hr",
    "value_bias": "hv", "inner": "fd", "inner_bias": "f", "outer": "df", "outer_bias": "d",
}  # fmt: skip


class Network:
    """The weights of a claim: tables, blocks, and what reads the output."""

    def __init__(self, claim, program, output):
        self.arrays, register = claim.arrays_under("weights"), program.registers[output]
        self.all = [array for name, array in self.arrays.items() if name not in ("codes", "basis")]
        sizes = {"V": len(program.vocabulary) + 1, "N": program.length + 1, "L": len(register.labels)}
        self.tokens, self.positions = self.take("tokens", "Vd", sizes, True), self.take("positions", "Nd", sizes)
        self.reader = self.take("unembedding", "md", sizes, True)
        self.reader_bias = self.take("unembedding_bias", "m", sizes)
        self.width, self.plain = sizes["d"], sizes["m"] == 1 and register.numbers
        self.codes = self.take("codes", "Cm", sizes)
        self.fits = self.plain or (sizes.get("C", sizes["m"]) == sizes["L"] and not register.depth)
        basis, self.blocks = self.take("basis", "dw", sizes), []
        while f"{len(self.blocks)}.query" in self.arrays:
            own = {"d": self.width}
            found = {x: self.take(f"{len(self.blocks)}.{x}", BLOCK[x], own, x in list(BLOCK)[:4]) for x in BLOCK}
            self.blocks.append({x: array.parts(len(BLOCK[x].strip("h"))) for x, array in found.items() if array})
            units = {"inner", "outer", "inner_bias", "outer_bias"} & self.blocks[-1].keys()
            require(not units or {"inner", "outer"} <= units, "inner and outer go together")
        require(not self.arrays, f"the array weights.{some(self.arrays, 1)} is unknown")
        charge(sum(len(array.content) for array in self.all) / 20 + self.width**2 / 5)
        self.narrow = all(is_of_type(x, "float32") for array in self.all for row in array.rows() for x in row)
        self.basis = self.inverse = [[int(i == j) for j in range(self.width)] for i in range(self.width)], 0
        if basis:
            inverse = claim.said.get("said.inverse")
            fits = isinstance(inverse, Array) and inverse.shape == (sizes["w"], self.width)
            self.basis, self.inverse = basis.matrix(), inverse.matrix() if fits else None

    def take(self, name, axes, sizes, needed=False):
        """The array of this name, whose axes must have the sizes that others have. One head may lack the first axis."""
        require(name in self.arrays or not needed, f"the array weights.{name} is missing")
        array = self.arrays.pop(name, None)
        if array:
            shape = (1,) * (axes[0] == "h" and len(array.shape) == len(axes) - 1) + array.shape
            require(len(shape) == len(axes), f"weights.{name} has another number of axes")
            fits = [sizes.setdefault(axis, size) == size for axis, size in zip(axes, shape)]
            require(all(fits), f"weights.{name} has a shape that does not fit")
        return array

    def maps(self, block, name):
        """The exact matrices of the heads of a map, or of a map without heads, each with its bias."""
        arrays, biases = (self.blocks[block].get(key) for key in (name, name + "_bias"))
        return [with_bias(*pair) for pair in zip(arrays, biases or [None] * len(arrays))]

    def code(self, register, label, unit):
        """The box of what the output must be for a label of its register."""
        if self.plain:
            return [label << unit], [0]
        if self.codes:
            return fixed(self.codes, unit, register.places[label])
        return [(x == label) << unit for x in register.labels], [0] * len(register.labels)


def read_layout(value, registers, blocks):
    """The places of the layout. What they say is a hint, but their form is not free."""
    for entry in read_list(value, "the layout"):
        read_object(entry, ("register", "columns", "block"), ("head", "rows", "units"), "a place")
        read_integer(entry["block"], "a block", -1, blocks - 1)
        lists = [read_list(entry[name], name) for name in ("columns", "rows", "units") if name in entry]
        for number in (entry["register"], entry.get("head", 0), *itertools.chain(*lists)):
            read_integer(number, "a number in the layout")
        fits = ("head" in entry) == ("rows" in entry) and len(entry.get("units", "ab")) == 2
        require(fits and entry["register"] < registers, "a place lacks a part, or is of no register")
    return value


@kind("runs-program")
def runs_program(claim):
    """A transformer with these weights computes a program, on every word and in every execution.

    An induction over its blocks, with heads before hidden units, bounds the stream for every word at once (see Stream).
    The boxes in the file are not needed: each step computes its own from those before it.
    """
    program = Program(claim.json("program"))
    output = claim.integer("output", most=len(program.registers) - 1)
    dtype = claim.text("dtype", ("real", "float64", "float32"))
    error, network = claim.rational("error", above=0), Network(claim, program, output)
    layout = read_layout(claim.json("layout"), len(program.registers), len(network.blocks))
    meaning = "its value" if network.plain else f"the row of its label in {network.codes or 'the identity'}"
    sentence = (
        f"For every word on which the program {program} is defined for register {output}, at every position, the "
        f"transformer with the weights {some(network.all, 500)} gives {meaning} within {say(error)} in each entry, in "
        f"every execution that {dtype} arithmetic allows."
    )

    def decide():
        if STATE.bits > 256 or not (network.inverse and network.fits and (network.narrow or dtype != "float32")):
            return None
        stream = Stream(program, network, layout, dtype, output)
        for block in range(len(network.blocks)):
            stream.heads(block)
            stream.units(block)
        return True if stream.error(output) <= error * stream.real.one else None

    return sentence, decide


# ---------------------------------------------------------------------------------------------------------------------
# The program


def answer_now(decide):
    """The answer of decide at this precision: None if it is uncertain, False if a formula of the claim has no value."""
    try:
        return decide()
    except Uncertain:
        return None
    except NoValue:
        return False


def at_each_precision(decide):
    """The first answer of decide that is not None, at rising precisions. None if all fail or the work is too much."""
    for bits in BITS:
        STATE.bits = bits
        answer = answer_now(decide)
        if answer is not None:
            return answer
    return None


def checked(path):
    """(word, sentence or reason, what the sender says)."""
    STATE.bits, STATE.left, sentence, verdict = BITS[0], BASE_BUDGET, "", None
    try:
        with open(path, "rb") as file:
            data = memoryview(file.read(LARGEST_FILE + 1))
        afford(len(data) <= LARGEST_FILE, "the file")
        STATE.left += BUDGET_PER_BYTE * len(data)
        claim = opened(data)
        verdict = claim.said["verdict"]
        sentence, decide = claim.read()
        return {True: "confirmed", False: "refuted", None: "open"}[at_each_precision(decide)], sentence, verdict
    except (Malformed, OSError, UnicodeError, zlib.error) as reason:
        return "not a certificate", str(reason), verdict
    except (TooMuch, MemoryError, RecursionError, OverflowError) as reason:
        return "open", sentence or f"this checker is too small for the file: {reason}", verdict
    except Exception as fault:
        return "open", f"a fault of this checker: {fault!r}", verdict


def check(path):
    """(word, statement or reason) for a file. The word is confirmed, refuted, open, or not a certificate."""
    return checked(path)[:2]


def main(arguments):
    """Say of each file whether its claim is true. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print a list of objects with file, answer and statement")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options, answers = parser.parse_args(arguments), []
    for path in options.files:
        word, text, verdict = checked(path)
        answers.append({"file": path, "answer": word, "statement": text})
        contrary = {verdict, word} in ({"proved", "refuted"}, {"refuted", "confirmed"})
        note = f"\n  The sender says the contrary: {verdict}." if contrary else ""
        if not options.json:
            print(f"{path}\n  {text}\n  {word}{note}")
    if options.json:
        print(json.dumps(answers, indent=2))
    words = {answer["answer"] for answer in answers}
    return 2 if "not a certificate" in words else 1 if "refuted" in words else 3 if "open" in words else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
