"""headwright design: what it prints and writes for a design, for an impossibility, and for a search that failed."""

import numpy as np
import pytest

from headwright.cli import design_screens
from headwright.kernel.certificate import load
from headwright.kernel.goals import Average
from headwright.words.design import Design
from tests.facts import says
from tests.toy_claim import proved

LINE = np.array([[0.0], [1.0], [2.0]])  # key 1 lies midway between the others


@pytest.fixture
def save_keys(tmp_path):
    """Keys into k.npy, where the commands run."""
    return lambda keys: np.save(tmp_path / "k.npy", np.array(keys, dtype=float))


def test_prints_norm_bound_error_ratios_bars_and_verdict(call, rng, save_keys):
    save_keys(rng.normal(size=(30, 12)))
    code, out, err = call("design --keys k.npy --average 3,7")
    assert (code, err) == (0, "")
    assert says(out, "0.01", "float64", "least-norm", "1/100", 20)
    for part in ("key  3  0.4950  ███", "\nProved: "):
        assert part in out
    assert max(map(len, out.splitlines())) <= 80


def test_json_has_all_of_it(answer, rng, save_keys):
    save_keys(rng.normal(size=(30, 12)))
    code, told = answer("design --keys k.npy --blend 3=0.7,7=0.3 --error 0.02")
    assert (code, told["status"]) == (0, "proved")
    made = told["design"]
    assert made["goal"]["shares"] == ["7/10", "3/10"]
    assert made["norm_gap"] == made["norm"] / made["lower_bound"] - 1
    assert -1e-15 < made["norm_gap"] < 1e-9
    assert (made["exact_ratios"], made["precision"], made["method"], made["gap"]) == (True, None, "least-norm", None)
    assert made["error"] <= 0.02
    assert sum(made["weights"]) == pytest.approx(1)
    assert says(told["verdict"]["claim"], "1/50")
    assert told["optimality"]["status"] == "proved"
    assert [told[name] for name in ("saved", "saved_bound", "query_out")] == [None, None, None]


def test_both_certificates_verify(call, answer, tmp_path, rng, save_keys):
    save_keys(rng.normal(size=(20, 9)))
    code, out, _ = call("design --keys k.npy --average 1,4 --scale 0.5 --save c.safetensors --save-bound b.safetensors")
    assert code == 0
    assert "headwright verify c.safetensors b.safetensors" in " ".join(out.split())
    assert [load(tmp_path / f"{name}.safetensors").kind for name in "cb"] == ["within-error", "no-shorter"]
    code, told = answer("verify c.safetensors b.safetensors")
    assert (code, told["status"]) == (0, "proved")
    assert says(told["files"][1]["claim"], "Average(1, 4)", 20, "0.5")


def test_the_best_within_a_norm(call, answer, tmp_path, rng, save_keys):
    save_keys(rng.normal(size=(20, 9)))
    code, out, err = call(
        "design --keys k.npy --average 1,4 --max-norm 1.5 --save c.safetensors --save-bound b.safetensors"
    )
    assert (code, err) == (0, "")
    assert says(out, "1.5", "least-error")
    assert "asked" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert [load(tmp_path / f"{name}.safetensors").kind for name in "cb"] == ["within-error", "no-smaller-error"]
    assert call("verify c.safetensors b.safetensors")[0] == 0
    code, told = answer("design --keys k.npy --average 1,4 --max-norm 1.5")
    made = told["design"]
    assert (code, told["status"], told["optimality"]["status"]) == (0, "proved", "proved")
    assert (made["max_norm"], made["lower_bound"], made["norm_gap"]) == ("3/2", None, None)
    assert made["error_lower_bound"] <= made["error"] <= made["error_lower_bound"] * (1 + 1e-9)
    assert made["asked"] == str(made["error"])


def test_the_largest_gap_within_a_norm(answer, call, rng, save_keys):
    save_keys(rng.normal(size=(20, 19)))
    code, told = answer("design --keys k.npy --top 1,4 --max-norm 1.5")
    made = told["design"]
    assert (code, made["error_lower_bound"]) == (0, None)
    assert made["gap"] <= made["gap_upper_bound"] <= made["gap"] * (1 + 1e-9)
    assert says(call("design --keys k.npy --top 1,4 --max-norm 1.5")[1], "upper bound")


def test_ratios_beyond_the_norm(call, answer, tmp_path, rng, save_keys):
    save_keys(rng.normal(size=(20, 9)))
    code, told = answer("design --keys k.npy --blend 1=0.999,4=0.001 --max-norm 0.1 --save c.safetensors")
    assert (code, told["status"]) == (1, "unreachable")
    record = load(tmp_path / "c.safetensors")
    assert (record.kind, record.error) == ("no-smaller-error", 1)
    assert record.max_norm > 0.1
    assert call("design --keys k.npy --blend 1=0.999,4=0.001 --max-norm 0.1")[0] == 1


