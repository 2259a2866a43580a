"""`design(max_norm=R)`: the least error within a norm, proved on both sides; what is refused; what goes together with it."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import headwright as hw
from benchmarks.budget_speed import log_odds, random_problem, round_trip
from headwright.kernel.number_types import PRECISIONS, round_to
from tests.facts import says

GOALS = [hw.Copy(2), hw.Average(1, 4), hw.Blend({0: "0.5", 3: "0.3", 5: "0.2"})]


def squared_norm(query):
    return sum(Fraction(x) ** 2 for x in query.tolist())


def is_proved(keys, design):
    """Both sides proved, the norm kept exactly, and the error asked is the one achieved."""
    assert design.verdict.status == design.optimality.status == hw.certify(keys, design).status == "proved"
    assert design.asked == design.error
    assert design.error_lower_bound <= design.error
    assert design.lower_bound is None
    assert max(map(squared_norm, design.queries)) <= design.max_norm**2
    return True


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("scale", [1.0, 0.25, 1e-8, 1e8])
@pytest.mark.parametrize("size", [1.0, 1e-8, 1e8])
def test_scales_of_keys_and_scores(goal, scale, size, rng):
    keys = rng.normal(size=(30, 8))
    plain = hw.design(keys, goal, max_norm=3)
    moved = hw.design(size * keys, goal, max_norm=3 / (size * scale), scale=scale)
    assert is_proved(keys, plain)
    assert is_proved(size * keys, moved)
    assert moved.error == pytest.approx(plain.error, rel=1e-9)
    assert log_odds(moved.error) - log_odds(moved.error_lower_bound) <= 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_cvxpy(seed):
    """A seeded part of the 200 problems of `benchmarks/budget_speed.py`."""
    assert random_problem(seed)["good"]


@pytest.mark.parametrize("seed", [*range(20), 108])  # the last has a norm of ratios alone, rounded up
def test_round_trips(seed):
    off = round_trip(seed)
    assert off is None or off <= 1e-9


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("error", [0.5, 0.01, 1e-6])
def test_the_norm_of_a_shortest_query_gives_back_its_error(goal, error, rng):
    keys = rng.normal(size=(40, 16))
    shortest = hw.design(keys, goal, error=error)
    again = hw.design(keys, goal, max_norm=shortest.norm)
    assert is_proved(keys, again)
    assert again.error == pytest.approx(shortest.error, rel=1e-9)


def test_the_same_where_the_ratios_alone_make_the_norm(rng):
    """The shortest query with exact ratios leaks less than asked: within its own norm there is no other."""
    keys = np.concatenate([np.diag([3.0, 1.0]), -0.5 * rng.random((2, 2)) - [9, 0]])
    goal = hw.Blend({0: "0.9", 1: "0.1"})
    shortest = hw.design(keys, goal, error=0.45)
    assert 0 < shortest.error < 0.44
    again = hw.design(keys, goal, max_norm=shortest.norm)
    assert is_proved(keys, again)
    assert again.error == pytest.approx(shortest.error, rel=1e-9)
    assert log_odds(again.error) - log_odds(again.error_lower_bound) <= 1e-6


def test_error_falls_with_the_norm(rng):
    keys = rng.normal(size=(30, 16))
    designs = [hw.design(keys, hw.Average(3, 7), max_norm=2.0**k) for k in range(-3, 5)]
    errors = [design.error for design in designs]
    assert errors == sorted(errors, reverse=True)
    for shorter, longer in pairwise(designs):
        assert longer.error < shorter.error_lower_bound


@pytest.mark.parametrize("max_norm", [1e-300, 1e-9, 100, 1e4, 1e8, 1e300])
def test_extreme_norms(max_norm, rng):
    keys = rng.normal(size=(20, 12))
    design = hw.design(keys, hw.Copy(3), max_norm=max_norm)
    assert is_proved(keys, design)
    if max_norm < 1e-8:
        assert design.error == pytest.approx(0.95, rel=1e-6)
    if max_norm > 1e3:
        assert design.error <= math.ulp(0.0)  # float64 holds no smaller one


def test_out_of_reach_returns_its_best(rng):
    keys = np.array([[0.0], [1.0], [2.0]])
    refusal = hw.design(keys, hw.Copy(1), throw=False)
    design = hw.design(keys, hw.Copy(1), max_norm=5)
    assert is_proved(keys, design)
    assert design.error == pytest.approx(refusal.best_error, rel=1e-12)
    assert design.norm == 0
    inside = rng.normal(size=(200, 2))
    inside[0] = 0.3
    best = hw.design(inside, hw.Copy(0), throw=False).best_error
    for max_norm in (10, 1e4, 1e100):
        design = hw.design(inside, hw.Copy(0), max_norm=max_norm)
        assert is_proved(inside, design)
        assert design.error == pytest.approx(best, rel=1e-9)
        assert design.error_lower_bound == pytest.approx(best, rel=1e-9)
        assert design.norm < 10


def test_equal_keys(rng):
    keys = rng.normal(size=(6, 4))
    keys[5] = keys[0]
    for max_norm in (1, 1e3):
        design = hw.design(keys, hw.Copy(0), max_norm=max_norm)
        assert is_proved(keys, design)
        assert design.error >= 0.5
        assert design.error_lower_bound >= 0.5 * (1 - 1e-12)


def test_one_key_and_no_outsiders():
    one = hw.design([[2.0, 1.0]], hw.Copy(0), max_norm=1)
    assert (one.error, one.error_lower_bound, one.norm) == (0.0, 0.0, 0.0)
    assert hw.certify([[2.0, 1.0]], one).status == "proved"
    keys = np.eye(2)
    both = hw.design(keys, hw.Blend({0: "0.75", 1: "0.25"}), max_norm=1)
    assert both.error <= 1e-15
    assert both.error_lower_bound == 0.0
    assert hw.certify(keys, both).status == "proved"
    with pytest.raises(hw.Unreachable):
        hw.design(keys, hw.Blend({0: "0.75", 1: "0.25"}), max_norm="0.7")


def test_ratios_beyond_the_norm_are_unreachable_with_a_proof(rng):
    keys, goal = rng.normal(size=(20, 6)), hw.Blend({0: "0.98", 1: "0.02"})
    needed = math.log(49) / np.linalg.norm(keys[0] - keys[1])
    with pytest.raises(hw.Unreachable) as caught:
        hw.design(keys, goal, max_norm=0.9 * needed, scale=0.5)
    verdict = caught.value.verdict
    assert verdict.status == "proved"
    assert verdict.record.error == 1
    assert float(verdict.record.max_norm) == pytest.approx(2 * needed, rel=1e-10)
    assert verdict.bound == pytest.approx(2 * needed, rel=1e-10)
    assert hw.design(keys, goal, max_norm=1.01 * needed).error < 1


@pytest.mark.parametrize("max_norm", [1, 1e9])
def test_ratios_that_contradict_each_other_are_unreachable(max_norm):
    keys = np.array([[0.1, 0.3], [0.2, 0.6], [0.3, 0.9], [1.0, 1.0]])  # three in line, up to rounding
    with pytest.raises(hw.Unreachable) as caught:
        hw.design(keys, hw.Blend({0: "0.2", 1: "0.6", 2: "0.2"}), max_norm=max_norm)
    assert caught.value.verdict.status == "proved"
    twins = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    with pytest.raises(hw.Unreachable):
        hw.design(twins, hw.Blend({0: "0.6", 1: "0.4"}), max_norm=max_norm)
    assert hw.design(twins, hw.Average(0, 1), max_norm=3).error < 0.2


def test_ratios_beyond_float64(rng):
    """A share so small that outsiders take all but a trace: the error is below 1, and float64 rounds it up to 1."""
    keys = np.array([[0.0], [1.0], [2.0]])
    design = hw.design(keys, hw.Blend({0: Fraction(1), 1: Fraction(10) ** 30}), max_norm=100)
    assert design.error == 1.0
    assert Fraction(design.asked) < 1
    assert hw.certify(keys, design).status == "proved"


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_top_has_the_largest_gap(scale, rng):
    keys, top = rng.normal(size=(20, 16)), hw.Top(3, 7)
    shortest, design = hw.design(keys, top, scale=scale), hw.design(keys, top, max_norm=4, scale=scale)
    assert design.gap == pytest.approx(4 / shortest.norm, rel=1e-12)
    assert design.asked == design.gap <= design.gap_upper_bound <= design.gap * (1 + 1e-12)
    assert design.optimality.status == hw.certify(keys, design).status == "proved"
    assert squared_norm(design.query) <= 16
    assert (design.error, design.error_lower_bound, design.lower_bound) == (None, None, None)
    with pytest.raises(hw.Unreachable):
        hw.design([[0.0], [1.0], [2.0]], hw.Top(1), max_norm=4)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_narrow_types(precision, goal, rng):
    keys = rng.normal(size=(30, 8))
    design = hw.design(keys, goal, max_norm=3, precision=precision)
    np.testing.assert_array_equal(design.queries, round_to(design.queries, precision))
    assert design.precision == precision
    assert squared_norm(design.query) <= 9
    assert design.verdict.status == design.optimality.status == hw.certify(keys, design).status == "proved"
    wide = hw.design(round_to(keys, precision), goal, max_norm=3)
    assert design.error_lower_bound == wide.error_lower_bound
    assert design.error <= wide.error + {"float32": 1e-5, "float16": 0.02, "bfloat16": 0.1}[precision]


def test_several_heads_are_each_the_best(rng):
    keys = rng.normal(size=(20, 8))
    design = hw.design(keys, hw.Average(3, 7), max_norm=3, heads=2)
    alone = [hw.design(keys, hw.Copy(i), max_norm=3) for i in (3, 7)]
    np.testing.assert_array_equal(design.queries, [part.query for part in alone])
    assert design.asked == design.error
    assert design.error <= max(part.error for part in alone)
    assert design.optimality is None
    assert design.error_lower_bound is None
    assert hw.certify(keys, design).status == "proved"


def test_many(rng):
    keys = rng.normal(size=(20, 8))
    goals = [hw.Copy(1), hw.Copy(2), hw.Average(3, 4), hw.Blend({0: 0.999999, 1: 0.000001})]
    made = hw.design_many(keys, goals, max_norm="1.5")
    for goal, design in zip(goals[:3], made, strict=False):
        assert design.error == hw.design(keys, goal, max_norm="1.5").error
    assert isinstance(made[3], hw.Unreachable)
    with pytest.raises(hw.Unreachable):
        hw.design_many(keys, goals, max_norm="1.5", throw=True)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"max_norm": 0}, "max_norm"),
        ({"max_norm": -1}, "max_norm"),
        ({"max_norm": math.nan}, "max_norm"),
        ({"max_norm": math.inf}, "max_norm"),
        ({"max_norm": "wide"}, "max_norm"),
        ({"max_norm": True}, "max_norm"),
        ({"max_norm": [1.0]}, "max_norm"),
        ({"max_norm": 1, "error": 0.01}, "error"),
        ({"max_norm": 1, "method": "closed-form"}, "method"),
        ({"max_norm": 1, "heads": 3}, "heads"),
    ],
)
@pytest.mark.parametrize("goal", [hw.Copy(0), hw.Top(0)], ids=str)
def test_wrong_calls(options, name, goal):
    with pytest.raises((ValueError, TypeError), match=f"`{name}`"):
        hw.design(np.eye(4), goal, **options)
    if "heads" not in options and isinstance(goal, hw.Copy):
        with pytest.raises((ValueError, TypeError), match=f"`{name}`"):
            hw.design_many(np.eye(4), [goal], **options)


def test_keys_that_vary_are_refused():
    with pytest.raises(ValueError, match="`max_norm`"):
        hw.design(hw.GaussianKeys(np.eye(3), isotropic=0.1), hw.Copy(0), max_norm=1, confidence=0.5)


def test_the_default_error_is_a_hundredth(rng):
    keys = rng.normal(size=(9, 4))
    assert hw.design(keys, hw.Copy(0)).asked == hw.design(keys, hw.Copy(0), error=None).asked == 0.01
    assert hw.design(keys, hw.Copy(0)).error_lower_bound is None
    assert hw.design(keys, hw.Copy(0)).max_norm is None


def test_what_a_design_says_of_itself(rng):
    design = hw.design(rng.normal(size=(9, 4)), hw.Average(0, 1), max_norm="5/2")
    told = design.to_dict()
    assert told["max_norm"] == "5/2"
    assert told["error_lower_bound"] == design.error_lower_bound
    assert told["lower_bound"] is None
    assert says(repr(design), "2.5", "Average(0, 1)")
    assert says(repr(hw.design(np.eye(3), hw.Top(0), max_norm="5/2")), "2.5", "Top(0)")
