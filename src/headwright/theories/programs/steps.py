"""WrittenProgram: a program over the positions of a word, as numbered steps that can be stored, and the values of each step.

Register 0 holds the tokens, register 1 the indices 0, 1, …, and step k of `steps` fills register k + 2. A register holds one
value for each position: one of finitely many labels (text or whole numbers), or any number between two bounds (means). What a
step does with the registers before it is defined in `meaning.py`. People write programs with `Program`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from headwright.kernel import budget, inputs
from headwright.kernel.frozen import computed_once
from headwright.theories.programs.values import (
    Label as Label,
    Values as Values,
    labelled,
    need_fields,
    need_label as need_label,
)

TOKENS, INDICES, FIRST = 0, 1, 2
FIELDS = {
    "count": ("select",),
    "mean": ("of", "select"),
    "pick": ("of", "select", "default"),
    "last": ("of", "select", "default"),
    "length": (),
    "compare": ("sum", "strict"),
    "sign": ("sum",),
    "map": ("of", "table"),
}
ATTENDING = ("count", "mean", "pick", "last", "length")  # the others work position by position
SELECTORS = {
    "matches": ("key", "mine"),
    "below": ("key", "mine"),
    "among": ("key", "chosen"),
    "at": ("index",),
    "before": (),
}
_A_STEP = 10_000  # units for checking one step: ten microseconds
MOST_COMBINATIONS = 10**6  # entries of a table: a second's work, and some megabytes


@final
@dataclass(frozen=True)
class Sum:
    """`constant` and a multiple of each register of `terms`."""

    terms: tuple[tuple[int, Fraction], ...]
    constant: Fraction = Fraction(0)


@final
@dataclass(frozen=True)
class Atom:
    """One condition on a key: its `key` equals or is below my `mine`, or is `chosen`, or its index is `index` or at most mine."""

    kind: str
    key: int | None = None
    mine: int | None = None
    chosen: tuple[Label, ...] | None = None
    index: Sum | None = None


@final
@dataclass(frozen=True)
class Step:
    """One step of a program; which fields it has depends on its kind. An empty `select` selects every key."""

    kind: str
    of: tuple[int, ...] = ()
    select: tuple[Atom, ...] = ()
    sum: Sum | None = None
    strict: bool = False
    table: tuple[Label, ...] | None = None
    default: Label | None = None

    def reads(self) -> set[int]:
        """The registers that the step reads."""
        known = set(self.of)
        for atom in self.select:
            known |= {k for k in (atom.key, atom.mine) if k is not None}
        sums = (self.sum, *(atom.index for atom in self.select))
        known |= {k for total in sums if total is not None for k, _ in total.terms}
        by_index = self.kind in ("last", "length") or any(atom.kind in ("at", "before") for atom in self.select)
        return known | ({INDICES} if by_index else set())


@final
@dataclass(frozen=True)
class WrittenProgram:
    """A program: words of 1 to `length` tokens of `vocabulary`; in a causal one no position sees a later one.

    >>> steps = (Step("count", select=(Atom("matches", key=0, mine=0),)),)
    >>> WrittenProgram(("a", "b"), 3, False, steps).values[2].labels
    (1, 2, 3)
    """

    vocabulary: tuple[str, ...]
    length: int
    causal: bool
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if not self.vocabulary or any(type(token) is not str or not token for token in self.vocabulary):
            raise ValueError("`vocabulary` must hold one or more tokens, and each must be a text that is not empty")
        if len(set(self.vocabulary)) < len(self.vocabulary):
            twice = next(token for k, token in enumerate(self.vocabulary) if token in self.vocabulary[:k])
            raise ValueError(f"`vocabulary` must name each token once, but {twice!r} occurs twice")
        object.__setattr__(self, "length", inputs.count(self.length, name="length", least=1))
        if not isinstance(self.causal, bool):
            raise TypeError(f"`causal` must be True or False, got {self.causal!r}")
        assert len(self.values) == FIRST + len(self.steps)  # computing them checks every step

    @computed_once
    def values(self) -> tuple[Values, ...]:
        """What each register can hold; ValueError where a step cannot be read."""
        budget.spend(_A_STEP * len(self.steps))
        budget.hold(1000 * self.length * (FIRST + len(self.steps)))  # indices and counts have a label for each index
        known = [labelled(self.vocabulary), labelled(tuple(range(self.length)))]
        for step in self.steps:
            known.append(self._values(step, known))
        return tuple(known)

    def name(self, register: int) -> str:
        """A name for a register: its step and its number."""
        return {TOKENS: "tokens", INDICES: "indices"}.get(register) or f"{self.step(register).kind}#{register}"

    def step(self, register: int) -> Step:
        """The step that fills the register, which is neither tokens nor indices."""
        return self.steps[register - FIRST]

    def needed(self, output: int) -> tuple[int, ...]:
        """The registers that must be filled for this one, itself included, in order."""
        if not 0 <= output < len(self.values):
            raise ValueError(f"`output` must be a register of the program, got number {output} of {len(self.values)}")
        wanted = {output}
        for register in range(output, FIRST - 1, -1):
            if register in wanted:
                wanted |= self.step(register).reads()
        return tuple(sorted(wanted))

    def selects(self, atom: Atom, key: Label, mine: Label | None = None) -> bool:
        """Whether a key with this label is selected by a position with that label ("matches", "below", "among")."""
        if atom.kind == "among":
            return atom.chosen is not None and key in atom.chosen
        assert mine is not None
        return key == mine if atom.kind == "matches" else self._rank(key) < self._rank(mine)

    def _rank(self, label: Label) -> int:
        """The place of a label in the order that "below" means: numbers by size, tokens as the vocabulary lists them."""
        return label if isinstance(label, int) else self._places[label]

    @computed_once
    def _places(self) -> dict[str, int]:
        return {token: place for place, token in enumerate(self.vocabulary)}

    def bounds(self, total: Sum) -> tuple[Fraction, Fraction]:
        """Bounds on the value of a sum."""
        low = high = total.constant
        for register, factor in total.terms:
            ends = [factor * end for end in self.values[register].ends]
            low += min(ends)
            high += max(ends)
        return low, high

    def gap(self, total: Sum) -> Fraction | None:
        """A number that the size of the sum reaches whenever it is not 0, or None if none is known."""
        whole = math.lcm(total.constant.denominator, *(factor.denominator for _, factor in total.terms))
        pieces = [self.values[register].pieces for register, _ in total.terms]
        if any(own is None for own in pieces):
            return None
        return Fraction(
            1, whole * self.length ** len(frozenset[Any]().union(*(own for own in pieces if own is not None)))
        )

    def _values(self, step: Step, known: list[Values]) -> Values:
        """What the step's register can hold, given the registers before it."""
        need_fields(step, Step(step.kind), FIELDS, "a step")
        for register in step.reads():
            if type(register) is not int or not 0 <= register < len(known):
                raise ValueError(f"step {len(known)} ({step.kind}) reads register {register!r}, which is not before it")
        for atom in step.select:
            self.check(atom, known)
        if step.default is not None:
            need_label(step.default, "`default` must be")
        if step.kind in ("compare", "sign"):
            return self._compared(step, known)
        if step.kind == "map":
            return _mapped(step, known)
        if step.kind == "length":
            if self.causal:
                raise ValueError("`length` needs full attention: in a causal program no position sees the last token")
            return labelled(tuple(range(1, self.length + 1)))
        if step.kind == "count":
            return labelled(tuple(range(1 if all(map(_holds_for_itself, step.select)) else 0, self.length + 1)))
        if len(step.of) != 1:
            raise ValueError(f"`{step.kind}` must take one register, got {len(step.of)}")
        own = known[step.of[0]]
        if step.kind == "mean":
            if not own.numeric:
                raise ValueError(f"`of` must be a register of numbers for a mean, but {self.name(step.of[0])} is text")
            pieces = frozenset([step.select]) if own.labels is not None else None
            return Values(None, own.low, own.high, pieces)
        if own.labels is None:
            if step.default is not None:
                raise ValueError(f"`default` must be left out if `of` is a mean, got {step.default!r}")
            return Values(None, own.low, own.high, None if own.pieces is None else frozenset([len(known)]))
        return own if step.default is None or step.default in own.labels else labelled((*own.labels, step.default))

    def check(self, atom: Atom, known: Sequence[Values]) -> None:
        """ValueError unless the condition can be read, given what the registers before it can hold."""
        need_fields(atom, Atom(atom.kind), SELECTORS, "a selector")
        if atom.kind == "at":
            assert atom.index is not None
            _need_sum(atom.index)
            for register, factor in (*atom.index.terms, (INDICES, atom.index.constant)):
                if factor.denominator != 1:
                    raise ValueError(f"`at` must be given whole numbers, but its index has a part of {factor}")
                if known[register].labels is None or not known[register].numeric:
                    what = "a mean" if known[register].numeric else "text"
                    raise ValueError(f"`at` must be given whole numbers, but {self.name(register)} holds {what}")
        elif atom.kind != "before":
            own = [k for k in (atom.key, atom.mine) if k is not None]
            means = [self.name(k) for k in own if known[k].labels is None]
            if means:
                raise ValueError(f"`{atom.kind}` must compare registers with labels, but {means[0]} is a mean")
            every = {label for k in own for label in known[k].labels or ()}
            ordered = every <= set(self.vocabulary) or not any(isinstance(label, str) for label in every)
            if atom.kind == "below" and not ordered:
                raise ValueError("`below` must compare numbers with numbers or tokens with tokens")
            for label in atom.chosen or ():
                need_label(label, "`chosen` must hold")
                if label not in every:
                    raise ValueError(f"`chosen` must be labels of {self.name(own[0])}, got {label!r}")

    def _compared(self, step: Step, known: list[Values]) -> Values:
        assert step.sum is not None
        _need_sum(step.sum)
        if not step.sum.terms:
            raise ValueError(f"`{step.kind}` must depend on a register, but its registers cancel or it names none")
        if any(not known[register].numeric for register, _ in step.sum.terms):
            raise ValueError(f"`{step.kind}` must be of registers of numbers")
        if any(known[register].pieces is None for register, _ in step.sum.terms):
            raise ValueError(
                f"`{step.kind}` cannot take a mean of means: its values may lie arbitrarily close together"
            )
        return labelled((-1, 0, 1) if step.kind == "sign" else (False, True))


