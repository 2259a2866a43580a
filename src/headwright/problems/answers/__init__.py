"""Anyone's answers: files of them, their grades, and a teacher's own questions."""

from headwright.problems.answers.grades import Grade, Result, Total
from headwright.problems.answers.grading import grade
from headwright.problems.answers.own_problem import OwnProblem
from headwright.problems.answers.teacher_files import load
from headwright.problems.answers.workers import grade_many

__all__ = ["Grade", "OwnProblem", "Result", "Total", "grade", "grade_many", "load"]
