"""Claims about all queries of a ball: bounds never below what queries do, refutations by queries of the ball alone."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel import balls
from headwright.theories.stored_keys.kept_on_ball import KeptOnBall
from headwright.theories.stored_keys.worst_moves import worst_move
from tests import second_opinion_ball


def variation(keys, stored, query, scale=1.0):
    """½ Σ|α - α'| in float64."""
    rows = [scale * (part @ query) for part in (keys, stored)]
    weights = [np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in rows]
    return 0.5 * np.abs(weights[0] - weights[1]).sum()


def worst(keys, stored, reach, whole=True):
    with balls.precision(53):
        return worst_move(keys, stored, Fraction(reach), whole=whole)


def climbed(keys, stored, norm, rng, starts=30, steps=300):
    """The largest total variation that random steps uphill find on the sphere and inside."""
    best = 0.0
    for start in range(starts):
        q = rng.normal(size=keys.shape[1])
        if start % 3 == 1:
            i, j = rng.choice(len(keys), 2, replace=False)
            q = (stored - keys)[i] - (stored - keys)[j] + rng.normal() * (keys[i] + keys[j])
        q *= norm / (np.linalg.norm(q) or 1)
        value, width = variation(keys, stored, q), 0.3
        for _ in range(steps):
            tried = q + width * norm * rng.normal(size=q.shape)
            tried *= min(1, norm / np.linalg.norm(tried))
            there = variation(keys, stored, tried)
            if there > value:
                q, value = tried, there
            else:
                width = max(0.97 * width, 1e-3)
        best = max(best, value)
    return best


@pytest.mark.parametrize("norm", [0.02, 0.2, 0.7, 1.5, 4.0, 15.0])
@pytest.mark.parametrize("shape", [(2, 1), (3, 2), (7, 3), (12, 5)])
def test_no_query_moves_further_than_the_bound(norm, shape, rng):
    keys = rng.normal(size=shape)
    for size in (0.01, 0.3, 2.0):
        stored = keys + size * rng.normal(size=shape) * np.exp(rng.normal(size=(shape[0], 1)))
        bound, loose = worst(keys, stored, norm), worst(keys, stored, norm, whole=False)
        assert bound <= loose
        assert climbed(keys, stored, norm, rng, starts=6, steps=60) <= bound


def test_the_bound_is_not_below_the_diameter_in_exact_arithmetic(rng):
    for shift in (0.0,) * 40 + (1e3, 1e6, 1e8) * 7:
        keys = rng.normal(size=(2, 5))
        stored = keys + 10.0 ** rng.uniform(-6, 0) * rng.normal(size=keys.shape) * (shift == 0) + shift
        bound = worst(keys, stored, 1, whole=False)
        moves = [
            [Fraction(y) - Fraction(x) for x, y in zip(*rows, strict=True)] for rows in zip(keys, stored, strict=True)
        ]
        square = sum((x - y) ** 2 for x, y in zip(*moves, strict=True))
        with balls.precision(200):
            exact = (balls.exact(square).sqrt() / 4).tanh()
            assert balls.exact(bound) >= exact
            if not shift:  # otherwise the moves differ by no more than their own rounding
                assert balls.exact(bound) <= exact * balls.exact(1 + Fraction(1, 10**12))


def test_weights_of_stored_keys_count_too():
    """The keys give all the same weight, whatever the query. Over the stored keys, two of them can have it all."""
    n = 200
    keys, stored = np.zeros((n, 2)), np.zeros((n, 2))
    stored[0], stored[1] = (40.0, 3.0), (40.0, -3.0)
    query = np.array([0.4, 0.3])
    assert variation(keys, stored, query) <= worst(keys, stored, "0.5")


