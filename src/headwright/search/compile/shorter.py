"""The same program for shorter words: tables and selected labels lose the entries that only longer words need."""

from __future__ import annotations

from dataclasses import replace

from headwright.theories.programs.steps import Atom, Step, WrittenProgram
from headwright.words.program_registers import combinations


def shorter(program: WrittenProgram, length: int) -> WrittenProgram:
    """The program for words of up to `length` tokens, which is at most its own length.

    >>> table = Step("map", (1,), table=("a", "b", "c"))
    >>> shorter(WrittenProgram(("x",), 3, False, (table,)), 2).steps[0].table
    ('a', 'b')
    """
    made = replace(program, length=length, steps=())
    for step in program.steps:
        select = tuple(_fewer(made, atom) for atom in step.select)
        own = replace(step, select=select, table=_smaller(program, made, step) if step.table is not None else None)
        made = replace(made, steps=(*made.steps, own))
    return made


def _fewer(made: WrittenProgram, atom: Atom) -> Atom:
    """The condition with only those labels that still occur."""
    if atom.chosen is None or atom.key is None:
        return atom
    labels = made.values[atom.key].labels or ()
    return replace(atom, chosen=tuple(label for label in atom.chosen if label in labels))


def _smaller(program: WrittenProgram, made: WrittenProgram, step: Step) -> tuple[str | int, ...]:
    """The entries of the table for the labels that still occur."""
    assert step.table is not None
    entries = dict(zip(combinations([program.values[own] for own in step.of]), step.table, strict=True))
    return tuple(entries[labels] for labels in combinations([made.values[own] for own in step.of]))
