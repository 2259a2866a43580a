"""design_layer: every row as its goal says, outputs, ranks, heads, causal rows; refusals with their witness; wrong calls."""

import math
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.goals_contradict import GoalsContradict
from headwright.kernel.out_of_reach import OutOfReach
from headwright.theories.matrices.layer_rows import LayerRows
from headwright.theories.matrices.outputs_contradict import OutputsContradict
from tests.facts import says
from tests.second_opinion import judge


def drawn_goals(rng, n, *, causal=False):
    goals = {}
    for row in range(n):
        seen = row + 1 if causal else n
        members = rng.choice(seen, min(seen, int(rng.integers(1, 4))), replace=False).tolist()
        kind = rng.integers(3)
        if kind == 0 or len(members) == 1:
            goals[row] = hw.Copy(members[0])
        elif kind == 1:
            goals[row] = hw.Average(*members)
        else:
            goals[row] = hw.Blend({i: str(k + 1) for k, i in enumerate(members)})
    return goals


def errors(layer):
    weights, goals = layer.weights(), layer.goals
    return {r: np.abs(weights[r] - goal.weights(len(weights))).sum() / 2 for r, goal in goals.items()}


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("error", ["0.2", "0.01", "1e-6"])
def test_every_row_attends_as_its_goal_says(causal, error, rng):
    tokens = rng.normal(size=(7, 9))
    goals = drawn_goals(rng, 7, causal=causal)
    layer = hw.design_layer(tokens, goals, error=error, causal=causal)
    assert layer.verdict.status == "proved"
    assert isinstance(layer.verdict.record, LayerRows)
    assert max(errors(layer).values()) <= float(error) * (1 + 1e-6)
    assert layer.method == "least joint norm"
    assert layer.tokens.tolist() == tokens.tolist()


def test_ratios_are_exact(rng):
    tokens = rng.normal(size=(6, 8))
    layer = hw.design_layer(tokens, {2: hw.Blend({0: "0.7", 5: "0.3"}), 3: hw.Average(1, 4)}, error=0.1)
    weights = layer.weights()
    assert weights[2, 0] / weights[2, 5] == pytest.approx(7 / 3, rel=1e-6)
    assert weights[3, 1] / weights[3, 4] == pytest.approx(1, rel=1e-6)


def three_tokens(beta):
    """x_1 = u_d + u_b, x_2 = u_a, x_3 = u_c + u_b for orthogonal u of norm β; wanted: c_2 = u_b, c_1 = u_b - u_c."""
    a, b, c, d = beta * np.eye(4)
    return np.array([d + b, a, c + b]), {0: b - c, 1: b}


@pytest.mark.parametrize("beta", [2.0, 5.0])
def test_the_three_token_example_from_scratch(beta):
    """At the known answer's own error, e^{β²}/(e^{β²}+2) on the wanted token, the norm is not longer than its √2."""
    tokens, outputs = three_tokens(beta)
    error = Fraction(2 / (math.exp(beta**2) + 2)) * (1 + Fraction(1, 2**40))
    layer = hw.design_layer(tokens, {0: hw.Copy(2), 1: hw.Copy(0)}, outputs, error=error)
    assert layer.verdict.status == "proved"
    assert layer.norm <= math.sqrt(2)
    np.testing.assert_allclose(layer.output()[:2], [outputs[0], outputs[1]], atol=layer.tolerance)


def test_outputs_within_their_tolerance(rng):
    tokens = rng.normal(size=(6, 8))
    goals = {0: hw.Copy(3), 2: hw.Average(0, 1), 5: hw.Blend({2: "0.1", 4: "0.9"})}
    outputs = {5: rng.normal(size=3), 0: rng.normal(size=3)}
    layer = hw.design_layer(tokens, goals, outputs, error="1e-3")
    assert layer.V.shape == (3, 8)
    assert layer.residual < 1e-12
    assert 0 < layer.tolerance < 0.1
    for row, wanted in outputs.items():
        assert np.linalg.norm(layer.output()[row] - wanted) <= layer.tolerance
        means = goals[row].weights(6) @ tokens
        np.testing.assert_allclose(layer.V @ means, wanted, atol=1e-10)
    assert says(layer.verdict.claim, 2)


def test_dependent_tokens_with_agreeing_outputs():
    tokens = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [-3.0, -1.0]])
    goals = {0: hw.Copy(0), 1: hw.Copy(1), 2: hw.Copy(2)}
    layer = hw.design_layer(tokens, goals, {0: [1.0], 1: [2.0], 2: [3.0]})
    assert layer.verdict.status == "proved"
    assert layer.V.tolist() == pytest.approx(np.array([[1.0, 2.0]]))


