"""Formulas from users: a grammar of our own reads text into a tree that the proofs start from."""

from headwright.forms import FormulaError, OutOfClass
from headwright.formulas.error_pictures import within
from headwright.formulas.formula import Formula
from headwright.formulas.grammar import parse
from headwright.formulas.numbers import evaluate, exact_value

__all__ = ["Formula", "FormulaError", "OutOfClass", "evaluate", "exact_value", "parse", "within"]
