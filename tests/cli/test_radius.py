"""headwright radius, and design and certify with a radius: what they print, write and answer."""

import numpy as np
import pytest

import headwright as hw
from headwright.proofs import load
from tests.facts import says


@pytest.fixture
def query(tmp_path):
    np.save(tmp_path / "q.npy", np.array([9.0, 0.0, 0.0]))
    np.save(tmp_path / "two.npy", np.array([[9.0, 0.0, 0.0], [8.0, 0.0, 0.0]]))
    np.save(tmp_path / "p.npy", np.array([1.0, 0.0, 2.0]))
    np.save(tmp_path / "wide.npy", np.full((3, 3), 0.001))
    np.savez(tmp_path / "several.npz", p=np.array([1.0, 0.0, 2.0]), r=np.full((3, 3), 0.001))
    np.savetxt(tmp_path / "column.csv", np.array([1.0, 0.0, 2.0]))
    np.savetxt(tmp_path / "q.csv", np.array([9.0, 0.0, 0.0]))
    return "radius --orthonormal 3 --query q.npy"


def test_interval(query, call, answer, tmp_path):
    code, out, err = call(f"{query} --copy 0 --save low.safetensors --save-refutation high.safetensors")
    assert (code, err) == (0, "")
    assert "Proved" in out
    assert "Refuted" in out
    assert call("verify low.safetensors")[0] == 0
    assert call("verify high.safetensors")[0] == 1
    assert load(tmp_path / "low.safetensors").kind == "withstands"
    code, told = answer(f"{query} --copy 0")
    found = hw.radius(np.eye(3), [9.0, 0.0, 0.0], hw.Copy(0), error="0.01")
    assert (told["status"], told["radius"]["low"], told["radius"]["high"]) == ("done", found.low, found.high)
    assert told["radius"]["refutation"]["status"] == "refuted"


@pytest.mark.parametrize(
    ("options", "code", "status"),
    [
        ("--copy 0 --profile p.npy --per channel", 0, "done"),
        ("--copy 0 --profile p.npy --per key --norm ball", 0, "done"),
        ("--copy 0 --profile wide.npy", 0, "done"),
        ("--top 0 --gap 1", 0, "done"),
        ("--copy 0 --error 1e-9", 1, "refuted"),
        ("--copy 0 --profile p.npy", 2, "error"),
        ("--copy 0 --per key", 2, "error"),
        ("--copy 0 --norm cube", 2, "error"),
        ("--copy 0 --profile missing.npy", 2, "error"),
        ("--copy 0 --confidence 0.9", 2, "error"),
        ("--copy 0 --gap 1", 2, "error"),
        ("--top 0 --error 0.1", 2, "error"),
        ("--copy 0 --isotropic 0.1", 2, "error"),
        ("--copy 0 --profile several.npz --profile-array p --per channel", 0, "done"),
        ("--copy 0 --profile several.npz --per channel", 2, "error"),
        ("--copy 0 --profile-array p", 2, "error"),
        ("--copy 0 --profile column.csv --per channel", 0, "done"),
    ],
)
def test_codes(query, answer, options, code, status):
    got, told = answer(f"{query} {options}")
    assert (got, told["status"]) == (code, status)


def test_a_column_is_a_query(query, answer):
    assert answer("radius --orthonormal 3 --query q.csv --copy 0") == answer(f"{query} --copy 0")


def test_the_help_offers_nothing_that_is_refused(call):
    offered = call("radius --help")[1]
    assert "--orthonormal" in offered
    for option in ("--along", "--isotropic", "--factor", "--scaled", "--confidence", "--cov"):
        assert option not in offered


def test_several_heads(query, answer):
    code, told = answer("radius --orthonormal 3 --query two.npy --mix equal --copy 0")
    assert (code, told["radius"]["exact"]) == (0, False)


def test_each_query_has_an_answer_of_its_own(query, call, answer, tmp_path):
    """The rows of a file: of two queries that copy key 0, and of one that copies key 2."""
    np.save(tmp_path / "three.npy", np.array([[9.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 0.0]]))
    rows = "--orthonormal 3 --query three.npy --each --copy 0"
    code, told = answer(f"radius {rows}")
    alone = hw.radius(np.eye(3), [8.0, 0.0, 0.0], hw.Copy(0), error="0.01")
    assert (code, told["status"], told["radii"][1]["high"], told["radii"][2]["low"]) == (1, "refuted", 0.0, alone.low)
    code, out, _ = call(f"radius {rows}")
    assert [line.split(":")[0] for line in out.splitlines()] == ["Query 0", "Query 1", "Query 2"]
    code, told = answer(f"certify {rows} --save each.safetensors")
    assert (code, [row["status"] for row in told["verdicts"]["queries"]]) == (1, ["proved", "refuted", "proved"])
    assert says(call("verify each.safetensors")[1], "Proved", "each of 3 queries")
    assert says(call(f"certify {rows}")[1], "Verdicts on 3 queries: 2 proved, 1 refuted", "query")
    code, told = answer(f"outcome {rows} --quantile 0.5")
    law = hw.outcome(np.eye(3), [9.0, 0.0, 0.0], hw.Copy(0))
    assert (code, len(told["outcomes"]), told["outcomes"][0]["mean"]) == (0, 3, law.mean.tolist())
    assert call(f"outcome {rows}")[1].count("Query ") == 3


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
    ],
)
def test_certify_takes_a_file(query, answer, options, status):
    assert answer(f"certify --orthonormal 3 --query q.npy --copy 0 {options}")[1]["status"] == status


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
