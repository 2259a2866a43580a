"""A formula at one point as float64 numbers, each the nearest to the exact value: computed in balls, rounded once."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from headwright import balls, forms
from headwright.formulas.formula import Formula

_BITS = 512
_SMALL = Fraction(1, 2**300)  # what is certainly nearer to 0 than this passes for 0 in a float


def evaluate(formula: Formula, values: Mapping[str, Any], *, size: int | None = None) -> float | np.ndarray:
    """The value of a formula where its names have these values: a float, a vector (d,) or a matrix (r, c), all finite.

    values: numbers, vectors (d,), matrices (r, c), of float64. `size` is that of I where the formula says nothing of it.
    FormulaError, with the place, where the formula has no value that float64 holds.

    >>> from headwright.formulas.grammar import parse
    >>> evaluate(parse("2*u*(u'*v)", names=["u", "v"]), {"u": np.array([1.0, 0.0]), "v": np.array([3.0, 4.0])})
    array([6., 0.])
    """
    given = {name: exact_value(values[name]) for name in formula.used if name in values}
    with formula.marked(), balls.precision(_BITS):
        try:
            found = forms.at_point(formula.root, given, size=size)
        except forms.OutOfClass as beyond:
            raise formula.wrong(formula.root, f"This cannot be computed: {beyond}.") from None
        rows = found if isinstance(found, tuple) else ((found,),)
        numbers = np.array([[_nearest(entry) for entry in row] for row in rows])
    if not np.isfinite(numbers).all():
        raise formula.wrong(formula.root, "This is too large to compute, or its terms cancel too far.")
    if not isinstance(found, tuple):
        return float(numbers[0, 0])
    return numbers[:, 0] if numbers.shape[1] == 1 else numbers


def exact_value(x: Any) -> Any:
    """A number, vector or matrix of float64 as a value of formulas, exactly."""
    if isinstance(x, Fraction):
        return x
    array = np.asarray(x)
    if array.dtype.kind not in "iuf" or array.ndim > 2 or not array.size or not np.isfinite(array).all():
        raise ValueError(f"`values` must be finite numbers, vectors or matrices, got {str(x)[:60]}")
    if array.ndim == 0:
        return Fraction(array.item())
    return tuple(tuple(Fraction(entry) for entry in row) for row in array.reshape(len(array), -1).tolist())


def _nearest(entry: forms.Scalar) -> float:
    """The number as a float; not finite where float64 does not hold it, or where the ball does not tell which one it is."""
    try:
        if isinstance(entry, Fraction):
            return float(entry)
        low, high = balls.lower(entry), balls.upper(entry)
        if low is None or high is None or high - low > max(abs(low), _SMALL) / 2**52:
            return float("inf")
        return float(entry.mid())
    except OverflowError:
        return float("inf")
