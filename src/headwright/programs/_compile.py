"""compile: from a program to a transformer with one proof for every word."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np

from headwright import inputs
from headwright.program import Program, Register
from headwright.program_steps import ATTENDING
from headwright.programs.attempt import Attempt, Failed
from headwright.programs.model import Model
from headwright.programs.own_basis import checked_basis
from headwright.programs.own_tokens import checked_tokens
from headwright.programs.plan import Plan
from headwright.proofs.runs_program import RunsProgram, nearest
from headwright.refusal_types import NotFound

_LOOSE = 0.25  # half of what a step between neighbouring whole numbers can bear: where the search for tolerances begins
_APART = 0.49  # of the distance between codes: labels are decoded by the nearest
_LEAST_TOLERANCE = 2.0**-40  # below this, tighter steps help no other step


def compile(
    program: Program,
    output: Register,
    *,
    error: Any = "0.25",
    dtype: Literal["float64", "float32"] | None = "float64",
    tokens: Any = None,
    basis: Any = None,
    layers: int | None = None,
    rank: int | None = None,
    causal: bool | None = None,
) -> Model:
    """Compile a program to a transformer whose output is within `error` of its code on every word, with a proof."""
    if not isinstance(program, Program):
        raise TypeError(f"`program` must be a hw.Program, got {type(program).__name__}")
    register = program.register(output, "output")
    wanted = inputs.rational(error, name="error")
    if not wanted > 0:
        raise ValueError(f"`error` must be positive, got {inputs.show(wanted)}")
    kind = "real" if dtype is None else dtype
    plan = Plan(program.written(), register, checked_tokens(tokens, program.written().vocabulary, kind))
    claim = _search(plan, wanted, kind, checked_basis(basis, plan.width))
    return Model(program, output, claim.prove())


def _search(plan: Plan, error: Fraction, dtype: str, basis: np.ndarray | None) -> RunsProgram:
    """Try tolerances for the steps in between, and halve those that a failed step depends on."""
    program, output = plan.program, plan.output
    final = float(error)
    if program.values[output].labels is not None:  # labels are decoded by the nearest code
        codes = plan.targets(output, "onehot") if plan.holds_vectors(output) else np.eye(2)
        final = min(final, _APART * nearest(codes))
    tolerance = dict.fromkeys(program.needed(output), _LOOSE) | {output: final}
    strengths: dict[object, float] = {}
    errors: dict[int, float] = {}  # the least error that each register could be given so far
    while True:
        try:
            return Attempt(plan, error, dtype, basis, tolerance, strengths).claim()
        except Failed as failed:
            register, before = failed.register, errors.get(failed.register, np.inf)
            causes = _causes(plan, register, itself=failed.itself)
            spent = register in errors and not failed.error < 0.99 * before and np.isfinite(failed.error)
            errors[register] = min(before, failed.error)
            if not causes or spent or min(tolerance[own] for own in causes) < _LEAST_TOLERANCE:
                raise NotFound(
                    f"register {register} ({program.step(register).kind}) cannot be proved: {failed.error:.3g} > {failed.needed:.3g}"
                ) from None
            loosest = max(tolerance[own] for own in causes)
            for own in causes:
                tolerance[own] = min(tolerance[own], loosest / 2)


def _causes(plan: Plan, register: int, *, itself: bool = False) -> set[int]:
    """The registers written by heads whose errors reach a register: what it reads, or what exact steps in between read."""
    if register in plan.tables:
        return set()
    step = plan.program.step(register)
    if itself and step.kind in ATTENDING:
        return {register}
    causes: set[int] = set()
    for own in step.reads():
        causes |= _causes(plan, own, itself=True)
    return causes
