"""Grades as CSV: a row for each file, written as soon as it is graded; a run that was killed resumes where it was.

Columns: file, digest, student, why the file could not be read, notes (entries that belong to no question, or no answers
at all), what a person must read, whether the sums are provisional for that reason, points or right answers of each
sheet, marks, and a word for each question. A row is kept by a later run while the digest (of the answers, the teacher's
questions and the version of headwright) is the same. Cells that a spreadsheet would take for formulas begin with an apostrophe.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import IO, Self, final

from headwright.problems.answers.safe_text import plain
from headwright.problems.catalogue import marks_of
from headwright.problems.grading.grades import Grade
from headwright.reading import toml_files

_FIRST = ("file", "digest", "student", "unreadable", "notes", "to read", "provisional")
_ACTIVE = ("=", "+", "-", "@", "'")


@final
class GradeTable:
    """The CSV file `path`, open for one run; `done` has the files whose rows are kept.

    `questions` are {id: sheet} in the order of the columns.
    """

    def __init__(self, path: Path, questions: dict[str, str], digests: dict[str, str]) -> None:
        self.path, self.questions = path, list(questions)
        self.sheets = list(dict.fromkeys(questions.values()))
        self.marked = [sheet for sheet in self.sheets if marks_of(sheet)]
        self.columns = [*_FIRST, *(f"sheet {s}" for s in self.sheets), *(f"mark {s}" for s in self.marked), *questions]
        self.digests = digests
        kept = self._kept()
        cells = {row[0] for row in kept}
        self.done = frozenset(file for file in digests if safe_cell(file) in cells)
        _write_whole(path, [self.columns, *kept])
        self._file: IO[str] = path.open("a", encoding="utf-8", newline="")

    def _kept(self) -> list[list[str]]:
        """Rows of an earlier run whose files have not changed; a last row without its end was cut off by a kill."""
        if not self.path.exists():
            return []
        whole = [line for line in self.path.read_text("utf-8-sig").splitlines(keepends=True) if line.endswith("\n")]
        rows = list(csv.reader(whole))
        if not rows and not self.path.stat().st_size:
            return []
        if not rows or rows[0] != self.columns:
            raise ValueError(f"`--csv` {self.path} holds a table with other columns: name another file")
        known = {safe_cell(file): digest for file, digest in self.digests.items()}
        return [row for row in rows[1:] if len(row) == len(self.columns) and known.get(row[0]) == row[1]]

    def add(self, graded: Grade) -> None:
        """Write the row of a graded file; it is on disk when this returns."""
        self._file.write(_line([safe_cell(cell) for cell in self._row(graded)]))
        self._file.flush()
        os.fsync(self._file.fileno())

    def _row(self, graded: Grade) -> list[str]:
        scores = {t.sheet: str(t.right if t.points is None else t.points) for t in graded.totals}
        words = {result.id: result.word for result in graded.answered}
        to_read = " ".join(result.id for result in graded.results.values() if result.to_read)
        notes = "; ".join(graded.complaints)
        digest = self.digests.get(graded.path, "")
        provisional = "provisional" if graded.provisional else ""
        first = [graded.path, digest, graded.student or "", graded.unreadable or "", notes, to_read, provisional]
        sums = [*(scores.get(s, "") for s in self.sheets), *(str(graded.marks.get(s, "")) for s in self.marked)]
        return [*first, *sums, *(words.get(question, "") for question in self.questions)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def safe_cell(text: str, *, longest: int = 1200) -> str:
    """A cell that no spreadsheet runs as a formula, in one line of printable characters.

    >>> safe_cell("=HYPERLINK(1)"), safe_cell("Ada")
    ("'=HYPERLINK(1)", 'Ada')
    """
    flat = plain(text.strip().replace("\n", " "), longest=longest)
    return f"'{flat}" if flat.startswith(_ACTIVE) else flat


def digests_of(paths: Iterable[str], files: Iterable[Path | None], policy: str = "practical") -> dict[str, str]:
    """For each file the digest of all that its grade depends on: its content, the questions, the policy, our version."""
    others = _version() + policy.encode() + b"".join(b"" if file is None else _content(str(file)) for file in files)
    return {path: hashlib.sha256(others + _content(path)).hexdigest()[:16] for path in paths}


def _version() -> bytes:
    try:
        return metadata.version("headwright").encode()
    except metadata.PackageNotFoundError:  # a source tree that is not installed
        return b""


def _content(path: str) -> bytes:
    """As much of a file as is ever read, with a byte before it that a missing file does not have.

    A pipe or a device is not a file of answers, and opening one may wait for ever.
    """
    try:
        if not Path(path).is_file():
            return b""
        with open(path, "rb") as file:
            return b"." + file.read(toml_files.MOST_BYTES + 1)
    except (OSError, ValueError):
        return b""


def _line(cells: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _write_whole(path: Path, rows: Iterable[list[str]]) -> None:
    """All of the table or none of it."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text("".join(map(_line, rows)), "utf-8", newline="")
    os.replace(draft, path)
