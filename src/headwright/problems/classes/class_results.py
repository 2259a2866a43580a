"""The results of a class on disk: a line of JSON for each file, written when it is graded, so that a killed run resumes.

A line is kept while its digest is the same: that of the answers, of the assignment with its questions, and of the version.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import IO, Any, Self, final

from headwright.kernel.frozen import FrozenMap
from headwright.problems.grading.assignments import Assignment
from headwright.problems.grading.grade_tables import digests_of
from headwright.problems.grading.grades import Grade
from headwright.problems.grading.results import Result


@final
class ResultStore:
    """The file `path`, open for one run. `grades` has what was kept, by the names of the files."""

    def __init__(self, path: Path, digests: Mapping[str, str]) -> None:
        self.path, self.digests = path, digests
        self.grades: dict[str, Grade] = {}
        kept: dict[str, str] = {}
        for line in path.read_text("utf-8").splitlines(keepends=True) if path.exists() else ():
            try:
                held = json.loads(line) if line.endswith("\n") else {}
                if digests.get(held["file"]) == held["digest"]:
                    self.grades[held["file"]] = _grade(held["grade"])
                    kept[held["file"]] = line
            except (
                ValueError,
                TypeError,
                KeyError,
                AttributeError,
            ):  # cut off by a kill, or written by another version
                continue
        write_whole(path, "".join(kept.values()))
        self._file: IO[str] = path.open("a", encoding="ascii", newline="")

    def add(self, graded: Grade) -> None:
        """Keep a grade; it is on disk when this returns."""
        self.grades[graded.path] = graded
        line = {"file": graded.path, "digest": self.digests.get(graded.path, ""), "grade": _plain(graded)}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def class_digests(files: Mapping[str, Path], assignment_file: Path, assignment: Assignment) -> dict[str, str]:
    """For each file the digest of all that its grade depends on. A question's keys may lie in a file of their own."""
    asked = [(replace(item.question, judge=None), item.points, item.policy) for item in assignment.items.values()]
    questions = hashlib.sha256(pickle.dumps(asked)).hexdigest()
    contents = digests_of(map(str, files.values()), [assignment_file])
    return {
        name: hashlib.sha256(f"{questions}{contents[str(path)]}".encode()).hexdigest()[:16]
        for name, path in files.items()
    }


def write_whole(path: Path, text: str, *, encoding: str = "utf-8") -> None:
    """All of the text or none of it."""
    draft = path.with_name(f".{path.name}.draft")
    draft.write_text(text, encoding, newline="")
    os.replace(draft, path)


def _plain(graded: Grade) -> dict[str, Any]:
    results = [{**result.to_dict(), "share": str(result.share)} for result in graded.results.values()]
    said = ("path", "student", "digest", "unreadable", "title")
    return {**{name: getattr(graded, name) for name in said}, "complaints": graded.complaints, "results": results}


def _grade(held: Mapping[str, Any]) -> Grade:
    results = {sent["id"]: _result(sent) for sent in held["results"]}
    said = {name: held[name] for name in ("path", "student", "digest", "unreadable", "title")}
    return Grade(**said, results=FrozenMap(results), complaints=tuple(held["complaints"]))


def _result(sent: Mapping[str, Any]) -> Result:
    return replace(Result.from_dict(sent), possible=sent["possible"], share=Fraction(sent["share"]))


def without_claims(graded: Grade) -> Grade:
    """The grade as it is after being stored: pages and tables need no claim, and a class has thousands."""
    results: Iterable[Result] = (replace(result, claim=None, verdict=None) for result in graded.results.values())
    return replace(graded, results=FrozenMap({result.id: result for result in results}))
