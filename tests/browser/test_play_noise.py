"""The playground's samples of keys that vary, in a real browser, against the laws that the library knows."""

import numpy as np
import pytest

import headwright as hw
from tests.browser.play_module import Module, scene

pytestmark = pytest.mark.needs("playwright")
SAMPLES = 20_000


@pytest.fixture(scope="module")
def module(browser):
    return Module(browser)


def drawn(module, own, designs, samples, seed):
    """For each design its weights and errors, all on the same draws."""
    code = """([scene, designs, samples, seed]) => {
      const next = own.drawsOf(scene, designs, seed)
      const all = Array.from({ length: samples }, () => next().found)
      return designs.map((_, k) => ({ weights: all.map((one) => one[k].weights), errors: all.map((one) => one[k].error) }))
    }"""
    return module.page.evaluate(code, [own, designs, samples, seed])


def mixed(queries):
    """A design that mixes these queries equally."""
    return {"queries": queries, "mix": [1 / len(queries)] * len(queries)}


def test_the_textbook_example(module):
    """Ten orthonormal keys, key a of varying length: one head tosses a coin, two heads mostly do not."""
    n, t = 10, float(np.log(1e4))
    keys = np.eye(n)
    one = scene(keys, hw.Average(0, 1), 0.1, noise={"isotropic": 0, "along": {"0": 0.5}})
    single, double = [(t * (keys[0] + keys[1])).tolist()], (t * keys[:2]).tolist()
    alone, both = drawn(module, one, [mixed(single), mixed(double)], SAMPLES, 7)
    model = hw.GaussianKeys(keys, along={0: 0.5})
    for found, queries, mean, sd in ((alone, single, 0.49995, 0.43697), (both, double, 0.42522, 0.15234)):
        weight = np.array(found["weights"])[:, 0]
        assert abs(weight.mean() - mean) < 4 * sd / SAMPLES**0.5
        assert abs(weight.std() - sd) < 4 * sd / SAMPLES**0.5
        law = hw.outcome(model, np.array(queries), hw.Average(0, 1), mix=np.full(len(queries), 1 / len(queries)))
        share = float(law.probability(0.1))
        assert (
            abs((np.array(found["errors"]) <= 0.1).mean() - share) < 4 * (share * (1 - share) / SAMPLES) ** 0.5 + 1e-3
        )
    # The same draws: where the length is below 0, both designs fail.
    assert np.corrcoef(alone["errors"], both["errors"])[0, 1] > 0.2


def test_errors_are_those_of_the_weights(module):
    rng = np.random.default_rng(5)
    keys = rng.normal(size=(5, 3))
    one = scene(keys, hw.Blend({0: 2, 3: 1}), 0.3, scale=0.5, noise={"isotropic": 0.04, "along": {"1": 0.2, "3": 0.1}})
    queries = rng.normal(size=(2, 3)).tolist()
    first, second = drawn(module, one, [{"queries": queries, "mix": [0.25, 0.75]}, mixed(queries)], 3000, 1)
    wanted = np.array([2 / 3, 0, 0, 1 / 3, 0])
    for found in (first, second):
        errors = 0.5 * np.abs(np.array(found["weights"]) - wanted).sum(axis=1)
        assert np.abs(errors - found["errors"]).max() < 1e-14
    model = hw.GaussianKeys(keys, isotropic=0.04, along={1: 0.2, 3: 0.1})
    law = hw.outcome(model, np.array(queries), scale=0.5, mix=[0.25, 0.75])
    mean = np.array(first["weights"]).mean(axis=0)
    spread = np.array(first["weights"]).std(axis=0) / 3000**0.5
    assert (np.abs(mean - law.mean) < 5 * spread).all()
    # A seed gives the same draws again, and another one others.
    again, other = (drawn(module, one, [mixed(queries)], 3000, seed)[0] for seed in (1, 2))
    assert second == again != other
