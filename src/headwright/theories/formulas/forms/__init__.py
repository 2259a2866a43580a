"""Formulas as trees, one walk over them, and normal forms with signs and limits that hold on given ranges of the symbols."""

from headwright.theories.formulas.forms.elementary import exp, log, sqrt, substituted
from headwright.theories.formulas.forms.faults import FormulaError, Misfit, OutOfClass
from headwright.theories.formulas.forms.growth import eventual_sign, limit
from headwright.theories.formulas.forms.log_forms import NONZERO, Condition, LogForm
from headwright.theories.formulas.forms.matrix_forms import Rules, in_words, matrix_on, number_of, vector_on
from headwright.theories.formulas.forms.points import Grid, at_point, column, described
from headwright.theories.formulas.forms.ranges import Range, Ranges
from headwright.theories.formulas.forms.scalars import Scalar, ball
from headwright.theories.formulas.forms.signs import as_logarithm, defined, holds, nonnegative, sign
from headwright.theories.formulas.forms.trees import (
    Array,
    Node,
    below,
    from_lists,
    names_in,
    need_degree,
    plain_name,
    spelled,
    to_lists,
    with_numbers,
)

__all__ = [
    "NONZERO",
    "Array",
    "Condition",
    "FormulaError",
    "Grid",
    "LogForm",
    "Misfit",
    "Node",
    "OutOfClass",
    "Range",
    "Ranges",
    "Rules",
    "Scalar",
    "as_logarithm",
    "at_point",
    "ball",
    "below",
    "column",
    "defined",
    "described",
    "eventual_sign",
    "exp",
    "from_lists",
    "holds",
    "in_words",
    "limit",
    "log",
    "matrix_on",
    "names_in",
    "need_degree",
    "nonnegative",
    "number_of",
    "plain_name",
    "sign",
    "spelled",
    "sqrt",
    "substituted",
    "to_lists",
    "vector_on",
    "with_numbers",
]
