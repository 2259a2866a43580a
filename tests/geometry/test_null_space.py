"""All exact relations between columns, against elimination in Fractions."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.search.least_norm.null_space import null_vectors
from tests.second_opinion_readout import _rank


def columns_of(array):
    return [[Fraction(entry) for entry in column] for column in array.T.tolist()]


@pytest.mark.parametrize(("d", "k"), [(3, 2), (3, 3), (3, 5), (1, 4), (6, 4)])
def test_as_many_relations_as_the_rank_leaves(rng, d, k):
    for rank in range(1, min(d, k) + 1):
        array = (rng.integers(-4, 5, size=(d, rank)) @ rng.integers(-4, 5, size=(rank, k))).astype(float)
        array[:, 0] *= 2.0**-300
        found = null_vectors(array)
        columns = columns_of(array)
        assert len(found) == k - _rank(columns)
        for vector in found:
            assert any(vector)
            assert all(sum(z * c[i] for z, c in zip(vector, columns, strict=True)) == 0 for i in range(d))
        if found:
            assert _rank([[Fraction(z) for z in vector] for vector in found]) == len(found)


def test_independent_columns_have_none(rng):
    array = rng.normal(size=(5, 4))
    assert null_vectors(array) == []
    array[:, 3] = array[:, 1]
    assert null_vectors(array) == [[0, -1, 0, 1]]
    array[2, 3] = np.nextafter(array[2, 3], 9)
    assert null_vectors(array) == []


def test_the_last_entry_is_positive_and_nothing_divides_all():
    assert null_vectors(np.array([[6.0, -4.0]])) == [[2, 3]]
    assert null_vectors(np.array([[6.0, 4.0]])) == [[-2, 3]]
    assert null_vectors(np.zeros((2, 1))) == [[1]]
