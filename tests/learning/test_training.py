"""Training lowers the loss, goes on after a stop as if there had been none, and never takes another run's checkpoint."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from headwright.learning import Recipe, learn_all, train
from headwright.learning.state import State
from headwright.tasks import LESSONS, SEEDS, STEP, WEIGHTS, Learned
from tests.facts import says

TINY = Recipe(heads=1, steps=250, batch=16, width=5, hidden=6, rate=0.02)
NAME = "copy_1_head_7"

pytestmark = pytest.mark.needs("torch")


def same(one, other):
    return all((one.block.arrays()[name] == array).all() for name, array in other.block.arrays().items())


def test_the_loss_falls(tmp_path):
    seen = []
    train(
        "copy", seed=7, recipe=TINY, folder=tmp_path, report=lambda done, total, loss: seen.append((done, total, loss))
    )
    assert [(done, total) for done, total, _ in seen] == [(100, 250), (200, 250), (250, 250)]
    assert seen[-1][2] < seen[0][2] / 3
    assert [path.name for path in tmp_path.iterdir()] == [f"{NAME}.safetensors"]


def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path):
    whole = train("copy", seed=7, recipe=TINY)
    for stop in (30, 130):
        train("copy", seed=7, recipe=TINY, folder=tmp_path, until=stop)
    assert [path.name for path in tmp_path.iterdir()] == [f"{NAME}.partial"]
    resumed = train("copy", seed=7, recipe=TINY, folder=tmp_path)
    assert same(whole, resumed)
    assert same(Learned.load(tmp_path / f"{NAME}.safetensors"), whole)
    assert whole.recipe["final loss"] == resumed.recipe["final loss"]
    assert whole.is_exact
    assert all((array / STEP == np.round(array / STEP)).all() for array in whole.block.arrays().values())


def test_a_finished_block_is_not_trained_again(tmp_path):
    seen = []
    short = replace(TINY, steps=3)
    first = train("copy", seed=7, recipe=short, folder=tmp_path)
    again = train("copy", seed=7, recipe=short, folder=tmp_path, report=lambda *said: seen.append(said))
    assert seen == []
    assert same(first, again)
    train("copy", seed=7, recipe=replace(short, rate=0.1), folder=tmp_path, report=lambda *said: seen.append(said))
    assert len(seen) == 1  # another recipe is another run


@pytest.mark.parametrize("spoil", ["other recipe", "damaged"])
def test_a_checkpoint_that_does_not_fit_is_left_alone(tmp_path, spoil):
    other = replace(TINY, rate=0.5) if spoil == "other recipe" else TINY
    train("copy", seed=7, recipe=other, folder=tmp_path, until=20)
    if spoil == "damaged":
        (tmp_path / f"{NAME}.partial").write_bytes(b"half a file")
    short = train("copy", seed=7, recipe=TINY, folder=tmp_path, until=40)
    assert same(short, train("copy", seed=7, recipe=TINY, until=40))


def test_the_steps_are_those_of_torchs_adam():
    import torch

    from headwright.learning.training import _adam

    torch.manual_seed(0)
    theirs = torch.randn(5, 3, requires_grad=True)
    ours, first, second = theirs.detach().clone(), torch.zeros(5, 3), torch.zeros(5, 3)
    adam = torch.optim.Adam([theirs], lr=0.05, betas=(0.9, 0.99))
    for step in range(20):
        slope = torch.randn(5, 3)
        theirs.grad = slope.clone()
        adam.step()
        _adam(ours, first, second, slope, step, 0.05)
    assert (ours - theirs).abs().max() < 1e-6


def test_every_lesson_is_learned_and_told(tmp_path):
    said = []
    learned = learn_all(tmp_path, recipe=replace(TINY, steps=2), say=said.append)
    assert len(learned) == len(said) == len(LESSONS) * len(SEEDS)
    assert says(said[-2], 2, 1)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in WEIGHTS.iterdir()}
    assert learned[-1].block.query.shape[0] == 2


def test_state_of_no_file(tmp_path):
    assert State.load(tmp_path / "none.partial", {}) is None


def test_wrong_calls():
    with pytest.raises(ValueError, match=r"`task`.*'sort'"):
        train("sort", seed=0)
    with pytest.raises(ValueError, match="`seed`"):
        train("copy", seed=-1)
    with pytest.raises(ValueError, match=r"`steps`.*0"):
        Recipe(steps=0)
    with pytest.raises(ValueError, match="`rate`"):
        Recipe(rate=2.0)


def test_embedded_blocks_come_from_todays_recipes(tmp_path):
    """`learn_all` finds them finished: no recipe has changed since they were trained."""
    shutil.copytree(WEIGHTS, tmp_path, dirs_exist_ok=True)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    said = []
    learn_all(tmp_path, say=said.append)
    assert all("was there already" in line for line in said)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
