"""grade: an answer file judged question by question, in this process; and the steps that the worker processes share.

An answer is judged by `check`, that is by what it does, never by comparison with a stored solution. Whatever one
answer brings about, the others are judged all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from headwright.budget import DEFAULT
from headwright.forms import FormulaError
from headwright.problems import _check
from headwright.problems._run import run
from headwright.problems.answers.answer_files import AnswerFile, read_answers
from headwright.problems.answers.grades import Grade, Result
from headwright.problems.answers.messages import PERSON, message_of, plain, sentence
from headwright.problems.catalogue import CATALOGUE
from headwright.problems.judges import answered
from headwright.problems.judges.keyed import judge_choice
from headwright.problems.problem import AnswerError, Problem
from headwright.verdict import Verdict


def grade(
    path: Path | str,
    *,
    explain: bool = False,
    problems: Mapping[str, Problem] | None = None,
    budget: float = DEFAULT,
) -> Grade:
    """The grade of one answer file (TOML). `explain` adds our own answers; `problems` are a teacher's own, from `load`.

    ValueError where the file as a whole cannot be read, within `budget` units of counted work. Answers are bounded in size, not
    in time: for files of strangers, the command `headwright check` runs them in processes that it can stop.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ada.toml"
    >>> _ = path.write_text('A.1a = {q = "2*log(n/eps)*k_1"}')
    >>> grade(path).results[0].status
    'proved'
    """
    questions = questions_with(problems)
    file = read_answers(path, ids=questions, budget=budget)
    results = [judged(questions[name], answer) for name, answer in file.answers.items()]
    graded = assembled(file, results, questions)
    return graded.explained(explanations(graded, questions)) if explain else graded


def questions_with(problems: Mapping[str, Problem] | None) -> dict[str, Problem]:
    """The questions of the sheets and a teacher's own."""
    return {**CATALOGUE, **(problems or {})}


def judged(question: Problem, answer: Mapping[str, Any]) -> Result:
    """The result for one answer. A mistake in the answer is reported; an error of ours never makes an answer wrong."""
    try:
        if question.kind == "choice":  # the teacher's key marks it, and no verdict does
            keyed = judge_choice(question, answered(question, answer))
            return result_of(question, keyed.status, plain(keyed.message))
        verdict = _check.check(question, answer)
    except (AnswerError, FormulaError) as error:
        return result_of(question, "invalid", plain(sentence(str(error))))
    except (MemoryError, RecursionError, OverflowError):
        return result_of(question, "stopped", f"judging it needed too much memory: {PERSON}")
    except Exception as error:  # an error in headwright must not cost the other answers
        return result_of(question, "fault", f"the judge failed ({type(error).__name__}): {PERSON}")
    return result_of(question, verdict.status, message_of(verdict), verdict)


def result_of(question: Problem, status: str, message: str, verdict: Verdict | None = None) -> Result:
    return Result(question.id, question.sheet, question.points, status, message, None, verdict)


def assembled(file: AnswerFile, results: Iterable[Result], questions: Mapping[str, Problem]) -> Grade:
    """All questions of the sheets that were touched, in the sheets' order, those without an answer included."""
    by_id = {result.id: result for result in results}
    for name, complaint in file.complaints.items():
        if name in questions:
            by_id[name] = result_of(questions[name], "invalid", sentence(complaint))
    touched = {result.sheet for result in by_id.values()}
    every = [
        by_id.get(question.id) or result_of(question, "missing", "")
        for question in questions.values()
        if question.sheet in touched
    ]
    stray = tuple(complaint for name, complaint in file.complaints.items() if name not in questions)
    if not every and not stray:
        stray = (f'the file holds no answers: a line such as [{next(iter(questions))}], and below it q = "…"',)
    return Grade(file.path, file.student, file.digest, tuple(every), stray)


def explanations(graded: Grade, questions: Mapping[str, Problem]) -> dict[str, str]:
    """Our own answer to every question that was answered; a question that has none of ours is left out."""
    texts = {result.id: _explanation(questions[result.id]) for result in graded.answered}
    return {name: text for name, text in texts.items() if text}


def _explanation(question: Problem) -> str:
    if question.id in CATALOGUE:
        return run(question.id).construction
    given = question.ours.get("answer", {}).items()
    return ", ".join(f"{name} = {x if isinstance(x, str) else x.tolist()}" for name, x in given)
