"""Score enclosures hold the exact rational dot product, for ordinary and for hostile numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from headwright.kernel import balls
from headwright.kernel.balls import scores


def exact_dots(keys, query):
    return [
        sum((Fraction(a) * Fraction(b) for a, b in zip(k, query.tolist(), strict=True)), Fraction(0))
        for k in keys.tolist()
    ]


def assert_enclosed(keys, query):
    found = balls.float_scores(keys, query)
    assert found is not None
    for true, mid, rad in zip(exact_dots(keys, query), *(part.tolist() for part in found), strict=True):
        assert abs(Fraction(mid) - true) <= Fraction(rad)


def assert_exact(keys, query):
    numerators, exponent = balls.exact_scores(keys, query)
    assert [number * Fraction(2) ** exponent for number in numerators] == exact_dots(keys, query)


ordinary = st.floats(-1e100, 1e100)
hostile = st.one_of(
    ordinary, st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 2.0**-1022, 1e-310, 1.0, -1.0, 1e16, 2.0**-500])
)
sized = st.tuples(st.integers(1, 6), st.integers(1, 5))
pairs = sized.flatmap(
    lambda shape: st.tuples(arrays(np.float64, shape, elements=hostile), arrays(np.float64, shape[1], elements=hostile))
)


@given(pairs)
def test_enclosures_hold_and_integers_are_exact(pair):
    assert_enclosed(*pair)
    assert_exact(*pair)


def test_cancellation(rng):
    big = 1e16 * rng.normal(size=(50, 4))
    keys = np.hstack([big, -big, rng.normal(size=(50, 3))])
    assert_enclosed(keys, np.ones(11))
    assert_exact(keys, np.ones(11))


def test_subnormal_keys_and_products_that_vanish(rng):
    keys = rng.integers(-(2**51), 2**51, size=(20, 7)) * 2.0**-1074
    for query in (rng.normal(size=7) * 1e300, np.full(7, 1e-20), np.full(7, 5e-324)):
        assert_enclosed(keys, query)
        assert_exact(keys, query)


def test_underflow_is_part_of_the_radius():
    """Every product is 2^-1076 or so and rounds to zero, but their sum is not zero."""
    keys, query = np.full((2, 300), 2.0**-538), np.full(300, 2.0**-538)
    midpoints, radii = balls.float_scores(keys, query)
    assert (midpoints == 0).all()
    assert_enclosed(keys, query)
    assert (radii > 0).all()


def test_many_rows_and_a_long_row(rng):
    keys = rng.normal(size=(scores._ROWS + 3, 2))
    query = rng.normal(size=2)
    assert_enclosed(keys, query)
    assert_exact(keys, query)
    keys, query = rng.normal(size=(2, 5000)), rng.normal(size=5000)
    assert_enclosed(keys, query)
    assert_exact(keys, query)


@pytest.mark.parametrize("value", [1e200, -1e200, 1e308])
def test_overflow_gives_none(value):
    assert balls.float_scores(np.full((2, 2), value), np.full(2, abs(value))) is None
    assert_exact(np.full((2, 2), value), np.full(2, abs(value)))


def test_overflow_of_the_radius_alone_gives_none():
    keys = np.array([[1e200, -1e200]])
    assert balls.float_scores(keys, np.array([1e110, 1e110])) is None
    assert_exact(keys, np.array([1e110, 1e110]))


def test_too_long_a_row_gives_none(monkeypatch):
    monkeypatch.setattr(scores, "_LONGEST_DOT", 2)
    assert balls.float_scores(np.ones((1, 3)), np.ones(3)) is None


def test_zero_and_extremes_are_exact():
    assert_exact(np.zeros((2, 3)), np.zeros(3))
    assert_exact(np.array([[1.7e308, 5e-324], [-5e-324, 1.0]]), np.array([5e-324, 1.7e308]))


@pytest.fixture
def flushing():
    """A processor told to read and write subnormal numbers as zero, as some libraries do behind one's back."""
    import torch

    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot flush subnormal numbers")
    yield
    torch.set_flush_denormal(False)


@pytest.mark.needs("torch")
def test_nothing_is_proved_where_subnormal_numbers_are_flushed(flushing):
    """The entry 1.5e-308 would be read as 0, and a claim that is false by far would come out proved."""
    keys, query = np.array([[1.5e-308], [0.0]]), np.array([[1.5e308]])
    with pytest.raises(FloatingPointError, match="subnormal"):
        next(balls.climb(keys, query, Fraction(1)))


def test_flushing_is_noticed_without_a_processor_that_flushes(monkeypatch):
    monkeypatch.setattr(np, "nextafter", lambda start, towards: np.float64(0))
    with pytest.raises(FloatingPointError, match="subnormal"):
        next(balls.climb(np.ones((1, 1)), np.ones((1, 1)), Fraction(1)))


