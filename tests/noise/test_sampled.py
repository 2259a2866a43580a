"""Estimates from Sobol points: they agree with other ways to the same number, cover it, and stay within their memory."""

import io
import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from evidence import estimated_cover
from headwright.search.random_keys import sampled
from headwright.search.random_keys.independent_draws import independent_errors
from headwright.search.random_keys.intervals import clopper_pearson, over_replicates, probabilities
from headwright.search.random_keys.outcome import heads_of
from headwright.search.random_keys.score_law import gaussian_law
from headwright.words import progress

N, D, H = 7, 4, 3


def noisy(rng, **more):
    return hw.GaussianKeys(rng.normal(size=(N, D)), along={1: 0.3}, factors={4: rng.normal(size=(D, 2))}, **more)


def key_space(model, queries, mix, samples, seed):
    """Weights from sampled keys, (samples, n): the definition, at n·d numbers a sample."""
    scores = model.sample(samples, seed=seed) @ queries.T
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ (mix / mix.sum())


@pytest.mark.parametrize("isotropic", [0.0, 0.05], ids=["two keys move", "all keys move"])
@pytest.mark.parametrize("goal", [hw.Copy(4), hw.Average(1, 2), hw.Blend({0: 1, 4: 2, 6: 3})], ids=str)
def test_agrees_with_sampled_keys(rng, isotropic, goal):
    model, queries, mix = noisy(rng, isotropic=isotropic), rng.normal(size=(H, D)), np.array([1.0, 2.0, 0.5])
    values = rng.normal(size=(N, 2))
    found = hw.outcome(model, queries, goal, values=values, mix=mix, seed=7)
    weights = key_space(model, queries, mix, 40_000, 8)
    errors = np.abs(weights - goal.weights(N)).sum(axis=1) / 2
    spread = weights.std(axis=0) / 200
    assert (np.abs(weights.mean(axis=0) - found.mean) <= 5 * spread + found.uncertainty["mean"]).all()
    assert np.allclose(weights.std(axis=0), found.sd, rtol=0.04, atol=1e-6)
    output = weights @ values
    assert (np.abs(output.mean(axis=0) - found.output_mean) < 5 * output.std(axis=0) / 200 + 1e-3).all()
    assert np.allclose(np.cov(output.T), found.output_cov, rtol=0.1, atol=2e-3)
    assert abs(errors.mean() - found.error_mean) < 5 * errors.std() / 200 + 1e-3
    for e in np.quantile(errors, [0.1, 0.5, 0.9]):
        assert abs((errors <= e).mean() - found.probability(e)) < 0.015
    for p in (0.1, 0.5, 0.9):
        assert abs((errors <= found.quantile(p)).mean() - p) < 0.015
    assert not found.proved
    assert not found.error_mean.proved
    assert found.samples == 65536
    assert found.seed == 7
    assert np.allclose(mix / mix.sum() @ found.head_mean, found.mean, atol=1e-12)


def test_agrees_with_a_rigorous_integral(rng):
    """Noise of one Gaussian put through the sampler by hand: the interval meets the proved number."""
    model, queries, goal = hw.GaussianKeys(np.eye(5), along={0: 0.3}), np.array([[4.0, 3.0, 0, 0, 1]]), hw.Average(0, 1)
    exact = hw.outcome(model, queries, goal, mix="equal")
    law = sampled.Sampled(model, heads_of(model.centre, queries, mix="equal"), goal, None, samples=2**14, seed=3)
    found = law.moments()
    assert exact.proved
    assert (np.abs(found.mean.value - exact.mean) <= 3 * found.mean.half + 1e-15).all()
    assert (np.abs(found.sd.value - exact.sd) <= 3 * found.sd.half + 1e-15).all()
    assert np.abs(found.mean.value - exact.mean).max() < 1e-5
    assert found.mean.half.max() < 4 / 2**14
    assert law.error_mean().low - 1e-4 <= exact.error_mean <= law.error_mean().high + 1e-4
    for e in (Fraction(1, 5), Fraction(2, 5)):
        assert law.probability(e).low - 0.001 <= exact.probability(e) <= law.probability(e).high + 0.001


