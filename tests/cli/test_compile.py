"""headwright compile: what it prints, writes and answers, and how it names what is wrong with a file or a word."""

import os

import pytest

from headwright.programs import compile as compiled
from headwright.programs.program_files import read_program
from headwright.proofs import load
from tests.facts import says

HISTOGRAM = """
vocabulary = "abcd"
length = 8
output = "histogram"
[steps]
histogram = "count(tokens matches my tokens)"
"""
SECOND = """
vocabulary = ["the", "cat", "sat"]
length = 5
output = "next"
[steps]
next = "pick(tokens where at(1))"
"""
MEAN = """
vocabulary = "ab"
length = 5
causal = true
output = "share"
error = 0.01
[steps]
is_a = {map = "tokens", table = {a = 1}, otherwise = 0}
share = "mean(is_a)"
"""


@pytest.fixture
def write(tmp_path):
    return lambda text, name="p.toml": (tmp_path / name).write_text(text, "utf-8")


def test_a_program_and_a_word(call, write, tmp_path):
    write(HISTOGRAM)
    code, out, err = call("compile p.toml --word abacad --save c.safetensors")
    assert (code, err) == (0, "")
    assert says(out, 8, 4, "blocks", "parameters", "float64", "head 0", "0.25")
    assert "\nProved: " in out
    for row in ("word     a b a c a d", "program  3 1 3 1 3 1", "model    3 1 3 1 3 1"):
        assert row in out
    assert max(map(len, out.splitlines())) <= 80
    assert load(tmp_path / "c.safetensors").kind == "runs-program"
    assert call("verify c.safetensors")[0] == 0


def test_json_is_the_library_answer(answer, write, tmp_path):
    write(HISTOGRAM)
    code, told = answer("compile p.toml --word abacad --word d")
    asked = read_program(tmp_path / "p.toml")
    model = compiled(asked.program, asked.output)
    assert (code, told["status"], told["saved"]) == (0, "proved", None)
    assert told["verdict"] == model.verdict.to_dict()
    assert told["model"]["parameters"] == model.parameters
    assert told["model"]["blocks"] == len(model.blocks)
    assert {part["step"] for part in told["model"]["parts"]} == {"histogram"}
    assert [own["tokens"] for own in told["words"]] == [list("abacad"), ["d"]]
    assert (
        [own["program"] for own in told["words"]]
        == [own["model"] for own in told["words"]]
        == [[3, 1, 3, 1, 3, 1], [1]]
    )


def test_options_replace_entries(answer, write):
    write("error = 0.4\ndtype = 'float64'\n" + HISTOGRAM)
    for line, dtype, error in (("", "float64", 0.4), ("--dtype float32 --error 0.125", "float32", 0.125)):
        code, told = answer(f"compile p.toml {line}")
        assert (code, told["model"]["dtype"]) == (0, dtype)
        assert told["verdict"]["bound_value"] <= error
    assert answer("compile p.toml --dtype real")[1]["model"]["dtype"] == "real"


def test_a_mean_is_shown_as_a_number(call, answer, write):
    write(MEAN)
    code, told = answer("compile p.toml --word aab")
    (own,) = told["words"]
    assert (code, own["program"]) == (0, ["1", "1", "2/3"])
    assert own["model"] == pytest.approx([1, 1, 2 / 3], abs=0.01)
    assert "0.6667" in call("compile p.toml --word aab")[1]


def test_a_word_of_long_tokens(monkeypatch, capsys, tmp_path, write):
    from headwright.cli import main

    write(SECOND)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["compile", "p.toml", "--word", "the cat sat"])
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert "word     the cat sat" in out
    assert "model    cat cat cat" in out


def test_a_long_word_is_shown_in_pieces(call, write):
    write(HISTOGRAM.replace("8", "60"))
    out = call(f"compile p.toml --word {'abcd' * 15}")[1]
    assert out.count("  model ") > 1
    assert max(map(len, out.splitlines())) <= 80
    assert "".join(line[9:] for line in out.splitlines() if line.startswith("  word")).split() == list("abcd" * 15)


def test_a_word_without_an_output(call, answer, write):
    write(SECOND.replace('["the", "cat", "sat"]', '"abc"'))
    code, told = answer("compile p.toml --word a --word ab")
    one, two = told["words"]
    assert (code, told["status"]) == (3, "proved")
    assert (one["program"], one["model"]) == (None, None)
    assert "next" in one["reason"]
    assert two["program"] == two["model"] == ["b", "b"]
    code, out, _ = call("compile p.toml --word a")
    assert code == 3
    assert says(out, "next", "position 0")


@pytest.mark.parametrize("word", ["abx", "abcdabcda", "''"])
def test_a_word_that_is_none_is_refused_before_the_work(call, write, monkeypatch, word):
    write(HISTOGRAM)
    monkeypatch.setattr("headwright.programs.compile", None)
    code, out, err = call(f"compile p.toml --word {word}")
    assert (code, out) == (2, "")
    assert "`word`" in err


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("absent.toml", "`path`"),
        ("p.toml --error 0", "`error`"),
        ("p.toml --error -1", "`error`"),
        ("p.toml --error much", "`error`"),
        ("p.toml --dtype float16", "`dtype`"),
        ("p.toml --save absent/c.safetensors", "`--save`"),
        ("p.toml --budget 1000", "budget"),
        ("p.toml --words ab", "--words"),
        ("", "FILE"),
    ],
)
def test_a_wrong_call_is_named(call, write, line, name):
    write(HISTOGRAM)
    code, out, err = call(f"compile {line}")
    assert (code, out) == (2, "")
    assert name in err


def test_a_wrong_file_names_its_entry(call, answer, write):
    write(HISTOGRAM.replace("matches my", "matches"))
    code, out, err = call("compile p.toml --save c.safetensors")
    assert (code, out) == (2, "")
    assert says(err, "p.toml", "`steps.histogram`", "`my`")
    assert not os.path.exists("c.safetensors")
    assert answer("compile p.toml")[1]["status"] == "error"


def test_what_cannot_be_proved_is_not_found(call, answer, write):
    write(MEAN)
    code, told = answer("compile p.toml --dtype float32 --error 1e-9 --save c.safetensors")
    assert (code, told["status"], told["saved"]) == (3, "not found", None)
    assert not os.path.exists("c.safetensors")


def test_what_is_impossible_is_unreachable_and_can_be_saved(call, answer, write, tmp_path):
    write(HISTOGRAM)
    code, told = answer("compile p.toml --causal --save c.safetensors")
    assert (code, told["status"], told["verdict"]["status"]) == (1, "unreachable", "proved")
    assert load(tmp_path / "c.safetensors").kind == "needs-later"
    assert call("verify c.safetensors")[0] == 0


def test_too_few_layers_name_the_steps(call, write):
    write(SECOND.replace("at(1)", "at(n - 1)") + 'n = "length()"\n')
    code, out, _ = call("compile p.toml --layers 1")
    assert code == 3
    assert says(out, "n,", "next", "2")
