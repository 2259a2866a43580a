"""Points that a person gives: to_read.csv has a row for each answer that waits for one, with an empty column for the points.

When a class is graded again, the table is read back. What was typed into it stays, cell by cell: a row with points or a comment
is never removed and never written over. Points count while the answer is the one that they were given for.

Spreadsheets save such a table with semicolons, with decimal commas or in an older encoding; all of that is read.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import final

from headwright.kernel.frozen import FrozenMap
from headwright.problems.answers.safe_text import plain
from headwright.problems.grading.assignments import MOST_POINTS, points_of
from headwright.problems.grading.grade_tables import safe_cell
from headwright.problems.grading.grades import Grade
from headwright.problems.grading.results import Number, Result

COLUMNS = (
    "file",
    "student",
    "question",
    "answer",
    "words",
    "why",
    "proposed",
    "proposed points",
    "possible",
    "points",
    "comment",
    "answer id",
    "note",
)
_NEEDED = ("file", "question", "points", "comment", "answer id")
_MOST_BYTES = 2**26
_LONGEST_COMMENT = 4000
_LONGEST_CELL = 20_000  # characters: a spreadsheet holds 32,767


@final
@dataclass(frozen=True, slots=True)
class HandRow:
    """A row in which a person typed something: `points` is None where there is a comment only, `cells` is all of it."""

    number: int
    file: str
    question: str
    points: Number | None
    comment: str
    answer_id: str
    cells: Mapping[str, str]

    def __str__(self) -> str:
        return f"row {self.number} ({self.file}, {self.question})"


@final
@dataclass(frozen=True, slots=True)
class HandTable:
    """What to_read.csv held: its columns, and the rows in which somebody typed. `content` is the file as it was read."""

    columns: tuple[str, ...] = COLUMNS
    rows: tuple[HandRow, ...] = ()
    content: bytes | None = None
    delimiter: str = ","


def answer_id(graded: Grade, result: Result) -> str:
    """What tells one answer from another. The letter in front keeps spreadsheets from taking it for a number."""
    parts = [result.id, result.given, result.written]
    if result.written.endswith("…") or not any(parts[1:]):  # the text is cut, or unknown: the whole file counts
        parts.append(graded.digest)
    return f"a{hashlib.sha256(repr(parts).encode()).hexdigest()[:15]}"


def read_table(path: Path) -> HandTable:
    """The table at `path`, empty where there is none; ValueError naming the row or column that is wrong."""
    if not path.exists():
        return HandTable()
    content = path.read_bytes()
    if len(content) > _MOST_BYTES:
        raise ValueError(f"{path.name} must be at most {_MOST_BYTES // 2**20} MB")
    delimiter, records = _records(content)
    if not records:
        return HandTable(content=content)
    names = tuple(name.strip() for name in records[0])
    for name in _NEEDED:
        if names.count(name) != 1:
            raise ValueError(
                f"{path.name} must have one column `{name}`, and has {names.count(name)}. It has the columns {', '.join(names)}"
            )
    rows = [
        _row(number, dict(zip(names, record, strict=False)), path.name, len(record) > len(names))
        for number, record in enumerate(records[1:], 2)
    ]
    return HandTable(
        (*names, *(name for name in COLUMNS if name not in names)), tuple(filter(None, rows)), content, delimiter
    )


def _records(content: bytes) -> tuple[str, list[list[str]]]:
    """What separates the cells, and the rows that are not empty."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return delimiter, [record for record in reader if any(map(str.strip, record))]


def _row(number: int, cells: dict[str, str], name: str, too_long: bool) -> HandRow | None:
    """None for a row of ours in which nobody typed anything: it is made anew. Every row of ours has an answer id."""
    typed = [text for column, text in cells.items() if column not in COLUMNS or column in ("points", "comment")]
    if not any(map(str.strip, typed)) and cells.get("answer id", "").strip():
        return None
    file, question = cells.get("file", "").strip(), cells.get("question", "").strip()
    where = f"{name}, row {number} ({file}, {question})"
    if too_long:
        raise ValueError(f"{where} has more cells than there are columns: put a text with commas in quotes")
    points = _points(cells.get("points", ""), where)
    comment = plain(cells.get("comment", "").strip(), longest=_LONGEST_COMMENT)
    return HandRow(number, file, question, points, comment, cells.get("answer id", "").strip(), FrozenMap(cells))


