"""One matrix for many rows: against CVXPY with Clarabel, against the dual bound, and on problems without a solution."""

import math
import warnings

import cvxpy as cp
import numpy as np
import pytest

from headwright.search.layers.joint_least_norm import joint_least_norm
from headwright.search.layers.joint_problem import RowGoal
from headwright.search.least_norm.newton import least_norm

FAMILIES = (
    "copies",
    "averages and blends",
    "causal",
    "dependent asking",
    "few dimensions",
    "far apart",
    "other vectors",
)


def row_goal(shares, seen, error):
    """The wishes of one row for shares {index: weight} over the first `seen` vectors."""
    support = np.array(list(shares))
    weights = np.array(list(shares.values()))
    outside = np.setdiff1d(np.arange(seen), support)
    return RowGoal(
        support, np.log(weights[1:] / weights[0]), outside, math.log(error / (1 - error)) - math.log(weights[0])
    )


def drawn(family, rng):
    """asking (m, d), attended (n, e) and goals, all sizes different."""
    n, d, m = int(rng.integers(5, 11)), int(rng.integers(3, 8)), int(rng.integers(2, 6))
    tokens = rng.normal(size=(n, d)) + (5.0 if family == "far apart" else 0.0)
    attended = rng.normal(size=(n, d + 2)) if family == "other vectors" else tokens
    rows = np.sort(rng.choice(n, m, replace=False))
    asking = tokens[rows]
    if family == "dependent asking":
        asking[-1] = asking[0] - 2 * asking[1]
    if family == "few dimensions":
        tokens[:, 2:] = 0.0
        asking, attended = tokens[rows], tokens
    goals = []
    for row in rows:
        seen = row + 1 if family == "causal" else n
        size = min(seen, 1 if family in ("copies", "few dimensions") else int(rng.integers(1, 4)))
        members = rng.choice(seen, size, replace=False).tolist()
        shares = rng.dirichlet(np.ones(size)) if rng.uniform() < 0.5 else np.full(size, 1 / size)
        goals.append(row_goal(dict(zip(members, shares.tolist(), strict=True)), seen, rng.choice([0.2, 0.01, 1e-4])))
    return asking, attended, goals


