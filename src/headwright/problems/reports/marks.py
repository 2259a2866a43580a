"""The marks of the report: four things that a verdict can mean to a reader, counted apart.

A refuted answer that holds under a stated condition is not the same as one that is wrong: its verdict has a proved `holds_when`,
or the question's file a `condition` in words, and says of the second what is true `instead`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

from headwright.kernel.verdict import Refuted, Verdict
from headwright.problems import Problem


@final
@dataclass(frozen=True)
class Mark:
    """A mark by its `id`, with the sign and the name that stand for it, and what it means."""

    id: str
    sign: str
    name: str
    meaning: str


MARKS = {
    mark.id: mark
    for mark in (
        Mark("proved", "✓", "machine-proved", "A program proved it, and anyone can have the proof checked again."),
        Mark("argued", "§", "argued", "It rests on a written argument whose instances are machine-proved."),
        Mark(
            "conditional", "◐", "holds under a condition", "It fails as stated and holds under a condition given here."
        ),
        Mark("wrong", "✗", "wrong", "A counterexample refutes it, and no condition saves it."),
        Mark("undecided", "?", "undecided", "It is neither proved nor refuted."),
    )
}


def mark_of(verdict: Verdict, entries: Iterable[Mapping[str, Any]] = ()) -> Mark:
    """The mark of a verdict on something that these `entries` of a question's file describe."""
    if not isinstance(verdict, Refuted):
        return MARKS[verdict.status]
    conditional = verdict.holds_when or any("condition" in entry for entry in entries)
    return MARKS["conditional" if conditional else "wrong"]


def published_entries(problem: Problem) -> list[Mapping[str, Any]]:
    """What the question's file says of the published answer: its own entry, and that of the statement it amounts to."""
    named = (problem.published_answer or {}).get("statement")
    return [statement.entry for statement in problem.statements if statement.id == named] + [problem.published_entry]