def test_two_heads_copy_one_member_each(rng):
    tokens = rng.normal(size=(5, 7))
    layer = hw.design_layer(tokens, {0: hw.Average(2, 3), 1: hw.Copy(4)}, {0: [1.0]}, heads=2)
    assert layer.Q.shape == layer.K.shape == (2, layer.rank, 7)
    assert layer.V.shape == (2, 1, 7)
    assert layer.verdict.status == "proved"
    for head, member in ((0, 2), (1, 3)):
        scores = tokens @ layer.Q[head].T @ layer.K[head] @ tokens.T
        assert scores[0].argmax() == member
        assert scores[1].argmax() == 4


@pytest.mark.parametrize("rank", [1, 2])
def test_a_rank_that_is_asked_for(rank):
    """Tokens on a circle (points of a convex curve) can be told apart along one direction in order, or two in any."""
    angles = np.linspace(0, 2 * np.pi, 7)[:-1]
    tokens = np.column_stack([np.cos(angles), np.sin(angles), np.ones(6)])
    goals = {0: hw.Copy(2)} if rank == 1 else {0: hw.Copy(2), 1: hw.Copy(5), 3: hw.Copy(4)}
    layer = hw.design_layer(tokens, goals, error="0.05", rank=rank)
    assert layer.Q.shape == layer.K.shape == (rank, 3)
    assert layer.verdict.status == "proved"
    assert layer.method == "low rank"


def test_the_smallest_rank_found(rng):
    tokens = rng.normal(size=(5, 6))
    goals = {row: hw.Copy((row + 1) % 5) for row in range(5)}
    full = hw.design_layer(tokens, goals)
    small = hw.design_layer(tokens, goals, rank="smallest")
    assert small.verdict.status == "proved"
    assert small.rank < full.rank
    assert small.norm >= full.norm * (1 - 1e-9)  # the full problem is the relaxed one


def test_approximate_ratios_where_exact_ones_contradict(rng):
    """x_1 = 2 x_0 and both want 60:40, one of them a little otherwise: no exact ratios, but both within the error."""
    tokens = rng.normal(size=(4, 5))
    tokens[1] = 2 * tokens[0]
    goals = {0: hw.Blend({2: "0.6", 3: "0.4"}), 1: hw.Blend({2: "0.65", 3: "0.35"})}
    layer = hw.design_layer(tokens, goals, error="0.1")
    assert (layer.method, layer.verdict.status) == ("approximate ratios", "proved")
    with pytest.raises(hw.Unreachable) as refused:
        hw.design_layer(tokens, goals, error="0.001")
    assert judge(refused.value.verdict.record) == "true"


def test_certify_speaks_of_layers(rng):
    tokens = rng.normal(size=(4, 5))
    layer = hw.design_layer(tokens, {0: hw.Copy(1)}, error="0.01")
    assert hw.certify(tokens, layer).status == "proved"
    assert hw.certify(tokens, layer, error="0.001").status == "refuted"
    assert hw.certify(tokens[::-1], layer).status == "refuted"
    with pytest.raises(ValueError, match="`radius`"):
        hw.certify(tokens, layer, radius=0.1)


# Refusals


def refused(*arguments, **options):
    with pytest.raises(hw.Unreachable) as caught:
        hw.design_layer(*arguments, **options)
    refusal = caught.value
    assert refusal.verdict.status == "proved"
    assert judge(refusal.verdict.record) == "true"
    return refusal


def test_a_token_in_the_hull_of_others_is_refused():
    tokens = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [5.0, 5.0], [2.0, 1.0]])
    refusal = refused(tokens, {0: hw.Copy(3), 1: hw.Copy(4)})
    assert isinstance(refusal.verdict.record, OutOfReach)
    assert says(refusal.reason, 1, "0.01", "Copy(4)", 4, 3)
    assert refusal.best_error > 0.7
    assert sum(refusal.witness.weights) == 1
    causal = hw.design_layer(tokens, {4: hw.Copy(3), 2: hw.Copy(1)}, causal=True)  # there it is seen by nobody else
    assert causal.verdict.status == "proved"
    assert says(refused(tokens, {2: hw.Copy(1), 4: hw.Copy(4)}, causal=True, rank=1).reason, 4)
    assert "Copy(4)" in refused(tokens, {1: hw.Copy(4)}, heads=2).reason


