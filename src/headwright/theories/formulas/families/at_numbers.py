"""Formulas at given numbers: evaluated exactly or in balls, at a higher precision if a comparison stays open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import balls
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim
from headwright.kernel.verdict import Verdict
from headwright.theories.formulas import forms
from headwright.theories.formulas.forms import FormulaError, Grid, Node, OutOfClass


def grid(array: np.ndarray) -> Grid:
    """A float64 matrix, or a vector as a column, as exact rationals."""
    return tuple(tuple(Fraction(x) for x in np.atleast_1d(row).tolist()) for row in array)


def matrix_at(
    tree: Node, given: Mapping[str, np.ndarray], symbols: Mapping[str, Any] | None = None, *, size: int | None = None
) -> Grid:
    """The formula as a matrix, at the precision in force; FormulaError or OutOfClass."""
    value = forms.at_point(tree, {**{name: grid(x) for name, x in given.items()}, **(symbols or {})}, size=size)
    return value if isinstance(value, tuple) else ((value,),)


def ball_matrix(value: Grid) -> np.ndarray:
    """A matrix of balls, whose products are taken in balls."""
    return np.array([[forms.ball(x) for x in row] for row in value], dtype=object)


def shape(matrix: Grid) -> tuple[int, int]:
    return len(matrix), len(matrix[0])


def softmax(scores: Sequence[balls.Ball]) -> list[balls.Ball]:
    top = max(scores, key=lambda score: float(score.mid()))  # any shift of all scores will do
    powers = [(score - top).exp() for score in scores]
    whole = balls.total(powers)
    return [power / whole for power in powers]


def climbed(claim: Claim, judged: Callable[[], Verdict | None], bits: Sequence[int]) -> Verdict:
    """The first verdict on the claim at one of these precisions; a formula without a value refutes it."""
    for precision in bits:
        with balls.precision(precision):
            try:
                verdict = judged()
            except OutOfClass:
                continue
            except FormulaError as fault:
                return claim.refuted(counterexample={"fault": fault.message}, method="the formula has no value there")
        if verdict is not None:
            return verdict
    return claim.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)
