"""Cards of questions and grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwright.faces.cards.parts import BROWN, GREEN, RED, SLATE, Html, badge, frame, grid, note, rows, text

if TYPE_CHECKING:
    from headwright.problems import Problem
    from headwright.problems.grading import Grade

_SIGNS = {
    **{"right": ("✓", GREEN), "wrong": ("✗", RED), "for a person to read": ("?", BROWN)},
    **{"right by the key": ("✓", GREEN), "wrong by the key": ("✗", RED)},
}
_QUESTION = 4000  # letters of a question: all of any question in the sheets


def problem_card(problem: Problem) -> Html:
    worth = "" if problem.points is None else f", {problem.points} point{'' if problem.points == 1 else 's'}"
    title = text(problem.title) if problem.title else text(f"Question {problem.id}")
    lines = {} if problem.published is None else {"published answer": text(problem.published, most=_QUESTION)}
    return frame([], f"question {problem.id}{worth}", title, note(text(problem.question, most=_QUESTION)), rows(lines))


def grade_card(grade: Grade) -> Html:
    title = text(grade.student or grade.path)
    if grade.unreadable is not None:
        why = note(text(grade.unreadable))
        return frame([badge("!", "Could not be graded", BROWN)], "Grade", title, why, colour=BROWN)
    lines = [(text(r.id), _word(r.word), text(r.message)) for r in grade.answered]
    notes = [note(text(f"Not graded: {complaint}")) for complaint in grade.complaints]
    totals = rows({f"sheet {total.sheet}": text(total) for total in grade.totals})
    return frame([], "Grade", title, totals, grid(["question", "answer", "message"], lines, last_is_text=True), *notes)


def _word(word: str) -> Html:
    return badge(*(_SIGNS[word][0], word, _SIGNS[word][1]) if word in _SIGNS else ("–", word, SLATE))