def test_products_of_several_matrices_are_exact(rng):
    factors = [
        rng.normal(size=shape) * 10.0 ** rng.integers(-200, 200, size=shape) for shape in ((2, 3), (3, 4), (4, 5))
    ]
    factors[1][0, 0], factors[2][1, 1] = 0.0, 5e-324
    for last in (factors[2], factors[2][:, 0]):
        numerators, exponent = balls.exact_product(factors[0], factors[1], last)
        columns = last.reshape(4, -1)
        assert numerators.shape == (2, *last.shape[1:])
        for i, j in np.ndindex(2, columns.shape[1]):
            slow = sum(
                Fraction(factors[0][i, a]) * Fraction(factors[1][a, b]) * Fraction(columns[b, j])
                for a in range(3)
                for b in range(4)
            )
            assert int(numerators.reshape(2, -1)[i, j]) * Fraction(2) ** exponent == slow


def test_a_product_of_one_matrix_is_the_matrix():
    numerators, exponent = balls.exact_product(np.array([[0.1, -3.0], [0.0, 1e-310]]))
    assert [int(n) * Fraction(2) ** exponent for n in numerators.ravel()] == [
        Fraction(x) for x in (0.1, -3.0, 0.0, 1e-310)
    ]


def assert_sums_enclosed(weights, keys, origin):
    found = balls.float_sums(weights, keys, origin)
    assert found is not None
    apart = [[Fraction(a) - Fraction(o) for a, o in zip(key, origin.tolist(), strict=True)] for key in keys.tolist()]
    for i, (middle, radius) in enumerate(zip(*(part.tolist() for part in found), strict=True)):
        true = sum((Fraction(u) * row[i] for u, row in zip(weights.tolist(), apart, strict=True)), Fraction(0))
        assert abs(Fraction(middle) - true) <= Fraction(radius)
    return found


@given(pairs)
def test_sums_hold_for_hostile_numbers(pair):
    keys, weights = pair[0].T.copy(), pair[1]
    assert_sums_enclosed(weights, keys, np.zeros(keys.shape[1]))
    assert_sums_enclosed(weights, keys, keys[0])


@pytest.mark.parametrize("n", [1, 63, 64, 65, 150, 2000, 2048, 64 * 33 + 1])
def test_sums_over_many_groups(n, rng, monkeypatch):
    """The radius grows with the depth of the sum, which is far below the number of rows."""
    keys, weights = rng.normal(size=(n, 3)) + 1e3, rng.random(n)
    monkeypatch.setattr(scores, "_IN_CACHE", 3 * 200)
    _, radii = assert_sums_enclosed(weights, keys, keys[0])
    size = np.abs(keys - keys[0]).T @ weights
    depth = min(n, scores._GROUP) + int(np.ceil(np.log2(-(-n // scores._GROUP))))
    assert (radii >= depth * 2.0**-53 * size).all()  # for any order of the additions in a group
    assert (radii <= (depth + 9) * 2.0**-53 * size + 1e-300).all()


def test_sums_of_differences_that_round(rng):
    """Each difference is the largest float64 below 1 or so, and none of its rounding is lost in the sum."""
    keys = np.full((4, 1), 1.0)
    origin = np.array([2.0**-54 + 2.0**-80])
    assert_sums_enclosed(np.array([1.0, 0.0, 0.0, 0.0]), keys, origin)
    assert_sums_enclosed(np.full(4, 2.0**40), keys, origin)


def test_sums_that_overflow_give_none():
    assert balls.float_sums(np.ones(2), np.array([[1e308], [-1e308]]), np.array([-1e308])) is None
    assert balls.float_sums(np.full(2, 1e200), np.full((2, 1), 1e200), np.zeros(1)) is None


def test_exact_queries(rng):
    """A query that no float64 vector equals: W x, exactly."""
    W, x, keys = rng.normal(size=(4, 3)), rng.normal(size=3), rng.normal(size=(60, 4))
    query = balls.exact_product(W, x)
    true = [sum(Fraction(a) * b for a, b in zip(key, exact_dots(W, x), strict=True)) for key in keys.tolist()]
    midpoints, radii = balls.float_scores(keys, query)
    for value, middle, radius in zip(true, midpoints.tolist(), radii.tolist(), strict=True):
        assert abs(Fraction(middle) - value) <= Fraction(radius)
    numerators, exponent = balls.exact_scores(keys, query)
    assert [number * Fraction(2) ** exponent for number in numerators] == true


def test_an_exact_query_that_rounds():
    """q = 1 + 2^-54 rounds to 1, and keys of size 2^500 see the difference."""
    query = balls.Dyadics(np.array([2**54 + 1], dtype=object), -54)
    assert query.nearest().item() == 1
    midpoints, radii = balls.float_scores(np.array([[2.0**500]]), query)
    assert abs(Fraction(midpoints.item()) - Fraction(2**54 + 1, 2**54) * 2**500) <= Fraction(radii.item())


def test_an_exact_query_beyond_float64_gives_none():
    query = balls.Dyadics(np.array([1], dtype=object), 5000)
    assert balls.float_scores(np.ones((1, 1)), query) is None
    assert balls.exact_scores(np.ones((1, 1)), query)[0][0] > 0
