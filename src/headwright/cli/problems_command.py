"""headwright problems: the questions of the five sheets; with an id, one of them explained; with --report, all as a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from headwright.cli import screens
from headwright.cli.output_files import check_files
from headwright.words.design import weight_bars

if TYPE_CHECKING:
    from headwright.problems import Problem, Showing

# Kinds of question without a setting, and what an answer to them is.
_PLAIN = {"number": ", a number or a formula", "choice": ", the id of what you choose", "text": ", free text"}


def problems_command(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID]…",
            help="A question's id, such as A.1b; without one, all are listed. With --template also sheets, such as D.",
        ),
    ] = None,
    question: Annotated[
        bool, typer.Option("--question", help="With an ID: the question alone and how to answer it, no answers.")
    ] = False,
    template: Annotated[
        bool, typer.Option("--template", help="Write an answer file to fill in, in Markdown, with these questions.")
    ] = False,
    problems: Annotated[
        Path | None, typer.Option(metavar="MINE.toml", help="Show a teacher's own questions instead.")
    ] = None,
    new: Annotated[
        Path | None,
        typer.Option(
            metavar="MINE.toml", help="Write a new file of questions with one of each kind, to change into yours."
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.svg|.png", help="With an ID: draw its weights (the extra plots).")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write report.html and report.json of all questions into DIR.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the template to this file instead of the screen."),
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """List the questions of five problem sheets on attention, or answer one and judge its published answer.

    Examples: headwright problems A.1b, headwright problems A.1b --question,
    headwright problems D --template -o answers.md,
    headwright problems --report sheets, headwright problems --new mine.toml
    """
    from headwright.problems import find, load

    if new is not None:
        if ids or question or template or any(given is not None for given in (problems, picture, report)):
            raise ValueError("`--new` writes a file and shows nothing: it goes with no other option and no ID")
        return _write_new(new, as_json)
    for option, given in {"--picture": picture, "--report": report}.items():
        if given is not None and (question or template or problems is not None):
            raise ValueError(
                f"`{option}` shows answers: it does not go with `--question`, `--template` or `--problems`"
            )
    own = None if problems is None else load(problems)
    if template:
        return _write_template(ids or [], own, output, as_json)
    if output is not None:
        raise ValueError("`--output` goes with `--template`")
    problem_id = _only(ids)
    if problems is not None and own is not None:
        return _show_own(own, problems.name, problem_id, as_json)
    if report is not None:
        if problem_id is not None or picture is not None:
            raise ValueError("`--report` is about all questions: it goes with neither an ID nor `--picture`")
        return _write_report(report, as_json)
    if problem_id is None and question:
        raise ValueError("`--question` needs an ID, as in `headwright problems A.1a --question`")
    if problem_id is None and picture is not None:
        raise ValueError("`--picture` needs an ID, as in `headwright problems A.1d --picture a.svg`")
    if problem_id is None:
        return _list_all(as_json)
    if question:
        return _show_question(find(problem_id), as_json)
    return _show_one(find(problem_id), as_json, picture)


def _write_new(path: Path, as_json: bool) -> int:
    """Write the questions to begin from; a file that exists is never overwritten."""
    from headwright.problems.catalogue import OWN_QUESTIONS

    check_files({"--new": path})
    if path.exists():
        raise ValueError(f"`--new` {path} exists already: name a new file")
    path.write_text(OWN_QUESTIONS.read_text("utf-8"), "utf-8")
    if as_json:
        screens.print_json({"status": "done", "questions": str(path)})
    else:
        see = f"See the questions: headwright problems --problems {path}"
        screens.print_plain(screens.out(), f"Wrote {path}, with one question of each kind.\n{see}")
    return 0


def _only(ids: list[str] | None) -> str | None:
    if ids and len(ids) > 1:
        raise ValueError(f"`ID` must be one question unless you ask for a `--template`, got {', '.join(ids[:5])}")
    return ids[0] if ids else None


def _write_template(ids: list[str], own: Mapping[str, Problem] | None, output: Path | None, as_json: bool) -> int:
    """Write a file to fill in: for the questions and sheets that are named, or for all of a teacher's own."""
    from headwright.problems import CATALOGUE
    from headwright.problems.answers.templates import chosen, template

    if not ids and own is None:
        raise ValueError("`--template` needs sheets or IDs, as in `headwright problems D --template`")
    picked = chosen(ids, CATALOGUE if own is None else own)
    text = template(picked)
    check_files({"--output": output})
    if output is not None:
        output.write_text(text, "utf-8")
    if as_json:
        written = {"output": str(output)} if output else {"template": text}
        screens.print_json({"status": "done", "questions": [problem.id for problem in picked], **written})
    else:
        print(text if output is None else f"Saved {output}", end="" if output is None else "\n")
    return 0


def _list_all(as_json: bool) -> int:
    from headwright.problems import CATALOGUE, SHEETS, runs

    if as_json:
        questions = [problem.to_dict() for problem in CATALOGUE.values()]
        counts = {"running": len(runs()), "total": len(CATALOGUE)}
        screens.print_json({"status": "done", **counts, "questions": questions})
        return 0
    console = screens.out()
    for letter, title in SHEETS.items():
        console.print(Text.assemble((f"Sheet {letter}", "bold"), f"  {title}"))
        console.print(_rows([problem for problem in CATALOGUE.values() if problem.sheet == letter]))
        console.print()
    console.print("One with its answer: [cyan]headwright problems A.1b[/cyan]")
    console.print("The question alone:  [cyan]headwright problems A.1b --question[/cyan]")
    console.print(f"{len(runs())} of {len(CATALOGUE)} questions run")
    return 0


