"""What the commands print: verdicts and faults in colour (and in words, for NO_COLOR and the colour-blind), or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from headwright.cli.faults import Fault
from headwright.kernel.verdict import Verdict

COLOURS = {"proved": "bold green", "refuted": "bold red", "undecided": "bold yellow", "argued": "bold blue"}

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def out() -> Console:
    """The console on stdout; made anew each time, because stdout may have been replaced. It colours nothing by guessing."""
    return Console(highlight=False)


def print_json(answer: Mapping[str, Any]) -> None:
    """One JSON object, in ASCII, so that no terminal or pipe can spoil it."""
    print(json.dumps(answer))


def print_fault(fault: Fault, *, about: str = "") -> None:
    """One line on stderr, however narrow the terminal."""
    line = Text.assemble((f"{fault.status}: ", _colour(fault)), f"{about}: " if about else "", fault.message)
    Console(stderr=True, highlight=False).print(line, soft_wrap=True)


def print_status(console: Console, fault: Fault) -> None:
    """A refusal that is an answer, like the first line of a verdict."""
    console.print(Text.assemble((fault.status.capitalize(), _colour(fault)), f": {fault.message}"))


def _colour(fault: Fault) -> str:
    return "bold yellow" if fault.code == 3 else "bold red"


def print_facts(console: Console, facts: Iterable[tuple[str, str]], *, indent: int = 2) -> None:
    """Names and texts in two columns; long texts wrap inside their own."""
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column()
    for name, text in facts:
        rows.add_row(name, Text(text))
    console.print(Padding(rows, (0, 0, 0, indent), expand=False))


def print_verdict(console: Console, verdict: Verdict, *, label: str = "") -> None:
    """The status, coloured and spelled, with its claim; below it bound, counterexample, reason, method, scope."""
    parts = verdict.table()
    status = Text(verdict.status.capitalize(), style=COLOURS[verdict.status])
    console.print(Text.assemble(f"{label}: " if label else "", status, f": {verdict.claim}"))
    print_facts(console, list(zip(parts["part"], parts["text"], strict=True))[2:])


def print_plain(console: Console, text: str) -> None:
    """Text as it is: no markup, no wrapping, so that bars stay bars and paths stay paths."""
    console.print(Text(text), no_wrap=True, overflow="ignore", crop=False)