def test_a_head_that_cannot_copy_its_member_proves_nothing():
    tokens = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [5.0, 5.0], [2.0, 1.0]])
    with pytest.raises(hw.NotFound, match=r"Copy\(4\)"):
        hw.design_layer(tokens, {1: hw.Average(3, 4)}, heads=2)


def test_outputs_that_break_a_relation_are_refused():
    tokens = np.array([[1.0, 2.0], [3.0, -2.0], [4.0, 0.0], [-9.0, 5.0]])  # x_2 = x_0 + x_1
    goals = {0: hw.Copy(0), 1: hw.Copy(1), 3: hw.Copy(2), 2: hw.Copy(3)}
    refusal = refused(tokens, goals, {0: [1.0, 0.0], 1: [0.0, 1.0], 3: [1.0, 1.5]})
    assert isinstance(refusal.verdict.record, OutputsContradict)
    u = dict(zip(refusal.witness.indices, refusal.witness.weights, strict=True))
    assert u == {0: u[0], 1: u[0], 3: -u[0]}
    assert u[0] != 0
    assert refusal.reason == refusal.verdict.claim


def test_outputs_over_a_random_relation_are_refused(rng):
    tokens = rng.normal(size=(9, 6))
    goals = {row: hw.Average(row, (row + 2) % 9) for row in range(9)}
    refusal = refused(tokens, goals, {row: rng.normal(size=2) for row in range(9)})
    assert isinstance(refusal.verdict.record, OutputsContradict)
    assert len(refusal.witness.indices) >= 7


DEPENDENT = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("goals", "rows"),
    [
        ({0: hw.Copy(0), 1: hw.Copy(0), 2: hw.Copy(3)}, (0, 1, 2)),
        ({0: hw.Copy(0), 1: hw.Copy(1), 2: hw.Copy(2)}, None),
        ({4: hw.Copy(0)}, (4,)),
        ({3: hw.Copy(1), 4: hw.Average(0, 3)}, (4,)),
        (
            {0: hw.Blend({0: "0.7", 3: "0.3"}), 1: hw.Blend({0: "0.7", 3: "0.3"}), 2: hw.Blend({0: "0.3", 3: "0.7"})},
            (0, 1, 2),
        ),
    ],
)
def test_goals_that_contradict_each_other_are_refused(goals, rows):
    if rows is None:  # the same kind of request, without a contradiction
        assert hw.design_layer(DEPENDENT, goals).verdict.status == "proved"
        return
    refusal = refused(DEPENDENT, goals)
    assert isinstance(refusal.verdict.record, GoalsContradict)
    assert sorted(refusal.witness.indices) == list(rows)
    assert sum(refusal.witness.weights) == 1
    assert says(refusal.reason, *rows)


@pytest.mark.parametrize("causal", [False, True])
def test_random_contradictions_have_an_exact_witness(causal, rng):
    """More rows than few dimensions allow: each of the 12 can be met alone, as they lie on a sphere."""
    tokens = rng.normal(size=(12, 3))
    tokens /= np.linalg.norm(tokens, axis=1, keepdims=True)
    rows = range(4, 12) if causal else range(12)
    goals = {row: hw.Copy(int(rng.integers(row + 1 if causal else 12))) for row in rows}
    refusal = refused(tokens, goals, error="0.01", causal=causal)
    assert isinstance(refusal.verdict.record, GoalsContradict)
    assert refusal.verdict.record.causal == causal


def test_contradictions_of_several_heads_are_not_called_proved():
    goals = {0: hw.Copy(0), 1: hw.Copy(0), 2: hw.Copy(3)}
    with pytest.raises(hw.NotFound) as caught:
        hw.design_layer(DEPENDENT, goals, heads=2)
    assert caught.value.proved_bound is None


def test_a_rank_that_is_not_found():
    goals = {row: hw.Copy((row * 2 + 1) % 5) for row in range(5)}
    with pytest.raises(hw.NotFound, match=r"\b1\b"):
        hw.design_layer(np.eye(5), goals, rank=1)


def test_what_float64_cannot_hold_is_not_found():
    tokens = np.array([[1e-160, 0.0], [0.0, 1e-160], [-1e-160, 0.0]])
    with pytest.raises((hw.NotFound, hw.Unreachable)):
        hw.design_layer(tokens, {0: hw.Copy(1)}, error="1e-12")


# Wrong calls

