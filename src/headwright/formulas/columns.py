"""Arithmetic of numbers, columns and matrices in float64, without broadcasting: 1 + k_1 is refused, not guessed at.

A number is a float; everything else is an array with two axes, a vector of length d being (d, 1); c·I has no size until a
sum gives it one. A product that is 1×1 is a number. What does not fit raises `Misfit`, with a sentence for the writer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from headwright.formulas.faults import Misfit

MOST_ENTRIES = 100_000
LARGEST_POWER = 64  # of a matrix
_SINGULAR = 1e12  # the condition number from which on float64 knows little of an inverse


@final
@dataclass(frozen=True, slots=True)
class Identity:
    """factor · I, of any size."""

    factor: float


Value = float | np.ndarray | Identity


def described(value: Value) -> str:
    """a number, a vector of length 3, a row of length 3, a 3×4 matrix, the identity matrix."""
    if isinstance(value, float):
        return "a number"
    if isinstance(value, Identity):
        return "the identity matrix"
    rows, columns = value.shape
    if columns == 1:
        return f"a vector of length {rows}"
    return f"a row of length {columns}" if rows == 1 else f"a {rows}×{columns} matrix"


def added(a: Value, b: Value) -> Value:
    """a + b, of one shape; I takes the size of the other."""
    match a, b:
        case float(), float():
            return a + b
        case Identity(), Identity():
            return Identity(a.factor + b.factor)
        case Identity(), np.ndarray():
            return added(b, a)
        case np.ndarray(), Identity() if a.shape[0] == a.shape[1]:
            return a + b.factor * np.eye(len(a))
        case np.ndarray(), np.ndarray() if a.shape == b.shape:
            return a + b
    raise Misfit(f"One cannot add {described(a)} and {described(b)}.")


def multiplied(a: Value, b: Value) -> Value:
    """a · b: of numbers, of a number and anything, of matrices whose inner sizes agree."""
    match a, b:
        case float(), float():
            return a * b
        case float(), Identity(factor):
            return Identity(a * factor)
        case Identity(factor), float():
            return Identity(factor * b)
        case float(), np.ndarray():
            return a * b
        case np.ndarray(), np.ndarray():
            return _matrix_product(a, b)
        case Identity(factor), _:
            return multiplied(factor, b)
    return multiplied(b, a)


def _matrix_product(a: np.ndarray, b: np.ndarray) -> Value:
    if a.shape[1] != b.shape[0]:
        hint = " An inner product is a' * b, an outer product a * b'." if a.shape[1] == b.shape[1] == 1 else ""
        raise Misfit(f"One cannot multiply {described(a)} by {described(b)}.{hint}")
    if a.shape[0] * b.shape[1] > MOST_ENTRIES:
        raise Misfit(f"This product would have more than {MOST_ENTRIES:,} entries.")
    product = a @ b
    return float(product[0, 0]) if product.shape == (1, 1) else product


def divided(a: Value, b: Value) -> Value:
    """a / b for a number b."""
    if not isinstance(b, float):
        raise Misfit(f"One cannot divide by {described(b)}; inv(...) is the inverse of a matrix.")
    if b == 0:
        raise Misfit("This is a division by zero.")
    return Identity(a.factor / b) if isinstance(a, Identity) else a / b


def raised(a: Value, b: Value) -> Value:
    """a^b: of numbers, or of a square matrix to a whole number, -1 being the inverse."""
    if not isinstance(b, float):
        raise Misfit(f"The exponent must be a number, it is {described(b)}.")
    if isinstance(a, float):
        if a == 0 and b < 0:
            raise Misfit("This is a division by zero.")
        if a < 0 and not b.is_integer():
            raise Misfit("A negative number has no such power.")
        return math.pow(a, b)
    if not b.is_integer() or abs(b) > LARGEST_POWER:
        raise Misfit(f"Only numbers have such powers, this is {described(a)}. A transpose is written with '.")
    if isinstance(a, Identity):
        return Identity(math.pow(a.factor, b))
    if a.shape[0] != a.shape[1]:
        raise Misfit(f"This is {described(a)}, which has no powers. A squared length is a' * a, a transpose A'.")
    base, found = (inverse(a) if b < 0 else a), Identity(1.0)
    power: Value = found
    for _ in range(int(abs(b))):
        power = multiplied(power, base)
    return added(power, 0.0 * a) if b == 0 else power


def transposed(a: Value) -> Value:
    """a', which is a itself for a number."""
    return a.T.copy() if isinstance(a, np.ndarray) else a


def inverse(a: Value) -> Value:
    """a^-1; refused where a is singular as far as float64 can tell."""
    if isinstance(a, float):
        return divided(1.0, a)
    if isinstance(a, Identity):
        return Identity(float(divided(1.0, a.factor)))  # type: ignore[arg-type]
    if a.shape[0] != a.shape[1]:
        raise Misfit(f"Only a square matrix has an inverse, this is {described(a)}.")
    if not np.linalg.cond(a) < _SINGULAR:
        raise Misfit("This matrix is singular: it has no inverse.")
    return np.linalg.inv(a)


def _pseudo_inverse(a: Value) -> Value:
    return np.linalg.pinv(a) if isinstance(a, np.ndarray) else inverse(a)


def _norm(a: Value) -> Value:
    if isinstance(a, float):
        return abs(a)
    if isinstance(a, Identity) or min(a.shape) > 1:
        raise Misfit(f"norm is the length of a vector, this is {described(a)}.")
    return float(np.linalg.norm(a))


def _dot(a: Value, b: Value) -> Value:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape and a.shape[1] == 1:
        return multiplied(a.T, b)
    raise Misfit(f"dot takes two vectors of one length, here it has {described(a)} and {described(b)}.")


def _of_numbers(name: str, function: Callable[..., float]) -> Callable[..., Value]:
    def applied(*arguments: Value) -> Value:
        for argument in arguments:
            if not isinstance(argument, float):
                raise Misfit(f"{name} takes a number, this is {described(argument)}.")
        try:
            return float(function(*arguments))
        except ValueError as none:
            raise Misfit(f"{name} has no value at {arguments[0]:.6g}.") from none

    return applied


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "inv": inverse,
    "pinv": _pseudo_inverse,
    "norm": _norm,
    "dot": _dot,
    **{f.__name__: _of_numbers(f.__name__, f) for f in (math.log, math.exp, math.sqrt, abs, min, max)},
}
