"""The tasks are what they say, their files are read back or refused, and float64 holds the embedded blocks' keys exactly."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.kernel.goals import Average, Copy
from headwright.problems.trained.tasks import (
    AVERAGE,
    CLOSE,
    COPY,
    DIM,
    LENGTH,
    LESSONS,
    SEEDS,
    STEP,
    TASKS,
    WEIGHTS,
    WIDTH,
    Learned,
    file_name,
)
from headwright.words.block import Block


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_sequences_ask_for_what_is_wanted(task):
    drawn = task.draw(50, seed=1)
    assert drawn.tokens.shape == (50, LENGTH + 1, DIM)
    for tokens, places, wanted in zip(drawn.tokens, drawn.places, drawn.wanted, strict=True):
        asked = [t for t in range(LENGTH) if tokens[LENGTH, WIDTH + t] == 1]
        assert asked == sorted(set(places.tolist()))
        assert len(asked) == task.asked
        assert not tokens[LENGTH, :WIDTH].any()
        assert not tokens[:LENGTH, WIDTH:].any()
        np.testing.assert_array_equal(wanted, sum(tokens[t, :WIDTH] for t in asked) / len(asked))
    assert set(drawn.places.flat) == set(range(LENGTH))
    assert (task.draw(50, seed=1).tokens == drawn.tokens).all()
    assert (task.draw(50, seed=2).tokens != drawn.tokens).any()


def test_goals_and_wrong_counts():
    assert COPY.goal(np.array([4])) == Copy(4)
    assert AVERAGE.goal(np.array([7, 2])) == Average(2, 7)
    with pytest.raises(ValueError, match=r"`count`.*0"):
        COPY.draw(0, seed=0)


def perfect(task):
    """A block built by hand for the task: one-hot positions, a query that reads the asked places, values passed on."""
    d, code = DIM, WIDTH + LENGTH  # positions live in coordinates code, code + 1, ...
    positions = np.zeros((LENGTH + 1, d))
    positions[:LENGTH, code : code + LENGTH] = np.eye(LENGTH)
    query, key, value = np.zeros((LENGTH, d)), np.zeros((LENGTH, d)), np.zeros((WIDTH, d))
    query[:, WIDTH : WIDTH + LENGTH] = 32 * np.eye(LENGTH)
    key[:, code : code + LENGTH] = np.eye(LENGTH)
    value[:, :WIDTH] = np.eye(WIDTH)
    return Block(query, key, value, value.T, positions=positions)


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_measures_on_a_block_made_by_hand(task):
    block, drawn = perfect(task), task.draw(40, seed=3)
    assert task.accuracy(block, drawn) == 1
    assert task.errors(block, drawn).max() < 1e-10
    blind = Block(0 * block.query, block.key, block.value, block.output, positions=block.positions)
    assert task.accuracy(blind, drawn) < 0.1
    np.testing.assert_allclose(task.errors(blind, drawn), 1 - task.asked / (LENGTH + 1))
    off = (np.abs(block(drawn.tokens)[:, -1, :WIDTH] - drawn.wanted) > CLOSE).any()
    assert not off


def test_a_file_comes_back(tmp_path):
    learned = Learned(perfect(COPY), COPY, {"seed": 5})
    learned.save(tmp_path / "a.safetensors")
    again = Learned.load(tmp_path / "a.safetensors")
    assert (again.task, again.recipe) == (COPY, {"seed": 5})
    tokens = COPY.draw(2, seed=0).tokens
    assert (again.block(tokens) == learned.block(tokens)).all()
    assert learned.is_exact
    assert [path.name for path in tmp_path.iterdir()] == ["a.safetensors"]


def test_what_is_no_learned_block_is_refused(tmp_path):
    from safetensors.numpy import save_file

    path = tmp_path / "a.safetensors"
    with pytest.raises(FileNotFoundError, match="`path`"):
        Learned.load(path)
    path.write_bytes(b"\x80\x04pickle")
    with pytest.raises(ValueError, match="`path`"):
        Learned.load(path)
    save_file({"query": np.eye(2)}, path)
    with pytest.raises(ValueError, match="`path`"):
        Learned.load(path)
    save_file({"query": np.eye(2)}, path, metadata={"block": '{"format": "headwright block 1"}'})
    with pytest.raises(ValueError, match=r"`path`.*'settings'"):
        Learned.load(path)
    save_file({"query": np.eye(2)}, path, metadata={"block": "[]"})
    with pytest.raises(ValueError, match="`path`"):
        Learned.load(path)


def test_exactness_is_checked():
    block = perfect(COPY)
    assert not Learned(Block(block.query + STEP / 2, block.key, block.value, block.output), COPY, {}).is_exact
    assert not Learned(Block(2.0**26 * block.query, block.key, block.value, block.output), COPY, {}).is_exact


@pytest.mark.parametrize(("task", "heads"), LESSONS, ids=str)
def test_embedded_blocks(task, heads):
    for seed in SEEDS:
        learned = Learned.load(WEIGHTS / file_name(task, heads, seed))
        assert (learned.task, learned.recipe["seed"], learned.recipe["heads"]) == (task, seed, heads)
        assert learned.block.query.shape[0] == heads
        assert learned.is_exact
    tokens = task.draw(3, seed=8).tokens[2]
    queries, keys, _ = learned.block.projections(tokens)

    def exact(name, row):
        """One number of head 0, in rationals."""
        terms = zip(getattr(learned.block, name)[0, 1], tokens[row], learned.block.positions[row], strict=True)
        total = sum((Fraction(float(a)) * (Fraction(x) + Fraction(float(p))) for a, x, p in terms), Fraction(0))
        bias = getattr(learned.block, f"{name}_bias")
        return total if bias is None else total + Fraction(float(bias[0, 1]))

    assert Fraction(float(queries[0, LENGTH, 1])) == exact("query", LENGTH)
    assert all(Fraction(float(keys[0, row, 1])) == exact("key", row) for row in range(LENGTH + 1))


def test_embedded_blocks_are_small():
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) < 300_000


def test_a_file_is_not_written_of_numbers_that_it_cannot_hold(tmp_path):
    block = Block(*[np.full((2, 2), 0.1)] * 4)
    with pytest.raises(ValueError, match="`query` of the block must hold float32 numbers"):
        Learned(block, COPY, {}).save(tmp_path / "b.safetensors")
    assert not list(tmp_path.iterdir())
