"""examples/train_heads.py: the loss falls, a stopped run goes on as if it had not been, no other run's checkpoint is taken."""

import runpy
import shutil
import sys
from dataclasses import replace

import numpy as np
import pytest

from examples import train_heads
from examples.train_heads import Recipe, learn_all, train
from headwright.problems.trained.tasks import COPY, LESSONS, SEEDS, STEP, WEIGHTS, Learned

TINY = Recipe(heads=1, steps=250, batch=16, width=5, hidden=6, rate=0.02)
NAME = "copy_1_head_7"


@pytest.fixture
def told(monkeypatch):
    """What is shown while training."""
    lines = []
    monkeypatch.setattr(train_heads, "show", lines.append)
    return lines


def same(one, other):
    return all((one.block.arrays()[name] == array).all() for name, array in other.block.arrays().items())


@pytest.mark.needs("torch")
def test_the_loss_falls(told, tmp_path):
    learned = train(COPY, 7, TINY, tmp_path)
    assert [line.split(",")[0].split()[-3] for line in told] == ["100", "200", "250"]
    first, *_, last = (float(line.rpartition(" ")[2]) for line in told)
    assert last < first / 3
    assert [path.name for path in tmp_path.iterdir()] == [f"{NAME}.safetensors"]
    assert learned.is_exact
    assert all((array / STEP == np.round(array / STEP)).all() for array in learned.block.arrays().values())


@pytest.mark.needs("torch")
def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path):
    whole = train(COPY, 7, TINY, tmp_path / "whole")
    for stop in (30, 130):
        assert train(COPY, 7, TINY, tmp_path, until=stop) is None
        assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [f"{NAME}.partial"]
    resumed = train(COPY, 7, TINY, tmp_path)
    assert same(whole, resumed)
    assert same(Learned.load(tmp_path / f"{NAME}.safetensors"), whole)
    assert whole.recipe == resumed.recipe


@pytest.mark.needs("torch")
def test_a_finished_block_is_not_trained_again(told, tmp_path):
    short = replace(TINY, steps=3)
    first = train(COPY, 7, short, tmp_path)
    told.clear()
    again = train(COPY, 7, short, tmp_path)
    assert told == []
    assert same(first, again)
    train(COPY, 7, replace(short, rate=0.1), tmp_path)
    assert len(told) == 1  # another recipe is another run


@pytest.mark.needs("torch")
@pytest.mark.parametrize("spoil", ["other recipe", "damaged"])
def test_a_checkpoint_that_does_not_fit_is_left_alone(tmp_path, spoil):
    short = replace(TINY, steps=40)
    train(COPY, 7, replace(short, rate=0.5) if spoil == "other recipe" else short, tmp_path, until=20)
    if spoil == "damaged":
        (tmp_path / f"{NAME}.partial").write_bytes(b"half a file")
    assert same(train(COPY, 7, short, tmp_path), train(COPY, 7, short, tmp_path / "whole"))


@pytest.mark.needs("torch")
def test_every_lesson_is_learned_and_told(capsys, tmp_path):
    learn_all(tmp_path, replace(TINY, steps=2))
    assert len(capsys.readouterr().out.splitlines()) == len(LESSONS) * len(SEEDS)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in WEIGHTS.glob("*.safetensors")}
    assert Learned.load(tmp_path / "average_2_heads_2.safetensors").block.query.shape[0] == 2


def test_embedded_blocks_come_from_todays_recipes(tmp_path, monkeypatch, capsys):
    """The script finds them finished: no recipe has changed since they were trained. Then it judges them."""
    shutil.copytree(WEIGHTS, tmp_path, dirs_exist_ok=True)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(sys, "argv", ["train_heads.py", "--into", str(tmp_path)])
    runpy.run_path(train_heads.__file__, run_name="__main__")
    assert "Proved" in capsys.readouterr().out
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
