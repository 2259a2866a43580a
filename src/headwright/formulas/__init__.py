"""Formulas from users: a grammar of our own reads text into the trees that the proofs start from."""

from headwright.forms import FormulaError, OutOfClass
from headwright.formulas._read import parse, readings
from headwright.formulas.conditions import Condition
from headwright.formulas.error_pictures import within
from headwright.formulas.formula import Formula
from headwright.formulas.numbers import evaluate, exact_value
from headwright.formulas.symbols import Symbols
from headwright.formulas.words import says_none

__all__ = [
    "Condition",
    "Formula",
    "FormulaError",
    "OutOfClass",
    "Symbols",
    "evaluate",
    "exact_value",
    "parse",
    "readings",
    "says_none",
    "within",
]