GOAL = {0: hw.Copy(1)}


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "message"),
    [
        ((np.array([[np.nan, 1.0], [0.0, 1.0]]), GOAL), {}, ValueError, "`tokens`"),
        ((np.array([[np.inf, 1.0], [0.0, 1.0]]), GOAL), {}, ValueError, "`tokens`"),
        ((np.ones(3), GOAL), {}, ValueError, "`tokens`"),
        ((np.eye(3), {3: hw.Copy(1)}), {}, ValueError, "`goals`.*3"),
        ((np.eye(3), {-1: hw.Copy(1)}), {}, ValueError, "`goals`"),
        ((np.eye(3), {0: hw.Copy(3)}), {}, ValueError, "`goal`.*3"),
        ((np.eye(3), {}), {}, TypeError, "`goals`"),
        ((np.eye(3), hw.Copy(1)), {}, TypeError, "`goals`"),
        ((np.eye(3), {0: 1}), {}, TypeError, r"`goals\[0\]`.*int"),
        ((np.eye(3), {0: hw.Top(1)}), {}, TypeError, r"`goals\[0\]`.*Top"),
        ((np.eye(3), GOAL, {0: [1.0], 1: [1.0]}), {}, ValueError, "`outputs`.*1"),
        ((np.eye(3), GOAL, {}), {}, TypeError, "`outputs`"),
        ((np.eye(3), GOAL, [[1.0]]), {}, TypeError, "`outputs`"),
        ((np.eye(3), GOAL, {0: [np.nan]}), {}, ValueError, r"`outputs\[0\]`"),
        ((np.eye(3), GOAL, {0: 1.0}), {}, ValueError, r"`outputs\[0\]`"),
        (
            (np.eye(3), {0: hw.Copy(1), 1: hw.Copy(2)}, {0: [1.0, 2.0], 1: [1.0]}),
            {},
            ValueError,
            "`outputs`.*1, 2",
        ),
        ((np.eye(3), GOAL), {"rank": 0}, ValueError, "`rank`.*0"),
        ((np.eye(3), GOAL), {"rank": 4}, ValueError, "`rank`.*4"),
        ((np.eye(3), GOAL), {"rank": "least"}, ValueError, "`rank`.*'least'"),
        ((np.eye(3), GOAL), {"rank": 1.5}, TypeError, "`rank`"),
        ((np.eye(3), GOAL), {"heads": 0}, ValueError, "`heads`.*0"),
        ((np.eye(3), {0: hw.Average(0, 1, 2)}), {"heads": 2}, ValueError, r"`goals\[0\]`.*2"),
        ((np.eye(3), {0: hw.Blend({0: "0.7", 1: "0.3"})}), {"heads": 2}, ValueError, r"`goals\[0\]`.*2"),
        (
            (np.eye(3), GOAL),
            {"causal": True},
            ValueError,
            r"`goals\[0\]`.*Copy\(1\)",
        ),
        ((np.eye(3), GOAL), {"causal": 1}, TypeError, "`causal`"),
        ((np.eye(3), GOAL), {"error": 0}, ValueError, "`error`"),
        ((np.eye(3), GOAL), {"error": "small"}, ValueError, "`error`"),
    ],
)
def test_wrong_calls_are_told_in_words(arguments, options, kind, message):
    with pytest.raises(kind, match=message):
        hw.design_layer(*arguments, **options)


def test_tokens_of_any_size_are_taken():
    for size in (1e-100, 1e80, 1e100, 1e150):
        try:
            layer = hw.design_layer(size * np.eye(3), {0: hw.Copy(1), 1: hw.Copy(0)})
        except hw.NotFound:
            continue  # float64 cannot hold it, said so
        assert layer.verdict.status == "proved"


def test_contradicting_outputs_do_not_pass_as_rounding():
    goals = {0: hw.Copy(1), 1: hw.Copy(1), 2: hw.Copy(0)}
    for outputs in ({0: [1.0], 1: [2.0], 2: [1e10]}, {0: [1e-10], 1: [-1e-10]}, {0: [1e-200], 1: [-1e-200]}):
        with pytest.raises(hw.Unreachable, match="0, 1"):
            hw.design_layer(np.eye(3), goals, outputs)


def test_outputs_beyond_the_range_of_distances_are_refused():
    with pytest.raises(ValueError, match=r"`outputs\[0\]`"):
        hw.design_layer(np.eye(3), {0: hw.Copy(1)}, {0: [1e160, 1e160]})
