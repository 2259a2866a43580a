"""headwright check: answer files judged question by question; a grade for each, and a table of many."""

from __future__ import annotations

import glob
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from headwright.cli import check_screens, screens
from headwright.cli.saving import check_target

if TYPE_CHECKING:
    from headwright.problems.answers import Grade

_FORMATS = ("text", "json", "gradescope")


def check_command(
    files: Annotated[list[str], typer.Argument(metavar="ANSWERS.toml…", help="Answer files, or folders of them.")],
    explain: Annotated[bool, typer.Option("--explain", help="Show our own answers beside the answers given.")] = False,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="GRADES.csv", help="A row per file, written as it comes; a later run goes on."),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, json, or gradescope (results.json of one file).")
    ] = "text",
    problems: Annotated[
        Path | None, typer.Option("--problems", metavar="MINE.toml", help="Questions of your own, beside the sheets'.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write there instead of to the screen.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=64, help="Processes that judge.")] = 2,
    as_json: screens.Json = False,
) -> int:
    """Judge answers to the sheets' questions by what they do: points, and a message for the student.

    An answer file has a table for each question, \\[A.1a], and below it lines
    such as q = "3*(k_1 + k_2)". Messages never give the answer away, unless
    --explain is asked for. Exit code 0 once grading is done, whatever the grades.

    Example: headwright check submissions/*.toml --csv grades.csv
    """
    form = "json" if as_json else form
    if form not in _FORMATS:
        raise ValueError(f"`--format` must be one of {', '.join(_FORMATS)}, got {form!r}")
    paths = _paths(files, alone=form == "gradescope")
    check_target(csv, "--csv")
    check_target(output, "--output")
    grades, kept = _grades(paths, table_at=csv, problems=problems, jobs=jobs, explain=explain)
    text = _told(grades, kept, form, short=csv is not None)
    if output is not None:
        output.write_text(text, "utf-8")
        print(f"Saved {output}")
    elif form == "text":
        check_screens.show(screens.out(), grades, kept, short=csv is not None)
    else:
        print(text, end="")
    return 0


def _paths(files: list[str], *, alone: bool) -> list[str]:
    """The files that are meant, each once: folders stand for their .toml files, patterns that no shell opened for theirs.

    `alone`: just one, and it need not exist: a student who hands nothing in is told so, with 0 points.
    """
    found = list(dict.fromkeys(path for name in files for path in _meant(name)))
    if alone:
        if len(found) > 1 or len(files) > 1:
            raise ValueError(
                f"`--format gradescope` is for one file, got {max(len(found), len(files))}: give each a call of its own"
            )
        return found or files
    if not any(Path(name).is_file() for name in found):
        raise FileNotFoundError(f"`ANSWERS` must name at least one file; there is none at {', '.join(files[:3])}")
    for name in files:
        if not _meant(name):
            print(f"{name}: no .toml files there", file=sys.stderr)
    return found


def _meant(name: str) -> list[str]:
    path = Path(name)
    if path.is_dir():
        return sorted(str(inner) for inner in path.glob("*.toml"))
    return sorted(glob.glob(name)) if not path.exists() and glob.has_magic(name) else [name]


def _grades(
    paths: list[str], *, table_at: Path | None, problems: Path | None, jobs: int, explain: bool
) -> tuple[list[Grade], int]:
    """The grades in the order of the files, and how many rows of an earlier table were kept instead."""
    from headwright.problems import grade_many, load
    from headwright.problems.answers._grade import explanations, questions_with
    from headwright.problems.answers.grade_tables import GradeTable, digests_of

    questions = questions_with(None if problems is None else load(problems))
    grades: dict[str, Grade] = {}
    with ExitStack() as stack:
        done: frozenset[str] = frozenset()
        table = None
        if table_at is not None:
            sheets = {name: question.sheet for name, question in questions.items()}
            table = stack.enter_context(GradeTable(table_at, sheets, digests_of(paths, problems)))
            done = table.done
        left = [path for path in paths if path not in done]
        for graded in grade_many(left, problems=problems, jobs=jobs):
            if table is not None:
                table.add(graded)
            grades[graded.path] = graded.explained(explanations(graded, questions)) if explain else graded
            _progress(len(grades), len(left))
    return [grades[path] for path in left], len(paths) - len(left)


def _progress(done: int, total: int) -> None:
    """How far we are, on a terminal only, in one line that the report overwrites."""
    if total > 1 and sys.stderr.isatty():
        end = "\r" if done < total else "\r\033[K"
        print(f"{done} of {total} files graded", end=end, file=sys.stderr, flush=True)


def _told(grades: list[Grade], kept: int, form: str, *, short: bool) -> str:
    """What goes to a file or, for the formats of programs, to the screen."""
    if form == "json":
        told = {"status": "done", "kept": kept, "grades": [graded.to_dict() for graded in grades]}
        return json.dumps(told) + "\n"
    if form == "gradescope":
        from headwright.problems.answers.gradescope import results_json

        return json.dumps(results_json(grades[0])) + "\n"
    console = Console(width=100, record=True, file=None, highlight=False)
    with console.capture() as printed:
        check_screens.show(console, grades, kept, short=short)
    return printed.get()
