"""Program: what people write. Every call adds a step, and gives the register that it fills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, final

from headwright import inputs
from headwright.program_meaning import Value, meaning
from headwright.program_steps import (
    FIRST,
    INDICES,
    MOST_COMBINATIONS,
    TOKENS,
    Atom,
    Label,
    Step,
    Sum,
    Values,
    WrittenProgram,
    combinations,
)


class _Arithmetic:
    """Sums, differences and multiples of registers of numbers, and comparisons between them."""

    program: Program

    def sum(self) -> Sum:
        raise NotImplementedError

    def __add__(self, other: Any) -> Expression:
        return _combined(self, other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Expression:
        return _combined(self, other, -1)

    def __rsub__(self, other: Any) -> Expression:
        return _combined(-1 * self, other, 1)

    def __mul__(self, factor: Any) -> Expression:
        by = inputs.rational(factor, name="factor")
        own = self.sum()
        terms = tuple((register, by * own_factor) for register, own_factor in own.terms) if by else ()
        return Expression(self.program, Sum(terms, by * own.constant))

    __rmul__ = __mul__

    def __neg__(self) -> Expression:
        return -1 * self

    def __le__(self, other: Any) -> Register:
        return self.program._compare(_combined(-1 * self, other, 1), strict=False)

    def __ge__(self, other: Any) -> Register:
        return self.program._compare(_combined(self, other, -1), strict=False)

    def __lt__(self, other: Any) -> Register:
        return self.program._compare(_combined(-1 * self, other, 1), strict=True)

    def __gt__(self, other: Any) -> Register:
        return self.program._compare(_combined(self, other, -1), strict=True)

    def __bool__(self) -> bool:
        raise TypeError(
            "a register has no truth value: it holds one value for each position. Write `(a <= b)`, not `a <= b <= c`"
        )


@final
class Expression(_Arithmetic):
    """A sum of multiples of registers, for `at`, `sign` and comparisons.

    >>> p = Program("ab", length=4)
    >>> p.length() - 1 - p.indices
    Expression: -1 + 1·length#2 - 1·indices
    """

    def __init__(self, program: Program, total: Sum) -> None:
        self.program, self._sum = program, total

    def sum(self) -> Sum:
        return self._sum

    def __repr__(self) -> str:
        terms = [f"{'-' if f < 0 else '+'} {abs(f)}·{self.program.name(r)}" for r, f in self._sum.terms]
        return f"Expression: {' '.join([str(self._sum.constant), *terms])}"


@final
class Register(_Arithmetic):
    """One value for each position of a word: `.labels` lists them, None for numbers of any size.

    >>> p = Program("ab", length=4)
    >>> p.tokens.labels, p.count(p.tokens.among("a"))
    (('a', 'b'), Register count#2: whole numbers 0 to 4)
    """

    def __init__(self, program: Program, number: int) -> None:
        self.program, self.number = program, number

    @property
    def labels(self) -> tuple[Label, ...] | None:
        return self._values.labels

    @property
    def _values(self) -> Values:
        return self.program.written().values[self.number]

    def sum(self) -> Sum:
        if not self._values.numeric:
            raise TypeError(
                f"`{self.program.name(self.number)}` must hold numbers to be added or compared, but it holds text"
            )
        return Sum(((self.number, Fraction(1)),))

    def matches(self, mine: Register) -> Selector:
        """Select the keys whose value in this register equals my value in `mine`."""
        return Selector(self.program, (Atom("matches", key=self.number, mine=self.program.register(mine, "mine")),))

    def below(self, other: Register | Label) -> Selector:
        """Select the keys whose value in this register is below my value in `other`, or below a given label."""
        if isinstance(other, Register):
            return Selector(self.program, (Atom("below", key=self.number, mine=self.program.register(other, "other")),))
        labels = self.labels or ()
        if isinstance(other, str):
            if other not in labels:
                raise ValueError(f"`other` must be a label of the register, got {other!r}")
            return self.among(labels[: labels.index(other)])
        limit = inputs.rational(other, name="other")
        return self.among([label for label in labels if isinstance(label, int) and label < limit])

    def among(self, chosen: Iterable[Label]) -> Selector:
        """Select the keys whose value in this register is one of these labels."""
        return Selector(self.program, (Atom("among", key=self.number, chosen=tuple(chosen)),))

    def __repr__(self) -> str:
        values = self._values
        name = f"Register {self.program.name(self.number)}"
        if values.labels is None:
            return f"{name}: numbers from {values.low} to {values.high}"
        if len(values.labels) > 8 and values.numeric:
            return f"{name}: whole numbers {values.low} to {values.high}"
        return f"{name}: {', '.join(map(str, values.labels))}"


@final
class Selector:
    """Which keys a position selects; `&` joins two."""

    def __init__(self, program: Program, atoms: tuple[Atom, ...]) -> None:
        self.program, self.atoms = program, atoms

    def __and__(self, other: Selector) -> Selector:
        if not isinstance(other, Selector):
            return NotImplemented
        return Selector(self.program, self.atoms + self.program.selector(other))

    def __repr__(self) -> str:
        return f"Selector: {' & '.join(atom.kind for atom in self.atoms) or 'every key'}"


@final
class Program:
    """A program over words of 1 to `length` tokens: registers `tokens` and `indices`, and the steps that you add.

    `vocabulary` is a text of single letters, or a list of tokens. In a causal program no position sees a later one.

    >>> p = Program("abcd", length=50)
    >>> histogram = p.count(p.tokens.matches(p.tokens))
    >>> p.run("abacad", histogram)
    [3, 1, 3, 1, 3, 1]
    """

    def __init__(self, vocabulary: Iterable[str], *, length: int, causal: bool = False) -> None:
        if not isinstance(vocabulary, Iterable):
            raise TypeError(f"`vocabulary` must be a text or a list of tokens, got {type(vocabulary).__name__}")
        self._written = WrittenProgram(tuple(vocabulary), length, causal, ())

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
        return Selector(self, (Atom("at", index=self._sum(index, "index")),))

    def before(self) -> Selector:
        """Select the keys that are not after me: my own position and all before it."""
        return Selector(self, (Atom("before"),))

    def count(self, keys: Selector | None = None) -> Register:
        """How many keys are selected (all by default)."""
        return self._add(Step("count", select=self.selector(keys)))

    def mean(self, keys: Selector | None, of: Register) -> Register:
        """The mean of `of` over the selected keys; undefined where there are none."""
        return self._add(Step("mean", (self.register(of, "of"),), self.selector(keys)))

    def pick(self, keys: Selector | None, of: Register, default: Label | None = None) -> Register:
        """The value of `of` at the selected keys, undefined where they differ; `default` where no key is selected."""
        return self._add(Step("pick", (self.register(of, "of"),), self.selector(keys), default=default))

    def last(self, keys: Selector | None, of: Register, default: Label | None = None) -> Register:
        """The value of `of` at the last selected key; `default` where no key is selected."""
        return self._add(Step("last", (self.register(of, "of"),), self.selector(keys), default=default))

    def length(self) -> Register:
        """The number of tokens in the word (full attention only)."""
        return self._add(Step("length"))

    def sign(self, of: Register | Expression) -> Register:
        """-1, 0 or 1."""
        return self._add(Step("sign", sum=self._sum(of, "of")))

    def map(self, function: Callable[..., Label] | Mapping[Any, Label], *of: Register) -> Register:
        """A table: the function, or the mapping, applied to the labels of these registers."""
        numbers = tuple(self.register(own, "of") for own in of)
        values = [self._written.values[number] for number in numbers]
        if not of or any(own.labels is None for own in values):
            raise ValueError("`map` must take one or more registers with labels, and a mean has none")
        size = 1
        for own in values:
            size *= len(own.labels or ())
        if size > MOST_COMBINATIONS:
            raise ValueError(f"`map` takes at most {MOST_COMBINATIONS} combinations of labels, got {size}")
        table = []
        for labels in combinations(values):
            if isinstance(function, Mapping):
                key = labels[0] if len(labels) == 1 and labels[0] in function else labels
                if key not in function:
                    raise ValueError(f"`function` must have a value for {labels if len(labels) > 1 else labels[0]!r}")
                table.append(function[key])
            else:
                table.append(function(*labels))
        return self._add(Step("map", numbers, table=tuple(_plain(label) for label in table)))

    def run(self, word: Sequence[str], output: Register) -> list[Value]:
        """What the program means: the value of `output` at each position of `word`; `hw.Undefined` where it has none."""
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
        """A name for a register: its step and its number."""
        named = {TOKENS: "tokens", INDICES: "indices"}
        return named.get(register) or f"{self._written.step(register).kind}#{register}"

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

    def _sum(self, given: Any, name: str) -> Sum:
        if isinstance(given, _Arithmetic):
            if given.program is not self:
                raise ValueError(f"`{name}` must be made of registers of this program")
            return given.sum()
        return Sum((), inputs.rational(given, name=name))

    def _compare(self, difference: Expression, *, strict: bool) -> Register:
        return self._add(Step("compare", sum=difference.sum(), strict=strict))

    def _add(self, step: Step) -> Register:
        own = self._written
        self._written = WrittenProgram(own.vocabulary, own.length, own.causal, (*own.steps, step))
        return Register(self, FIRST + len(own.steps))

    def __repr__(self) -> str:
        own = self._written
        return (
            f"Program: {len(own.steps)} step(s) over {len(own.vocabulary)} token(s), words up to {own.length}"
            f"{', causal' if own.causal else ''}"
        )


def _combined(one: _Arithmetic, other: Any, sign: int) -> Expression:
    total = dict(one.sum().terms)
    added = one.program._sum(other, "other")
    for register, factor in added.terms:
        total[register] = total.get(register, Fraction(0)) + sign * factor
    terms = tuple((register, factor) for register, factor in total.items() if factor)
    return Expression(one.program, Sum(terms, one.sum().constant + sign * added.constant))


def _plain(label: Any) -> Any:
    """A NumPy scalar as the Python value that it is; anything else as it came, for the check of labels."""
    return label.item() if hasattr(label, "item") and getattr(label, "ndim", None) == 0 else label
