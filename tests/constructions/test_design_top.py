"""The margin query: closed forms, agreement with Clarabel, both sides certified; and when there is none, the shared point."""

from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.hulls_meet import HullsMeet
from headwright.search.top.design_top import design_top
from headwright.words.refusals import NotFound, Unreachable
from tests.facts import says
from tests.second_opinion import judge


def assert_optimal(keys, made, *, within=1e-9):
    assert made.error is None
    assert made.gap >= 1
    assert hw.certify(keys, made).status == "proved"
    assert made.optimality.status == "proved"
    assert made.lower_bound <= made.norm <= made.lower_bound * (1 + within)


@pytest.mark.parametrize(("n", "m"), [(4, 2), (6, 1), (7, 5)])
def test_orthonormal_keys(n, m):
    """The two centroids: x = Σ_S k/m - Σ_rest k/(n-m), ‖x‖² = 1/m + 1/(n-m)."""
    keys = np.eye(n, n + 2)
    made = design_top(keys, hw.Top(*range(m)))
    assert_optimal(keys, made, within=1e-14)
    assert made.norm == pytest.approx((1 / m + 1 / (n - m)) ** -0.5, rel=1e-13)
    assert made.query[:n] == pytest.approx([(n - m) / n] * m + [-m / n] * (n - m), rel=1e-12)


def test_two_keys():
    """q = (k_0 - k_1)/‖k_0 - k_1‖²."""
    keys = np.array([[1.0, 2.0, 3.0], [4.0, 6.0, 3.0]])
    made = design_top(keys, hw.Top(1))
    assert made.query == pytest.approx([0.12, 0.16, 0.0])
    assert_optimal(keys, made)


def test_random_keys_against_clarabel(rng):
    import cvxpy

    for n, d, m, shift in ((12, 4, 2, 5.0), (40, 9, 4, 6.0), (9, 20, 3, 0.0), (30, 3, 5, 9.0), (15, 6, 1, 3.0)):
        keys = rng.normal(size=(n, d))
        keys[:m] += shift / np.sqrt(d)
        scale = float(rng.uniform(0.1, 3))
        made = design_top(keys, hw.Top(*range(m)), scale=scale)
        assert_optimal(keys, made)
        q, t = cvxpy.Variable(d), cvxpy.Variable()
        margin = [scale * keys[:m] @ q >= t + 1, scale * keys[m:] @ q <= t]
        best = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(q)), margin).solve(solver="CLARABEL")
        assert made.norm == pytest.approx(best, rel=1e-6)


def test_scale_divides_the_query(rng):
    keys = rng.normal(size=(8, 9))
    plain, scaled = design_top(keys, hw.Top(2, 5)), design_top(keys, hw.Top(2, 5), scale=0.25)
    assert scaled.query == pytest.approx(4 * plain.query, rel=1e-12)
    assert scaled.scale == 0.25
    assert_optimal(keys, scaled)


@pytest.mark.parametrize("size", [1e8, 1e-8, 1e200, 1e-200])
def test_keys_of_any_size(rng, size):
    keys = rng.normal(size=(7, 9)) * size
    made = design_top(keys, hw.Top(0, 3))
    assert_optimal(keys, made)


def test_hard_keys_are_held_from_both_sides(rng):
    line = np.outer(rng.normal(size=200), rng.normal(size=16)) + 1e-3 * rng.normal(size=(200, 16))
    far = rng.normal(size=(30, 5)) + 1e8
    far[:3, 0] += 6
    near = rng.normal(size=(20, 24))
    near[0] = near[7] + 1e-6 * rng.normal(size=24)
    rank = rng.normal(size=(50, 3))
    rank[:4, 0] += 8
    sizes = rng.normal(size=(10, 12)) * 10.0 ** rng.uniform(-3, 3, size=(10, 1))
    for keys, m in ((line, 1), (far, 3), (near, 1), (rank @ rng.normal(size=(3, 9)), 4), (sizes, 2)):
        assert_optimal(keys, design_top(keys, hw.Top(*range(m))))


def test_what_a_design_says():
    made = design_top(np.eye(4), hw.Top(0, 2))
    assert says(made.summary(), "Top(0, 2)", 4, 1)
    assert says(made.summary(), 1)
    assert made.asked == 1
    assert made.weights == pytest.approx([0.365529, 0.134471, 0.365529, 0.134471], abs=1e-6)


def assert_shared(keys, top, refusal):
    """The verdict is proved, the witness is that of the verdict, and it adds up in Fractions."""
    assert refusal.verdict.status == "proved"
    assert isinstance(refusal.verdict.record, HullsMeet)
    assert judge(refusal.verdict.record) == "true"
    indices, weights = refusal.witness.indices, refusal.witness.weights
    inside = {j: w for j, w in zip(indices, weights, strict=True) if j in top.indices}
    outside = {j: w for j, w in zip(indices, weights, strict=True) if j not in top.indices}
    assert sum(inside.values()) == sum(outside.values()) == 1
    assert min(weights) > 0
    for c in range(keys.shape[1]):
        assert mean(keys, inside, c) == mean(keys, outside, c)


def mean(keys, weights, c):
    return sum(w * Fraction(float(keys[j, c])) for j, w in weights.items())


