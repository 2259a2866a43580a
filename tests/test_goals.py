"""Goals: frozen values with exact shares, validated when made, and the same after a journey through JSON or pickle."""

import copy
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import headwright as hw
from headwright.kernel.goals import goal_from_dict
from tests.facts import says

GOALS = [
    hw.Copy(3),
    hw.Average(0),
    hw.Average(5, 2, 9),
    hw.Blend({4: 1}),
    hw.Blend({7: "0.7", 1: "0.3"}),
    hw.Blend({0: 0.1, 2: 0.2, 11: "1e-300"}),
    hw.Average(*range(40)),
]
every_goal = pytest.mark.parametrize("goal", GOALS, ids=repr)
shares = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6)


@every_goal
def test_frozen(goal):
    for name in ("indices", "shares", "colour"):
        with pytest.raises(AttributeError, match="frozen"):
            setattr(goal, name, (1,))
    with pytest.raises(AttributeError, match="frozen"):
        del goal.indices
    assert sum(goal.shares) == 1


@every_goal
@pytest.mark.parametrize(
    "journey",
    [
        lambda g: pickle.loads(pickle.dumps(g)),
        lambda g: goal_from_dict(json.loads(json.dumps(g.to_dict()))),
        copy.deepcopy,
    ],
    ids=["pickle", "json", "deepcopy"],
)
def test_a_journey_changes_nothing(goal, journey):
    back = journey(goal)
    assert back == goal
    assert hash(back) == hash(goal)
    assert (type(back), back.indices, back.shares, repr(back)) == (type(goal), goal.indices, goal.shares, repr(goal))


def test_goals_are_equal_when_kind_indices_and_shares_are():
    assert hw.Blend({0: 2, 4: 1}) == hw.Blend({0: "2/3", 4: Fraction(1, 3)})
    assert len({hw.Copy(1), hw.Copy(1), hw.Average(1), hw.Blend({1: 5}), hw.Copy(2)}) == 4
    assert hw.Blend({0: 1, 1: 2}) != hw.Blend({0: 2, 1: 1})
    assert hw.Copy(1) != 1


def test_repr_can_be_read_and_typed_again():
    assert repr(hw.Copy(3)) == "Copy(3)"
    assert repr(hw.Average(5, 2)) == "Average(5, 2)"
    assert repr(hw.Blend({0: 2, 4: 1})) == "Blend({0: '2/3', 4: '1/3'})"
    names = {"Copy": hw.Copy, "Average": hw.Average, "Blend": hw.Blend}
    for goal in GOALS[:5]:
        assert eval(repr(goal), names) == goal
    assert says(repr(hw.Average(*range(40))), "Average(0, 1, 2, 3, 4, 5, …", 40)
    assert says(repr(hw.Blend(dict.fromkeys(range(9), 1))), 9)
    assert "1e-300" in repr(hw.Blend({0: 1, 2: "1e-300"}))


def test_shares_are_what_was_written():
    assert hw.Copy(2).shares == (1,)
    assert hw.Copy(2).index == 2
    assert hw.Average(4, 0, 1).shares == (Fraction(1, 3),) * 3
    assert hw.Blend({1: "0.7", 0: "0.3"}).shares == (Fraction(7, 10), Fraction(3, 10))
    binary = Fraction(0.7) / (Fraction(0.7) + Fraction(0.3))  # floats mean their binary value
    assert hw.Blend({1: 0.7, 0: 0.3}).shares == (binary, 1 - binary)
    assert binary != Fraction(7, 10)
    assert hw.Blend({np.int64(1): np.float32(0.5), 0: 1}).indices == (1, 0)


@given(st.dictionaries(st.integers(0, 50), shares, min_size=1, max_size=6))
def test_blend_normalises_exactly(wanted):
    goal = hw.Blend(wanted)
    whole = sum(wanted.values())
    assert sum(goal.shares) == 1
    assert [share * whole for share in goal.shares] == list(wanted.values())
    assert goal_from_dict(goal.to_dict()) == goal


