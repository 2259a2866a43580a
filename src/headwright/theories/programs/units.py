"""What a group of hidden units writes, for every word at once.

The units of a group share one row of the inner map, so that they compute φ(y) = Σ_k w_k relu(y + b_k) of one number y, which is
piecewise linear. Over an interval of y it takes its extremes at the ends, or at a kink between them. Each class of the
inputs, a combination of labels or a range of a sum, gives an interval of y, and the hull of what its labels make of it is the
box of a label of the result. No slope, sign or order of the units is assumed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from headwright.kernel import budget
from headwright.theories.order.block_parts import BlockParts
from headwright.theories.programs.boxes import Boxes, above, product_above, sum_above
from headwright.theories.programs.steps import MOST_COMBINATIONS, Step
from headwright.theories.programs.walk import Place, Reading, Unproved, Walk, Written, hulls


class Classes(NamedTuple):
    """Intervals of y (low, high), and the place of the label that each must give."""

    low: np.ndarray
    high: np.ndarray
    label: np.ndarray


def write_units(walk: Walk, block: BlockParts, part: Place, step: Step | None) -> Written:
    """What the units of `part` write for a step, or (None) as another code of the same register."""
    assert part.units is not None
    units = slice(*part.units)
    rows = block.inner[units]
    if len(rows) == 0 or not (rows == rows[0]).all():
        raise Unproved(f"the hidden units of register {part.register} do not share one row")
    labels = walk.program.values[part.register].labels
    if labels is None:
        raise Unproved(f"register {part.register} is a number, which units cannot write")
    biases = np.zeros(len(rows)) if block.inner_bias is None else block.inner_bias[units]
    classes, bos = classes_of(walk, part, step, rows[:1])
    inside, left = walk.split(block.outer[:, units], part.columns)
    shift = Boxes.exact(walk.shifted(block.outer_bias, part.columns)[0])
    # The machine rounds the sum of each unit on its own, so this is an error of the units, not of y.
    gamma = walk.rounding.gamma(np.array(np.count_nonzero(rows[0]) + 1))
    reach = product_above(np.abs(rows[:1]), walk.stream())
    each = sum_above(gamma * (reach + np.abs(biases)), walk.rounding.least * 2 * (rows.shape[1] + 1))
    active = np.maximum(above(max(classes.high.max(), bos.high[0]), biases, each), 0.0)
    hidden = product_above(each, np.abs(inside.middle.T))
    boxes = _image(classes, biases, inside.middle, len(labels)).widened(hidden) + shift
    at_bos = (
        _image(Classes(bos.low, bos.high, np.zeros(1, dtype=int)), biases, inside.middle, 1)[0].widened(hidden) + shift
    )
    walk.need_small(boxes, at_bos, Boxes.exact(active))
    return Written(boxes, at_bos, active, left, block.outer[:, units])


def classes_of(walk: Walk, part: Place, step: Step | None, row: np.ndarray) -> tuple[Classes, Boxes]:
    """The intervals of y for each class of the inputs, and y at BOS."""
    program = walk.program
    total = None if step is None else step.sum
    named = [part.register] if step is None else list(step.of) if total is None else [own for own, _ in total.terms]
    values = [program.values[own] for own in named]
    reading = walk.read(row, None, named, rounded=False)
    size = math.prod(len(own.labels) if own.labels is not None else MOST_COMBINATIONS + 1 for own in values)
    if total is None or size <= MOST_COMBINATIONS:
        budget.spend(200 * size)
        y = _sums(reading, named)
        return Classes(y.low, y.high, _labels(walk, part, step, size)), reading.bos
    slope, offset = walk.line(reading, total)
    low, high = program.bounds(total)
    gap = program.gap(total)
    assert gap is not None
    assert step is not None
    zero = Fraction(0)
    if step.kind == "sign":
        ranges = [(low, -gap), (zero, zero), (gap, high)]
    else:
        ranges = [(low, zero), (gap, high)] if step.strict else [(low, -gap), (zero, high)]
    places = [place for place, (first, final) in enumerate(ranges) if first <= final]
    ends = np.array([[float(end) for end in ranges[place]] for place in places])
    y = Boxes.exact(ends).widened(np.abs(ends) * 2.0**-50) * Boxes.exact(slope) + offset
    return Classes(y.low.min(axis=1), y.high.max(axis=1), np.array(places)), reading.bos


def _sums(reading: Reading, named: Sequence[int]) -> Boxes:
    """y for every combination of labels, in the order of a table."""
    y = reading.base[:1]
    for register in named:
        own = reading.parts[register][:, 0]
        y = Boxes(y.middle[:, None], y.radius[:, None]) + own[None]
        y = Boxes(y.middle.ravel(), y.radius.ravel())
    return y


def _labels(walk: Walk, part: Place, step: Step | None, size: int) -> np.ndarray:
    """The place of the label that each combination must give."""
    program = walk.program
    labels = program.values[part.register].labels
    assert labels is not None
    if step is None:
        return np.arange(size)
    place = {label: k for k, label in enumerate(labels)}
    if step.table is not None:
        return np.array([place[label] for label in step.table])
    total = step.sum
    assert total is not None
    # Labels are whole numbers, so a multiple of the sum is whole.
    scale = math.lcm(total.constant.denominator, *(factor.denominator for _, factor in total.terms))
    largest = scale * abs(total.constant)
    for register, factor in total.terms:
        largest += scale * abs(factor) * program.values[register].largest
    kind = np.int64 if largest < 2**62 else object
    sums = np.array([int(total.constant * scale)], dtype=kind)
    for register, factor in total.terms:
        own = program.values[register].labels
        assert own is not None
        sums = (
            sums[:, None] + np.array([int(factor * scale) * int(label) for label in own], dtype=kind)[None, :]
        ).ravel()
    if step.kind == "sign":
        return np.asarray((sums > 0).astype(int) - (sums < 0).astype(int) + 1)
    return np.asarray((sums > 0 if step.strict else sums >= 0).astype(int))


def _image(classes: Classes, biases: np.ndarray, weights: np.ndarray, labels: int) -> Boxes:
    """The hull of φ over all classes of each label, for each row of `weights` (k, units): (labels, k).

    Between two kinks φ is linear, so that only the lowest and the highest end of a label in each such cell count.
    """
    kinks = np.sort(-biases)
    ends = np.concatenate([classes.low, classes.high])
    first, final = np.searchsorted(kinks, classes.low, side="left"), np.searchsorted(kinks, classes.high, side="right")
    cells = np.concatenate([classes.label, classes.label]) * (len(kinks) + 1) + np.concatenate([first, final])
    known, cell = np.unique(cells, return_inverse=True)
    low, high = np.full(len(known), np.inf), np.full(len(known), -np.inf)
    np.minimum.at(low, cell, ends)
    np.maximum.at(high, cell, ends)
    points, label = [low, high], [known // (len(kinks) + 1)] * 2
    size = 2 * len(known) + int((final - first).sum())
    budget.spend(30 * size * len(biases) * len(weights) + 200 * len(ends))
    budget.hold(64 * size * len(biases))
    for step in range(int(np.max(final - first, initial=0))):  # kinks inside a class
        within = np.flatnonzero(first + step < final)
        points.append(kinks[first[within] + step])
        label.append(classes.label[within])
    every = np.concatenate(points)
    return hulls(_values(every, biases, weights), np.concatenate(label), labels)


def _values(y: np.ndarray, biases: np.ndarray, weights: np.ndarray) -> Boxes:
    """φ at exact points."""
    sums = Boxes.exact(y[:, None]) + Boxes.exact(biases)[None]
    low, high = np.maximum(sums.low, 0.0), np.maximum(sums.high, 0.0)
    return Boxes.between(low, high).times(Boxes.exact(weights))
