"""headwright tour: the walk through the five sheets, with a report to keep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from headwright.cli import screens
from headwright.cli.output_files import check_files


def tour_command(
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Write the report here, and the same as JSON beside it.")
    ] = Path("report.html"),
    as_json: screens.Json = False,
) -> int:
    """Walk through the five problem sheets, question by question, and write a report."""
    from headwright.reports import tour

    check_files({"--out": out})
    if out.suffix == ".json":
        raise ValueError(
            f"`--out` names the page; the data go beside it into {out.name}. Choose another ending, such as .html"
        )
    tour(out, Console(quiet=True) if as_json else screens.out())
    if as_json:
        screens.print_json({"status": "done", "report": str(out)})
    return 0
