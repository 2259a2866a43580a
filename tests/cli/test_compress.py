"""headwright compress: the table, the verdict, the files it writes, and its exit codes."""

import numpy as np
import pytest

from headwright.proofs import load


@pytest.fixture(autouse=True)
def files(tmp_path, rng):
    np.save(tmp_path / "k.npy", rng.normal(size=(32, 8)))
    np.save(tmp_path / "q.npy", rng.normal(size=(5, 8)))


def test_prints_the_table_and_the_verdict(call):
    code, out, err = call("compress k.npy --queries q.npy --error 0.05 --scale 1/2 --kinds int8,int4/token,rank/4")
    assert (code, err) == (0, "")
    for part in ("certified", "observed", "int8 per channel", "int4 per token", "rank 4", "\nProved: "):
        assert part in out


def test_json_and_a_certificate(answer, tmp_path):
    code, told = answer("compress k.npy --max-norm 1 --error 0.05 --kinds int8,int4 --save c.safetensors")
    assert code == 0
    assert told["kind"] == "int8 per channel"
    assert told["verdict"]["status"] == "proved"
    assert [row["bits"] for row in told["tried"]] == [4.5, 8.5]
    assert load(tmp_path / "c.safetensors").kind == "kept-on-ball"


def test_nothing_suffices(answer):
    code, told = answer("compress k.npy --max-norm 9 --error 1e-9 --kinds int8,int4/channel/16/min-max")
    assert code == 3
    assert told["kind"] is None
    assert told["tried"][0]["kind"] == "int4 per channel/16, min-max"


@pytest.mark.needs("matplotlib")
def test_a_picture(call, tmp_path):
    code, _, _ = call("compress k.npy --queries q.npy --error 0.05 --kinds int8,int4 --picture bits.svg")
    assert code == 0
    assert (tmp_path / "bits.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("compress k.npy --error 0.1", "--queries"),
        ("compress k.npy --queries q.npy --max-norm 1 --error 0.1", "--queries"),
        ("compress k.npy --max-norm 0 --error 0.1", "--max-norm"),
        ("compress k.npy --max-norm 1 --kinds int5 --error 0.1", "--kinds"),
        ("compress k.npy --max-norm 1 --kinds int4/token/3 --error 0.1", "group"),
        ("compress k.npy --max-norm 1 --error 2", "--error"),
        ("compress k.npy --max-norm 1", "--error"),
        ("compress none.npy --max-norm 1 --error 0.1", "keys"),
        ("compress k.npy --max-norm 1 --picture bits.pdf --error 0.1", "--picture"),
    ],
)
def test_usage_errors(call, line, named):
    code, _, err = call(line)
    assert code == 2
    assert named in err
