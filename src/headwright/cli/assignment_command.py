"""headwright assignment: what an assignment asks, the file that students fill in, and a folder of such files graded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from headwright.cli import screens
from headwright.cli.output_files import check_files

if TYPE_CHECKING:
    from headwright.problems import Assignment, ClassGrade

_MOST_STRAY = 10  # notes about entries that belong to no question
_File = Annotated[Path, typer.Argument(metavar="HOMEWORK.toml", help="The assignment.")]


def check_command(file: _File, as_json: screens.Json = False) -> int:
    """Say what an assignment asks: its questions, their points and policies, and the total.

    Example: headwright assignment check homework.toml
    """
    from headwright.problems import read_assignment
    from headwright.problems.grading.policies import CREDITS

    assignment = read_assignment(file)
    if as_json:
        screens.print_json({"status": "done", **_asked(assignment)})
        return 0
    console = screens.out()
    console.print(Text(assignment.title, style="bold"))
    rows = Table.grid(padding=(0, 3, 0, 0))
    for name, item in assignment.items.items():
        points = "1 point" if item.points == 1 else f"{item.points} points"
        partial = ", ".join(f"{share:g} if {CREDITS[credit]}" for credit, share in item.policy.changes().items())
        rows.add_row(name, Text(points, justify="right"), item.policy.name, Text(partial), Text(item.question.title))
    console.print(rows)
    count = len(assignment.items)
    console.print(f"{assignment.possible} points in {count} {'question' if count == 1 else 'questions'}")
    return 0


def template_command(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[HOMEWORK.toml]", help="The assignment; without one, an assignment to start from."),
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Write an assignment to start from, with comments.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file instead of the screen.")
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """Write the answer file that students fill in; without an assignment, write an assignment to start from.

    Examples: headwright assignment template --output homework.toml,
    headwright assignment template homework.toml --output answers.md
    """
    from headwright.problems import read_assignment
    from headwright.problems.answers.templates import template as template_of
    from headwright.problems.grading.example_assignment import EXAMPLE

    if new and file is not None:
        raise ValueError("`--new` goes without an assignment: it writes one")
    text = EXAMPLE
    if file is not None:
        assignment = read_assignment(file)
        text = template_of([item.question for item in assignment.items.values()], title=assignment.title)
    check_files({"--output": output})
    if output is not None:
        if output.exists():
            raise ValueError(f"`--output` {output} exists already: name another file")
        output.write_text(text, "utf-8")
    if as_json:
        screens.print_json({"status": "done", "text": text, "output": None if output is None else str(output)})
    else:
        print(text if output is None else f"Saved {output}", end="" if output is None else "\n")
    return 0


def grade_command(
    file: _File,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of answer files.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MARKS", help="The folder that receives tables and pages.")
    ],
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=64, help="Number of processes that judge answers.")] = 2,
    as_json: screens.Json = False,
) -> int:
    """Grade a folder of answer files: a table of points, a page for each student, and statistics of the class.

    Answers that wait for a person are in to_read.csv. Type points into that
    table and run the same command again. A run that was stopped resumes.

    Example: headwright assignment grade homework.toml submissions --output marks
    """
    from headwright.problems import grade_class

    found = grade_class(folder, file, output, jobs=jobs)
    if as_json:
        screens.print_json({"status": "done", "output": str(output), **_summary(found)})
    else:
        _show(found, output)
    return 0


def _more(count: int) -> list[str]:
    return [f"… and {count} more such notes in grades.csv"] if count > 0 else []


def _asked(assignment: Assignment) -> dict[str, Any]:
    questions = [
        {
            "id": name,
            "title": item.question.title,
            "points": item.points,
            "policy": item.policy.name,
            "credit": item.policy.changes(),
        }
        for name, item in assignment.items.items()
    ]
    return {"title": assignment.title, "possible": assignment.possible, "questions": questions}


def _summary(found: ClassGrade) -> dict[str, Any]:
    table = {name: found.table()[name] for name in ("file", "student", "total", "to read", "notes")}
    said = {"unused": list(found.unused), "ignored": list(found.ignored), "namesakes": found.namesakes}
    return {"statistics": found.statistics(), "table": table, **said}


def _show(found: ClassGrade, output: Path) -> None:
    console = screens.out()
    screens.print_plain(console, str(found))
    waits = len(found.to_read)
    facts = [
        ("points", f"{output / 'grades.csv'}"),
        ("pages", f"{output / 'feedback'}, one for each file"),
        ("class", f"{output / 'class.html'}"),
    ]
    if waits:
        facts.append(
            ("to read", f"{output / 'to_read.csv'}: {waits} {'answer waits' if waits == 1 else 'answers wait'} for you")
        )
    unclear = sum(result.status == "invalid" for graded in found.grades for result in graded.results.values())
    if unclear:
        facts.append(("unclear", f"{unclear} not understood and worth 0 points unless you give some in to_read.csv"))
    screens.print_facts(console, facts)
    stray = [f"{graded.path}: {complaint}" for graded in found.grades for complaint in graded.complaints]
    unreadable = [
        f"{graded.path} could not be read: {graded.unreadable}" for graded in found.grades if graded.unreadable
    ]
    twice = [f"{' and '.join(files)} name the same student; all are graded" for files in found.namesakes.values()]
    ignored = [f"{name} is not an answer file by its ending" for name in found.ignored]
    for line in [
        *unreadable,
        *stray[:_MOST_STRAY],
        *_more(len(stray) - _MOST_STRAY),
        *twice,
        *ignored,
        *(f"to_read.csv, {row}" for row in found.unused),
    ]:
        console.print(Text.assemble(("  note", "bold yellow"), f"  {line}"), soft_wrap=True)
