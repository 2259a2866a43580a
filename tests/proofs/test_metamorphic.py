"""Changes to a claim that leave its truth alone leave its verdict alone; changes that can only help never turn it.

Keys, queries and moves are small multiples of a power of two, so that the changed claim is exact in float64.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

import headwright as hw

eighths = st.integers(-24, 24).map(lambda k: k / 8)
errors = st.fractions(Fraction(1, 90), Fraction(89, 90), max_denominator=97)
radii = st.sampled_from([None, Fraction(1, 64), Fraction(1, 8), Fraction(1)])


@st.composite
def claims(draw, most_heads=2):
    """Keys, queries, goal shares and the other arguments of `certify`."""
    n, d, h = draw(st.integers(2, 7)), draw(st.integers(1, 3)), draw(st.integers(1, most_heads))
    keys = draw(arrays(np.float64, (n, d), elements=eighths))
    queries = draw(arrays(np.float64, (h, d), elements=eighths))
    support = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=min(n, 3), unique=True))
    goal = {j: Fraction(draw(st.integers(1, 4))) for j in support}
    asked = {"radius": draw(radii), "norm": draw(st.sampled_from(["box", "ball"])), "error": draw(errors)}
    return keys, queries, goal, asked


def status(keys, queries, goal, asked):
    return hw.certify(keys, queries, hw.Blend(goal), mix="equal", **asked).status


@given(claims(), st.randoms(use_true_random=False))
def test_permuting_keys_and_goal_together(claim, chance):
    keys, queries, goal, asked = claim
    order = list(range(len(keys)))
    chance.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    moved = {place[j]: share for j, share in goal.items()}
    assert status(keys[order], queries, moved, asked) == status(*claim)


@given(claims(), st.data())
def test_one_vector_added_to_all_keys(claim, data):
    keys, queries, goal, asked = claim
    vector = data.draw(arrays(np.float64, keys.shape[1], elements=st.integers(-(2**20), 2**20).map(float)))
    here, there = status(*claim), status(keys + vector, queries, goal, asked)
    assert {here, there} != {"proved", "refuted"}
    # with several heads a refutation needs moved keys in float64, which are coarser far from zero
    assert here == there or (len(queries) > 1 and asked["radius"] is not None)


@given(claims(), st.integers(-300, 300))
def test_longer_queries_and_shorter_keys(claim, power):
    keys, queries, goal, asked = claim
    radius = asked["radius"] and asked["radius"] / Fraction(2) ** power
    changed = {**asked, "radius": radius}
    assert status(keys * 2.0**-power, queries * 2.0**power, goal, changed) == status(*claim)


@given(claims(), st.integers(-40, 40))
def test_the_scale_in_the_query_or_beside_it(claim, power):
    keys, queries, goal, asked = claim
    changed = {**asked, "scale": Fraction(2) ** power}
    assert status(keys, queries * 2.0**-power, goal, changed) == status(*claim)


@given(claims())
def test_every_key_twice_with_half_the_goal(claim):
    """Weights halve and so do the goal's. Moved copies may part, so that claim is the stronger one."""
    keys, queries, goal, asked = claim
    n = len(keys)
    halves = {k: share / 2 for j, share in goal.items() for k in (j, j + n)}
    one, two = status(*claim), status(np.vstack([keys, keys]), queries, halves, asked)
    assert (one, two) != ("refuted", "proved")
    assert one == two or asked["radius"] is not None


@given(claims(), errors)
def test_a_larger_error_is_never_harder(claim, other):
    keys, queries, goal, asked = claim
    small, large = sorted([asked["error"], other])
    tight, loose = (status(keys, queries, goal, {**asked, "error": e}) for e in (small, large))
    assert tight != "proved" or loose == "proved"
    assert loose != "refuted" or tight != "proved"


@settings(max_examples=60)
@given(claims(), st.fractions(Fraction(1, 50), Fraction(2), max_denominator=50))
def test_a_larger_radius_is_never_easier(claim, radius):
    keys, queries, goal, asked = claim
    verdicts = [status(keys, queries, goal, {**asked, "radius": r}) for r in (None, radius, 2 * radius)]
    for i, nearer in enumerate(verdicts):
        for farther in verdicts[i + 1 :]:
            assert (nearer, farther) != ("refuted", "proved")


@given(claims(), st.fractions(Fraction(1, 50), Fraction(2), max_denominator=50))
def test_the_box_holds_the_ball(claim, radius):
    keys, queries, goal, asked = claim
    ball, box = (status(keys, queries, goal, {**asked, "radius": radius, "norm": norm}) for norm in ("ball", "box"))
    assert (ball, box) != ("refuted", "proved")
    if len(queries) == 1:
        assert box != "proved" or ball == "proved"


@given(claims(most_heads=1), st.integers(2, 4))
def test_one_head_taken_several_times(claim, times):
    keys, queries, goal, asked = claim
    repeated = np.repeat(queries, times, axis=0)
    several = hw.certify(keys, repeated, hw.Blend(goal), mix=np.arange(1, times + 1), **asked).status
    one = status(*claim)
    assert {one, several} != {"proved", "refuted"}
    if asked["radius"] is None:
        assert one == several


@pytest.mark.parametrize("side", ["at_most", "at_least"])
@given(claims(), st.fractions(-1, 2, max_denominator=60), st.fractions(-1, 2, max_denominator=60))
def test_weight_bounds_are_monotone(side, claim, first, second):
    keys, queries, goal, asked = claim
    i = next(iter(goal))
    common = {"radius": asked["radius"], "norm": asked["norm"]}
    low, high = (
        hw.certify(keys, queries, of=i, **{side: c}, **common, mix="equal").status for c in sorted([first, second])
    )
    strong, weak = (low, high) if side == "at_most" else (high, low)
    assert (strong, weak) != ("proved", "refuted")


@given(claims(most_heads=1))
def test_copy_error_and_weight_are_one_claim(claim):
    keys, queries, goal, asked = claim
    i = next(iter(goal))
    by_error = hw.certify(keys, queries, hw.Copy(i), **asked).status
    rest = {"radius": asked["radius"], "norm": asked["norm"]}
    by_weight = hw.certify(keys, queries, of=i, at_least=1 - asked["error"], **rest).status
    assert {by_error, by_weight} != {"proved", "refuted"}
    if asked["radius"] is None:
        assert by_error == by_weight
