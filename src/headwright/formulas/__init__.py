"""Strangers' formulas: read by a grammar of our own, evaluated in float64, or brought to forms that proofs can start from."""

from headwright.formulas.elementary import exp, log, sqrt, substituted
from headwright.formulas.faults import FormulaError, OutOfClass
from headwright.formulas.forms import outer_form, scalar_form, vector_form
from headwright.formulas.grammar import parse
from headwright.formulas.growth import eventual_sign, limit
from headwright.formulas.log_forms import LogForm
from headwright.formulas.matrix_forms import matrix_words
from headwright.formulas.matrix_words import Algebra, MatrixForm
from headwright.formulas.numbers import evaluate
from headwright.formulas.regions import STANDARD, Range, Region
from headwright.formulas.signs import as_logarithm, defined, nonnegative, sign
from headwright.formulas.trees import Formula

__all__ = [
    "Algebra",
    "Formula",
    "FormulaError",
    "LogForm",
    "MatrixForm",
    "OutOfClass",
    "Range",
    "Region",
    "STANDARD",
    "as_logarithm",
    "defined",
    "evaluate",
    "eventual_sign",
    "exp",
    "limit",
    "log",
    "matrix_words",
    "nonnegative",
    "outer_form",
    "parse",
    "scalar_form",
    "sign",
    "sqrt",
    "substituted",
    "vector_form",
]
