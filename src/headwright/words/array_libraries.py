"""The caller's array library, in which `attend` and blocks compute, and numbers read from text files."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import array_api_compat
import numpy as np


def namespace(*arrays: Any) -> ModuleType:
    """The array library that all `arrays` belong to (plain lists count as NumPy).

    >>> namespace(np.zeros(2)).__name__
    'array_api_compat.numpy'
    """
    known = [a for a in arrays if array_api_compat.is_array_api_obj(a)]
    if not known:
        known = [np.empty(0)]
    try:
        library: ModuleType = array_api_compat.array_namespace(*known)
        return library
    except TypeError as error:
        kinds = ", ".join(sorted({type(a).__module__.split(".")[0] for a in known}))
        raise TypeError(f"arrays must come from one library, got a mixture of {kinds}") from error


def is_concrete(array: Any) -> bool:
    """Whether the values can be read now (False inside a JAX transformation that traces)."""
    if array_api_compat.is_jax_array(array):
        return not isinstance(array, sys.modules["jax"].core.Tracer)
    return not array_api_compat.is_lazy_array(array)


def need_finite(array: Any, name: str) -> None:
    """ValueError that names the first entry that is not finite; what is being traced cannot be looked at, and passes.

    >>> need_finite(np.array([[1.0, 2.0], [np.nan, 0.0]]), "keys")
    Traceback (most recent call last):
    ValueError: `keys` must be finite, got nan at [1, 0]
    """
    xp = namespace(array)
    if is_concrete(array) and not bool(xp.all(xp.isfinite(array))):
        bad = xp.reshape(xp.astype(xp.logical_not(xp.isfinite(array)), xp.int8), (-1,))
        where = [int(i) for i in np.unravel_index(int(xp.argmax(bad)), tuple(array.shape))]
        raise ValueError(f"`{name}` must be finite, got {float(array[tuple(where)])} at {where}")


def typed(text: str) -> float | int:
    """A number in a text file: a decimal as the nearest float64, as in Python; an integer as it is, for `float64` to check.

    >>> typed("0.5"), typed(" -3")
    (0.5, -3)
    """
    plain = text.strip()
    return int(plain) if plain.lstrip("+-").isdecimal() and len(plain) < 400 else float(plain)
