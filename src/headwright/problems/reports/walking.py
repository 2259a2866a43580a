"""The tour: every question run and judged, what was found on one screen, and all of it as a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

from rich.console import Console
from rich.markup import escape

from headwright.problems import WORDS
from headwright.problems.reports.entries import Entry, judged_questions, mark_counts
from headwright.problems.reports.exhibits import Exhibit, exhibits
from headwright.problems.reports.marks import MARKS
from headwright.problems.reports.page import write_files
from headwright.problems.reports.question_screens import show_everything

_WIDTH = 80


def tour(out: Path, console: Console, *, verbose: bool = False) -> None:
    """Run every question, say what was found, or everything, and write the page to `out` and the data beside it."""
    if not out.parent.is_dir():
        raise ValueError(f"`out` lies in a folder that does not exist: {out.parent}")
    found, shown = judged_questions(), exhibits()
    page, data = write_files(out, found, shown)
    if verbose:
        console.print(escape(WORDS))
        show_everything(found, shown, console)
    _findings(found, console)
    for exhibit in shown[1:]:  # the first takes a picture to tell
        _told(exhibit, console)
    console.print(f"\n[bold]Report:[/bold] {escape(str(page))}", soft_wrap=True)
    console.print(f"[bold]Data:[/bold]   {escape(str(data))}", soft_wrap=True)
    if not verbose:
        console.print("Every question in the terminal: headwright tour --verbose", highlight=False)


def _findings(found: Sequence[Entry], console: Console) -> None:
    """The counts by mark, and one line for each published answer that does not hold."""
    marks = mark_counts(found)
    console.print(f"[bold]Five problem sheets on attention, {len(found)} questions, judged by proof[/bold]\n")
    console.print(f"{'ours':>34}{'published':>13}", highlight=False)
    for mark in MARKS.values():
        ours, published = (marks[kind].get(mark.id, 0) for kind in ("ours", "published"))
        if ours or published:
            console.print(f"  {mark.sign} {mark.name:<26}{ours:>4}{published:>13}", highlight=False)
    refuted = [entry for entry in found if entry.refuted]
    console.print("\n[bold]Published answers that do not hold as they stand[/bold]")
    for entry in refuted:
        sign = entry.published_mark.sign if entry.published_mark else ""
        console.print(f"  {sign} [bold]{escape(entry.problem.id):<8}[/bold] {escape(entry.worded('headline'))}")


def _told(exhibit: Exhibit, console: Console) -> None:
    console.print(f"\n[bold]{escape(exhibit.title)}[/bold]")
    for line in wrap(exhibit.text, _WIDTH - 2):
        console.print(f"  {escape(line)}", highlight=False)