@pytest.mark.parametrize(
    "options", ["--max-norm 0", "--max-norm wide", "--max-norm 1 --error 0.1", "--max-norm 1 --method closed-form"]
)
def test_wrong_norms(options, call, rng, save_keys):
    save_keys(rng.normal(size=(5, 9)))
    code, _, err = call(f"design --keys k.npy --copy 1 {options}")
    assert code == 2
    assert "--max-norm" in err


def test_heads_and_queries(call, tmp_path):
    np.save(tmp_path / "k.npy", np.eye(6, 9))
    code, out, _ = call(
        "design --keys k.npy --average 1,4 --heads 2 --scale 0.5 --save c.safetensors --query-out q.npy"
    )
    assert code == 0
    assert says(out, 2, "0.5, 0.5", "c.safetensors", "q.npy")
    assert np.load(tmp_path / "q.npy").shape == (2, 9)
    assert call("verify c.safetensors")[0] == 0
    assert call("certify --keys k.npy --query q.npy --average 1,4 --scale 0.5 --mix 1,1")[0] == 0
    assert call("certify --keys k.npy --query q.npy --average 1,4 --scale 0.25 --mix equal")[0] == 1


def test_closed_form_is_an_option(answer):
    code, told = answer("design --orthonormal 40 --average 3,7 --method closed-form")
    assert (code, told["optimality"], told["design"]["norm_gap"]) == (0, None, None)
    assert told["design"]["norm"] == pytest.approx(10.6625, abs=1e-4)


@pytest.mark.parametrize("precision", ["float32", "float16", "bfloat16"])
def test_precision(call, answer, rng, save_keys, tmp_path, precision):
    save_keys(rng.normal(size=(30, 12)))
    line = f"design --keys k.npy --average 3,7 --error 0.05 --precision {precision}"
    code, out, _ = call(f"{line} --save c.safetensors --save-bound b.safetensors --query-out q.npy")
    assert code == 0
    assert says(out, precision)
    query = np.load(tmp_path / "q.npy").astype(np.float32)
    stored = query.view(np.uint32) & 0xFFFF if precision == "bfloat16" else query - query.astype(precision)
    assert not stored.any()
    assert call("verify c.safetensors b.safetensors")[0] == 0
    assert answer(line)[1]["design"]["precision"] == precision


def test_a_rounded_query_below_the_bound_says_why(capsys):
    bound = proved("no query with exact ratios is shorter", bound=2.5)
    made = Design(
        [[2.0, 0.0]], [1.0], 1.0, Average(0, 1), "0.1", [0.48, 0.47, 0.05],
        precision="bfloat16", method="least-norm", prove_optimality=lambda: bound,
    )  # fmt: skip
    design_screens.show(made, proved("the weights are near"))
    out = capsys.readouterr().out
    assert says(out, "-0.2", 1, 0)


def test_top(call, answer, rng, save_keys, tmp_path):
    save_keys(rng.normal(size=(30, 12)))
    line = "design --keys k.npy --top 3,7"
    code, out, err = call(f"{line} --save t.safetensors --save-bound b.safetensors --query-out q.npy")
    assert (code, err) == (0, "")
    assert says(out, "Top(3, 7)", 30, "(proved)", 1)
    for part in ("* key", "\nProved: "):
        assert part in out
    assert [load(tmp_path / f"{name}.safetensors").kind for name in "tb"] == ["top-gap", "gap-norm"]
    assert call("verify t.safetensors b.safetensors")[0] == 0
    assert call("certify --keys k.npy --query q.npy --top 3,7 --gap 1")[0] == 0
    for swapped in (
        "5",
        "3,5",
    ):  # 3 and 7 tie at the margin up to rounding, so neither is asked to be ahead of the other
        assert call(f"certify --keys k.npy --query q.npy --top {swapped}")[0] == 1
    _, told = answer(line)
    assert told["design"]["gap"] >= 1
    assert told["design"]["norm_gap"] < 1e-9
    assert told["design"]["error"] is None


def test_the_zero_query(call, answer, save_keys):
    save_keys(LINE)
    code, out, _ = call("design --keys k.npy --copy 1 --error 0.7")
    assert code == 0
    assert says(out, "0 (proved)", "0.666667")
    assert answer("design --keys k.npy --copy 1 --error 0.7")[1]["design"]["norm_gap"] == 0


