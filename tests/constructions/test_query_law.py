"""The law of the scores at nodes, against keys drawn by hand, and its gradients against differences."""

import numpy as np
import pytest

import headwright as hw
from headwright.search.random_keys.model_noise import noise_of
from headwright.search.random_keys.score_nodes import grid, provable_law, true_law

GOAL = hw.Blend({0: 0.2, 2: 0.5, 4: 0.3})


def models(rng):
    keys = rng.normal(size=(7, 4))
    return {
        "every kind of noise": hw.GaussianKeys(
            keys, isotropic=rng.uniform(0.2, 0.4, 7), along={0: 0.5, 3: -0.1}, factors={2: rng.normal(size=(4, 2))}
        ),
        "finite": hw.ScaledKeys(keys, {0: {0.5: 0.5, 1.5: 0.5}, 5: {0.2: 0.3, 2: 0.7}}),
        "one Gaussian": hw.GaussianKeys(keys, along={5: 0.5}),
        "one key": hw.GaussianKeys(keys, isotropic=[0, 0, 0.3, 0, 0, 0, 0]),
    }


@pytest.mark.parametrize("heads", [1, 2, 3])
@pytest.mark.parametrize("name", ["every kind of noise", "finite", "one Gaussian", "one key"])
def test_gradients_are_those_of_differences(rng, name, heads):
    model = models(rng)[name]
    noise = noise_of(model, 0)
    Y, mix = rng.normal(size=(heads, noise.keys.shape[1])), rng.dirichlet(np.ones(heads))
    for law in (
        provable_law(model, noise, GOAL, heads, 0.01, kept=noise.moving[0]),
        true_law(model, noise, GOAL, heads, 0),
    ):
        _, slope = law.smooth_probability(Y, mix, 0.5, 0.2)
        by_differences = np.zeros_like(Y)
        for place in np.ndindex(Y.shape):
            step = np.zeros_like(Y)
            step[place] = 1e-6
            above, below = (law.smooth_probability(Y + s * step, mix, 0.5, 0.2)[0] for s in (1, -1))
            by_differences[place] = (above - below) / 2e-6
        assert slope == pytest.approx(by_differences, abs=1e-8)


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("name", ["every kind of noise", "finite", "one Gaussian", "one key"])
def test_the_law_is_that_of_sampled_keys(rng, name, heads):
    model = models(rng)[name]
    noise = noise_of(model, 0)
    Y, mix = rng.normal(size=(heads, noise.keys.shape[1])), rng.dirichlet(np.ones(heads))
    scores = np.einsum("snd,hd->shn", model.sample(20_000, seed=1), noise.queries(Y))
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = np.einsum("h,shn->sn", mix, powers / powers.sum(axis=-1, keepdims=True))
    variation = 0.5 * np.abs(weights - GOAL.weights(7)).sum(axis=1)
    law = true_law(model, noise, GOAL, heads, 0, points=4096)
    assert law.mean_weights(Y, mix) == pytest.approx(weights.mean(axis=0), abs=0.015)
    for error in (0.3, 0.5, 0.7):
        assert law.probability(Y, mix, error) == pytest.approx((variation <= error).mean(), abs=0.02)


def test_a_box_promises_less_than_the_law_has(rng):
    model = models(rng)["every kind of noise"]
    noise = noise_of(model, 0)
    Y = 0.2 * rng.normal(size=(1, noise.keys.shape[1]))
    for error in (0.6, 0.7, 0.8, 0.9):
        boxed = provable_law(model, noise, GOAL, 1, 0.05, kept=noise.moving[0])
        whole = true_law(model, noise, GOAL, 1, 0, points=4096)
        assert boxed.probability(Y, np.ones(1), error) <= whole.probability(Y, np.ones(1), error) + 0.05


def test_the_grid_holds_the_whole_mass_and_is_fine_near_its_edges():
    z, chances = grid(240)
    assert len(z) == 240
    assert chances.sum() == pytest.approx(1, abs=1e-14)
    finer, parts = grid(240, np.array([-1.0, 2.5]))
    assert parts.sum() == pytest.approx(1, abs=1e-14)
    assert np.diff(finer)[np.abs(finer[1:] - 2.5) < 0.1].max() < 0.002
    assert (parts[finer < 0].sum(), parts[finer > 1].sum()) == pytest.approx((0.5, 0.158655), abs=2e-3)
