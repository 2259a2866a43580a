"""The formula trees of certificates, evaluated by mpmath and exact fractions: an arithmetic of its own for the second opinion.

A number is a Fraction as long as it can be, an mpf from then on; a vector is a column; c·I has no size until a sum gives it one.
`Undefined` is a formula without a value. `Unsure` is this evaluator at its limits, which says nothing of the formula. A sum notes
the size of its terms, so that digits lost by cancelling are won back at a higher precision (`steady`).
"""

import math
from fractions import Fraction

import mpmath

MOST_DIGITS = 6000
MOST_POWER = 64


class Undefined(Exception):  # noqa: N818 - a state of the formula
    """The formula has no value here."""


class Unsure(Exception):  # noqa: N818 - a state of this evaluator
    """The evaluator cannot say."""


class Eye:
    """factor · I."""

    def __init__(self, factor):
        self.factor = factor


def steady(attempt, *, digits=60, most=MOST_DIGITS):
    """attempt(arithmetic) at rising precision until it is not None; None where the last precision does not decide either."""
    while digits <= most:
        with mpmath.workdps(digits):
            arithmetic = Arithmetic(mpmath.mpf(10) ** -(digits // 3))
            try:
                found = attempt(arithmetic)
            except Unsure:
                found = None
            lost = int(arithmetic.peak * 0.302)
        if lost > digits // 3:
            digits = max(2 * digits, 2 * lost + 60)
            continue
        if found is not None:
            return found
        if digits > 300:
            return None
        digits = max(2 * digits, 360)
    return None


def digits_in(tree):
    """The length of the longest number in a tree."""
    if isinstance(tree, str):
        return len(tree)
    return max(map(digits_in, tree), default=0) if isinstance(tree, list) else 0


def names_in(tree):
    if not isinstance(tree, list) or not tree:
        return set()
    if tree[0] == "name":
        return {tree[1]}
    return set().union(*map(names_in, tree)) if tree[0] not in ("number", "constant", "array") else set()


def has_array(tree):
    return isinstance(tree, list) and bool(tree) and (tree[0] == "array" or any(map(has_array, tree)))


def column(entries):
    return tuple((x,) for x in entries)


def grid(array):
    return tuple(tuple(Fraction(x) for x in row) for row in array.tolist())


def mp(x):
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


class Arithmetic:
    """One precision: what is smaller than `tiny` may be 0, `peak` is the size in bits of the largest term of a sum."""

    def __init__(self, tiny):
        self.tiny, self.peak = tiny, 0

    def sign(self, x):
        """1, 0 or -1; Unsure where it may be any."""
        if isinstance(x, Fraction):
            return (x > 0) - (x < 0)
        if abs(x) <= self.tiny:
            raise Unsure
        return 1 if x > 0 else -1

    def value(self, tree, names):
        kind, *rest = tree
        match kind:
            case "number":
                return Fraction(rest[0])
            case "name":
                if rest[0] not in names:
                    raise Unsure
                return names[rest[0]]
            case "constant":
                return Eye(Fraction(1)) if rest[0] == "I" else +{"pi": mpmath.pi, "e": mpmath.e}[rest[0]]
            case "array":
                rows = tuple(tuple(map(Fraction, row)) for row in rest)
                return rows[0][0] if len(rows) == len(rows[0]) == 1 else rows
            case "sum":
                found = self.times(Fraction(rest[0][0]), self.value(rest[0][1], names))
                for sign, part in rest[1:]:
                    found = self.plus(found, self.times(Fraction(sign), self.value(part, names)))
                return found
            case "product":
                found = None
                for way, part in rest:
                    x = self.value(part, names)
                    x = x if way == 1 else self.divisor(x)
                    found = x if found is None else self.times(found, x)
                return found
            case "power":
                return self.power(self.value(rest[0], names), self.value(rest[1], names))
            case "transposed":
                return turned(self.value(rest[0], names))
            case "call":
                return self.called(rest[0], [self.value(part, names) for part in rest[1:]])
        raise Unsure

    # Sums and products

    def plus(self, a, b):
        if isinstance(b, Eye):
            a, b = b, a
        if isinstance(a, Eye):
            if isinstance(b, Eye):
                return Eye(self.plus(a.factor, b.factor))
            if not isinstance(b, tuple) or len(b) != len(b[0]):
                raise Undefined
            return self.plus(eye(len(b), a.factor), b)
        if isinstance(a, tuple) != isinstance(b, tuple):
            raise Undefined
        if isinstance(a, tuple):
            if (len(a), len(a[0])) != (len(b), len(b[0])):
                raise Undefined
            return tuple(tuple(self.plus(x, y) for x, y in zip(p, q, strict=True)) for p, q in zip(a, b, strict=True))
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a + b
        a, b = mp(a), mp(b)
        for x in (a, b):
            if x:
                self.peak = max(self.peak, mpmath.mag(x))
        return a + b

    def times(self, a, b):
        if isinstance(a, Eye) or isinstance(b, Eye):
            if isinstance(a, Eye) and isinstance(b, Eye):
                return Eye(self.times(a.factor, b.factor))
            factor, other = (a.factor, b) if isinstance(a, Eye) else (b.factor, a)
            return self.times(factor, other) if isinstance(other, tuple) else Eye(self.times(factor, other))
        if isinstance(a, tuple) and isinstance(b, tuple):
            if len(a[0]) != len(b):
                raise Undefined
            found = tuple(tuple(self.dot(row, column) for column in zip(*b, strict=True)) for row in a)
            return found[0][0] if len(found) == len(found[0]) == 1 else found
        if isinstance(a, tuple):
            a, b = b, a
        if isinstance(b, tuple):
            return tuple(tuple(self.times(a, x) for x in row) for row in b)
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            found = a * b
            return found if max(found.numerator.bit_length(), found.denominator.bit_length()) < 20_000 else mp(found)
        if any(isinstance(x, Fraction) and x == 0 for x in (a, b)):
            return Fraction(0)
        return mp(a) * mp(b)

    def dot(self, row, column):
        found = Fraction(0)
        for x, y in zip(row, column, strict=True):
            found = self.plus(found, self.times(x, y))
        return found

    def divisor(self, x):
        if isinstance(x, tuple | Eye):
            raise Undefined
        if self.sign(x) == 0:
            raise Undefined
        return 1 / x

    # Powers and functions

    def power(self, base, exponent):
        if isinstance(exponent, tuple | Eye):
            raise Undefined
        whole = isinstance(exponent, Fraction) and exponent.denominator == 1
        if isinstance(base, tuple | Eye):
            if isinstance(exponent, Fraction) and not whole:
                raise Undefined
            if isinstance(base, tuple) and len(base) != len(base[0]):
                raise Undefined
            if not whole or abs(exponent) > MOST_POWER:
                raise Unsure
            factor = self.inverse(base) if exponent < 0 else base
            found = Eye(Fraction(1)) if isinstance(base, Eye) else eye(len(base), Fraction(1))
            for _ in range(abs(int(exponent))):
                found = self.times(found, factor)
            return found
        if isinstance(base, Fraction) and base == 0:
            if not isinstance(exponent, Fraction) and self.sign(exponent) < 0:
                raise Undefined
            if isinstance(exponent, Fraction) and exponent < 0:
                raise Undefined
            return Fraction(int(exponent == 0))
        if whole and abs(exponent) <= MOST_POWER:
            if exponent < 0:
                self.sign(base)
            return base ** int(exponent) if isinstance(base, Fraction) else mpmath.power(base, int(exponent))
        below = self.sign(base) < 0
        if below and not isinstance(exponent, Fraction):
            raise Unsure
        if below and not whole:
            raise Undefined
        size = self.exponential(mp(exponent) * mpmath.log(abs(mp(base))))
        return -size if below and exponent.numerator % 2 else size

    def exponential(self, x):
        if abs(x) > mpmath.mpf(10) ** 30:
            raise Unsure
        return mpmath.exp(x)

    def called(self, function, arguments):
        first = arguments[0]
        if function == "inv":
            return self.inverse(first)
        if function == "pinv":
            return self.pseudo_inverse(first)
        if function == "svd_part":
            return self.truncated(*arguments)
        if function == "norm" and not is_number(first):
            if isinstance(first, Eye) or min(len(first), len(first[0])) > 1:
                raise Undefined
            return self.root(self.dot(*[[x for row in first for x in row]] * 2))
        if function == "dot":
            if not all(isinstance(x, tuple) and len(x[0]) == 1 for x in arguments) or len(first) != len(arguments[1]):
                raise Undefined
            return self.times(turned(first), arguments[1])
        if not all(map(is_number, arguments)):
            raise Undefined
        match function:
            case "log":
                if first == 1:
                    return Fraction(0)
                if self.sign(first) <= 0:
                    raise Undefined
                return mpmath.log(mp(first))
            case "exp":
                return Fraction(1) if isinstance(first, Fraction) and first == 0 else self.exponential(mp(first))
            case "sqrt":
                return self.root(first)
            case "abs" | "norm":
                return abs(first)
            case "min" | "max":
                best = max if function == "max" else min
                return best(arguments) if all(isinstance(x, Fraction) for x in arguments) else best(map(mp, arguments))
        raise Unsure

    def root(self, x):
        if isinstance(x, Fraction) and x >= 0:
            above, under = math.isqrt(x.numerator), math.isqrt(x.denominator)
            if above**2 == x.numerator and under**2 == x.denominator:
                return Fraction(above, under)
        if self.sign(x) < 0:
            raise Undefined
        return mpmath.sqrt(mp(x))

    # Matrices

    def inverse(self, a):
        if isinstance(a, Eye):
            return Eye(self.divisor(a.factor))
        if is_number(a):
            return self.divisor(a)
        if len(a) != len(a[0]):
            raise Undefined
        n, left = len(a), [[*row, *(Fraction(int(i == j)) for j in range(len(a)))] for i, row in enumerate(a)]
        for j in range(n):
            place = max(range(j, n), key=lambda i: abs(left[i][j]))
            if self.sign(left[place][j]) == 0:
                raise Undefined
            left[j], left[place] = left[place], left[j]
            scale = self.divisor(left[j][j])
            left[j] = [self.times(scale, x) for x in left[j]]
            for i in range(n):
                if i != j and left[i][j] != 0:
                    factor = self.times(Fraction(-1), left[i][j])
                    left[i] = [self.plus(x, self.times(factor, y)) for x, y in zip(left[i], left[j], strict=True)]
        return tuple(tuple(row[n:]) for row in left)

    def pseudo_inverse(self, a):
        """C R with C of full column rank and R of full row rank, from the row echelon form: exact for rational matrices."""
        if not isinstance(a, tuple):
            factor = a.factor if isinstance(a, Eye) else a
            found = Fraction(0) if isinstance(factor, Fraction) and factor == 0 else self.divisor(factor)
            return Eye(found) if isinstance(a, Eye) else found
        if not all(isinstance(x, Fraction) for row in a for x in row):
            tall = a if len(a) >= len(a[0]) else turned(a)
            try:
                found = self.matrix_times(self.inverse(self.matrix_times(turned(tall), tall)), turned(tall))
            except Undefined:
                raise Unsure from None
            return as_value(found if tall is a else turned(found))
        rows, pivots = [list(row) for row in a], []
        for j in range(len(a[0])):
            at = next((i for i in range(len(pivots), len(rows)) if rows[i][j]), None)
            if at is None:
                continue
            k = len(pivots)
            rows[k], rows[at] = rows[at], rows[k]
            rows[k] = [x / rows[k][j] for x in rows[k]]
            rows = [
                [x - row[j] * y for x, y in zip(row, rows[k], strict=True)] if i != k else row
                for i, row in enumerate(rows)
            ]
            pivots.append(j)
        if not pivots:
            return as_value(turned(a))
        c, r = tuple(tuple(row[j] for j in pivots) for row in a), tuple(tuple(row) for row in rows[: len(pivots)])
        left = self.matrix_times(turned(r), self.inverse(self.matrix_times(r, turned(r))))
        right = self.matrix_times(self.inverse(self.matrix_times(turned(c), c)), turned(c))
        return as_value(self.matrix_times(left, right))

    def matrix_times(self, a, b):
        """The product as a matrix, also where it is 1×1."""
        a, b = (x if isinstance(x, tuple) else ((x,),) for x in (a, b))
        return tuple(tuple(self.dot(row, column) for column in zip(*b, strict=True)) for row in a)

    def truncated(self, a, rank):
        if not isinstance(rank, Fraction):
            raise Unsure
        if not isinstance(a, tuple) or rank.denominator > 1 or not 0 <= rank <= min(len(a), len(a[0])):
            raise Undefined
        rank, gram = int(rank), self.matrix_times(turned(a), a)
        if rank == len(gram):
            return a
        values, vectors = mpmath.eigsy(mpmath.matrix([[mp(x) for x in row] for row in gram]))
        order = sorted(range(len(gram)), key=lambda j: values[j], reverse=True)
        if rank and values[order[rank - 1]] - values[order[rank]] <= self.tiny * max(values[order[0]], 1):
            raise Unsure
        kept = tuple(tuple(vectors[i, j] for j in order[:rank]) for i in range(len(gram)))
        if rank == 0:
            return tuple(tuple(Fraction(0) for _ in row) for row in a)
        return as_value(self.matrix_times(self.matrix_times(a, kept), turned(kept)))


def is_number(x):
    return not isinstance(x, tuple | Eye)


def turned(a):
    return tuple(zip(*a, strict=True)) if isinstance(a, tuple) else a


def eye(size, factor):
    return tuple(tuple(factor if i == j else Fraction(0) for j in range(size)) for i in range(size))


def as_value(a):
    return a[0][0] if len(a) == len(a[0]) == 1 else a


def sized(value, size):
    """A matrix, where I has this size; Undefined for a number."""
    if isinstance(value, Eye):
        return eye(size, value.factor)
    return value if isinstance(value, tuple) else ((value,),)
