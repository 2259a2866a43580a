"""Design: what it is made of is kept exactly, or refused."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw

PARTS = {"queries": [[1.0, 2.0]], "mix": [1.0], "scale": 1.0, "goal": hw.Copy(0), "asked": "0.1", "weights": [0.5, 0.5]}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("queries", [[np.int64(2**53 + 1), 0.5]]),
        ("queries", np.array([[2**53 + 1, 1]])),
        ("queries", np.ma.array([[1.0, 2.0]])),
        ("queries", [[np.longdouble(1), 1.0]]),
        ("queries", [1.0, 2.0]),
        ("queries", [[np.nan, 1.0]]),
        ("mix", [2**53 + 1]),
        ("weights", [2**53 + 1, 0.5]),
        ("scale", "1/3"),
        ("scale", 2**53 + 1),
        ("scale", True),
        ("asked", "much"),
        ("asked", [0.1]),
        ("confidence", True),
    ],
)
def test_what_cannot_be_kept_is_refused(name, value):
    with pytest.raises((TypeError, ValueError), match=f"`{name}`"):
        hw.Design(**{**PARTS, name: value})


def test_a_design_holds_the_numbers_as_they_are():
    design = hw.Design(**{**PARTS, "queries": [[np.float32(0.1), 3]], "scale": "1/4", "asked": Fraction(1, 3)})
    assert design.queries.tolist() == [[float(np.float32(0.1)), 3.0]]
    assert (design.scale, type(design.scale), design.asked) == (0.25, float, Fraction(1, 3))


def test_the_arrays_of_a_design_stay_as_they_were():
    given = np.array([[1.0, 2.0]])
    design = hw.Design(**{**PARTS, "queries": given})
    given[0, 0] = 5.0
    for made in (design, copy.deepcopy(design), pickle.loads(pickle.dumps(design))):
        assert made.queries.tolist() == [[1.0, 2.0]]
        for array in (made.queries, made.mix, made.weights):
            assert not array.flags.writeable


@pytest.mark.parametrize("keys", [np.eye(3), hw.GaussianKeys(np.eye(3), along={0: 0.5})])
def test_a_scale_that_a_design_cannot_hold_is_refused(keys):
    more = {} if isinstance(keys, np.ndarray) else {"confidence": 0.9}
    for goal in (hw.Copy(0), hw.Top(0)) if isinstance(keys, np.ndarray) else (hw.Copy(0),):
        with pytest.raises(ValueError, match="`scale` must be a number that float64 holds exactly"):
            hw.design(keys, goal, scale="1/3", **more)