@pytest.mark.parametrize(("middle", "deviation"), [(-20.0, 5.0), (-40.0, 8.0)])
def test_rare_events_are_not_left_out_of_the_interval(middle, deviation):
    """A weight that is nearly nothing but for draws too rare to be seen: the interval allows for them."""
    model = hw.GaussianKeys(
        [[middle, 0.0], [0.0, 1.0]], factors={0: [deviation / math.sqrt(2), 0.0], 1: [deviation / math.sqrt(2), 0.0]}
    )
    z = np.linspace(-12, 12, 200_001)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) * (z[1] - z[0])
    weight = 1 / (1 + np.exp(-(middle + deviation * z)))
    mean = (density * weight).sum()
    sd = math.sqrt((density * (weight - mean) ** 2).sum())
    for seed in range(20):
        found = hw.outcome(model, [1.0, 0.0], hw.Copy(1), samples=2**12, seed=seed)
        assert abs(found.mean[0] - mean) <= found.uncertainty["mean"][0]
        assert abs(found.sd[0] - sd) <= found.uncertainty["sd"][0]
        assert found.error_mean.low <= mean <= found.error_mean.high


def test_intervals_cover_and_narrow(tmp_path):
    found = estimated_cover.run(tmp_path, limit=5)
    assert found["holds"], found
    widths = []
    for samples in (2**10, 2**16):
        numbers = estimated_cover.figures(*estimated_cover.problems()["two lengths, one head"], samples, 1)
        widths.append({name: high - low for name, (_, low, high) in numbers.items()})
    assert all(widths[1][name] < widths[0][name] / 5 for name in widths[0])


def test_proved_bounds_beside_an_estimate():
    """Little noise on every key: the box proves a lower bound, and the estimate lies inside the bounds."""
    model = hw.GaussianKeys(np.eye(6), isotropic=0.003)
    found = hw.outcome(model, 8 * np.eye(6)[:2], hw.Average(0, 1), samples=2**12, seed=2, mix="equal")
    bounds, estimate = found.bounds(0.02), found.probability(0.02)
    assert bounds.proved
    assert not estimate.proved
    assert 0.99 < bounds.low <= estimate <= bounds.high


def test_the_seed_makes_it_repeatable(rng):
    model, queries = noisy(rng), rng.normal(size=(H, D))
    first, again, other = (hw.outcome(model, queries, hw.Copy(1), samples=1024, seed=s, mix="equal") for s in (5, 5, 6))
    assert (first.mean == again.mean).all()
    assert first.error_mean == again.error_mean != other.error_mean
    drawn = hw.outcome(model, queries, hw.Copy(1), samples=1024, mix="equal")
    assert (hw.outcome(model, queries, hw.Copy(1), samples=1024, seed=drawn.seed, mix="equal").mean == drawn.mean).all()


def test_errors_that_are_not_kept_are_made_again(rng, monkeypatch):
    model, queries, goal = noisy(rng), rng.normal(size=(H, D)), hw.Average(1, 2)
    kept = hw.outcome(model, queries, goal, samples=2**13, seed=1, mix="equal")
    monkeypatch.setattr(sampled, "_KEPT", 2**10)
    streamed = hw.outcome(model, queries, goal, samples=2**13, seed=1, mix="equal")
    assert streamed._law._kept is None
    for ask in (lambda o: o.probability(0.4), lambda o: o.quantile(0.75), lambda o: o.error_mean):
        a, b = ask(kept), ask(streamed)
        assert (a, a.low, a.high) == (b, b.low, b.high)


def test_memory_does_not_grow_with_the_samples(rng, monkeypatch):
    """Above what is kept, eight times the samples need no more memory."""
    monkeypatch.setattr(sampled, "_KEPT", 2**12)
    monkeypatch.setattr(sampled, "_ENTRIES", 2**12)
    model, queries = hw.GaussianKeys(rng.normal(size=(8, 6)), along={0: 0.5, 1: 0.5}), rng.normal(size=(2, 6))
    hw.outcome(model, queries, hw.Copy(0), samples=16, mix="equal")  # imports what it needs
    peaks = []
    for samples in (2**16, 2**19):
        tracemalloc.start()
        hw.outcome(model, queries, hw.Copy(0), samples=samples, seed=1, mix="equal").probability(0.5)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]
    assert peaks[1] < 2e6


def test_no_width_is_zero(rng):
    """All replicates agree that the error is met: the interval says how little that shows."""
    model = hw.GaussianKeys(np.eye(4), along={0: 1e-6, 1: 1e-6})
    found = hw.outcome(model, 20 * np.eye(4)[0] + 20 * np.eye(4)[1], hw.Average(0, 1), samples=1024, seed=0)
    sure = found.probability(0.5)
    assert sure == 1
    assert sure.low == pytest.approx(0.025 ** (1 / 1024), rel=1e-6)
    assert "≈ 1 (estimated" in repr(sure)
    assert found.probability(1e-9).high > 0
    assert found.probability(1e-9) == 0


