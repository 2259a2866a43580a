"""A grade: what each answer of a file is worth, why, and what the sheets sum to; all frozen values.

Proved and argued earn the question's points, everything else none; what is neither that nor refuted is flagged, because a
person must read it. A sheet has marks where its file in `problems/sheets/` lists them. Sheets without points count right answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from headwright.problems.catalogue import marks_of
from headwright.proofs import BadCertificate, Claim
from headwright.proofs.certificate import claim_in, text_of
from headwright.shown import Shown
from headwright.verdict import Verdict

WORDS: Mapping[str, str] = {
    "proved": "right",
    "argued": "right",
    "refuted": "wrong",
    "key-right": "right by the key",
    "key-wrong": "wrong by the key",
    "undecided": "for a person to read",
    "invalid": "not understood",
    "stopped": "stopped",
    "fault": "not judged",
    "missing": "no answer",
}
# A true statement earns its points, whether a claim proves it or a written argument does; a choice, as the teacher's key says.
RIGHT = ("proved", "argued", "key-right")
WRONG = ("refuted", "key-wrong")
FOR_A_PERSON = ("undecided", "stopped", "fault")
_SAID = ("id", "sheet", "points", "status", "message", "explanation")
_MOST_SENT = 2**16  # numbers in a claim that is sent along


@final
@dataclass(frozen=True, slots=True)
class Result:
    """One question: `status` is a key of `WORDS`, `message` is for the student, `points` None where the sheet has none.

    `explanation` is our own answer, where it was asked for. `verdict` is None where a process of its own judged; `claim` is
    then what that process proved or refuted, and nothing in this one vouches for it before `verdict_here` proves it again.
    """

    id: str
    sheet: str
    points: int | float | None
    status: str
    message: str
    explanation: str | None = None
    verdict: Verdict | None = None
    claim: Claim | None = None

    def verdict_here(self) -> Verdict | None:
        """A verdict of this process, which `save` takes: a worker's claim is proved again. None where there is no claim."""
        return self.verdict if self.verdict is not None or self.claim is None else self.claim.prove()

    @property
    def earned(self) -> int | float:
        """The points; where the sheet has none, 1 for a right answer."""
        return (1 if self.points is None else self.points) if self.status in RIGHT else 0

    @property
    def to_read(self) -> bool:
        """Whether a person must read the answer before the grade is final."""
        return self.status in FOR_A_PERSON

    def to_dict(self) -> dict[str, Any]:
        said = {name: getattr(self, name) for name in _SAID}
        return {**said, "earned": self.earned, "to_read": self.to_read}

    def sent(self) -> dict[str, Any]:
        """The result as one process sends it to another: with the claim behind its verdict, unless that is too long."""
        claim = None if self.verdict is None else self.verdict.record
        short = isinstance(claim, Claim) and sum(array.size for array in claim.arrays().values()) <= _MOST_SENT
        return {**self.to_dict(), "claim": to_parts(claim) if isinstance(claim, Claim) and short else None}

    @classmethod
    def from_dict(cls, sent: Mapping[str, Any]) -> Result:
        """The result that `to_dict` or `sent` describes; a claim that cannot be read is not kept."""
        try:
            claim = None if sent.get("claim") is None else from_parts(sent["claim"])
        except BadCertificate:
            claim = None
        return cls(**{name: sent[name] for name in _SAID}, claim=claim)


def to_parts(claim: Claim) -> dict[str, Any]:
    """The claim as plain JSON values, which keep the exact value of a float."""
    return {"claim": text_of(claim), "arrays": {name: array.tolist() for name, array in claim.arrays().items()}}


