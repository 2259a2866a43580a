"""A formula at one point, in float64: vectors are columns, `a' * b` is an inner product, `a * b'` an outer one.

Every step is one of `columns.py`, so what does not fit together is refused with the place in the formula; sizes are bounded, and
a value that is not finite is an error where it arises.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from headwright.formulas.columns import (
    FUNCTIONS,
    MOST_ENTRIES,
    Identity,
    Value,
    added,
    divided,
    multiplied,
    raised,
    transposed,
)
from headwright.formulas.faults import Misfit
from headwright.formulas.trees import Array, Call, Formula, Name, Node, Number, Power, Product, Sum, Transposed

_CONSTANTS: dict[str, Value] = {"pi": math.pi, "e": math.e, "I": Identity(1.0)}


def evaluate(
    formula: Formula,
    values: Mapping[str, Any],
    *,
    size: int | None = None,
    functions: Mapping[str, Callable[..., Any]] | None = None,
) -> float | np.ndarray:
    """The value of a formula where its names have these values: a float, a vector (d,) or a matrix (r, c), all finite.

    values: numbers, vectors (d,), matrices (r, c). `size` is that of I where the formula says nothing of it, as in K = I.
    `functions` are those of the question that `parse` was told of; they take and return floats and arrays with two axes.
    A row vector comes out as (1, d). FormulaError, with the place, where the formula has no finite value.

    >>> from headwright.formulas.grammar import parse
    >>> evaluate(parse("2*u*(u'*v)", names=["u", "v"]), {"u": np.array([1.0, 0.0]), "v": np.array([3.0, 4.0])})
    array([6., 0.])
    """
    missing = formula.used - values.keys()
    if missing:
        raise ValueError(f"`values` must hold every name of the formula, {', '.join(sorted(missing))} is missing")
    given = {name: _taken(name, values[name]) for name in formula.used}
    with np.errstate(all="ignore"):
        found = _Point(formula, given, {**FUNCTIONS, **(functions or {})}).value(formula.root)
    if isinstance(found, Identity):
        if size is None:
            raise formula.wrong(formula.root, "The size of I does not follow from this formula.")
        return found.factor * np.eye(size)
    if isinstance(found, float):
        return found
    return found[:, 0].copy() if found.shape[1] == 1 else found.copy()


def _taken(name: str, value: Any) -> Value:
    array = np.asarray(value)
    if array.ndim > 2 or array.dtype.kind not in "iuf" or not 0 < array.size <= MOST_ENTRIES:
        kind = f"an array of shape {array.shape} and type {array.dtype}"
        raise ValueError(f"`values` must hold numbers, vectors and matrices, got for {name} {kind}")
    if not np.isfinite(array).all():
        raise ValueError(f"`values` must be finite, got NaN or infinity for {name}")
    array = array.astype(np.float64)
    return float(array) if array.ndim == 0 else array.reshape(len(array), -1)


@final
class _Point:
    """Walks the tree with the values of the names at hand."""

    def __init__(
        self, formula: Formula, given: Mapping[str, Value], functions: Mapping[str, Callable[..., Any]]
    ) -> None:
        self.formula, self.given, self.functions = formula, given, functions

    def value(self, node: Node) -> Value:
        match node:
            case Number(_, value):
                return float(value)
            case Name(_, name):
                return self.given[name] if name in self.formula.names else _CONSTANTS[name]
            case Array(_, rows):
                return np.array([[float(entry) for entry in row] for row in rows])
            case Sum(_, terms):
                return self.sum(terms)
            case Product(_, factors):
                return self.product(factors)
            case Power(_, base, exponent):
                return self.fitted(node, raised, self.value(base), self.value(exponent))
            case Transposed(_, of):
                return transposed(self.value(of))
            case Call(_, function, arguments):
                return self.fitted(node, self.functions[function], *(self.value(argument) for argument in arguments))

    def sum(self, terms: tuple[tuple[int, Node], ...]) -> Value:
        (sign, first), *rest = terms
        found = multiplied(float(sign), self.value(first))
        for sign, term in rest:
            found = self.fitted(term, added, found, multiplied(float(sign), self.value(term)))
        return found

    def product(self, factors: tuple[tuple[int, Node], ...]) -> Value:
        found: Value = 1.0
        for direction, factor in factors:
            found = self.fitted(factor, multiplied if direction == 1 else divided, found, self.value(factor))
        return found

    def fitted(self, node: Node, operation: Callable[..., Value], *arguments: Value) -> Value:
        """One step, its faults marked at `node`."""
        try:
            found = operation(*arguments)
        except Misfit as fault:
            raise self.formula.wrong(node, str(fault)) from None
        except (OverflowError, np.linalg.LinAlgError):
            raise self.formula.wrong(node, "This is too large to compute.") from None
        if not np.isfinite(found.factor if isinstance(found, Identity) else found).all():
            raise self.formula.wrong(node, "This is too large to compute.")
        return found
