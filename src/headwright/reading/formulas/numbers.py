"""A formula at one point as float64 numbers: computed in balls and rounded once, to the nearest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import balls, inputs
from headwright.reading.formulas.formula import Formula
from headwright.theories.formulas import forms
from headwright.theories.formulas.forms.points import MOST_ENTRIES

_BITS = 512
_TINY = Fraction(1, 10**60)  # a remainder of cancelling terms below this counts as 0


def evaluate(formula: Formula, values: Mapping[str, Any], *, size: int | None = None) -> float | np.ndarray:
    """The value of a formula where its names have these values: a float, a vector (d,) or a matrix (r, c), all finite.

    values: numbers, vectors (d,), matrices (r, c), of float64. `size` is the size of I if the formula does not determine it.
    FormulaError, with the place, if the formula has no value in the range of float64.

    >>> from headwright.reading.formulas import parse
    >>> evaluate(parse("2*u*(u'*v)", names=["u", "v"]), {"u": np.array([1.0, 0.0]), "v": np.array([3.0, 4.0])})
    array([6., 0.])
    """
    missing = formula.used - values.keys()
    if missing:
        raise ValueError(f"`values` must hold every name of the formula, but {', '.join(sorted(missing))} is missing")
    given = {name: exact_value(values[name]) for name in formula.used}
    with formula.marked(), balls.precision(_BITS):
        try:
            value = forms.at_point(formula.root, given, size=size)
        except forms.OutOfClass as beyond:
            raise formula.wrong(formula.root, f"This cannot be computed: {beyond}.") from None
        rows = value if isinstance(value, tuple) else ((value,),)
        numbers = np.array([[_nearest(entry) for entry in row] for row in rows])
    if not np.isfinite(numbers).all():
        raise formula.wrong(formula.root, "This is too large to compute, or its terms cancel too far.")
    if not isinstance(value, tuple):
        return float(numbers[0, 0])
    return numbers[:, 0] if numbers.shape[1] == 1 else numbers


def exact_value(x: Any, name: str = "values") -> Any:
    """A number, vector or matrix of float64 as an exact value for formulas; ValueError for anything else."""
    if isinstance(x, Fraction):
        return x
    array = np.asarray(x)
    if (
        array.ndim > 2
        or array.dtype.kind not in "iuf"
        or not 0 < array.size <= MOST_ENTRIES
        or not np.isfinite(array).all()
    ):
        kind = f"an array of shape {array.shape} and type {array.dtype}"
        raise ValueError(
            f"`{name}` must be a finite number, vector or matrix of at most {MOST_ENTRIES:,} entries, got {kind}"
        )
    numbers = inputs.float64(array.reshape(len(array), -1) if array.ndim else array.reshape(1, 1), name=name, ndim=2)
    rows = tuple(tuple(Fraction(entry) for entry in row) for row in numbers.tolist())
    return rows if array.ndim else rows[0][0]


def _nearest(entry: forms.Scalar) -> float:
    """The nearest float64; infinity if the number is too large or its ball too wide."""
    ends = (entry, entry) if isinstance(entry, Fraction) else (balls.lower(entry), balls.upper(entry))
    low, high = ends
    if low is None or high is None or high - low > max(_TINY, abs(high) / 2**60):
        return math.inf
    try:
        return float((low + high) / 2)
    except OverflowError:
        return math.inf