@pytest.mark.parametrize(("n", "d", "m"), [(30, 2, 3), (40, 4, 6), (90, 7, 12), (12, 1, 3)])
def test_hulls_that_meet_are_refused_with_the_point(rng, n, d, m):
    found = []
    for _ in range(6):
        keys, top = rng.normal(size=(n, d)), hw.Top(*rng.permutation(n)[:m].tolist())
        try:
            assert_optimal(keys, design_top(keys, top))
        except Unreachable as refusal:
            found.append((keys, top, refusal))
    assert len(found) >= 3
    for keys, top, refusal in found:
        assert_shared(keys, top, refusal)
        assert len(refusal.witness.indices) <= 2 * (d + 1)
        assert refusal.reason


MEETING = {
    "touching": ([[0, 0], [2, 0]], [[1, 0], [1, 1], [1, 5]], (0, 1, 2)),
    "equal": ([[7, 7], [1, 2]], [[1, -2], [1, 2]], (1, 3)),
    "all equal": ([[1, 1], [1, 1]], [[1, 1]], (0, 2)),
    "signed zero": ([[-0.0, 3]], [[0.0, 3], [1, 1]], (0, 1)),
    "crossing": ([[0, 0], [4, 4]], [[0, 4], [4, 0]], (0, 1, 2, 3)),
    "inside": ([[1, 1]], [[0, 0], [4, 0], [0, 4]], (0, 1, 2, 3)),
}


@pytest.mark.parametrize("name", MEETING)
def test_exact_meetings(name):
    inside, outside, shared = MEETING[name]
    keys, top = np.array(inside + outside, dtype=float), hw.Top(*range(len(inside)))
    with pytest.raises(Unreachable) as caught:
        design_top(keys, top)
    assert says(caught.value.reason, *shared)
    assert_shared(keys, top, caught.value)


def test_a_key_inside_a_crowd(rng):
    keys = rng.normal(size=(200, 16))
    keys[0] = keys[1:].mean(axis=0)
    with pytest.raises(Unreachable, match=r"… 18\b") as caught:
        design_top(keys, hw.Top(0))
    assert_shared(keys, hw.Top(0), caught.value)


def test_what_float64_cannot_tell():
    """Key 0 is a mean of the others but for one rounding; in one coordinate the hulls differ by less than it tells."""
    keys = np.array([[0.0, 0.0, 0.0], [0.3, 0.1, 0.7], [0.1, 0.9, 0.2], [0.6, 0.2, 0.4]])
    keys[0] = keys[1:].mean(axis=0)
    with pytest.raises(NotFound, match="float64") as caught:
        design_top(keys, hw.Top(0))
    assert caught.value.proved_bound > 1e14


def test_nearly_meeting_hulls_need_a_long_query(rng):
    """Rank 3 rounded into d = 9: a shared point is not exact, and no query is proved; the least norm is."""
    keys = rng.normal(size=(50, 3)) @ rng.normal(size=(3, 9))
    with pytest.raises(NotFound, match="float64") as caught:
        design_top(keys, hw.Top(0, 1, 2, 3))
    assert caught.value.proved_bound > 1e12
    assert caught.value.reason


def test_a_query_beyond_float64():
    with pytest.raises(NotFound, match="float64"):
        design_top(np.eye(3) * 1e-310, hw.Top(0))
    with pytest.raises(NotFound, match="float64"):
        design_top(np.eye(3), hw.Top(0), scale=5e-324)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        ((np.eye(3), hw.Copy(0)), TypeError, "`goal`.*Copy"),
        ((np.eye(3), hw.Top(3)), ValueError, "`goal`.*3"),
        ((np.eye(3), hw.Top(0, 1, 2)), ValueError, "`goal`.*3"),
        ((np.eye(3), hw.Top(0), 0), ValueError, "`scale`"),
        ((np.full((2, 2), np.inf), hw.Top(0)), ValueError, "`keys`"),
    ],
)
def test_wrong_calls(call, error, message):
    with pytest.raises(error, match=message):
        design_top(*call)


def test_an_error_plays_no_part_for_a_score_gap():
    assert hw.design(np.eye(3), hw.Top(0), error=0.1).norm == hw.design(np.eye(3), hw.Top(0)).norm


@pytest.mark.parametrize("max_norm", [None, 2])
@pytest.mark.parametrize("within", [None, "image", "moved image"])
def test_many_goals_with_gaps_among_them(rng, within, max_norm):
    """Every goal in a list is designed as it would be alone, whichever kind it has."""
    keys, matrix = rng.standard_normal((7, 6)), rng.standard_normal((6, 5))
    goals = [hw.Top(1), hw.Copy(0), hw.Top(2, 5)]
    asked = {"max_norm": max_norm, "within": {"image": matrix, "moved image": (matrix, np.full(6, 0.1))}.get(within)}
    for goal, made in zip(goals, hw.design_many(keys, goals, **asked), strict=True):
        alone = hw.design(keys, goal, **asked, throw=False)
        assert type(made) is type(alone)
        if isinstance(made, hw.Design):
            assert made.norm == pytest.approx(alone.norm, rel=1e-9)
            assert (made.gap, made.gap_upper_bound) == (alone.gap, alone.gap_upper_bound)
            assert made.verdict.status == "proved"


def test_a_gap_that_is_refused_among_many():
    keys = np.array([[0.0], [1.0], [2.0]])
    found = hw.design_many(keys, [hw.Top(0), hw.Top(1), hw.Copy(2)])
    assert [type(each) for each in found] == [hw.Design, hw.Unreachable, hw.Design]
    assert found[1].verdict.status == "proved"
    with pytest.raises(hw.Unreachable):
        hw.design_many(keys, [hw.Top(1)], throw=True)
    for options in ({"method": "closed-form"}, {"precision": "float16"}):
        with pytest.raises(ValueError, match="`Top`"):
            hw.design_many(keys, [hw.Top(0)], **options)
