"""Arithmetic that cannot lie: balls, exact rationals, and the tiers that enclose a softmax."""

from headwright.balls.ball import (
    FLOAT_BITS,
    Ball,
    around,
    decimal_above,
    decimal_below,
    exact,
    finite_above,
    finite_below,
    float_above,
    float_below,
    function_cost,
    lower,
    precision,
    sign,
    total,
    unit_cost,
    upper,
)
from headwright.balls.ball_matrices import ball_inverse, leading_projector, rational_inverse
from headwright.balls.bounded_polynomials import OutOfClass, TooLarge
from headwright.balls.equal_rows import first_equal
from headwright.balls.exact_squares import WholeRows, signs, square_between
from headwright.balls.integrals import FAR, logistic_integral, logistic_mean
from headwright.balls.linear import sums_to_zero
from headwright.balls.matrix_norms import exact_squared_norm, norm_above, residual_norm, scaled, squared_norm, stretch
from headwright.balls.near_pairs import Pairs, Points
from headwright.balls.near_shifts import CHUNK, all_near_shifts, near_shifts
from headwright.balls.normal import mass_between, mass_beyond
from headwright.balls.polynomials import coefficient, free_variables, nonnegative
from headwright.balls.rational_functions import RationalFunction
from headwright.balls.scores import exact_product, exact_scores, float_scores, integers, lowest_exponent
from headwright.balls.stored_waves import nearest, rounding_reach, stored_rows
from headwright.balls.tables import BallTable, FloatTable, Table
from headwright.balls.tiers import Tier, climb
from headwright.balls.waves import Waves

__all__ = [
    "CHUNK",
    "FAR",
    "FLOAT_BITS",
    "Ball",
    "BallTable",
    "FloatTable",
    "Pairs",
    "Points",
    "RationalFunction",
    "Table",
    "Tier",
    "OutOfClass",
    "TooLarge",
    "Waves",
    "WholeRows",
    "all_near_shifts",
    "around",
    "ball_inverse",
    "climb",
    "coefficient",
    "decimal_above",
    "decimal_below",
    "exact",
    "exact_product",
    "exact_scores",
    "exact_squared_norm",
    "finite_above",
    "finite_below",
    "first_equal",
    "float_above",
    "float_below",
    "float_scores",
    "free_variables",
    "function_cost",
    "integers",
    "leading_projector",
    "logistic_integral",
    "logistic_mean",
    "lower",
    "lowest_exponent",
    "mass_between",
    "mass_beyond",
    "near_shifts",
    "nearest",
    "nonnegative",
    "norm_above",
    "precision",
    "rational_inverse",
    "rounding_reach",
    "sign",
    "signs",
    "square_between",
    "stored_rows",
    "residual_norm",
    "scaled",
    "squared_norm",
    "stretch",
    "sums_to_zero",
    "total",
    "unit_cost",
    "upper",
]
