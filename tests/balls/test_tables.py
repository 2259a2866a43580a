"""Sums of tables hold the exact sums of everything they may stand for."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.kernel import balls
from headwright.kernel.balls import BallTable, FloatTable


def ends(ball):
    return balls.lower(ball), balls.upper(ball)


@pytest.mark.parametrize("without", [(), (0,), (3, 7, 11)])
def test_float_sums_hold_both_ends(rng, without):
    midpoints = rng.exponential(size=50) * 10.0 ** rng.uniform(-30, 0, size=50)
    radii = midpoints * 10.0 ** rng.uniform(-16, -3, size=50)
    table = FloatTable(midpoints, radii)
    kept = [j for j in range(50) if j not in without]
    with balls.precision(64):
        low, high = ends(table.total(without))
    middles, spreads = (sum((Fraction(float(a[j])) for j in kept), Fraction(0)) for a in (midpoints, radii))
    assert low <= middles - spreads
    assert middles + spreads <= high
    assert high - low <= 3 * spreads + middles / 2**50


def test_rounding_of_the_sum_itself_is_counted():
    """1 + 2^-54 rounds to 1: with radii of zero the ball must still reach the exact sum."""
    table = FloatTable(np.array([1.0, 2.0**-54]), np.zeros(2))
    with balls.precision(64):
        low, high = ends(table.total())
    assert low <= 1 + Fraction(1, 2**54) <= high


def test_members_and_iteration_agree(rng):
    midpoints, radii = rng.random(6), 1e-3 * rng.random(6)
    table = FloatTable(midpoints, radii)
    assert len(table) == 6
    for j, ball in enumerate(table):
        assert ends(ball) == ends(table[j])
        low, high = ends(ball)
        assert low <= Fraction(float(midpoints[j])) - Fraction(float(radii[j]))
        assert Fraction(float(midpoints[j])) + Fraction(float(radii[j])) <= high


def test_tables_of_balls():
    table = BallTable([balls.exact(k) for k in (1, 2, 4, 8)])
    assert len(table) == 4
    assert (table[2] == 4, [int(float(b)) for b in table]) == (True, [1, 2, 4, 8])
    assert table.total() == 15
    assert table.total(without=(1, 3)) == 5
    assert table.total(without=(0, 1, 2, 3)) == 0


def test_tighter_balls_stand_in_for_the_wide_ones(rng):
    midpoints, radii = rng.random(32), 1e-3 * rng.random(32)
    radii[5] = radii[9] = 1.0
    table = FloatTable(midpoints, radii)
    assert sorted(table.heaviest()) == [5, 9]
    tight = table.tightened({5: balls.exact(3), 9: balls.exact(4)})
    assert tight[5] == 3
    assert [ball == 4 for ball in tight][9]
    assert ends(tight[0]) == ends(table[0])
    others = sum((Fraction(float(x)) for j, x in enumerate(midpoints) if j not in (5, 9)), Fraction(0))
    for without, more in (((), 7), ((5,), 4), ((9, 5), 0)):
        with balls.precision(64):
            low, high = ends(tight.total(without))
        assert low <= others + more <= high
        assert high - low < Fraction(1, 10)


def test_no_key_is_heaviest_where_all_are_alike():
    assert FloatTable(np.ones(64), np.ones(64)).heaviest() == []
    assert FloatTable(np.ones(9), np.ones(9)).heaviest() == []
