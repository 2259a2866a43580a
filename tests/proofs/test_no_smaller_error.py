"""Least errors within a norm: the bound is right, a poor witness gives a poor bound, and no witness gives a false one."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.no_smaller_error import NoSmallerError
from headwright.search.least_norm.shortest import best_bound
from tests.facts import says
from tests.second_opinion_norm import no_smaller_error

GOALS = [hw.Copy(2), hw.Average(1, 4), hw.Blend({0: "0.5", 3: "0.3", 5: "0.2"})]
MAX_NORM = Fraction(5, 2)
NORM_OF = {0.125: 20, 1.0: MAX_NORM, 3.0: Fraction(5, 6)}  # by scale


def claim_of(rng, goal, n=9, d=6, scale=1.0):
    keys = rng.normal(size=(n, d))
    design = hw.design(keys, goal, max_norm=NORM_OF[scale], scale=scale)
    return design, design.optimality.record


def log_odds(error):
    return math.log(error / (1 - error))


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("scale", list(NORM_OF))
def test_bound_is_near_the_error_and_confirmed(goal, scale, rng):
    design, claim = claim_of(rng, goal, scale=scale)
    assert claim.max_norm == NORM_OF[scale]
    assert design.error_lower_bound <= design.error
    assert log_odds(design.error) - log_odds(design.error_lower_bound) <= 1e-9
    assert no_smaller_error(claim.arrays(), claim.fields()) == "true"
    verdict = design.optimality
    assert says(verdict.claim, goal)
    assert verdict.bound == design.error_lower_bound


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_more_than_the_witness_shows_is_undecided(goal, rng):
    design, claim = claim_of(rng, goal)
    for change in ({"error": Fraction(design.error) * (1 + Fraction(1, 10**6))}, {"max_norm": claim.max_norm * 2}):
        more = replace(claim, **change)
        verdict = more.prove()
        assert verdict.status == "undecided"
        assert verdict.reason
        assert no_smaller_error(more.arrays(), more.fields()) == "false"
    assert claim.at(Fraction(design.error) * (1 + Fraction(1, 10**6))).prove().status == "undecided"
    assert claim.at(claim.error).prove().status == "proved"


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_no_witness_gives_a_false_bound(goal, rng):
    """Random witnesses, good ones disturbed, and scaled ones: what they prove never exceeds an error that a query has."""
    design, claim = claim_of(rng, goal)
    for disturbed in (rng.random(9), 1e-3 * rng.random(9) + claim.witness, 1e6 * claim.witness, 1e-6 * claim.witness):
        witness = disturbed.copy()
        witness[list(goal.indices)] = disturbed[list(goal.indices)] * rng.choice([-1, 1], size=len(goal.indices))
        best = best_bound(replace(claim, witness=witness, error=Fraction(0)))
        assert best <= Fraction(design.error)
        proved = replace(claim, witness=witness, error=best)
        assert proved.prove().status == "proved"
        assert no_smaller_error(proved.arrays(), proved.fields()) == "true"


def test_no_query_within_the_norm_errs_less(rng):
    """Many queries on the sphere and inside, and the best one's neighbours, all err at least as much."""
    keys = rng.normal(size=(12, 3))
    design = hw.design(keys, hw.Copy(4), max_norm=3, scale=0.5)
    directions = np.concatenate([rng.normal(size=(20_000, 3)), design.query + 1e-3 * rng.normal(size=(2000, 3))])
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    queries = 3 * directions * np.concatenate([np.ones(11_000), rng.random(11_000)])[:, None]
    scores = 0.5 * queries @ keys.T
    weights = np.exp(scores - scores.max(axis=1)[:, None])
    errors = 1 - weights[:, 4] / weights.sum(axis=1)
    assert errors.min() >= design.error_lower_bound * (1 - 1e-12)
    assert errors.min() == pytest.approx(design.error, rel=1e-2)


def test_by_hand():
    """One outsider: the error at norm R is at least 1/(1 + e^{R‖k₀ - k₁‖}); and shares that leave one query only."""
    claim = NoSmallerError([[3.0], [1.0], [-1.0]], hw.Copy(0), 1, 1, 0, [0.0, 1.0, 0.0])
    assert float(best_bound(claim)) == pytest.approx(1 / (1 + math.exp(2)), rel=1e-14)
    blend = NoSmallerError([[0.0], [1.0], [5.0]], hw.Blend({0: "1/4", 1: "3/4"}), 2, 1, 0, [0.0, -5.0, 1.0])
    leak = 1 / (1 + 4 / math.exp(5 * math.log(3)))  # exact ratios leave one query only, ln 3
    assert float(best_bound(blend)) == pytest.approx(leak, rel=1e-12)


