"""The five sheets: every question, our answers, and verdicts on the published ones."""

from headwright.problems.answers import Grade, grade, grade_many
from headwright.problems.catalogue import CATALOGUE, SHEETS, find, load
from headwright.problems.checking import check
from headwright.problems.family import Family, Setting
from headwright.problems.problem import Problem
from headwright.problems.running import published, run, runs
from headwright.problems.showing import COUNTEREXAMPLE, WORDS, Showing

__all__ = ["CATALOGUE", "COUNTEREXAMPLE", "SHEETS", "WORDS", "Problem", "Showing", "find", "published", "run", "runs"]
__all__ += ["Grade", "grade", "grade_many", "load"]
__all__ += ["Family", "Setting", "check"]
