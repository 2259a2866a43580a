"""A.3c answered by a formula: the truncation after k-1 singular values is right for every A; other formulas at three matrices.

Let A_{k-1} be A with all but its k-1 largest singular values left out. Then ‖A - A_{k-1}‖₂ = σ_k, and
k σ_k² <= σ_1² + … + σ_k² <= ‖A‖_F². A formula that is not this one is evaluated where it is likely to fail: at the setting's A,
at one with k-1 equal singular values, and at one of rank 1. What holds at all three is Undecided.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from headwright import formulas
from headwright.balls import TooLarge
from headwright.formulas import Formula, FormulaError, LogForm, OutOfClass
from headwright.formulas.trees import Call, Name
from headwright.problems.judges.low_rank import judge_low_rank
from headwright.problems.settings import Setting
from headwright.verdict import Proved, Undecided, Verdict

FUNCTIONS = {"svd_part": 2}


def judge_low_rank_formula(formula: Formula, setting: Setting) -> Verdict:
    """The verdict on M = a formula in A and k."""
    if _is_truncation(formula):
        return Proved(
            "M has rank at most k-1 and ‖A - M‖₂ <= ‖A‖_F/√k",
            scope="all matrices A and all k, by the singular value decomposition",
            reason="What is cut off has σ_k as its largest singular value, so ‖A - M‖₂ = σ_k. And k·σ_k² is at most the sum of "
            "the k largest squares, which is at most ‖A‖_F².",
            method="two inequalities between singular values",
        )
    for which, there in (("", setting), *_telling(setting)):
        found = judge_low_rank({"M": evaluated(formula, there)}, there, which=which)
        if not isinstance(found, Proved):
            return found
    return Undecided(
        "M has rank at most k-1 and ‖A - M‖₂ <= ‖A‖_F/√k",
        scope="all matrices A and all k",
        reason="The formula holds at the setting's A and at two others, and no rule proves it for every A.",
        next_step="give M as an array at the setting",
    )


def evaluated(formula: Formula, setting: Setting) -> np.ndarray:
    """The formula's matrix at a setting."""
    found = np.asarray(formulas.evaluate(formula, setting.names, functions={"svd_part": svd_part}))
    if found.ndim != 2:
        raise ValueError(f"`M` must be a matrix, got {'a number' if found.ndim == 0 else 'a vector'}")
    return found


def svd_part(a: Any, rank: Any) -> np.ndarray:
    """A with its `rank` largest singular values kept, the others set to 0."""
    whole = isinstance(a, np.ndarray) and isinstance(rank, float) and rank == int(rank)
    if not whole or not 0 <= rank <= min(a.shape):
        raise formulas.FormulaError("svd_part takes a matrix and how many singular values to keep, a whole number.")
    u, s, v = np.linalg.svd(a, full_matrices=False)
    kept = int(rank)
    return np.asarray((u[:, :kept] * s[:kept]) @ v[:kept])


def _is_truncation(formula: Formula) -> bool:
    """Whether this is svd_part(A, r) with r = k-1, however that is written."""
    match formula.root:
        case Call(_, "svd_part", (Name(_, "A"), rank)):
            try:
                kept = formulas.scalar_form(replace(formula, root=rank))
            except (FormulaError, OutOfClass, TooLarge):
                return False
            return (kept - (LogForm.symbol("k") - 1)).is_zero()
    return False


def _telling(setting: Setting) -> list[tuple[str, Setting]]:
    """The setting with other matrices of the same shape: k-1 equal singular values, and one."""
    shape, k = np.asarray(setting.names["A"]).shape, int(setting.names["k"])
    found = []
    for rank, words in ((k - 1, "an A with k-1 singular values 1 and all others 0"), (1, "an A of rank 1")):
        matrix = np.where(np.arange(shape[1]) < rank, np.eye(*shape), 0.0)
        found.append((words, replace(setting, names=MappingProxyType({**setting.names, "A": matrix}))))
    return found
