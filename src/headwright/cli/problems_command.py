"""headwright problems: the questions of the five sheets; with an id, one of them explained; with --report, all as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from headwright._design import weight_bars
from headwright.cli import screens
from headwright.cli.problem_screens import draw, list_own, print_entry, print_heading, show_question, write_sheets
from headwright.cli.saving import check_files

if TYPE_CHECKING:
    from headwright.problems import Problem, Showing


def problems_command(
    problem_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A question's id, such as A.1b; without one, all are listed.")
    ] = None,
    question: Annotated[
        bool, typer.Option("--question", help="With an ID: the question alone and how to answer it, no answers.")
    ] = False,
    problems: Annotated[
        Path | None, typer.Option("--problems", metavar="MINE.toml", help="Show a teacher's own questions instead.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", metavar="FILE.svg|.png", help="With an ID: draw its weights (the extra plots)."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="DIR", help="Write report.html and report.json of all questions into DIR."),
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """List the questions of five problem sheets on attention, or answer one and judge its published answer.

    Examples: headwright problems A.1b, headwright problems A.1b --question,
    headwright problems --report sheets
    """
    if question or problems is not None:
        return _asked(problem_id, problems, as_json, {"--picture": picture, "--report": report})
    if report is not None:
        return write_sheets(report, problem_id, picture, as_json)
    if picture is not None and problem_id is None:
        raise ValueError("`--picture` draws one question: name it, as in `headwright problems A.1d --picture a.svg`")
    check_files({"--picture": picture})
    if problem_id is None:
        return _list_all(as_json)
    return _show_one(problem_id, as_json, picture)


def _asked(problem_id: str | None, own: Path | None, as_json: bool, others: dict[str, object]) -> int:
    """The question alone, of the sheets or of a teacher's file."""
    from headwright.problems import find, load

    for option, value in others.items():
        if value:
            raise ValueError(f"`{option}` shows answers: it goes with neither `--question` nor `--problems`")
    if own is None:
        if problem_id is None:
            raise ValueError("`--question` shows one question: name it, as in `headwright problems A.1a --question`")
        return show_question(find(problem_id), as_json)
    held = load(own)
    if problem_id is None:
        return list_own(held, as_json)
    if problem_id not in held:
        raise ValueError(f"`ID` must be a question of {own.name}: {', '.join(held)}; got {problem_id!r}")
    return show_question(held[problem_id], as_json)


def _list_all(as_json: bool) -> int:
    from headwright.problems import CATALOGUE, SHEETS, runs

    if as_json:
        questions = [problem.to_dict() for problem in CATALOGUE.values()]
        told = {"status": "done", "running": len(runs()), "total": len(CATALOGUE), "questions": questions}
        screens.print_json(told)
        return 0
    console = screens.out()
    for letter, title in SHEETS.items():
        console.print(Text.assemble((f"Sheet {letter}", "bold"), f"  {title}"))
        console.print(_rows([problem for problem in CATALOGUE.values() if problem.sheet == letter]))
        console.print()
    console.print("One of them, with its answer: [cyan]headwright problems A.1b[/cyan]")
    console.print("The question alone:           [cyan]headwright problems A.1b --question[/cyan]")
    console.print(f"{len(runs())} of {len(CATALOGUE)} questions run")
    return 0


def _rows(problems: list[Problem]) -> Padding:
    rows = Table.grid(padding=(0, 3, 0, 0))
    rows.add_column(min_width=7, no_wrap=True)
    rows.add_column(min_width=9, no_wrap=True, justify="right")
    rows.add_column(no_wrap=True)
    for problem in problems:
        points = "" if problem.points is None else f"{problem.points} points"
        rows.add_row(problem.id, points, problem.theme)
    return Padding(rows, (0, 0, 0, 2), expand=False)


def _show_one(problem_id: str, as_json: bool, picture: Path | None) -> int:
    """Exit code 0 also where the published answer is refuted: that is what one wanted to know."""
    from headwright.problems import find, run

    problem = find(problem_id)
    showing = run(problem.id)
    drawn = draw(picture, showing)
    if as_json:
        screens.print_json({"status": "done", **({"picture": drawn} if drawn else {}), **showing.to_dict()})
        return 0
    console = screens.out()
    _print_question(console, problem)
    _print_showing(console, showing)
    if drawn:
        screens.print_plain(console, f"Picture: {drawn}")
    return 0


def _print_question(console: Console, problem: Problem) -> None:
    print_heading(console, problem)
    print_entry(console, problem)
    console.print(Text("Published answer", style="bold"))
    console.print(Text(f"{problem.published or 'none: the sheet has questions only'}\n"))


def _print_showing(console: Console, showing: Showing) -> None:
    from headwright.problems import WORDS

    console.print(Text("Our answer", style="bold"))
    console.print(Text(f"{showing.construction}\n"))
    if showing.weights is not None:
        marks = " (* named by the goal)" if showing.goal else ""
        screens.print_plain(console, f"{_begun(showing.caption)}{marks}:")
        screens.print_plain(console, weight_bars(showing.weights, showing.goal) + "\n")
        for caption, weights, goal in showing.further():
            screens.print_plain(console, f"{_begun(caption)}:")
            screens.print_plain(console, weight_bars(weights, goal) + "\n")
    screens.print_verdict(console, showing.ours, label="Ours")
    if showing.published is not None:
        console.print()
        screens.print_verdict(console, showing.published, label="Published")
    console.print(Text(f"\n{WORDS}", style="dim"))


def _begun(caption: str) -> str:
    """A caption as the beginning of a line; names within it, such as Xπ, keep their capitals."""
    return caption[:1].upper() + caption[1:]
