"""An answer that is a matrix: read-outs (D.b-i, E.1d) by algebra of words or at the setting, low rank (A.3c) at the setting.

Columns: M(v_a + v_b) = v_a for all v_a in span(A), v_b in span(B) just when M A = A and M B = 0. Rows: cM = v_i for
c = (v_i + v_j)/2 just when SᵀM = 2Sᵀ and TᵀM = 0. A formula in A, Aᵀ, B, … is a sum of words, and the rules AᵀA = I, AᵀB = 0
(SᵀT = 0) rewrite words: if nothing is left of the differences, the claim holds for all bases of every size. Otherwise the matrix
at the setting is judged in exact rationals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from headwright import formulas
from headwright.problems.judges.low_rank import judge_low_rank
from headwright.problems.judges.low_rank_formulas import FUNCTIONS, judge_low_rank_formula
from headwright.problems.judges.members import Members
from headwright.problems.judges.read_out_words import READ_OUTS, ReadOut, holds_for_all
from headwright.problems.problem import Problem
from headwright.problems.settings import Setting, setting_of
from headwright.verdict import Proved, Refuted, Undecided, Verdict


def judge_matrix(problem: Problem, given: Mapping[str, str | np.ndarray], members: Members) -> Verdict:
    """The verdict on {"M": …}, for A.3c also on {"L": …, "R": …}."""
    setting = members.setting(problem.id)
    low_rank = problem.id not in READ_OUTS
    names, extra = (tuple(setting.names), FUNCTIONS) if low_rank else (problem.names, {})
    read = {
        name: formulas.parse(text, names=names, functions=extra)
        for name, text in given.items()
        if isinstance(text, str)
    }
    if low_rank:
        if "M" in read:
            return judge_low_rank_formula(read["M"], setting)
        return judge_low_rank({name: _array(name, read.get(name, given[name]), setting) for name in given}, setting)
    ask = READ_OUTS[problem.id]
    d = setting.n
    matrix = _array("M", read.get("M", given["M"]), setting)
    if matrix.shape != (d, d):
        return _misshapen(ask, matrix, setting)
    if "M" in read and holds_for_all(ask, read["M"], orthonormal=ask.orthonormal):
        return _proved_for_all(ask)
    found = ask.at(matrix, setting).prove()
    if "M" not in read:
        return _at_setting(ask, found, setting)
    return _formula_at_settings(ask, read["M"], found, setting)


def _array(name: str, value: Any, setting: Setting) -> np.ndarray:
    if isinstance(value, formulas.Formula):
        value = formulas.evaluate(value, setting.names, size=setting.n)
    found = np.asarray(value, dtype=np.float64)
    if found.ndim != 2:
        kind = "a number" if found.ndim == 0 else f"a vector of {len(found)} numbers"
        raise ValueError(f"`{name}` must be a matrix, got {kind}")
    return found


def _proved_for_all(ask: ReadOut) -> Verdict:
    kind = "orthonormal columns" if ask.orthonormal else "independent columns"
    sides = ("S'M = 2S'", "T'M = 0") if ask.rows else ("MA = A", "MB = 0")
    return Proved(
        ask.sentence(),
        scope=f"all {kind} that span orthogonal spaces, of every size and dimension, by algebra",
        reason=f"With the rules of the question the products reduce to {sides[0]} and {sides[1]}. Every value is a "
        "combination of these columns.",
        method="words in the matrices, rewritten until none of the rules applies",
    )


def _at_setting(ask: ReadOut, found: Verdict, setting: Setting) -> Verdict:
    first, second = (np.asarray(setting.names[name]).shape[1] for name in (ask.first, ask.second))
    scope = f"setting({setting.n}): {ask.first} has {first} columns, {ask.second} has {second}; up to rounding (10^-9)"
    if isinstance(found, Proved):
        reason = f"{ask.value} comes out with an error of at most 10^-9 of what is summed. Judged at the bases of the setting."
        return Proved(
            ask.sentence(), scope=scope, reason=reason, method=found.method, bound=found.bound, record=found.record
        )
    if isinstance(found, Refuted):
        return _refuted(ask, found, scope, None)
    return Undecided(ask.sentence(), scope=scope, reason=found.reason, next_step="a formula")


def _refuted(ask: ReadOut, found: Refuted, scope: str, holds_when: str | None) -> Refuted:
    point = found.counterexample
    side = ask.first if point["side"] == "basis" else ask.second
    wanted = "that column itself" if point["side"] == "basis" else "0"
    given = "half of it goes in and " if ask.share != 1 else ""
    return Refuted(
        ask.sentence(),
        scope=scope,
        counterexample={"value": f"column {point['column'] + 1} of {side}", "vector": point["vector"]},
        holds_when=holds_when,
        reason=f"For the value that is column {point['column'] + 1} of {side}, {given}{wanted} should come out; M is off by "
        f"{found.bound or 0.0:.3g} of its length.",
        method=found.method,
        bound=found.bound,
        bound_text=found.bound_text,
        record=found.record,
    )


def _formula_at_settings(ask: ReadOut, formula: formulas.Formula, found: Verdict, setting: Setting) -> Verdict:
    """A formula that the words do not prove: refuted where it fails, at this size or at others."""
    holds_when = None
    if not ask.orthonormal and holds_for_all(ask, formula, orthonormal=True):
        holds_when = f"the columns of {ask.first}, and those of {ask.second}, are orthonormal"
    for n in (setting.n, 10, 17, 30):
        there = setting_of(setting.problem_id, n)
        try:
            matrix = _array("M", formula, there)
        except formulas.FormulaError:
            continue
        verdict = ask.at(matrix, there).prove() if matrix.shape == (n, n) else None
        if isinstance(verdict, Refuted):
            first, second = (np.asarray(there.names[name]).shape[1] for name in (ask.first, ask.second))
            scope = f"the claim in general; it fails at {first} and {second} columns in {n} dimensions"
            return _refuted(ask, verdict, scope, holds_when)
    return Undecided(
        ask.sentence(),
        scope="the claim in general",
        reason="the formula holds at the setting up to rounding (10^-9), and no rule proves it for all bases",
        next_step=f"write M with {ask.first}, {ask.second}, their transposes, inverses and I alone",
        evidence={"setting": found.status},
    )


def _misshapen(ask: ReadOut, matrix: np.ndarray, setting: Setting) -> Verdict:
    """A matrix of the wrong shape: coordinates in place of the vector are a mistake of their own."""
    basis = np.asarray(setting.names[ask.first])
    d, m = basis.shape
    turned = matrix.T if ask.rows else matrix
    shape = f"{matrix.shape[0]}×{matrix.shape[1]}"
    scope = f"setting({setting.n}): {m} columns in {d} dimensions"
    if turned.shape == (m, d):
        sizes = f"{m} numbers, where {ask.value} has {d}"
        return Refuted(
            ask.sentence(),
            scope=scope,
            counterexample={"M": f"{shape}", "value": f"column 1 of {ask.first}", "what comes out": f"{m} numbers"},
            reason=f"M is {shape}: what comes out are {sizes}. Such numbers can be the coordinates of {ask.value} along the "
            f"columns of {ask.first}, but not the vector {ask.value} itself.",
            method="the shapes",
        )
    if ask.rows and matrix.shape == (m, d):
        return Refuted(
            ask.sentence(),
            scope=scope,
            counterexample={"M": f"{shape}", "c": f"a row of {d} numbers"},
            reason=f"M is {shape} and c is a row of {d} numbers, so cM does not exist. With columns M would give {m} numbers: "
            f"perhaps the coordinates of {ask.value} along the columns of {ask.first}, but not the vector {ask.value} itself.",
            method="the shapes",
        )
    raise ValueError(f"`M` must be {d}×{d} at the setting ({d} dimensions), got {shape}")
