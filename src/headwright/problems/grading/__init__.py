"""Grades: one answer or many files of them judged, credited and counted."""

from headwright.problems.grading._grade import grade, grade_answer
from headwright.problems.grading._grade_many import grade_many
from headwright.problems.grading.assignments import Assignment, read_assignment
from headwright.problems.grading.grades import Grade, Total
from headwright.problems.grading.results import Result

__all__ = ["Assignment", "Grade", "Result", "Total", "grade", "grade_answer", "grade_many", "read_assignment"]
