"""What `headwright problems` shows besides verdicts: a question's entry, its picture, the report of all sheets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from headwright.cli import screens

if TYPE_CHECKING:
    from headwright.problems import Problem, Showing


def print_entry(console: Console, problem: Problem) -> None:
    """What must be shown, where answers are judged, what an answer must define, and the statements of an essay question."""
    from headwright.reports.entries import setting_in_words

    facts = {"to show": problem.must_show, "setting": setting_in_words(problem), **_form(problem)}
    screens.print_facts(console, [(name, text) for name, text in facts.items() if text], indent=0)
    console.print()
    if problem.statements:
        console.print(Text("An answer names one of these statements, true ones and common mistakes", style="bold"))
        screens.print_facts(console, [(statement.id, statement.text) for statement in problem.statements])
        console.print()


def print_heading(console: Console, problem: Problem) -> None:
    """The question with its id and points."""
    points = "" if problem.points is None else f", {problem.points} points"
    console.print(Text(f"Question {problem.id}{points}", style="bold"))
    console.print(Text(f"{problem.question.strip()}\n"))


def show_question(problem: Problem, as_json: bool) -> int:
    """The question for those who are to answer it: nothing of the published answer, of ours, or of a teacher's solution."""
    console = screens.out()
    if as_json:
        screens.print_json({"status": "done", **_asked(problem)})
    elif problem.family.fixed:
        print_heading(console, problem)
        screens.print_facts(console, [("keys", _asked(problem)["keys"]), *_form(problem).items()], indent=0)
    else:
        print_heading(console, problem)
        print_entry(console, problem)
    return 0


def list_own(problems: Mapping[str, Problem], as_json: bool) -> int:
    """A teacher's questions, one line each."""
    if as_json:
        screens.print_json({"status": "done", "questions": [_asked(problem) for problem in problems.values()]})
    else:
        screens.print_facts(screens.out(), [(name, p.title or p.question.strip()) for name, p in problems.items()])
    return 0


def _asked(problem: Problem) -> dict[str, Any]:
    """What those who are to answer may know, with the keys where these are given."""
    from headwright.problems.judges.given_keys import keys_in_words

    keys = {"keys": keys_in_words(problem.setting())} if problem.family.fixed else {}
    return {**problem.asked(), **keys}


def _form(problem: Problem) -> dict[str, str]:
    """What an answer defines, and what a formula in it may use."""
    over = f", over {', '.join(problem.names)}" if problem.names else ""
    functions = {"functions": "; ".join(problem.functions)} if problem.functions else {}
    return {"answer": f"{' and '.join(problem.answers)}{over}", **functions}


def draw(path: Path | None, showing: Showing) -> str | None:
    """Draw the question into `path` and return its name; None where no picture is wanted."""
    if path is None:
        return None
    from headwright import pictures
    from headwright.reports.drawings import picture_of

    return str(pictures.save(picture_of(showing), path))


def write_sheets(folder: Path, problem_id: str | None, picture: Path | None, as_json: bool) -> int:
    """The report of all questions, telling on stderr how it goes where that is a terminal."""
    from headwright.reports.page import write_report

    if problem_id is not None or picture is not None:
        raise ValueError("`--report` is about all questions: it goes with neither an ID nor `--picture`")
    voice = Console(stderr=True, highlight=False)
    with voice.status("running the questions") as status:
        page, data = write_report(folder, say=lambda name: status.update(f"running {name}"))
    if as_json:
        screens.print_json({"status": "done", "report": str(page), "data": str(data)})
    else:
        screens.print_plain(screens.out(), f"The five sheets as a page: {page}\nThe same as data:          {data}")
    return 0
