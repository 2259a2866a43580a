"""headwright problems E.2a --train: finds what is trained already, and is refused elsewhere."""

import shutil

import pytest

from headwright.problems import learned
from headwright.tasks import WEIGHTS
from tests.facts import says


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(learned, "CERTIFIED", 10)


def test_blocks_that_are_there_are_judged(call, tmp_path):
    shutil.copytree(WEIGHTS, tmp_path / "mine")
    code, out, err = call("problems E.2a --train --into mine")
    assert code == 0
    assert "Ours: Proved" in out
    assert err.count("was there already") == 9


def test_with_json(answer, tmp_path):
    shutil.copytree(WEIGHTS, tmp_path / "learned_heads")
    code, found = answer("problems E.2a --train")
    assert (code, found["ours"]["status"]) == (0, "proved")


def test_no_other_question_is_trained(call):
    for line in ("problems A.1a --train", "problems --train"):
        code, _, err = call(line)
        assert code == 2
        assert says(err, "`--train`", "E.2a")