def by_cvxpy(asking, attended, goals):
    """The least norm, or None when CVXPY says that there is no W."""
    W = cp.Variable((asking.shape[1], attended.shape[1]))
    wishes = []
    for x, goal in zip(asking, goals, strict=True):
        first, query = attended[goal.support[0]], W.T @ x
        if len(goal.outside):
            wishes.append(cp.log_sum_exp((attended[goal.outside] - first) @ query) <= goal.leak)
        if len(goal.ratios):
            wishes.append((attended[goal.support[1:]] - first) @ query == goal.ratios)
    problem = cp.Problem(cp.Minimize(cp.sum_squares(W)), wishes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem.solve(solver=cp.CLARABEL)
    return math.sqrt(max(problem.value, 0.0)) if problem.status == "optimal" else None


def violation(asking, attended, goals, W):
    """The largest amount by which a wish is missed."""
    worst = 0.0
    for x, goal in zip(asking, goals, strict=True):
        scores = attended @ (W.T @ x)
        scores = scores - scores[goal.support[0]]
        if len(goal.outside):
            worst = max(worst, math.log(np.exp(scores[goal.outside]).sum()) - goal.leak)
        worst = max(worst, np.abs(scores[goal.support[1:]] - goal.ratios).max(initial=0.0))
    return worst


def dual_bound(asking, attended, goals, found):
    """A norm that no W falls below: (Σ λ_r (H(p_r) - c_r) - Σ ν b) / ‖Σ x_r (…)ᵀ‖, by Gibbs' inequality."""
    gain, pull = 0.0, np.zeros((asking.shape[1], attended.shape[1]))
    for x, goal, weight, tilt, ratios in zip(asking, goals, found.multipliers, found.tilts, found.ratios, strict=True):
        first = attended[goal.support[0]]
        if len(goal.outside):
            p = tilt[goal.outside]
            assert tilt.sum() == pytest.approx(1.0)
            assert p.sum() == pytest.approx(1.0)
            gain += weight * (-(p[p > 0] * np.log(p[p > 0])).sum() - goal.leak)
            pull += np.outer(x, weight * (tilt @ attended - first))
        gain -= ratios @ goal.ratios
        pull += np.outer(x, ratios @ (attended[goal.support[1:]] - first))
    return gain / np.linalg.norm(pull)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_cvxpy_and_with_its_own_dual(family, seed):
    asked = drawn(family, np.random.default_rng([FAMILIES.index(family), seed]))
    found, theirs = joint_least_norm(*asked), by_cvxpy(*asked)
    assert found.reached == (theirs is not None)
    if found.reached:
        norm = np.linalg.norm(found.matrix)
        assert norm == pytest.approx(theirs, rel=1e-6, abs=1e-6)
        assert violation(*asked, found.matrix) < 1e-7
        assert dual_bound(*asked, found) == pytest.approx(norm, rel=1e-8)


def test_both_answers_occur_among_the_drawn_problems():
    drawn_problems = [drawn(f, np.random.default_rng([k, s])) for k, f in enumerate(FAMILIES) for s in range(4)]
    reached = [joint_least_norm(*asked).reached for asked in drawn_problems]
    assert sum(reached) >= 12
    assert len(reached) - sum(reached) >= 4


def test_one_row_is_the_shortest_query(rng):
    """W = x qᵀ/‖x‖² for one row: its norm is that of the shortest query over ‖x‖."""
    tokens = rng.normal(size=(9, 7))
    goal = row_goal({2: 0.7, 4: 0.3}, 9, 0.01)
    found = joint_least_norm(tokens[[6]], tokens, [goal])
    outside = tokens[goal.outside] - tokens[2]
    alone = least_norm(outside, (tokens[4] - tokens[2])[None], goal.ratios, goal.leak)
    assert np.linalg.norm(found.matrix) == pytest.approx(
        np.linalg.norm(alone.query) / np.linalg.norm(tokens[6]), rel=1e-9
    )
    np.testing.assert_allclose(found.matrix.T @ tokens[6], alone.query, atol=1e-8)


def test_jointly_is_shorter_than_row_by_row(rng):
    tokens = rng.normal(size=(6, 8))
    goals = [row_goal({int(rng.integers(6)): 1.0}, 6, 0.01) for _ in range(6)]
    queries = []
    for goal in goals:
        none = np.zeros((0, 8)), np.zeros(0)
        queries.append(least_norm(tokens[goal.outside] - tokens[goal.support[0]], *none, goal.leak).query)
    row_by_row = np.linalg.pinv(tokens) @ np.array(queries)
    found = joint_least_norm(tokens, tokens, goals)
    assert violation(tokens, tokens, goals, row_by_row) < 1e-7
    assert np.linalg.norm(found.matrix) < 0.999 * np.linalg.norm(row_by_row)


def test_rows_without_outsiders_have_ratios_alone(rng):
    tokens = rng.normal(size=(4, 3))
    goals = [row_goal({0: 0.5, 1: 0.25, 2: 0.125, 3: 0.125}, 4, 0.01), row_goal({0: 1.0}, 1, 0.01)]
    found = joint_least_norm(tokens[:2], tokens, goals)
    assert found.reached
    assert found.multipliers.tolist() == [0.0, 0.0]
    assert not found.tilts.any()
    assert violation(tokens[:2], tokens, goals, found.matrix) < 1e-12
    only = joint_least_norm(tokens[:1], tokens, [goals[1]])  # a row that sees one token wants nothing
    assert only.reached
    assert not only.matrix.any()


def test_a_slack_leak_costs_nothing(rng):
    tokens = rng.normal(size=(5, 7))
    found = joint_least_norm(tokens, tokens, [row_goal({j: 1.0}, 5, 0.9) for j in range(5)])
    assert found.reached
    assert np.linalg.norm(found.matrix) < 1e-5


# No solution


def test_a_zero_token_attends_evenly():
    tokens = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    asked = tokens[:1], tokens, [row_goal({1: 1.0}, 3, 0.01)]
    assert not joint_least_norm(*asked).reached
    assert joint_least_norm(tokens[:1], tokens, [row_goal({1: 1.0}, 3, 0.7)]).reached
    assert joint_least_norm(tokens[:1], tokens, [row_goal({1: 0.5, 2: 0.5}, 3, 0.4)]).reached
    assert not joint_least_norm(tokens[:1], tokens, [row_goal({1: 0.7, 2: 0.3}, 3, 0.4)]).reached
    both = joint_least_norm(tokens[:2], tokens, [row_goal({1: 1.0}, 3, 0.01), row_goal({2: 1.0}, 3, 0.01)])
    assert not both.reached


def test_equal_tokens_are_not_told_apart():
    tokens = np.full((3, 2), 0.5)
    assert not joint_least_norm(tokens[:1], tokens, [row_goal({1: 1.0}, 3, 0.01)]).reached
    assert joint_least_norm(tokens[:1], tokens, [row_goal({1: 1.0}, 3, 0.67)]).reached


def test_ratios_that_contradict_each_other_end_at_once(rng):
    tokens = rng.normal(size=(5, 4))
    asking = np.array([tokens[0], 2 * tokens[0]])
    goals = [row_goal({1: 0.7, 2: 0.3}, 5, 0.01), row_goal({1: 0.3, 2: 0.7}, 5, 0.01)]
    found = joint_least_norm(asking, tokens, goals)
    assert (found.reached, found.steps) == (False, 0)
    (u,), (v,) = found.ratios  # the relation that the logarithms break: u x + v 2x = 0
    assert v / u == pytest.approx(-0.5)
    assert abs(goals[0].ratios[0] + v / u * goals[1].ratios[0]) > 0.1


@pytest.mark.parametrize("seed", range(6))
def test_impossible_problems_end_in_bounded_steps(seed):
    """x_2 = x_0 + x_1, rows 0 and 1 copy token 3 and row 2 token 4: the scores of row 2 are the sums of the others'."""
    rng = np.random.default_rng(seed)
    tokens = rng.normal(size=(7, 4))
    tokens[2] = tokens[0] + tokens[1]
    goals = [row_goal({i: 1.0}, 7, 0.01) for i in (3, 3, 4)]
    found = joint_least_norm(tokens[:3], tokens, goals)
    assert not found.reached
    assert found.steps <= 60
    U = found.multipliers[:, None] * found.tilts
    for r, goal in enumerate(goals):
        U[r, goal.support[0]] -= found.multipliers[r]
    U /= np.abs(U).max()
    assert np.abs(tokens[:3].T @ U @ tokens).max() < 1e-4


def test_inside_the_hull_nothing_is_reached(rng):
    tokens = rng.normal(size=(8, 3))
    tokens[4] = tokens[[0, 1, 2, 3]].mean(axis=0)
    found = joint_least_norm(tokens[:2], tokens, [row_goal({4: 1.0}, 8, 0.01), row_goal({0: 1.0}, 8, 0.01)])
    assert not found.reached
    assert found.steps <= 60


@pytest.mark.parametrize(("asking_unit", "attended_unit"), [(1e-6, 1e-6), (1e6, 1e6), (1e-9, 1e5)])
def test_units_change_nothing(asking_unit, attended_unit, rng):
    tokens = rng.normal(size=(7, 5))
    goals = [row_goal({i: 0.5, i + 1: 0.5}, 7, 1e-4) for i in range(3)]
    one = joint_least_norm(tokens[:3], tokens, goals)
    other = joint_least_norm(asking_unit * tokens[:3], attended_unit * tokens, goals)
    assert one.reached
    assert other.reached
    unit = asking_unit * attended_unit
    np.testing.assert_allclose(other.matrix * unit, one.matrix, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(other.multipliers * unit**2, one.multipliers, rtol=1e-6, atol=1e-9)