def test_the_diameter_is_reached(rng):
    """Two keys whose move lies along their difference: a query along it, at the best of all lengths."""
    for gap, move in ((1.0, 0.5), (2.0, -0.7), (0.1, 3.0)):
        keys = np.array([[0.0], [gap]])
        stored = np.array([[0.0], [gap + move]])
        norms = np.linspace(0.01, 5, 2001)
        reached = max(variation(keys, stored, np.array([q])) / float(worst(keys, stored, q)) for q in norms)
        assert 0.5 < reached <= 1
    # Weights in the ratio e^(-L/4) : e^(L/4) before and the other way round after: nothing is lost.
    keys, stored = np.array([[0.5], [-0.5]]), np.array([[-0.5], [0.5]])
    assert variation(keys, stored, np.ones(1)) == pytest.approx(float(worst(keys, stored, 1)), rel=1e-12)


def test_the_spread_is_nearly_reached_by_short_queries(rng):
    """With moves along one line and nearly equal weights, TV is half the mean deviation, and the bound half the standard one."""
    n = 40
    keys = np.zeros((n, 3))
    signs = np.where(np.arange(n) % 2, 1.0, -1.0)
    stored = keys + 0.1 * signs[:, None] * np.array([1.0, 0.0, 0.0])
    bound = worst(keys, stored, "0.01")
    assert variation(keys, stored, np.array([0.01, 0.0, 0.0])) <= bound
    assert bound <= 1.001 * variation(keys, stored, np.array([0.01, 0.0, 0.0]))
    wide = rng.normal(size=(60, 24))
    moved = wide + 0.05 * rng.normal(size=wide.shape)
    assert worst(wide, moved, "0.05") < 0.6 * worst(wide, moved, "0.05", whole=False)


def test_what_moves_no_weight_has_no_bound_to_speak_of(rng):
    keys = rng.normal(size=(9, 4))
    assert worst(keys, keys, 100) == 0
    assert worst(keys[:1], keys[1:2], 100) == 0
    assert worst(keys, keys + rng.normal(size=4), 100) < 1e-12


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e-8, 1e8, 1e150])
def test_magnitudes(size, rng):
    keys = rng.normal(size=(8, 3))
    stored = keys + 0.1 * rng.normal(size=keys.shape)
    here = float(worst(keys, stored, 2))
    with balls.precision(53):
        there = worst_move(keys * size, stored * size, 2 / Fraction(size))
    assert float(there) == pytest.approx(here, rel=1e-6)


def test_what_overflows_is_undecided():
    keys = np.array([[[1.7e308, 0.0], [0.0, 1.0]]])
    claim = KeptOnBall(keys, -keys, "0.5", 1, 1)
    assert claim.best() is None
    assert claim.prove().status == "undecided"


def test_proved_refuted_undecided(rng):
    keys = rng.normal(size=(2, 9, 3))
    stored = keys + 0.05 * rng.normal(size=keys.shape)
    claim = KeptOnBall(keys, stored, "0.5", "1/2", 3)
    best = claim.best()
    tight = replace(claim, error=best)
    assert tight.prove().status == "proved"
    assert tight.prove().bound >= best
    assert replace(claim, error=best * (1 - Fraction(1, 10**9))).prove().status == "undecided"
    assert replace(claim, scale=Fraction(3), max_norm=Fraction(1, 2)).best() == best  # only their product matters
    assert best == max(KeptOnBall(keys[i : i + 1], stored[i : i + 1], "0.5", "1/2", 3).best() for i in range(2))
    query = np.array([1.2, -2.0, 0.3])
    low = [variation(keys[i], stored[i], query, 0.5) for i in range(2)]
    for place in range(2):
        tried = np.zeros((2, 3))
        tried[place] = query
        verdict = replace(claim, error=Fraction(0.9 * low[place]), tried=tried).prove()
        assert verdict.status == "refuted"
        assert verdict.counterexample["set"] == place
        np.testing.assert_array_equal(verdict.counterexample["query"], query)
        assert 0.9 * low[place] <= verdict.bound <= low[place] * (1 + 1e-9)
        assert second_opinion_ball.breaks(verdict)
        assert replace(claim, error=Fraction(1.1 * max(low)), tried=tried).prove().status != "refuted"


