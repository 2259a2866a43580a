"""Arithmetic that cannot lie: balls, exact rationals, and the tiers that enclose a softmax."""

from headwright.balls.ball import (
    Ball,
    around,
    decimal_above,
    decimal_below,
    exact,
    float_above,
    float_below,
    lower,
    precision,
    total,
    upper,
)
from headwright.balls.integrals import FAR, logistic_integral, logistic_mean
from headwright.balls.linear import exact_differences, null_combination, null_weights, sums_to_zero
from headwright.balls.normal import mass_between, mass_beyond
from headwright.balls.null_space import null_vectors
from headwright.balls.polynomials import nonnegative
from headwright.balls.scores import exact_product, exact_scores, float_scores
from headwright.balls.tables import BallTable, FloatTable, Table
from headwright.balls.tiers import Tier, climb

__all__ = [
    "FAR",
    "Ball",
    "BallTable",
    "FloatTable",
    "Table",
    "Tier",
    "around",
    "climb",
    "decimal_above",
    "decimal_below",
    "exact",
    "exact_differences",
    "exact_product",
    "exact_scores",
    "float_above",
    "float_below",
    "float_scores",
    "logistic_integral",
    "logistic_mean",
    "lower",
    "mass_between",
    "mass_beyond",
    "nonnegative",
    "null_combination",
    "null_vectors",
    "null_weights",
    "precision",
    "sums_to_zero",
    "total",
    "upper",
]
