"""Recorded outputs: compared exactly, entry by entry; the claim is about the record and not about the function."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from headwright._save import save
from headwright.proofs import RecordedOrder, verify

GIVEN = np.arange(6.0).reshape(3, 2)
PLAIN = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 0.1]])
ORDER = (2, 0, 1)
FOLLOWS = RecordedOrder(GIVEN, PLAIN, PLAIN[list(ORDER)], ORDER, Fraction(0))


def off(by, row=1, column=0):
    moved = PLAIN[list(ORDER)].copy()
    moved[row, column] += by
    return replace(FOLLOWS, moved=moved)


def test_what_follows_and_what_does_not(tmp_path):
    assert FOLLOWS.prove().status == "proved"
    verdict = off(2.0**-50).prove()
    assert verdict.status == "refuted"
    assert verdict.counterexample["permutation"] == ORDER
    assert verdict.counterexample["row"] == 1
    assert verdict.bound == verdict.counterexample["defect"] == 2.0**-50
    assert "as recorded" in verdict.claim
    save(tmp_path / "claim", verdict)
    again = verify(tmp_path / "claim")
    assert (again.status, again.counterexample["defect"]) == ("refuted", 2.0**-50)


def test_the_inverse_permutation_is_another_one():
    inverse = tuple(int(place) for place in np.argsort(ORDER))
    assert replace(FOLLOWS, order=inverse).prove().status == "refuted"


def test_the_allowance_is_exact():
    defect = Fraction(3.0 + 0.3) - Fraction(3.0)
    moved = off(0.0).moved.copy()
    moved[2, 0] = 3.0 + 0.3
    one = replace(FOLLOWS, moved=moved)
    assert replace(one, allowance=defect).prove().status == "proved"
    assert replace(one, allowance=defect - Fraction(1, 10**40)).prove().status == "refuted"


def test_differences_that_overflow_are_differences():
    plain = np.full((3, 2), -1.7e308)
    moved = plain.copy()
    moved[0, 1] = 1.7e308
    claim = RecordedOrder(GIVEN, plain, moved, ORDER, Fraction(10) ** 308)
    assert claim.prove().status == "refuted"
    assert replace(claim, allowance=Fraction(4 * 10**308)).prove().status == "proved"


def test_leading_axes():
    both = np.stack([PLAIN, 2 * PLAIN])
    claim = RecordedOrder(np.stack([GIVEN, GIVEN]), both, both[:, list(ORDER)], ORDER, Fraction(0))
    assert claim.prove().status == "proved"
    assert replace(claim, moved=both).prove().status == "refuted"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"order": (0, 0, 1)}, "order"),
        ({"order": (0, 1)}, "order"),
        ({"moved": PLAIN[:2]}, "moved"),
        ({"allowance": Fraction(-1)}, "allowance"),
        ({"plain": np.full((3, 2), np.nan)}, "plain"),
    ],
)
def test_wrong_parts_are_named(change, named):
    with pytest.raises(ValueError, match=f"`{named}`"):
        replace(FOLLOWS, **change)
