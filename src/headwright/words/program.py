"""Program: what people write. Every call adds a step, and gives the register that it fills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, final

from headwright.kernel import inputs
from headwright.kernel.shown import Shown
from headwright.theories.programs.meaning import Value, meaning
from headwright.theories.programs.steps import (
    FIRST,
    INDICES,
    MOST_COMBINATIONS,
    TOKENS,
    Atom,
    Label,
    Step,
    Sum,
    WrittenProgram,
    need_label,
)
from headwright.theories.programs.text import written
from headwright.words.program_registers import (
    Arithmetic,
    Expression,
    Register as Register,
    Selector,
    combinations,
    plain,
    said,
)


@final
class Program(Shown):
    """A program over words of 1 to `length` tokens: registers `tokens` and `indices`, and the steps that you add.

    `vocabulary` is a text of single letters, or a list of tokens. In a causal program no position sees a later one. Each step is
    a method, and returns the register that it fills: `count`, `mean`, `pick`, `last`, `length`, `sign`, `map`, and comparisons
    such as `a <= b`. The keys that a step reads are selected by `matches`, `below` and `among` of a register, by `at` and by
    `before`, and `&` joins selectors. `run` says what the program means.

    >>> p = Program("abcd", length=50)
    >>> histogram = p.count(p.tokens.matches(p.tokens))
    >>> p.run("abacad", histogram)
    [3, 1, 3, 1, 3, 1]
    """

    def __init__(self, vocabulary: Iterable[str], *, length: int, causal: bool = False) -> None:
        if not isinstance(vocabulary, Iterable):
            raise TypeError(f"`vocabulary` must be a text or a list of tokens, got {type(vocabulary).__name__}")
        self._written = WrittenProgram(tuple(vocabulary), length, causal, ())
        self._names = {TOKENS: "tokens", INDICES: "indices"}

    @classmethod
    def of(cls, written: WrittenProgram) -> Program:
        """The program that was written down with these steps."""
        made = cls(written.vocabulary, length=written.length, causal=written.causal)
        made._written = written
        return made

    @property
    def tokens(self) -> Register:
        """The register of tokens."""
        return Register(self, TOKENS)

    @property
    def indices(self) -> Register:
        """The register of indices 0, 1, …"""
        return Register(self, INDICES)

    def at(self, index: Register | Expression | int) -> Selector:
        """Select the key at this index."""
        return self.selecting(Atom("at", index=self.total(index, "index")))

    def before(self) -> Selector:
        """Select the keys that are not after me: my own position and all before it."""
        return self.selecting(Atom("before"))

    def count(self, keys: Selector | None = None) -> Register:
        """How many keys are selected (all by default)."""
        return self._add(Step("count", select=self.selector(keys)))

    def mean(self, keys: Selector | None, of: Register) -> Register:
        """The mean of `of` over the selected keys; undefined where there are none."""
        return self._add(Step("mean", (self.register(of, "of"),), self.selector(keys)))

    def pick(self, keys: Selector | None, of: Register, default: Label | None = None) -> Register:
        """The value of `of` at the selected keys, undefined where they differ; `default` where no key is selected."""
        return self._add(Step("pick", (self.register(of, "of"),), self.selector(keys), default=plain(default)))

    def last(self, keys: Selector | None, of: Register, default: Label | None = None) -> Register:
        """The value of `of` at the last selected key; `default` where no key is selected."""
        return self._add(Step("last", (self.register(of, "of"),), self.selector(keys), default=plain(default)))

    def length(self) -> Register:
        """The number of tokens in the word (full attention only)."""
        return self._add(Step("length"))

    def sign(self, of: Register | Expression) -> Register:
        """-1, 0 or 1."""
        return self._add(Step("sign", sum=self.total(of, "of")))

    def compare(self, difference: Expression, *, strict: bool) -> Register:
        """1 where the difference is at least 0 (or above 0, if strict), and 0 elsewhere: what `a >= b` and its like add."""
        return self._add(Step("compare", sum=difference.sum(), strict=strict))

    def map(self, function: Callable[..., Label] | Mapping[Any, Label], *of: Register) -> Register:
        """A table: the function, or the mapping, applied to the labels of these registers."""
        given = tuple(self.register(own, "of") for own in of)
        numbers = tuple(dict.fromkeys(given))  # a register that is given twice is one column of the table
        values = [self._written.values[number] for number in numbers]
        if not isinstance(function, Mapping) and not callable(function):
            raise TypeError(f"`function` must be a function or a mapping, got {type(function).__name__}")
        if not of or any(own.labels is None for own in values):
            raise ValueError("`map` must take one or more registers with labels, and a mean has none")
        size = 1
        for own in values:
            size *= len(own.labels or ())
        if size > MOST_COMBINATIONS:
            raise ValueError(f"`map` takes at most {MOST_COMBINATIONS} combinations of labels, got {size}")
        table = []
        for own_labels in combinations(values):
            known = dict(zip(numbers, own_labels, strict=True))
            labels = tuple(known[number] for number in given)
            said = labels if len(labels) > 1 else labels[0]
            if isinstance(function, Mapping):
                if said not in function:
                    raise ValueError(
                        f"`function` must have a value for each combination of labels, but has none for {said!r}"
                    )
                label = plain(function[said])
            else:
                label = plain(function(*labels))
            need_label(label, f"`function` must give, for {said!r},")
            table.append(label)
        return self._add(Step("map", numbers, table=tuple(table)))

    def run(self, word: Sequence[str], output: Register) -> list[Value]:
        """What the program means: the value of `output` at each position of `word`; `Undefined` where it has none."""
        return meaning(self._written, self.word(word), self.register(output, "output"))

    def word(self, word: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a word, given as a text of single letters or as a list."""
        if isinstance(word, str) and any(len(token) > 1 for token in self._written.vocabulary):
            raise TypeError("`word` must be a list of tokens, since some tokens of the vocabulary have several letters")
        if not isinstance(word, Sequence):
            raise TypeError(f"`word` must be a text or a list of tokens, got {type(word).__name__}")
        return tuple(word)

    def written(self) -> WrittenProgram:
        """The program as it stands, with its steps numbered."""
        return self._written

    def name(self, register: int) -> str:
        """A name for a register: the one that it was given, or its step and its number."""
        return self._names.get(register) or self._written.name(register)

    def named(self, register: Register, name: str) -> Register:
        """Call the register by this name in messages; a register that has a name keeps it."""
        self._names.setdefault(self.register(register, "register"), name)
        return register

    def register(self, given: Any, name: str) -> int:
        """The number of a register of this program; an error that names the argument for anything else."""
        if not isinstance(given, Register):
            raise TypeError(f"`{name}` must be a register of the program, got {type(given).__name__}")
        if given.program is not self:
            raise ValueError(f"`{name}` must be a register of this program, got one of another program")
        return given.number

    def selector(self, given: Selector | None) -> tuple[Atom, ...]:
        """The conditions of a selector of this program."""
        if given is None:
            return ()
        if not isinstance(given, Selector):
            raise TypeError(f"`keys` must be a selector such as `p.before()`, got {type(given).__name__}")
        if given.program is not self:
            raise ValueError("`keys` must be a selector of this program, got one of another program")
        return given.atoms

    def selecting(self, atom: Atom) -> Selector:
        """The selector of one condition; an error if it cannot be read."""
        self._written.check(atom, self._written.values)
        return Selector(self, (atom,))

    def total(self, given: Any, name: str) -> Sum:
        """The sum that a register, an expression or a number stands for."""
        if isinstance(given, Arithmetic):
            if given.program is not self:
                raise ValueError(f"`{name}` must be made of registers of this program, got one of another program")
            return given.sum()
        return Sum((), inputs.rational(given, name=name))

    def _add(self, step: Step) -> Register:
        own = self._written
        self._written = WrittenProgram(own.vocabulary, own.length, own.causal, (*own.steps, step))
        return Register(self, FIRST + len(own.steps))

    def table(self) -> dict[str, list[Any]]:
        """One row for each register, for pandas or polars: its name, the registers that it reads, and its values."""
        own = self._written
        reads = [[], [], *([*map(own.name, sorted(step.reads()))] for step in own.steps)]
        return {
            "register": [own.name(register) for register in range(len(own.values))],
            "reads": [", ".join(names) for names in reads],
            "values": [said(values) for values in own.values],
        }

    def to_dict(self) -> dict[str, Any]:
        """The program as plain values for JSON, as certificates store it."""
        return written(self._written)

    def __repr__(self) -> str:
        own = self._written
        steps, tokens = (
            f"{n} {what}{'s' * (n != 1)}" for n, what in ((len(own.steps), "step"), (len(own.vocabulary), "token"))
        )
        attention = "causal" if own.causal else "full"
        return f"Program: {steps} over {tokens}, words of up to {own.length}, {attention} attention"
