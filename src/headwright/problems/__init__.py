"""The five sheets: every question, our answers, and verdicts on the published ones."""

from headwright.problems._check import check
from headwright.problems._run import COUNTEREXAMPLE, WORDS, Showing, published, run, runs
from headwright.problems.catalogue import CATALOGUE, SHEETS, find, load
from headwright.problems.classes import ClassGrade, grade_class
from headwright.problems.family import Family, Setting
from headwright.problems.grading import Assignment, Grade, grade, grade_answer, grade_many, read_assignment
from headwright.problems.problem import AnswerError, Problem

__all__ = ["CATALOGUE", "COUNTEREXAMPLE", "SHEETS", "WORDS", "Problem", "Showing", "find", "published", "run", "runs"]
__all__ += ["Assignment", "ClassGrade", "Grade", "grade", "grade_answer", "grade_class", "grade_many", "load"]
__all__ += ["read_assignment"]
__all__ += ["AnswerError", "Family", "Setting", "check"]
