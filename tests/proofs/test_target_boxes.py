"""Several Gaussians: boxes of targets against the definition at points inside them, and bounds against closed forms and draws."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.search.random_keys.outcome import heads_of
from headwright.theories.random_keys import target_boxes
from headwright.theories.random_keys.outsider_sums import CELLS
from headwright.theories.random_keys.target_boxes import _Boxes, _setting, _threshold, boxed
from tests.proofs.enclosing import TENTH, claim, normal_cdf


def last_bounds(model, queries, goal, error, **kw):
    *_, found = boxed(model, heads_of(model.centre, queries, **{"mix": "equal", **kw}), goal, Fraction(error))
    return found


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("targets", [1, 2, 3])
def test_what_a_box_says_holds_at_its_points(rng, heads, targets):
    """No outsider varies: good and bad boxes are tried at corners and random points, from the definition."""
    said = {True: 0, False: 0}
    for _ in range(12):
        keys, queries, mix = (
            rng.standard_normal((6, 3)),
            2 * rng.standard_normal((heads, 3)),
            rng.uniform(0.2, 1, heads),
        )
        goal = hw.Blend({i: float(rng.uniform(0.2, 1)) for i in rng.permutation(6)[:targets].tolist()})
        isotropic = np.zeros(6)
        isotropic[list(goal.indices)] = rng.uniform(0.05, 0.5, targets)
        model = hw.GaussianKeys(keys, isotropic=isotropic)
        wide = heads_of(keys, queries, mix=mix)
        error = float(rng.uniform(0.2, 0.8))
        setting = _setting(model, wide, goal, Fraction(error))
        axes = len(setting.gaussians)
        first = rng.integers(0, CELLS - 64, (200, axes))
        boxes = np.concatenate(
            [np.stack([first, first + rng.integers(1, 64, first.shape)], axis=2), np.zeros((200, 1, 2), dtype=int)],
            axis=1,
        )
        boxes[:, -1, 1] = len(setting.sums.first)
        judge = _Boxes(setting)
        good, bad, _, _ = judge._judged(boxes)
        for box, met, missed in zip(boxes, good > 0, bad > 0, strict=True):
            assert not (met and missed)
            if not (met or missed):
                continue
            said[bool(met)] += 1
            for _ in range(6):
                ends = judge._ends[box[:-1]]
                share = rng.choice([0.0, 1.0, rng.uniform()], size=axes)
                z = ends[:, 0] + share * (ends[:, 1] - ends[:, 0])
                tv = variation(setting, goal, z)
                assert tv <= error + 1e-12 if met else tv > error - 1e-12
    assert min(said.values()) > 50


def variation(setting, goal, z):
    weights = np.zeros(len(goal.indices))
    for h, share in enumerate(setting.shares):
        e = np.array([ends[0] for ends in setting.targets[h]])
        for owner, growth, value in zip(setting.owners, setting.gaussians, z, strict=True):
            e[owner] *= math.exp(growth.signs[h] * growth.sd[h] * value)
        outside = (setting.sums.first if h < len(setting.shares) - 1 else setting.sums.last)[0]
        weights += share * e / (e.sum() + outside)
    wanted = np.array([float(s) for s in goal.shares])
    return 1 - weights.sum() + np.maximum(weights - wanted, 0).sum()


@pytest.mark.parametrize("sd", [0.3, 2.0, 40.0])
@pytest.mark.parametrize("error", ["1/10", "1/2"])
def test_two_keys_against_the_normal_distribution(sd, error):
    """Copy(0) of two varying keys: error <= e iff the difference of the scores is at least ln((1 - e)/e)."""
    model = hw.GaussianKeys([[1.0, 0.0], [0.0, 0.0]], factors={0: [0.6 * sd, 0.0], 1: [0.0, 0.8 * sd]})
    low, high = last_bounds(model, [1.0, 1.0], hw.Copy(0), error)
    with mpmath.workdps(30):
        e = mpmath.mpf(Fraction(error).numerator) / Fraction(error).denominator
        p = normal_cdf((1 - mpmath.log((1 - e) / e)) / sd)
        assert mpmath.mpf(low.numerator) / low.denominator <= p <= mpmath.mpf(high.numerator) / high.denominator
    assert high - low < Fraction(1, 50)


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("far", [1e3, 1e6, 1e11])
def test_scores_beyond_float64_exponentials_prove_nothing_false(monkeypatch, far, heads):
    """Targets that run off to e^±far: their difference decides, and overflow must leave boxes open. The heads are alike."""
    monkeypatch.setattr(target_boxes, "_MOST_BOXES", 2**14)
    model = hw.GaussianKeys(np.eye(3), factors={0: [far, 0.0, 0.0], 1: [0.0, far, 0.0]})
    for goal, p in ((hw.Copy(0), 3 / 8), (hw.Average(0, 1), 0.0)):
        for low, high in boxed(model, heads_of(np.eye(3), np.ones((heads, 3)), mix="equal"), goal, TENTH):
            assert low <= p + 1e-3
            assert high >= p - 1e-3


CASES = [
    (1, {"isotropic": [0.1, 0.05, 0.1, 0, 0, 0.1]}, hw.Average(0, 1)),
    (1, {"isotropic": [0.0, 0.2, 0.1, 0.1, 0, 0]}, hw.Copy(1)),
    (2, {"isotropic": [0.05, 0, 0.1, 0.1, 0, 0]}, hw.Copy(0)),
    (2, {"along": {0: 0.2, 1: 0.1}, "isotropic": [0, 0, 0, 0.05, 0, 0]}, hw.Blend({0: 1, 1: 2})),
    (2, {"cov": [c * (np.eye(3) + np.ones((3, 3))) for c in (0.02, 0, 0.01, 0, 0, 0)]}, hw.Average(0, 4)),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_bounds_hold_against_draws_and_are_close(rng, monkeypatch, case):
    monkeypatch.setattr(target_boxes, "_MOST_BOXES", 2**15)  # enough for these
    heads, parts, goal = CASES[case]
    keys, mix = rng.standard_normal((6, 3)), rng.uniform(0.2, 1.0, heads)
    queries = np.stack([2 * keys[i] for i in goal.indices[:1] * heads]) + 0.5 * rng.standard_normal((heads, 3))
    model = hw.GaussianKeys(keys, **parts)
    drawn = model.sample(200_000, seed=3)
    weights = np.zeros((len(drawn), 6))
    for share, query in zip(mix / mix.sum(), queries, strict=True):
        e = np.exp(drawn @ query)
        weights += share * e / e.sum(axis=1, keepdims=True)
    errors = np.abs(weights - goal.weights(6)).sum(axis=1) / 2
    for level in (0.2, 0.8):
        error = float(np.quantile(errors, level))
        off = 6 * math.sqrt(level * (1 - level) / len(drawn))
        low, high = last_bounds(model, queries, goal, error, mix=mix)
        assert low <= level + off
        assert level - off <= high
        assert high - low < 0.15


def test_the_whole_claim_is_decided_on_both_sides(rng):
    model = hw.GaussianKeys(np.eye(5), isotropic=[0.05, 0, 0.2, 0.2, 0])
    queries = np.array([[4.0, 0, 1, 0, 0], [3.0, 0, 0, 1, 0]])
    estimate = float(hw.outcome(model, queries, hw.Copy(0), samples=2**14, seed=1, mix="equal").probability("0.2"))
    assert 0.1 < estimate < 0.9
    statuses = [
        claim(model, queries, hw.Copy(0), error="0.2", confidence=estimate + off).prove().status
        for off in (-0.025, 0.025)
    ]
    assert statuses == ["proved", "refuted"]


def test_more_than_can_be_examined_is_left_to_others():
    model = hw.GaussianKeys(np.eye(9), isotropic=0.1)
    assert not list(boxed(model, heads_of(np.eye(9), np.eye(9)[:3], mix="equal"), hw.Copy(0), TENTH))
    assert not list(boxed(model, heads_of(np.eye(9), np.eye(9)[:2], mix="equal"), hw.Copy(0), TENTH))
    assert not list(boxed(model, heads_of(np.eye(9), np.eye(9)[0]), hw.Average(*range(6)), TENTH))


def test_thresholds_and_what_has_none():
    ratio, one = np.array([-0.1, 0.0, 0.5, 1.0, 2.0, np.nan]), np.ones(6)
    with np.errstate(all="ignore"):
        found, above = (_threshold(ratio, 3 * one, one, away) for away in (-1, 1))
    assert found[:5].tolist() == pytest.approx([-np.inf, -1.0, 2.0, np.inf, np.inf])
    assert math.isnan(found[5])
    assert above[2] > 2.0 > found[2]