def test_replicates_that_agree_and_counts_that_are_few():
    value, half = over_replicates(np.full((16, 2), 0.25), 1600)
    assert value.tolist() == [0.25, 0.25]
    assert (half > 0).all()
    low, value, high = probabilities(np.array([[0, 1, 60]] * 8 + [[0, 0, 70]] * 8), 100)
    assert np.allclose(value, [0, 0.005, 0.65], rtol=1e-15)
    exact = clopper_pearson(np.array([0, 8]), 1600, 0.025)
    assert np.allclose([low[:2], high[:2]], exact)
    assert low[2] < 0.65 < high[2]
    # Clopper and Pearson's own example of a table: 10 of 20 at 95 %
    assert np.allclose(clopper_pearson(np.array([10]), 20, 0.025), [[0.2720], [0.7280]], atol=5e-5)


def test_a_quiet_head_keeps_its_noise_beside_a_loud_one():
    """Score deviations of 10^4 and 10^-4 on one key, in independent directions: neither is rounded away."""
    model = hw.GaussianKeys(np.eye(3, 4), factors={0: np.eye(4)[:, :2]})
    queries = np.array([[1e4, 0.0, 0.0, 0.0], [0.0, 1e-4, 0.0, 0.0]])
    space = gaussian_law(model, heads_of(model.centre, queries, mix="equal"))
    assert np.allclose(np.sqrt((space.loadings**2).sum(axis=0))[:, 0], [1e4, 1e-4])
    assert len(space.order) == 2


def test_less_variance_along_than_across(rng):
    """A negative variance along the mean: the covariance of the scores is that of the keys."""
    keys, queries = rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    model = hw.GaussianKeys(keys, isotropic=0.5, along={1: -0.5})
    space = gaussian_law(model, heads_of(keys, queries, mix="equal"))
    for place, j in enumerate(space.moving):
        own = space.loadings[:, :, place]
        assert np.allclose(own.T @ own, queries @ model.covariance(j) @ queries.T)


@pytest.mark.parametrize("goal", [hw.Copy(4), hw.Average(1, 2)], ids=str)
def test_plain_errors_are_independent_draws_of_the_same_law(rng, goal):
    model, queries = noisy(rng), rng.normal(size=(H, D))
    heads = heads_of(model.centre, queries, mix="equal")
    drawn = np.concatenate(list(independent_errors(model, heads, goal, 30_000, 1)))
    assert drawn.shape == (30_000,)
    direct = np.abs(key_space(model, queries, np.ones(H), 30_000, 2) - goal.weights(N)).sum(axis=1) / 2
    for p in (0.1, 0.5, 0.9):
        assert abs((drawn <= np.quantile(direct, p)).mean() - p) < 0.015
    finite = hw.ScaledKeys(model.centre, {0: {0.5: 0.25, 2: 0.75}, 4: {1: 0.5, "1/3": 0.5}})
    seen = np.concatenate(list(independent_errors(finite, heads, goal, 20_000, 1)))
    exact = hw.outcome(finite, queries, goal, mix="equal")
    assert len(set(np.round(seen, 12))) == 4
    assert abs(seen.mean() - exact.error_mean) < 5 * seen.std() / 20_000**0.5


def test_total_variation_in_score_space_is_that_of_the_weights(rng):
    model, queries, goal = noisy(rng), rng.normal(size=(H, D)), hw.Blend({1: 1, 2: 1, 4: 3})
    space = gaussian_law(model, heads_of(model.centre, queries, mix="equal"))
    weights = space.weights(rng.normal(size=(50, *space.shape)))
    full = np.empty((50, N))
    full[:, space.moving], full[:, space.still] = weights.beta, weights.u @ (space.shares[:, None] * space.ratios)
    assert np.allclose(full.sum(axis=1), 1)
    assert np.allclose(space.error_from(goal).of(weights), np.abs(full - goal.weights(N)).sum(axis=1) / 2)


def test_slow_work_tells_how_far_it_is(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    seen, clock = Terminal(), iter(range(100))
    monkeypatch.setattr(progress.sys, "stderr", seen)
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    assert list(progress.with_progress(range(8), 8, "sampling")) == list(range(8))
    assert "sampling: 50%" in seen.getvalue()
    assert seen.getvalue().endswith("\r")
    quiet = Terminal()
    monkeypatch.setattr(progress.sys, "stderr", quiet)
    monkeypatch.setattr(progress, "monotonic", lambda: 0.0)
    assert list(progress.with_progress(range(8), 8, "sampling")) == list(range(8))
    assert quiet.getvalue() == ""
