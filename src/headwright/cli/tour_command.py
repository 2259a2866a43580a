"""headwright tour: what the five sheets get right and wrong, on one screen, with a report to keep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from headwright.cli import screens
from headwright.cli.output_files import check_files


def tour_command(
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Write the report to this file, and the same as JSON beside it.")
    ] = Path("report.html"),
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print every question with its answers and verdicts.")
    ] = False,
    as_json: screens.Json = False,
) -> int:
    """Judge the five problem sheets, say what was found, and write a report."""
    from headwright.problems.reports import tour

    check_files({"--out": out})
    if out.suffix == ".json":
        raise ValueError(
            f"`--out` names the page, and its data go into {out.name} beside it. Choose another ending, such as .html"
        )
    tour(out, Console(quiet=True) if as_json else screens.out(), verbose=verbose)
    if as_json:
        screens.print_json({"status": "done", "report": str(out)})
    return 0