@pytest.mark.parametrize("far", [1, 1000])
def test_ratios_that_need_a_longer_query(far):
    """Shares 1 to 3 over keys a distance apart need the norm ln 3 / distance, whatever leaks."""
    keys, goal, witness = [[0.0], [1.0 / far], [9.0]], hw.Blend({0: "1/4", 1: "3/4"}), [0.0, -1.0, 0.0]
    needed = Fraction(math.log(3) * far)
    for norm, status in (
        (needed * (1 - Fraction(1, 10**12)), "proved"),
        (needed * (1 + Fraction(1, 10**12)), "undecided"),
    ):
        claim = NoSmallerError(keys, goal, norm, 1, 1, witness)
        verdict = claim.prove()
        assert verdict.status == status
        assert no_smaller_error(claim.arrays(), claim.fields()) == ("true" if status == "proved" else "false")
    assert replace(claim, max_norm=needed / 2, error=Fraction(1, 2)).prove().status == "proved"  # of no query at all
    assert replace(claim, max_norm=needed / 2, witness=[0.0, 1.0, 0.0]).prove().status == "undecided"


def test_equal_keys_with_unequal_shares_have_no_query_of_any_norm():
    claim = NoSmallerError(np.ones((2, 3)), hw.Blend({0: "0.4", 1: "0.6"}), Fraction(10) ** 300, 1, 1, [0.0, -1.0])
    assert claim.prove().status == "proved"
    assert replace(claim, goal=hw.Average(0, 1)).prove().status == "undecided"  # equal shares contradict nothing


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("error", ["1e-300", "0.5", "1"])
def test_a_witness_of_zeros_shows_nothing(goal, error, rng):
    claim = NoSmallerError(rng.normal(size=(9, 2)), goal, 1, 1, error, np.zeros(9))
    assert claim.prove().status == "undecided"
    assert no_smaller_error(claim.arrays(), claim.fields()) == "false"
    assert replace(claim, error=Fraction(0)).prove().status == "proved"


def test_weights_outside_never_show_that_there_is_no_query(rng):
    claim = NoSmallerError(1e-9 * rng.normal(size=(9, 2)), hw.Copy(0), Fraction(1, 10**9), 1, 1, np.ones(9))
    assert claim.prove().status == "undecided"


def test_equal_keys_share_their_weight():
    """A key beside m - 1 equal ones has weight 1/m at most, at any norm."""
    for m in (2, 5):
        design = hw.design(np.ones((m, 2)), hw.Copy(0), max_norm=1e6)
        assert design.error == pytest.approx(1 - 1 / m, rel=1e-15)
        assert design.error_lower_bound == pytest.approx(1 - 1 / m, rel=1e-12)


def test_exact_sums_decide_when_float64_sums_do_not(rng):
    keys = rng.normal(size=(12, 4)) + 2.0**40
    design = hw.design(keys, hw.Copy(0), max_norm=2)
    assert design.optimality.status == "proved"
    assert log_odds(design.error) - log_odds(design.error_lower_bound) <= 1e-6


def test_what_float64_sums_leave_open_is_not_proved():
    """Two keys that cancel leave a wide ball around the sum, and the error claimed lies in its ball, above the exact bound."""
    claim = NoSmallerError([[0.0], [1e12], [-1e12], [1.0]], hw.Copy(0), 1, 1, 0, [0.0, 1.0, 1.0, 1.0])
    exact = 1 / (1 + math.exp(1 / 3) / 3)
    (_, _, wide), (_, _, narrow) = islice(claim.bounds(), 2)
    assert float(wide.rad()) > 1e-7 > 1e-15 > float(narrow.rad())
    assert float(best_bound(claim)) == pytest.approx(exact, rel=1e-14)
    assert claim.at(Fraction(exact * (1 - 1e-9))).prove().status == "proved"
    assert claim.at(Fraction(exact * (1 + 1e-9))).prove().status == "undecided"


def test_saved_and_verified(tmp_path, rng):
    design, _ = claim_of(rng, GOALS[1])
    hw.save(tmp_path / "error.safetensors", design.optimality)
    again = hw.verify(tmp_path / "error.safetensors")
    assert (again.status, again.bound) == ("proved", design.error_lower_bound)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"witness": np.ones(4)}, "`witness`"),
        ({"witness": -np.ones(9)}, "`witness`"),
        ({"witness": np.full(9, np.nan)}, "`witness`"),
        ({"scale": Fraction(0)}, "`scale`"),
        ({"max_norm": Fraction(0)}, "`max_norm`"),
        ({"error": Fraction(-1, 2)}, "`error`"),
        ({"error": Fraction(3, 2)}, "`error`"),
        ({"goal": hw.Copy(9)}, "`goal`.*9"),
    ],
)
def test_wrong_parts(change, message, rng):
    _, claim = claim_of(rng, GOALS[0])
    with pytest.raises(ValueError, match=message):
        replace(claim, **change)
