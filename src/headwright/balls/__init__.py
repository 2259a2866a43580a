"""Rigorous arithmetic: balls, exact rationals, and the tiers that enclose a softmax."""

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
    lower_end,
    precision,
    sign,
    total,
    unit_cost,
    upper,
    upper_end,
)
from headwright.balls.ball_matrices import ball_inverse, leading_projector, projections, rational_inverse
from headwright.balls.bounded_polynomials import OutOfClass, TooLarge
from headwright.balls.compared_rows import Moved, moved_rows
from headwright.balls.equal_rows import first_equal
from headwright.balls.exact_squares import WholeRows, signs, square_between
from headwright.balls.float_log import enclosed_entropy
from headwright.balls.integrals import FAR, logistic_integral, logistic_mean
from headwright.balls.linear import rank, sums_to_zero
from headwright.balls.matrix_norms import exact_squared_norm, norm_above, residual_norm, scaled, squared_norm, stretch
from headwright.balls.near_pairs import Pairs, Points
from headwright.balls.near_shifts import CHUNK, all_near_shifts, near_shifts
from headwright.balls.normal import growths, mass_between, mass_beyond, normal_cells
from headwright.balls.polynomials import coefficient, free_variables
from headwright.balls.rational_functions import RationalFunction
from headwright.balls.scores import (
    Dyadics,
    Vector,
    exact_product,
    exact_scores,
    float_scores,
    float_sums,
    integers,
    lowest_exponent,
)
from headwright.balls.tables import BallTable, FloatTable, Table
from headwright.balls.tiers import Tier, climb
from headwright.balls.waves import Waves
from headwright.balls.worst_moves import worst_move
