"""headwright autograder: an assignment as an autograder for Gradescope, otter-grader or nbgrader."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from headwright.cli import screens

_Assignment = Annotated[Path, typer.Argument(metavar="ASSIGNMENT.toml", help="The assignment's file.")]
_Force = Annotated[bool, typer.Option("--force", help="Write over what is there.")]
_Folder = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write.")]

app = typer.Typer(help="Make an autograder for Gradescope, otter-grader or nbgrader from an assignment.")


@app.command("gradescope")
def gradescope_command(
    assignment: _Assignment,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE.zip", help="The archive to write.")],
    visibility: Annotated[
        str,
        typer.Option(
            metavar="WHEN", help="When students see results: visible, hidden, after_due_date or after_published."
        ),
    ] = "visible",
    force: _Force = False,
    as_json: screens.Json = False,
) -> int:
    """Write the archive that a programming assignment on Gradescope takes as its autograder.

    Students hand in one file with answers. headwright comes with the archive,
    and what it needs is installed from PyPI when Gradescope builds the image.

    Example: headwright autograder gradescope homework.toml -o autograder.zip
    """
    from headwright.autograders.gradescope_files import gradescope_zip
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
    return _written(output, "Upload it to Gradescope: Configure Autograder, Zip file upload.", as_json)


@app.command("otter")
def otter_command(
    assignment: _Assignment, output: _Folder, force: _Force = False, as_json: screens.Json = False
) -> int:
    """Write a folder for otter-grader: tests, a notebook for students, and autograder.zip.

    autograder.zip is made by otter-grader itself, where that is installed. Its
    command for later is in README.md.

    Example: headwright autograder otter homework.toml -o otter
    """
    from headwright.autograders.assignment_files import write_files
    from headwright.autograders.otter_files import generate_command, otter_files

    _check_folder(output, force)
    write_files(output, otter_files(assignment))
    try:
        metadata.distribution("otter-grader")  # a folder called otter could be imported, too
    except metadata.PackageNotFoundError:
        next_step = "otter-grader is not installed here, so autograder.zip is still to be made: README.md says how."
        return _written(output, next_step, as_json)
    made = subprocess.run(generate_command(sys.executable), cwd=output, capture_output=True, text=True)
    if made.returncode != 0:
        last = (made.stderr.strip().splitlines() or ["no message"])[-1]
        raise ValueError(f"otter-grader could not make autograder.zip in `--output` {output}: {last}")
    return _written(output, "README.md says how to grade with autograder.zip.", as_json)


@app.command("nbgrader")
def nbgrader_command(
    assignment: _Assignment, output: _Folder, force: _Force = False, as_json: screens.Json = False
) -> int:
    """Write a course folder for nbgrader: the assignment's notebook with hidden tests.

    Example: headwright autograder nbgrader homework.toml -o course
    """
    from headwright.autograders.assignment_files import write_files
    from headwright.autograders.nbgrader_files import nbgrader_files

    _check_folder(output, force)
    write_files(output, nbgrader_files(assignment))
    return _written(output, "README.md in it says how to release and grade the assignment.", as_json)


def _check_folder(output: Path, force: bool) -> None:
    if output.exists() and not output.is_dir():
        raise ValueError(f"`--output` {output} must be a folder, but it is a file")
    if output.is_dir() and any(output.iterdir()) and not force:
        raise ValueError(f"`--output` {output} is not empty: choose another folder, or write into it with --force")
    if not output.parent.is_dir():
        raise ValueError(f"`--output` {output} must be in a folder that exists")


def _written(output: Path, next_step: str, as_json: bool) -> int:
    if as_json:
        screens.print_json({"status": "done", "output": str(output), "next_step": next_step})
    else:
        screens.print_plain(screens.out(), f"Saved {output}\n{next_step}")
    return 0
