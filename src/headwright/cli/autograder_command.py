"""headwright autograder: an assignment as an autograder for Gradescope."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headwright.cli import screens

app = typer.Typer(help="Make an autograder for Gradescope from an assignment.")


@app.command("gradescope")
def gradescope_command(
    assignment: Annotated[Path, typer.Argument(metavar="ASSIGNMENT.toml", help="The assignment's file.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE.zip", help="The archive to write.")],
    visibility: Annotated[
        str,
        typer.Option(
            metavar="WHEN", help="When students see results: visible, hidden, after_due_date or after_published."
        ),
    ] = "visible",
    force: Annotated[bool, typer.Option("--force", help="Write over what is there.")] = False,
    as_json: screens.Json = False,
) -> int:
    """Write the archive that a programming assignment on Gradescope takes as its autograder.

    Students hand in one file with answers. headwright comes with the archive,
    and what it needs is installed from PyPI when Gradescope builds the image.

    Example: headwright autograder gradescope homework.toml -o autograder.zip
    """
    from headwright.problems.gradescope.gradescope_files import gradescope_zip
    from headwright.problems.grading.gradescope import VISIBILITIES

    if visibility not in VISIBILITIES:
        raise ValueError(f"`--visibility` must be one of {', '.join(VISIBILITIES)}, got {visibility!r}")
    if output.suffix.lower() != ".zip":
        raise ValueError(f"`--output` must end in .zip, got {output.name!r}")
    if output.is_dir() or (output.exists() and not force):
        raise ValueError(f"`--output` {output} exists: choose another name, or replace the file with --force")
    if not output.parent.is_dir():
        raise ValueError(f"`--output` {output} must be in a folder that exists")
    output.write_bytes(gradescope_zip(assignment, visibility=visibility))
    next_step = "Upload it to Gradescope: Configure Autograder, Zip file upload."
    if as_json:
        screens.print_json({"status": "done", "output": str(output), "next_step": next_step})
    else:
        screens.print_plain(screens.out(), f"Saved {output}\n{next_step}")
    return 0
