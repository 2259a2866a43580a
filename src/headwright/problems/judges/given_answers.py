"""An answer as its question asks for it: exactly the asked names, each a text or a float64 array."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np

from headwright import arrays
from headwright.problems.judges.asked_names import as_asked
from headwright.problems.problem import Problem

_MOST_ENTRIES = 10**6
_MATRICES = ("reads-out", "low-rank", "layer")  # kinds of claim about matrices; all others are about vectors


def given_of(problem: Problem, answer: Any) -> dict[str, str | np.ndarray]:
    """The answer with exactly the question's names, each a text or a float64 array."""
    if not isinstance(answer, Mapping):
        raise TypeError(f"`answer` must map names to formulas or arrays, got {type(answer).__name__}")
    for name in answer:
        if not isinstance(name, str):
            raise TypeError(f"`answer` must have names (str) as keys, got {type(name).__name__}")
    wanted = problem.answers
    answer = as_asked(answer, wanted)
    factors = tuple(problem.claim.get("factors", ()))  # a matrix of low rank may be given as a product
    if factors and set(answer) == set(factors):
        wanted = factors
    unknown, missing = [k for k in answer if k not in wanted], [k for k in wanted if k not in answer]
    if unknown or missing:
        faults = [f"`{k}` is missing" for k in missing] + [f"`{k}` is not asked for" for k in unknown]
        raise ValueError(f"`answer` to {problem.id} must define {' and '.join(wanted)}: {', '.join(faults)}")
    return {name: _value(name, answer[name], 2 if problem.kind in _MATRICES else 1) for name in wanted}


def _value(name: str, value: Any, ndim: int) -> str | np.ndarray:
    if isinstance(value, str):
        if not value.strip():
            raise ValueError(f"`{name}` must not be empty")
        return value
    if isinstance(value, bool | np.bool_) or value is None:
        raise TypeError(f"`{name}` must be a formula in quotes or an array of numbers, got {value!r}")
    if name == "statement":
        raise TypeError(f"`statement` must be an id in quotes, got {type(value).__name__}")
    kind = "a vector" if ndim == 1 else "a matrix"
    if isinstance(value, Number | Fraction) or getattr(value, "ndim", None) == 0:
        raise ValueError(f"`{name}` must be {kind}, got a single number")
    if isinstance(value, Mapping | set | frozenset | bytes):
        raise TypeError(f"`{name}` must be a formula in quotes or an array of numbers, got {type(value).__name__}")
    return _array(name, value, ndim)


def _array(name: str, value: Any, ndim: int) -> np.ndarray:
    if _holds_booleans(value):
        raise TypeError(f"`{name}` must hold numbers, got booleans")
    found = arrays.float64(value, name=name, ndim=ndim)
    if found.size > _MOST_ENTRIES:
        raise ValueError(f"`{name}` must have at most {_MOST_ENTRIES} entries, got {found.size}")
    return found


def _holds_booleans(value: Any) -> bool:
    """Whether an array is one of booleans, or a list or one of its rows has one: NumPy would read True as 1."""
    if not isinstance(value, list | tuple):
        return "bool" in str(getattr(value, "dtype", ""))
    rows = [value, *(row for row in value if isinstance(row, list | tuple))]
    return any(isinstance(entry, bool | np.bool_) for row in rows for entry in row)
