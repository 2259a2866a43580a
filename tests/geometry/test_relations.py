"""Exact relations between rows: what comes back cancels in fractions, whatever the weights it was made from."""

import math
from fractions import Fraction

import numpy as np
import pytest

from headwright.search.least_norm import relations
from headwright.search.least_norm.relations import exact_differences, null_combination, null_weights


def added(rows, weights):
    """Σ weights_j rows_j, one fraction at a time."""
    whole = [[Fraction(entry) for entry in row] for row in rows]
    return [sum((w * row[c] for w, row in zip(weights, whole, strict=True)), Fraction(0)) for c in range(len(whole[0]))]


def is_relation(rows, near, found):
    return (
        found is not None
        and any(found)
        and all(isinstance(n, int) and n >= 0 for n in found)
        and all(n == 0 for n, w in zip(found, near, strict=True) if w == 0)
        and not any(added(rows, found))
    )


@pytest.mark.parametrize(("k", "d"), [(3, 1), (7, 5), (60, 4), (200, 17)])
def test_rounded_weights_are_corrected(rng, k, d):
    near = rng.uniform(0.5, 1.5, k)
    rows = rng.standard_normal((k, d))
    rows -= near @ rows / near.sum()
    found = null_combination(rows, near)
    assert is_relation(rows.tolist(), near, found)
    assert math.gcd(*found) == 1
    ratio = np.array([n / sum(found) for n in found]) / (near / near.sum())
    assert abs(ratio - 1).max() < 1e-9


def test_most_weights_stay_as_they_are(rng):
    k, d = 40, 6
    near = rng.uniform(0.5, 1.5, k)
    rows = rng.standard_normal((k, d))
    rows -= near @ rows / near.sum()
    found = null_weights(rows, near)
    assert sum(x != Fraction(w) for x, w in zip(found, near, strict=True)) <= d
    assert not any(added(rows.tolist(), found))


def test_zero_weights_stay_zero(rng):
    rows = np.array([[1.0, 0], [-1, 0.5], [0, -1], [7, 7], [0.25, 0]])
    near = np.array([0.4, 0.4, 0.2, 0, 0])
    found = null_combination(rows, near)
    assert is_relation(rows.tolist(), near, found)
    assert found == [2, 2, 1, 0, 0]


def test_fractions_and_integers_are_rows_too():
    rows = [[Fraction(1, 3), Fraction(1)], [Fraction(-1, 6), Fraction(-1, 2)]]
    assert null_combination(rows, np.array([1.0, 2.0])) == [1, 2]
    assert null_combination(np.array([[10**40], [-(10**40) * 3]], dtype=object), np.array([3.1, 0.9])) == [3, 1]


def test_dependent_rows(rng):
    inner = rng.integers(-5, 6, (30, 3)) @ rng.integers(-3, 4, (3, 8))
    rows = np.concatenate([inner, -inner]).astype(float)
    near = rng.uniform(0.8, 1.2, 60)
    assert is_relation(rows.tolist(), near, null_combination(rows, near))


def test_nearly_dependent_rows_are_not_taken_for_dependent():
    """The second column is 1e-10 of the first: noise to one reading, a condition of its own in truth."""
    rows = np.array([[1.0, 1e-10], [-1, 1e-10], [0.5, -3e-10], [-0.5, -1e-10]])
    near = np.array([1.0, 1.0, 0.5, 0.5])
    found = null_combination(rows, near)
    assert is_relation(rows.tolist(), near, found)


@pytest.mark.parametrize("size", [1e-150, 1e-8, 1e8, 1e150])
def test_any_scale(rng, size):
    near = rng.uniform(0.5, 1.5, 30)
    rows = rng.standard_normal((30, 4)) * [size, 1, 1 / size, 1]
    rows -= near @ rows / near.sum()
    assert is_relation(rows.tolist(), near, null_combination(rows, near))


def test_rows_on_one_side_have_no_relation(rng):
    rows = np.abs(rng.standard_normal((20, 3))) + 0.1
    assert null_combination(rows, np.ones(20)) is None
    assert null_combination(np.array([[1.0], [2.0]]), np.array([1e-30, 1e-30])) is None


def test_a_relation_that_needs_a_negative_weight_is_refused():
    assert null_combination(np.array([[1.0, 0], [0, 1], [2, 1]]), np.array([1.0, 1.0, 1.0])) is None


def test_zero_rows_and_no_weights():
    assert null_combination(np.zeros((3, 2)), np.array([1.0, 0.0, 0.5])) == [2, 0, 1]
    assert null_combination(np.ones((3, 2)), np.zeros(3)) is None


def test_a_fixed_part_is_cancelled(rng):
    rows = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], dtype=object)
    near = np.array([4.0, 1.0, 2.0, 2.0])
    found = null_weights(rows, near, fixed=[-3, 1])
    assert [Fraction(-3), Fraction(1)] == [-x for x in added(rows.tolist(), found)]
    assert min(found) >= 0
    assert null_weights(rows[:1], near[:1], fixed=[0, 1]) is None
    assert null_weights(rows, np.zeros(4), fixed=[0, 1]) is None
    assert null_weights(rows, np.zeros(4), fixed=[0, 0]) == [0, 0, 0, 0]


def test_an_answer_that_does_not_cancel_is_never_returned(rng, monkeypatch):
    rows = np.array([[1.0, 0], [-1, 0.5], [0, -1], [1, 1]])
    wrong = lambda basis, total: [Fraction(1, 7)] * len(basis)  # noqa: E731
    monkeypatch.setattr(relations, "_solve", wrong)
    assert null_combination(rows, np.array([0.4, 0.4, 0.3, 0.1])) is None


def test_differences_are_exact(rng):
    keys = rng.standard_normal((6, 3)) * 10.0 ** rng.integers(-20, 20, (6, 3))
    above, below = np.array([0, 3, 5, 1]), np.array([2, 2, 0, 1])
    rows, exponent = exact_differences(keys, above, below)
    for row, a, b in zip(rows, above, below, strict=True):
        wanted = [Fraction(x) - Fraction(y) for x, y in zip(keys[a].tolist(), keys[b].tolist(), strict=True)]
        assert [int(entry) * Fraction(2) ** exponent for entry in row] == wanted
    one, exponent = exact_differences(keys, 4, 2)
    assert int(one[1]) * Fraction(2) ** exponent == Fraction(keys[4, 1]) - Fraction(keys[2, 1])


@pytest.mark.parametrize("rows", [np.ones(3), np.ones((2, 2), dtype=np.float32), np.array([[np.inf, 1.0]]), []])
def test_rows_that_cannot_be_read_exactly_are_refused(rows):
    with pytest.raises(ValueError, match="`rows`"):
        null_combination(rows, np.ones(len(rows)))


@pytest.mark.parametrize("near", [np.ones(3), np.array([1.0, -1.0]), np.array([1.0, np.nan])])
def test_wrong_weights_are_refused(near):
    with pytest.raises(ValueError, match="`near`"):
        null_combination(np.array([[1.0], [-1.0]]), near)


def test_a_singular_basis_is_no_answer():
    """Exactly dependent rows may look independent after rounding to float64."""
    square = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], dtype=object)
    assert relations._solve(square, [1, 2, 4]) is None
    assert relations._solve(np.array([[0, 0]], dtype=object), [1, 2]) is None
    assert null_weights(square, np.ones(3), fixed=[0, 0, 1]) is None
    nearly = np.array([[2**80 + 1, 2**80], [2**80, 2**80 - 1]], dtype=object)
    assert null_combination(nearly, np.ones(2)) is None