def test_approximate_ratios(call, answer, save_keys, tmp_path):
    save_keys(LINE)
    line = "design --keys k.npy --average 0,1 --error 0.3 --seed 5"
    code, out, _ = call(line)
    assert code == 0
    assert "\nProved: " in out
    assert answer(line)[1]["design"]["exact_ratios"] is False
    code, out, _ = call(f"{line} --save c.safetensors --save-bound b.safetensors")
    assert code == 3
    assert "c.safetensors" in out
    assert "b.safetensors" not in out
    assert not (tmp_path / "b.safetensors").exists()
    code, told = answer(f"{line} --save-bound b.safetensors")
    assert (code, told["status"], told["saved_bound"]) == (3, "not found", None)


def test_unreachable_copy(call, answer, save_keys, tmp_path):
    save_keys(LINE)
    code, out, err = call("design --keys k.npy --copy 1 --save u.safetensors --save-bound b.safetensors")
    assert (code, err) == (1, "")
    assert says(out, "1/100", "Copy(1)", 1, 2)
    assert says(out, "0.666666", "u.safetensors")
    assert "  key 0  0.5000  ███████████████\n  key 2  0.5000  ███" in out
    assert load(tmp_path / "u.safetensors").kind == "out-of-reach"
    assert not (tmp_path / "b.safetensors").exists()
    code, out, _ = call("verify u.safetensors")
    assert code == 0
    assert "u.safetensors: Proved: " in out
    code, told = answer("design --keys k.npy --copy 1 --save u.safetensors")
    assert (code, told["status"], told["saved"]) == (1, "unreachable", "u.safetensors")
    assert says(told["message"], "1/100", "Copy(1)")
    assert 0.66666 < told["best_error"] <= 2 / 3
    assert told["witness"] == {"indices": [0, 2], "weights": [0.5, 0.5]}
    assert told["verdict"]["status"] == "proved"


def test_unreachable_average_marks_the_goal(call, save_keys):
    save_keys(LINE)
    code, out, _ = call("design --keys k.npy --average 0,2")
    assert code == 1
    assert says(out, 1, "0.5000")
    assert says(out, 0, "0.2500")


def test_unreachable_top(call, answer, save_keys):
    save_keys(LINE)
    code, out, _ = call("design --keys k.npy --top 1 --save u.safetensors")
    assert code == 1
    assert says(out, 1, "1.0000")
    assert call("verify u.safetensors")[0] == 0
    _, told = answer("design --keys k.npy --top 1")
    assert told["best_error"] is None
    assert sorted(told["witness"]["indices"]) == [0, 1, 2]


def test_a_long_witness_is_cut(call, answer, save_keys):
    save_keys([np.zeros(12), *np.eye(12), -np.ones(12)])
    code, out, _ = call("design --keys k.npy --copy 0")
    assert code == 1
    assert out.count("  0.0769  ██") == 10
    assert says(out, 13)
    assert len(answer("design --keys k.npy --copy 0")[1]["witness"]["indices"]) == 13


def test_keys_that_are_equal_once_rounded(call, answer, save_keys):
    save_keys([[1.0], [1.001], [5.0]])
    assert call("design --keys k.npy --copy 0")[0] == 0
    code, out, _ = call("design --keys k.npy --copy 0 --precision bfloat16")
    assert code == 1
    assert says(out, 0, 1)
    assert says(out, "bfloat16")
    assert answer("design --keys k.npy --copy 0 --precision bfloat16")[1]["precision"] == "bfloat16"


def test_not_found_shows_the_best(call, answer, save_keys, tmp_path):
    save_keys(LINE)
    line = "design --keys k.npy --average 0,2 --error 0.2 --save c.safetensors"
    code, out, err = call(line)
    assert (code, err) == (3, "")
    assert says(out, "Average(0, 2)")
    assert says(out, "0.309017", "0.166666")
    assert "0.4812" in out
    code, told = answer(line)
    assert (code, told["status"], told["saved"]) == (3, "not found", None)
    assert told["best"]["error"] == pytest.approx(0.309017, abs=1e-6)
    assert told["proved_bound"] == pytest.approx(1 / 6)
    assert not (tmp_path / "c.safetensors").exists()


def test_not_found_without_a_best(call, answer, save_keys):
    save_keys([[0, 0], [1, 1e-320], [2, 0]])  # a query that suffices is longer than float64 can hold
    code, out, _ = call("design --keys k.npy --copy 1")
    assert code == 3
    assert says(out, "float64")
    assert says(out, "1.79769e308")
    assert answer("design --keys k.npy --copy 1")[1]["best"] is None
