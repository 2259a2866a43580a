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
from rich.padding import Padding
from rich.text import Text

from headwright.cli import screens
from headwright.cli.output_files import check_files

if TYPE_CHECKING:
    from headwright.problems.grading import Grade, Result

_FORMATS = ("text", "json", "gradescope")
_COLOURS = {**screens.COLOURS, "invalid": "bold red", "missing": "dim", "key-right": "green", "key-wrong": "red"}
_DOUBT = "bold yellow"
_MOST_MISSING = 8  # questions without an answer that are named


def check_command(
    files: Annotated[
        list[str], typer.Argument(metavar="ANSWERS…", help="Answer files (.md, .txt, .toml), or folders of them.")
    ],
    explain: Annotated[bool, typer.Option("--explain", help="Show our own answers beside the answers given.")] = False,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="GRADES.csv", help="Write one row per file as it is graded. Run again to resume."
        ),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, json, or gradescope (results.json of one file).")
    ] = "text",
    problems: Annotated[
        Path | None, typer.Option("--problems", metavar="MINE.toml", help="Questions of your own, beside the sheets'.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write to this file instead of the screen.")
    ] = None,
    assignment: Annotated[
        Path | None,
        typer.Option(metavar="HOMEWORK.toml", help="Count the questions of this assignment, with its points."),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help="practical: full marks for n ≤ 10^6, ε ≥ 10^−6, or in the limit. strict: only for what is proved for all.",
        ),
    ] = "practical",
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=64, help="Number of processes that judge answers.")] = 2,
    as_json: screens.Json = False,
) -> int:
    """Judge answers to the sheets' questions by what they do: points, and a message for the student.

    An answer file is Markdown, plain text or TOML. It has a header for each
    question, ## A.1a, and below it lines such as q = 3 (k_1 + k_2). Messages
    never give the answer away, unless --explain is asked for. Exit code 0 once
    grading is done, whatever the grades.

    Example: headwright check submissions --csv grades.csv
    """
    form = "json" if as_json else form
    if form not in _FORMATS:
        raise ValueError(f"`--format` must be one of {', '.join(_FORMATS)}, got {form!r}")
    paths = _paths(files, alone=form == "gradescope")
    check_files({"--csv": csv, "--output": output})
    asked = (problems, assignment)
    grades, kept = _grades(paths, asked, table_at=csv, policy=policy, jobs=jobs, explain=explain)
    text = _text(grades, kept, form, short=csv is not None)
    if output is not None:
        output.write_text(text, "utf-8")
        print(f"Saved {output}")
    elif form == "text":
        _show(screens.out(), grades, kept, short=csv is not None)
    else:
        print(text, end="")
    return 0


def _paths(files: list[str], *, alone: bool) -> list[str]:
    """The files that are meant, each once: folders stand for the answer files in them, patterns that no shell opened for theirs.

    With `alone` there must be only one, which need not exist: a student who hands nothing in gets a message and 0 points.
    """
    paths = list(dict.fromkeys(path for name in files for path in _meant(name)))
    if alone:
        if len(paths) > 1 or len(files) > 1:
            raise ValueError(
                f"`--format gradescope` is for one file, got {max(len(paths), len(files))}: call it once for each file"
            )
        return paths or files
    if not any(Path(name).is_file() for name in paths):
        raise FileNotFoundError(f"`ANSWERS` must name at least one file; there is none at {', '.join(files[:3])}")
    for name in files:
        if not _meant(name):
            print(f"{name}: no answer files there (.md, .txt or .toml)", file=sys.stderr)
    _name_double_files(paths)
    return paths


def _name_double_files(paths: list[str]) -> None:
    """Say where answers lie there in two forms, ada.md and ada.toml: both are graded, and a person must choose."""
    forms: dict[Path, list[str]] = {}
    for path in paths:
        forms.setdefault(Path(path).with_suffix(""), []).append(path)
    for same in forms.values():
        if len(same) > 1:
            print(
                f"{' and '.join(same)} have one name: each is graded by itself, keep the one that counts",
                file=sys.stderr,
            )


def _meant(name: str) -> list[str]:
    from headwright.problems.answers.answer_files import SUFFIXES

    path = Path(name)
    if path.is_dir():
        inside = [inner for inner in path.iterdir() if inner.suffix.lower() in SUFFIXES and inner.is_file()]
        return sorted(str(inner) for inner in inside if not inner.name.startswith("."))
    return sorted(glob.glob(name)) if not path.exists() and glob.has_magic(name) else [name]


