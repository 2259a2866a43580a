"""E.2a: judged without torch, recomputed from the files in high precision, and not to be fooled by worse blocks."""

import shutil
import subprocess
import sys
from dataclasses import replace

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.problems import learned as question
from headwright.tasks import AVERAGE, LESSONS, STEP, WEIGHTS, Learned, file_name
from tests.facts import says

WITHOUT_TORCH = """
import sys

class Nowhere:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "jax"):
            raise ImportError(name)

sys.meta_path.insert(0, Nowhere)
import headwright as hw
showing = hw.problems.run("E.2a")
print(showing.ours.status, showing.ours.reason)
"""


@pytest.fixture
def few(monkeypatch):
    """A tenth of the sequences, for tests that plant faults."""
    monkeypatch.setattr(question, "CERTIFIED", 20)
    monkeypatch.setattr(question, "ANSWERED", 100)


def judged_with(folder, spoil):
    """The verdict when one block is replaced by `spoil` of it."""
    shutil.copytree(WEIGHTS, folder, dirs_exist_ok=True)
    path = folder / file_name(AVERAGE, 1, 2)
    found = Learned.load(path)
    replace(found, block=spoil(found.block)).save(path)
    return question.judged(hw.problems.CATALOGUE["E.2a"], folder).ours


def test_no_torch_needed():
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("proved ")
    assert says(done.stdout, 600)


def test_what_it_says(few):
    showing = hw.problems.run("E.2a")
    assert says(showing.ours.reason, 20)
    assert len(showing.ours.record.claims) == 180
    assert showing.goal.indices == tuple(np.sort(AVERAGE.draw(1, seed=question.HELD_OUT).places[0]))
    assert all(abs(weights.sum() - 1) < 1e-12 for _, weights in showing.also)
    assert says(showing.construction, "20 / 20 / 20")


@pytest.mark.parametrize(("task", "heads"), LESSONS, ids=str)
def test_rows_in_high_precision(task, heads):
    """Straight from the file's numbers to the total variation, without Block, attend or certify."""
    stored = Learned.load(WEIGHTS / file_name(task, heads, 1)).block
    drawn = task.draw(question.ANSWERED, seed=question.HELD_OUT)
    for i in (0, 57, 199):
        with mpmath.workdps(40):
            rows = [[mpmath.mpf(float(x + p)) for x, p in zip(*pair, strict=True)] for pair in zip(drawn.tokens[i], stored.positions, strict=True)]  # fmt: skip # noqa: E501
            total = [mpmath.mpf(0)] * len(rows)
            for h in range(heads):
                query = [mpmath.fdot(m, rows[-1]) + b for m, b in zip(stored.query[h].tolist(), stored.query_bias[h].tolist(), strict=True)]  # fmt: skip # noqa: E501
                scores = [mpmath.fdot(query, [mpmath.fdot(m, row) for m in stored.key[h].tolist()]) for row in rows]
                powers = [mpmath.exp(score) for score in scores]
                total = [t + p / sum(powers) / heads for t, p in zip(total, powers, strict=True)]
            wanted = [mpmath.mpf(int(t in drawn.places[i])) / task.asked for t in range(len(rows))]
            variation = sum(abs(t - w) for t, w in zip(total, wanted, strict=True)) / 2
        assert variation <= mpmath.mpf("0.1")
        queries, keys, _ = stored.projections(drawn.tokens[i])
        verdict = question._certified(task, queries[:, -1, :], keys, drawn.places[i], question.Fraction(stored.scale))
        assert verdict.status == "proved"
        assert variation <= verdict.bound <= variation * (1 + mpmath.mpf("1e-6"))


def test_heads_that_do_not_average_are_refuted(few, tmp_path):
    verdict = judged_with(tmp_path, lambda block: replace(block, query=block.query / 4))
    assert verdict.status == "refuted"
    assert verdict.record.prove().status == "refuted"


def test_parameters_off_the_grid_prove_nothing(few, tmp_path):
    verdict = judged_with(tmp_path, lambda block: replace(block, inner=block.inner + STEP / 4))
    assert verdict.status == "undecided"


def test_wrong_answers_prove_nothing(few, tmp_path):
    verdict = judged_with(tmp_path, lambda block: replace(block, outer_bias=block.outer_bias + 1.0))
    assert verdict.status == "undecided"
    assert says(verdict.reason, "0.0")


def test_a_missing_block_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"`path`.*copy_1_head_0"):
        question.judged(hw.problems.CATALOGUE["E.2a"], tmp_path)
