"""Two claims about singular values: each lies in its interval; a product of low rank is near, and none is nearer.

Whatever is proved here is judged again by `second_opinion_spectrum`, which decides every claim exactly.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from headwright.search.spectrum._singular_values import tightest_intervals
from headwright.theories.matrices.singular_values import SingularValues
from tests.facts import says
from tests.second_opinion import judge

# σ = 6, 2: the columns of 2·(orthogonal matrix) scaled; every number is exact.
A = np.array([[3.0, 1.0], [3.0, -1.0], [3.0, 1.0], [3.0, -1.0]])
LEFT = np.array([[0.5, 0.5], [0.5, -0.5], [0.5, 0.5], [0.5, -0.5]])
VALUES, RIGHT = np.array([6.0, 2.0]), np.eye(2)


def claim(low=(5.9, 1.9), high=(6.1, 2.1), **change):
    made = SingularValues(A, np.array(low), np.array(high), LEFT, VALUES, RIGHT)
    return replace(made, **change)


def test_intervals_are_proved():
    verdict = claim().prove()
    assert verdict.status == "proved"
    assert verdict.bound == 6.1
    assert says(verdict.claim, 2, 4, "0.200001")
    assert "Ostrowski, Weyl" in verdict.reason
    assert judge(claim()) == "true"


@pytest.mark.parametrize(
    ("low", "high", "status", "index"),
    [
        ((6.01, 1.9), (6.1, 2.1), "refuted", 0),
        ((5.9, 2.01), (6.1, 2.1), "refuted", 1),
        ((5.9, 1.9), (5.99, 2.1), "refuted", 0),
        ((5.9, 1.9), (6.1, 1.99), "refuted", 1),
        ((6.0, 1.9), (6.1, 2.1), "undecided", None),
        ((5.9, 2.0), (6.1, 2.1), "undecided", None),
        ((5.9, 1.9), (6.0, 2.1), "undecided", None),
        ((5.9, 1.9), (6.1, 2.0), "undecided", None),
        ((-1.0, -1.0), (99.0, 99.0), "proved", None),
    ],
)
def test_each_end_counts(low, high, status, index):
    verdict = claim(low, high).prove()
    assert verdict.status == status
    assert judge(claim(low, high)) == ("false" if status == "refuted" else "true")
    if index is not None:
        point = verdict.counterexample
        assert point["index"] == index
        assert point["at least"] <= (6, 2)[index] <= point["at most"]
        assert point["at most"] - point["at least"] < 1e-13


def test_the_narrowest_claim_is_proved_and_a_hair_less_is_not():
    made = tightest_intervals(A, LEFT, VALUES, RIGHT)
    assert made.prove().status == "proved"
    assert (made.high - made.low).max() < 1e-13
    assert ((made.low < [6, 2]) & (made.high > [6, 2])).all()
    for name, towards in (("low", np.inf), ("high", 0)):
        for i in (0, 1):
            moved = getattr(made, name).copy()
            moved[i] = np.nextafter(moved[i], towards)
            moved[i] = np.nextafter(moved[i], towards)
            assert replace(made, **{name: moved}).prove().status == "undecided"


@pytest.mark.parametrize("part", ["left", "right", "values"])
@pytest.mark.parametrize("size", [1e-9, 1e-3, 0.3])
def test_a_poor_witness_gives_wide_bounds_never_false_ones(rng, part, size):
    matrix = rng.normal(size=(5, 3))
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    witness = {"left": left, "values": values, "right": right.T}
    for _ in range(5):
        moved = witness | {part: witness[part] + size * rng.normal(size=witness[part].shape)}
        moved["values"] = -np.sort(-np.abs(moved["values"]))
        made = tightest_intervals(matrix, **moved)
        assert made.prove().status == "proved"
        assert judge(made) == "true"
        assert size / 100 < (made.high - made.low).max() < 200 * size


@pytest.mark.parametrize("stretched", ["left", "right", "both"])
@pytest.mark.parametrize("factor", [1 + 2.0**-10, 1 - 2.0**-10, 1.25, 0.5])
def test_bases_that_are_too_long_or_too_short(stretched, factor):
    """A = (c U) diag(s) (e V)ᵀ exactly, so that nothing is missed: only the bases' own defects tell."""
    c, e = factor if stretched != "right" else 1.0, factor if stretched != "left" else 1.0
    made = tightest_intervals(A * c * e, LEFT * c, VALUES, RIGHT * e)
    assert made.prove().status == "proved"
    assert made.low[0] <= 6 * c * e <= made.high[0]
    assert made.low[1] <= 2 * c * e <= made.high[1]


def test_what_the_decomposition_misses_counts():
    made = tightest_intervals(A + 2.0**-10, LEFT, VALUES, RIGHT)
    truth = np.linalg.svd(A + 2.0**-10)[1]
    assert made.prove().status == "proved"
    assert ((made.low < truth) & (truth < made.high)).all()
    assert made.high[0] - 6 > 2.0**-9


