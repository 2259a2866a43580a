"""examples/learned_heads.py: a query that learns turns towards the designed one."""

import numpy as np
import pytest

import headwright as hw
from examples.learned_heads import learn_query

GOALS = [hw.Copy(2), hw.Average(2, 5), hw.Blend({2: "0.7", 5: "0.3"})]


def cosine(one, other):
    return one @ other / (np.linalg.norm(one) * np.linalg.norm(other))


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_the_direction_comes_near_the_designed_one(goal, seed):
    keys = np.random.default_rng(seed).standard_normal((12, 8))
    path = learn_query(keys, goal)
    at = path.cosines[[9, 99, 999]]
    assert (np.diff(at) > 0).all()
    assert path.cosines[-1] >= 0.98
    assert path.cosines[-1] > path.cosines[0]
    wider = hw.design(keys, goal)  # at the default error
    assert cosine(path.queries[-1], wider.query) >= 0.98
    assert path.errors[-1] < path.errors[0]


def test_copying_tends_to_the_maximum_margin(rng):
    keys = rng.standard_normal((9, 5))
    path = learn_query(keys, hw.Copy(int(np.argmax(np.linalg.norm(keys, axis=1)))))
    margin = hw.design(keys, hw.Top(*path.designed.goal.indices)).query
    assert cosine(path.queries[-1], margin) > 0.99


@pytest.mark.needs("torch")
@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_the_first_steps_are_torchs(goal, rng):
    import torch

    keys = rng.standard_normal((7, 4))
    wanted, query = torch.tensor(goal.weights(7)), torch.zeros(4, dtype=torch.float64, requires_grad=True)
    path = learn_query(keys, goal, steps=5, rate=0.3, error=0.4)
    for step in range(5):
        loss = -(wanted * torch.log(hw.attend(query, torch.tensor(keys)).weights)).sum()
        (slope,) = torch.autograd.grad(loss, query)
        query = (query - 0.3 * slope / slope.norm()).detach().requires_grad_()
        np.testing.assert_allclose(path.queries[step], query.detach().numpy(), atol=1e-12)


def test_it_ends_when_nothing_is_left_to_learn():
    path = learn_query(np.array([[300.0, 0.0], [0.0, 300.0]]), hw.Copy(0), steps=500)
    assert len(path.queries) < 500
    assert np.isfinite(path.cosines).all()


def test_keys_that_cannot_be_told_apart_are_refused():
    with pytest.raises(hw.Unreachable):
        learn_query(np.ones((3, 2)), hw.Copy(0))
