"""A grade as the results.json of a Gradescope autograder: one test per question, with its score and its message.

    {"score": …, "output": …, "tests": [{"name": …, "score": …, "max_score": …, "status": …, "output": …}, …]}

Questions of sheets without points count 1 each. `score` is the sum of the tests, so that both agree; Gradescope takes
the greatest score from the assignment's own settings. The score of an answer that waits for a person is 0 and said to be
provisional. Messages are text: a formula of a student is never read as markup.
"""

from __future__ import annotations

from typing import Any

from headwright.problems.grading.grades import Grade
from headwright.problems.grading.results import Result

VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")


def results_json(graded: Grade, *, visibility: str = "visible") -> dict[str, Any]:
    """The object that Gradescope reads from /autograder/results/results.json.

    >>> results_json(Grade("a.toml", None, "", {}, (), "it is not TOML"))["output"]
    'The file could not be graded: it is not TOML'
    """
    tests = [_test(result, checked(visibility)) for result in graded.results.values()]
    return {**results_around(tests, _output(graded), visibility=visibility), "score": graded.points}


def results_around(tests: list[dict[str, Any]], output: str, *, visibility: str = "visible") -> dict[str, Any]:
    """The object around tests: 0 points, an `output` for the student, everything plain text.

    >>> results_around([], "Nothing was handed in.")["score"]
    0
    """
    return {
        "score": 0,
        "output": output,
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": checked(visibility),
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def checked(visibility: str) -> str:
    """One of `VISIBILITIES`; ValueError otherwise."""
    if visibility not in VISIBILITIES:
        raise ValueError(f"`visibility` must be one of {', '.join(VISIBILITIES)}, got {visibility!r}")
    return visibility


def _test(result: Result, visibility: str) -> dict[str, Any]:
    read = [f"Read as {result.reading}"] if result.reading else []
    words = [result.message or ("No answer was given." if result.status == "missing" else "")]
    ours = [f"Our answer: {result.explanation}"] if result.explanation else []
    possible = 1 if result.possible is None else result.possible
    status = {} if result.to_read else {"status": "passed" if result.share == 1 else "failed"}
    waits = [f"The score 0 is provisional. A person will read this answer, which is worth up to {possible} points."]
    return {
        "name": f"{result.id}: {result.word}",
        "number": result.id,
        "max_score": possible,
        "score": result.points,
        **status,
        "output": "\n\n".join(filter(None, [*read, *words, *(waits if result.to_read else []), *ours])),
        "visibility": visibility,
        "extra_data": {"status": result.status, "to_read": result.to_read},
    }


def _output(graded: Grade) -> str:
    if graded.unreadable is not None:
        return f"The file could not be graded: {graded.unreadable}"
    lines = [f"Sheet {total.sheet}: {total}" for total in graded.totals]
    if graded.title:
        waiting = sum(result.to_read for result in graded.results.values())
        doubt = f", provisional: {waiting} for a person to read" if waiting else ""
        lines = [f"{graded.title}: {graded.points} of {graded.possible} points{doubt}"]
    return "\n".join([*lines, *(f"Not graded: {complaint}" for complaint in graded.complaints)])
