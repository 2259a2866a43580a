"""A grade as the results.json of a Gradescope autograder: one test per question, with its score and its message.

    {"score": …, "output": …, "tests": [{"name": …, "score": …, "max_score": …, "status": …, "output": …}, …]}

Questions of sheets without points count 1 each. `score` is the sum of the tests, so that both agree; Gradescope takes
the greatest score from the assignment's own settings. Messages are text: a formula of a student is never read as
markup.
"""

from __future__ import annotations

from typing import Any

from headwright.problems.answers.grades import Grade
from headwright.problems.answers.results import Result

VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")


def results_json(graded: Grade, *, visibility: str = "visible") -> dict[str, Any]:
    """The object that Gradescope reads from /autograder/results/results.json.

    >>> results_json(Grade("a.toml", None, "", {}, (), "it is not TOML"))["output"]
    'The file could not be graded: it is not TOML'
    """
    if visibility not in VISIBILITIES:
        raise ValueError(f"`visibility` must be one of {', '.join(VISIBILITIES)}, got {visibility!r}")
    tests = [_test(result, visibility) for result in graded.results.values()]
    return {
        "score": graded.points,
        "output": _output(graded),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "tests": tests,
    }


def _test(result: Result, visibility: str) -> dict[str, Any]:
    words = [result.message or "No answer was given."]
    words += [f"Our answer: {result.explanation}"] if result.explanation else []
    return {
        "name": f"{result.id}: {result.word}",
        "number": result.id,
        "score": result.points,
        "max_score": 1 if result.possible is None else result.possible,
        "status": "passed" if result.share == 1 else "failed",
        "output": "\n\n".join(words),
        "visibility": visibility,
        "extra_data": {"status": result.status, "to_read": result.to_read},
    }


def _output(graded: Grade) -> str:
    if graded.unreadable is not None:
        return f"The file could not be graded: {graded.unreadable}"
    lines = [f"Sheet {total.sheet}: {total}" for total in graded.totals]
    return "\n".join([*lines, *(f"Not graded: {complaint}" for complaint in graded.complaints)])
