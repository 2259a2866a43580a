"""The five sheets: every question, our answers, and verdicts on the published ones."""

from headwright.problems.answers import Grade, OwnProblem, grade, grade_many, load
from headwright.problems.catalogue import CATALOGUE, SHEETS, find
from headwright.problems.checking import check
from headwright.problems.problem import Problem
from headwright.problems.running import published, run, runs
from headwright.problems.settings import Setting
from headwright.problems.showing import COUNTEREXAMPLE, WORDS, Showing

__all__ = ["CATALOGUE", "COUNTEREXAMPLE", "SHEETS", "WORDS", "Problem", "Showing", "find", "published", "run", "runs"]
__all__ += ["Grade", "OwnProblem", "grade", "grade_many", "load"]
__all__ += ["Setting", "check"]
