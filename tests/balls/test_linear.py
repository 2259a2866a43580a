"""Sums of rows in exact arithmetic: zero or not."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.kernel.balls import sums_to_zero


def test_sums_in_exact_arithmetic(rng):
    """1 + 2^-60 is no float64; thirds and fifths have no common binary denominator."""
    assert not sums_to_zero(np.array([[1.0], [2.0**-60], [-1.0]]), [1, 1, 1])
    assert sums_to_zero(np.array([[1.0], [2.0**-60], [-1.0]]), [1, 0, 1])
    assert sums_to_zero(np.array([[3.0], [5.0], [-1.0]]), [Fraction(1, 3), Fraction(1, 5), 2])
    assert not sums_to_zero(np.array([[3.0], [5.0], [-1.0]]), [Fraction(1, 3), Fraction(1, 5), 3])
    assert sums_to_zero(np.array([[3], [5]], dtype=object), [1, 1], fixed=[-8])
    assert not sums_to_zero(np.array([[3], [5]], dtype=object), [Fraction(1, 3), 1], fixed=[8])
    assert sums_to_zero(np.array([[3], [5]], dtype=object), [Fraction(1, 3), 1], fixed=[-6])
    with pytest.raises(ValueError, match="`weights`"):
        sums_to_zero(np.ones((2, 1)), [1])


def test_every_column_counts():
    assert not sums_to_zero(np.array([[1.0, 1.0], [-1.0, 1.0]]), [1, 1])
    assert not sums_to_zero(np.array([[1.0, 1.0], [1.0, -1.0]]), [1, 1])


@pytest.mark.parametrize("rows", [np.ones(3), np.ones((2, 2), dtype=np.float32), np.array([[np.inf, 1.0]]), []])
def test_rows_that_cannot_be_read_exactly_are_refused(rows):
    with pytest.raises(ValueError, match="`rows`"):
        sums_to_zero(rows, [1] * len(rows))
