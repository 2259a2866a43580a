"""Two hundred answer files through `headwright check`, as a teacher runs it: processes, table and all."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from evidence.answer_files import toml
from headwright.problems import CATALOGUE
from tests.answer_bank import RIGHT, WRONG

FILES, STATEMENTS, LIMIT = 200, 9, 60.0
EACH = len(RIGHT) + STATEMENTS
CLAIM = (
    f"{FILES} answer files with {EACH} answers each, half of them wrong, are graded in under {LIMIT:g} seconds by two processes, "
    "also where no two formulas are written alike."
)


def run() -> list[dict[str, object]]:
    return [graded(alike=alike) for alike in (True, False)]


def graded(*, alike: bool) -> dict[str, object]:
    """One run; unless `alike`, every formula is written as in no other file, so that none is known already."""
    with tempfile.TemporaryDirectory() as folder:
        answers = [made(number, alike=alike) for number in range(FILES)]
        for number, held in enumerate(answers):
            Path(folder, f"{number:03}.toml").write_text(toml(held), "utf-8")
        table = Path(folder, "grades.csv")
        command = [sys.executable, "-m", "headwright", "check", folder, "--csv", str(table), "--jobs", "2"]
        start = perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        seconds = perf_counter() - start
        rows = table.read_text("utf-8").splitlines()[1:] if table.exists() else []
    complete = (
        done.returncode == 0 and len(rows) == FILES and not any("not judged" in row or "stopped" in row for row in rows)
    )
    count = sum(map(len, answers))
    return {
        "formulas": "some alike" if alike else "all different",
        "files": FILES,
        "answers": count,
        "seconds": seconds,
        "ms an answer": 1e3 * seconds / count,
        "limit": LIMIT,
        "met": complete and seconds < LIMIT,
    }


def made(number: int, *, alike: bool) -> dict[str, dict[str, str]]:
    """A full file: every question of the bank, right and wrong by turns, and some of those that ask for a statement."""
    found: dict[str, dict[str, str]] = {}
    for k, name in enumerate(sorted(RIGHT)):
        bank = (RIGHT, WRONG)[(number + k) % 2][name]
        chosen = bank[(number // 2) % len(bank)]
        found[name] = chosen if alike else {key: f"{text}{' ' * number}" for key, text in chosen.items()}
    asked = [problem for problem in CATALOGUE.values() if problem.statements]
    for k in range(STATEMENTS):
        problem = asked[(number + k) % len(asked)]
        found[problem.id] = {"statement": problem.statements[number % len(problem.statements)].id}
    return found
