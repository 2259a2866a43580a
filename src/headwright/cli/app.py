"""The table of commands, the welcome screen, and the one place where a command is run and its exceptions end."""

from __future__ import annotations

import os
import sys
import traceback
from importlib import metadata
from io import TextIOWrapper
from typing import Annotated

import typer

from headwright.cli import assignment_command, autograder_command, screens
from headwright.cli.certify_command import certify_command
from headwright.cli.check_command import check_command
from headwright.cli.compare_command import compare_command
from headwright.cli.compress_command import compress_command
from headwright.cli.design_command import design_command
from headwright.cli.faults import fault_of
from headwright.cli.option_groups import grouped
from headwright.cli.play_command import play_command
from headwright.cli.problems_command import problems_command
from headwright.cli.tour_command import tour_command
from headwright.cli.verify_command import verify_command

WELCOME = """\
[bold]headwright[/bold]: state what attention should do with your keys; get the query that
does it, with a proof.

Three things to try:

  [bold cyan]headwright tour[/bold cyan]
      a walk through five problem sheets on attention, and a report to keep

  [bold cyan]headwright problems[/bold cyan]
      the questions of those sheets; [cyan]headwright problems A.1b[/cyan] answers one

  [bold cyan]headwright design --orthonormal 40 --average 3,7 --error 0.01[/bold cyan]
      the query that reads the mean of keys 3 and 7 out of 40, to one percent

Keys of your own: [cyan]headwright design --keys keys.npy --average 3,7[/cyan]
                  the shortest query with exact ratios, or why there is none
Every command:    [cyan]headwright --help[/cyan]"""

app = typer.Typer(
    name="headwright",
    help="State what attention should do with your keys; get the query that does it, with a proof.",
    epilog="Exit codes: 0 done or proved, 1 refuted or unreachable, 2 usage error, 3 undecided, argued or not found, "
    "4 internal error.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)
_COMMANDS = (
    tour_command,
    design_command,
    certify_command,
    compare_command,
    compress_command,
    verify_command,
    problems_command,
    check_command,
    play_command,
)
# Errors of these name entries of a file, which may be called like an option.
_READ_ENTRIES = ("problems", "check", "assignment", "autograder")
for _command in _COMMANDS:
    app.command(_command.__name__.removesuffix("_command"))(grouped(_command))
_assignment = typer.Typer(help="Set questions with points, write the file that students fill in, and grade a class.")
_OF_AN_ASSIGNMENT = (
    assignment_command.check_command,
    assignment_command.template_command,
    assignment_command.grade_command,
)
for _part in _OF_AN_ASSIGNMENT:
    _assignment.command(_part.__name__.removesuffix("_command"))(grouped(_part))
app.add_typer(_assignment, name="assignment")
app.add_typer(autograder_command.app, name="autograder")


def _version(wanted: bool) -> None:
    if wanted:
        try:
            number = metadata.version("headwright")
        except metadata.PackageNotFoundError:
            number = "(a source tree that is not installed)"
        print(f"headwright {number}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def welcome(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    with_traceback: Annotated[
        bool,
        typer.Option("--traceback", help="Print the traceback of an error (also by HEADWRIGHT_TRACEBACK=1)."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        screens.out().print(WELCOME)


def run(arguments: list[str]) -> int:
    """The exit code of one command. Whatever it raises becomes one line on stderr, or a JSON object on stdout."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal without "█" gets "?", not an exception
            stream.reconfigure(errors="replace")
    try:
        # Not standalone: commands return their exit code, and exceptions arrive here.
        return int(app(args=arguments, prog_name="headwright", standalone_mode=False) or 0)
    except Exception as error:
        if "--traceback" in arguments or os.environ.get("HEADWRIGHT_TRACEBACK") == "1":
            traceback.print_exc()
        fault = fault_of(error).naming(_options(arguments))
        if "--json" in arguments:
            screens.print_json(fault.to_dict())
        else:
            screens.print_fault(fault)
        return fault.code


def _options(arguments: list[str]) -> dict[str, str]:
    """The options of the command that is called, by the names that the library's errors have for them."""
    called = next((word for word in arguments if not word.startswith("-")), "")
    command = getattr(typer.main.get_command(app), "commands", {}).get(called)
    if command is None or called in _READ_ENTRIES:
        return {}
    return {param.name: param.opts[0] for param in command.params if param.opts[0].startswith("--")}
