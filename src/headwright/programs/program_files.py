"""A program in a TOML file: its vocabulary, its steps, the output, and how it should be compiled.

    vocabulary = "abcd"             # single letters, or a list of tokens: ["the", "cat"]
    length = 50                     # words have 1 to 50 tokens
    causal = false                  # true: no position sees a later one
    output = "histogram"            # the step that the model should compute
    error = 0.25                    # these four may be left out, or given on the command line
    dtype = "float64"               # or "float32", or "real" for real arithmetic
    layers = 2
    rank = 8

    [steps]
    histogram = "count(tokens matches my tokens)"
    common = "histogram >= 3"
    mark = {map = ["tokens", "common"], table = {a = {true = "A"}}, otherwise = "-"}

`step_text.py` has the grammar of a step. The order of the steps has no meaning. Every complaint names its entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from graphlib import CycleError, TopologicalSorter
from itertools import product
from pathlib import Path
from typing import Any, final

from headwright import toml_files
from headwright.budget import DEFAULT, spend
from headwright.program import Program
from headwright.program_registers import Register
from headwright.program_steps import MOST_COMBINATIONS, Label
from headwright.programs.step_text import RESERVED, read_step, words
from headwright.toml_files import reading

_ENTRIES = ("vocabulary", "length", "causal", "output", "error", "dtype", "layers", "rank", "steps")
_OF_A_MAP = ("map", "table", "otherwise")
_TYPES = {"float64": "float64", "float32": "float32", "real": None}
_A_LOOKUP = 1000  # units for one entry of a table: a microsecond
_A_LETTER = 2000  # units for one letter of a step: two microseconds


@final
@dataclass(frozen=True, eq=False)
class ProgramFile:
    """The program in a file, its output, and the arguments of `compile` that the file gives."""

    program: Program
    output: Register
    options: dict[str, Any]


def read_program(path: Path, *, budget: float = DEFAULT) -> ProgramFile:
    """The program in the file; ValueError or TypeError naming the entry that is wrong, or the budget that was not enough."""
    with reading(f"`path` {path}", budget):
        held = toml_files.parse(toml_files.read_bounded(path), called=f"`path` {path}", parse_float=Decimal)
        with _named(f"`path` {path}"):
            return _program(held)


@contextmanager
def _named(what: str) -> Iterator[None]:
    """Errors inside the block say at their beginning what they are about."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise type(error)(f"{what}: {error}") from error


def _program(held: Mapping[str, Any]) -> ProgramFile:
    _known(held, _ENTRIES, "")
    for name in ("vocabulary", "length", "output", "steps"):
        if name not in held:
            raise ValueError(f"`{name}` must be given")
    vocabulary, length = held["vocabulary"], held["length"]
    if not isinstance(vocabulary, str | list):
        raise TypeError(f'`vocabulary` must be a text such as "abc" or a list of tokens, got {_shown(vocabulary)}')
    if not isinstance(length, int) or isinstance(length, bool):
        raise TypeError(f"`length` must be a whole number, got {_shown(length)}")
    program = Program(vocabulary, length=length, causal=held.get("causal", False))
    registers = _steps(program, held["steps"])
    return ProgramFile(program, _found(held["output"], registers, "output"), _options(held))


def _known(held: Mapping[str, Any], names: tuple[str, ...], where: str) -> None:
    for name in held:
        if name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f"did you mean `{where}{near[0]}`?" if near else f"there are {', '.join(names)}"
            raise ValueError(f"`{where}{name}` is not an entry of a program file; {hint}")


def _options(held: Mapping[str, Any]) -> dict[str, Any]:
    """What the file says about compiling. `compile` checks sizes and ranges."""
    made = {name: held[name] for name in ("layers", "rank") if name in held}
    if "error" in held:
        if isinstance(held["error"], bool) or not isinstance(held["error"], Decimal | int | str):
            raise TypeError(f"`error` must be a number such as 0.25, got {_shown(held['error'])}")
        made["error"] = str(held["error"])
    if "dtype" in held:
        made["dtype"] = number_type(held["dtype"])
    return made


def number_type(name: Any) -> str | None:
    """The `dtype` of `compile` that a name stands for; None for real arithmetic.

    >>> number_type("float32"), number_type("real")
    ('float32', None)
    """
    if not isinstance(name, str) or name not in _TYPES:
        raise ValueError(f"`dtype` must be one of {', '.join(_TYPES)}, got {_shown(name)}")
    return _TYPES[name]


