"""What `headwright problems` shows besides verdicts: a question's entry, its picture, the report of all sheets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from headwright.cli import screens

if TYPE_CHECKING:
    from headwright.problems import Problem, Showing


def print_entry(console: Console, problem: Problem) -> None:
    """What must be shown, where answers are judged, what an answer must define, and the statements of an essay question."""
    from headwright.reports.setting_words import setting_in_words

    form = " and ".join(problem.answers)
    over = f", over {', '.join(problem.names)}" if problem.names else ""
    facts = {"to show": problem.must_show, "setting": setting_in_words(problem), "answer": f"{form}{over}"}
    screens.print_facts(console, [(name, text) for name, text in facts.items() if text], indent=0)
    console.print()
    if problem.statements:
        console.print(Text("An answer names one of these statements, true ones and common mistakes", style="bold"))
        screens.print_facts(console, [(statement.id, statement.text) for statement in problem.statements])
        console.print()


def draw(path: Path | None, problem: Problem, showing: Showing | None) -> str | None:
    """Draw the question into `path` and return its name; None where no picture is wanted."""
    if path is None:
        return None
    if showing is None:
        raise ValueError(f"`--picture` needs a question that runs; {problem.id} waits for {problem.waits_for}")
    from headwright import pictures
    from headwright.reports.weight_chart import picture_of

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
