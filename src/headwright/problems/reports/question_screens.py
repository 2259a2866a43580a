"""Everything the report holds, in the terminal: sheet by sheet, question by question."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from headwright.faces.pictures.weight_columns import Panel
from headwright.kernel.verdict import Verdict
from headwright.problems import SHEETS, Showing
from headwright.problems.reports.drawings import Drawing, drawings, panels
from headwright.problems.reports.entries import Entry
from headwright.problems.reports.exhibits import Exhibit
from headwright.words.design import weight_bars

_COLOURS = {"proved": "green", "refuted": "red", "undecided": "yellow", "argued": "blue"}


def show_everything(found: Sequence[Entry], shown: Sequence[Exhibit], console: Console) -> None:
    """Every question with its answers, weights and verdicts, and the exhibits after them."""
    for sheet, title in SHEETS.items():
        console.rule(f"Sheet {sheet}: {escape(title)}")
        for entry in found:
            if entry.problem.sheet == sheet:
                _show(entry.showing, console)
    console.rule("Beyond the sheets")
    for exhibit in shown:
        _show_exhibit(exhibit, console)
    console.rule()


def _show(showing: Showing, console: Console) -> None:
    problem = showing.problem
    points = "" if problem.points is None else f" [dim]{problem.points} points[/dim]"
    console.print(f"\n[bold]{escape(problem.id)}[/bold]{points}")
    _indented(console, escape(problem.question))
    _indented(console, f"[bold]Ours:[/bold] {escape(showing.construction)}")
    ours, others = panels(showing)
    _bars(ours, console)
    _verdict(console, showing.ours)
    if showing.published is not None:
        _indented(console, f"[bold]Published:[/bold] {escape(problem.published or '')}")
        _verdict(console, showing.published)
    _bars(others, console)
    _pictures(drawings(problem), console)


def _bars(shown: Sequence[Panel], console: Console) -> None:
    for caption, weights, goal in shown:
        _indented(console, f"[dim]{escape(caption)}[/dim]\n{escape(weight_bars(weights, goal, most=4))}")


def _pictures(drawn: Sequence[Drawing], console: Console) -> None:
    for drawing in drawn:
        _indented(console, f"[dim]In the page, a picture: {escape(drawing.caption)}[/dim]")


def _show_exhibit(exhibit: Exhibit, console: Console) -> None:
    console.print(f"\n[bold]{escape(exhibit.title)}[/bold]")
    _indented(console, escape(exhibit.text))
    _indented(console, escape(weight_bars(exhibit.weights, exhibit.goal, most=5)))
    for verdict in exhibit.verdicts:
        _verdict(console, verdict)
    _pictures(exhibit.pictures, console)


def _verdict(console: Console, verdict: Verdict) -> None:
    colour = _COLOURS[verdict.status]
    lines = [f"[bold {colour}]{verdict.status.capitalize()}[/bold {colour}]: {escape(verdict.claim)}"]
    lines += [f"[dim]{name}:[/dim] {escape(text)}" for name, text in verdict.lines().items() if name != "how"]
    for line in lines:
        _indented(console, line, 4)


def _indented(console: Console, markup: str, by: int = 2) -> None:
    console.print(Padding.indent(console.render_str(markup, highlight=False), by))
