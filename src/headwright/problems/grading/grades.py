"""A grade: the results of one answer file, and what they sum to; all frozen values.

A sheet has marks where its file in `problems/sheets/` lists them. Sheets without points count right answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from headwright.kernel.frozen import FrozenMap
from headwright.kernel.shown import Shown
from headwright.problems.catalogue import marks_of
from headwright.problems.grading.results import Number, Result, total_points


@final
@dataclass(frozen=True, slots=True)
class Total:
    """One sheet: `points` of `possible` (None where it has none), `right` of `judged` answers, `asked` questions."""

    sheet: str
    points: Number | None
    possible: Number | None
    right: int
    judged: int
    asked: int
    to_read: int
    mark: int | None

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__ if name != "sheet"}

    def __str__(self) -> str:
        score = f"{self.right} right of {self.judged} judged, {self.asked} asked"
        if self.possible is not None:
            score = f"{self.points} of {self.possible} points"
        mark = "" if self.mark is None else f", mark {self.mark}"
        doubt = f", provisional: {self.to_read} for a person to read" if self.to_read else ""
        return f"{score}{mark}{doubt}"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Grade(Shown):
    """One answer file, graded. `results` has every question of the assignment by its id, in the assignment's order.

    Without an assignment these are the questions of the sheets that the file touches. `complaints` are entries that belong to
    no question; `unreadable` says why a file could not be graded at all.

    >>> import headwright as hw
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ada.toml"
    >>> _ = path.write_text('A.1a = {q = "2*log(n/eps)*k_1"}')
    >>> grade = hw.problems.grade(path)
    >>> grade.results["A.1a"].word, grade.results["A.1a"].points
    ('right', 10)
    >>> grade.points, grade.possible
    (10, 100)
    """

    path: str
    student: str | None
    digest: str
    results: Mapping[str, Result]
    complaints: tuple[str, ...] = ()
    unreadable: str | None = None
    title: str = ""

    def _repr_html_(self) -> str:
        from headwright.problems.reports.cards import grade_card

        return grade_card(self)

    @property
    def points(self) -> Number:
        """The sum of all points; questions without points count 1 for a right answer."""
        return total_points(result.points for result in self.results.values())

    @property
    def possible(self) -> Number:
        """The sum of what all questions are worth."""
        return total_points(1 if r.possible is None else r.possible for r in self.results.values())

    @property
    def provisional(self) -> bool:
        """Whether a person must still read an answer, so that points may come."""
        return any(result.to_read for result in self.results.values())

    @property
    def totals(self) -> tuple[Total, ...]:
        """The points of each sheet that the file touches."""
        every = list(self.results.values())
        sheets = dict.fromkeys(result.sheet for result in every)
        marked = not self.title  # the marks of a sheet belong to all of its questions, with the sheet's own points
        return tuple(total_of(sheet, [r for r in every if r.sheet == sheet], marked=marked) for sheet in sheets)

    @property
    def marks(self) -> dict[str, int]:
        """The mark of each sheet that has marks."""
        return {total.sheet: total.mark for total in self.totals if total.mark is not None}

    @property
    def answered(self) -> tuple[Result, ...]:
        """The results of the questions that the file answers."""
        return tuple(result for result in self.results.values() if result.status != "missing")

    def table(self) -> dict[str, list[Any]]:
        """One row per question, for pandas or polars."""
        names = ("id", "word", "points", "possible", "status", "reading", "message")
        return {name: [getattr(result, name) for result in self.results.values()] for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            **{name: getattr(self, name) for name in ("path", "student", "digest", "title", "unreadable")},
            "points": self.points,
            "possible": self.possible,
            "provisional": self.provisional,
            "complaints": list(self.complaints),
            "results": {name: result.to_dict() for name, result in self.results.items()},
            "totals": {total.sheet: total.to_dict() for total in self.totals},
            "marks": self.marks,
        }

    def __repr__(self) -> str:
        who = f" of {self.student}" if self.student else ""
        if self.unreadable is not None:
            return f"Grade{who}: {self.path} could not be graded: {self.unreadable}"
        lines = [f"  {r.id:<8} {r.word:<21} {r.message}" for r in self.answered]
        lines += [f"  not graded: {complaint}" for complaint in self.complaints]
        lines += [f"  sheet {total.sheet}: {total}" for total in self.totals]
        return "\n".join([f"Grade{who}: {self.path}", *lines])

    __str__ = __repr__

    def explained(self, explanations: Mapping[str, str]) -> Grade:
        """The same grade, with our own answers beside the answers given."""
        results = {name: replace(r, explanation=explanations.get(name)) for name, r in self.results.items()}
        return replace(self, results=FrozenMap(results))


def total_of(sheet: str, results: list[Result], *, marked: bool) -> Total:
    """The sum of one sheet's questions; a sheet with one question without points has none."""
    counted = [result.possible for result in results if result.possible is not None]
    has_points = len(counted) == len(results)
    points = total_points(result.points for result in results)
    return Total(
        sheet=sheet,
        points=points if has_points else None,
        possible=total_points(counted) if has_points else None,
        right=sum(result.share == 1 for result in results),
        judged=sum(bool(result.credit) for result in results),
        asked=len(results),
        to_read=sum(result.to_read for result in results),
        mark=next((mark for least, mark in marks_of(sheet) if marked and points >= least), None),
    )
