"""The weights of one head for given scales: rows of query and key for each condition, values, and the score of BOS.

Conditions are scored so that a key for which they hold gets 0 (or the same as all others for which they hold), and any other key
at least `strength` less. "at" is a parabola, strength·(2tj - j²), whatever the length. The order of "last" is strength·j, and
then the other conditions weigh N + 1 times as much.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright.search.compile.draft import Draft
from headwright.search.compile.plan import Plan, Written
from headwright.search.compile.token_scores import maps_of
from headwright.theories.programs.steps import INDICES, Atom, Step
from headwright.theories.programs.walk import Walk


@final
@dataclass(frozen=True)
class HeadShape:
    """How many rows each condition takes, and how many more there are for BOS; v rows of values."""

    rows: tuple[int, ...]
    extra: int
    values: int

    @property
    def rank(self) -> int:
        return sum(self.rows) + self.extra


def ranks(plan: Plan) -> dict[int, int]:
    """The rank of the head that writes each register."""
    return {own.register: shape_of(plan, own).rank for own in plan.heads}


def shape_of(plan: Plan, own: Written) -> HeadShape:
    """The shape of the head that writes `own`: one more row for the score of BOS, and a second where BOS attends to itself."""
    step = plan.program.step(own.register)
    rows = [_rows(plan, step, atom) for atom in step.select] + ([1] if step.kind == "last" else [])
    values = sum(len(own.columns[code]) for code in own.codes)
    return HeadShape(tuple(rows), 1 + plan.guarded(own), values)


def _rows(plan: Plan, step: Step, atom: Atom) -> int:
    n = plan.program.length
    if atom.kind == "at":
        return 3 if far(step, atom) else 2
    if atom.kind == "before":
        return 0 if plan.program.causal else max(n - 1, 0)
    maps = maps_of(plan, step, atom)
    if maps is not None:
        return len(maps.query)
    if atom.kind == "among":
        return 1
    assert atom.key is not None
    return len(plan.labels(atom.key))


def far(step: Step, atom: Atom) -> bool:
    """Whether "at" may ask for a key beyond the end of the word, where BOS must win: then the square of the index is needed."""
    assert atom.index is not None
    earlier = atom.index.terms == ((INDICES, Fraction(1)),) and atom.index.constant <= 0
    return step.default is not None and not earlier


def write_weights(
    plan: Plan,
    draft: Draft,
    walk: Walk,
    own: Written,
    block: int,
    head: int,
    shape: HeadShape,
    strength: float,
    guard: float,
) -> None:
    """Fill in the head that writes `own` for one strength; `guard` is the score that lets BOS attend to itself."""
    step, n = plan.program.step(own.register), plan.program.length
    q, k = draft.arrays[f"{block}.query"][head], draft.arrays[f"{block}.key"][head]
    bq, bk = draft.arrays[f"{block}.query_bias"][head], draft.arrays[f"{block}.key_bias"][head]
    v, o, bv = (
        draft.arrays[f"{block}.value"][head],
        draft.arrays[f"{block}.output"][head],
        draft.arrays[f"{block}.value_bias"][head],
    )
    for array in (q, k, bq, bk, v, o, bv):
        array[...] = 0.0
    last = step.kind == "last"
    each = strength * (n + 1) if last else strength
    row, bos = 0, 0.0  # `bos`: what the conditions so far give BOS, less what they give a selected key
    for atom, count in zip(step.select, shape.rows, strict=False):
        bos += _condition(plan, step, atom, q, k, bq, bk, row, count, each)
        if atom.kind not in ("at", "before"):  # whatever the columns hold at BOS, its key is 0 in these rows
            rows = slice(row, row + count)
            k[rows, plan.flag] -= k[rows] @ walk.bos.middle + bk[rows]
        row += count
    if last:
        bq[row], k[row, plan.columns(INDICES, "number")] = strength, 1.0
        row += 1
    bq[row], k[row, plan.flag] = 1.0, _bos_score(step, strength, n, bos)
    if shape.extra > 1:
        q[row + 1, plan.flag], k[row + 1, plan.flag] = 1.0, guard
    _values(plan, walk, step, own, v, o, bv)


def _condition(
    plan: Plan,
    step: Step,
    atom: Atom,
    q: np.ndarray,
    k: np.ndarray,
    bq: np.ndarray,
    bk: np.ndarray,
    row: int,
    count: int,
    strength: float,
) -> float:
    """Fill in the rows of one condition; returns the score of BOS less that of a selected key, but for what the index adds."""
    if atom.kind == "at":
        return _at(plan, step, atom, q, k, bq, bk, row, strength)
    if atom.kind == "before":
        if count:
            columns = plan.columns(INDICES, "onehot")
            for r in range(count):  # row r stands for the key of index r + 1, which positions 0 … r must not see
                k[row + r, columns[r + 1]] = 1.0
                q[row + r, columns[: r + 1]] = -strength
        return 0.0
    assert atom.key is not None
    labels, code = plan.labels(atom.key), plan.selecting(atom.key)
    columns = plan.columns(atom.key, code)
    maps = maps_of(plan, step, atom)
    if maps is not None:
        rows = slice(row, row + count)
        k[rows, columns], bk[rows], bq[rows] = maps.key, maps.key_bias, strength * maps.query_bias
        if atom.mine is not None:
            q[rows, plan.columns(atom.mine, plan.selecting(atom.mine))] = strength * maps.query
        return -strength * maps.least
    if atom.kind == "among":
        wrong = [not plan.program.selects(atom, label) for label in labels]
        bq[row] = strength
        if code == "number":
            _affine(k, bk, row, columns[0], labels, [-1.0 if own else 0.0 for own in wrong])
        else:
            k[row, [column for column, own in zip(columns, wrong, strict=True) if own]] = -1.0
        return 0.0
    assert atom.mine is not None
    mine, mine_code = plan.labels(atom.mine), plan.selecting(atom.mine)
    mine_columns = plan.columns(atom.mine, mine_code)
    # Row r of the key marks label r; the query wants 0 for labels that it selects and -strength for others.
    wanted = np.array(
        [[0.0 if plan.program.selects(atom, label, own) else -strength for label in labels] for own in mine]
    )
    shifted = atom.kind == "matches"
    if shifted:
        wanted = wanted + strength  # sparse: strength for the one label that matches
    for r in range(count):
        if code == "number":
            _affine(k, bk, row + r, columns[0], labels, [1.0 if place == r else 0.0 for place in range(len(labels))])
        else:
            k[row + r, columns[r]] = 1.0
        if mine_code == "number":
            _affine(q, bq, row + r, mine_columns[0], mine, list(wanted[:, r]))
        else:
            q[row + r, mine_columns] = wanted[:, r]
    return -strength if shifted else 0.0


def _affine(
    matrix: np.ndarray, bias: np.ndarray, row: int, column: int, labels: tuple[object, ...], values: list[float]
) -> None:
    """The line through one or two points: `values` at the numbers `labels`."""
    x = [float(label) for label in labels]  # type: ignore[arg-type]
    slope = (values[-1] - values[0]) / (x[-1] - x[0]) if len(x) > 1 else 0.0
    matrix[row, column], bias[row] = slope, values[0] - slope * x[0]


def _at(
    plan: Plan,
    step: Step,
    atom: Atom,
    q: np.ndarray,
    k: np.ndarray,
    bq: np.ndarray,
    bk: np.ndarray,
    row: int,
    strength: float,
) -> float:
    """strength·(2tj - j²): the scale is in the query, so that the key is exact. The table gives BOS the index -1."""
    assert atom.index is not None
    index, square = plan.columns(INDICES, "number")[0], plan.columns(INDICES, "square")[0]
    for register, factor in atom.index.terms:
        q[row, plan.columns(register, "number")[0]] += strength * float(factor)
    bq[row] = strength * float(atom.index.constant)
    bq[row + 1] = strength
    k[row, index], k[row + 1, square] = 2.0, -1.0
    if far(step, atom):
        # The full square -(t - j)², for t that depends on the index alone, and BOS halfway to the next key.
        a, b = float(sum(factor for _, factor in atom.index.terms)), float(atom.index.constant)
        q[row + 2, square], q[row + 2, index], bq[row + 2] = strength * a * a, strength * 2 * a * b, strength * b * b
        bk[row + 2] = -1.0
        k[row, plan.flag], k[row + 1, plan.flag], k[row + 2, plan.flag] = 2.0, 1.0, 1.0
    return 0.0


def _bos_score(step: Step, strength: float, n: int, bos: float) -> float:
    """The score of BOS in its own row, such that it weighs as much as the step needs."""
    if step.kind == "count":
        return float(np.log(n)) - bos  # BOS weighs as much as N selected keys, so that neighbouring counts differ most
    if step.kind == "last":
        return -bos  # the table gives BOS the index -1: it comes before every selected key
    at = next((atom for atom in step.select if atom.kind == "at"), None)
    if at is not None:
        return -strength / 2 if far(step, at) else 0.0  # the table gives BOS the index -1
    if step.default is None:
        return -strength - bos
    return -(strength - float(np.log(n))) / 2 - bos  # one selected key against BOS, and BOS against N others, alike


def _values(plan: Plan, walk: Walk, step: Step, own: Written, v: np.ndarray, o: np.ndarray, bv: np.ndarray) -> None:
    """What the head takes from each key, and where it goes."""
    columns = [c for code in own.codes for c in own.columns[code]]
    o[columns, range(len(columns))] = 1.0
    if step.kind == "count":
        v[0, plan.flag] = 1.0
    elif step.kind == "length":  # the mean of 2j + 1 over j = 0 … n - 1 is n
        v[0, plan.columns(INDICES, "number")[0]], bv[0] = 2.0, 1.0
    else:
        place = 0
        for code in own.codes:
            source = plan.columns(step.of[0], code)
            v[range(place, place + len(source)), source] = 1.0
            if step.default is not None:
                wanted = plan.targets(own.register, code)[plan.labels(own.register).index(step.default)]
                found = np.zeros(len(wanted))
                found[: len(source)] = walk.bos.middle[source]
                v[place : place + len(wanted), plan.flag] = wanted - found
            place += len(own.columns[code])
