"""The ε by which a result may be rounded: that of its own type, or of a coarser one that all its numbers fit.

A function may compute in float32 and hand out float64. Then each of its numbers is a float32, which numbers computed in float64
are not, but for a few: integers, and numbers on a coarse grid, 2^-8 of the largest or wider, which sums of short numbers meet.
Integers say nothing about the type, and a grid nothing about half types, whose allowance would hide everything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_GRID_BITS = 8  # those of bfloat16, the shortest
_SINGLE_BITS = 24
_BFLOAT16 = 2.0**-7  # NumPy does not know it


def unit(array: Any) -> float:
    """ε of the array's number type; 0 for integers."""
    name = str(array.dtype).rpartition(".")[2]
    if "float" not in name:
        return 0.0
    rough = _BFLOAT16 if name == "bfloat16" else 0.25 if "float8" in name else None
    return float(np.finfo(name).eps) if rough is None else rough


def held_in(values: np.ndarray) -> tuple[str, float] | None:
    """The coarsest type that holds all of these finite float64 exactly, and its ε; None for float64 itself, and for integers.

    >>> held_in(np.array([1 / 3, 5.0])), held_in(np.array([np.float32(1 / 3), 5.0], dtype=float))
    (None, ('float32', 1.1920928955078125e-07))
    """
    with np.errstate(over="ignore", under="ignore"):
        single, half = values.astype(np.float32), values.astype(np.float16)
        largest = np.frexp(np.abs(values).max())[1]
        whole = largest <= _SINGLE_BITS and (values == np.rint(values)).all()  # beyond, every float32 is an integer
        if whole or (single != values).any():
            return None
        steps = np.ldexp(values, _GRID_BITS - largest)
    if (steps != np.rint(steps)).any():
        if not (np.ascontiguousarray(single).view(np.uint32) & 0xFFFF).any():  # bfloat16 is the upper half of float32
            return "bfloat16", _BFLOAT16
        if (half == values).all():
            return "float16", float(np.finfo(np.float16).eps)
    return "float32", float(np.finfo(np.float32).eps)