def test_a_query_outside_the_ball_refutes_nothing(rng):
    keys = rng.normal(size=(1, 6, 2))
    stored = keys * 1.5
    query = np.array([3.0, 4.0])
    error = Fraction(variation(keys[0], stored[0], query)) / 2
    inside = KeptOnBall(keys, stored, error, 1, 5, tried=query[None])
    assert inside.prove().status == "refuted"
    outside = replace(inside, max_norm=Fraction(5) - Fraction(1, 10**30))
    assert outside.prove().status == "undecided"


def test_causal_claims_hold_for_every_first_keys(rng):
    keys = rng.normal(size=(14, 4))
    stored = keys + 0.02 * rng.normal(size=keys.shape)
    claim = KeptOnBall(keys[None], stored[None], "0.5", 1, "0.3")
    causal = replace(claim, causal=True)
    assert causal.best() > claim.best()  # the spread of all keys says nothing of some
    for t in range(2, 15):
        assert climbed(keys[:t], stored[:t], 0.3, rng, starts=6, steps=80) <= causal.best()
    assert "first t" in causal.sentence()


def test_a_causal_claim_is_refuted_over_first_keys_alone():
    """The first two keys move apart. Over all keys, the others have nearly all the weight."""
    keys = np.zeros((1, 200, 1))
    stored = keys.copy()
    stored[0, :2, 0] = 0.5, -0.5
    low = variation(keys[0, :2], stored[0, :2], np.ones(1))
    claim = KeptOnBall(keys, stored, Fraction(0.9 * low), 1, 1, tried=[[1.0]])
    assert claim.prove().status == "proved"
    verdict = replace(claim, causal=True).prove()
    assert (verdict.status, verdict.counterexample["keys"]) == ("refuted", 2)
    assert 0.9 * low <= verdict.bound <= low * (1 + 1e-9)
    assert second_opinion_ball.breaks(verdict)
    assert replace(claim, causal=True, error=Fraction(1.1 * low)).prove().status == "proved"


@pytest.mark.parametrize("seed", range(6))
def test_the_second_opinion_agrees(seed):
    rng = np.random.default_rng(seed)
    keys = rng.normal(size=(1, 5, 3))
    stored = keys + 0.2 * rng.normal(size=keys.shape)
    for norm in ("0.05", "0.5", "3"):
        claim = KeptOnBall(keys, stored, "0.5", 1, norm)
        for factor, wanted in ((Fraction(101, 100), {"true"}), (Fraction(1, 100), {"false"})):
            error = min(claim.best() * factor, Fraction(999, 1000))
            judged = replace(claim, error=error)
            assert second_opinion_ball.judge(judged.arrays(), judged.fields()) in wanted


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"max_norm": 0}, "max_norm"),
        ({"max_norm": -1}, "max_norm"),
        ({"scale": 0}, "scale"),
        ({"error": 0}, "error"),
        ({"error": 1}, "error"),
        ({"stored": np.zeros((1, 3, 3))}, "stored"),
        ({"stored": np.full((1, 3, 2), np.nan)}, "stored"),
        ({"tried": np.zeros((2, 2))}, "tried"),
        ({"max_norm": "much"}, "max_norm"),
    ],
)
def test_usage_errors_name_the_argument(changed, named):
    given = {"keys": np.ones((1, 3, 2)), "stored": np.zeros((1, 3, 2)), "error": "0.1", "scale": 1, "max_norm": 1}
    with pytest.raises((ValueError, TypeError), match=f"`{named}`"):
        KeptOnBall(**{**given, **changed})


def test_it_is_saved_and_verified(tmp_path, rng):
    keys = rng.normal(size=(1, 6, 2))
    for claim in (
        KeptOnBall(keys, keys * 1.01, "0.1", "1/2", 1, True),
        KeptOnBall(keys, keys * 2, "0.01", "1/2", 5, tried=[[3.0, 1.0]]),
    ):
        verdict = claim.prove()
        hw.save(tmp_path / "claim", verdict)
        again = hw.verify(tmp_path / "claim")
        assert again.status == verdict.status != "undecided"
        assert again.bound == verdict.bound