def _grades(
    paths: list[str],
    asked: tuple[Path | None, Path | None],
    *,
    table_at: Path | None,
    policy: str,
    jobs: int,
    explain: bool,
) -> tuple[list[Grade], int]:
    """The grades in the order of the files, and how many rows of an earlier table were kept instead."""
    from headwright.problems import grade_many, load
    from headwright.problems.grading._grade import Rules, explanations
    from headwright.problems.grading.grade_tables import GradeTable, digests_of

    problems, assignment = asked
    questions = Rules.of(assignment, problems=None if problems is None else load(problems)).questions
    grades: dict[str, Grade] = {}
    with ExitStack() as stack:
        done: frozenset[str] = frozenset()
        table = None
        if table_at is not None:
            sheets = {name: question.sheet for name, question in questions.items()}
            table = stack.enter_context(GradeTable(table_at, sheets, digests_of(paths, asked, policy)))
            done = table.done
        left = [path for path in paths if path not in done]
        for graded in grade_many(left, problems=problems, assignment=assignment, policy=policy, jobs=jobs):
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


def _text(grades: list[Grade], kept: int, form: str, *, short: bool) -> str:
    """What goes to a file or, for the formats of programs, to the screen."""
    if form == "json":
        return json.dumps({"status": "done", "kept": kept, "grades": [graded.to_dict() for graded in grades]}) + "\n"
    if form == "gradescope":
        from headwright.problems.grading.gradescope import results_json

        return json.dumps(results_json(grades[0])) + "\n"
    console = Console(width=100, highlight=False)
    with console.capture() as printed:
        _show(console, grades, kept, short=short)
    return printed.get()


def _show(console: Console, grades: list[Grade], kept: int, *, short: bool) -> None:
    """All grades; `short` where a table already has the details."""
    for graded in grades:
        if short:
            console.print(_line(graded), soft_wrap=True)
        else:
            _show_one(console, graded)
    if kept:
        console.print(f"{kept} {'file was' if kept == 1 else 'files were'} graded before and did not change")
    if len(grades) + kept > 1:
        bad = sum(graded.unreadable is not None for graded in grades)
        console.print(f"{len(grades)} files graded, {bad} of them unreadable")


def _show_one(console: Console, graded: Grade) -> None:
    console.print(Text(" ".join(filter(None, (graded.path, graded.student and f"({graded.student})"))), style="bold"))
    if graded.unreadable is not None:
        console.print(Text.assemble(("  not graded", "bold red"), f": {graded.unreadable}\n"))
        return
    for result in graded.answered:
        _show_answer(console, result)
    for complaint in graded.complaints:
        console.print(Padding(Text.assemble(("not graded", _DOUBT), f": {complaint}"), (0, 0, 0, 2), expand=False))
    missing = [result.id for result in graded.results.values() if result.status == "missing"]
    if missing:
        others = ", ".join(missing) if len(missing) <= _MOST_MISSING else f"{len(missing)} questions of these sheets"
        console.print(Padding(Text(f"no answer to {others}", style="dim"), (0, 0, 0, 2), expand=False))
    for total in graded.totals:
        console.print(Text(f"  Sheet {total.sheet}: {total}", style="bold"))
    console.print()


def _show_answer(console: Console, result: Result) -> None:
    possible = "" if result.possible is None else f"  {result.points} of {result.possible}"
    worth = f"  up to {result.possible}" if result.to_read and possible else possible
    word = (result.word, _COLOURS.get(result.status, _DOUBT))
    console.print(Padding(Text.assemble((f"{result.id:<7} ", "bold"), word, worth), (0, 0, 0, 2), expand=False))
    if result.reading:
        console.print(Padding(Text(f"read as {result.reading}", style="dim"), (0, 0, 0, 10), expand=False))
    if result.message:
        console.print(Padding(Text(result.message), (0, 0, 0, 10), expand=False))
    if result.explanation:
        console.print(Padding(Text(f"Our answer: {result.explanation}", style="cyan"), (0, 0, 0, 10), expand=False))


def _line(graded: Grade) -> Text:
    who = f" ({graded.student})" if graded.student else ""
    if graded.unreadable is not None:
        return Text(f"{graded.path}{who}: not graded: {graded.unreadable}")
    sums = "; ".join(f"sheet {total.sheet}: {total}" for total in graded.totals)
    return Text(f"{graded.path}{who}: {sums or 'no answers'}")
