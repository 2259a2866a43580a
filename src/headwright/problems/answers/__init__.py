"""Anyone's answers: files of them, and their grades."""

from headwright.problems.answers._grade import grade, grade_answer
from headwright.problems.answers._grade_class import grade_class
from headwright.problems.answers._grade_many import grade_many
from headwright.problems.answers.assignments import Assignment, read_assignment
from headwright.problems.answers.class_grades import ClassGrade
from headwright.problems.answers.grades import Grade, Total
from headwright.problems.answers.results import Result

__all__ = ["Assignment", "ClassGrade", "Grade", "Result", "Total", "read_assignment"]
__all__ += ["grade", "grade_answer", "grade_class", "grade_many"]
