"""An answer that is a matrix: a read-out by algebra or at exact bases, a matrix of low rank at one A."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import balls
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.problems.family import Family, Setting
from headwright.problems.problem import AnswerError, Problem
from headwright.problems.prose import apart, joined, number
from headwright.reading import formulas
from headwright.reading.formulas import Formula, FormulaError, OutOfClass
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.low_rank_formula import LowRankFormula
from headwright.theories.formulas.families.reads_out_always import ReadsOutAlways
from headwright.theories.formulas.forms.trees import Array, Name, Node, Product
from headwright.theories.matrices.reads_out import ReadsOut

_BOUND = Fraction(1, 10**9)  # numbers from outside are rounded
_LONGEST = 10**150  # beyond it, squares leave the range of float64


def judge_read_out(problem: Problem, given: Mapping[str, Formula | np.ndarray | None], members: Family) -> Verdict:
    """The verdict on {"M": …}, which is to read one of two values out of their sum or mean."""
    setting, (formula,) = members.setting(), given.values()
    if not isinstance(formula, Formula):
        return _numbers_read_out(problem, np.asarray(formula, dtype=np.float64), setting)
    if any(isinstance(node, Array) for node in forms.below(formula.root)):
        return _numbers_read_out(problem, _value(problem, formula, setting), setting)
    _need_matrix(problem, formula, setting)
    ask = _read_out(problem, formula.root)
    verdict = ask.prove()
    if isinstance(verdict, Proved):
        return verdict.explained(
            f"With the rules of the question the products reduce to {_products(problem, ask)}. Every value is a combination "
            "of these columns."
        )
    for bases in _exact_bases(ask, setting):
        there = replace(ask, given=bases).prove()
        if isinstance(there, Refuted):
            return there.explained(_why(problem, there))
    return verdict.explained(
        "The formula does not fail at the bases that were tried, and no rule proves it for all bases."
    )


def _read_out(problem: Problem, tree: Node) -> ReadsOutAlways:
    """What the question claims of M: the two bases, the share of their sum that is given, and whether vectors are rows."""
    claim, given = problem.claim, problem.family.given
    orthonormal = given[claim["first"]]["columns"] == "orthonormal"
    return ReadsOutAlways(tree, claim["first"], claim["second"], claim["share"], claim.get("rows", False), orthonormal)


def _products(problem: Problem, ask: ReadsOutAlways) -> str:
    """What the products with the two bases must be: MA = 2A and MB = 0."""
    (m,), (a, b), factor = problem.answers, (ask.first, ask.second), "" if ask.share == 1 else f"{1 / ask.share}"
    if ask.rows:
        return f"{a}'{m} = {factor}{a}' and {b}'{m} = 0"
    return f"{m}{a} = {factor}{a} and {m}{b} = 0"


def _why(problem: Problem, verdict: Refuted) -> str:
    point, basis, value = verdict.counterexample, problem.claim["first"], problem.claim["value"]
    (m,), share = problem.answers, problem.claim["share"]
    if "value" in point:
        own = str(point["value"]).endswith(basis)
        part = "half of " if share == Fraction(1, 2) else "" if share == 1 else f"{share} of "
        first, second = (value, "the other value") if own else ("the other value", value)
        wanted = "the column itself" if own else "0"
        given = f"Suppose that {first} is {point['value']} and that {second} is 0."
        return f"{given} From {part}that column, {m} should return {wanted}, but it does not."
    if "M" in point:
        return (
            f"Your {m} is {point['M']}, but {point['wanted']} is required. Such a matrix can give the coordinates of {value} "
            f"along the columns of {basis}, but not the vector {value} itself."
        )
    return f"{point['fault']} The question includes this case."


def _exact_bases(ask: ReadsOutAlways, setting: Setting) -> list[dict[str, np.ndarray]]:
    """Bases that obey the rules of the question exactly: halves of ±1 are exact, and four of them have length 1."""
    square = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 2
    first, second = np.zeros((10, 3)), np.zeros((10, 2))
    first[:4, :2], first[8, 2], second[4:8] = square[:, :2], 1.0, square[:, 1:3]
    if not ask.orthonormal:
        first[:4, 0], second[4:8, 0] = np.eye(4)[0], np.eye(4)[2]
    own = {name: np.asarray(setting.names[name]) for name in (ask.first, ask.second)}
    one = {ask.first: np.eye(2)[:, :1], ask.second: np.eye(2)[:, 1:]}
    return [*([own] if ask.orthonormal else []), {ask.first: first, ask.second: second}, one]


def _numbers_read_out(problem: Problem, matrix: np.ndarray, setting: Setting) -> Verdict:
    """A matrix of numbers, at the bases of the setting."""
    ask = _read_out(problem, Name("numbers"))
    bases = [np.asarray(setting.names[name]) for name in (ask.first, ask.second)]
    d, m = bases[0].shape
    if matrix.shape != (d, d):
        if matrix.shape not in ((m, d), (d, m)):
            raise AnswerError(
                f"`{problem.answers[0]}` must be {d}×{d} at the setting ({d} dimensions), got {matrix.shape[0]}×{matrix.shape[1]}"
            )
        axes = {ask.first: np.eye(d)[:, :m], ask.second: np.eye(d)[:, m : m + bases[1].shape[1]]}
        verdict = replace(ask, given={**axes, "numbers": matrix}).prove()
        return verdict.explained(_why(problem, verdict)) if isinstance(verdict, Refuted) else verdict
    verdict = ReadsOut(matrix.T if ask.rows else matrix, bases[0], bases[1], ask.share, _BOUND).prove()
    if isinstance(verdict, Proved):
        return verdict.explained(
            f"{problem.claim['value']} comes out with an error of at most 10^−9 of what is summed, at the bases of the setting."
        )
    if isinstance(verdict, Refuted):
        point = verdict.counterexample
        column = point["column"]
        assert isinstance(column, int), "`ReadsOut` counts the columns"
        side = ask.first if point["side"] == "basis" else ask.second
        wanted = "that column itself" if point["side"] == "basis" else "0"
        off, (m,) = number(verdict.bound or 0.0), problem.answers
        return verdict.explained(
            f"From column {column + 1} of {side} your {m} should return {wanted}, but it is off by {off} times its length."
        )
    return verdict


def _need_matrix(problem: Problem, formula: Formula, setting: Setting) -> None:
    """FormulaError with the place, or AnswerError, where the formula is certainly not a matrix at the setting."""
    values = {name: formulas.exact_value(x) for name, x in setting.names.items()}
    with formula.marked(), balls.precision(256):
        try:
            value = forms.at_point(formula.root, values, size=setting.n)
        except OutOfClass:
            return
    if not isinstance(value, tuple) or (len(value[0]) == 1 and len(value) > 1):
        raise AnswerError(f"`{problem.answers[0]}` must be a matrix, got {forms.described(value)}")


def _value(problem: Problem, formula: Formula, setting: Setting) -> np.ndarray:
    """The matrix at the setting, rounded; FormulaError with its place where it has no value."""
    matrix = np.asarray(formulas.evaluate(formula, setting.names, size=setting.n))
    if matrix.ndim != 2:
        kind = "a number" if matrix.ndim == 0 else f"a vector of {len(matrix)} numbers"
        raise AnswerError(f"`{problem.answers[0]}` must be a matrix, got {kind}")
    return matrix


def judge_low_rank(problem: Problem, given: Mapping[str, Any], members: Family) -> Verdict:
    """The verdict on {"M": …}, or on two factors: the truncation for every A; anything else at single matrices."""
    setting = members.setting()
    read = {name: formula for name, formula in given.items() if isinstance(formula, Formula)}
    a, k = np.asarray(setting.names["A"]), int(setting.names["k"])
    arrays = {name: np.asarray(x, dtype=np.float64) for name, x in given.items() if name not in read}
    _check_shapes(arrays, a.shape, k)
    if "M" in read and not arrays:
        verdict = LowRankFormula(read["M"].root).prove()
        if isinstance(verdict, Proved):
            return verdict.explained(
                "What is cut off has σ_k as its largest singular value, so ‖A − M‖₂ = σ_k. And k·σ_k² is at most the sum of "
                "the k largest squares, which is at most ‖A‖_F²."
            )
    trees = {name: read[name].root if name in read else Name(name) for name in given}
    tree = trees["M"] if "M" in trees else Product(((1, trees["L"]), (1, trees["R"])))
    own = bool(arrays) or any(isinstance(node, Array) for node in forms.below(tree))
    last: Verdict | None = None
    for matrix in (a,) if own else (a, *_other_matrices(a.shape, k)):
        claim = LowRankFormula(tree, k, matrix, arrays)
        near = _rounded(claim, matrix, read)
        last = (claim if near is None else _with_witness(claim, near, matrix, k)).prove()
        if isinstance(last, Refuted) or (own and isinstance(last, Proved)):
            return last.explained("" if near is None else _distance(near, matrix, k))
    assert last is not None
    if own or not isinstance(last, Proved):
        return last
    return LowRankFormula(tree).undecided(
        "The formula holds at the A of the setting and at two others, and no rule proves it for every A.",
        "give M as an array at the setting",
    )


def _check_shapes(given: Mapping[str, np.ndarray], shape: tuple[int, ...], k: int) -> None:
    wanted = {"M": shape, "L": (shape[0], k - 1), "R": (k - 1, shape[1])}
    for name, array in given.items():
        if array.shape != wanted[name]:
            raise AnswerError(f"`{name}` must have shape {wanted[name]} beside the A of the setting, got {array.shape}")
        if np.abs(array).max() > _LONGEST:
            raise AnswerError(
                f"`{name}` must have entries of at most 10^150 in size, got {number(float(np.abs(array).max()))}"
            )


def _with_witness(claim: LowRankFormula, near: np.ndarray, matrix: np.ndarray, k: int) -> LowRankFormula:
    """The claim with what a singular value decomposition suggests: factors near M, directions, a stretched vector."""
    with np.errstate(all="ignore"):
        u, s, v = np.linalg.svd(near, full_matrices=False)
        stretched = np.linalg.svd(matrix - near)[2][:1].T
    shown: dict[str, Any] = {"directions": v[:k].T, "stretched": stretched}
    if k > 1:
        shown |= {"left": u[:, : k - 1] * s[: k - 1], "right": v[: k - 1]}
    return replace(claim, **{name: x for name, x in shown.items() if np.isfinite(x).all()})


def _rounded(claim: LowRankFormula, matrix: np.ndarray, read: Mapping[str, Formula]) -> np.ndarray | None:
    """M in floats at this A; None where it cannot be computed or has another shape."""
    with balls.precision(256):
        try:
            value = claim.value()
        except OutOfClass:
            return None
        except FormulaError as fault:
            raise (formulas.within(fault, next(iter(read.values())).text) if len(read) == 1 else fault) from None
        if len(value) == len(value[0]) == 1 and matrix.size > 1:
            raise AnswerError("`M` must be a matrix, got a number")
        near = np.array([[float(forms.ball(x).mid()) for x in row] for row in value])
    return near if near.shape == matrix.shape else None


def _distance(near: np.ndarray, matrix: np.ndarray, k: int) -> str:
    """‖A - M‖₂ beside what is allowed, and the singular values of M."""
    off, size = np.linalg.norm(matrix - near, 2), np.linalg.norm(matrix) / np.sqrt(k)
    values = joined([number(float(x)) for x in np.linalg.svd(near, compute_uv=False)[:k]])
    ranks = f"The first singular values of M are {values}; at most k−1 = {k - 1} of them may differ from 0."
    reached, allowed = apart(float(off), float(size))
    return f"‖A − M‖₂ is {reached}; at most ‖A‖_F/√k = {allowed} is allowed. {ranks}"


def _other_matrices(shape: tuple[int, ...], k: int) -> list[np.ndarray]:
    """Other matrices of the same shape, where wrong formulas fail: k-1 large singular values close together, and one."""
    matrices = []
    for kept in (k - 1, 1):
        values = [1 - j / 64 if j < kept else 2.0 ** -(10 + j) for j in range(min(shape))]
        matrix = np.zeros(shape)
        np.fill_diagonal(matrix, values)
        matrices.append(matrix)
    return matrices
