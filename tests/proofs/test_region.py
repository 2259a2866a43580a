"""How far scores move, and which moved keys are inside: against Fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from headwright.kernel import balls
from headwright.kernel.region import Region
from tests.facts import says

entries = st.one_of(st.floats(-1e6, 1e6), st.sampled_from([0.0, 5e-324, 1e-310, 1e16, -1e-200]))
sized = st.tuples(st.integers(1, 4), st.integers(1, 4))


def truly_inside(region, keys, moved):
    for old, new in zip(keys.tolist(), moved.tolist(), strict=True):
        steps = [abs(Fraction(b) - Fraction(a)) for a, b in zip(old, new, strict=True)]
        if region.norm == "box" and max(steps) > region.radius:
            return False
        if region.norm == "ball" and sum(s * s for s in steps) > region.radius**2:
            return False
    return True


@pytest.mark.parametrize("norm", ["box", "ball"])
@given(data=st.data())
def test_what_holds_is_truly_inside(norm, data):
    shape = data.draw(sized)
    keys = data.draw(arrays(np.float64, shape, elements=entries))
    radius = Fraction(data.draw(st.one_of(st.floats(1e-320, 1e6), st.just(5e-324)), label="radius"))
    region = Region(radius, norm)
    signs = data.draw(arrays(np.float64, shape, elements=st.sampled_from([-1.0, 0.0, 1.0, 0.999999, 1.0000001])))
    moved = keys + float(radius) * signs
    if region.holds(keys, moved):
        assert truly_inside(region, keys, moved)


@pytest.mark.parametrize("norm", ["box", "ball"])
def test_moved_keys_are_inside_or_not_given(rng, norm):
    region = Region(Fraction(1, 10), norm)
    for size in (1e-3, 1.0, 1e3, 1e17, 1e300):
        keys = size * rng.normal(size=(5, 3))
        moved = region.moved(keys, rng.choice([-1.0, 1.0], size=(5, 1)) * region.direction(rng.normal(size=3)))
        assert moved is None or truly_inside(region, keys, moved)
        assert moved is not None or size > 1e3


def test_outside_is_not_held():
    box, ball = Region(Fraction(1, 2), "box"), Region(Fraction(1, 2), "ball")
    keys = np.zeros((2, 2))
    assert not box.holds(keys, keys + 0.5)  # on the border: not certainly inside
    assert box.holds(keys, keys + 0.499)
    assert not ball.holds(keys, keys + 0.4)
    assert ball.holds(keys, keys + 0.35)
    assert not box.holds(keys, np.zeros((2, 3)))
    assert not box.holds(keys, np.array([[0.0, np.nan], [0.0, 0.0]]))
    assert not ball.holds(keys, np.full((2, 2), 1e200))


@pytest.mark.parametrize("norm", ["box", "ball"])
def test_score_move_is_the_dual_norm(rng, norm):
    query, scale, radius = rng.normal(size=5), Fraction(1, 3), Fraction(2, 7)
    parts = [abs(Fraction(c)) for c in query.tolist()]
    with balls.precision(128):
        move = Region(radius, norm).score_moves(query, scale)[0]
        low, high = balls.lower(move), balls.upper(move)
    if norm == "box":
        assert low <= scale * radius * sum(parts) <= high
    else:
        assert low**2 <= (scale * radius) ** 2 * sum(c * c for c in parts) <= high**2
    assert high - low < Fraction(1, 10**30)


@pytest.mark.parametrize("norm", ["box", "ball"])
def test_zero_query_moves_no_score(norm):
    region = Region(Fraction(5), norm)
    assert region.score_moves(np.zeros(3), Fraction(1)) == [0]
    assert (region.direction(np.zeros(3)) == 0).all()


def test_direction_of_extreme_queries():
    ball = Region(Fraction(1), "ball")
    for size in (1e300, 1e-300, 5e-324):
        assert math.isclose(np.linalg.norm(ball.direction(np.array([size, -size]))), 1)
    assert Region(Fraction(1), "box").direction(np.array([-2.0, 0.0, 3.0])).tolist() == [[-1, 0, 1]]


def test_wrong_regions_are_refused():
    with pytest.raises(ValueError, match="`radius`"):
        Region(Fraction(0), "box")
    with pytest.raises(ValueError, match=r"`norm`.*'box'"):
        Region(Fraction(1), "cube")
    with pytest.raises(KeyError):
        Region.from_parts({}, {"radius": "1"})


def test_fields_come_back():
    region = Region(Fraction(1, 7), "ball")
    assert Region.from_parts({}, region.fields()).fields() == region.fields()
    assert says(region.describe(), "1/7")
    assert region.describe() != Region(Fraction(1, 7), "box").describe()
