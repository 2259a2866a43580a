"""What a program means: the value of every register at every position of a word, computed step by step from the definition."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from headwright.kernel import budget
from headwright.theories.programs.steps import ATTENDING, FIRST, INDICES, TOKENS, Atom, Label, Step, Sum, WrittenProgram

Value = Label | Fraction
_A_KEY = 1000  # units for one condition on one key: a microsecond
_SHOWN = 40  # letters of a word in a sentence
_A_LABEL = 30  # units for one label that is passed by in a search


class Undefined(ValueError):  # noqa: N818 - it is an answer, not a fault
    """The program has no value on this word: `.word`, the first `.position`, the `.register` and the `.values` that differ.

    `.values` is empty if no key was selected.

    >>> import headwright as hw
    >>> p = hw.Program("ab", length=4)
    >>> any_token = p.pick(None, p.tokens)
    >>> try:
    ...     p.run("aab", any_token)
    ... except Undefined as undefined:
    ...     print(undefined.position, undefined.values)
    0 ('a', 'b')
    """

    def __init__(self, word: Sequence[str], position: int, register: int, kind: str, values: Sequence[Value]) -> None:
        self.word, self.position, self.register, self.kind = tuple(word), position, register, kind
        self.values = tuple(values)
        said = f"the selected keys hold {' and '.join(map(repr, values[:2]))}" if values else "no key is selected"
        super().__init__(f"register {register} ({kind}) is undefined at position {position} of {spelled(word)}: {said}")

    def __reduce__(self) -> tuple[type[Undefined], tuple[object, ...]]:
        return Undefined, (self.word, self.position, self.register, self.kind, self.values)


def spelled(word: Sequence[str]) -> str:
    """A word for people: its tokens in quotation marks, or the first ones and how many there are.

    >>> spelled(("a", "b")), spelled(("one", "two"))
    ("'ab'", "'one two'")
    """
    text = ("" if all(len(token) == 1 for token in word) else " ").join(word)
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN] + '…'!r} ({len(word)} tokens)"


def meaning(program: WrittenProgram, word: Sequence[str], output: int) -> list[Value]:
    """The value of the register `output` at each position; Undefined where the program has none.

    Registers that `output` does not need are not computed, so they need not be defined.

    >>> program = WrittenProgram(("a", "b"), 4, False, (Step("count", select=(Atom("matches", key=0, mine=0),)),))
    >>> meaning(program, "abaa", 2)
    [3, 1, 3, 3]
    """
    return registers(program, word, output)[output]


def registers(program: WrittenProgram, word: Sequence[str], output: int) -> dict[int, list[Value]]:
    """The values of every register that `output` needs, by its number."""
    need_word(program, word, "word")
    known: dict[int, list[Value]] = {TOKENS: list(word), INDICES: list(range(len(word)))}
    for register in program.needed(output):
        if register >= FIRST:
            step = program.step(register)
            budget.spend(_price(program, step, len(word)))
            known[register] = [_value(program, step, known, word, i, register) for i in range(len(word))]
    return known


def need_word(program: WrittenProgram, word: Sequence[str], name: str) -> None:
    """ValueError unless this is a word of the program."""
    if not 1 <= len(word) <= program.length:
        raise ValueError(f"`{name}` must have 1 to {program.length} tokens, got {len(word)}")
    known = frozenset(program.vocabulary)
    for position, token in enumerate(word):
        if type(token) is not str or token not in known:
            raise ValueError(
                f"`{name}` must be made of tokens of the vocabulary, but position {position} holds {token!r}"
            )


def _price(program: WrittenProgram, step: Step, size: int) -> int:
    """The units of one step on a word of this size."""
    if step.kind not in ATTENDING:
        passed = sum(len(program.values[register].labels or ()) for register in step.of)
        return size * (_A_KEY * (1 + len(step.sum.terms if step.sum else ())) + _A_LABEL * passed)
    passed = sum(len(atom.chosen or ()) for atom in step.select)
    return size**2 * (_A_KEY * (1 + len(step.select)) + _A_LABEL * passed)


def tabulated(program: WrittenProgram, register: int) -> tuple[int, list[Value]] | None:
    """TOKENS or INDICES, and the register's value for each token or each index, if it depends on nothing else; None otherwise.

    >>> program = WrittenProgram(("a", "b"), 4, False, (Step("map", (1,), table=("x", "y", "x", "y")),))
    >>> tabulated(program, 2)
    (1, ['x', 'y', 'x', 'y'])
    """
    known: dict[int, tuple[int, list[Value]]] = {}
    for own in program.needed(register):
        if own < FIRST:
            known[own] = own, list(program.values[own].labels or ())
            continue
        step = program.step(own)
        sources = {known[read][0] if read in known else None for read in step.reads()}
        source = sources.pop() if len(sources) == 1 and step.kind not in ATTENDING else None
        if source is not None:
            columns = {read: known[read][1] for read in step.reads()}
            size = len(known[source][1])
            budget.spend(_price(program, step, size))
            known[own] = source, [_value(program, step, columns, (), i, own) for i in range(size)]
    return known.get(register)


def _value(
    program: WrittenProgram, step: Step, known: dict[int, list[Value]], word: Sequence[str], i: int, register: int
) -> Value:
    """The value of one step at position i."""
    if step.kind == "length":
        return len(word)
    if step.kind == "map":
        return _looked_up(program, step, [known[own][i] for own in step.of])
    if step.kind in ("compare", "sign"):
        assert step.sum is not None
        value = _total(step.sum, known, i)
        if step.kind == "sign":
            return (value > 0) - (value < 0)
        return value > 0 if step.strict else value >= 0
    keys = list(range(i + 1 if program.causal else len(word)))
    for atom in step.select:
        keys = _selected(program, atom, known, i, keys)
    if step.kind == "count":
        return len(keys)
    values = [known[step.of[0]][j] for j in keys]
    if step.kind in ("pick", "last") and not keys and step.default is not None:
        return step.default
    if not keys or (step.kind == "pick" and any(value != values[0] for value in values)):
        raise Undefined(word, i, register, step.kind, list(dict.fromkeys(values)))
    if step.kind == "mean":
        return _sum(values) / len(values)
    return values[-1]


def _selected(program: WrittenProgram, atom: Atom, known: dict[int, list[Value]], i: int, keys: list[int]) -> list[int]:
    """Those of the keys that meet a condition of position i."""
    if atom.kind == "before":
        return [j for j in keys if j <= i]
    if atom.kind == "at":
        assert atom.index is not None
        wanted = _total(atom.index, known, i)
        return [j for j in keys if j == wanted]
    assert atom.key is not None
    own, mine = known[atom.key], None if atom.mine is None else _label(known[atom.mine][i])
    return [j for j in keys if program.selects(atom, _label(own[j]), mine)]


def _looked_up(program: WrittenProgram, step: Step, given: list[Value]) -> Label:
    """The entry of the table for these labels."""
    place = 0
    for register, label in zip(step.of, given, strict=True):
        labels = program.values[register].labels
        assert labels is not None
        place = place * len(labels) + labels.index(_label(label))
    assert step.table is not None
    return step.table[place]


def _total(total: Sum, known: dict[int, list[Value]], i: int) -> Fraction:
    return total.constant + sum((factor * _number(known[register][i]) for register, factor in total.terms), Fraction(0))


def _sum(values: Sequence[Value]) -> Fraction:
    """The sum of numbers, counted; whole ones are short and quick."""
    whole = sum(value for value in values if isinstance(value, int))
    return budget.summed([Fraction(whole), *(value for value in values if isinstance(value, Fraction))])


def _number(value: Value) -> Fraction:
    assert not isinstance(value, str)
    return Fraction(value)


def _label(value: Value) -> Label:
    assert not isinstance(value, Fraction)
    return value
