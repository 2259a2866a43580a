"""headwright layer: what it prints, writes and answers, and how it names the entry of a file that is wrong."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

import headwright as hw
from headwright.proofs import load
from tests.facts import near, says

EXAMPLE = Path(__file__).parents[2] / "examples" / "three_tokens.toml"
PLAIN = """
error = 0.02
tokens = [[1.0, 0.0, 0.0], [0.0, 1, 0.0], [0.0, 0.0, 1e0], [1.0, 1.0, 0.5]]
[rows.0]
copy = 2
output = [1.0, -2.0]
[rows.2]
average = [0, 1]
[rows.3]
blend = {0 = "0.7", 2 = 0.3}
"""


@pytest.fixture
def write(tmp_path):
    return lambda text, name="l.toml": (tmp_path / name).write_text(text, "utf-8")


def test_the_example(call, tmp_path):
    code, out, err = call(f"layer {EXAMPLE} --save c.safetensors --export m.safetensors")
    assert (code, err) == (0, "")
    assert says(out, 2, 3, 4, "‖QᵀK‖", "least joint norm", "Copy(2)", "0.01", "m.safetensors")
    for part in ("\nProved: ", "headwright verify c.safetensors"):
        assert part in out
    assert max(map(len, out.splitlines())) <= 80
    assert call("verify c.safetensors")[0] == 0
    claim = load(tmp_path / "c.safetensors")
    assert claim.kind == "layer-rows"
    assert near(out.splitlines()[2], np.linalg.norm(claim.Q[0].T @ claim.K[0]))


def test_exported_maps_are_those_of_the_certificate(call, tmp_path):
    call(f"layer {EXAMPLE} --save c.safetensors --export m.safetensors")
    claim = load(tmp_path / "c.safetensors")
    with safe_open(tmp_path / "m.safetensors", framework="numpy") as file:
        maps = {name: file.get_tensor(name) for name in "QKV"}
        said = json.loads(file.metadata()["headwright-layer"])
    for name in "QKV":
        np.testing.assert_array_equal(maps[name], getattr(claim, name))
    assert said["goals"]["0"] == {"goal": "copy", "indices": [2], "shares": ["1"]}
    assert (said["error"], said["causal"], said["heads"]) == ("0.01", False, 1)
    assert said["claim"] == claim.sentence()


def test_json_is_the_library_answer(answer, write):
    write(PLAIN)
    code, told = answer("layer l.toml")
    assert (code, told["status"], told["saved"], told["exported"]) == (0, "proved", None, None)
    goals = {0: hw.Copy(2), 2: hw.Average(0, 1), 3: hw.Blend({0: "0.7", 2: "0.3"})}
    tokens = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.5]])
    layer = hw.design_layer(tokens, goals, {0: [1.0, -2.0]}, error="0.02")
    assert told["layer"]["Q"] == layer.Q.tolist()
    assert told["layer"]["goals"]["3"]["shares"] == ["7/10", "3/10"]  # decimals are exact
    assert told["layer"]["asked"] == "0.02"
    assert told["layer"]["verdict"]["status"] == "proved"


def test_tokens_from_a_file_beside_it(answer, write, tmp_path, rng):
    tokens = rng.normal(size=(10, 12))
    (tmp_path / "data").mkdir()
    np.savez(tmp_path / "data" / "x.npz", x=tokens, y=tokens + 1)
    rows = "\n".join(f"[rows.{r}]\ncopy = {(r * 7) % 10}" for r in range(10))
    write(f'tokens = "x.npz"\narray = "x"\ncausal = false\n{rows}', "data/l.toml")
    code, told = answer("layer data/l.toml")
    assert (code, told["layer"]["heads"]) == (0, 1)
    assert told["layer"]["norm"] == pytest.approx(
        hw.design_layer(tokens, {r: hw.Copy((r * 7) % 10) for r in range(10)}).norm
    )


def test_one_of_several_arrays_is_chosen_by_an_entry(answer, write, tmp_path):
    np.savez(tmp_path / "x.npz", a=np.eye(3), b=np.eye(3))
    write('tokens = "x.npz"\n[rows.0]\ncopy = 1')
    code, told = answer("layer l.toml")
    assert code == 2
    assert "`array`" in str(told)


def test_many_rows_heads_and_causal(call, write):
    rows = "\n".join(f"[rows.{r}]\ncopy = {r // 2}" for r in range(26))
    eye = [[float(i == j) for j in range(26)] for i in range(26)]
    write(f"tokens = {eye}\nheads = 2\ncausal = true\n{rows}")
    code, out, _ = call("layer l.toml")
    assert code == 0
    assert says(out, "… 26", 2)
    assert "Copy(12)" not in out


def test_rank(answer, write):
    write(PLAIN.replace("error = 0.02", 'error = 0.05\nrank = "smallest"'))
    code, told = answer("layer l.toml")
    assert (code, told["layer"]["method"]) == (0, "low rank")
    write(PLAIN.replace("error = 0.02", "rank = 3"))
    assert answer("layer l.toml")[1]["layer"]["rank"] == 3


# Refusals


def test_a_hull_is_told_and_saved(call, answer, write, tmp_path):
    write("tokens = [[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]]\n[rows.1]\ncopy = 4")
    code, out, err = call("layer l.toml --save c.safetensors --export m.safetensors")
    assert (code, err) == (1, "")
    assert says(out, 1)
    assert says(out, 4)
    assert load(tmp_path / "c.safetensors").kind == "out-of-reach"
    assert call("verify c.safetensors")[0] == 0
    assert not (tmp_path / "m.safetensors").exists()


def test_contradicting_outputs_are_told(call, answer, write, tmp_path):
    write(
        "tokens = [[1, 2], [3, -2], [4, 0], [-9, 5]]\n[rows.0]\ncopy = 0\noutput = [1]\n[rows.1]\ncopy = 1\noutput = [0]\n"
        "[rows.2]\ncopy = 2\noutput = [2]"
    )
    code, out, _ = call("layer l.toml --save c.safetensors")
    assert code == 1
    assert says(out, 0, 1, 2)
    assert says(out, "c.safetensors")
    assert near(out, Fraction(1, 3), within=1e-5)
    assert call("verify c.safetensors")[0] == 0
    code, told = answer("layer l.toml")
    assert (code, told["status"], sorted(told["witness"]["indices"])) == (1, "unreachable", [0, 1, 2])


def test_contradicting_goals_are_told(call, write, tmp_path, rng):
    eye = [[float(i == j) for j in range(12)] for i in range(12)]
    rows = "\n".join(f"[rows.{r}]\ncopy = {r % 11}" for r in range(12))
    write(f"tokens = {[*eye, [0.0] * 12]}\n{rows}\n[rows.12]\ncopy = 0")
    code, out, _ = call("layer l.toml")
    assert code == 1
    assert says(out, 12, "1.000000")
    sphere = rng.normal(size=(14, 3))  # every token can be copied alone, but three dimensions hold no 14 wishes
    np.save(tmp_path / "x.npy", sphere / np.linalg.norm(sphere, axis=1, keepdims=True))
    write('tokens = "x.npy"\n' + "\n".join(f"[rows.{r}]\ncopy = {(5 * r + 1) % 14}" for r in range(14)))
    code, out, _ = call("layer l.toml")
    assert code == 1
    assert "…" in out


def test_what_is_not_found(call, answer, write):
    eye = [[float(i == j) for j in range(5)] for i in range(5)]
    rows = "\n".join(f"[rows.{r}]\ncopy = {(2 * r + 1) % 5}" for r in range(5))
    write(f"tokens = {eye}\nrank = 1\n{rows}")
    code, out, _ = call("layer l.toml --save c.safetensors")
    assert (code, says(out, 1)) == (3, True)
    assert answer("layer l.toml")[1]["status"] == "not found"


# Wrong files

TOKENS = "tokens = [[1.0, 0.0], [0.0, 1.0]]\n"
GOAL = "[rows.0]\ncopy = 1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tokens = [", "`FILE`"),
        (GOAL, "`tokens`"),
        ("tokens = [[1.0, nan], [0.0, 1.0]]\n" + GOAL, "`tokens`"),
        ("tokens = [[1.0], [0.0, 1.0]]\n" + GOAL, "`tokens`"),
        ("tokens = [[true], [false]]\n" + GOAL, "`tokens`"),
        ("tokens = 5\n" + GOAL, "`tokens`"),
        ('tokens = "none.npy"\n' + GOAL, "`tokens`"),
        ('tokens = "none.pkl"\n' + GOAL, "`tokens`"),
        (f'array = "x"\n{TOKENS}{GOAL}', "`array`"),
        (TOKENS, "`rows`"),
        (f"rows = 3\n{TOKENS}", "`rows`"),
        (f"{TOKENS}[rows]\n0 = 5\n", "`rows.0`"),
        (f"eror = 0.1\n{TOKENS}{GOAL}", "`eror`"),
        (f"{TOKENS}{GOAL}cpy = 1\n", "`rows.0.cpy`"),
        (f"{TOKENS}[rows.0]\noutput = [1.0]\n", "`rows.0`"),
        (f"{TOKENS}{GOAL}average = [0, 1]\n", "`rows.0`"),
        (f"{TOKENS}[rows.2]\ncopy = 1\n", "`rows.2`"),
        (f"{TOKENS}[rows.x]\ncopy = 1\n", "`rows.x`"),
        (f"{TOKENS}[rows.0]\ncopy = 1\n[rows.00]\ncopy = 1\n", "`rows.00`"),
        (f"{TOKENS}[rows.0]\ncopy = 2\n", "`rows.0.copy`"),
        (f"{TOKENS}[rows.0]\ncopy = -1\n", "`rows.0.copy`"),
        (f"{TOKENS}[rows.0]\ncopy = [1]\n", "`rows.0.copy`"),
        (f"{TOKENS}[rows.0]\naverage = [1, 1]\n", "`rows.0.average`"),
        (f"{TOKENS}[rows.0]\naverage = 1\n", "`rows.0.average`"),
        (f"{TOKENS}[rows.0]\nblend = [1]\n", "`rows.0.blend`"),
        (f"{TOKENS}[rows.0]\nblend = {{0 = true}}\n", "`rows.0.blend`"),
        (f"{TOKENS}[rows.0]\nblend = {{0 = -0.5, 1 = 0.5}}\n", "`rows.0.blend`"),
        (f"{TOKENS}{GOAL}output = [[1.0]]\n", "`rows.0.output`"),
        (f'{TOKENS}{GOAL}output = ["1"]\n', "`rows.0.output`"),
        (f"{TOKENS}{GOAL}output = [1.0]\n[rows.1]\ncopy = 0\noutput = [1.0, 2.0]\n", "`outputs`"),
        (f"error = true\n{TOKENS}{GOAL}", "`error`"),
        (f"error = 2\n{TOKENS}{GOAL}", "`error`"),
        (f"rank = 0\n{TOKENS}{GOAL}", "`rank`"),
        (f"rank = 3\n{TOKENS}{GOAL}", "`rank`"),
        (f"heads = 0\n{TOKENS}{GOAL}", "`heads`"),
        (f"causal = 1\n{TOKENS}{GOAL}", "`causal`"),
        (f"causal = true\n{TOKENS}{GOAL}", r"`goals\[0\]`"),
    ],
)
def test_a_wrong_file_is_told_by_its_entry(call, write, text, message):
    import re

    write(text)
    code, out, err = call("layer l.toml")
    assert (code, out) == (2, "")
    assert re.search(message, err), err
    assert err.count("\n") == 1


def test_files_that_are_not_there(call, write):
    code, _, err = call("layer none.toml")
    assert (code, "`FILE`" in err) == (2, True)
    write(PLAIN)
    code, _, err = call("layer l.toml --export maps.npz")
    assert (code, "`--export`" in err) == (2, True)
    code, _, err = call("layer l.toml --export a.safetensors --save a.safetensors")
    assert (code, "a.safetensors" in err) == (2, True)


def test_a_file_that_is_too_large(call, write, monkeypatch):
    from headwright.cli import layer_files

    monkeypatch.setattr(layer_files, "_MOST_BYTES", 10)
    write(PLAIN)
    code, _, err = call("layer l.toml")
    assert (code, ".npy" in err) == (2, True)


def test_help_shows_the_format(call):
    code, out, _ = call("layer --help")
    assert code == 0
    for part in ("[rows.0]", "average = [0, 1]", 'tokens = "x.npy"', "--export"):
        assert part in out


@pytest.mark.parametrize("dot", [".", " . ", "\t.\t", " " * 9 + "." + " " * 9])
def test_names_of_many_parts_are_refused_before_they_are_parsed(call, write, dot):
    write(dot.join(["a"] * 20_000) + " = 1\n")
    code, out, err = call("layer l.toml")
    assert (code, out) == (2, "")
    assert "parts joined by dots" in err


def test_reading_a_layer_has_a_budget_that_an_option_raises(call, write):
    write(f"{TOKENS}{GOAL}")
    assert call("layer l.toml")[0] == 0
    code, out, err = call("layer l.toml --budget 1000")
    assert (code, out) == (2, "")
    assert "budget" in err
    assert call("layer l.toml --budget 1e11")[0] == 0


def test_shares_without_a_common_denominator_end_at_the_budget(call, write):
    shares = ", ".join(f'{j} = "{7**4000 + j}/{3**8000 + j}"' for j in range(200))
    write(f"tokens = {[[float(j)] for j in range(200)]}\n[rows.0]\nblend = {{{shares}}}\n")
    code, out, err = call("layer l.toml")
    assert (code, out) == (2, "")
    assert "budget" in err


def test_an_archive_that_unfolds_to_more_than_the_budget_is_refused(call, write, tmp_path):
    import zipfile

    import numpy as np

    with (
        zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("x.npy", "w", force_zip64=True) as file,
    ):
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (2, 10**6)})
        file.write(bytes(16 * 10**6))
    write(f'tokens = "x.npz"\n{GOAL}')
    code, _, err = call("layer l.toml --budget 1e8")
    assert code == 2
    assert "budget" in err
