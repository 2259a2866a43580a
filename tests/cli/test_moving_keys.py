"""headwright design and certify for keys that move, and certify for many queries: what they print, write and answer."""

import numpy as np
import pytest

from headwright.kernel.certificate import load
from tests.facts import says


@pytest.fixture
def query(tmp_path):
    np.save(tmp_path / "q.npy", np.array([9.0, 0.0, 0.0]))
    np.save(tmp_path / "p.npy", np.array([1.0, 0.0, 2.0]))
    np.save(tmp_path / "wide.npy", np.full((3, 3), 0.001))
    np.savez(tmp_path / "several.npz", p=np.array([1.0, 0.0, 2.0]), r=np.full((3, 3), 0.001))
    np.savetxt(tmp_path / "column.csv", np.array([1.0, 0.0, 2.0]) / 1000)
    np.savetxt(tmp_path / "q.csv", np.array([9.0, 0.0, 0.0]))
    return "certify --orthonormal 3 --query q.npy --copy 0"


def test_a_column_is_a_query(query, answer):
    assert answer("certify --orthonormal 3 --query q.csv --copy 0") == answer(query)


def test_each_query_has_a_verdict_of_its_own(call, answer, tmp_path):
    """The rows of a file: of two queries that copy key 0, and of one that copies key 2."""
    np.save(tmp_path / "three.npy", np.array([[9.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 0.0]]))
    line = "certify --orthonormal 3 --query three.npy --each --copy 0"
    code, told = answer(f"{line} --save each.safetensors")
    assert (code, [row["status"] for row in told["verdicts"]["queries"]]) == (1, ["proved", "refuted", "proved"])
    assert says(call("verify each.safetensors")[1], "Proved", "each of 3 queries")
    assert says(call(line)[1], "Verdicts on 3 queries: 2 proved, 1 refuted", "query")


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ("--radius wide.npy", "proved"),
        ("--radius p.npy --per channel", "refuted"),
        ("--radius p.npy", "error"),
        ("--radius several.npz --radius-array r", "proved"),
        ("--radius several.npz", "error"),
        ("--radius 0.001 --radius-array r", "error"),
        ("--radius 0.001 --per key", "error"),
        ("--radius column.csv --per channel", "proved"),
        ("--radius missing.npy", "error"),
    ],
)
def test_certify_takes_a_file(query, answer, options, status):
    assert answer(f"{query} {options}")[1]["status"] == status


def test_design(query, answer, call, tmp_path):
    code, told = answer("design --orthonormal 3 --copy 0 --radius 0.05 --norm ball --save c.safetensors")
    assert (code, told["status"]) == (0, "proved")
    assert told["design"]["lower_bound"] == pytest.approx(told["design"]["norm"], rel=1e-8)
    assert load(tmp_path / "c.safetensors").kind == "withstands"
    assert call("verify c.safetensors")[0] == 0
    assert answer("design --orthonormal 3 --copy 0 --radius 5")[1]["status"] == "unreachable"
    assert answer("design --orthonormal 3 --average 0,1 --radius 5")[1]["status"] == "not found"
    assert answer("design --orthonormal 3 --copy 0 --radius 0.1 --precision float16")[0] == 2
    assert call("design --orthonormal 3 --copy 0 --radius 0.05")[0] == 0
