"""The claim that replacing keys moves no query further than an error, on either side of the exact value."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.kernel import balls
from headwright.theories.stored_keys.attention_kept import AttentionKept
from tests.balls.test_compared_rows import cancelling, exact_moves

HAIR = Fraction(1, 10**15)


def asked(figure, side):
    """A rational beside an mpmath number, by 10^-15 of it."""
    return Fraction(mpmath.nstr(figure, 50)) * (1 + side * HAIR)


def case(rng, causal, heads=2, sets=1):
    keys = rng.standard_normal((sets, 5, 3))
    stored = keys + 0.2 * rng.standard_normal(keys.shape)
    return keys, stored, rng.standard_normal((heads, 3, 3)), rng.standard_normal((sets, 5, 2)), causal


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("sets", [1, 2])
def test_a_hair_beside_the_worst_query(rng, causal, sets):
    keys, stored, queries, values, _ = case(rng, causal, heads=4, sets=sets)
    others = values + 0.1
    own = [h // (4 // sets) for h in range(4)]
    rows = [
        exact_moves(keys[own[h]], stored[own[h]], queries[h], Fraction(1, 3), causal, values[own[h]], others[own[h]])
        for h in range(4)
    ]
    worst = [max(row[k] for head in rows for row in head) for k in (0, 1)]
    for figure, parts in zip(worst, ((), (values, others)), strict=True):
        for side, status in ((1, "proved"), (-1, "refuted")):
            verdict = AttentionKept(keys, stored, queries, asked(figure, side), Fraction(1, 3), causal, *parts).prove()
            assert verdict.status == status
            assert abs(verdict.bound / float(figure) - 1) < 1e-9
        point = verdict.counterexample
        place = rows[int(point["head"])][int(point["row"])]
        assert place[len(parts) // 2] == figure
        assert np.array_equal(point["query"], queries[point["head"], point["row"]])


def test_scores_beyond_float64_are_judged_exactly(rng):
    keys, queries = cancelling(rng, 4, 2.0**60)
    stored = keys + np.array([0.0, 0.0, 0.0, 0.5]) * rng.standard_normal((4, 1))
    worst = max(row[0] for row in exact_moves(keys, stored, queries))
    for side, status in ((1, "proved"), (-1, "refuted")):
        assert AttentionKept(keys[None], stored[None], queries[None], asked(worst, side), 1).prove().status == status


def test_equality_is_decided_where_the_scores_tie():
    keys = np.array([[[0.0], [0.0], [0.0]]])
    one = np.array([[[1.0]]])
    values, others = np.array([[[1.0], [1.0], [1.0]]]), np.array([[[1.0], [1.0], [4.0]]])
    verdict = AttentionKept(keys, keys, one, Fraction(1), 1, False, values, others).prove()
    assert verdict.status == "proved"  # the mean of (1, 1, 4) is exactly 1 further than that of (1, 1, 1)
    below = AttentionKept(keys, keys, one, Fraction(1) - HAIR**2, 1, False, values, others).prove()
    assert below.status == "refuted"


def test_what_is_open_everywhere_stays_undecided(rng, monkeypatch):
    keys, stored, queries, _, _ = case(rng, False)
    monkeypatch.setattr(balls, "climb", lambda *given: iter(()))
    worst = max(row[0] for head in queries for row in exact_moves(keys[0], stored[0], head))
    assert AttentionKept(keys, stored, queries, asked(worst, 1), 1).prove().status == "undecided"
    assert AttentionKept(keys, stored, queries, asked(worst, -1), 1).prove().status == "undecided"
    assert AttentionKept(keys, stored, queries, Fraction(float(worst) * 1.01), 1).prove().status == "proved"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"stored": np.zeros((1, 5, 2))}, "stored"),
        ({"queries": np.zeros((1, 2, 2))}, "queries"),
        ({"keys": np.zeros((2, 5, 3)), "stored": np.zeros((2, 5, 3)), "queries": np.zeros((3, 1, 3))}, "queries"),
        ({"queries": np.zeros((1, 6, 3)), "causal": True}, "causal"),
        ({"scale": 0}, "scale"),
        ({"error": 0}, "error"),
        ({"error": 1}, "error"),
        ({"stored_values": np.zeros((1, 5, 3))}, "stored_values"),
        ({"values": np.zeros((1, 4, 3))}, "values"),
        ({"values": np.zeros((1, 5, 3)), "error": 0}, "error"),
        ({"queries": np.full((1, 2, 3), np.nan)}, "queries"),
    ],
)
def test_wrong_parts_are_named(change, named):
    parts = {"keys": np.zeros((1, 5, 3)), "stored": np.ones((1, 5, 3)), "queries": np.ones((1, 2, 3))}
    with pytest.raises(ValueError, match=f"`{named}`"):
        AttentionKept(**{**parts, "error": "0.1", "scale": 1, **change})
