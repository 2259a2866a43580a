"""grade_class: a folder of answer files graded by one assignment, and what a teacher hands out, written into a folder.

grades.csv      a row for each file, with a column of points for each question
feedback/       a page for each student
class.html      statistics of the class, and class.json with the same
to_read.csv     answers that wait for a person; points typed there count when the class is graded again
results.jsonl   what was judged, kept as it is found, so that a run that was stopped resumes
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from headwright.problems.classes.class_grades import ClassGrade
from headwright.problems.classes.class_results import ResultStore, class_digests, without_claims, write_whole
from headwright.problems.classes.points_by_hand import HandTable, check_points, read_table, sort_rows, table_text
from headwright.problems.grading._grade_many import SECONDS, grade_many
from headwright.problems.grading.assignments import Assignment, read_assignment
from headwright.problems.grading.grades import Grade
from headwright.words.progress import with_progress

ENDINGS = (".toml", ".md", ".txt")
_MOST_FILES = 10_000
_LONGEST_NAME = 200  # bytes of a page's name


def grade_class(
    folder: Path | str,
    assignment: Path | str,
    out: Path | str | None = None,
    *,
    jobs: int = 2,
    seconds: float = SECONDS,
) -> ClassGrade:
    """The grades of all answer files in a folder and the folders below it, by an assignment's file.

    With `out`, that folder receives the table of points, a page for each student, the statistics of the class, and a table of the
    answers that wait for a person. Call it again with the same `out` to resume, or to count points typed into that table.
    `jobs` processes judge, and every answer may compute for `seconds`.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "answers").mkdir()
    >>> _ = (folder / "answers" / "ada.toml").write_text('student = "Ada"\\nA.1a = {q = "k_1"}')
    >>> _ = (folder / "homework.toml").write_text('title = "Homework 3"\\n[[question]]\\nid = "A.1a"')
    >>> found = grade_class(folder / "answers", folder / "homework.toml", folder / "marks", jobs=1)
    >>> found.grades[0].student, found.grades[0].points, found.grades[0].possible
    ('Ada', 0, 10)
    >>> sorted(path.name for path in (folder / "marks").iterdir())
    ['class.html', 'class.json', 'feedback', 'grades.csv', 'results.jsonl', 'to_read.csv']
    """
    folder, assignment = Path(folder), Path(assignment)
    asked = read_assignment(assignment)
    kept_out = [assignment.resolve(), *([] if out is None else [Path(out).resolve()])]
    files, ignored = answer_files(folder, kept_out)
    if out is None:
        found = {graded.path: graded for graded in _graded(files, files, assignment, jobs, seconds)}
        return ClassGrade(asked, tuple(found[name] for name in files), ignored=ignored)
    out = Path(out)
    if out.exists() and not out.is_dir():
        raise ValueError(f"`out` must be a folder, or a new one; {out} is a file")
    (out / "feedback").mkdir(parents=True, exist_ok=True)
    _typed(out, asked)  # a wrong row is refused before an hour of work
    with ResultStore(out / "results.jsonl", class_digests(files, assignment, asked)) as store:
        left = {name: path for name, path in files.items() if name not in store.grades}
        for graded in _graded(left, files, assignment, jobs, seconds):
            store.add(graded)
        judged = ClassGrade(asked, tuple(store.grades[name] for name in files), ignored=ignored)
    return _written(judged, out)


def answer_files(folder: Path, kept_out: list[Path] | None = None) -> tuple[dict[str, Path], tuple[str, ...]]:
    """The answer files below a folder by their names within it, and the names of files that are none by their ending.

    ValueError where there is none, or where two would get one page.
    """
    if not folder.is_dir():
        raise ValueError(
            f"`folder` must be a folder of answer files, but {folder} is {'a file' if folder.exists() else 'not there'}"
        )
    found: dict[str, Path] = {}
    ignored = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        hidden = any(part.startswith((".", "__MACOSX")) for part in path.relative_to(folder).parts)
        if hidden or path.is_dir() or any(path.resolve().is_relative_to(other) for other in kept_out or ()):
            continue
        if path.suffix.lower() in ENDINGS:
            found[name] = path
        else:
            ignored.append(name)
    if not found:
        raise ValueError(f"`folder` {folder} holds no answer files: their names must end in {', '.join(ENDINGS)}")
    if len(found) > _MOST_FILES:
        raise ValueError(
            f"`folder` {folder} holds {len(found)} answer files, and at most {_MOST_FILES} can be graded at once"
        )
    pages: dict[str, str] = {}
    for name in found:
        other = pages.setdefault(page_name(name).casefold(), name)
        if other != name:
            raise ValueError(f"`folder`: {other} and {name} are two files of one student: keep one of them")
    return found, tuple(ignored)


def page_name(file: str) -> str:
    """The name of a student's page: that of the file, with the folders that it lies in.

    >>> page_name("ada.toml"), page_name("group 2/ada.md")
    ('ada.html', 'group 2 - ada.html')
    """
    stem = file.rpartition(".")[0].replace("/", " - ")
    while len(stem.encode("utf-8", "replace")) > _LONGEST_NAME:
        stem = stem[:-1]
    return f"{stem}.html"


def _graded(
    left: dict[str, Path], files: dict[str, Path], assignment: Path, jobs: int, seconds: float
) -> Iterator[Grade]:
    """The grades of some of the files as they arrive, under the names of the files within their folder."""
    names = {str(path): name for name, path in files.items()}
    grades = grade_many(left.values(), assignment=assignment, jobs=jobs, seconds=seconds)
    for graded in with_progress(grades, len(left), "Grading"):
        yield replace(without_claims(graded), path=names[graded.path])


def _typed(out: Path, asked: Assignment) -> HandTable:
    """The table that a person fills in, checked."""
    path = out / "to_read.csv"
    table = read_table(path)
    check_points(
        table, {name: 1 if item.points is None else item.points for name, item in asked.items.items()}, path.name
    )
    return table


def _written(judged: ClassGrade, out: Path) -> ClassGrade:
    """Write all but the results; somebody may have typed points while the class was judged, so these are read last."""
    from headwright.problems.reports.class_page import write_pages

    table = _typed(out, judged.assignment)
    used, unused = sort_rows(table, judged.grades)
    said = tuple(f"{row}: {unused[row.number]}" for row in table.rows if row.number in unused)
    found = judged.marked(used, said)
    text = table_text(table, judged.grades, used, unused)
    if table.content is None or table.content.decode("utf-8-sig", "replace") != text:
        write_whole(out / "to_read.csv", text, encoding="utf-8-sig")
    write_whole(out / "grades.csv", found.csv(), encoding="utf-8-sig")
    statistics = found.statistics()
    write_whole(out / "class.json", json.dumps(statistics, ensure_ascii=False, indent=1) + "\n")
    write_pages(found, statistics, out)
    return found
