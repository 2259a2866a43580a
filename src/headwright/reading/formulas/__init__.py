"""Formulas from users: a grammar of our own reads text into the trees that the proofs start from."""

from headwright.reading.formulas._read import parse, readings
from headwright.reading.formulas.conditions import Condition
from headwright.reading.formulas.error_pictures import within
from headwright.reading.formulas.formula import Formula
from headwright.reading.formulas.numbers import evaluate, exact_value
from headwright.reading.formulas.symbols import Symbols
from headwright.reading.formulas.words import says_none
from headwright.theories.formulas.forms import FormulaError, OutOfClass

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
