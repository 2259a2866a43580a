"""The second opinion on singular values: characteristic polynomials in integers, and Descartes' rule of signs.

The σ_i² are the eigenvalues of AᵀA (of A Aᵀ where that is smaller), a symmetric matrix, whose characteristic polynomial has real
roots only. For such a polynomial p Descartes' rule is an equality: p(t + x) has as many sign changes as p has roots above x, and
as many vanishing last coefficients as x has multiplicity. Everything is in Python integers, so that every claim is decided.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from tests.brackets import whole_numbers


def singular_values(arrays, fields):
    """ "true" when low_i <= σ_i <= high_i for every i."""
    rows, unit = rational_rows(arrays["matrix"])
    polynomial = characteristic(rows)
    for i, (low, high) in enumerate(zip(arrays["low"], arrays["high"], strict=True)):
        if not _at_least(polynomial, Fraction(float(low)) / unit, i + 1):
            return "false"
        if above(polynomial, Fraction(float(high)) / unit) > i:
            return "false"
    return "true"


def low_rank(arrays, fields):
    """ "true" when the exact rest has no singular value above the error, and σ_{r+1} of the matrix is at least `best`."""
    (a, a_unit), (left, l_unit), (right, r_unit) = (rational_rows(arrays[name]) for name in ("matrix", "left", "right"))
    unit = min(a_unit, l_unit * r_unit)
    rest = [
        [
            int(a_unit / unit) * entry
            - int(l_unit * r_unit / unit) * sum(x * y for x, y in zip(left[i], column, strict=True))
            for entry, column in zip(row, zip(*right, strict=True), strict=True)
        ]
        for i, row in enumerate(a)
    ]
    if above(characteristic(rest), Fraction(fields["error"]) / unit):
        return "false"
    rank = len(right)
    if rank == min(np.shape(arrays["matrix"])):
        return "true" if Fraction(fields["best"]) == 0 else "false"
    return "true" if _at_least(characteristic(a), Fraction(fields["best"]) / a_unit, rank + 1) else "false"


def characteristic(rows):
    """Coefficients of det(t I - G), highest first, G = A Aᵀ or AᵀA, the smaller one, by Faddeev and LeVerrier's recursion."""
    lines = rows if len(rows) <= len(rows[0]) else [list(column) for column in zip(*rows, strict=True)]
    gram = [[sum(x * y for x, y in zip(a, b, strict=True)) for b in lines] for a in lines]
    size = len(gram)
    coefficients, power = [1], [[int(i == j) for j in range(size)] for i in range(size)]
    for k in range(1, size + 1):
        product = [
            [sum(g * p for g, p in zip(row, column, strict=True)) for column in zip(*power, strict=True)]
            for row in gram
        ]
        trace = sum(product[i][i] for i in range(size))
        assert trace % k == 0, "the coefficients of an integer matrix are integers"
        coefficients.append(-trace // k)
        power = [[entry + (i == j) * coefficients[-1] for j, entry in enumerate(row)] for i, row in enumerate(product)]
    return coefficients


def _shifted(coefficients, x):
    """Coefficients of p(t + x), lowest first, times a positive number that makes them integers."""
    top, bottom = x.numerator, x.denominator
    left = [c * bottom**i for i, c in enumerate(coefficients)]  # bottom^n p(t / bottom), highest first
    found = []
    for size in range(len(left), 0, -1):  # Horner's scheme again and again
        for i in range(1, size):
            left[i] += top * left[i - 1]
        found.append(left[size - 1])
    return found


def above(coefficients, bound):
    """How many σ_i are above `bound`."""
    if bound < 0:
        return len(coefficients) - 1
    signs = [c > 0 for c in _shifted(coefficients, bound**2) if c]
    return sum(a != b for a, b in pairwise(signs))


def _at_least(coefficients, bound, count):
    """Whether `count` of the σ_i or more are at least `bound`."""
    if bound <= 0:
        return count <= len(coefficients) - 1
    shifted = _shifted(coefficients, bound**2)
    equal = next(i for i, c in enumerate(shifted) if c)
    return above(coefficients, bound) + equal >= count


def rational_rows(array):
    rows, exponent = whole_numbers(np.asarray(array))
    return rows, Fraction(2) ** exponent


def work(kind, arrays, fields):
    """In rough units of 10 microseconds, as in `second_opinion`; entries far apart make long integers."""
    (n, d), p = np.shape(arrays["matrix"]), min(np.shape(arrays["matrix"]))
    longest = (
        max(abs(entry).bit_length() for row in rational_rows(arrays["matrix"])[0] for entry in row)
        if n * d < 2000
        else 1
    )
    return (n * d * p + p**4 + p**3) / 20 * (1 + longest / 200)


JUDGES = {"singular-values": singular_values, "low-rank": low_rank}
