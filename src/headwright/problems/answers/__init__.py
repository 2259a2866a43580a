"""Anyone's answers: files of them, and their grades."""

from headwright.problems.answers.grades import Grade, Result, Total
from headwright.problems.answers.grading import grade
from headwright.problems.answers.workers import grade_many

__all__ = ["Grade", "Result", "Total", "grade", "grade_many"]
