"""A class as a teacher grades it: two hundred files through `headwright assignment grade`, with tables, pages and statistics."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from evidence.answer_files import toml
from headwright.problems import CATALOGUE
from tests.answer_bank import RIGHT, WRONG

FILES, STATEMENTS, LIMIT, SMALL = 200, 9, 90.0, 75_000
ASKED = [*sorted(RIGHT), *[name for name, problem in CATALOGUE.items() if problem.statements][:STATEMENTS]]
CLAIM = (
    f"{FILES} files with {len(ASKED)} answers each, no two with a formula of the same tree, are graded in at most {LIMIT:g} "
    f"seconds by two processes, with a page of at most {SMALL // 1000} kB for each student. A second run judges nothing again."
)


def run() -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_class(folder / "answers", FILES)
        (folder / "homework.toml").write_text(assignment(), "utf-8")
        return [graded(folder, again=again) for again in (False, True)]


def graded(folder: Path, *, again: bool) -> dict[str, object]:
    """One run of the command, in the folder that holds the class."""
    command = [
        sys.executable,
        "-m",
        "headwright",
        "assignment",
        "grade",
        "homework.toml",
        "answers",
        "--output",
        "marks",
    ]
    start = perf_counter()
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    seconds = perf_counter() - start
    pages = list((folder / "marks" / "feedback").glob("*.html"))
    results = (folder / "marks" / "results.jsonl").read_text("utf-8")
    largest = max((page.stat().st_size for page in pages), default=0)
    complete = done.returncode == 0 and len(pages) == FILES and largest <= SMALL
    complete = complete and not any(f'"status": "{bad}"' in results for bad in ("fault", "stopped"))
    return {
        "run": "again" if again else "first",
        "files": FILES,
        "answers": FILES * len(ASKED),
        "seconds": seconds,
        "largest page kB": largest / 1000,
        "peak MB of a process": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
        "limit": LIMIT,
        "met": complete and seconds <= LIMIT,
    }


def assignment() -> str:
    """All questions of the bank, and some of those that ask for a statement."""
    return 'title = "Attention"\n' + "".join(f'[[question]]\nid = "{name}"\npoints = 4\n' for name in ASKED)


def write_class(folder: Path, count: int) -> None:
    """The answer files of `count` students."""
    folder.mkdir(parents=True)
    for number in range(count):
        text = f'student = "Student {number + 1}"\n{toml(answers_of(number))}'
        (folder / f"student-{number + 1:03}.toml").write_text(text, "utf-8")


def answers_of(number: int) -> dict[str, dict[str, str]]:
    """A student's answers, right and wrong by turns; each formula has a factor that no other student has."""
    found: dict[str, dict[str, str]] = {}
    for k, name in enumerate(ASKED):
        if name in RIGHT:
            bank = (RIGHT, WRONG)[(number + k) % 2][name]
            found[name] = {key: own(text, name, number) for key, text in bank[(number // 2) % len(bank)].items()}
        else:
            statements = CATALOGUE[name].statements
            found[name] = {"statement": statements[number % len(statements)].id}
    return found


def own(text: str, name: str, number: int) -> str:
    """The formula with the student's own factor, which cancels where the length of the answer is asked for."""
    factor = f"{1 + (number + 1) / 1000:.3f}"
    if text == "none":
        return text
    exact = CATALOGUE[name].kind not in ("near", "exact")
    return f"{factor}*({text})/{factor}" if exact else f"{factor}*({text})"
