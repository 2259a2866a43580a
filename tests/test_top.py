"""Top: a frozen set of keys, validated when made, equal whatever the order, the same after a journey."""

import copy
import json
import pickle

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.goals import Goal, top_from_dict
from tests.facts import says

TOPS = [hw.Top(3), hw.Top(5, 2, 9), hw.Top(np.int64(4), 0), hw.Top(*range(40))]
every_top = pytest.mark.parametrize("top", TOPS, ids=repr)


@every_top
def test_frozen(top):
    for name in ("indices", "colour"):
        with pytest.raises(AttributeError):
            setattr(top, name, (1,))
    with pytest.raises(AttributeError):
        del top.indices


@every_top
@pytest.mark.parametrize(
    "journey",
    [
        lambda t: pickle.loads(pickle.dumps(t)),
        lambda t: top_from_dict(json.loads(json.dumps(t.to_dict()))),
        copy.deepcopy,
    ],
    ids=["pickle", "json", "deepcopy"],
)
def test_a_journey_changes_nothing(top, journey):
    back = journey(top)
    assert (back, hash(back), back.indices, repr(back)) == (top, hash(top), top.indices, repr(top))


def test_equal_regardless_of_order():
    assert hw.Top(1, 4, 2) == hw.Top(4, 2, 1)
    assert len({hw.Top(1, 2), hw.Top(2, 1), hw.Top(1), hw.Top(1, 3)}) == 3
    assert hw.Top(1) != hw.Copy(1)
    assert hw.Top(1) != 1


def test_no_distribution():
    assert not isinstance(hw.Top(1), Goal)


def test_repr_can_be_typed_again():
    assert repr(hw.Top(5, 2)) == "Top(5, 2)"
    assert eval(repr(hw.Top(5, 2)), {"Top": hw.Top}) == hw.Top(2, 5)
    assert says(repr(hw.Top(*range(40))), "Top(0, 1, 2, 3, 4, 5, …", 40)


def test_check_and_members():
    top = hw.Top(4, 1)
    assert top.members(6).tolist() == [False, True, False, False, True, False]
    for method in (top.check, top.members):
        with pytest.raises(ValueError, match=r"`goal`.*Top\(4, 1\)"):
            method(4)
        method(5)
    with pytest.raises(ValueError, match=r"`goal`.*Top\(1, 0\)"):
        hw.Top(1, 0).check(2)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: hw.Top(), ValueError, "`goal`"),
        (lambda: hw.Top(-1), ValueError, "`goal index`.*-1"),
        (lambda: hw.Top(True), TypeError, "`goal index`.*True"),
        (lambda: hw.Top(1.0), TypeError, r"`goal index`.*1\.0"),
        (lambda: hw.Top([1, 2], 3), TypeError, "`goal index`"),
        (lambda: hw.Top(3, 1, 3), ValueError, "`goal`.*3"),
    ],
)
def test_refused_when_made(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"goal": "average"}, "`goal`.*`indices`"),
        ({"goal": ["top"]}, "`goal`.*`indices`"),
        ({"indices": "12"}, "`goal`.*`indices`"),
        ({"indices": []}, "`goal`"),
        ({"indices": [1, 1]}, "`goal`"),
        ({"indices": [1, True]}, "`goal index`"),
        ({"shares": ["1"]}, "`goal`.*goal, indices, shares"),
    ],
)
def test_a_tampered_dict_is_refused(change, message):
    with pytest.raises((ValueError, TypeError), match=message):
        top_from_dict(hw.Top(1, 2).to_dict() | change)


def test_a_design_for_top_shows_itself():
    weights = np.array([0.1, 0.2, 0.3, 0.4])
    bare = hw.Design(np.ones((1, 3)), np.ones(1), 1.0, hw.Top(3, 1), 1, weights)
    assert (bare.error, bare.gap, bare.lower_bound) == (None, None, None)
    assert says(bare.summary(), "proved", 1)
    assert [line[0] for line in repr(bare).splitlines()[1:]] == ["*", "*", " ", " "]
    assert bare.table()["goal"] == [False, True, False, True]
    assert json.loads(json.dumps(bare.to_dict()))["goal"] == {"goal": "top", "indices": [3, 1]}
    assert hw.Design(np.ones((1, 3)), np.ones(1), 1.0, hw.Copy(3), 0.01, weights).to_dict()["gap"] is None
