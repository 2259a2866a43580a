"""A class: the grades of many files by one assignment, with the points that a person gave; a frozen value."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

from headwright.kernel.frozen import FrozenMap
from headwright.problems.classes.class_statistics import statistics_of
from headwright.problems.classes.points_by_hand import HandRow
from headwright.problems.grading.assignments import Assignment
from headwright.problems.grading.grade_tables import safe_cell
from headwright.problems.grading.grades import Grade
from headwright.problems.grading.results import Number, Result

MARKED = "marked by a person"


@final
@dataclass(frozen=True, slots=True, repr=False)
class ClassGrade:
    """The grades of a class, in the order of the files.

    - `grades`: one for each file; `assignment` is what they were graded by.
    - `comments`: what a person wrote about an answer, by (file, question).
    - `unused`: rows of points that do not count, each with the reason; `ignored`: files that hold no answers by their endings.

    >>> import headwright as hw
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "ada.toml").write_text('A.1a = {q = "2*log(n/eps)*k_1"}')
    >>> homework = folder.with_suffix(".toml")
    >>> _ = homework.write_text('title = "Homework 3"\\n[[question]]\\nid = "A.1a"\\npoints = 7.5')
    >>> found = hw.problems.grade_class(folder, homework, jobs=1)
    >>> found.table()["total"], found.statistics()["questions"][0]["share_right"]
    ([7.5], 1.0)
    """

    assignment: Assignment
    grades: tuple[Grade, ...]
    comments: Mapping[tuple[str, str], str] = field(default_factory=lambda: FrozenMap({}))
    unused: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The title of the assignment."""
        return self.assignment.title

    @property
    def to_read(self) -> tuple[tuple[str, Result], ...]:
        """The answers that wait for a person, each with its file."""
        return tuple((g.path, result) for g in self.grades for result in g.results.values() if result.to_read)

    @property
    def namesakes(self) -> dict[str, list[str]]:
        """Names of students that stand in several files: one handed in twice, or two people of one name."""
        files: dict[str, list[str]] = defaultdict(list)
        for graded in self.grades:
            if graded.student:
                files[" ".join(graded.student.casefold().split())].append(graded.path)
        return {name: found for name, found in files.items() if len(found) > 1}

    def table(self) -> dict[str, list[Any]]:
        """One row per file, for pandas or polars: points by question, None where an answer waits for a person."""
        rows = self._rows()
        return {name: [row[name] for row in rows] for name in self._columns()}

    def statistics(self) -> dict[str, Any]:
        """How each question went, how totals are spread, and what is wrong with wrong answers; it names nobody."""
        return statistics_of(self.assignment, self.grades)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "title": self.title,
            "grades": [graded.to_dict() for graded in self.grades],
            "statistics": self.statistics(),
            "unused": list(self.unused),
            "ignored": list(self.ignored),
        }

    def csv(self) -> str:
        """The table as CSV. Cells that a spreadsheet would take for formulas begin with an apostrophe."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(map(safe_cell, self._columns()))
        for row in self._rows():
            cells = ("" if cell is None else cell for cell in row.values())
            writer.writerow(safe_cell(cell) if isinstance(cell, str) else cell for cell in cells)
        return text.getvalue()

    def __repr__(self) -> str:
        found = self.statistics()
        files = f"{len(self.grades)} {'file' if len(self.grades) == 1 else 'files'}"
        lines = [f"Class: {self.title}, {files}, {self.assignment.possible} points"]
        if (average := found["totals"]["mean"]) is not None:
            doubt = f" (provisional: {found['to_read']} for a person to read)" if found["provisional"] else ""
            lines.append(f"  mean {average}, median {found['totals']['median']}{doubt}")
        for asked in found["questions"]:
            right, waits = asked["outcomes"]["right"], asked["outcomes"]["waits"]
            doubt = f", {waits} for a person to read" if waits else ""
            lines.append(f"  {asked['id']:<8} {right} of {len(self.grades) - found['unreadable']} right{doubt}")
        return "\n".join(lines)

    __str__ = __repr__

    def marked(self, rows: Mapping[tuple[str, str], HandRow], unused: tuple[str, ...] = ()) -> ClassGrade:
        """The same class with the points and comments that a person gave."""
        points: dict[str, dict[str, Number]] = defaultdict(dict)
        for (file, question), row in rows.items():
            if row.points is not None:
                points[file][question] = row.points
        grades = tuple(_marked(graded, points[graded.path]) for graded in self.grades)
        comments = FrozenMap({key: row.comment for key, row in rows.items() if row.comment})
        return replace(self, grades=grades, comments=comments, unused=unused)

    def _columns(self) -> list[str]:
        questions = list(self.assignment.items)
        words = [f"word {name}" for name in questions]
        return ["file", "student", "total", "possible", "provisional", *questions, *words, "to read", "notes"]

    def _rows(self) -> list[dict[str, Any]]:
        twice = {name: files for files in self.namesakes.values() for name in files}
        return [self._row(graded, twice.get(graded.path, [])) for graded in self.grades]

    def _row(self, graded: Grade, namesakes: list[str]) -> dict[str, Any]:
        results = graded.results
        unreadable = [] if graded.unreadable is None else [f"not graded: {graded.unreadable}"]
        others = [f"{name} names the same student" for name in namesakes if name != graded.path]
        return {
            "file": graded.path,
            "student": graded.student or "",
            "total": graded.points,
            "possible": graded.possible,
            "provisional": "provisional" if graded.provisional else "",
            **{name: None if result.to_read else result.points for name, result in results.items()},
            **{f"word {name}": result.word for name, result in results.items()},
            "to read": " ".join(name for name, result in results.items() if result.to_read),
            "notes": "; ".join([*unreadable, *graded.complaints, *others]),
        }


def _marked(graded: Grade, given: Mapping[str, Number]) -> Grade:
    if not given:
        return graded
    results = {
        name: _awarded(result, given[name]) if name in given else result for name, result in graded.results.items()
    }
    return replace(graded, results=FrozenMap(results))


def _awarded(result: Result, points: Number) -> Result:
    """The result with a person's points; that a person must read the answer is no longer so."""
    return replace(result, awarded=points, word=MARKED, message="" if result.to_read else result.message)
