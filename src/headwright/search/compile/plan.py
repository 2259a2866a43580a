"""Plan: which codes every register needs, in which half of which block each is written, and in which columns.

A register can be held in several codes: "onehot" (one column per label), "number" (the value itself), "raw" (what a count leaves
behind: the weight of BOS, C/(C + w)), and for selectors "sharp", a one-hot code without the leak of the head that wrote it.
With the user's own token vectors, "onehot" and "sharp" of the tokens, and of what is picked from them, hold these vectors.
Registers that depend on the token or on the index alone come from the tables. The indices have further codes there: "square",
and limits C/(C + m) that raw counts are compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, final

import numpy as np

from headwright.search.compile.own_tokens import codes_of_labels
from headwright.theories.programs.meaning import tabulated
from headwright.theories.programs.steps import ATTENDING, FIRST, INDICES, TOKENS, Atom, Label, Step, WrittenProgram
from headwright.theories.programs.walk import Place

# ("floor", a, b) or ("ceil", a, b): for index i the limit just above the whole part of a·i + b, or just below it rounded up.
Limit = tuple[str, Fraction, Fraction]


class Need(NamedTuple):
    """A register, and the code of it that is read."""

    register: int
    code: str | Limit


@final
@dataclass(eq=False)
class Written:
    """One place of the layout: its codes, in the order of its columns, and its slot (2·block, or 2·block + 1 for units)."""

    register: int
    codes: tuple[str | Limit, ...]
    slot: int
    columns: dict[str | Limit, list[int]] = field(default_factory=dict)
    source: Written | None = None  # for another code of a register: where it is read from

    @property
    def block(self) -> int:
        return self.slot // 2


@final
class Plan:
    """The plan for one program; `vectors` (V, d) are the user's own tokens, or None for one-hot tokens."""

    def __init__(self, program: WrittenProgram, output: int, vectors: np.ndarray | None = None) -> None:
        self.program, self.output, self.vectors = program, output, vectors
        self.tables = {own: known for own in program.needed(output) if (known := tabulated(program, own)) is not None}
        if vectors is not None:  # the rows of the user's tokens hold nothing else
            self.tables = {own: known for own, known in self.tables.items() if own == TOKENS or known[0] == INDICES}
        self.found: dict[object, Any] = {}  # maps and directions for the user's tokens, found once
        self.needs: dict[int, dict[str | Limit, None]] = {}
        self._require()
        self.written: list[Written] = []
        self.at: dict[Need, Written] = {}
        for register in program.needed(output):
            if self.needs.get(register):
                self._place(register)
        self.flag = 0  # the column that is 1 at BOS
        self.width = 1
        for own in self.written:
            for code in own.codes:
                size = self.size(own.register, code)
                own.columns[code] = list(range(self.width, self.width + size))
                self.width += size
        self.blocks = max([1, *(own.block + 1 for own in self.written)])
        attended = {need.register for own in self.heads for need in self.reads(own.register)}
        self.read_later = {own for register in attended for own in program.needed(register)}

    @property
    def heads(self) -> list[Written]:
        """What heads write."""
        return [own for own in self.written if own.slot >= 0 and own.slot % 2 == 0]

    def guarded(self, own: Written) -> bool:
        """Whether BOS must attend to itself in a head, because a later head reads what depends on its register at BOS."""
        return not self.program.causal and own.register in self.read_later

    def size(self, register: int, code: str | Limit) -> int:
        """How many columns a code has."""
        if self.holds_vectors(register) and self.vectors is not None:
            return int(self.vectors.shape[1])
        return len(self.labels(register)) if code in ("onehot", "sharp") else 1

    def labels(self, register: int) -> tuple[Label, ...]:
        labels = self.program.values[register].labels
        assert labels is not None
        return labels

    def columns(self, register: int, code: str | Limit) -> list[int]:
        return self.at[Need(register, code)].columns[code]

    def targets(self, register: int, code: str | Limit) -> np.ndarray:
        """What a code should hold for each label: (labels, columns)."""
        labels = self.labels(register)
        if self.vectors is not None and self.holds_vectors(register):
            return codes_of_labels(self.vectors, labels, self.program.vocabulary)
        if code in ("onehot", "sharp"):
            return np.eye(len(labels))
        return np.array([[float(label)] for label in labels])

    def holds_vectors(self, register: int) -> bool:
        """Whether a register holds the user's token vectors: the tokens, and what is picked from them."""
        if register < FIRST or self.vectors is None:
            return self.vectors is not None and register == TOKENS
        step = self.program.step(register)
        return step.kind in ("pick", "last") and self.holds_vectors(step.of[0])

    def selecting(self, register: int) -> str:
        """The code that a condition on labels reads."""
        values = self.program.values[register]
        if register not in self.tables and values.numeric and len(self.labels(register)) <= 2:
            return "number"
        exact = register in self.tables or self.program.step(register).kind in ("map", "compare", "sign")
        return "onehot" if exact else "sharp"

    def reads(self, register: int) -> Iterator[Need]:
        """The codes that the step of a register reads; those of the value of "pick" and "last" are added when they are known."""
        step = self.program.step(register)
        for atom in step.select:
            yield from self._atom_reads(atom)
        if step.kind in ("last", "length"):
            yield Need(INDICES, "number")
        if step.kind == "mean":
            yield Need(step.of[0], "number")
        if step.kind in ("pick", "last"):
            for code in self.native(register):
                yield Need(step.of[0], code)
        if step.kind == "map":
            for own in step.of:
                yield Need(own, self.mapping(own))
        if step.kind in ("compare", "sign"):
            yield from self.comparing(step)

    def _atom_reads(self, atom: Atom) -> Iterator[Need]:
        if atom.kind == "at":
            assert atom.index is not None
            yield from (Need(own, "number") for own, _ in atom.index.terms)
            yield from (Need(INDICES, code) for code in ("number", "square"))
        elif atom.kind == "before" and not self.program.causal:
            yield Need(INDICES, "onehot")
        else:
            yield from (Need(own, self.selecting(own)) for own in (atom.key, atom.mine) if own is not None)

    def mapping(self, register: int) -> str:
        """The code that a table reads."""
        return "number" if self.program.values[register].numeric and register != TOKENS else "onehot"

    def native(self, register: int) -> tuple[str | Limit, ...]:
        """The codes that the register's own step writes."""
        kind = self.program.step(register).kind
        needed = self.needs.get(register, {})
        if kind in ("pick", "last"):
            wanted = ["onehot" if code == "sharp" else code for code in needed]
            return tuple(dict.fromkeys(wanted))
        if kind == "map":
            return tuple(needed)
        return ("raw",) if kind == "count" else ("number",)

    def comparing(self, step: Step) -> tuple[Need, ...]:
        """The codes that a comparison reads: raw counts beside an index or beside each other, numbers otherwise."""
        assert step.sum is not None
        terms = [(own, factor) for own, factor in step.sum.terms]
        counts = [(own, f) for own, f in terms if own >= FIRST and self.program.step(own).kind == "count"]
        others = [(own, f) for own, f in terms if (own, f) not in counts]
        if step.kind == "compare" and len(counts) == 1 and all(own == INDICES for own, _ in others):
            (count, factor), rest = counts[0], sum((f for _, f in others), Fraction(0))
            above = (factor < 0) != step.strict  # whether the limit itself is still counted on the lower side
            limit = ("floor" if above else "ceil", -rest / factor, -step.sum.constant / factor)
            return (Need(count, "raw"), *([Need(INDICES, limit)] if others else []))
        if len(counts) == 2 and not others and counts[0][1] == -counts[1][1] and step.sum.constant == 0:
            return tuple(Need(own, "raw") for own, _ in counts)
        return tuple(Need(own, "number") for own, _ in terms)

    def _require(self) -> None:
        values = self.program.values[self.output]
        final = "number" if values.numeric else "onehot"
        self.needs[self.output] = {final: None}
        for register in reversed(self.program.needed(self.output)):
            if register not in self.tables and self.needs.get(register):
                for need in self.reads(register):
                    self.needs.setdefault(need.register, {})[need.code] = None

    def _place(self, register: int) -> None:
        """Place a register in the first slot that comes after everything it reads, then its further codes."""
        if register in self.tables:
            self._add(register, tuple(self.needs[register]), -2)
            return
        step = self.program.step(register)
        before = max([-1, *(self.at[need].slot for need in self.reads(register))])
        own = self._add(register, self.native(register), _next(before, heads=step.kind in ATTENDING))
        for code in self.needs[register]:
            if code not in own.codes:
                self._add(register, (code,), _next(own.slot, heads=False), own)

    def _add(self, register: int, codes: tuple[str | Limit, ...], slot: int, source: Written | None = None) -> Written:
        own = Written(register, codes, slot, source=source)
        self.written.append(own)
        for code in codes:
            self.at[Need(register, code)] = own
        return own

    def chain(self) -> list[list[int]]:
        """The registers of a longest chain, each waiting for the one before it, block by block."""
        chain: list[list[int]] = [[] for _ in range(self.blocks)]
        wanted = max(self.written, key=lambda own: own.slot)
        while wanted.slot >= 0:
            if wanted.register not in chain[wanted.block]:
                chain[wanted.block].insert(0, wanted.register)
            if wanted.source is not None:
                wanted = wanted.source
                continue
            read = [self.at[need] for need in self.reads(wanted.register)]
            wanted = max(read, key=lambda own: own.slot, default=Written(0, (), -2))
        return chain


def _next(slot: int, *, heads: bool) -> int:
    """The first slot after this one that is for heads, or for hidden units."""
    after = max(slot + 1, 0)
    return after if (after % 2 == 0) == heads else after + 1


def place_of(own: Written, head: int | None, units: tuple[int, int] | None, rows: tuple[int, ...]) -> Place:
    """The entry of the layout."""
    columns = tuple(c for code in own.codes for c in own.columns[code])
    return Place(own.register, columns, own.block if own.slot >= 0 else -1, head, units, rows)