def _need_sum(total: Sum) -> None:
    """ValueError unless the sum names each register once, with factors whose quotients float64 holds to its precision."""
    if len({register for register, _ in total.terms}) < len(total.terms):
        raise ValueError("`sum` must name each register once")
    for number in (total.constant, *(factor for _, factor in total.terms)):
        if type(number) is not Fraction or max(abs(number.numerator), number.denominator) > 2**53:
            raise ValueError(f"`sum` must be made of fractions of whole numbers up to 2^53, got {number!r}")
    if not all(factor for _, factor in total.terms):
        raise ValueError("`sum` must have factors other than 0")


def _holds_for_itself(atom: Atom) -> bool:
    """Whether every position meets the condition as its own key, so that at least one key is counted."""
    matching = atom.kind == "matches" and atom.key == atom.mine
    return matching or atom.kind == "before" or atom == Atom("at", index=Sum(((INDICES, Fraction(1)),)))


def _mapped(step: Step, known: list[Values]) -> Values:
    sizes = [len(labels) for labels in (known[register].labels for register in step.of) if labels is not None]
    if len(set(step.of)) < len(step.of):  # the walk takes the labels of different entries to be independent
        raise ValueError("`map` must name each register once")
    if not step.of or len(sizes) < len(step.of):
        raise ValueError("`map` must take one or more registers with labels")
    combinations = math.prod(sizes)
    if combinations > MOST_COMBINATIONS:
        raise ValueError(f"`map` takes at most {MOST_COMBINATIONS} combinations of labels, got {combinations}")
    if step.table is None or len(step.table) != combinations:
        raise ValueError(f"`map` must have a value for each of {combinations} combinations of labels")
    budget.spend(100 * combinations)
    for label in step.table:
        need_label(label, "`table` must hold")
    labels = tuple(dict.fromkeys(step.table))
    return labelled(labels if any(type(label) is str for label in labels) else tuple(sorted(labels)))
