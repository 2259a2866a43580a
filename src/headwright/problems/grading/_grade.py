"""grade: an answer file judged question by question, in this process; and the steps that the worker processes share.

An answer is judged by `check`, that is by what it does, never by comparison with a stored solution. Whatever one
answer brings about, the others are judged all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from headwright.kernel.budget import DEFAULT
from headwright.kernel.frozen import FrozenMap
from headwright.kernel.verdict import Verdict
from headwright.problems import _check
from headwright.problems._run import run
from headwright.problems.answers.answer_files import AnswerFile, read_answers
from headwright.problems.answers.names import parted
from headwright.problems.answers.safe_text import plain
from headwright.problems.catalogue import CATALOGUE, close_ids
from headwright.problems.grading.assignments import Assignment, read_assignment, touched
from headwright.problems.grading.credit import credit_of
from headwright.problems.grading.given_answers import as_given
from headwright.problems.grading.grades import Grade
from headwright.problems.grading.messages import PERSON, message_of, sentence
from headwright.problems.grading.policies import Policy, policy_named
from headwright.problems.grading.results import WORDS, Result
from headwright.problems.judges import answered
from headwright.problems.judges.keyed import judge_choice
from headwright.problems.judges.query_pictures import picture_of
from headwright.problems.judges.readings import TWO_READINGS, has_several
from headwright.problems.problem import AnswerError, Problem
from headwright.theories.formulas.forms import FormulaError

_WORDS_ALONE = "A person reads what you wrote in words."


def grade(
    path: Path | str,
    *,
    assignment: Assignment | Path | str | None = None,
    policy: str = "practical",
    explain: bool = False,
    problems: Mapping[str, Problem] | None = None,
    budget: float = DEFAULT,
) -> Grade:
    """The grade of one answer file. `explain` adds our own answers; `problems` are a teacher's own, from `load`.

    `assignment` is an assignment's file: it says which questions count, for how much, and by which policy. Without one, the
    questions of all sheets that the file touches count, by `policy`: "practical" gives full marks to what holds for all n up to
    10^6 and all ε from 10^-6 on, or in the limit; "strict" to what is proved for all.

    ValueError where the file as a whole cannot be read, within `budget` units of counted work. Answers are bounded in size, not
    in time: for files of strangers, the command `headwright check` runs them in processes that it can stop.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ada.toml"
    >>> _ = path.write_text('A.1a = {q = "2*log(n/eps)*k_1"}')
    >>> grade(path).results["A.1a"].word
    'right'
    """
    rules = Rules.of(assignment, policy, problems)
    file = read_answers(path, ids=rules.questions, budget=budget)
    results = [judged(rules.questions[name], answer) for name, answer in file.answers.items()]
    graded = assembled(file, results, rules)
    return graded.explained(explanations(graded, rules.questions)) if explain else graded


def grade_answer(
    problem_id: str,
    answer: Mapping[str, Any],
    *,
    assignment: Assignment | Path | str | None = None,
    policy: str = "practical",
) -> Result:
    """The result for one answer, {name: formula, number or array}, with its points: for graders that run notebooks.

    What is None or an empty text counts as not given. Words beside a formula make the verdict a proposal, as they do in a file.
    `assignment` and `policy` are those of `grade`.

    >>> result = grade_answer("A.1a", {"q": "2*log(n/eps)*k_1"})
    >>> result.word, result.points, result.possible
    ('right', 10, 10)
    >>> grade_answer("A.1a", {"q": ""}).word
    'no answer'
    """
    rules = Rules.of(assignment, policy)
    folded = {name.casefold(): name for name in rules.questions}
    name = folded.get(problem_id.casefold())
    if name is None:
        close = ", ".join(close_ids(problem_id, rules.questions)) or next(iter(rules.questions))
        raise ValueError(f"`problem_id` must be the id of a question that counts, such as {close}; got {problem_id!r}")
    question = rules.questions[name]
    given = {key: x for key, x in answer.items() if x is not None and not (isinstance(x, str) and not x.strip())}
    words = list[str]()
    for key, x in given.items():
        if isinstance(x, str):
            given[key], behind = parted(x, key, question)
            words += behind
    result = judged(question, given) if given else result_of(question, "missing", "")
    item = rules.asked({question.sheet}).items[name]
    result = result.counted(item.points, item.policy)
    return result.proposal(plain("\n".join(words))) if words else result


@final
@dataclass(frozen=True, slots=True)
class Rules:
    """What files are graded by: the questions that an answer may be about, and the assignment or policy that counts them."""

    questions: Mapping[str, Problem]
    policy: Policy
    assignment: Assignment | None = None

    @classmethod
    def of(
        cls,
        assignment: Assignment | Path | str | None,
        policy: str = "practical",
        problems: Mapping[str, Problem] | None = None,
    ) -> Rules:
        counted = policy_named(policy)
        if assignment is None:
            return cls({**CATALOGUE, **(problems or {})}, counted)
        if problems:
            raise ValueError("`problems` goes without `assignment`, whose file names them")
        if not isinstance(assignment, Assignment):
            assignment = read_assignment(assignment)
        return cls({name: item.question for name, item in assignment.items.items()}, counted, assignment)

    def asked(self, sheets: set[str]) -> Assignment:
        """The assignment, or else all questions of the sheets that a file touches."""
        return self.assignment or touched(self.questions, sheets, self.policy)


def judged(question: Problem, answer: Mapping[str, Any]) -> Result:
    """The result for one answer. A mistake in the answer is reported; an error of ours never makes an answer wrong."""
    return replace(_judged(question, answer), given=as_given(answer))


def _judged(question: Problem, answer: Mapping[str, Any]) -> Result:
    try:
        if question.kind == "choice":  # the teacher's key marks it, and no verdict does
            keyed = judge_choice(question, answered(question, answer))
            credit = {True: "right", False: "wrong", None: ""}[keyed.right]
            return replace(result_of(question, keyed.status, plain(keyed.message)), credit=credit)
        verdict = _check.check(question, answer)
        earned, picture = credit_of(question, answer, verdict), _picture(question, verdict)
    except (AnswerError, FormulaError) as error:
        return result_of(question, "invalid", plain(sentence(str(error))))
    except (MemoryError, RecursionError, OverflowError):
        return result_of(question, "stopped", f"judging it needed too much memory: {PERSON}")
    except Exception as error:  # an error in headwright must not cost the other answers
        return result_of(question, "fault", f"the judge failed ({type(error).__name__}): {PERSON}")
    status = "readings" if verdict.method == TWO_READINGS else verdict.status
    result = Result(question.id, question.sheet, status, message_of(verdict), reading=verdict.reading, verdict=verdict)
    if earned is None:
        return result
    if earned.kind not in ("right", "wrong") and has_several(question, answered(question, answer)):
        return replace(result, status="readings", word=WORDS["readings"])  # the credit is that of one reading alone
    message = message_of(verdict, earned.note, conditional=earned.kind != "up-to")
    found = replace(result, message=message, picture=picture)
    return replace(found, credit=earned.kind, word=earned.word, remark=earned.remark)


def _picture(question: Problem, verdict: Verdict) -> dict[str, Any] | None:
    """The data of a drawing; an answer that cannot be drawn is judged all the same."""
    try:
        return picture_of(question, verdict)
    except Exception:
        return None


def result_of(question: Problem, status: str, message: str) -> Result:
    return Result(question.id, question.sheet, status, message)


def assembled(file: AnswerFile, results: Iterable[Result], rules: Rules) -> Grade:
    """All questions that count, in the order of the assignment or of the sheets, those without an answer included."""
    questions = rules.questions
    by_id = {result.id: result for result in results}
    for name, complaint in file.complaints.items():
        if name in questions:
            by_id[name] = result_of(questions[name], "invalid", sentence(complaint))
    for name in file.explanations:
        by_id.setdefault(name, result_of(questions[name], "written", _WORDS_ALONE))
    asked = rules.asked({result.sheet for result in by_id.values()})
    every = {
        name: (by_id.get(name) or result_of(item.question, "missing", "")).counted(item.points, item.policy)
        for name, item in asked.items.items()
    }
    for name, text in file.explanations.items():
        if name in every:
            every[name] = every[name].proposal(text)
    stray = tuple(complaint for name, complaint in file.complaints.items() if name not in questions)
    if not by_id and not stray:
        first = next(iter(questions))
        shown = f'[{first}], and below it q = "…"' if file.path.endswith(".toml") else f"## {first}, and below it q = …"
        stray = (f"the file holds no answers: a line such as {shown}",)
    return Grade(file.path, file.student, file.digest, FrozenMap(every), stray, title=asked.title)


def ungraded(path: str, why: str, rules: Rules, *, digest: str = "") -> Grade:
    """The grade of a file that cannot be read: no points for any question, and the reason."""
    none = assembled(AnswerFile(path, None, digest, {}, {}), (), rules)
    return replace(none, complaints=(), unreadable=plain(why))


def explanations(graded: Grade, questions: Mapping[str, Problem]) -> dict[str, str]:
    """Our own answer to every question that was answered; a question that has none of ours is left out."""
    texts = {result.id: _explanation(questions[result.id]) for result in graded.answered}
    return {name: text for name, text in texts.items() if text}


def _explanation(question: Problem) -> str:
    if question.id in CATALOGUE:
        return run(question.id).construction
    given = question.ours.get("answer", {}).items()
    return ", ".join(f"{name} = {x if isinstance(x, str) else x.tolist()}" for name, x in given)
