"""Squared distances in integers: the same as in Fractions, by both ways, and in parts."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.theories.positions import exact_squares
from headwright.theories.positions.exact_squares import WholeRows, signs, square_between


def by_loop(table, i, j):
    rows = [[Fraction(x) for x in row] for row in table.tolist()]
    return [
        sum(((a - b) ** 2 for a, b in zip(rows[x], rows[y], strict=True)), Fraction(0))
        for x, y in zip(i.tolist(), j.tolist(), strict=True)
    ]


def tables(rng):
    yield rng.normal(size=(12, 5))
    yield rng.normal(size=(9, 7)) * 10.0 ** rng.integers(-200, 200, size=(9, 7))
    yield np.concatenate([rng.normal(size=(5, 3)) * 1e-320, -1e300 * rng.random(size=(5, 3)), np.zeros((1, 3))])
    yield np.linalg.qr(rng.normal(size=(11, 11)))[0]
    yield np.zeros((3, 2))


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("entries", [2**21, 13])
@pytest.mark.parametrize("direct", [128, 0, 10**9])
def test_as_fractions_have_it(rng, monkeypatch, which, entries, direct):
    monkeypatch.setattr(exact_squares, "_ENTRIES", entries)
    monkeypatch.setattr(exact_squares, "_DIRECT", direct)
    table = list(tables(rng))[which]
    i, j = rng.integers(len(table), size=(2, 60))
    rows = WholeRows(table)
    assert [n * rows.unit**2 for n in rows.squares(i, j)] == by_loop(table, i, j)
    assert rows.squares(i[:0], j[:0]).tolist() == []


def test_most_pairs_come_from_one_product(monkeypatch):
    """Of 40 rows each with each, none by its differences; of 200 pairs on a line, none by a product."""
    table = np.linspace(0, 1, 400)[:, None] ** 2
    i, j = (part.ravel() for part in np.meshgrid(np.arange(40), np.arange(40, 80)))
    monkeypatch.setattr(WholeRows, "_direct", None)
    assert len(WholeRows(table).squares(i, j)) == 1600
    monkeypatch.undo()
    monkeypatch.setattr(WholeRows, "_all", None)
    assert len(WholeRows(table).squares(np.arange(200), np.arange(200) + 1)) == 200


def test_cost_is_that_of_the_cheaper_way(rng):
    rows = WholeRows(rng.normal(size=(1000, 7)))
    k = np.arange(500)
    assert rows.cost(k, k + 500) == 7 * 2 * 500 * 128
    i, j = (part.ravel() for part in np.meshgrid(k, k + 500))
    assert rows.cost(i, j) == 7 * 2 * 500 * 500
    assert rows.cost(k[:0], k[:0]) == 0
    assert WholeRows(np.zeros((2, 3))).cost(k[:1], k[1:2]) == 3
    assert WholeRows(np.array([[1e300], [1e-300]])).cost(k[:1], k[1:2]) == -(-(997 + 53 + 996) // 64)


def test_square_between_is_exact():
    assert square_between(np.array([1e300, 3.0]), np.array([1e300, 3 + 2.0**-51])) == Fraction(1, 2**102)
    assert square_between(np.array([5e-324]), np.array([0.0])) == Fraction(1, 2**2148)
    assert square_between(np.array([0.1, 2.0]), np.array([0.1, 2.0])) == 0


def test_signs_on_both_sides_of_a_limit():
    numbers = np.array([0, 4, 5, 6, 10**40], dtype=object)
    assert signs(numbers, Fraction(5)) == [-1, -1, 0, 1, 1]
    assert signs(numbers, Fraction(9, 2)) == [-1, -1, 1, 1, 1]
    assert signs(numbers, Fraction(0)) == [0, 1, 1, 1, 1]
    assert signs(numbers, Fraction(10**40) + Fraction(1, 10**40)) == [-1] * 5
