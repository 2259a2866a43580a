"""Narrow number types: what a float64 becomes when it is stored as float32, float16 or bfloat16."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np


class _Type(NamedTuple):
    bits: int  # of the significand, the hidden one included
    lowest: int  # the least power of two it can hold
    highest: int  # numbers stay below 2^highest


_TYPES = {"float32": _Type(24, -149, 128), "float16": _Type(11, -24, 16), "bfloat16": _Type(8, -133, 128)}
Precision = Literal["float32", "float16", "bfloat16"]
PRECISIONS = tuple(_TYPES)
SIGNIFICANT_BITS = {name: kind.bits for name, kind in _TYPES.items()}


def type_name(dtype: Any) -> str:
    """The name of a narrow type given by name or as a dtype of NumPy, torch, JAX or ml_dtypes; ValueError for any other.

    >>> type_name("bfloat16"), type_name(np.float16), type_name(np.dtype("float32"))
    ('bfloat16', 'float16', 'float32')
    """
    named = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or dtype
    name = str(named).removeprefix("torch.")
    if name not in _TYPES:
        raise ValueError(f"`dtype` must be None or one of {', '.join(map(repr, PRECISIONS))}, got {dtype!r}")
    return name


def round_to(array: np.ndarray, precision: str) -> np.ndarray:
    """The nearest numbers of the type, ties to even, as float64; ValueError if one overflows.

    A number with exponent e keeps the bits down to 2^(e - bits), or down to the type's least power of two where that is
    higher: scaled by that power (exactly), rounded to an integer, and scaled back.

    >>> round_to(np.array([0.1, 1 + 2.0**-8, 1 + 3 * 2.0**-8]), "bfloat16").tolist()
    [0.10009765625, 1.0, 1.015625]
    """
    if precision not in _TYPES:
        raise ValueError(f"`precision` must be one of {', '.join(map(repr, PRECISIONS))}, got {precision!r}")
    kind = _TYPES[precision]
    last = np.maximum(np.frexp(array)[1] - kind.bits, kind.lowest)
    with np.errstate(over="ignore"):  # overflow is reported below
        rounded: np.ndarray = np.ldexp(np.rint(np.ldexp(array, -last)), last)
    if not (np.abs(rounded) < 2.0**kind.highest).all():
        worst = float(np.abs(array).max())
        raise ValueError(f"`precision` {precision} cannot hold {worst:.6g}: the largest numbers overflow")
    return rounded


def need_stored(array: np.ndarray, precision: str | None, *, name: str) -> None:
    """ValueError unless every number of `array` is one of the type `precision`; with None nothing is checked.

    A claim about stored numbers checks them with this, so that a claim about other numbers cannot carry the label.
    """
    if precision is None:
        return
    moved = np.argwhere(round_to(array, precision) != array)
    if len(moved):
        where = tuple(int(k) for k in moved[0])
        raise ValueError(
            f"`{name}` must hold {precision} numbers, but {float(array[where])!r} at {list(where)} is not one: round it first"
        )


def as_stored(precision: str | None) -> str:
    """The words that a claim's sentence adds for a narrow number type; empty for float64."""
    return "" if precision is None else f" as stored in {precision}"
