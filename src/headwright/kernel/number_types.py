"""Narrow number types, and the kinds in which key caches store keys: which numbers each kind holds.

A number type (float32, float16, bfloat16, and fp8, which saturates) holds certain numbers. The other kinds store a code per
number and one float16 scale per group. The number is the scale times the level of its code: a whole number (int8, int4, int3)
or one of the 16 levels of nf4. A product of a level and a float16 number has at most 35 bits, so float64 holds it exactly.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from headwright.kernel import budget


class _Type(NamedTuple):
    bits: int  # of the significand, the hidden one included
    lowest: int  # the least power of two it can hold
    highest: int  # numbers stay below 2^highest
    largest: float | None = None  # of a type that saturates: it stands for all that lie beyond


_TYPES = {
    "float32": _Type(24, -149, 128),
    "float16": _Type(11, -24, 16),
    "bfloat16": _Type(8, -133, 128),
    "fp8-e4m3": _Type(4, -9, 9, 448.0),
    "fp8-e5m2": _Type(3, -16, 16, 57344.0),
}
# The levels of nf4 as published with QLoRA: float32 numbers.
_NF4 = [-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635]
_NF4 += [-0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725]
_NF4 += [0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0]
LEVELS = {f"int{bits}": np.arange(1.0 - 2 ** (bits - 1), 2 ** (bits - 1)) for bits in (8, 4, 3)} | {
    "nf4": np.array(_NF4)
}
Precision = Literal[
    "float32", "float16", "bfloat16", "fp8-e4m3", "fp8-e5m2", "int8", "int4", "int3", "nf4"
]  # fmt: skip
KINDS = (*_TYPES, *LEVELS)
PRECISIONS = ("float32", "float16", "bfloat16")  # for queries too; all other kinds are for stored keys alone
SIGNIFICANT_BITS = {name: _TYPES[name].bits for name in PRECISIONS}


def type_name(dtype: Any) -> str:
    """The name of a narrow type given by name or as a dtype of NumPy, torch, JAX or ml_dtypes; ValueError for any other.

    >>> type_name("bfloat16"), type_name(np.float16), type_name(np.dtype("float32"))
    ('bfloat16', 'float16', 'float32')
    """
    named = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or dtype
    name = str(named).removeprefix("torch.")
    if name not in PRECISIONS:
        raise ValueError(f"`dtype` must be None or one of {', '.join(map(repr, PRECISIONS))}, got {dtype!r}")
    return name


def round_to(array: np.ndarray, precision: str) -> np.ndarray:
    """The nearest numbers of the type, ties to even, as float64; ValueError if one overflows. fp8 saturates instead.

    A number with exponent e keeps the bits down to 2^(e - bits), or down to the type's least power of two where that is
    higher: scaled by that power (exactly), rounded to an integer, and scaled back.

    >>> round_to(np.array([0.1, 1 + 2.0**-8, 1 + 3 * 2.0**-8]), "bfloat16").tolist()
    [0.10009765625, 1.0, 1.015625]
    >>> round_to(np.array([0.1, 500.0]), "fp8-e4m3").tolist()
    [0.1015625, 448.0]
    """
    if precision not in _TYPES:
        raise ValueError(f"`precision` must be one of {', '.join(map(repr, _TYPES))}, got {precision!r}")
    kind = _TYPES[precision]
    rounded = _nearest(array, kind)
    if kind.largest is not None:
        rounded = np.clip(rounded, -kind.largest, kind.largest)
    elif not (np.abs(rounded) < 2.0**kind.highest).all():
        worst = float(np.abs(array).max())
        raise ValueError(f"`precision` {precision} cannot hold {worst:.6g}: the largest numbers overflow")
    return rounded


def _nearest(array: np.ndarray, kind: _Type) -> np.ndarray:
    """The nearest numbers with the type's bits, however large."""
    last = np.maximum(np.frexp(array)[1] - kind.bits, kind.lowest)
    with np.errstate(over="ignore"):  # reported by `round_to`
        rounded: np.ndarray = np.ldexp(np.rint(np.ldexp(array, -last)), last)
    return rounded


def need_stored(array: np.ndarray, precision: str | None, *, name: str) -> None:
    """ValueError unless `array` (n, d) holds numbers of the kind `precision`; with None nothing is checked.

    A claim about stored numbers checks them with this, so that a claim about other numbers cannot carry the label.
    """
    if precision is None:
        return
    if precision in LEVELS:
        wrong = np.broadcast_to(~_is_scaled(array, LEVELS[precision]), array.shape)
    else:
        wrong = round_to(array, precision) != array
    moved = np.argwhere(wrong)
    if len(moved):
        where = tuple(int(k) for k in moved[0])
        raise ValueError(
            f"`{name}` must hold {precision} numbers, but {float(array[where])!r} at {list(where)} is not one: round it first"
        )


def _is_scaled(array: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """For each column (d,): whether all its numbers are levels times one float16 number.

    The largest number is then some level times that scale, so each level is tried for it. Whatever scale is tried, the
    products that are compared are exact.
    """
    half = _TYPES["float16"]
    largest, middles = np.abs(array).max(axis=0), (levels[1:] + levels[:-1]) / 2
    fits: np.ndarray = largest == 0
    for level in sorted(set(np.abs(levels[levels != 0]).tolist()), reverse=True):
        scale = largest / level
        tried = np.flatnonzero(~fits & (_nearest(scale, half) == scale) & (scale < 2.0**half.highest))
        budget.spend(40 * array[:, tried].size)  # measured: a search among the levels for each number
        nearest = levels[np.searchsorted(middles, array[:, tried] / scale[tried])]
        fits[tried] = (nearest * scale[tried] == array[:, tried]).all(axis=0)
    return fits


def as_stored(precision: str | None) -> str:
    """The words that a claim's sentence adds for a narrow number type; empty for float64."""
    scales = ", one float16 scale per channel" if precision in LEVELS else ""
    return "" if precision is None else f" as stored in {precision}{scales}"
