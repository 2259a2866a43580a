"""headwright design --within: queries Wx + b from files."""

import json

import numpy as np
import pytest

from headwright.kernel.certificate import load
from tests.facts import says


@pytest.fixture
def files(tmp_path, rng):
    keys, matrix, offset = rng.standard_normal((6, 5)), rng.standard_normal((5, 3)), rng.standard_normal(5)
    np.save(tmp_path / "k.npy", keys)
    np.save(tmp_path / "w.npy", matrix)
    np.save(tmp_path / "short.npy", offset[:3])
    np.save(tmp_path / "zero.npy", np.zeros((5, 3)))
    np.savez(tmp_path / "head.npz", weight=matrix, bias=offset)
    return keys, matrix, offset


BOTH = "--within head.npz --within-array weight --within-offset head.npz --within-offset-array bias"


@pytest.mark.parametrize("given", ["--within w.npy", BOTH])
def test_a_query_of_the_image(given, answer, call, files, tmp_path):
    _, matrix, offset = files
    line = f"design --keys k.npy --copy 2 --error 0.2 {given}"
    code, told = answer(
        f"{line} --coordinates-out x.npy --query-out q.npy --save c.safetensors --save-bound b.safetensors"
    )
    assert (code, told["status"], told["optimality"]["status"]) == (0, "proved", "proved")
    x, query = np.load(tmp_path / "x.npy"), np.load(tmp_path / "q.npy")
    assert told["design"]["coordinates"] == [x.tolist()]
    assert np.allclose(matrix @ x + (offset if given == BOTH else 0), query)
    assert told["design"]["norm_gap"] < 1e-9
    assert np.array_equal(load(tmp_path / "c.safetensors").heads.queries, [x])
    assert load(tmp_path / "b.safetensors").image is not None
    code, told = answer("verify c.safetensors b.safetensors")
    assert (code, told["status"]) == (0, "proved")
    code, out, _ = call(line)
    assert code == 0
    assert says(out, 5, 3)


def test_what_no_query_of_the_image_does(answer, call, tmp_path):
    np.save(tmp_path / "k.npy", [[1.0, 0.0, 2.0], [1.0, 0.0, -2.0], [0.0, 1.0, 0.0]])
    np.save(tmp_path / "w.npy", np.eye(3)[:, :2])
    for goal in ("--copy 0", "--top 0"):
        code, told = answer(f"design --keys k.npy {goal} --within w.npy")
        assert (code, told["status"], told["verdict"]["status"]) == (1, "unreachable", "proved")
        assert 1 in told["witness"]["indices"]
        assert call(f"design --keys k.npy {goal} --within w.npy")[0] == 1


WRONG = {
    "--within none.npy": "`--within`",
    "--within short.npy": "`--within`",
    "--within zero.npy": "`--within`",
    "--within head.npz": "`--within-array`",
    "--within w.npy --within-offset short.npy": "`--within-offset`",
    "--within w.npy --within-offset-array bias": "`--within-offset`",
    "--within-offset head.npz": "`--within`",
    "--coordinates-out x.npy": "`--within`",
    "--within w.npy --coordinates-out no/x.npy": "`--coordinates-out`",
    "--within w.npy --precision float16": "`--within`",
    "--within w.npy --method closed-form": "`--within`",
}


@pytest.mark.parametrize("given", WRONG)
def test_wrong_calls(given, call, files):
    code, out, err = call(f"design --keys k.npy --copy 2 {given} --json")
    assert (code, err) == (2, "")
    assert WRONG[given] in json.loads(out)["message"]
