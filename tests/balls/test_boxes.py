"""Boxes against rationals: every result of numbers inside lies inside, whatever their size."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.theories.programs.boxes import Boxes, above, below, exp_above, exp_below, product_above, sum_above

SIZES = [2.0**-1070, 2.0**-600, 2.0**-30, 1.0, 3.0, 2.0**400]


def numbers(rng, shape, size):
    made = rng.normal(size=shape) * size
    return np.where(rng.random(shape) < 0.3, 0.0, made)


def boxes(rng, shape, size):
    radius = np.abs(numbers(rng, shape, size)) * rng.choice([0.0, 2.0**-52, 0.5])
    return Boxes(numbers(rng, shape, size), radius)


def inside(rng, box):
    """One rational in each box, often an end."""
    ends = rng.choice([-1, 0, 1], size=box.middle.shape)
    made = [
        Fraction(m) + int(e) * Fraction(r) for m, e, r in zip(box.middle.flat, ends.flat, box.radius.flat, strict=True)
    ]
    return np.array(made, dtype=object).reshape(box.middle.shape)


def assert_in(box, exact):
    for m, r, x in zip(box.middle.ravel(), box.radius.ravel(), np.ravel(exact), strict=True):
        assert abs(Fraction(x) - Fraction(m)) <= Fraction(r)
    assert all(
        Fraction(low) <= x <= Fraction(high)
        for low, high, x in zip(box.low.flat, box.high.flat, np.ravel(exact), strict=True)
    )
    assert all(abs(x) <= Fraction(size) for size, x in zip(box.size.flat, np.ravel(exact), strict=True))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("other", SIZES)
def test_sums_products_and_hulls_enclose(size, other, rng):
    for _ in range(8):
        a, b = boxes(rng, (4, 3), size), boxes(rng, (4, 3), other)
        x, y = inside(rng, a), inside(rng, b)
        assert_in(a + b, x + y)
        assert_in(a - b, x - y)
        if size * other < 2.0**500:
            assert_in(a * b, x * y)
        assert_in(a.joined(b), x)
        assert_in(a.joined(b), y)
        for row in x:
            assert_in(a.hull(), row)
        assert_in(
            a.widened(np.abs(b.middle)), [p + Fraction(abs(q)) for p, q in zip(x.flat, b.middle.flat, strict=True)]
        )
        off = a.distance(b.middle)
        assert all(abs(p - Fraction(q)) <= Fraction(d) for p, q, d in zip(x.flat, b.middle.flat, off.flat, strict=True))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("other", [2.0**-600, 1.0, 2.0**400])
@pytest.mark.parametrize("k", [1, 2, 300])
def test_dot_products_enclose(size, other, k, rng):
    for one in (True, False):
        a, m = boxes(rng, (2, k), size), boxes(rng, (3, k), other)
        if one:  # rows with one power of two, with and without a radius
            m = Boxes(np.where(np.arange(k) == 0, 2.0 ** np.floor(np.log2(other)), 0.0) * np.ones((3, 1)), m.radius)
        x, y = inside(rng, a), inside(rng, m)
        assert_in(a.times(m), [[sum((p * q for p, q in zip(r, s, strict=True)), Fraction(0)) for s in y] for r in x])
        p, q = np.abs(a.middle), np.abs(m.middle.T)
        bound = product_above(p, q)
        for i, j in np.ndindex(bound.shape):
            exact = sum((Fraction(s) * Fraction(t) for s, t in zip(p[i], q[:, j], strict=True)), Fraction(0))
            assert exact <= Fraction(bound[i, j])
            assert exact > 0 or bound[i, j] <= 2.0**-1000


def test_between_holds_its_ends(rng):
    for size in (*SIZES, 5e-324):
        low = np.append(rng.normal(size=8) * size, size)
        high = np.append(low[:4], low[4:8] + abs(rng.normal()) * size)
        high = np.append(high, size)
        box = Boxes.between(low, high)
        assert_in(box, [Fraction(x) for x in low])
        assert_in(box, [Fraction(x) for x in high])
        assert (box.radius[:4] == 0).all()


def test_sums_of_many_terms_are_bounded(rng):
    for count in (1, 2, 8, 300):
        terms = [rng.normal(size=20) * rng.choice(SIZES) for _ in range(count)]
        exact = [sum(Fraction(term[i]) for term in terms) for i in range(20)]
        assert all(x <= Fraction(bound) for x, bound in zip(exact, above(*terms), strict=True))
        assert all(x >= Fraction(bound) for x, bound in zip(exact, below(*terms), strict=True))
        if count <= 8:
            sizes = [np.abs(term) for term in terms]
            exact = [sum(Fraction(term[i]) for term in sizes) for i in range(20)]
            assert all(x <= Fraction(bound) for x, bound in zip(exact, sum_above(*sizes), strict=True))
    assert above(-np.inf, 1.0) == -np.inf
    assert np.isnan(above(-np.inf, np.inf))
    assert sum_above(0.0, 0.0) == 0


def test_exponentials_are_bounded():
    x = np.array([0.25, 0.2, 0.0, -1e-300, -1.0, -599.9, -600.1, -1100.0, -1e5])
    with mpmath.workdps(400):
        for number, upper, lower in zip(x, exp_above(x), exp_below(x), strict=True):
            assert mpmath.mpf(lower) <= mpmath.exp(mpmath.mpf(number)) <= mpmath.mpf(upper)
    assert exp_above(np.array([0.2500001, np.nan, np.inf])).tolist() == [np.inf] * 3
    assert exp_below(np.array([np.nan, np.inf, -np.inf])).tolist() == [0.0] * 3
    assert exp_above(np.array([-np.inf]))[0] == 0
    assert 0 < exp_below(np.array([9.0]))[0] <= np.exp(0.25)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_non_finite_numbers_hold_in_no_comparison():
    for bad in (np.nan, np.inf):
        made = Boxes(np.array([1.0, bad]), np.array([bad, 0.0]))
        for box in (made, made + made, made * made, made.hull(), made.joined(made), made.times(Boxes.exact(np.eye(2)))):
            assert not (box.size < 1e300).all()


def test_zeros_stay_exact():
    zero = Boxes.exact(np.zeros((2, 3)))
    for box in (zero + zero, zero.times(Boxes.exact(np.ones((2, 3)))), zero.hull(), zero.widened(0.0)):
        assert not box.middle.any()
        assert not box.radius.any()
