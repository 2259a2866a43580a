"""The weights of hidden units: a step function of one number y that takes every class of the inputs to the code of its label.

A step relu(s(y - θ) + ½) - relu(s(y - θ) - ½) is 0 or 1 outside |y - θ| < 1/(2s). θ lies halfway between two neighbouring
classes, and s is the least slope for which every step ends before the next class begins. A raw count becomes a number by
interpolation, with one unit for each count.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

import numpy as np

from headwright.search.compile.draft import Draft
from headwright.search.compile.own_tokens import direction
from headwright.search.compile.plan import Limit, Plan, Written
from headwright.theories.programs.rounding import ROUNDING
from headwright.theories.programs.steps import Step
from headwright.theories.programs.units import Classes, classes_of
from headwright.theories.programs.walk import Place, Walk


class Inseparable(Exception):  # noqa: N818 - a state of the search
    """Two classes with different labels overlap, so no units can tell them apart: by how much they lack."""


def functional(plan: Plan, own: Written) -> np.ndarray:
    """The row whose product y with the stream orders the classes of what `own` reads."""
    row = np.zeros(plan.width)
    step = plan.program.step(own.register)
    if own.source is not None:
        code = own.source.codes[0]
        row[plan.columns(own.register, code)] += _weights(plan, own.register, code) * (-1.0 if code == "raw" else 1.0)
    elif step.kind == "map":
        factors = _factors(plan, step)
        for register, factor in zip(step.of, factors, strict=True):
            code = plan.mapping(register)
            row[plan.columns(register, code)] += factor * _weights(plan, register, code, step)
    else:
        assert step.sum is not None
        needs = plan.comparing(step)
        signs = dict(step.sum.terms)
        raw = any(need.code == "raw" for need in needs)
        for need in needs:
            if not raw:
                sign = float(signs[need.register])
            elif need.code == "raw":  # codes of counts fall as counts grow
                sign = -1.0 if signs[need.register] > 0 else 1.0
            else:
                count = next(other.register for other in needs if other.code == "raw")
                sign = 1.0 if signs[count] > 0 else -1.0
            row[plan.columns(need.register, need.code)] += sign
    return row


def _weights(plan: Plan, register: int, code: str | Limit, step: Step | None = None) -> np.ndarray:
    """What each column of a register counts: 1 for a number, the place of its label for one column of several.

    The user's tokens are projected: those for which the table has different entries differ by 1 or more.
    """
    if not plan.holds_vectors(register):
        size = plan.size(register, code)
        return np.arange(float(size)) if size > 1 else np.ones(1)
    labels = plan.labels(register)
    classes: Sequence[object] = labels
    if step is not None:
        place = {entry: k for k, entry in enumerate(dict.fromkeys(step.table or ()))}
        table = np.array([place[entry] for entry in step.table or ()])
        sizes = [len(plan.labels(own)) for own in step.of]
        classes = [own.tobytes() for own in np.moveaxis(table.reshape(sizes), step.of.index(register), 0)]
    known = "direction", register, tuple(classes)
    if known not in plan.found:
        plan.found[known] = direction(plan.targets(register, code), classes)
    return np.asarray(plan.found[known])


def _numbers(plan: Plan, step: Step) -> list[np.ndarray]:
    """What each label of each register of a table adds to y."""
    numbers = [_number(plan, register, step) for register in step.of]
    return [factor * own for factor, own in zip(_factors(plan, step), numbers, strict=True)]


def _number(plan: Plan, register: int, step: Step) -> np.ndarray:
    code = plan.mapping(register)
    return np.asarray(plan.targets(register, code) @ _weights(plan, register, code, step))


def _factors(plan: Plan, step: Step) -> list[float]:
    """Factors that give each combination of labels its own sum, or the same sum only where the table has the same entry."""
    numbers = [_number(plan, register, step) for register in step.of]
    plain: dict[float, object] = {}
    whole = len(step.of) == 1 or not any(plan.holds_vectors(register) for register in step.of)
    sums = _sums(numbers)
    if whole and all(
        plain.setdefault(total, entry) == entry for total, entry in zip(sums, step.table or (), strict=True)
    ):
        return [1.0] * len(step.of)
    factors: list[float] = []
    factor = 1.0
    for own in reversed(numbers):
        factors.insert(0, factor)
        factor *= np.ceil(own.max() - own.min()) + 1
    return factors


def _sums(numbers: list[np.ndarray]) -> list[float]:
    """One number from each array, added up, in the order of a table."""
    sums = np.zeros(1)
    for own in numbers:
        sums = (sums[:, None] + own[None, :]).ravel()
    return [float(total) for total in sums]


def unit_count(plan: Plan, own: Written) -> int:
    """An upper bound on the number of units: steps between neighbouring classes, or one for each count."""
    if _interpolates(own):
        return max(1, len(plan.labels(own.register)) - 1)
    step = plan.program.step(own.register)
    labels = len(plan.labels(own.register))
    if own.source is not None or step.kind != "map":
        return 2 * (labels - 1)
    order = dict(zip(_sums(_numbers(plan, step)), step.table or (), strict=True))
    return max(2, 2 * (len(list(groupby(order[key] for key in sorted(order)))) - 1))


def _interpolates(own: Written) -> bool:
    return own.source is not None and own.source.codes[0] == "raw" and own.codes == ("number",)


def write_units(plan: Plan, draft: Draft, walk: Walk, own: Written, place: Place) -> None:
    """Fill in the units of `place`; Inseparable if the classes overlap."""
    assert place.units is not None
    step = None if own.source is not None else plan.program.step(own.register)
    targets = np.concatenate([plan.targets(own.register, code) for code in own.codes], axis=1)
    row = functional(plan, own)
    first, final = place.units
    inner, outer = draft.arrays[f"{place.block}.inner"], draft.arrays[f"{place.block}.outer"]
    biases, shift = draft.arrays[f"{place.block}.inner_bias"], draft.arrays[f"{place.block}.outer_bias"]
    columns = list(place.columns)

    def classes(scale: float) -> Classes:
        made = draft.number(scale * row if draft.inverse is None else scale * row @ draft.inverse)
        return classes_of(walk, place, step, made[None, :])[0]

    known = classes(1.0)
    if _interpolates(own):
        inner[first:final] = row
        knots = np.asarray(draft.number((known.low + known.high) / 2))
        slopes = 1 / np.diff(knots)
        if not (slopes > 0).all():
            raise Inseparable
        shift[columns] = targets[0]
        biases[first : first + len(slopes)] = -knots[:-1]
        outer[np.ix_(columns, range(first, first + len(slopes)))] = np.diff(slopes, prepend=0.0)
        return
    runs = _runs(known)
    gaps = [later[0] - earlier[1] for earlier, later in pairwise(runs)]
    if min(gaps, default=1.0) <= 0:
        raise Inseparable
    # A little steeper than 1/gap: bias and sum of a unit are rounded.
    size = max(abs(runs[0][0]), abs(runs[-1][1])) / min(gaps, default=1.0)
    slope = _few_bits((1 + 16 * max(ROUNDING[draft.dtype].unit, 2.0**-53) * (size + 1)) / min(gaps, default=1.0))
    runs = _runs(classes(slope))
    inner[first:final] = slope * row
    shift[columns] = targets[runs[0][2]]
    for number, (earlier, later) in enumerate(pairwise(runs)):
        middle = (earlier[1] + later[0]) / 2
        unit = first + 2 * number
        biases[unit], biases[unit + 1] = 0.5 - middle, -0.5 - middle
        change = targets[later[2]] - targets[earlier[2]]
        outer[columns, unit], outer[columns, unit + 1] = change, -change


def _few_bits(number: float) -> float:
    """The number, rounded up to ten significant bits, so that its products with small whole numbers are exact."""
    unit = 2.0 ** (np.floor(np.log2(number)) - 9)
    return float(np.ceil(number / unit) * unit)


def _runs(classes: Classes) -> list[tuple[float, float, int]]:
    """Neighbouring classes of one label as (low, high, label), in the order of y; Inseparable if those of two labels overlap."""
    order = np.argsort(classes.low, kind="stable")
    low, label = classes.low[order], classes.label[order]
    high = np.maximum.accumulate(classes.high[order])
    starts = np.flatnonzero(np.concatenate([[True], label[1:] != label[:-1]]))
    ends = np.concatenate([starts[1:], [len(label)]]) - 1
    if not (high[ends[:-1]] < low[starts[1:]]).all():
        raise Inseparable
    return [(float(low[a]), float(high[b]), int(label[a])) for a, b in zip(starts, ends, strict=True)]
