"""The commands as a user meets them: what they print, what they write, and their exit codes."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import headwright as hw
from headwright.cli import app
from headwright.kernel.certificate import load
from headwright.kernel.verdict import Undecided
from tests.facts import says


def test_bare_call_helps_on(call):
    code, out, err = call("")
    assert (code, err) == (0, "")
    for command in ("headwright tour", "headwright problems", "headwright --help"):
        assert command in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_commands_it_names_work(call):
    _, welcome, _ = call("")
    named = [line.removeprefix("  headwright ") for line in welcome.splitlines() if line.startswith("  headwright ")]
    assert len(named) == 3
    for command in named:
        assert call(command)[0] == 0, command


@pytest.mark.parametrize("line", ["--help", "-h", "--version", "design --help", "certify --help", "verify --help"])
def test_help(call, line):
    code, out, err = call(line)
    assert (code, err) == (0, "")
    assert "headwright" in out


def test_python_m_headwright():
    done = subprocess.run([sys.executable, "-m", "headwright"], capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert "headwright tour" in done.stdout


def test_a_pipe_that_knows_no_bars_gets_something(tmp_path):
    command = [sys.executable, "-m", "headwright", "design", "--orthonormal", "4", "--copy", "1"]
    code = f"import sys; sys.argv = {command[2:]!r}; sys.stdout.reconfigure(encoding='ascii');"
    done = subprocess.run(
        [sys.executable, "-c", f"{code} from headwright.cli import main; main()"], capture_output=True
    )
    assert done.returncode == 0, done.stderr


def test_tampered_certificate_is_refused(call, answer, tmp_path):
    call("design --orthonormal 5 --copy 2 --save c.safetensors")
    whole = bytearray((tmp_path / "c.safetensors").read_bytes())
    whole[-1] ^= 1
    (tmp_path / "d.safetensors").write_bytes(whole)
    code, out, err = call("verify d.safetensors")
    assert (code, out) == (2, "")
    assert "d.safetensors" in err
    code, told = answer("verify c.safetensors d.safetensors missing.safetensors")
    assert (code, told["status"]) == (2, "error")
    assert [file["status"] for file in told["files"]] == ["proved", "error", "error"]


def test_certify_refuted(call, tmp_path):
    np.savetxt(tmp_path / "k.csv", np.eye(3), delimiter=",")
    np.save(tmp_path / "q.npy", np.array([2.0, 0, 0]))
    code, out, err = call("certify --keys k.csv --query q.npy --copy 0 --error 0.01 --save r.safetensors")
    assert (code, err) == (1, "")
    assert out.startswith("Refuted: ")
    assert load(tmp_path / "r.safetensors").kind == "within-error"
    assert call("verify r.safetensors")[0] == 1


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("--copy 0", 0),
        ("--copy 0 --radius 0.001", 0),
        ("--copy 0 --radius 0.001 --norm ball", 0),
        ("--copy 0 --radius 1", 1),
        ("--of 0 --at-least 0.99", 0),
        ("--of 0 --at-most 0.99", 1),
        ("--of 0 --at-least 0.99 --radius 0.001", 0),
        ("--of 0", 2),
        ("--of 0 --copy 0 --at-least 0.9", 2),
        ("--at-least 0.9 --copy 0", 2),
        ("--of 3 --at-least 0.9", 2),
        ("--copy 0 --radius 0.1 --norm cube", 2),
        ("--copy 0 --mix 1,x", 2),
        ("--copy 0 --mix 1,1", 2),
        ("--copy 0 --scale nan", 2),
        ("--copy 0 --error 1/0", 2),
        ("--top 0", 0),
        ("--top 0 --gap 9", 0),
        ("--top 0 --gap 9.1", 1),
        ("--top 1", 1),
        ("--top 0 --gap 8.9 --radius 0.001", 0),
        ("--top 0 --error 0.01", 2),
        ("--copy 0 --gap 1", 2),
        ("--of 0 --top 0 --at-least 0.9", 2),
        ("--of 0 --gap 1 --at-least 0.9", 2),
        ("--top 0 --gap wide", 2),
        ("--top 0 --copy 0", 2),
    ],
)
def test_certify_codes(answer, tmp_path, options, code):
    np.save(tmp_path / "q.npy", np.array([9.0, 0, 0]))
    got, told = answer(f"certify --orthonormal 3 --query q.npy {options}")
    assert got == code
    assert told["status"] == {0: "proved", 1: "refuted", 2: "error"}[code]


def test_failed_assumption_is_an_answer(call, answer, tmp_path):
    np.save(tmp_path / "k.npy", np.array([[1.0, 0], [0.6, 0.8], [0, 1]]))
    line = "design --keys k.npy --average 0,2 --method closed-form"
    code, out, err = call(line)
    assert (code, out) == (1, "")
    assert says(err, 1, 2, "0.8")
    assert answer(line)[1]["status"] == "assumption failed"


def test_undecided_is_3(call, monkeypatch, tmp_path):
    np.save(tmp_path / "q.npy", np.ones(3))
    monkeypatch.setattr("headwright.search.certify.certify", lambda *_, **__: Undecided("a claim", next_step="wait"))
    code, out, _ = call("certify --orthonormal 3 --query q.npy --copy 0")
    assert code == 3
    assert out.startswith("Undecided: a claim")


def test_a_fault_of_ours_is_4(call, monkeypatch):
    monkeypatch.setattr("headwright.search.design.design", lambda *_, **__: 1 / 0)
    code, out, err = call("design --orthonormal 3 --copy 0")
    assert (code, out) == (4, "")
    assert "ZeroDivisionError" in err
    assert "Traceback" not in err
    assert "Traceback" in call("--traceback design --orthonormal 3 --copy 0")[2]
    monkeypatch.setenv("HEADWRIGHT_TRACEBACK", "1")
    assert "Traceback" in call("design --orthonormal 3 --copy 0")[2]


def test_problems_lists_them_all(call, answer):
    code, out, _ = call("problems")
    assert code == 0
    _, told = answer("problems")
    assert told["total"] == len(told["questions"]) == len(hw.problems.CATALOGUE)
    assert told["running"] == told["total"]
    assert says(out.splitlines()[-1], told["total"])
    assert all(f"  {question['id']} " in out for question in told["questions"])
    assert max(map(len, out.splitlines())) <= 80


def test_problems_shows_one(call):
    code, out, _ = call("problems A.1b")
    assert code == 0
    for part in ("10 points", "q = ln(n/ε) (k_1 + k_2).", "* key 0  0.4950  ███", "Ours: Proved", "Published: Proved"):
        assert part in out


def test_a_refuted_published_answer_is_no_failure(answer):
    code, told = answer("problems C.1.1d")
    assert code == 0
    assert told["published"]["status"] == "refuted"


def test_a_caption_begins_with_a_capital_and_keeps_its_own(call, monkeypatch):
    found = hw.problems.run("A.1b")
    shown = replace(found, caption="columns of XΠ", also=(("rows of ΠX", found.weights),))
    monkeypatch.setattr("headwright.problems.run", lambda _: shown)
    out = call("problems A.1b")[1]
    assert "\nColumns of XΠ" in out
    assert "\nRows of ΠX:" in out


def test_tour_writes_its_report(answer, tmp_path):
    code, told = answer("tour --out mine.html")
    assert (code, told) == (0, {"status": "done", "report": "mine.html"})
    assert (tmp_path / "mine.html").stat().st_size > 0


def test_no_colour_where_none_is_wanted(call, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in call("design --orthonormal 4 --copy 1")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[32m" not in call("design --orthonormal 4 --copy 1")[1]


def test_every_command_offers_json():
    below = [command for group in app.app.registered_groups for command in group.typer_instance.registered_commands]
    assert below
    for command in [*app.app.registered_commands, *below]:
        assert "as_json" in command.callback.__annotations__, command.name


def test_verify_lists_what_a_verdict_rests_on(call, answer):
    """The files of its claim and the reader of certificates; none of a search."""
    call("design --orthonormal 3 --copy 0 --save c.safetensors")
    code, told = answer("verify --trust c.safetensors")
    files = told["files"][0]["trust"]
    assert (code, "kernel/within_error.py" in files, "kernel/certificate.py" in files) == (0, True, True)
    assert {name.partition("/")[0] for name in files} == {"kernel"}
    said = f"{len(files)} files of headwright, {sum(files.values()):,} lines"
    assert says(call("verify --trust c.safetensors")[1], said, "kernel/within_error.py")


def test_verify_has_a_budget(call):
    call("design --orthonormal 5 --copy 2 --save c.safetensors")
    code, out, err = call("verify c.safetensors --budget 100")
    assert (code, out) == (2, "")
    assert "budget" in err
    assert call("verify c.safetensors --budget 1e11")[0] == 0


def test_certify_a_batch_of_key_sets(call, answer, tmp_path, rng):
    keys = np.stack([np.eye(3), -np.eye(3), np.eye(3)])
    np.save(tmp_path / "k.npy", keys)
    np.save(tmp_path / "q.npy", 9 * np.eye(3)[:1].repeat(3, axis=0))
    code, out, err = call("certify --keys k.npy --query q.npy --copy 0 --save b.safetensors")
    assert (code, err) == (1, "")
    assert says(out, "2 proved", "1 refuted")
    assert hw.verify(tmp_path / "b.safetensors").status == "proved"
    got, told = answer("certify --keys k.npy --query q.npy --copy 0")
    assert (got, told["status"], told["verdicts"]["counts"]) == (
        1,
        "refuted",
        {"proved": 2, "refuted": 1, "undecided": 0},
    )
    assert [row["status"] for row in told["verdicts"]["key_sets"]] == ["proved", "refuted", "proved"]
    np.save(tmp_path / "one.npy", 9 * np.eye(3)[0])
    np.save(tmp_path / "same.npy", keys[::2])
    assert answer("certify --keys same.npy --query one.npy --top 0")[0] == 0
    assert call("certify --keys same.npy --query one.npy --top 0 --save t.safetensors")[0] == 2
    assert call("certify --keys k.npy --query k.npy --mix equal --copy 0")[0] in (0, 1)  # three heads for each key set
    assert call("design --keys k.npy --copy 0")[0] == 2
    assert call("certify --keys k.npy --along 0=0.5 --query one.npy --copy 0 --confidence 0.9")[0] == 2


def test_a_saved_design_is_verified_and_read(call, answer, tmp_path):
    assert call("design --orthonormal 5 --average 1,2 --save d.safetensors")[0] == 0
    design = hw.load(tmp_path / "d.safetensors")
    assert (design.goal, design.verdict.status) == (hw.Average(1, 2), "proved")
    code, told = answer("verify d.safetensors")
    assert (code, told["files"][0]["status"], told["files"][0]["design"]["goal"]) == (0, "proved", "Average(1, 2)")
    assert told["files"][0]["design"]["norm"] == pytest.approx(design.norm)
    assert says(call("verify d.safetensors")[1], "Average(1, 2)", "least-norm")
