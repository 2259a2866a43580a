"""The claim about a product of low rank: how near it is at least, and how near any of that rank can be at most."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from headwright.search.spectrum._low_rank import tightest_error
from headwright.theories.matrices.low_rank import NearLowRank
from tests.facts import says
from tests.proofs.test_singular_values import LEFT, RIGHT, VALUES, A
from tests.second_opinion import judge

NEAREST = NearLowRank(A, LEFT[:, :1], 6 * RIGHT[:1], Fraction(21, 10), Fraction(19, 10), LEFT, VALUES, RIGHT)


def test_the_nearest_is_proved():
    verdict = NEAREST.prove()
    assert verdict.status == "proved"
    assert verdict.bound == 2.1
    assert says(verdict.claim, 1, "21/10", 4, 2, "19/10")
    assert "Eckart" in verdict.reason
    assert judge(NEAREST) == "true"


@pytest.mark.parametrize(
    ("error", "best", "status", "truth"),
    [
        ("1.999", "0", "refuted", "false"),
        ("3", "2.001", "refuted", "false"),
        ("2", "0", "undecided", "true"),
        ("3", "2", "undecided", "true"),
        ("2.000001", "1.999999", "proved", "true"),
        ("1.5", "5", "refuted", "false"),
    ],
)
def test_both_ends_count(error, best, status, truth):
    made = replace(NEAREST, error=Fraction(error), best=Fraction(best))
    verdict = made.prove()
    assert verdict.status == status
    assert judge(made) == truth
    if status == "refuted":
        (number,) = verdict.counterexample.values()
        assert (number <= 2) == (Fraction(error) < 2)  # what is too near, or what is too far
        assert number == pytest.approx(2, abs=1e-12)


def test_the_tightest_is_proved_and_a_hair_less_is_not():
    made = tightest_error(NEAREST)
    assert made.prove().status == "proved"
    assert 0 < made.error - 2 < Fraction(1, 10**13)
    assert 0 < 2 - made.best < Fraction(1, 10**13)
    less = 1 - Fraction(1, 2**52)
    assert replace(made, error=made.error * less).prove().status == "undecided"
    assert replace(made, best=made.best / less).prove().status == "undecided"


def test_products_that_are_not_the_nearest(rng):
    """Any factors are judged as they are: what they lack is measured."""
    for size in (1e-8, 0.1, 3.0):
        off = tightest_error(replace(NEAREST, left=NEAREST.left + size * rng.normal(size=(4, 1))))
        assert off.prove().status == "proved"
        assert judge(off) == "true"
        assert off.error > 2 + Fraction(size) / 100


@pytest.mark.parametrize("part", ["witness_left", "witness_values", "witness_right"])
@pytest.mark.parametrize("size", [1e-9, 1e-3, 0.3])
def test_a_poor_witness_gives_wide_bounds_never_false_ones(rng, part, size):
    matrix = rng.normal(size=(4, 5))
    u, s, vt = np.linalg.svd(matrix, full_matrices=False)
    for rank in (1, 3, 4):
        made = NearLowRank(matrix, u[:, :rank] * s[:rank], vt[:rank], Fraction(0), Fraction(0), u, s, vt.T)
        moved = getattr(made, part) + size * rng.normal(size=getattr(made, part).shape)
        moved = -np.sort(-np.abs(moved)) if part == "witness_values" else moved
        poor = tightest_error(replace(made, **{part: moved}))
        assert poor.prove().status == "proved"
        assert judge(poor) == "true"


@pytest.mark.parametrize("c", [1 + 2.0**-10, 1 - 2.0**-10, 1.25, 0.5])
@pytest.mark.parametrize("e", [1 + 2.0**-10, 1 - 2.0**-10, 1.0])
def test_bases_that_are_too_long_or_too_short(c, e):
    """A = (c U) diag(s) (e V)ᵀ exactly: the defects of the bases alone tell the next singular value, 2ce."""
    matrix, left = A * c * e, LEFT[:, :1] * c * e
    made = tightest_error(replace(NEAREST, matrix=matrix, left=left, witness_left=LEFT * c, witness_right=RIGHT * e))
    assert made.prove().status == "proved"
    assert made.best <= Fraction(2 * c * e) <= made.error
    assert judge(made) == "true"


@pytest.mark.parametrize("c", [1 + 2.0**-10, 1 - 2.0**-10, 1.0])
@pytest.mark.parametrize("e", [1 + 2.0**-10, 1 - 2.0**-10, 1.0])
def test_bases_whose_defects_cancel_in_what_is_missed(c, e):
    """A = U diag(s) (e V)ᵀ / c has (c U)ᵀA = diag(s) (e V)ᵀ: nothing is missed, and σ_2 is 2e/c."""
    matrix = A * e / c
    made = tightest_error(replace(NEAREST, matrix=matrix, witness_left=LEFT * c, witness_right=RIGHT * e))
    assert made.prove().status == "proved"
    assert judge(made) == "true"
    assert 1.99 < float(made.best) <= 2 * e / c


def test_a_few_sampled_directions_are_a_witness_too(rng):
    """Two of five directions: the rest is bounded by its Frobenius norm, and what is spanned shows how near any can come."""
    matrix = rng.normal(size=(6, 5))
    u, s, vt = np.linalg.svd(matrix, full_matrices=False)
    made = tightest_error(
        NearLowRank(matrix, u[:, :1] * s[0], vt[:1], Fraction(0), Fraction(0), u[:, :2], s[:2], vt[:2].T)
    )
    verdict = made.prove()
    assert verdict.status == "proved"
    assert says(verdict.claim, 2)
    assert "Frobenius" in verdict.reason
    assert float(made.error) == pytest.approx(s[1] + np.linalg.norm(s[2:]))
    assert float(made.best) == pytest.approx(s[1])
    few = tightest_error(replace(made, witness_left=u[:, :1], witness_values=s[:1], witness_right=vt[:1].T))
    assert few.best == 0
    assert float(few.error) == pytest.approx(np.linalg.norm(s[1:]))
    assert says(few.sentence(), 1)
    assert few.prove().status == "proved"
    turned = np.linalg.qr(rng.normal(size=(6, 2)))[0]
    b, t, wt = np.linalg.svd(turned.T @ matrix, full_matrices=False)
    blind = tightest_error(replace(made, witness_left=turned @ b, witness_values=t, witness_right=wt.T))
    assert blind.prove().status == "proved"
    assert 0 < float(blind.best) <= t[1] < s[1]


def test_the_whole_rank_leaves_nothing():
    made = tightest_error(replace(NEAREST, left=LEFT * VALUES, right=RIGHT, best=Fraction(0)))
    assert made.best == 0
    assert made.error < Fraction(1, 10**13)
    assert made.prove().status == "proved"
    assert judge(replace(made, best=Fraction(1, 10**9))) == "false"


def test_zero_and_extreme_matrices():
    nothing = replace(NEAREST, matrix=np.zeros((4, 2)), best=Fraction(0))
    assert tightest_error(nothing).error == pytest.approx(6)
    assert nothing.prove().status == "undecided"
    assert tightest_error(replace(nothing, left=np.zeros((4, 1)))).error == 0
    assert replace(nothing, left=np.zeros((4, 1)), error=Fraction(0)).prove().status == "proved"
    assert replace(nothing, witness_values=np.array([5e-324, 5e-324])).bounds()[1] == 0
    for scale in (1e300, 1e-300, 5e-324):
        made = tightest_error(
            replace(NEAREST, matrix=A * scale, left=LEFT[:, :1] * scale, witness_values=VALUES * scale)
        )
        assert made.prove().status == "proved"
        assert judge(made) == "true"
    apart = tightest_error(replace(NEAREST, left=1e-300 * LEFT[:, :1], right=6e300 * RIGHT[:1]))
    assert judge(apart) == "true"


def test_what_overflows_is_undecided():
    for change in ({"witness_left": 1e200 * LEFT}, {"right": 1e308 * RIGHT[:1], "left": 1e10 * LEFT[:, :1]}):
        assert replace(NEAREST, **change).prove().status == "undecided"
        assert tightest_error(replace(NEAREST, **change)) is None
    far = {"matrix": np.full((4, 2), 1.7e308), "witness_left": 3 * LEFT, "witness_values": np.array([1.7e308, 1.7e308])}
    assert tightest_error(replace(NEAREST, **far)) is None  # the error has no float


def test_saved_and_proved_again(tmp_path):
    hw.save(tmp_path / "claim", NEAREST.prove())
    assert isinstance(load(tmp_path / "claim"), NearLowRank)
    assert hw.verify(tmp_path / "claim").status == "proved"
    assert judge(tmp_path / "claim") == "true"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"left": np.ones((4, 3)), "right": np.ones((3, 2))}, "`left`.*3"),
        ({"left": np.ones((3, 1))}, r"`left`.*\(3, 1\)"),
        ({"right": np.ones((2, 2))}, "`right`.*r = 1, d = 2"),
        ({"witness_left": np.ones((4, 1))}, "`witness_left`.*n = 4, q = 2"),
        ({"witness_right": np.ones((4, 2))}, "`witness_right`.*d = 2, q = 2"),
        ({"witness_values": np.array([2.0, 6.0])}, "`values`"),
        ({"error": Fraction(-1)}, "`error`.*`best`"),
        ({"best": Fraction(-1)}, "`error`.*`best`"),
        ({"matrix": np.full((4, 2), np.inf)}, "`matrix`"),
    ],
)
def test_ill_formed_claims_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(NEAREST, **change)
