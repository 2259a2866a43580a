"""A block's formulas in balls: narrow, and around what the formulas give in mpmath and what the block itself computes."""

from dataclasses import replace
from itertools import chain, product

import mpmath
import numpy as np

from headwright.kernel import balls
from headwright.theories.order.block_equivariant import BlockEquivariant
from headwright.theories.order.block_rows import BlockRows
from tests import second_opinion_equivariance as written_out
from tests.blocks import D, N, block, witness


def test_balls_hold_what_the_formulas_give(rng):
    """Every setting against the formulas in mpmath, and against the block itself."""
    for norm_first, residual, causal, activation in product(
        [False, True], [False, True], [False, True], ["relu", "gelu"]
    ):
        given = block(rng, positions=rng.normal(size=(N, D)), norm_first=norm_first, residual=residual, causal=causal)
        given = replace(given, activation=activation)
        claim = BlockEquivariant(given, N)
        x = witness(rng)
        with balls.precision(128):
            found = BlockRows(claim.block, balls.exact).results([[balls.exact(a) for a in row] for row in x.tolist()])
            ends = [[(balls.lower(ball), balls.upper(ball)) for ball in row] for row in found]
        with mpmath.workdps(60):
            numbers = {name: written_out._nested(array) for name, array in claim.arrays().items()}
            truth = written_out.values(numbers, claim.fields(), written_out._nested(x))
            for (low, high), value in zip(chain(*ends), chain(*truth), strict=True):
                assert _real(low) <= value <= _real(high)
                assert high - low < 1e-30
        assert np.allclose([[float(low) for low, _ in row] for row in ends], given(x), rtol=1e-9)


def _real(fraction):
    return mpmath.mpf(fraction.numerator) / fraction.denominator