def from_parts(parts: Any) -> Claim:
    """The claim that `to_parts` wrote, not proved; BadCertificate where the parts describe none."""
    try:
        stored = {name: np.array(rows, dtype=np.float64) for name, rows in parts["arrays"].items()}
        text = parts["claim"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadCertificate(f"`parts` describe no claim that can be judged: {error}") from error
    return claim_in(text, stored, where="`parts`")


@final
@dataclass(frozen=True, slots=True)
class Total:
    """One sheet: `earned` of `possible` points (None where it has none), `right` of `judged` answers, `asked` questions."""

    sheet: str
    earned: int | float | None
    possible: int | float | None
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
            score = f"{self.earned} of {self.possible} points"
        mark = "" if self.mark is None else f", mark {self.mark}"
        doubt = f", {self.to_read} for a person to read" if self.to_read else ""
        return f"{score}{mark}{doubt}"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Grade(Shown):
    """One answer file, graded. `results` has every question of the sheets that the file touches, in the sheets' order.

    `complaints` are entries that belong to no question; `unreadable` says why a file could not be graded at all.

    >>> import headwright as hw
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ada.toml"
    >>> _ = path.write_text('A.1a = {q = "2*log(n/eps)*k_1"}')
    >>> grade = hw.problems.grade(path)
    >>> grade.results[0].id, grade.results[0].points
    ('A.1a', 10)
    """

    path: str
    student: str | None
    digest: str
    results: tuple[Result, ...]
    complaints: tuple[str, ...] = ()
    unreadable: str | None = None

    @property
    def totals(self) -> tuple[Total, ...]:
        """The points of each sheet that the file touches."""
        sheets = dict.fromkeys(result.sheet for result in self.results)
        return tuple(total_of(sheet, [r for r in self.results if r.sheet == sheet]) for sheet in sheets)

    @property
    def marks(self) -> dict[str, int]:
        """The mark of each sheet that has marks."""
        return {total.sheet: total.mark for total in self.totals if total.mark is not None}

    @property
    def answered(self) -> tuple[Result, ...]:
        """The results of the questions that the file answers."""
        return tuple(result for result in self.results if result.status != "missing")

    def table(self) -> dict[str, list[Any]]:
        """One row per question, for pandas or polars."""
        names = ("id", "points", "earned", "status", "message")
        return {name: [getattr(result, name) for result in self.results] for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            **{name: getattr(self, name) for name in ("path", "student", "digest", "unreadable")},
            "complaints": list(self.complaints),
            "results": [result.to_dict() for result in self.results],
            "totals": {total.sheet: total.to_dict() for total in self.totals},
            "marks": self.marks,
        }

    def __repr__(self) -> str:
        who = f" of {self.student}" if self.student else ""
        if self.unreadable is not None:
            return f"Grade{who}: {self.path} could not be graded: {self.unreadable}"
        lines = [f"  {r.id:<8} {WORDS[r.status]:<21} {r.message}" for r in self.answered]
        lines += [f"  not graded: {complaint}" for complaint in self.complaints]
        lines += [f"  sheet {total.sheet}: {total}" for total in self.totals]
        return "\n".join([f"Grade{who}: {self.path}", *lines])

    __str__ = __repr__

    def explained(self, explanations: Mapping[str, str]) -> Grade:
        """The same grade, with our own answers beside the answers given."""
        return replace(self, results=tuple(replace(r, explanation=explanations.get(r.id)) for r in self.results))


def total_of(sheet: str, results: list[Result]) -> Total:
    """The sum of one sheet's questions; a sheet with one question without points has none."""
    counted = [result.points for result in results if result.points is not None]
    has_points = len(counted) == len(results)
    earned = sum(result.earned for result in results)
    mark = next((mark for least, mark in marks_of(sheet) if earned >= least), None)
    return Total(
        sheet=sheet,
        earned=earned if has_points else None,
        possible=sum(counted) if has_points else None,
        right=sum(result.status in RIGHT for result in results),
        judged=sum(result.status in (*RIGHT, *WRONG) for result in results),
        asked=len(results),
        to_read=sum(result.to_read for result in results),
        mark=mark,
    )
