"""Attempt: all weights of a planned model, step by step. Every scale is the least for which its step is proved."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import final

import numpy as np

from headwright.search.compile.draft import Draft
from headwright.search.compile.head_weights import HeadShape, shape_of, write_weights
from headwright.search.compile.plan import Plan, Written, place_of
from headwright.search.compile.unit_weights import Inseparable, unit_count, write_units
from headwright.theories.programs import walk as program_walk
from headwright.theories.programs.heads import attend
from headwright.theories.programs.runs_program import RunsProgram, begin, block_writes, one_part
from headwright.theories.programs.steps import INDICES, TOKENS
from headwright.theories.programs.walk import Place, Unproved, Walk

_STRONGEST = 2.0**20  # no head needs more: beyond it rounding of the scores grows faster than the gap
_CLOSE = 1.01  # a scale is the least to within one per cent


class Failed(Exception):  # noqa: N818 - a state of the search
    """A step could not be proved: its register, and the least error found against the one that was needed.

    `itself` says that the register is to blame, and not what it reads.
    """

    def __init__(self, register: int, error: float, needed: float, *, itself: bool = False) -> None:
        self.register, self.error, self.needed, self.itself = register, error, needed, itself


@final
class Attempt:
    """One attempt at all weights of a plan, for given tolerances; `strengths` remembers what earlier attempts found."""

    def __init__(
        self,
        plan: Plan,
        error: Fraction,
        dtype: str,
        basis: np.ndarray | None,
        tolerance: dict[int, float],
        strengths: dict[object, float],
    ) -> None:
        self.strengths = strengths
        self.plan, self.error, self.dtype, self.tolerance = plan, error, dtype, tolerance
        self.draft = Draft(dtype, basis)
        self.places: dict[int, Place] = {}  # by position in plan.written
        self.shapes: dict[int, HeadShape] = {}
        self._lay_out()
        self._tables()
        self.walk: Walk = begin(plan.program, tuple(self.places.values()), self._stored_tables(), dtype)

    def _lay_out(self) -> None:
        """Number heads and units block by block, and make room for their weights."""
        plan, arrays = self.plan, self.draft.arrays
        for number, own in enumerate(plan.written):
            if own.slot < 0:
                self.places[number] = place_of(own, None, None, ())
        for block in range(plan.blocks):
            heads = [number for number, own in enumerate(plan.written) if own.slot == 2 * block]
            units = [number for number, own in enumerate(plan.written) if own.slot == 2 * block + 1]
            for place, number in enumerate(heads):
                own = plan.written[number]
                self.shapes[number] = shape_of(plan, own)
                self.places[number] = place_of(own, place, None, self.shapes[number].rows)
            h, w = max(len(heads), 1), plan.width
            r = max([1, *(self.shapes[k].rank for k in heads)])
            v = max([1, *(self.shapes[k].values for k in heads)])
            sizes: dict[str, tuple[int, ...]] = {
                "query": (h, r, w),
                "key": (h, r, w),
                "value": (h, v, w),
                "output": (h, w, v),
            }
            sizes |= {"query_bias": (h, r), "key_bias": (h, r), "value_bias": (h, v)}
            first = 0
            for number in units:
                final = first + unit_count(plan, plan.written[number])
                self.places[number] = place_of(plan.written[number], None, (first, final), ())
                first = final
            if units:
                sizes |= {"inner": (first, w), "inner_bias": (first,), "outer": (w, first), "outer_bias": (w,)}
            arrays |= {f"{block}.{name}": np.zeros(size) for name, size in sizes.items()}

    def _tables(self) -> None:
        plan, program, arrays = self.plan, self.plan.program, self.draft.arrays
        tokens, positions = (
            np.zeros((len(program.vocabulary) + 1, plan.width)),
            np.zeros((program.length + 1, plan.width)),
        )
        tokens[0, plan.flag] = 1.0
        for own in plan.written:
            if own.slot < 0:
                source, values = plan.tables[own.register]
                table = tokens if source == TOKENS else positions
                for code in own.codes:
                    columns = own.columns[code]
                    if isinstance(code, tuple):
                        table[1:, columns[0]] = [self._limit(code, i) for i in range(program.length)]
                    elif code == "square":
                        table[:, columns[0]] = np.arange(-1.0, program.length) ** 2
                    else:
                        labels = plan.labels(own.register)
                        table[1:, columns] = plan.targets(own.register, code)[[labels.index(value) for value in values]]
                        if own.register == INDICES and code == "number":
                            table[0, columns] = -1.0  # BOS comes before index 0
        arrays["tokens"] = tokens
        if positions.any():
            arrays["positions"] = positions

    def _limit(self, code: tuple[str, Fraction, Fraction], i: int) -> float:
        """C/(C + m) for the limit m that belongs to index i, C = N."""
        name, a, b = code
        m = a * i + b
        whole = m.numerator // m.denominator if name == "floor" else -(-m.numerator // m.denominator) - 1
        n = self.plan.program.length
        return float(Fraction(n) / (n + max(Fraction(whole), Fraction(-1)) + Fraction(1, 2)))

    def _stored_tables(self) -> dict[str, np.ndarray]:
        stored = {name: self.draft.stored(name) for name in ("tokens", "positions") if name in self.draft.arrays}
        return stored | ({} if self.draft.basis is None else {"basis": self.draft.basis})

    def claim(self) -> RunsProgram:
        """All weights, step by step, and the claim about them; Failed where a step cannot be proved."""
        plan, walk = self.plan, self.walk
        with np.errstate(all="ignore"):
            for block in range(plan.blocks):
                for number, own in enumerate(plan.written):
                    if own.slot == 2 * block:
                        self._head(number, own)
                walk.write(*block_writes(walk, self.draft.block(block), block, heads=True))
                for number, own in enumerate(plan.written):
                    if own.slot == 2 * block + 1:
                        try:
                            write_units(plan, self.draft, walk, own, self.places[number])
                        except Inseparable:
                            raise Failed(
                                own.register, np.inf, self.tolerance[own.register], itself=own.source is not None
                            ) from None
                walk.write(*block_writes(walk, self.draft.block(block), block, heads=False))
        self._unembedding()
        weights = {name: self.draft.stored(name) for name in self.draft.arrays}
        if plan.holds_vectors(plan.output):
            weights["codes"] = plan.targets(plan.output, "onehot")
        claim = RunsProgram(
            plan.program, plan.output, self.dtype, self.error, tuple(self.places.values()),
            weights | ({} if self.draft.basis is None else {"basis": self.draft.basis}),
        )  # fmt: skip
        try:
            bound = float(claim.proved_error())
        except Unproved:
            bound = np.inf
        if not bound <= self.error:
            raise Failed(plan.output, bound, float(self.error), itself=True)
        return claim

    def _unembedding(self) -> None:
        plan = self.plan
        code = "number" if plan.program.values[plan.output].numeric else "onehot"
        columns = plan.columns(plan.output, code)
        rows = np.zeros((len(columns), plan.width))
        rows[range(len(columns)), columns] = 1.0
        self.draft.arrays["unembedding"] = rows

    def _head(self, number: int, own: Written) -> None:
        """The least strength for which the head's register is within its tolerance."""
        place, needed = self.places[number], self.tolerance[own.register]
        best = np.inf

        def works(strength: float) -> bool:
            nonlocal best
            self._fill(number, own, strength)
            try:
                error = self._error(own, one_part(self.walk, self.draft.block(place.block), place))
            except Unproved:
                return False
            best = min(best, error) if np.isfinite(error) else best
            return bool(error <= needed)

        # The same head has been found before if it and all that it reads had the same tolerances.
        known = own.register, tuple(self.tolerance[register] for register in self.plan.program.needed(own.register))
        if known not in self.strengths:
            self.strengths[known] = self._least(works, own, lambda: best)
        if not works(self.strengths[known]):
            raise Failed(own.register, best, needed)
        if self.shapes[number].extra > 1:
            self._guard(number, own, self.strengths[known])

    def _least(self, works: Callable[[float], bool], own: Written, best: Callable[[], float]) -> float:
        """The least strength that works, to within one per cent; Failed if none does."""
        high = 1.0
        while not works(high):
            high *= 1.5
            if high > _STRONGEST:
                raise Failed(own.register, best(), self.tolerance[own.register])
        low = high / 1.5
        while high / low > _CLOSE:
            middle = (low * high) ** 0.5
            low, high = (low, middle) if works(middle) else (middle, high)
        return high

    def _guard(self, number: int, own: Written, strength: float) -> None:
        """The least score, to within a half, for which BOS attends to itself as closely as the register needs."""
        place, needed = self.places[number], self.tolerance[own.register]
        guard = strength
        while guard <= _STRONGEST:
            self._fill(number, own, strength, guard)
            block = self.draft.block(place.block)
            if attend(self.walk, block, place, self.plan.program.step(own.register)).at_bos <= needed:
                return
            guard *= 1.5
        raise Failed(own.register, np.inf, needed)

    def _fill(self, number: int, own: Written, strength: float, guard: float = 0.0) -> None:
        place = self.places[number]
        assert place.head is not None
        numbers = float(self.draft.number(strength)), float(self.draft.number(guard))
        shape = self.shapes[number]
        write_weights(self.plan, self.draft, self.walk, own, place.block, place.head, shape, *numbers)

    def _error(self, own: Written, made: program_walk.Written) -> float:
        """How far the register is from its codes: numbers and codes in their own units, counts in counts."""
        if made.error is not None:
            return made.error
        if own.codes == ("raw",):
            middle = made.boxes.middle[:, 0]
            gaps = np.abs(np.diff(middle))
            room = np.minimum(np.append(gaps, np.inf), np.insert(gaps, 0, np.inf))
            return float((made.boxes.radius[:, 0] / room).max())
        targets = np.concatenate([self.plan.targets(own.register, code) for code in own.codes], axis=1)
        return float(made.boxes.distance(targets).max())
