"""The five sheets: every question, our answers, and verdicts on the published ones."""

from headwright.problems.catalogue import CATALOGUE, SHEETS, find
from headwright.problems.problem import Problem
from headwright.problems.running import published, run, runs
from headwright.problems.showing import COUNTEREXAMPLE, WORDS, Showing

__all__ = ["CATALOGUE", "COUNTEREXAMPLE", "SHEETS", "WORDS", "Problem", "Showing", "find", "published", "run", "runs"]