def _rows(problems: list[Problem]) -> Padding:
    rows = Table.grid(padding=(0, 3, 0, 0))
    rows.add_column(min_width=7, no_wrap=True)
    rows.add_column(min_width=9, no_wrap=True, justify="right")
    rows.add_column(no_wrap=True)
    for problem in problems:
        points = "" if problem.points is None else f"{problem.points:g} points"
        rows.add_row(problem.id, points, problem.theme)
    return Padding(rows, (0, 0, 0, 2), expand=False)


def _write_report(folder: Path, as_json: bool) -> int:
    """Write the report of all questions."""
    from headwright.problems.reports.page import write_report

    page, data = write_report(folder)
    if as_json:
        screens.print_json({"status": "done", "report": str(page), "data": str(data)})
    else:
        screens.print_plain(screens.out(), f"Report: {page}\nData:   {data}")
    return 0


def _show_own(own: Mapping[str, Problem], file: str, problem_id: str | None, as_json: bool) -> int:
    """A teacher's questions, one line each, or one of them alone."""
    from headwright.problems.catalogue import known_as

    if problem_id is not None:
        if (known := known_as(problem_id, own)) is None:
            raise ValueError(f"`ID` must be a question of {file}: {', '.join(own)}; got {problem_id!r}")
        return _show_question(own[known], as_json)
    if as_json:
        screens.print_json({"status": "done", "questions": [_asked(problem) for problem in own.values()]})
    else:
        screens.print_facts(screens.out(), [(name, p.title or p.question.strip()) for name, p in own.items()])
    return 0


def _show_question(problem: Problem, as_json: bool) -> int:
    """The question for those who are to answer it: nothing of the published answer, of ours, or of a teacher's solution."""
    if as_json:
        screens.print_json({"status": "done", **_asked(problem)})
        return 0
    console = screens.out()
    _print_heading(console, problem)
    if problem.family.fixed:
        screens.print_facts(console, [("keys", _asked(problem)["keys"]), *_form(problem).items()], indent=0)
    else:
        _print_entry(console, problem)
    return 0


def _asked(problem: Problem) -> dict[str, Any]:
    """What those who are to answer may know, with the keys where these are given."""
    from headwright.problems.judges.key_words import keys_in_words

    keys = {"keys": keys_in_words(problem.setting())} if problem.family.fixed else {}
    return {**problem.asked(), **keys}


def _form(problem: Problem) -> dict[str, str]:
    """What an answer defines, and what a formula in it may use."""
    over = f", over {', '.join(problem.names)}" if problem.names else _PLAIN.get(problem.kind, "")
    functions = {"functions": "; ".join(problem.functions)} if problem.functions else {}
    return {"answer": f"{' and '.join(problem.answers)}{over}", **functions}


def _show_one(problem: Problem, as_json: bool, picture: Path | None) -> int:
    """The exit code is 0 even where the published answer is refuted: the command was asked to find that out."""
    from headwright.problems import run

    check_files({"--picture": picture})
    showing = run(problem.id)
    if picture is not None:
        from headwright.faces import pictures
        from headwright.problems.reports.drawings import picture_of

        pictures.save(picture_of(showing), picture)
    if as_json:
        screens.print_json({"status": "done", **({"picture": str(picture)} if picture else {}), **showing.to_dict()})
        return 0
    console = screens.out()
    _print_heading(console, problem)
    _print_entry(console, problem)
    console.print(Text("Published answer", style="bold"))
    console.print(Text(f"{problem.published or 'none: the sheet has questions only'}\n"))
    _print_showing(console, showing)
    if picture is not None:
        screens.print_plain(console, f"Picture: {picture}")
    return 0


def _print_heading(console: Console, problem: Problem) -> None:
    """The question with its id and points."""
    points = "" if problem.points is None else f", {problem.points:g} points"
    console.print(Text(f"Question {problem.id}{points}", style="bold"))
    console.print(Text(f"{problem.question.strip()}\n"))


def _print_entry(console: Console, problem: Problem) -> None:
    """What must be shown, where answers are judged, what an answer must define, and the statements of an essay question."""
    from headwright.problems.reports.entries import setting_in_words

    setting = "" if problem.kind in _PLAIN else setting_in_words(problem)
    facts = {"to show": problem.must_show, "setting": setting, **_form(problem)}
    screens.print_facts(console, [(name, text) for name, text in facts.items() if text], indent=0)
    console.print()
    if problem.statements:
        console.print(Text("An answer names one of these statements, true ones and common mistakes", style="bold"))
        screens.print_facts(console, [(statement.id, statement.text) for statement in problem.statements])
        console.print()


def _print_showing(console: Console, showing: Showing) -> None:
    from headwright.problems import WORDS

    console.print(Text("Our answer", style="bold"))
    console.print(Text(f"{showing.construction}\n"))
    if showing.weights is not None:
        marks = " (* named by the goal)" if showing.goal else ""
        charts = [(f"{showing.caption}{marks}", showing.weights, showing.goal), *showing.further()]
        for caption, weights, goal in charts:  # names within a caption, such as Xπ, keep their capitals
            screens.print_plain(console, f"{caption[:1].upper()}{caption[1:]}:")
            screens.print_plain(console, weight_bars(weights, goal) + "\n")
    screens.print_verdict(console, showing.ours, label="Ours")
    if showing.published is not None:
        console.print()
        screens.print_verdict(console, showing.published, label="Published")
    console.print(Text(f"\n{WORDS}", style="dim"))
