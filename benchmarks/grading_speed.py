"""Two hundred answer files through `headwright check`, as a teacher runs it: processes, table and all."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from evidence.answer_files import toml
from tests.answer_bank import RIGHT, WRONG

FILES, LIMIT = 200, 60.0
CLAIM = f"{FILES} answer files with ten answers each, half of them wrong, are graded in under {LIMIT:g} seconds by two processes."


def run() -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory() as folder:
        answers = [made(number) for number in range(FILES)]
        for number, held in enumerate(answers):
            Path(folder, f"{number:03}.toml").write_text(toml(held), "utf-8")
        start = perf_counter()
        command = [
            sys.executable,
            "-m",
            "headwright",
            "check",
            folder,
            "--csv",
            str(Path(folder, "grades.csv")),
            "--jobs",
            "2",
        ]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        seconds = perf_counter() - start
        rows = Path(folder, "grades.csv").read_text("utf-8").splitlines()[1:]
    complete = (
        done.returncode == 0 and len(rows) == FILES and not any("not judged" in row or "stopped" in row for row in rows)
    )
    count = sum(map(len, answers))
    return [
        {
            "files": FILES,
            "answers": count,
            "seconds": seconds,
            "ms an answer": 1e3 * seconds / count,
            "limit": LIMIT,
            "met": complete and seconds < LIMIT,
        }
    ]


def made(number: int) -> dict[str, dict[str, str]]:
    """Ten answers of the bank, another ten in every file."""
    ids = sorted(RIGHT)
    chosen = [ids[(number + 3 * k) % len(ids)] for k in range(10)]
    banks = [(RIGHT, WRONG)[(number + k) % 2] for k in range(10)]
    return {name: bank[name][(number // 7) % len(bank[name])] for name, bank in zip(chosen, banks, strict=True)}
