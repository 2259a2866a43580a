"""compile: from a program to a transformer with one proof for every word."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np

from headwright.kernel import inputs
from headwright.search.compile.attempt import Attempt, Failed
from headwright.search.compile.head_weights import ranks
from headwright.search.compile.model import Model
from headwright.search.compile.own_basis import checked_basis
from headwright.search.compile.own_tokens import checked_tokens
from headwright.search.compile.plan import Plan
from headwright.search.compile.refusals import (
    refuse_causal,
    refuse_feature,
    refuse_heads,
    refuse_layers,
    refuse_rank,
    refuse_type,
)
from headwright.search.compile.shorter import shorter
from headwright.theories.programs.runs_program import RunsProgram, nearest
from headwright.theories.programs.steps import ATTENDING
from headwright.words.program import Program
from headwright.words.program_registers import Register

_TYPES = {"None": "real", "float64": "float64", "float32": "float32"}
_LOOSE = 0.25  # half of what a step between neighbouring whole numbers can bear: where the search for tolerances begins
_APART = 0.49  # of the distance between codes: labels are decoded by the nearest
_LEAST_TOLERANCE = 2.0**-24  # finer than any step of a readable program needs: means of 4,000 keys differ by more


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
    """A transformer that computes the register `output` within `error` on every word, with the proof of that (`.verdict`).

    The error is that of a number, or of each entry of a label's code. Codes of labels are 1 apart. `dtype` is the type in which
    the transformer runs: the proof holds for every order of summation, with or without fused multiply-add. None stands for
    real arithmetic. Every scale, slope and offset is the least for which its step is proved.

    `tokens` (V, d) are your own vectors for the tokens, which the embedding then holds exactly. `basis` (D, w) has independent
    columns, and the stream holds its registers along them. The first columns are used if there are more than are needed.

    `layers` and `rank` limit the number of blocks and the rank of each head. `causal=True` asks for a causal mask. Where the
    program cannot be compiled so, `hw.Unreachable` carries a proof, and `hw.NotFound` says what was tried.

    >>> import headwright as hw
    >>> p = hw.Program("abcd", length=50)
    >>> model = hw.compile(p, p.pick(p.at(p.length() - 1 - p.indices), p.tokens))
    >>> "".join(model("abacad")), model.verdict.status
    ('dacaba', 'proved')
    """
    if not isinstance(program, Program):
        raise TypeError(f"`program` must be a hw.Program, got {type(program).__name__}")
    register = program.register(output, "output")
    wanted = inputs.rational(error, name="error")
    if not wanted > 0:
        raise ValueError(f"`error` must be positive, got {inputs.show(wanted)}")
    kind = _type(dtype)
    written = program.written()
    if causal is not None and causal != written.causal:
        if not isinstance(causal, bool):
            raise TypeError(f"`causal` must be True, False or None, got {causal!r}")
        if not causal:
            raise ValueError(
                "`causal` must not be False for a program with `causal=True`. Write the program with `causal=False`"
            )
        refuse_causal(program, output, error=wanted)
    if rank is not None:
        refuse_rank(program, output, rank)
    given = checked_tokens(tokens, written.vocabulary, kind)
    plan = Plan(written, register, given)
    if layers is not None:
        refuse_layers([" and ".join(program.name(own) for own in block) for block in plan.chain()], layers)
    if rank is not None:
        refuse_heads({program.name(own): rows for own, rows in ranks(plan).items()}, rank)
    own_basis = checked_basis(basis, plan.width)
    try:
        return Model(program, output, _search(plan, wanted, kind, own_basis).prove())
    except Failed as failed:
        names, bounds = program.name(failed.register), {"bound": failed.error, "needed": failed.needed}

        def proves(other: str, length: int) -> bool:
            """Whether the same program is proved in another type, or for shorter words."""
            less = Plan(shorter(written, length), register, given)  # it needs no more columns of the basis
            try:
                _search(less, wanted, other, None if own_basis is None else own_basis[:, : less.width])
            except (Failed, ValueError):
                return False
            return True

        refuse_feature(program, failed.register, proves)
        refuse_type(names, kind, written.length, proves, **bounds)


def _type(dtype: Any) -> str:
    """The arithmetic of the claim, for a type given by name or as a dtype."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    known = _TYPES.get(name.removeprefix("torch."))
    if known is None:
        raise ValueError(f"`dtype` must be 'float64', 'float32' or None for real arithmetic, got {dtype!r}")
    return known


def _search(plan: Plan, error: Fraction, dtype: str, basis: np.ndarray | None) -> RunsProgram:
    """Try tolerances for the steps in between, and halve those that a failed step depends on; Failed if that does not help."""
    program, output = plan.program, plan.output
    final = float(error)
    if program.values[output].labels is not None:
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
                raise
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
