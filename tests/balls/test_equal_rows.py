"""The first two equal rows, as a loop over all of them finds them."""

import numpy as np
import pytest

from headwright.balls import equal_rows, first_equal


def by_loop(table):
    seen = {}
    for j, row in enumerate(table.tolist()):
        if tuple(row) in seen:
            return seen[tuple(row)], j
        seen[tuple(row)] = j
    return None


@pytest.mark.parametrize("spread", [3, 40, 10**6])
def test_the_first_pair(rng, spread):
    for _ in range(20):
        table = rng.integers(spread, size=(rng.integers(1, 300), 2)).astype(float)
        assert first_equal(table) == by_loop(table)


@pytest.mark.parametrize("places", [(3, 1000), (1500, 2999), (0, 4999), (1023, 1024), (2047, 2048)])
def test_far_apart_and_across_blocks(rng, places):
    table = rng.normal(size=(5000, 3))
    i, j = places
    table[j] = table[i]
    assert first_equal(table) == places
    assert first_equal(table[:j]) is None
    table[4999] = table[4998] = table[i]
    assert first_equal(table) == min(places, (i, 4998), key=lambda pair: pair[1])


def test_rows_in_one_column_alone(rng):
    """Rows that differ in the last entry only, or in the first only, differ."""
    table = np.tile(rng.normal(size=700), (40, 1))
    table[:, -1] = rng.permutation(40)
    assert first_equal(table) is None
    table[:, -1], table[:, 0] = 0, rng.permutation(40)
    assert first_equal(table) is None


def test_equal_hashes_are_no_equal_rows(monkeypatch, rng):
    monkeypatch.setattr(equal_rows, "_hashes", lambda rows: np.zeros(len(rows), dtype=np.uint64))
    table = rng.integers(7, size=(30, 3)).astype(float)
    assert first_equal(table) == by_loop(table)
    assert first_equal(np.arange(12.0)[:, None]) is None
