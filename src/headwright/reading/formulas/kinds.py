"""What parts of a formula are: numbers, columns, rows, matrices. Readings whose parts do not fit together are dropped.

The rules are those of `forms/fold.py`, without sizes: only what fits no sizes at all is refused here. A name of unknown kind fits
everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

NUMBER, COLUMN, ROW, MATRIX, UNKNOWN = "number", "column", "row", "matrix", "unknown"
_WORDS = {NUMBER: "a number", COLUMN: "a vector", ROW: "a transposed vector", MATRIX: "a matrix"}
_PRODUCTS = {
    (ROW, COLUMN): NUMBER,
    (COLUMN, ROW): MATRIX,
    (ROW, MATRIX): ROW,
    (MATRIX, COLUMN): COLUMN,
    (MATRIX, MATRIX): MATRIX,
}
_TURNED = {COLUMN: ROW, ROW: COLUMN}


class Unfit(Exception):  # noqa: N818 - a reading that is dropped
    """Parts of these kinds do not fit together; the text says why."""


def times(a: str, b: str) -> str:
    """The kind of a product.

    >>> times(NUMBER, COLUMN), times(COLUMN, ROW)
    ('column', 'matrix')
    """
    if a == NUMBER:
        return b
    if b == NUMBER:
        return a
    if a == b and a in (COLUMN, ROW):
        raise Unfit(
            f"You cannot multiply {_WORDS[a]} by {_WORDS[b]}. An inner product is a' * b, an outer product a * b'."
        )
    return _PRODUCTS.get((a, b), UNKNOWN)


def divided(a: str, b: str) -> str:
    """The kind of a quotient."""
    if b not in (NUMBER, UNKNOWN):
        raise Unfit(f"You cannot divide by {_WORDS[b]}; inv(...) is the inverse of a matrix.")
    return a


def added(kinds: Sequence[str]) -> str:
    """The kind of a sum."""
    known = [kind for kind in kinds if kind != UNKNOWN]
    for kind in known[1:]:
        if kind != known[0]:
            hint = "; a multiple of the identity is written 2*I" if {kind, known[0]} == {NUMBER, MATRIX} else ""
            raise Unfit(f"You cannot add {_WORDS[known[0]]} and {_WORDS[kind]}{hint}.")
    return known[0] if known else UNKNOWN


def turned(a: str) -> str:
    """The kind of a transpose."""
    if a == NUMBER:
        raise Unfit("A number has no transpose.")
    return _TURNED.get(a, a)


def raised(base: str, exponent: str) -> str:
    """The kind of a power."""
    if exponent not in (NUMBER, UNKNOWN):
        raise Unfit(f"The exponent must be a number, but this is {_WORDS[exponent]}.")
    if base in (COLUMN, ROW):
        raise Unfit(f"This is {_WORDS[base]}, which has no powers. A squared length is a' * a, a transpose A'.")
    return base


def called(function: str, kinds: Sequence[str]) -> str:
    """The kind of what a function gives."""
    first = kinds[0]
    match function:
        case "inv" if first in (COLUMN, ROW):
            raise Unfit(f"Only a square matrix has an inverse, but this is {_WORDS[first]}.")
        case "inv":
            return first
        case "pinv":
            return first if first == NUMBER else turned(first)
        case "norm" if first == MATRIX:
            raise Unfit("norm is the length of a vector, but this is a matrix.")
        case "norm":
            return NUMBER
        case "dot":
            if any(kind not in (COLUMN, UNKNOWN) for kind in kinds):
                raise Unfit(
                    f"dot takes two vectors, but here it has {' and '.join(_WORDS.get(k, '?') for k in kinds)}."
                )
            return NUMBER
        case "svd_part":
            return MATRIX
    for kind in kinds:
        if kind not in (NUMBER, UNKNOWN):
            raise Unfit(f"{function} takes numbers, but here it has {_WORDS[kind]}.")
    return NUMBER