def _points(text: str, where: str) -> Number | None:
    text = text.strip().lstrip("'")
    if not text:
        return None
    shown = plain(text, longest=40)
    try:
        value = Decimal(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except InvalidOperation:
        raise ValueError(f"{where}: `points` must be a number such as 2.5, got {shown!r}") from None
    if not value.is_finite() or not 0 <= value <= MOST_POINTS:
        raise ValueError(f"{where}: `points` must lie between 0 and {MOST_POINTS}, got {shown}")
    return points_of(value)


def check_points(table: HandTable, possible: Mapping[str, Number], name: str) -> None:
    """ValueError where a row gives more points than its question is worth, or two rows disagree about one answer."""
    seen: dict[tuple[str, str, str], HandRow] = {}
    for row in table.rows:
        if row.points is None:
            continue
        most = {name.casefold(): points for name, points in possible.items()}.get(row.question.casefold())
        if most is not None and row.points > most:
            raise ValueError(f"{name}, {row}: `points` must be at most {most}, got {row.points}")
        other = seen.setdefault((row.file, row.question, row.answer_id), row)
        if other.points != row.points:
            raise ValueError(
                f"{name}, {row}: `points` is {row.points}, but {other.points} in row {other.number}: keep one"
            )


def sort_rows(table: HandTable, grades: Iterable[Grade]) -> tuple[dict[tuple[str, str], HandRow], dict[int, str]]:
    """The rows that count, by file and question; and by their numbers those that do not, with the reason."""
    known = {safe_cell(graded.path): graded for graded in grades}
    used: dict[tuple[str, str], HandRow] = {}
    unused: dict[int, str] = {}
    for row in table.rows:
        graded = known.get(row.file) or known.get(safe_cell(row.file))
        folded = {} if graded is None else {name.casefold(): name for name in graded.results}
        question = folded.get(row.question.casefold())
        if graded is None:
            unused[row.number] = "not used: there is no such file"
        elif question is None:
            unused[row.number] = "not used: the assignment has no such question"
        elif row.answer_id not in ("", answer_id(graded, graded.results[question])):
            unused[row.number] = "not used: the answer has changed since"
        elif (other := used.get((graded.path, question))) is not None and row.points is None:
            unused[row.number] = f"not used: row {other.number} is about the same answer"
        else:
            if other is not None:
                unused[other.number] = f"not used: row {row.number} is about the same answer"
            used[graded.path, question] = row
    return used, unused


def table_text(
    table: HandTable, grades: Iterable[Grade], used: Mapping[tuple[str, str], HandRow], unused: Mapping[int, str]
) -> str:
    """The table as it is to be written: rows that somebody typed into as they are, and a row for each answer that waits."""
    typed = {row.number: row for row in table.rows}
    rows: list[dict[str, str]] = []
    for graded in grades:
        for result in graded.results.values():
            row = used.get((graded.path, result.id))
            if row is not None:
                del typed[row.number]
                note = "" if row.points is None else "used"
                rows.append({**row.cells, "answer id": answer_id(graded, result), "note": note})
            elif result.to_read or result.status == "invalid":  # what we cannot read, a person may
                rows.append(_waiting(graded, result))
    rows += [{**row.cells, "note": unused[number]} for number, row in typed.items()]
    text = io.StringIO()
    writer = csv.writer(text, delimiter=table.delimiter, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([row.get(column, "") for column in table.columns] for row in rows)
    return text.getvalue()


def _waiting(graded: Grade, result: Result) -> dict[str, str]:
    cells = {
        "file": graded.path,
        "student": graded.student or "",
        "question": result.id,
        "answer": result.given,
        "words": result.written,
        "why": result.message,
        "proposed": result.proposed,
        "proposed points": str(result.proposed_points) if result.proposed else "",
        "possible": str(1 if result.possible is None else result.possible),
        "answer id": answer_id(graded, result),
        "note": "" if result.to_read else "not understood: 0 points unless you give some",
    }
    return {name: safe_cell(text, longest=_LONGEST_CELL) for name, text in cells.items()}
