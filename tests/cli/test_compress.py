"""headwright compress: the table, the verdict, the files it writes, and its exit codes."""

import numpy as np
import pytest

from headwright.kernel.certificate import load


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
    assert (code, told["status"]) == (1, "refuted")  # a query was found for each
    assert told["kind"] is None
    assert told["tried"][0]["kind"] == "int4 per channel/16, min-max"
    bounds = next(row for row in told["tried"] if row["kind"] == "int8 per channel")
    error = (bounds["certified"] + bounds["observed"]) / 2
    code, told = answer(f"compress k.npy --max-norm 9 --error {error} --kinds int4,int8")
    assert (code, told["status"], told["verdict"]["status"]) == (3, "undecided", "undecided")  # int4 alone is refuted


def test_one_array_of_several(answer, tmp_path, rng):
    keys, queries = (np.load(tmp_path / name) for name in ("k.npy", "q.npy"))
    np.savez(tmp_path / "all.npz", k=keys, q=queries)
    line = "compress all.npz --error 0.05 --kinds int8"
    code, told = answer(f"{line} --array k --queries all.npz --query-array q")
    assert (code, told["status"]) == (0, "proved")
    assert told["tried"] == answer("compress k.npy --queries q.npy --error 0.05 --kinds int8")[1]["tried"]
    for rest, named in (("--queries q.npy", "--array"), ("--array k --queries all.npz", "--query-array")):
        code, told = answer(f"{line} {rest}")
        assert (code, f"`{named}`" in told["message"]) == (2, True)


def test_a_scale_has_one_meaning_in_every_command(answer, tmp_path):
    text = repr(32**-0.5)
    for line in (
        f"compress k.npy --max-norm 1 --error 0.5 --kinds int8 --scale {text}",
        f"compare k.npy k.npy q.npy --error 0.5 --scale {text}",
        f"certify --keys k.npy --query q.npy --mix equal --copy 0 --scale {text}",
    ):
        assert f"at scale {text}" in answer(line)[1]["verdict"]["claim"]
    design = "design --orthonormal 4 --copy 0 --scale"
    assert answer(f"{design} 1/8")[1]["design"] == answer(f"{design} 0.125")[1]["design"]
    code, told = answer(f"{design} 1/3")
    assert (code, "--scale" in told["message"]) == (2, True)
    assert answer("compress k.npy --max-norm 1 --error 0.5 --kinds int8 --scale 1/3")[0] == 0


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
        ("compress k.npy --max-norm 1 --error 0.1 --query-array q", "--query-array"),
        ("compress k.npy --max-norm 1 --error 0.1 --kinds rank/0", "rank 0"),
        ("compress none.npy --max-norm 1 --error 0.1", "keys"),
        ("compress k.npy --max-norm 1 --picture bits.pdf --error 0.1", "--picture"),
    ],
)
def test_usage_errors(call, line, named):
    code, _, err = call(line)
    assert code == 2
    assert named in err
