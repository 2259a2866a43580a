"""E.2a: judged without torch, recomputed from the files in high precision, and not to be fooled by worse blocks."""

import shutil
import subprocess
import sys
from dataclasses import replace

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.problems.judges.entries import verdict_on
from headwright.problems.judges.trained_blocks import DRAWN, HELD_OUT, asking_rows, trained
from headwright.problems.trained.tasks import AVERAGE, LESSONS, STEP, WEIGHTS, Learned, file_name
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


ALL = {"trained": ("copy_1_head", "average_1_head", "average_2_heads"), "share": "0.99", "answers": 100}
FEW = {**ALL, "sequences": 20}  # a tenth of the sequences of E.2a, for tests that plant faults


def judged_with(folder, spoil):
    """The verdict when one block is replaced by `spoil` of it."""
    shutil.copytree(WEIGHTS, folder, dirs_exist_ok=True)
    path = folder / file_name(AVERAGE, 1, 2)
    found = Learned.load(path)
    replace(found, block=spoil(found.block)).save(path)
    return trained(FEW, folder)


def test_no_torch_needed():
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("proved ")
    assert says(done.stdout, 1800, 200)


def test_what_it_says():
    verdict = trained(FEW)
    assert says(verdict.reason, 20, 180, "100.0")
    assert len(verdict.record.claims) == 180
    assert hw.problems.find("E.2a").ours["for"][0] == {**ALL, "sequences": 200, "answers": 1000}


def test_the_rows_that_are_shown():
    rows, goal = asking_rows("average_2_heads_0")
    assert goal.indices == tuple(np.sort(AVERAGE.draw(DRAWN, seed=HELD_OUT).places[0]))
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    assert rows.max(axis=1).min() > 0.9
    assert {int(row.argmax()) for row in rows} == set(goal.indices)


@pytest.mark.parametrize(("task", "heads"), LESSONS, ids=str)
def test_rows_in_high_precision(task, heads):
    """Straight from the file's numbers to the total variation, without Block, attend or certify."""
    stored = Learned.load(WEIGHTS / file_name(task, heads, 1)).block
    drawn = task.draw(DRAWN, seed=HELD_OUT)
    claims = trained({"trained": file_name(task, heads, 1).partition(".")[0], "sequences": 200}).record.claims
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
        verdict = claims[i].prove()
        assert verdict.status == "proved"
        assert variation <= verdict.bound <= variation * (1 + mpmath.mpf("1e-6"))


def test_heads_that_do_not_average_are_refuted(tmp_path):
    verdict = judged_with(tmp_path, lambda block: replace(block, query=np.round(block.query / 4 / STEP) * STEP))
    assert verdict.status == "refuted"
    assert verdict.record.prove().status == "refuted"


def test_parameters_off_the_grid_prove_nothing(tmp_path):
    verdict = judged_with(tmp_path, lambda block: replace(block, inner=block.inner + STEP / 4))
    assert verdict.status == "undecided"


def test_wrong_answers_prove_nothing(tmp_path):
    verdict = judged_with(tmp_path, lambda block: replace(block, outer_bias=block.outer_bias + 1.0))
    assert verdict.status == "undecided"
    assert says(verdict.reason, "0.0")


def test_blocks_that_were_trained_again_are_judged_again(tmp_path):
    assert judged_with(tmp_path, lambda block: block).status == "proved"
    assert judged_with(tmp_path, lambda block: replace(block, query=0 * block.query)).status == "refuted"


def test_a_missing_block_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"`path`.*copy_1_head_0"):
        trained(FEW, tmp_path)


COPY = {"trained": "copy_1_head_0", "sequences": 5}
PAIR = {"trained": "average_2_heads_0", "sequences": 5, "split": True}


@pytest.mark.parametrize(
    ("table", "status"),
    [
        (COPY, "proved"),
        ({**COPY, "at_least": "0.9"}, "proved"),
        ({**COPY, "at_most": "0.9"}, "refuted"),
        ({**COPY, "at_least": "0.9", "at_most": "0.9999999"}, "proved"),
        ({**COPY, "at_least": "0.9", "at_most": "0.91"}, "refuted"),  # one side alone does not count as a row
        ({**COPY, "positions": False}, "refuted"),
        ({**COPY, "positions": False, "at_most": "0.89"}, "proved"),
        (PAIR, "proved"),
        ({**PAIR, "positions": False}, "refuted"),
        ({"trained": "average_2_heads_0", "sequences": 5, "at_least": "0.6"}, "refuted"),  # the mean of both heads
        ({"trained": "average_2_heads_0", "sequences": 5, "at_least": "0.4"}, "proved"),
    ],
)
def test_facts_about_one_block(table, status):
    verdict = trained(table)
    assert verdict.status == status
    assert len(verdict.record.claims) == 5
    entry = {"against": [table]}
    assert verdict_on(entry, "said").status == ("refuted" if status == "proved" else "undecided")
    assert verdict_on({"against": [{**table, "not": True}]}, "said").status != verdict_on(entry, "said").status


def test_a_share_is_one_of_each_block():
    """Weights that are large enough in some sequences: proved for the share of the worst block, and for no more."""
    large = {**COPY, "sequences": 20, "at_least": "0.997"}
    refuted = [trained({**large, "trained": f"copy_1_head_{seed}"}) for seed in range(3)]
    assert {verdict.status for verdict in refuted} == {"refuted"}
    least = 20 - max(len(verdict.record.claims) for verdict in refuted)
    assert 0 < least < 20
    every = {**large, "trained": "copy_1_head"}
    assert trained({**every, "share": f"{least}/20"}).status == "proved"
    assert trained({**every, "share": f"{least + 1}/20"}).status == "refuted"
