"""What `headwright check` prints: each answer with its word and message, the sheets' sums; or one line a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

if TYPE_CHECKING:
    from headwright.problems.answers import Grade, Result

_COLOURS = {
    "proved": "bold green",
    "argued": "bold blue",
    "refuted": "bold red",
    "invalid": "bold red",
    "missing": "dim",
}
_DOUBT = "bold yellow"


def show(console: Console, grades: list[Grade], kept: int, *, short: bool) -> None:
    """All grades; `short` where a table already has the details."""
    for graded in grades:
        if short:
            console.print(_line(graded), soft_wrap=True)
        else:
            _show_one(console, graded)
    if kept:
        console.print(f"{kept} {'file was' if kept == 1 else 'files were'} graded before and did not change")
    if len(grades) + kept > 1:
        bad = sum(graded.unreadable is not None for graded in grades)
        console.print(f"{len(grades)} files graded, {bad} of them unreadable")


def _show_one(console: Console, graded: Grade) -> None:
    console.print(Text(" ".join(filter(None, (graded.path, graded.student and f"({graded.student})"))), style="bold"))
    if graded.unreadable is not None:
        console.print(Text.assemble(("  not graded", "bold red"), f": {graded.unreadable}\n"))
        return
    for result in graded.answered:
        _show_answer(console, result)
    for complaint in graded.complaints:
        console.print(Padding(Text.assemble(("not graded", _DOUBT), f": {complaint}"), (0, 0, 0, 2), expand=False))
    missing = [result.id for result in graded.results if result.status == "missing"]
    if missing:
        console.print(Padding(Text(f"no answer to {', '.join(missing)}", style="dim"), (0, 0, 0, 2), expand=False))
    for total in graded.totals:
        console.print(Text(f"  Sheet {total.sheet}: {total}", style="bold"))
    console.print()


def _show_answer(console: Console, result: Result) -> None:
    from headwright.problems.answers.grades import WORDS

    worth = "" if result.points is None else f"  {result.earned} of {result.points}"
    word = (WORDS[result.status], _COLOURS.get(result.status, _DOUBT))
    console.print(Padding(Text.assemble((f"{result.id:<8}", "bold"), word, worth), (0, 0, 0, 2), expand=False))
    if result.message:
        console.print(Padding(Text(result.message), (0, 0, 0, 10), expand=False))
    if result.explanation:
        console.print(Padding(Text(f"Our answer: {result.explanation}", style="cyan"), (0, 0, 0, 10), expand=False))


def _line(graded: Grade) -> Text:
    who = f" ({graded.student})" if graded.student else ""
    if graded.unreadable is not None:
        return Text(f"{graded.path}{who}: not graded: {graded.unreadable}")
    sums = "; ".join(f"sheet {total.sheet}: {total}" for total in graded.totals)
    return Text(f"{graded.path}{who}: {sums or 'no answers'}")
