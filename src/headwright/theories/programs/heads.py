"""What one attention head writes, for every word at once: bounds on scores, on the weights of selected keys, and on the output.

Outside the selected keys lies a share L/(1 + L) of the weight or less, L = Σ e^(score - least selected score). For
"last" and for steps with "at", keys differ by their indices, and the sum goes over the indices. For other steps it is N - 1 times
the largest term. "count" reads the weight of BOS:
    1 / (1 + w e^(h-b) + (N-w) e^(m-b)) <= weight <= 1 / (1 + w e^(l-b)),
for w selected keys with scores in [l, h], others at most m, and BOS at b.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from headwright.theories.order.block_parts import BlockParts
from headwright.theories.programs.boxes import Boxes, above, below, exp_above, exp_below, product_above, sum_above
from headwright.theories.programs.scores import Scores, Summary, scores_of, summary_of
from headwright.theories.programs.steps import INDICES, Atom, Step, Sum
from headwright.theories.programs.walk import Place, Reading, Unproved, Walk, Written

_NEVER = -np.inf


class Attention(NamedTuple):
    """Bounds on weights: outside the selected keys (if any), outside BOS (if there are none), and outside BOS if BOS asks.

    `uneven` bounds how far the weights of selected keys are from equal, and `counted` the weight of BOS for each number of them.
    """

    outside: float
    without: float
    at_bos: float
    uneven: float
    counted: tuple[np.ndarray, np.ndarray]


def write_head(walk: Walk, block: BlockParts, part: Place, step: Step) -> Written:
    """What the head of `part` writes for its step."""
    head, n, labels = part.head, walk.program.length, walk.program.values[part.register].labels
    assert head is not None
    if labels is None and len(part.columns) != 1:
        raise Unproved(f"register {part.register} is a number, which has one column")
    weights = attend(walk, block, part, step)
    named = [INDICES] if step.kind == "length" else list(step.of)
    values = walk.read(block.value[head], None if block.value_bias is None else block.value_bias[head], named)
    inside, left = walk.split(block.output[head], part.columns)
    own = _values_of_keys(walk, values, named)
    every = own.hull().joined(values.bos)
    slack = sum_above(walk.rounding.attention(n + 1) * every.size, 8 * n * walk.rounding.least)

    def out(boxes: Boxes) -> Boxes:
        return boxes.widened(slack).times(inside)

    error = None
    if step.kind == "count":
        assert labels is not None
        shares = [share[-len(labels) :] for share in weights.counted]  # those of counts that can occur, up to N
        ends = [_mixed(share, values.bos, own.hull()) for share in shares]
        # The machine errs by a share of Σ w|v|, which is small where other keys hold 0.
        sizes = [_mixed(share, Boxes.exact(values.bos.size), Boxes.exact(own.hull().size)).size for share in shares]
        rounded = sum_above(walk.rounding.attention(n + 1) * np.maximum(*sizes), 8 * n * walk.rounding.least)
        boxes = ends[0].joined(ends[1]).widened(rounded).times(inside)
    elif step.kind == "length":
        slope, offset = walk.line(values, Sum(((INDICES, Fraction(1)),)))
        means = Boxes.exact(np.arange(n)[:, None] / 2).times(Boxes.exact(slope[:, None])) + offset
        boxes = out(means.widened(above(weights.outside, weights.uneven) * _width(every)))
    elif labels is None:
        uneven = weights.uneven if step.kind == "mean" else 0.0
        error = _error_of_number(walk, step, values, own, inside)
        error += float(above(weights.outside, uneven) * _width(every.times(inside))[0]) + float(
            product_above(slack, np.abs(inside.middle.T))[0]
        )
        error = float(above(error))
        limits = [np.array([[float(end)]]) for end in walk.program.values[part.register].ends]
        boxes = Boxes.between(*limits).widened(above(error, 2.0**-50 * np.abs(limits[0]), 2.0**-50 * np.abs(limits[1])))
    else:
        boxes = out(_leaked(own, every, weights.outside))
        if step.default is not None:
            default = out(_leaked(values.bos, every, weights.without)[None])
            boxes = _with_default(boxes, default, labels.index(step.default))
    bos = out(_leaked(values.bos, every, weights.at_bos))
    walk.need_small(boxes, bos)
    return Written(boxes, bos, every.widened(slack).size, left, block.output[head], error)


def _values_of_keys(walk: Walk, values: Reading, named: list[int]) -> Boxes:
    """What the head reads from a key, for each label of the register that it takes: (labels, v)."""
    if not named:
        return values.base[None]
    if walk.held[named[0]].error is None:
        return values.parts[named[0]] + values.base
    ends = walk.held[named[0]].boxes  # a number: anything between its bounds
    slope = values.parts[named[0]]
    return ends * Boxes.exact(slope.middle) + Boxes(np.zeros_like(slope.middle), slope.radius) + values.base


def _error_of_number(walk: Walk, step: Step, values: Reading, own: Boxes, inside: Boxes) -> float:
    """How far the number that a key contributes to the output may be from the value of its register."""
    register = step.of[0]
    known = walk.program.values[register]
    if known.labels is not None:
        numbers = np.array([float(label) for label in known.labels])
        return float(own.times(inside).distance(numbers[:, None]).max())
    slope, offset = walk.line(values, Sum(((register, Fraction(1)),)))
    factor = Boxes.exact(slope[None, :]).times(inside)
    largest = above(float(known.largest))
    return float(above(factor.distance(np.ones((1, 1)))[0, 0] * largest, offset.times(inside).size[0]))


def _leaked(own: Boxes, every: Boxes, share: float) -> Boxes:
    """What is left of values in `own` if up to this share of the weight goes to others in `every`, which contain them."""
    low = below(own.low, -share * (own.low - every.low))
    high = above(own.high, share * (every.high - own.high))
    return Boxes.between(low, high) if share > 0 else own


def _mixed(share: np.ndarray, bos: Boxes, others: Boxes) -> Boxes:
    """The mean of BOS with these shares (w,) and other keys with the rest: (w, v)."""
    own = Boxes.exact(share[:, None])
    return own * bos + (Boxes.exact(np.ones_like(own.middle)) - own) * others


def _with_default(boxes: Boxes, default: Boxes, place: int) -> Boxes:
    """The boxes with that of the default label, which may be a label of its own at the end."""
    if place < len(boxes.middle):
        joined = boxes[place : place + 1].joined(default)
        boxes.middle[place], boxes.radius[place] = joined.middle[0], joined.radius[0]
        return boxes
    return Boxes(np.concatenate([boxes.middle, default.middle]), np.concatenate([boxes.radius, default.radius]))


def _width(boxes: Boxes) -> np.ndarray:
    return above(boxes.high, -boxes.low)


def attend(walk: Walk, block: BlockParts, part: Place, step: Step) -> Attention:
    """Bounds on the weights of the head of `part`."""
    n, u = walk.program.length, walk.rounding.unit
    conditions: list[Atom | None] = [*step.select, *([Atom("last")] if step.kind == "last" else [])]
    if (
        len(part.rows) != len(conditions)
        or any(count < 0 for count in part.rows)
        or sum(part.rows) > block.query.shape[1]
    ):
        raise Unproved(f"the head of register {part.register} lacks rows for its conditions")
    ends = np.cumsum([0, *part.rows, block.query.shape[1] - sum(part.rows)])
    scores = [
        scores_of(walk, block, part.head or 0, slice(*ends[k : k + 2]), atom)
        for k, atom in enumerate([*conditions, None])
    ]
    walk.need_small(Boxes.exact(above(*(own.size for own in scores))))
    apart = _told_apart(step)
    rest = summary_of([own for k, own in enumerate(scores) if k != apart])
    alone = above(*(own.alone for own in scores))
    at_bos = 0.0 if walk.program.causal else _share(n * exp_above(above(alone, 2 * u * np.abs(alone))))
    if apart is None:
        top = max(rest.any, rest.bos_high)

        def more(x: float) -> np.ndarray:  # a score, as far up as the rounded difference from the maximum takes it
            return above(x, u * 2 * above(top, -x)) if np.isfinite(x) else np.asarray(x)

        def less(x: float) -> np.ndarray:
            return below(x, -u * 2 * above(top, -x))

        low, bos_low = less(rest.low), less(rest.bos_low)
        leak = above((n - 1) * exp_above(above(more(rest.fails), -low)), exp_above(above(more(rest.bos_high), -low)))
        without = _share(n * exp_above(above(more(rest.fails), -bos_low)))
        uneven = _growth(above(more(rest.high), -low))
        chosen = np.arange(n + 1.0)
        most = above(
            chosen * exp_above(above(more(rest.high), -bos_low)),
            (n - chosen) * exp_above(above(more(rest.fails), -bos_low)),
        )
        least = chosen * exp_below(below(low, -more(rest.bos_high)))
        counted = (
            np.maximum(below(1 / (1 + most) * (1 - 2.0**-50)), 0.0),
            np.minimum(above(1 / (1 + least) * (1 + 2.0**-50)), 1.0),
        )
        return Attention(_share(leak), without, at_bos, uneven, counted)
    return _attend_apart(walk, scores[apart], rest, step, at_bos)


def _attend_apart(walk: Walk, own: Scores, rest: Summary, step: Step, at_bos: float) -> Attention:
    """The same where one condition tells keys apart by their indices: "at", or the order of "last"."""
    n, u = walk.program.length, walk.rounding.unit
    top = above(own.high.max(axis=1), rest.any)
    top = np.maximum(top, above(own.bos[1], rest.bos_high))[:, None]

    def more(x: np.ndarray) -> np.ndarray:
        return np.where(np.isneginf(x), x, above(x, u * 2 * above(top, -np.where(np.isneginf(x), 0.0, x))))

    def less(x: np.ndarray) -> np.ndarray:
        return below(x, -u * 2 * above(top, -x))

    chosen = own.holds.any(axis=1)
    place = np.argmax(own.holds, axis=1)
    low = less(below(own.low[np.arange(len(place)), place], rest.low)[:, None])
    bos_low, bos_high = less(below(own.bos[0], rest.bos_low)[:, None]), more(above(own.bos[1], rest.bos_high)[:, None])
    anything, failing = more(above(own.high, rest.any)), more(above(own.high, rest.fails))
    if step.kind == "last":  # earlier keys may be selected too, later ones fail
        indices = np.arange(n)
        others = np.where(indices[None, :] < place[:, None], anything, failing)
        no_key = failing
    else:
        others, no_key = anything, np.where(own.holds, failing, anything)
    others = np.where(own.holds, _NEVER, others)
    leak = above(_sum(exp_above(above(others, -low))), exp_above(above(bos_high, -low))[:, 0])
    without = _sum(exp_above(above(no_key, -bos_low)))
    if own.present is not None and np.isneginf(rest.fails):  # the key is there, and no other condition can fail
        without = np.where(own.present, 0.0, without)
    outside = max((_share(own_leak) for own_leak in leak[chosen]), default=1.0)
    none = np.min(without) if step.kind == "last" else np.max(without)  # the order asks nothing: any reference will do
    return Attention(outside, _share(none), at_bos, 0.0, (np.zeros(n + 1), np.ones(n + 1)))


def _told_apart(step: Step) -> int | None:
    """The condition that distinguishes keys by their indices."""
    if step.kind == "last":
        return len(step.select)
    if step.kind == "count":
        return None
    return next((k for k, atom in enumerate(step.select) if atom.kind == "at"), None)


def _share(leak: object) -> float:
    """L / (1 + L), rounded up, at most 1."""
    number = float(leak)  # type: ignore[arg-type]
    return min(1.0, float(above(number / (1 + number)))) if np.isfinite(number) else 1.0


def _growth(spread: object) -> float:
    """e^s - 1, rounded up, by s (1 + s) for s <= 1."""
    s = max(float(spread), 0.0)  # type: ignore[arg-type]
    return float(above(s * (1 + s))) if s <= 1 else np.inf


def _sum(terms: np.ndarray) -> np.ndarray:
    """Row sums of non-negative terms, rounded up."""
    return product_above(terms, np.ones(terms.shape[1]))
