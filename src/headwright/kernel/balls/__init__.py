"""Rigorous arithmetic: balls, exact rationals, and the tiers that enclose a softmax."""

from headwright.kernel.balls.ball import (
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
from headwright.kernel.balls.ball_matrices import ball_inverse, leading_projector, projections, rational_inverse
from headwright.kernel.balls.linear import rank, sums_to_zero
from headwright.kernel.balls.scores import (
    Dyadics,
    Vector,
    exact_product,
    exact_scores,
    float_scores,
    float_sums,
    integers,
    lowest_exponent,
)
from headwright.kernel.balls.tables import BallTable, FloatTable, Table
from headwright.kernel.balls.tiers import Tier, climb