def test_weights_and_check():
    goal = hw.Blend({4: "0.25", 1: "0.75"})
    np.testing.assert_array_equal(goal.weights(6), [0, 0.75, 0, 0, 0.25, 0])
    goal.check(5)
    for method in (goal.check, goal.weights):
        with pytest.raises(ValueError, match=r"`goal`.*Blend\(\{4: '1/4', 1: '3/4'\}\)"):
            method(4)


@pytest.mark.parametrize(
    "indices", [[5, 2], (5, 2), range(5, 1, -3), np.array([5, 2]), np.array([5, 2], dtype=np.uint8), [np.int64(5), 2]]
)
def test_indices_come_in_a_list_too(indices):
    assert hw.Average(indices).indices == (5, 2)
    assert hw.Top(indices).indices == (5, 2)
    assert {type(i) for i in hw.Average(indices).indices} == {int}
    assert hw.Average(np.int32(5)) == hw.Average(np.array(5)) == hw.Average(5)
    assert hw.Copy(np.uint8(5)) == hw.Copy(np.array(5)) == hw.Copy(5)


def test_a_blend_of_one_share_per_key(rng):
    weights = rng.random(40).astype(np.float32)
    weights[::3] = 0
    goal = hw.Blend(weights)
    whole = sum(Fraction(float(weight)) for weight in weights)
    assert dict(zip(goal.indices, goal.shares, strict=True)) == {
        i: Fraction(float(weight)) / whole for i, weight in enumerate(weights) if weight
    }
    assert hw.Blend(["0.7", 0, Fraction(3, 10)]).shares == (Fraction(7, 10), Fraction(3, 10))
    assert goal == goal_from_dict(goal.to_dict())
    for same in (goal, pickle.loads(pickle.dumps(goal)), copy.deepcopy(goal)):
        assert (same.indices, same.shares) == (goal.indices, goal.shares)
        same.check(40)
        for n in (39, 41):
            with pytest.raises(ValueError, match=rf"`goal`.*40 shares.*{n} keys"):
                same.check(n)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: hw.Copy(-1), ValueError, "`goal index`.*-1"),
        (lambda: hw.Copy(True), TypeError, "`goal index`.*True"),
        (lambda: hw.Copy(1.0), TypeError, r"`goal index`.*1\.0"),
        (lambda: hw.Copy("1"), TypeError, "`goal index`.*'1'"),
        (lambda: hw.Average(), ValueError, "`goal`"),
        (lambda: hw.Average([1, 2], 3), TypeError, r"`goal index`.*\[1, 2\]"),
        (lambda: hw.Average([]), ValueError, "`goal`"),
        (lambda: hw.Average({1, 2}), TypeError, "`goal index`"),
        (lambda: hw.Average("12"), TypeError, "`goal index`"),
        (lambda: hw.Average([1.0, 2.0]), TypeError, r"`goal index`.*1\.0"),
        (lambda: hw.Average(np.array([1.5])), TypeError, r"`goal index`.*1\.5"),
        (lambda: hw.Average(np.eye(2, dtype=int)), ValueError, "`goal` indices.*2 dimensions"),
        (lambda: hw.Average([True, False]), TypeError, "`goal` indices.*mask"),
        (lambda: hw.Top(np.array([True, False])), TypeError, "`goal` indices.*mask"),
        (lambda: hw.Copy([3]), TypeError, r"`goal index`.*\[3\]"),
        (lambda: hw.Copy(np.array([3])), TypeError, "`goal index`"),
        (lambda: hw.Average(3, 1, 3), ValueError, "`goal`.*3"),
        (lambda: hw.Average(1, np.int32(1)), ValueError, "`goal`.*1"),
        (lambda: hw.Average(0, np.bool_(True)), TypeError, "`goal index`"),
        (lambda: hw.Blend({}), ValueError, "`goal`"),
        (lambda: hw.Blend([]), ValueError, "`shares`"),
        (lambda: hw.Blend([0, 0.0]), ValueError, "`shares`.*zeros"),
        (lambda: hw.Blend("0.5"), TypeError, "`shares`.*str"),
        (lambda: hw.Blend(0.5), TypeError, "`shares`.*float"),
        (lambda: hw.Blend({1, 2}), TypeError, "`shares`.*set"),
        (lambda: hw.Blend(np.eye(2)), ValueError, r"`shares`.*\(2, 2\)"),
        (lambda: hw.Blend(np.array([0.5, np.nan])), ValueError, "`shares`.*nan"),
        (lambda: hw.Blend([0.5, float("nan")]), ValueError, "`share of key 1`.*nan"),
        (lambda: hw.Blend(np.array([0.5, -0.5])), ValueError, r"`share of key 1`.*-0\.5"),
        (lambda: hw.Blend(np.array([True, False])), TypeError, "`shares`.*mask"),
        (lambda: hw.Blend([True, False]), TypeError, "`share of key 0`.*True"),
        (lambda: hw.Blend(np.array(["a"])), TypeError, "`shares`"),
        (lambda: hw.Blend({"0": 1}), TypeError, "`goal index`.*'0'"),
        (lambda: hw.Blend({-2: 1}), ValueError, "`goal index`"),
        (lambda: hw.Blend({0: 1, 5: 0}), ValueError, "`share of key 5`.*0"),
        (lambda: hw.Blend({0: 1, 5: "-0.1"}), ValueError, "`share of key 5`.*-1/10"),
        (lambda: hw.Blend({3: float("nan")}), ValueError, "`share of key 3`.*nan"),
        (lambda: hw.Blend({3: float("inf")}), ValueError, "`share of key 3`.*inf"),
        (lambda: hw.Blend({3: "lots"}), ValueError, "`share of key 3`.*'lots'"),
        (lambda: hw.Blend({3: None}), TypeError, "`share of key 3`"),
        (lambda: hw.Blend({3: True}), TypeError, "`share of key 3`.*True"),
    ],
)
def test_refused_when_made(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("goal", "change", "message"),
    [
        (hw.Copy(3), {"indices": [3, 4], "shares": ["1", "1"]}, "`goal`"),
        (hw.Copy(3), {"shares": ["1/2"]}, "`goal`"),
        (hw.Copy(3), {"goal": "top"}, "`goal`.*'top'"),
        (hw.Copy(3), {"goal": None}, "`goal`.*None"),
        (hw.Copy(3), {"goal": ["copy"]}, "`goal`"),
        (hw.Average(1, 2), {"shares": ["1/3", "2/3"]}, "`goal`"),
        (hw.Average(1, 2), {"indices": [1]}, "`indices`.*`shares`"),
        (hw.Average(1, 2), {"indices": [], "shares": []}, "`indices`.*`shares`"),
        (hw.Average(1, 2), {"indices": "12"}, "`indices`.*`shares`"),
        (hw.Average(1, 2), {"indices": [2, 2]}, "`goal`"),
        (hw.Average(1, 2), {"indices": [-1, 2]}, "`goal index`"),
        (hw.Average(1, 2), {"indices": [1, "2"]}, "`goal index`"),
        (hw.Average(1, 2), {"indices": [0, True]}, "`goal index`"),
        (hw.Blend({1: "0.7", 2: "0.3"}), {"shares": ["7/10", "4/10"]}, "`goal`"),
        (hw.Blend({1: "0.7", 2: "0.3"}), {"shares": ["1.4", "0.6"]}, "`goal`"),
        (hw.Blend({1: "0.7", 2: "0.3"}), {"shares": ["17/10", "-7/10"]}, "`share of key 2`"),
        (hw.Blend({1: "0.7", 2: "0.3"}), {"shares": ["7/10", "1/0"]}, "`share of key 2`"),
        (hw.Blend({1: "0.7", 2: "0.3"}), {"indices": [1, 1]}, "`goal`"),
    ],
)
def test_a_tampered_dict_is_refused(goal, change, message):
    with pytest.raises((ValueError, TypeError), match=message):
        goal_from_dict(goal.to_dict() | change)


def test_a_dict_with_a_part_missing_is_refused():
    for name in ("goal", "indices", "shares"):
        part = hw.Average(1, 2).to_dict()
        del part[name]
        with pytest.raises(ValueError, match="`goal`"):
            goal_from_dict(part)


@pytest.mark.parametrize("indices", [(3, 5, 7, 5), (5, 5, 3), (0, 1, 2, 5, 4, 5)])
def test_the_index_named_twice_is_the_one_that_is(indices):
    with pytest.raises(ValueError, match="got 5 more than once"):
        hw.Average(*indices)
