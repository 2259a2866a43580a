"""Least norms: the bound is right, a poor witness gives a poor bound, and no witness gives a false one."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.no_shorter import NoShorter
from headwright.search.least_norm.shortest import best_bound
from tests.facts import says
from tests.second_opinion_norm import no_shorter
from tests.second_opinion_words import parts_of

GOALS = [hw.Copy(2), hw.Average(1, 4), hw.Blend({0: "0.5", 3: "0.3", 5: "0.2"})]
ERROR = Fraction(1, 50)


def claim_of(rng, goal, n=9, d=6, scale=1.0):
    keys = rng.normal(size=(n, d))
    design = hw.design(keys, goal, error=ERROR, scale=scale)
    return design, design.optimality.record


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("scale", [1.0, 0.125, 3.0])
def test_bound_is_near_the_norm_and_confirmed(goal, scale, rng):
    design, claim = claim_of(rng, goal, scale=scale)
    assert design.lower_bound <= design.norm <= design.lower_bound * (1 + 1e-9)
    assert no_shorter(*parts_of(claim)[1:]) == "true"
    verdict = design.optimality
    assert says(verdict.claim, goal, "1/50")
    assert verdict.bound == design.lower_bound


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_more_than_the_witness_shows_is_undecided(goal, rng):
    design, claim = claim_of(rng, goal)
    longer = replace(claim, least=Fraction(design.norm) * (1 + Fraction(1, 10**6)))
    verdict = longer.prove()
    assert verdict.status == "undecided"
    assert verdict.reason
    assert no_shorter(*parts_of(longer)[1:]) == "false"


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_no_witness_gives_a_false_bound(goal, rng):
    """Random witnesses, good ones disturbed, and scaled ones: what they prove never exceeds a norm that does the job."""
    design, claim = claim_of(rng, goal)
    for disturbed in (rng.random(9), 1e-3 * rng.random(9) + claim.witness, 1e6 * claim.witness, 1e-6 * claim.witness):
        witness = disturbed.copy()
        witness[list(goal.indices)] = disturbed[list(goal.indices)] * rng.choice([-1, 1], size=len(goal.indices))
        best = best_bound(replace(claim, witness=witness, least=Fraction(0)))
        assert best <= Fraction(design.norm)
        assert replace(claim, witness=witness, least=best).prove().status == "proved"


def test_textbook_norms():
    for m, norm in ((1, 8.154794574685), (2, 10.392564647234), (5, 13.681545831706)):
        design = hw.design(np.eye(40), hw.Average(*range(m)) if m > 1 else hw.Copy(0), error="0.01")
        assert design.lower_bound == pytest.approx(norm, rel=1e-12)
        exact = math.log((40 - m) / (m / 99)) * math.sqrt(m * (40 - m) / 40)
        assert design.norm == pytest.approx(exact, rel=1e-12)


def test_exact_sums_decide_when_float64_sums_do_not(rng):
    """Keys far from the origin: the float64 sum cancels to nothing, the exact one does not."""
    keys = rng.normal(size=(12, 4)) + 2.0**40
    design = hw.design(keys, hw.Copy(0), error=0.1)
    assert design.optimality.status == "proved"
    assert design.norm <= design.lower_bound * (1 + 1e-6)


def test_huge_keys_overflow_float64_sums(rng):
    keys = rng.normal(size=(5, 3)) * 1e300
    witness = np.array([0.0, 1.0, 1e10, 3.0, 1.0])
    claim = NoShorter(keys, hw.Copy(0), ERROR, Fraction(1), Fraction(0), witness)
    assert 0 < best_bound(claim) < Fraction(1, 10**299)


def test_a_witness_that_cancels_shows_nothing_finite():
    keys = np.array([[0.0], [1.0], [-1.0]])
    claim = NoShorter(keys, hw.Copy(0), ERROR, Fraction(1), Fraction(1), np.array([0.0, 1.0, 1.0]))
    verdict = claim.prove()
    assert verdict.status == "undecided"
    assert verdict.reason
    assert best_bound(claim) == 0


def test_zero_is_always_proved(rng):
    claim = NoShorter(rng.normal(size=(3, 2)), hw.Copy(0), ERROR, Fraction(1), Fraction(0), np.zeros(3))
    assert claim.prove().status == "proved"
    assert best_bound(claim) == 0


def test_saved_and_verified(tmp_path, rng):
    design, _ = claim_of(rng, GOALS[1])
    hw.save(tmp_path / "norm.safetensors", design.optimality)
    again = hw.verify(tmp_path / "norm.safetensors")
    assert (again.status, again.bound, again.claim) == ("proved", design.lower_bound, design.optimality.claim)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"witness": np.ones(4)}, "`witness`"),
        ({"witness": -np.ones(9)}, "`witness`"),
        ({"scale": Fraction(0)}, "`scale`"),
        ({"least": Fraction(-1)}, "`least`"),
        ({"error": Fraction(1)}, "`error`"),
        ({"goal": hw.Copy(9)}, "`goal`.*9"),
    ],
)
def test_wrong_parts(change, message, rng):
    _, claim = claim_of(rng, GOALS[0])
    with pytest.raises(ValueError, match=message):
        replace(claim, **change)
