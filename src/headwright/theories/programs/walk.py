"""Walk: the residual stream of a compiled program, register by register, for every word at once.

At every position the stream is r = B y + stray. The columns of the basis B (D, w) are independent, and a register's columns of
y lie in a box that depends on its label alone. What the weights write elsewhere, all rounding of sums into the stream, and what B
cannot express go into one bound on |stray|, coordinate by coordinate, which every later read pays for. So the walk reads
every stored number and assumes nothing about it: a number that is off makes a box or the stray larger.

The beginning-of-word token (BOS) stands in front of every word. Its columns have boxes of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, final

import numpy as np

from headwright.kernel import budget
from headwright.theories.programs.boxes import Boxes, above, product_above, sum_above
from headwright.theories.programs.meaning import tabulated
from headwright.theories.programs.rounding import Rounding
from headwright.theories.programs.steps import INDICES, TOKENS, Sum, WrittenProgram

# Bytes for an entry of the identity and of the table of positions: some ten times what is held, as a small file can ask for them.
_A_SQUARE, _AN_ENTRY = 300, 400


class Unproved(Exception):  # noqa: N818 - a state of the proof, not a fault
    """The walk cannot go on; the text says where and why."""


@final
@dataclass(frozen=True)
class Place:
    """Where a register, or another code of it, is written: columns of y, and the head or the hidden units that write them.

    Tokens and indices come from the tables (block -1). `rows` are the rows of a head's query and key that serve each condition of
    the step's selector, in order, and for "last" those that serve the order; further rows set the score of BOS.
    """

    register: int
    columns: tuple[int, ...]
    block: int = -1
    head: int | None = None
    units: tuple[int, int] | None = None
    rows: tuple[int, ...] = ()


class Held(NamedTuple):
    """The columns of a register, and a box for each label (labels, columns).

    A number has one column, which is off by at most `error`, and one box around all its values.
    """

    columns: tuple[int, ...]
    boxes: Boxes
    error: float | None = None


class Reading(NamedTuple):
    """What rows of a map give: `base` (m,), to which each named register adds the row of its label (labels, m), and what at BOS.

    A number x adds x times the middle of its only row, give or take its radius.
    """

    base: Boxes
    parts: Mapping[int, Boxes]
    bos: Boxes


class Written(NamedTuple):
    """What a head or a group of units writes to its columns: a box for each label (labels, k), and one at BOS (k,).

    `passing` (v,) bounds what goes through the output map, of which `left` (D, v) falls beside the columns.
    """

    boxes: Boxes
    bos: Boxes
    passing: np.ndarray
    left: np.ndarray
    map: np.ndarray
    error: float | None = None


@final
class Walk:
    """The state of the walk: what every register written so far holds, what other columns hold, and the stray."""

    def __init__(
        self, program: WrittenProgram, parts: Sequence[Place], rounding: Rounding, basis: np.ndarray | None, width: int
    ) -> None:
        self.program, self.parts, self.rounding = program, parts, rounding
        self.plain = basis is None
        if basis is None:
            budget.hold(_A_SQUARE * width * width)
        else:
            budget.spend(100 * basis.size * min(basis.shape))
        self.basis = np.eye(width) if basis is None else basis
        self.inverse = self.basis if basis is None else np.linalg.pinv(basis)  # a choice: any matrix would be sound
        w = self.basis.shape[1]
        owned = [column for part in parts for column in part.columns]
        if len(set(owned)) < len(owned) or not all(0 <= column < w for column in owned):
            raise Unproved("two parts of the layout share a column, or a part names one that does not exist")
        self.held: dict[int, Held] = {}
        self.hull = Boxes.exact(np.zeros(w))
        self.bos = Boxes.exact(np.zeros(w))
        self.stray = np.zeros(width)

    def embed(self, tokens: np.ndarray, positions: np.ndarray | None) -> None:
        """Begin with the tables: row 0 is BOS, then come the vocabulary, or the indices."""
        budget.hold(_AN_ENTRY * (self.program.length + 1) * tokens.shape[1])
        places = np.zeros((self.program.length + 1, tokens.shape[1])) if positions is None else positions
        budget.spend(8 * (tokens.size + places.size) * (1 if self.plain else self.basis.shape[1]))
        made = [c for part in self.parts if part.block >= 0 for c in part.columns]
        static = [(part, *self._source(part)) for part in self.parts if part.block < 0]
        token, token_left = self._coordinates(
            tokens, [*made, *(c for part, own, _ in static if own == INDICES for c in part.columns)]
        )
        place, place_left = self._coordinates(
            places, [*made, *(c for part, own, _ in static if own == TOKENS for c in part.columns)]
        )
        sizes = [np.abs(table).max(axis=0) for table in (tokens, places)]
        self.stray = sum_above(
            token_left.max(axis=0),
            place_left.max(axis=0),
            np.where((sizes[0] > 0) & (sizes[1] > 0), self.rounding.unit * 2 * (sizes[0] + sizes[1]), 0.0),
        )
        token_hull, place_hull = token[1:].hull(), place[1:].hull()
        self.bos, self.hull = token[0] + place[0], token_hull + place_hull
        for part, source, labels in static:
            table, other = (token, place_hull) if source == TOKENS else (place, token_hull)
            columns, every = list(part.columns), self.program.values[part.register].labels
            assert every is not None
            self._gain(part, hulls(table[1:][:, columns] + other[columns], labels, len(every)), None)

    def _source(self, part: Place) -> tuple[int, np.ndarray]:
        """Whether a register comes from the tokens or from the indices, and the place of its label for each of them."""
        known, labels = tabulated(self.program, part.register), self.program.values[part.register].labels
        if known is None or labels is None:
            raise Unproved(
                f"register {part.register} depends on more than the token or the index, so no table holds it"
            )
        place = {label: k for k, label in enumerate(labels)}
        return known[0], np.array([place[label] for label in known[1] if not isinstance(label, Fraction)])

    def _coordinates(self, rows: np.ndarray, without: list[int]) -> tuple[Boxes, np.ndarray]:
        """Rows (R, D) in coordinates of the basis (R, w), 0 in the columns `without`, and bounds (R, D) on what is left over."""
        made = np.array(rows if self.plain else rows @ self.inverse.T)
        made[:, without] = 0.0
        if self.plain:
            return Boxes.exact(made), np.abs(rows - made)  # one of the two is 0, or both are equal
        return Boxes.exact(made), (Boxes.exact(rows) - Boxes.exact(made).times(Boxes.exact(self.basis))).size

    def split(self, matrix: np.ndarray, columns: Sequence[int]) -> tuple[Boxes, np.ndarray]:
        """A map (D, v) into the stream as a map (k, v) into these columns, and bounds (D, v) on what falls beside them."""
        inside, left = self._coordinates(matrix.T, self._besides(columns))
        return Boxes.exact(inside.middle.T[list(columns)]), left.T

    def shifted(self, bias: np.ndarray | None, columns: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """What a bias (D,) adds to these columns, and a bound (D,) on what falls beside them."""
        shift = np.zeros(len(self.stray)) if bias is None else bias
        inside, left = self._coordinates(shift[None, :], self._besides(columns))
        return inside.middle[0, list(columns)], left[0]

    def _besides(self, columns: Sequence[int]) -> list[int]:
        own = set(columns)
        return [c for c in range(self.basis.shape[1]) if c not in own]

    def read(
        self, maps: np.ndarray, bias: np.ndarray | None, named: Sequence[int] = (), *, rounded: bool = True
    ) -> Reading:
        """What rows (m, D) of a map, with a bias (m,), make of the stream, as the machine computes it, or exactly.

        Columns of registers that are not named may hold whatever any label gives them.
        """
        missing = [own for own in named if own not in self.held]
        if missing:
            raise Unproved(f"register {missing[0]} is read before it is written")
        w = self.basis.shape[1]
        rows = sum(len(self.held[own].boxes.middle) for own in named) + 2
        budget.spend(2 * len(maps) * w * (rows + (0 if self.plain else maps.shape[1])))
        own = Boxes.exact(maps) if self.plain else Boxes.exact(maps).times(Boxes.exact(self.basis.T))
        shift = np.zeros(len(maps)) if bias is None else bias
        gamma = self.gamma(maps, shift) if rounded else np.zeros(len(maps))
        # What the machine multiplies and adds is |map| times the stream, coordinate by coordinate.
        spread = np.abs(maps) if self.plain else product_above(np.abs(maps), np.abs(self.basis))
        lost = product_above(np.abs(maps), self.stray)
        # No partial sum exceeds this, in any order, even where terms cancel.
        self.need_small(Boxes.exact(sum_above(product_above(np.abs(maps), self.stream()), np.abs(shift))))
        underflow = np.where(maps.any(axis=1), self.rounding.least * 2 * maps.shape[1], 0.0)
        lost = sum_above(lost, gamma * lost, gamma * np.abs(shift), underflow)

        def through(boxes: Boxes, columns: Any) -> Boxes:
            return boxes.times(own[:, columns]).widened(gamma * product_above(boxes.size, spread[:, columns].T))

        known = {c for register in named for c in self.held[register].columns}
        rest = [c for c in range(w) if c not in known]
        base = (Boxes.exact(shift) + through(self.hull[rest], rest)).widened(lost)
        bos = (Boxes.exact(shift) + through(self.bos, slice(None))).widened(lost)
        parts = {}
        for register in named:
            held = self.held[register]
            parts[register] = through(held.boxes, list(held.columns))
            if held.error is not None:
                slope, size = own[:, held.columns[0]], held.boxes.size[0, 0]
                off = sum_above(slope.radius * size, slope.size * held.error, gamma * spread[:, held.columns[0]] * size)
                parts[register] = Boxes(slope.middle[None, :], off[None, :])
        return Reading(base, parts, bos)

    def stream(self) -> np.ndarray:
        """Bounds (D,) on the absolute values in the stream."""
        return sum_above(product_above(np.abs(self.basis), np.maximum(self.hull.size, self.bos.size)), self.stray)

    def gamma(self, maps: np.ndarray, bias: np.ndarray) -> np.ndarray:
        """γ_k for each row of a map with its bias, where k counts the terms that are not 0; 0 for one power of two."""
        terms = np.count_nonzero(maps, axis=1) + (bias != 0)
        powers = (np.abs(np.frexp(maps)[0]) == 0.5) | (maps == 0)
        exact = (terms == 0) | ((terms == 1) & powers.all(axis=1))
        return self.rounding.gamma(np.where(exact, 0, terms))

    def need_small(self, *boxes: Boxes) -> None:
        """Unproved unless all these numbers are finite and far from overflow."""
        if not all((own.size < self.rounding.largest).all() for own in boxes):
            raise Unproved("a number may overflow, or is not finite")

    def line(self, reading: Reading, total: Sum) -> tuple[np.ndarray, Boxes]:
        """(a, b) such that the rows give a·(value of the sum) + b; the registers of the sum were named in `reading`."""
        offset, constant, slopes = reading.base, total.constant, []
        for register, factor in total.terms:
            part, labels = reading.parts[register], self.program.values[register].labels
            if labels is not None and len(labels) == 1:  # its share is known, whatever the slope
                offset, constant = offset + part[0], constant + factor * int(labels[0])
                continue
            if labels is None:
                slope, left = part.middle[0], Boxes(np.zeros_like(part.middle[0]), part.radius[0])
            else:
                x = np.array([float(label) for label in labels])
                slope = (part.middle[x.argmax()] - part.middle[x.argmin()]) / (x.max() - x.min())
                left = (part - Boxes.exact(x[:, None]).times(Boxes.exact(slope[:, None]))).hull()
            slopes.append((register, factor, slope))
            offset = offset + left
        a = slopes[0][2] / float(slopes[0][1]) if slopes else np.zeros_like(offset.middle)
        for register, factor, slope in slopes:
            largest = above(float(self.program.values[register].largest))
            share = a * float(factor)
            wrong = above(np.abs(slope - share), 2.0**-50 * np.abs(slope), 2.0**-50 * np.abs(share))
            offset = offset.widened(wrong * largest)
        known = float(constant)
        return a, (offset - Boxes.exact(a * known)).widened(above(np.abs(a * known) * 2.0**-50))

    def write(self, made: Mapping[Place, Written], bias: np.ndarray | None = None) -> None:
        """Add to the stream what parts of one block write, all at once, and a bias (D,), which their columns already contain."""
        shift = np.zeros(len(self.stray)) if bias is None else bias
        every = np.concatenate([own.map for own in made.values()], axis=1) if made else np.zeros((len(shift), 1))
        columns = [c for part in made for c in part.columns]
        before = self.stream()
        added, left = np.abs(shift), self.shifted(bias, columns)[1]
        for part, own in made.items():
            added = sum_above(added, product_above(np.abs(own.map), own.passing))
            left = sum_above(left, product_above(own.left, own.passing))
            self._hold(part, own)
        gamma = self.gamma(every, shift)
        both = np.where((before > 0) & (added > 0), self.rounding.unit * 2 * (before + added), 0.0)
        underflow = np.where(added > 0, self.rounding.least * 2 * every.shape[1], 0.0)
        self.stray = sum_above(self.stray, left, gamma * added, both, underflow)
        self.need_small(Boxes.exact(before), Boxes.exact(added), Boxes.exact(self.stray))

    def _hold(self, part: Place, own: Written) -> None:
        """Take what a part writes into the state: its register gains these columns."""
        columns = list(part.columns)
        for state, boxes in ((self.hull, own.boxes.hull()), (self.bos, own.bos)):
            state.middle[columns], state.radius[columns] = boxes.middle, boxes.radius
        self._gain(part, own.boxes, own.error)

    def _gain(self, part: Place, boxes: Boxes, error: float | None) -> None:
        """The register gains the columns of the part."""
        before = self.held.get(part.register)
        if before is None:
            self.held[part.register] = Held(part.columns, boxes, error)
        elif before.error is None:
            middle = np.concatenate([before.boxes.middle, boxes.middle], axis=1)
            radius = np.concatenate([before.boxes.radius, boxes.radius], axis=1)
            self.held[part.register] = Held(before.columns + part.columns, Boxes(middle, radius))
        else:
            raise Unproved("a mean can have only one code")


def hulls(boxes: Boxes, label: np.ndarray, labels: int) -> Boxes:
    """The smallest box around all rows of each label; a label that no row has, and that never occurs, gets the box around all."""
    low, high = np.full((labels, boxes.middle.shape[1]), np.inf), np.full((labels, boxes.middle.shape[1]), -np.inf)
    np.minimum.at(low, label, boxes.low)
    np.maximum.at(high, label, boxes.high)
    absent = np.bincount(label, minlength=labels) == 0
    low[absent], high[absent] = boxes.low.min(axis=0), boxes.high.max(axis=0)
    return Boxes.between(low, high)
