"""All pairs of a table: none that is near is lost, whatever the size and place of the numbers."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from headwright.theories.positions.near_pairs import Points


def all_near(points, square):
    """Every pair that may be that near."""
    found = [points.near(block, points.limit(square)) for block in points.blocks]
    return [pair for near in found for pair in zip(near.i.tolist(), near.j.tolist(), strict=True)]


def exact_squares(table):
    rows = [[Fraction(x) for x in row] for row in table.tolist()]
    return {
        (i, j): sum((a - b) ** 2 for a, b in zip(rows[i], rows[j], strict=True))
        for i, j in combinations(range(len(rows)), 2)
    }


def tables(rng):
    yield rng.normal(size=(40, 3))
    yield 1e8 + rng.normal(size=(40, 3))
    yield rng.normal(size=(30, 5)) * 1e300
    yield rng.normal(size=(30, 5)) * 1e-300
    yield np.concatenate([rng.normal(size=(20, 2)) * 1e-320, rng.normal(size=(5, 2))])
    yield rng.normal(size=(25, 4)) * 10.0 ** rng.integers(-200, 200, size=(25, 1))
    yield rng.integers(-3, 4, size=(40, 3)).astype(float)  # whole
    yield 0.1 * np.eye(12)  # whole multiples of a long number
    yield np.zeros((4, 2))
    base = rng.normal(size=(6, 3))
    yield np.concatenate([base, np.nextafter(base, 9)])


@pytest.mark.parametrize("which", range(10))
def test_nothing_near_is_lost(rng, which):
    table = list(tables(rng))[which]
    exact, points = exact_squares(table), Points(table)
    for limit in sorted(exact.values())[:: max(1, len(exact) // 12)]:
        for asked in (limit, limit * (1 - Fraction(1, 2**60)), limit * (1 + Fraction(1, 2**60))):
            kept = all_near(points, asked)
            assert len(set(kept)) == len(kept)
            assert set(kept) >= {pair for pair, square in exact.items() if square <= asked}
            assert not any(
                exact[pair] > asked * (1 + Fraction(1, 10**9)) + Fraction(2) ** -900 * points.unit**2 for pair in kept
            )


@pytest.mark.parametrize("which", range(10))
def test_kept_pairs_are_enclosed(rng, which):
    table = list(tables(rng))[which]
    exact, points = exact_squares(table), Points(table)
    unit = points.unit**2
    near = points.near(points.blocks[0], np.inf)
    assert len(near.i) == len(exact)
    for i, j, low, high in zip(*(part.tolist() for part in near), strict=True):
        assert Fraction(low) * unit <= exact[i, j] <= Fraction(high) * unit
        assert points.exact == (low == high)
    squares, whole = points.squares(near)
    assert [n * whole**2 for n in squares] == [
        exact[pair] for pair in zip(near.i.tolist(), near.j.tolist(), strict=True)
    ]
    assert (points.cost(near) == 0) == points.exact
    assert Fraction(points.least(points.blocks[0])) * unit >= min(exact.values())
    limit = float(np.median(near.low))
    few = near.within(limit)
    assert set(zip(few.i.tolist(), few.j.tolist(), strict=True)) == {
        (i, j) for i, j, low, _ in zip(*(part.tolist() for part in near), strict=True) if low <= limit
    }


def test_the_least_of_a_block_is_no_row_and_itself(rng):
    table = rng.normal(size=(1030, 2))
    points, exact = Points(table), np.linalg.norm(table[:, None] - table, axis=2) ** 2
    np.fill_diagonal(exact, np.inf)
    for block in points.blocks:
        assert points.least(block) * float(points.unit) ** 2 == pytest.approx(exact[block].min(), abs=1e-12)
    assert points.least((slice(0, 1), slice(0, 1))) == np.inf


def test_blocks_cover_all_pairs_once(rng):
    table = rng.normal(size=(1100, 1))
    pairs = [
        pair
        for block in Points(table).blocks
        for pair in zip(*(x.tolist() for x in Points(table).near(block, np.inf)[:2]), strict=True)
    ]
    assert len(pairs) == len(set(pairs)) == 1100 * 1099 // 2
    assert all(i < j for i, j in pairs)


def test_whole_multiples_are_recognised(rng):
    assert Points(0.1 * np.eye(5)).exact
    assert Points(rng.integers(-100, 100, size=(50, 8)) * 0.3).exact is False  # 0.3·k is rounded
    assert Points(rng.integers(-100, 100, size=(50, 8)) * 0.25).exact
    assert Points(np.array([[0.0], [2.0**25]])).exact
    assert not Points(np.array([[1.0], [2.0**26 - 1.0]])).exact
    assert not Points(rng.normal(size=(5, 5000))).exact
    assert not Points(np.concatenate([np.ones((1, 3)), rng.normal(size=(3000, 3))])).exact


def test_rows_too_long():
    with pytest.raises(ValueError, match=r"2\^20"):
        Points(np.zeros((1, 2**20 + 1)))
