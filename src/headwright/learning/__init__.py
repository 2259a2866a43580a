"""Learned against designed: blocks trained on two tasks (extra `torch`), and single queries trained towards a goal."""

from headwright.learning.descent import QueryPath, learn_query
from headwright.learning.lessons import learn_all
from headwright.learning.recipe import Recipe
from headwright.learning.training import train

__all__ = ["QueryPath", "Recipe", "learn_all", "learn_query", "train"]
