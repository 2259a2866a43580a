"""A class: a folder of answer files graded by one assignment, its tables, and the points that a person gives."""

from headwright.problems.classes._grade_class import grade_class
from headwright.problems.classes.class_grades import ClassGrade

__all__ = ["ClassGrade", "grade_class"]
