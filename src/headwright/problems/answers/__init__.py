"""Anyone's answers: files of them, and their grades."""

from headwright.problems.answers._grade import grade
from headwright.problems.answers._grade_many import grade_many
from headwright.problems.answers.grades import Grade, Result, Total

__all__ = ["Grade", "Result", "Total", "grade", "grade_many"]
