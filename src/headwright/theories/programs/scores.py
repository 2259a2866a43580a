"""Scores of one head, for every word at once: an interval for each condition, label of the asking position and label of the key.

Rows of query and key serve the conditions of the step's selector one by one, and scores are sums over them. Intervals are
relative to a fixed key vector for each asking label: a softmax does not change if all its scores move by the same amount, and the
error of the query cancels. A key is selected if all conditions hold. Otherwise it scores at most the best sum in which one fails.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from headwright.kernel import budget
from headwright.theories.order.block_parts import BlockParts
from headwright.theories.programs.boxes import Boxes, above, below, product_above, sum_above
from headwright.theories.programs.steps import INDICES, Atom
from headwright.theories.programs.walk import Reading, Unproved, Walk

_NEVER = -np.inf
_MANY = 16  # rows of a head beyond which the error of the query is bounded without cancellation, by one product


class Scores(NamedTuple):
    """Scores of one condition, as the machine rounds them, by class of the asking position (a) and label of the key (b).

    `holds` (a, b) says which keys the condition selects, `bos` (2, a) bounds the score of BOS. `alone` bounds the score of any
    key less that of BOS where BOS itself asks, `size` every partial sum.
    `present` (a) says where the key that "at" asks for is never missing.
    """

    low: np.ndarray
    high: np.ndarray
    holds: np.ndarray
    bos: np.ndarray
    alone: float
    size: float
    present: np.ndarray | None = None


class Summary(NamedTuple):
    """All conditions whose keys are not told apart: the sum of their scores where all hold, where at least one fails, in any
    case, and at BOS.
    """

    low: float
    high: float
    fails: float
    any: float
    bos_low: float
    bos_high: float


def scores_of(walk: Walk, block: BlockParts, head: int, rows: slice, atom: Atom | None) -> Scores:
    """The scores that these rows of query and key add for one condition; None for rows that serve no condition."""
    program = walk.program
    kind = None if atom is None or (atom.kind == "before" and program.causal) else atom.kind
    asked = _asked(atom) if kind in ("matches", "below", "at", "before") else []
    key = {"at": INDICES, "before": INDICES, "last": INDICES}.get(
        kind or "", None if atom is None or kind is None else atom.key
    )
    maps = [getattr(block, name)[head, rows] for name in ("query", "key")]
    biases = [None if bias is None else bias[head, rows] for bias in (block.query_bias, block.key_bias)]
    reading = walk.read(maps[0], biases[0], asked)
    keys = walk.read(maps[1], biases[1], [] if key is None else [key])
    k = keys.base[None] if key is None else keys.parts[key] + keys.base
    q, index = _queries(walk, reading, atom if kind == "at" else None, asked)
    labels = program.values[key].labels if key is not None else None
    asking = program.length if kind == "last" else len(q.middle)
    budget.spend(1000 * asking * len(k.middle) if kind in ("matches", "below", "among") else 0)
    budget.hold(100 * asking * (len(k.middle) + 1))
    holds, present = np.ones((len(q.middle), len(k.middle)), dtype=bool), None
    if kind == "at":
        assert index is not None
        holds = index[:, None] == np.arange(program.length)[None, :]
        if asked == [INDICES]:  # a position of index i has the keys 0 … i before it, and sees them
            present = (index >= 0) & (index <= np.arange(program.length))
    elif kind == "before":
        holds = np.tri(program.length, dtype=bool)
    elif kind == "last":
        q = Boxes(np.repeat(q.middle, program.length, axis=0), np.repeat(q.radius, program.length, axis=0))
        holds = np.eye(program.length, dtype=bool)
    elif kind is not None and atom is not None:
        assert labels is not None
        mine = program.values[atom.mine].labels if atom.mine is not None else (None,)
        holds = np.array([[program.selects(atom, label, own) for label in labels] for own in mine or ()])
    r = maps[0].shape[0]
    used = sum(bool(_any(maps[0][i], biases[0], i) and _any(maps[1][i], biases[1], i)) for i in range(r))
    gamma = float(walk.rounding.gamma(np.array(_terms(block, head))))
    budget.spend(20 * len(q.middle) * (len(k.middle) + 1) * (used + 1))
    every = Boxes(np.concatenate([k.middle, keys.bos.middle[None]]), np.concatenate([k.radius, keys.bos.radius[None]]))
    both = _relative(q, every, k.middle[np.argmax(holds, axis=1)], gamma, walk.rounding.least)
    empty = ~holds.any(axis=1)
    if empty.any() and not empty.all():
        # A class that selects no key is moved as a whole, so that BOS scores there what it scores elsewhere.
        at = both.middle[:, -1]
        both = both - Boxes.exact(np.where(empty, at - at[np.argmin(empty)], 0.0)[:, None])
    at_bos = _relative(reading.bos[None], every, keys.bos.middle[None], gamma, walk.rounding.least)
    size = product_above(np.maximum(q.size.max(axis=0), reading.bos.size), every.size.max(axis=0))
    low, high = both.low, both.high
    return Scores(
        low[:, :-1],
        high[:, :-1],
        holds,
        np.array([low[:, -1], high[:, -1]]),
        float(above(at_bos.high[0, :-1].max(), -at_bos.low[0, -1])),
        float(size),
        present,
    )


def _asked(atom: Atom | None) -> list[int]:
    """The registers of the asking position that a condition reads."""
    assert atom is not None
    if atom.kind == "at":
        assert atom.index is not None
        return [register for register, _ in atom.index.terms]
    return [INDICES] if atom.kind == "before" else [own for own in (atom.mine,) if own is not None]


def _queries(walk: Walk, reading: Reading, at: Atom | None, asked: list[int]) -> tuple[Boxes, np.ndarray | None]:
    """The query of each class of the asking position, and for "at" the index that it asks for."""
    if at is None:
        return (reading.parts[asked[0]] + reading.base if asked else reading.base[None]), None
    assert at.index is not None
    total = at.index
    if not asked:
        return reading.base[None], np.array([int(total.constant)])
    if len(asked) == 1:
        labels = walk.program.values[asked[0]].labels
        assert labels is not None
        factor = total.terms[0][1]
        places = [int(factor * Fraction(label) + total.constant) for label in labels if not isinstance(label, str)]
        return reading.parts[asked[0]] + reading.base, np.array(places)
    slope, offset = walk.line(reading, total)
    low, high = walk.program.bounds(total)
    budget.hold(32 * len(slope) * int(high - low + 1))
    index = np.arange(int(low), int(high) + 1)
    return Boxes.exact(index[:, None].astype(float)).times(Boxes.exact(slope[:, None])) + offset, index


def _relative(q: Boxes, k: Boxes, reference: np.ndarray, gamma: float, least: float) -> Boxes:
    """q·k less q·(reference of the query's class), with the rounding of the machine's q·k: (a, b)."""
    own = np.abs(q.middle)
    middle = q.middle @ k.middle.T - (q.middle * reference).sum(axis=1)[:, None]
    size = product_above(q.size, k.size.T)
    ours = (4 * len(reference[0]) + 12) * 2.0**-53 * (size + (own * np.abs(reference)).sum(axis=1)[:, None])
    radius = sum_above(product_above(own, k.radius.T), ours, gamma * size, least * 2 * len(reference[0]))
    if q.radius.shape[1] > _MANY:
        away = sum_above(
            product_above(q.radius, k.size.T),
            product_above(q.radius * np.abs(reference), np.ones(len(reference[0])))[:, None],
        )
        return Boxes(middle, sum_above(radius, away))
    for row in np.flatnonzero(q.radius.any(axis=0)).tolist():
        away = np.abs(k.middle[:, row][None, :] - reference[:, row][:, None]) + k.radius[:, row][None, :]
        radius = sum_above(radius, q.radius[:, row][:, None] * away * (1 + 2.0**-50))
    return Boxes(middle, radius)


def summary_of(conditions: list[Scores]) -> Summary:
    """Sums over conditions, each taken at its worst class."""
    held = [np.where(own.holds, own.low, np.inf).min() for own in conditions]
    high = [np.where(own.holds, own.high, _NEVER).max() for own in conditions]
    fails = [np.where(own.holds, _NEVER, own.high).max() for own in conditions]
    most = np.maximum(high, fails)
    if not np.isfinite(held).all():
        raise Unproved("a condition selects no key at all")
    failing = max(float(above(*np.delete(most, k), fails[k])) for k in range(len(conditions)))
    bos = [(own.bos[0].min(), own.bos[1].max()) for own in conditions]
    return Summary(
        float(below(*held)),
        float(above(*high)),
        failing,
        float(above(*most)),
        float(below(*(low for low, _ in bos))),
        float(above(*(end for _, end in bos))),
    )


def _terms(block: BlockParts, head: int) -> int:
    """How many terms of a score are not 0 for certain."""
    used = []
    for name in ("query", "key"):
        bias = getattr(block, f"{name}_bias")
        used.append(getattr(block, name)[head].any(axis=1) | (False if bias is None else bias[head] != 0))
    return int(np.count_nonzero(used[0] & used[1]))


def _any(row: np.ndarray, bias: np.ndarray | None, i: int) -> bool:
    return bool(row.any() or (bias is not None and bias[i] != 0))
