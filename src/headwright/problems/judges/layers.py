"""An answer that is a layer: maps Q, K, V as formulas in u_a … u_d, judged as the length β of these grows; arrays at β = 5/2."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from headwright.kernel import balls
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.problems.family import ERROR, Family
from headwright.problems.judges.float_weights import crossing
from headwright.problems.judges.queries import ROUNDING
from headwright.problems.problem import AnswerError, Problem
from headwright.problems.prose import joined, number, tidied
from headwright.reading import formulas
from headwright.reading.formulas import Formula, FormulaError, OutOfClass
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.layer_outputs import LayerOutputs
from headwright.theories.formulas.forms.trees import Array, Name

_FAR = tuple(Fraction(10) ** k for k in (1, 2, 3, 6))
_CLOSE = 1e-5
_LEAST, _LEAST_SQUARE = 2.0**-10, 1e-30
_ERRORS = (ERROR, *(ERROR / 4**k for k in range(1, 12)))


def judge_layer(problem: Problem, given: Mapping[str, Formula | np.ndarray | None], members: Family) -> Verdict:
    """The verdict on {"Q": …, "K": …, "V": …}."""
    read = {name: formula for name, formula in given.items() if isinstance(formula, Formula)}
    setting = members.setting()
    example = _Example.of(problem)
    beta = Fraction(float(setting.names["beta"]))
    # At the β of the setting, numbers being relaxed by their rounding.
    numbers = {name: np.asarray(x, dtype=np.float64) for name, x in given.items() if name not in read}
    trees = {name: read[name].root if name in read else Name(name) for name in given}
    at = LayerOutputs(*example, trees, setting.error, beta, ROUNDING, numbers)
    _check_maps(at, read, beta)
    if len(read) < len(given) or any(isinstance(x, Array) for f in read.values() for x in forms.below(f.root)):
        verdict = at.prove()
        with balls.precision(256):
            offs = [f"c_{row + 1} by {number(float(x.sqrt().mid()))}·β" for row, x in at.offs(beta).items()]
        allowed = number(float(setting.error))
        return verdict.explained(f"Your outputs are off: {joined(offs)}. At most {allowed}·β is allowed.")
    claim = LayerOutputs(*example, {name: f.root for name, f in read.items()}, ERROR)
    verdict = claim.prove()
    if isinstance(verdict, Proved):
        error = ERROR if members.error is None else members.error
        return verdict.explained(
            f"As β grows, the outputs tend to the wanted ones, relative to β. {_threshold(claim, error)}".strip()
        )
    away = _away(claim)
    for row in example.wanted:
        for error in _ERRORS:
            for far in [far for far in _FAR if away.get((row, far), 0.0) > error]:
                there = replace(claim, row=row, far=far, error=error).prove()
                if isinstance(there, Refuted):
                    point = there.counterexample
                    if "output" not in point:
                        return there
                    off = f"For β = {point['β']} the output {point['output']} is off by {point['off by']}"
                    return there.explained(tidied(f"{off}, and a larger β brings it no nearer."))
    return verdict


def _away(claim: LayerOutputs) -> dict[tuple[int, Fraction], float]:
    """About how far each output is off at each far β: a proof is tried only where it can succeed, since each takes long."""
    found: dict[tuple[int, Fraction], float] = {}
    with balls.precision(256):
        for far in _FAR:
            try:
                found |= {(row, far): float(square.sqrt().mid()) for row, square in claim.offs(far).items()}
            except (FormulaError, OutOfClass):  # it has no value there
                continue
    return found


class _Example(NamedTuple):
    """Tokens and wanted outputs in whole multiples of the basis, whose vectors are orthogonal and β long."""

    basis: tuple[str, ...]
    tokens: tuple[tuple[int, ...], ...]
    wanted: dict[int, tuple[int, ...]]

    @classmethod
    def of(cls, problem: Problem) -> _Example:
        basis, rows = problem.family.basis, problem.family.keys
        assert isinstance(rows, tuple)
        axes = {name: np.eye(len(basis))[j] for j, name in enumerate(basis)}

        def multiples(text: str) -> tuple[int, ...]:
            return tuple(int(x) for x in np.asarray(formulas.evaluate(formulas.parse(text, names=basis), axes)))

        wanted = {int(row): multiples(text) for row, text in problem.claim["outputs"].items()}
        return cls(basis, tuple(multiples(row) for row in rows), wanted)


def _check_maps(claim: LayerOutputs, read: Mapping[str, Formula], beta: Fraction) -> None:
    """AnswerError for maps that do not fit the dimension and each other; FormulaError for a formula without a value."""
    d, axes = len(claim.basis), f"{claim.basis[0]} … {claim.basis[-1]}"
    shapes: dict[str, tuple[int, int]] = {}
    for name in claim.maps:
        with balls.precision(128):
            try:
                value = claim.value(name, beta)
            except FormulaError as fault:
                raise (formulas.within(fault, read[name].text) if name in read else fault) from None
            except OutOfClass:
                return
        shapes[name] = len(value), len(value[0])
        if shapes[name][1] == 1 < d:
            kind = "a number" if shapes[name] == (1, 1) else "a vector"
            raise AnswerError(f"`{name}` must be a matrix, such as a sum of products u_i*u_j', got {kind}")
    for name in ("Q", "K"):
        if shapes[name][1] != d:
            raise AnswerError(f"`{name}` must have {d} columns, one for each of {axes}, got shape {shapes[name]}")
    if shapes["Q"][0] != shapes["K"][0]:
        raise AnswerError(f"`Q` and `K` must have the same number of rows, got {shapes['Q'][0]} and {shapes['K'][0]}")
    if shapes["V"] != (d, d):
        raise AnswerError(f"`V` must have shape ({d}, {d}), got {shapes['V']}")


def _threshold(claim: LayerOutputs, error: Fraction) -> str:
    """A β at which the error is certainly met, the least that floats find, to four figures."""

    def off(beta: float) -> float:
        with balls.precision(balls.FLOAT_BITS):
            squares = [float(x.mid()) for x in claim.offs(Fraction(beta)).values()]
        return math.log(math.sqrt(max(*squares, _LEAST_SQUARE)) / float(error))

    low, high = _LEAST, 1.0
    while off(high) > 0:
        low, high = high, 2 * high
        if high > 2**10:
            return ""
    if off(low) <= 0:
        return ""
    beta = Fraction(balls.decimal_above(Fraction(crossing(off, low, high, _CLOSE)), 4))
    if not isinstance(replace(claim, beta=beta, error=error).prove(), Proved):
        return ""
    return f"They are within {number(float(error))}·β at β = {number(float(beta), 4)}."