def _steps(program: Program, steps: Any) -> dict[str, Register]:
    """Every step added to the program, by its name; each after those that it uses."""
    if not isinstance(steps, dict) or not steps:
        raise ValueError(
            '`steps` must be a table with a step at least, such as histogram = "count(tokens matches my tokens)"'
        )
    known = {"tokens": program.tokens, "indices": program.indices}
    texts = {name: _texts(name, given, known) for name, given in steps.items()}
    uses = {name: {word for text in own for word in words(text)} & steps.keys() for name, own in texts.items()}
    try:
        order = list(TopologicalSorter(uses).static_order())
    except CycleError as cycle:
        around = " uses ".join(map(repr, reversed(cycle.args[1])))
        raise ValueError(f"`steps` must not go in a circle: {around}") from None
    for name in order:
        spend(_A_LETTER * sum(map(len, texts[name])))
        with _named(f"`steps.{name}`"):
            made = [read_step(text, program, known) for text in texts[name]]
        if isinstance(steps[name], dict):
            made = [_mapped(program, steps[name], made, f"steps.{name}")]
        known[name] = program.named(made[0], name)
    return known


def _texts(name: str, given: Any, taken: Mapping[str, Any]) -> list[str]:
    """The texts of a step: its own, or those of the steps that a map takes."""
    where = f"steps.{name}"
    if not name.isidentifier() or name in RESERVED or name in taken:
        raise ValueError(
            f"`{where}` must have another name: letters, digits and underscores, and not a word of the grammar such as "
            f"{'length' if name == 'length' else 'count'}"
        )
    if isinstance(given, str):
        return [given]
    if not isinstance(given, dict):
        raise TypeError(
            f'`{where}` must be a text such as "count(tokens matches my tokens)" or a table with a map, got {_shown(given)}'
        )
    _known(given, _OF_A_MAP, f"{where}.")
    of = given.get("map")
    texts = [of] if isinstance(of, str) else of
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise TypeError(
            f'`{where}.map` must be a step, or a list of steps, such as ["tokens", "indices"], got {_shown(of)}'
        )
    if not isinstance(given.get("table"), dict):
        raise TypeError(
            f"`{where}.table` must be a table from labels to labels, such as {{a = 1, b = 0}}, got {_shown(given.get('table'))}"
        )
    return texts


def _mapped(program: Program, given: Mapping[str, Any], of: list[Register], where: str) -> Register:
    """A table as nested tables: one level for each register, its labels as names."""
    names = [_label_names(register, f"{where}.map") for register in of]
    size = 1
    for own in names:
        size *= len(own)
    if size > MOST_COMBINATIONS:
        raise ValueError(f"`{where}.map` has {size} combinations of labels; there may be {MOST_COMBINATIONS} at most")
    spend(_A_LOOKUP * size)
    _check_table(given["table"], [set(own.values()) for own in names], f"{where}.table")

    def entry(*labels: Label) -> Label:
        found: Any = given["table"]
        for own, label in zip(names, labels, strict=True):
            found = found.get(own[label], given.get("otherwise")) if isinstance(found, dict) else found
        if found is None or isinstance(found, dict):
            missing = ".".join(own[label] for own, label in zip(names, labels, strict=True))
            raise ValueError(f"`{where}.table` must have an entry {missing}, or `{where}` an entry `otherwise`")
        return _label(found, where)

    table = {labels: entry(*labels) for labels in product(*(own.labels or () for own in of))}
    with _named(f"`{where}`"):
        return program.map(lambda *labels: table[labels], *of)


def _label_names(register: Register, where: str) -> dict[Label, str]:
    """How the labels of a register are written as names of entries: text as it is, numbers in digits, true and false."""
    if register.labels is None:
        raise ValueError(
            f"`{where}` must name steps with labels, but {register.program.name(register.number)!r} holds a mean"
        )
    names = {label: str(label).lower() if isinstance(label, bool) else str(label) for label in register.labels}
    if len(set(names.values())) < len(names):
        raise ValueError(f"`{where}` has a step with a number and a text that are written alike")
    return names


def _check_table(table: Any, levels: list[set[str]], where: str) -> None:
    """ValueError unless every name at each level is a label of that register."""
    if not levels or not isinstance(table, dict):
        if isinstance(table, dict):
            raise ValueError(f"`{where}` must be a label, got a table: the map has too few steps")
        return
    for name, inner in table.items():
        if name not in levels[0]:
            some = sorted(levels[0])
            listed = ", ".join(some[:8]) + (f", … {len(some)} labels" if len(some) > 8 else "")
            raise ValueError(f"`{where}.{name}` is not a label of its step; there are {listed}")
        _check_table(inner, levels[1:], f"{where}.{name}")


def _label(given: Any, where: str) -> Label:
    if not isinstance(given, str | int):
        raise TypeError(f"`{where}.table` must give texts, whole numbers, true or false, got {_shown(given)}")
    return given


def _found(name: Any, registers: Mapping[str, Register], where: str) -> Register:
    if not isinstance(name, str) or name not in registers:
        near = get_close_matches(str(name), registers, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(registers)}"
        raise ValueError(f"`{where}` must be the name of a step, got {_shown(name)}{hint}")
    return registers[name]


def _shown(given: Any) -> str:
    """A value of the file in a message, shortened."""
    if given is None:
        return "nothing"
    text = repr(str(given) if isinstance(given, Decimal) else given)
    return text if len(text) <= 60 else f"{text[:59]}…"
