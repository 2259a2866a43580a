"""Finite laws by enumeration: every number is right to its last digit, and says so."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.search.random_keys.finite import ExactFinite
from headwright.search.random_keys.many_combinations import ManyFinite
from headwright.search.random_keys.outcome import heads_of
from tests.facts import says
from tests.noise.direct import DIGITS, close, enumerated, mp_moments, mp_variation

GOALS = [hw.Copy(2), hw.Average(0, 1), hw.Blend({1: 2, 3: 1, 5: 4})]


def law(rng, n=6, d=4):
    keys = rng.normal(size=(n, d))
    return hw.ScaledKeys(keys, {0: {"1/2": "1/3", "3/2": "2/3"}, 3: {0: 0.25, 1: 0.25, 2: 0.5}, 5: {"0.7": 1}})


def last_digit(value, half, true):
    """Half a unit in the last place, and the truth inside it."""
    assert close(value, half, true)
    assert half <= 1.01 * np.spacing(abs(float(value)))


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("heads", [1, 3])
def test_right_to_the_last_digit(rng, goal, heads):
    model, queries, mix = law(rng), 2 * rng.normal(size=(heads, 4)), rng.uniform(0.5, 1, size=heads)
    values = rng.normal(size=(6, 2))
    found = hw.outcome(model, queries, goal, values=values, mix=mix, scale="1/3")
    with mpmath.workdps(DIGITS):
        chances, vectors = enumerated(model, queries, mix, mpmath.mpf(1) / 3)
        means, deviations = mp_moments(chances, vectors)
        for j in range(6):
            last_digit(found.mean[j], found.uncertainty["mean"][j], means[j])
            last_digit(found.sd[j], found.uncertainty["sd"][j], deviations[j])
        outputs = [[mpmath.fdot(v, column.tolist()) for column in values.T] for v in vectors]
        out_means, out_sds = mp_moments(chances, outputs)
        across = mpmath.fsum(
            p * (o[0] - out_means[0]) * (o[1] - out_means[1]) for p, o in zip(chances, outputs, strict=True)
        )
        widths = found.uncertainty
        for k in range(2):
            last_digit(found.output_mean[k], widths["output_mean"][k], out_means[k])
            last_digit(found.output_cov[k, k], widths["output_cov"][k, k], out_sds[k] ** 2)
        assert close(found.output_cov[0, 1], widths["output_cov"][0, 1], across)
        errors = [mp_variation(v, goal) for v in vectors]
        true = mpmath.fdot(chances, errors)
        last_digit(found.error_mean, found.error_mean.half_width, true)
        middle = sorted(errors)[len(errors) // 2]
        least = mpmath.fsum(p for p, e in zip(chances, errors, strict=True) if e < middle)
        at_most = mpmath.fsum(p for p, e in zip(chances, errors, strict=True) if e <= middle)
        quantile = found.quantile(float((least + at_most) / 2))
        last_digit(quantile, quantile.half_width, middle)
        assert close(found.probability(quantile.high), 1e-16, at_most)
        assert close(found.probability(math.nextafter(quantile.low, 0)), 1e-16, least)
    assert found.proved
    assert found.samples is found.seed is None
    assert says(found.method, 6)
    assert found.head_mean.shape == (heads, 6)
    assert np.allclose(mix / mix.sum() @ found.head_mean, found.mean, atol=1e-15)


@pytest.mark.parametrize("way", [ExactFinite, ManyFinite])
def test_a_quantile_where_the_probability_is_reached_exactly(way):
    """Two lengths, half and half: P(error <= the smaller) is 1/2 exactly, so the smaller is the median; beyond, the larger."""
    model = hw.ScaledKeys(np.eye(3), {0: {1: "1/2", 2: "1/2"}})
    law = way(model, heads_of(model.centre, [3.0, 0.0, 0.0]), hw.Copy(0), None)
    small, large = 2 / (2 + math.exp(6)), 2 / (2 + math.exp(3))
    assert law.quantile(Fraction(1, 2)) == pytest.approx(small, rel=1e-9)
    assert law.quantile(Fraction(1, 2) + Fraction(1, 2**60)) == pytest.approx(large, rel=1e-9)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_many_combinations_agree_with_few(rng, goal):
    """The way for millions, asked about a few: its radii must hold the exact numbers."""
    model, values = law(rng), rng.normal(size=(6, 3))
    heads = heads_of(model.centre, 3 * rng.normal(size=(2, 4)), None, [1.0, 2.0])
    few, many = ExactFinite(model, heads, goal, values), ManyFinite(model, heads, goal, values)
    exact, rough = few.moments(), many.moments()
    for name in ("mean", "sd", "head_mean", "output_mean", "output_cov"):
        a, b = getattr(exact, name), getattr(rough, name)
        assert (np.abs(a.value - b.value) <= b.half + a.half).all(), name
        assert b.half.max() < 1e-11, name
    for p in (Fraction(1, 10), Fraction(5, 11), Fraction(99, 100)):  # no sum of probabilities is one of these
        a, b = few.quantile(p), many.quantile(p)
        assert b.low <= a.high
        assert a.low <= b.high
        assert b.high - b.low < 1e-12
    a, b = few.error_mean(), many.error_mean()
    assert b.low <= a <= b.high
    for error in (Fraction(1, 3), Fraction(9, 10)):
        assert many.probability(error) == few.probability(error)


def test_exponentials_below_the_range_of_floats(rng):
    """Factors that take every score of a combination 10^4 below the largest: made in balls, not lost."""
    model = hw.ScaledKeys(np.array([[1.0, 0.0], [1.0, 0.5]]), {0: {-1: 0.5, 1: 0.5}, 1: {-1: 0.5, 1: 0.5}})
    heads = heads_of(model.centre, [[1e4, 1.0]])
    few, many = (way(model, heads, hw.Copy(1), None).moments() for way in (ExactFinite, ManyFinite))
    assert (np.abs(few.mean.value - many.mean.value) <= many.mean.half).all()
    assert few.mean.value[1] == pytest.approx(0.5)  # alone when the signs differ; e^±0.5 against 1 when not


def test_a_law_with_more_combinations_than_are_held_in_balls(rng):
    keys, queries = rng.normal(size=(15, 5)), rng.normal(size=(2, 5))
    model = hw.ScaledKeys(keys, {j: {0.5: 0.5, 1.5: 0.5} for j in range(13)})
    found = hw.outcome(model, queries, hw.Average(0, 14), mix="equal")
    drawn = model.sample(20_000, seed=1)
    scores = drawn @ queries.T
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = (powers / powers.sum(axis=1, keepdims=True)).mean(axis=2)
    assert found.proved
    assert np.abs(weights.mean(axis=0) - found.mean).max() < 5 * found.sd.max() / 20_000**0.5
    assert np.allclose(weights.std(axis=0), found.sd, rtol=0.1)
    assert found.uncertainty["mean"].max() < 1e-12
    half = found.quantile("1/2")
    assert half.high - half.low < 1e-12  # probabilities are dyadic: no sum is rounded
    assert found.probability(half.high) >= 0.5


@pytest.mark.parametrize("model", [np.eye(4, 3), hw.GaussianKeys(np.eye(4, 3)), hw.ScaledKeys(np.eye(4, 3), {})])
def test_keys_that_do_not_vary(model):
    queries = [[3.0, 1.0, 0.0]]
    found = hw.outcome(model, queries, hw.Average(0, 1), mix="equal")
    weights = hw.attend(queries[0], np.eye(4, 3)).weights
    assert np.allclose(found.mean, weights, atol=1e-15)
    assert not found.sd.any()
    assert not found.uncertainty["sd"].any()
    assert found.proved
    true = np.abs(weights - [0.5, 0.5, 0, 0]).sum() / 2
    assert float(found.error_mean) == pytest.approx(true, rel=1e-14)
    assert float(found.quantile(0.3)) == pytest.approx(true, rel=1e-14)
    assert (found.probability(true * 0.999), found.probability(true * 1.001)) == (0, 1)


def test_noise_that_no_head_feels():
    """Key 0 varies across the query: all heads see fixed scores, and the outcome is exact."""
    model = hw.GaussianKeys(np.eye(3), factors={0: [0.0, 1.0, 0.0]})
    found = hw.outcome(model, [2.0, 0.0, 1.0], hw.Copy(0))
    assert not found.sd.any()
    assert found.error_mean.high - found.error_mean.low < 1e-15


def test_one_key_alone():
    for model in (hw.GaussianKeys([[1.0, 2.0]], isotropic=1.0), hw.ScaledKeys([[1.0, 2.0]], {0: {1: 0.5, 2: 0.5}})):
        found = hw.outcome(model, [1.0, 1.0], hw.Copy(0), values=[[3.0]])
        assert (found.mean[0], found.sd[0], found.output_mean[0]) == (1.0, 0.0, 3.0)
        assert found.error_mean == 0
        assert found.probability(0) == 1
