"""What is proved of each place of a layout, as the walk that proves the whole model sees it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from headwright.theories.order.block_parts import BlockParts
from headwright.theories.programs.heads import attend
from headwright.theories.programs.runs_program import RunsProgram, begin, block_writes, one_part
from headwright.theories.programs.scores import scores_of
from headwright.theories.programs.steps import Atom, Step
from headwright.theories.programs.walk import Place, Walk, Written


class ProvedStep(NamedTuple):
    """A place, and what holds of it for every word.

    `error` bounds how far its columns are from the code of the program's value. `gap` is the least difference between the
    score of a key for which a condition holds and that of one for which it does not. `leak` bounds the weight outside the
    selected keys, or outside BOS where no key is selected and BOS holds the default. `slope` is the largest entry of the row
    that hidden units share.
    """

    place: Place
    again: bool  # another code of a register that is already there
    error: float
    rank: int | None = None
    gap: float | None = None
    leak: float | None = None
    slope: float | None = None


def proved_steps(claim: RunsProgram) -> Iterator[ProvedStep]:
    """Every place of the layout, in the order in which the stream gains it; Unproved where the walk ends."""
    with np.errstate(all="ignore"):
        walk = begin(claim.program, claim.layout, claim.weights, claim.dtype)
        for place in claim.layout:
            if place.block < 0:
                held = walk.held[place.register]
                columns = [held.columns.index(column) for column in place.columns]
                yield ProvedStep(place, False, float(held.boxes.radius[:, columns].max(initial=0.0)))
        for number, block in enumerate(claim.blocks):
            for heads in (True, False):
                for place in claim.layout:
                    if place.block == number and (place.head is not None) == heads:
                        yield _proved(walk, block, place)
                walk.write(*block_writes(walk, block, number, heads=heads))


def _proved(walk: Walk, block: BlockParts, place: Place) -> ProvedStep:
    made = one_part(walk, block, place)
    again, step = place.register in walk.held, walk.program.step(place.register)
    error = _error(walk, place, made, step, again=again)
    if place.head is None:
        assert place.units is not None
        return ProvedStep(place, again, error, slope=float(np.abs(block.inner[place.units[0]]).max()))
    weights = attend(walk, block, place, step)
    leak = None if step.kind == "count" else weights.outside  # "count" reads the weight of BOS, and selects no key
    if leak is not None and step.default is not None:
        leak = max(leak, weights.without)
    return ProvedStep(place, again, error, _rank(block, place.head), _gap(walk, block, place, step), leak)


def _error(walk: Walk, place: Place, made: Written, step: Step, *, again: bool) -> float:
    """The distance from the code: the number, a one-hot row, or both. A raw count has no code but the middle of its box."""
    if made.error is not None:
        return made.error
    values = walk.program.values[place.register]
    assert values.labels is not None
    codes = [np.eye(len(values.labels))]
    if values.numeric:
        number = np.array([[float(label)] for label in values.labels])
        codes += [number, np.hstack([codes[0], number]), np.hstack([number, codes[0]])]
    if step.kind != "count" or again:
        known = [made.boxes.distance(code).max() for code in codes if code.shape == made.boxes.middle.shape]
        if known:
            return float(min(known))
    return float(made.boxes.radius.max())


def _rank(block: BlockParts, head: int) -> int:
    """How many rows of query and key are not 0."""
    used = np.ones(block.query.shape[1], dtype=bool)
    for maps, bias in ((block.query, block.query_bias), (block.key, block.key_bias)):
        used &= maps[head].any(axis=1) | (False if bias is None else bias[head] != 0)
    return int(np.count_nonzero(used))


def _gap(walk: Walk, block: BlockParts, place: Place, step: Step) -> float | None:
    """The least gap of a condition of the step; None if no key can fail one."""
    conditions: list[Atom] = [*step.select, *([Atom("last")] if step.kind == "last" else [])]
    least, row = np.inf, 0
    for atom, rows in zip(conditions, place.rows, strict=True):
        scores = scores_of(walk, block, place.head or 0, slice(row, row + rows), atom)
        row += rows
        fails = np.tri(len(scores.holds), k=-1, dtype=bool) if atom.kind == "last" else ~scores.holds  # earlier keys
        low = np.where(scores.holds, scores.low, np.inf).min(axis=1)
        high = np.where(fails, scores.high, -np.inf).max(axis=1)
        least = min(least, float((low - high).min()))
    return least if np.isfinite(least) else None
