"""`outcome` calls upwards in the list of folders only: no file calls one of a later folder back."""

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import headwright as hw
from tests.house.test_layers import ORDER, PACKAGE, rank

# A cached property is called through its descriptor, a sum calls for the terms it is given, and cells are cut until the caller
# says that the bounds are close.
ALLOWED = {"kernel/frozen.py", "kernel/budget.py", "theories/random_keys/gaussian_probability.py"}


@cache
def place(file):
    """Where a file lies inside headwright/, or None."""
    path = Path(file)
    inside = path.relative_to(PACKAGE) if path.is_relative_to(PACKAGE) else None
    return inside if inside is not None and inside.parts[0] in ORDER else None


def calls_upward(work):
    """(caller, called) for every call from a layer to a higher one while `work` runs."""
    seen = set()

    def look(frame, event, _):
        called, back = place(frame.f_code.co_filename), frame.f_back
        if event != "call" or called is None:
            return
        while back is not None and place(back.f_code.co_filename) is None:
            back = back.f_back
        caller = None if back is None else place(back.f_code.co_filename)
        if caller is not None and rank(caller.parts[0]) < rank(called.parts[0]):
            seen.add((caller.as_posix(), called.as_posix()))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(before)
    return {pair for pair in seen if pair[0] not in ALLOWED}


@pytest.mark.parametrize(
    "keys",
    [
        hw.GaussianKeys(np.eye(3), along={0: 0.25}),
        hw.GaussianKeys(np.eye(3), isotropic=0.1),
        hw.ScaledKeys(np.eye(3), {0: {0.5: 0.5, 1.5: 0.5}}),
    ],
    ids=["one Gaussian", "sampled", "finite"],
)
def test_outcome_calls_downwards(keys):
    def work():
        law = hw.outcome(keys, [5.0, 0.0, 0.0], hw.Copy(0), samples=64, seed=0)
        law.probability(0.3)
        law.bounds(0.3)
        law.quantile(0.9)

    assert calls_upward(work) == set()


def test_a_call_upward_is_seen():
    """A function of search/ handed to a file of words/ and called there."""
    from headwright.search.random_keys.law import numbers_of
    from headwright.words.progress import with_progress

    assert calls_upward(lambda: list(with_progress(map(numbers_of, [[]], [(0,)]), 1, "counting"))) == {
        ("words/progress.py", "search/random_keys/law.py")
    }