def test_bases_that_are_not_independent_show_nothing_from_below():
    same = np.array([[0.5, 0.5]] * 4)
    made = tightest_intervals(A, same, VALUES, RIGHT)
    assert (made.low == 0).all()
    assert made.prove().status == "proved"
    assert tightest_intervals(np.diag([1.0, 0.0]), np.eye(2), np.ones(2), np.array([[1.0, 1.0], [0, 0]])).low[1] == 0


@pytest.mark.parametrize("scale", [1e-300, 1e300, 5e-324, 2.0**-1060])
def test_any_scale(scale):
    matrix = np.array([[3.0, 0.0], [4.0, 5.0]]) * scale
    left, values, right = np.linalg.svd(np.array([[3.0, 0.0], [4.0, 5.0]]))
    made = tightest_intervals(matrix, left, values * scale, right.T)
    assert made.prove().status == "proved"
    assert judge(made) == "true"
    assert made.high[0] > 0


def test_numbers_of_all_sizes_together():
    matrix = np.array([[1e300, 1e-300, 0.0], [1e-300, 1.0, 5e-324]])
    made = tightest_intervals(matrix, np.eye(2), np.array([1e300, 1.0]), np.eye(3)[:, :2])
    assert made.prove().status == "proved"
    assert judge(made) == "true"


def test_zero_matrices_have_zeros():
    made = tightest_intervals(np.zeros((2, 3)), np.ones((2, 2)), np.array([7.0, 1.0]), np.ones((3, 2)))
    assert made.prove().status == "proved"
    assert (made.high == 0).all()
    assert replace(made, high=np.array([1.0, 1.0]), low=np.array([5e-324, 0.0])).prove().status == "refuted"


def test_what_overflows_is_undecided():
    huge = claim(left=1e200 * LEFT)
    assert huge.prove().status == "undecided"
    assert huge.prove().reason
    assert tightest_intervals(A, 1e200 * LEFT, VALUES, RIGHT) is None
    assert claim(values=np.array([1e308, 1.0]), right=1e10 * RIGHT).prove().status == "undecided"
    small = SingularValues(5e-324 * A, np.zeros(2), np.ones(2), LEFT, np.array([1e300, 1.0]), RIGHT)
    assert small.prove().status == "undecided"
    top = np.full((2, 2), 1.7e308)
    half = np.full((2, 1), 0.5**0.5)
    witness = np.hstack([half, half * [[1], [-1]]])
    assert tightest_intervals(top, witness, np.array([1.7e308, 0.0]), witness) is None  # σ_1 is 3.4e308


def test_saved_and_proved_again(tmp_path):
    hw.save(tmp_path / "claim", claim().prove())
    assert isinstance(load(tmp_path / "claim"), SingularValues)
    assert hw.verify(tmp_path / "claim").status == "proved"
    assert judge(tmp_path / "claim") == "true"


def test_one_value_in_words():
    one = tightest_intervals(np.array([[2.0, 0.0, 0.0]]), np.ones((1, 1)), np.array([2.0]), np.eye(3)[:, :1])
    assert says(one.sentence(), 1, 3)
    assert one.prove().status == "proved"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"left": LEFT[:3]}, r"`left`.*\(3, 2\)"),
        ({"right": np.eye(3)}, "`right`.*d = 2, p = 2"),
        ({"low": np.zeros(3)}, "`low`.*p = 2"),
        ({"high": np.zeros(1)}, "`high`.*p = 2"),
        ({"values": np.zeros(3)}, "`values`.*p = 2"),
        ({"values": np.array([2.0, 6.0])}, "`values`"),
        ({"values": np.array([6.0, -2.0])}, "`values`"),
        ({"low": np.array([0.0, 3.0])}, "`low`.*`high`.*1"),
        ({"matrix": np.full((4, 2), np.nan)}, "`matrix`"),
        ({"high": np.array([np.inf, 3.0])}, "`high`"),
        ({"matrix": np.ones(4)}, "`matrix`"),
    ],
)
def test_ill_formed_claims_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        claim(**change)


def test_the_exact_judge_counts_equal_values():
    """Descartes' rule at a root itself, and with repeated roots."""
    twice = SingularValues(2 * np.eye(3), [2.0] * 3, [2.0] * 3, np.eye(3), [2.0] * 3, np.eye(3))
    assert judge(twice) == "true"
    hair = Fraction(2) - Fraction(1, 2**52)
    assert judge(replace(twice, high=np.array([2.0, 2.0, float(hair)]), low=np.zeros(3))) == "false"
    assert judge(replace(twice, low=np.array([2.0, 2.0, np.nextafter(2.0, 3)]), high=np.full(3, 3.0))) == "false"
    assert judge(replace(twice, high=np.array([2.0, 2.0, -1.0]), low=np.full(3, -1.0))) == "false"
