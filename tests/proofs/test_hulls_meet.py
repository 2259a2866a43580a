"""Two claims about hulls: they meet, so no query; or they are so near that every query is at least this long."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from headwright.kernel.gap_norm import GapNorm
from headwright.kernel.hulls_meet import HullsMeet
from headwright.search.top.design_top import best_gap_norm
from headwright.words.files import save
from tests.facts import says
from tests.second_opinion import judge

# keys 0 and 1 are the ends of a segment through key 2; key 3 is elsewhere
KEYS = np.array([[0.0, 0.0, 1.0], [4.0, 8.0, 1.0], [1.0, 2.0, 1.0], [5.0, 5.0, 5.0]])
MEET = HullsMeet(KEYS, hw.Top(0, 1), (0, 1, 2), (3, 1, 4))


def test_a_shared_point_is_proved():
    verdict = MEET.prove()
    assert verdict.status == "proved"
    assert says(verdict.claim, "Top(0, 1)", 2, 4)
    assert says(verdict.reason, 2, 1)
    assert judge(MEET) == "true"


@pytest.mark.parametrize(
    ("top", "indices", "weights", "status"),
    [
        (hw.Top(0, 1), (0, 1, 2), (3, 1, 5), "undecided"),
        (hw.Top(0, 1), (0, 1, 2), (1, 3, 4), "undecided"),
        (hw.Top(0, 1), (0, 1, 3), (3, 1, 4), "undecided"),
        (hw.Top(0, 1, 2), (0, 1, 2), (3, 1, 4), "undecided"),
        (hw.Top(3), (0, 1, 2), (3, 1, 4), "undecided"),
        (hw.Top(2), (0, 1, 2), (3, 1, 4), "proved"),  # seen from the other side
        (hw.Top(0, 1), (), (), "undecided"),
    ],
)
def test_only_a_shared_point_is_proved(top, indices, weights, status):
    claim = HullsMeet(KEYS, top, indices, weights)
    verdict = claim.prove()
    assert verdict.status == status
    assert (judge(claim) == "true") == (status == "proved")


def test_sums_that_agree_are_not_means_that_do():
    """2 and twice 1: the weighted sums agree, but 2 is not a mean of the other key."""
    claim = HullsMeet(np.array([[2.0], [1.0]]), hw.Top(0), (0, 1), (1, 2))
    assert claim.prove().status == "undecided"
    assert judge(claim) != "true"


def test_a_hair_off_is_not_a_shared_point():
    for c in range(3):
        keys = KEYS.copy()
        keys[2, c] = np.nextafter(keys[2, c], 9)
        assert replace(MEET, keys=keys).prove().status == "undecided"


def test_duplicates_and_long_integers():
    keys = np.array([[0.1, 1e-300, 3.0], [1e300, 2.0, 5e-324], [0.1, 1e-300, 3.0]])
    huge = 7**20_000
    claim = HullsMeet(keys, hw.Top(0), (0, 2), (huge, huge))
    assert claim.prove().status == "proved"
    again = HullsMeet.from_parts(claim.arrays(), json.loads(json.dumps(claim.fields())))
    assert again.weights == claim.weights
    assert replace(claim, weights=(huge, huge + 1)).prove().status == "undecided"


def test_saved_and_proved_again(tmp_path):
    for claim, kind in ((MEET, HullsMeet), (near(norm="1/100"), GapNorm)):
        save(tmp_path / "claim", claim.prove())
        assert isinstance(load(tmp_path / "claim"), kind)
        assert hw.verify(tmp_path / "claim").status == "proved"
        assert judge(tmp_path / "claim") == "true"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"indices": (0, 1)}, "`indices`"),
        ({"indices": (0, 0, 2)}, "`indices`"),
        ({"indices": (0, 1, 4)}, "`indices`.*4"),
        ({"indices": (0, 1, -1)}, "`indices`"),
        ({"weights": (3, 1, 0)}, "`weights`"),
        ({"weights": (5, -1, 4)}, "`weights`"),
        ({"weights": (3, 1.0, 4)}, "`weights`"),
        ({"top": hw.Top(0, 7)}, "`goal`.*7"),
        ({"top": hw.Top(0, 1, 2, 3)}, "`goal`.*4"),
        ({"keys": np.full((4, 3), np.nan)}, "`keys`"),
    ],
)
def test_ill_formed_witnesses_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(MEET, **change)


@pytest.mark.parametrize(
    "change",
    [{"weights": ["3", "1", "x"]}, {"weights": [3, 1, 4]}, {"indices": [0, 1, True]}, {"indices": [0, 1, 2.0]}],
)
def test_ill_formed_files_are_refused(change):
    with pytest.raises((ValueError, TypeError)):
        HullsMeet.from_parts(MEET.arrays(), MEET.fields() | change)


# the middle of keys 0 and 1 is (3, 4), five away from key 2; the hulls are three apart, at keys 0 and 2
APART = np.array([[3.0, 0.0], [3.0, 8.0], [0.0, 0.0], [-3.0, 9.0]])


def near(norm, witness=(1.0, 1.0, 2.0, 0.0), gap=1, scale=1):
    return GapNorm(APART, hw.Top(0, 1), Fraction(gap), Fraction(scale), Fraction(norm), np.array(witness))


def test_the_norm_is_told_apart_at_the_edge():
    """‖x‖ = 5 with these weights, so that a gap of 1 needs norm 1/5, and a gap of 3 at scale 2 needs 3/10."""
    hair = Fraction(1, 10**40)
    assert near("1/5").prove().status == "proved"
    assert near("1/5").prove().bound == balls_below(Fraction(1, 5))
    assert near(Fraction(1, 5) + hair).prove().status == "undecided"
    assert near("3/10", gap=3, scale=2).prove().status == "proved"
    assert near(Fraction(3, 10) + hair, gap=3, scale=2).prove().status == "undecided"
    assert near("1/5", witness=(0.25, 0.25, 1e-300, 0.0)).prove().status == "proved"  # normalised exactly


def balls_below(value):
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else np.nextafter(nearest, 0)


def test_best_is_the_edge(rng):
    assert best_gap_norm(near(0)) == Fraction(balls_below(Fraction(1, 5)))
    for _ in range(20):
        keys, witness = rng.normal(size=(7, 3)), rng.uniform(size=7)
        claim = GapNorm(keys, hw.Top(2, 5), Fraction(1), Fraction(1, 3), Fraction(0), witness)
        best = best_gap_norm(claim)
        assert replace(claim, least=best).prove().status == "proved"
        assert replace(claim, least=best * (1 + Fraction(1, 2**50))).prove().status == "undecided"


def test_every_query_keeps_the_bound(rng):
    """Queries made by luck: whoever has the gap has the norm."""
    tried = 0
    for _ in range(400):
        keys, query = rng.normal(size=(5, 2)), rng.normal(size=2)
        order = np.argsort(-(keys @ query)).tolist()
        gap = Fraction(float(keys[order[1]] @ query - keys[order[2]] @ query)) * Fraction(99, 100)
        if gap > 0:
            tried += 1
            draft = GapNorm(keys, hw.Top(*order[:2]), gap, Fraction(1), Fraction(0), rng.uniform(size=5))
            assert float(best_gap_norm(draft)) <= np.linalg.norm(query)
    assert tried > 300


def test_a_claim_beyond_the_truth_is_never_proved(rng):
    """The hulls are 3 apart, so that 1/3 is the least norm: beyond it no witness helps, and the second opinion has a query."""
    assert near("1/3", witness=(1.0, 0.0, 1.0, 0.0)).prove().status == "proved"
    for witness in ((1.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 1.0), *rng.uniform(size=(20, 4))):
        claim = near("0.334", witness=witness)
        assert claim.prove().status == "undecided"
        assert judge(claim) == "false"


def test_points_that_coincide_prove_every_norm():
    keys = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]])
    claim = GapNorm(keys, hw.Top(0), Fraction(1), Fraction(1), Fraction(10) ** 50, np.array([1.0, 3.0, 0.0]))
    assert claim.prove().status == "proved"
    assert best_gap_norm(claim) is None


def test_sentence():
    said = near("1/5", scale="1/2").sentence()
    assert says(said, "Top(0, 1)", "1.0", "0.5", "1/5")
    assert "scale" not in near("1/5").sentence()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"witness": np.ones(3)}, "`witness`.*3"),
        ({"witness": np.array([1.0, 1.0, -1.0, 3.0])}, "`witness`"),
        ({"witness": np.array([1.0, 1.0, 0.0, 0.0])}, "`witness`"),
        ({"witness": np.array([0.0, 0.0, 1.0, 0.0])}, "`witness`"),
        ({"witness": np.array([np.inf, 0.0, 1.0, 0.0])}, "`witness`"),
        ({"gap": Fraction(0)}, "`gap`"),
        ({"scale": Fraction(-1)}, "`scale`"),
        ({"least": Fraction(-1)}, "`least`"),
        ({"top": hw.Top(9)}, "`goal`.*9"),
    ],
)
def test_ill_formed_bounds_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(near("1/5"), **change)
