"""Designs for keys that vary: certified, confirmed by sampling keys, short, and the same whatever the coordinates."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest

import headwright as hw
from tests.facts import says

SAMPLES = 20_000
SURE = 0.92135039647485743  # Φ(√2): how often a key of variance ½ along its unit mean keeps its sign


def crossed(pairs=5, variance=0.5):
    """Two orthonormal targets, and outsiders in ± pairs across them: no query copies key 0 without feeling its noise."""
    keys = np.zeros((2 + 2 * pairs, 2 + pairs))
    keys[:2, :2] = np.eye(2)
    keys[2 : 2 + pairs, 2:] = np.eye(pairs)
    keys[2 + pairs :, 2:] = -np.eye(pairs)
    return hw.GaussianKeys(keys, along={0: variance})


def simulated(model, design, goal, error, seed=1):
    """The number of sampled keys whose plain softmax meets the error."""
    scores = design.scale * np.einsum("snd,hd->shn", model.sample(SAMPLES, seed=seed), design.queries)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = np.einsum("h,shn->sn", design.mix / design.mix.sum(), powers / powers.sum(axis=-1, keepdims=True))
    wanted = goal.weights(model.n)
    return int((0.5 * np.abs(weights - wanted).sum(axis=-1) <= error).sum()), weights.mean(axis=0)


def confirmed(model, goal, **asked):
    """The design, after the checks that hold for every one."""
    design = hw.design(model, goal, **asked)
    verdict = hw.certify(model, design)
    assert verdict.status == "proved", verdict
    assert verdict.bound == design.probability >= float(Fraction(asked["confidence"]))
    assert design.exact_ratios is False
    assert design.confidence == asked["confidence"]
    hits, mean = simulated(model, design, goal, float(Fraction(asked["error"])))
    assert binomtest(hits, SAMPLES, float(Fraction(asked["confidence"])), alternative="less").pvalue >= 1e-3
    assert design.weights == pytest.approx(mean, abs=0.02)
    assert design.weights.sum() == pytest.approx(1)
    return design


def test_one_head_withstands_length_noise_where_the_others_can_be_pushed_down():
    model, goal = hw.GaussianKeys(np.eye(12), along={3: 0.5}), hw.Average(3, 7)
    design = confirmed(model, goal, error=0.1, confidence=0.99)
    assert len(design.queries) == 1
    # blind by hand: score 0 on both targets, -ln 45 on the ten others, leak 10/(2·45 + 10) = 0.1
    blind = math.log(45) * math.sqrt(10)
    assert design.norm < blind
    assert abs(design.query[3]) < 1  # it hardly feels the noise
    textbook = [
        hw.certify(model, t * (np.eye(12)[3] + np.eye(12)[7]), goal, error=0.1, confidence=0.2) for t in (4, 8, 16)
    ]
    assert {verdict.status for verdict in textbook} == {"refuted"}


def test_two_heads_with_opposite_components_where_one_head_cannot():
    model, goal = crossed(), hw.Average(0, 1)
    with pytest.raises(hw.NotFound) as alone:
        hw.design(model, goal, error=0.1, confidence=0.95)
    assert 0.05 < alone.value.probability < 0.2
    assert "0.95" in alone.value.reason
    assert says(alone.value.reason, 1)
    design = confirmed(model, goal, error=0.1, confidence=0.95, heads="auto")
    assert len(design.queries) == 2
    assert design.probability > SURE  # one Copy head per target never gets there
    along = design.queries[:, 0]
    assert along[0] * along[1] < 0
    assert np.abs(along).min() > 20


def test_copying_a_key_whose_sign_may_turn_ends_at_the_chance_that_it_does_not():
    with pytest.raises(hw.NotFound) as refused:
        hw.design(crossed(), hw.Copy(0), error=0.1, confidence=0.95)
    assert SURE - 0.01 < refused.value.probability < SURE
    assert refused.value.best.goal == hw.Copy(0)
    assert refused.value.best.probability is None  # what was asked is not proved of it
    reached = hw.certify(crossed(), refused.value.best, confidence=refused.value.probability - 1e-6)
    assert reached.status == "proved"


def test_finite_laws_are_met_in_every_combination_when_the_confidence_needs_it():
    laws = {1: {"1/2": "1/2", "3/2": "1/2"}, 4: {"3/4": "1/4", 1: "3/4"}}
    design = confirmed(hw.ScaledKeys(np.eye(7), laws), hw.Average(1, 4), error="0.1", confidence="0.99")
    assert design.probability == 1.0
    weaker = confirmed(hw.ScaledKeys(np.eye(7), laws), hw.Average(1, 4), error="0.1", confidence="0.5")
    assert weaker.norm < design.norm


def test_noise_on_every_key_is_proved_by_bounds(rng):
    model = hw.GaussianKeys(rng.normal(size=(9, 11)), isotropic=2e-3)
    confirmed(model, hw.Copy(4), error=0.1, confidence=0.95)
    design = confirmed(model, hw.Average(2, 7), error=0.1, confidence=0.95, heads="auto")
    assert "bound" in hw.certify(model, design).method


def test_no_query_of_a_fine_grid_is_shorter():
    keys = np.array([[1.0, 0.1], [0.6, 0.5], [-0.4, 0.8], [-0.5, -0.9], [0.3, -0.7]])
    model, error, confidence = hw.GaussianKeys(keys, factors={0: [0.1, 0.25]}), 0.2, 0.9
    design = confirmed(model, hw.Copy(0), error=error, confidence=confidence)
    ends = np.linspace(-5, 5, 402)
    mass = np.diff([0.5 * math.erfc(-z / math.sqrt(2)) for z in ends])
    drawn = np.repeat(keys[None], 401, axis=0)
    drawn[:, 0] += 0.5 * (ends[1:] + ends[:-1])[:, None] * [0.1, 0.25]
    for norm in design.norm * np.array([0.9, 0.97, 0.99]):  # every direction, at shorter lengths
        turns = np.linspace(0, 2 * np.pi, 720, endpoint=False)
        scores = np.einsum("zjd,qd->qzj", drawn, norm * np.stack([np.cos(turns), np.sin(turns)], axis=1))
        weight = 1 / np.exp(scores - scores[:, :, :1]).sum(axis=-1)
        assert ((1 - weight <= error) @ mass).max() < confidence - 1e-3


def test_noise_of_an_outsider_is_withstood_too(rng):
    model = hw.GaussianKeys(rng.normal(size=(9, 8)), along={6: 2.0})
    confirmed(model, hw.Average(1, 2), error=0.1, confidence=0.99, heads="auto")


def test_noise_along_a_given_direction_and_a_blend(rng):
    model = hw.GaussianKeys(rng.normal(size=(8, 11)), factors={2: rng.normal(size=11)})
    confirmed(model, hw.Blend({2: "0.6", 5: "0.4"}), error=0.05, confidence=0.97)


def test_keys_that_do_not_vary_are_designed_for_as_they_are():
    still = hw.design(hw.GaussianKeys(np.eye(6)), hw.Average(0, 1), error=0.1, confidence=0.9)
    exact = hw.design(np.eye(6), hw.Average(0, 1), error=0.1)
    assert still.probability == 1.0
    assert 0.9 * exact.norm < still.norm <= exact.norm * (1 + 1e-4)  # exact ratios are no longer asked for


@pytest.mark.parametrize("heads", [1, 2])
def test_permuted_turned_and_scaled_problems_have_designs_of_the_same_length(rng, heads):
    model = crossed() if heads == 2 else hw.GaussianKeys(np.eye(7), along={0: 0.5})
    asked = {"error": 0.1, "confidence": 0.95, "heads": heads}
    norm = hw.design(model, hw.Average(0, 1), **asked).norm
    order = rng.permutation(model.n)
    at = np.argsort(order)
    permuted = hw.GaussianKeys(model.mean[order], along={int(at[0]): 0.5})
    assert hw.design(permuted, hw.Average(int(at[0]), int(at[1])), **asked).norm == pytest.approx(norm, rel=0.01)
    turn = np.linalg.qr(rng.normal(size=(model.d, model.d)))[0]
    turned = hw.GaussianKeys(model.mean @ turn, along={0: 0.5})
    assert hw.design(turned, hw.Average(0, 1), **asked).norm == pytest.approx(norm, rel=0.01)
    scaled = hw.design(model, hw.Average(0, 1), scale=0.125, **asked)
    assert scaled.norm == pytest.approx(8 * norm, rel=0.01)
    assert scaled.scale == 0.125
    assert hw.certify(model, scaled).status == "proved"


def test_the_same_call_gives_the_same_design():
    model = hw.GaussianKeys(np.eye(6), along={0: 0.5})
    first, second = (hw.design(model, hw.Average(0, 1), error=0.1, confidence=0.9, seed=3) for _ in range(2))
    assert (first.queries == second.queries).all()


@pytest.mark.parametrize("size", [1e-200, 1e-6, 1e6, 1e150])
def test_the_size_of_the_keys_does_not_matter(rng, size):
    keys = rng.normal(size=(6, 7))
    norm = hw.design(hw.GaussianKeys(keys), hw.Average(0, 1), error=0.1, confidence=0.9).norm
    large = hw.design(hw.GaussianKeys(size * keys), hw.Average(0, 1), error=0.1, confidence=0.9).norm
    assert large * size == pytest.approx(norm, rel=0.01)


def test_impossible_only_with_a_proof():
    line = hw.GaussianKeys([[1.0], [2.0], [0.0], [5.0]], along={3: 0.1})
    with pytest.raises(hw.Unreachable) as refused:
        hw.design(line, hw.Copy(0), error=0.1, confidence=0.5, heads="auto")
    assert refused.value.verdict.status == "proved"
    assert refused.value.best_error == pytest.approx(2 / 3)
    with pytest.raises(hw.NotFound):  # the target itself varies: nothing is proved
        hw.design(hw.GaussianKeys([[1.0], [2.0], [0.0]], along={0: 0.01}), hw.Copy(0), error=0.1, confidence=0.5)


def test_more_combinations_than_are_searched(rng):
    laws = {i: {"4/5": "1/2", "6/5": "1/2"} for i in range(13)}
    model = hw.ScaledKeys(rng.normal(size=(15, 17)), laws)
    assert model.combinations == 2**13
    confirmed(model, hw.Copy(0), error=0.2, confidence=0.9)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({}, "`confidence`"),
        ({"confidence": 1}, "`confidence`"),
        ({"confidence": 0.9, "heads": "two"}, "`heads`.*'two'"),
        ({"confidence": 0.9, "heads": 0}, "`heads`.*0"),
        ({"confidence": 0.9, "error": 1.5}, "`error`"),
        ({"confidence": 0.9, "scale": 0}, "`scale`"),
        ({"confidence": 0.9, "precision": "float16"}, "`precision`"),
    ],
)
def test_wrong_calls(asked, why):
    with pytest.raises(ValueError, match=why):
        hw.design(crossed(), hw.Average(0, 1), **asked)


def test_wrong_types():
    with pytest.raises(TypeError, match=r"`goal`.*Top"):
        hw.design(crossed(), hw.Top(0), confidence=0.9)
    with pytest.raises(TypeError, match="`heads`"):
        hw.design(crossed(), hw.Copy(0), confidence=0.9, heads=1.5)
    with pytest.raises(ValueError, match=r"`goal`.*20"):
        hw.design(crossed(), hw.Copy(20), confidence=0.9)
