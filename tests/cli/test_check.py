"""headwright check: what it prints and writes; it never stops, never tells the answer, and exits with 0 once it has graded."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import headwright as hw
from tests.facts import says

ROOT = Path(__file__).parents[2]
RIGHT, WRONG = '[A.1a]\nq = "2*log(n/eps)*k_1"\n', '[A.1a]\nq = "-log(n/eps)*k_1"\n'


@pytest.fixture
def write(tmp_path):
    def write(text, name="a.toml"):
        (tmp_path / name).write_text(text, "utf-8")

    return write


def test_the_example(call):
    code, out, err = call(f"check {ROOT / 'examples' / 'answers.toml'}")
    assert (code, err) == (0, "")
    for part in (
        "(Ada)",
        "A.1a    right  10 of 10",
        "read as 2·ln(n/ε)·k_1",
        "B.3b    right direction, too short",
        "E.1c    right up to n ≈ 10^41  10 of 10",
        "Sheet A: 10 of 100 points",
        "Sheet E: 10 of 80 points, mark 2",
        "no answer to 29 questions",
    ):
        assert part in out
    assert max(map(len, (line.rstrip() for line in out.splitlines()[1:]))) <= 80


def test_wrong_answers_and_wrong_formulas_are_told_and_exit_is_zero(call, write):
    write(f'{WRONG}[A.1b]\nq = "log(n/eps*(k_1+k_2)"\n[A.1d]\nq1 = "t*u"\n[A.9]\nq = "x"\n')
    code, out, err = call("check a.toml")
    assert (code, err) == (0, "")
    assert "A.1a    wrong  0 of 10" in out
    assert says(out, "A.1b", 0, 10)
    assert "      ^" in out  # the caret below the formula
    assert says(out, "A.1d")
    assert "q2" in out
    assert says(out, "A.9")


def test_messages_never_tell_the_answer_unless_asked(call, write):
    write(WRONG)
    ours = hw.problems.run("A.1a").construction
    flat = " ".join(call("check a.toml")[1].split())
    assert ours not in flat
    assert "2 ln(n/ε)" not in flat
    explained = " ".join(call("check a.toml --explain")[1].split())
    assert ours in explained


def test_json_is_the_library_answer(answer, write):
    write(RIGHT)
    code, told = answer("check a.toml")
    assert (code, told["status"], told["kept"]) == (0, "done", 0)
    assert told["grades"] == [hw.problems.grade("a.toml").to_dict()]


def test_gradescope(call, write, tmp_path):
    from tests.problems.test_grading import assert_gradescope

    write(RIGHT)
    code, out, _ = call("check a.toml --format gradescope --output results.json")
    assert (code, "results.json" in out) == (0, True)
    told = json.loads((tmp_path / "results.json").read_text())
    assert_gradescope(told)
    assert told["score"] == 10
    write("%PDF-1.7", "bad.toml")
    code, out, _ = call("check bad.toml --format gradescope")
    told = json.loads(out)
    assert_gradescope(told)
    assert (code, told["score"], told["tests"]) == (0, 0, [])
    assert "PDF" in told["output"]


def test_one_bad_file_never_stops_the_run(call, write, tmp_path):
    write(RIGHT + 'student = "x"\n', "odd.toml")
    write(f'student = "=Ada"\n{RIGHT}', "ada.toml")
    write("%PDF-1.7", "bad.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    code, out, err = call("check ada.toml bad.toml bytes.toml odd.toml none.toml --csv g.csv")
    assert (code, err) == (0, "")
    assert says(out, 10, 100)
    assert says(out, 5, 3)
    with (tmp_path / "g.csv").open(newline="") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    assert (rows["ada.toml"]["student"], rows["ada.toml"]["sheet A"], rows["ada.toml"]["A.1a"]) == (
        "'=Ada",
        "10",
        "right",
    )
    assert "PDF" in rows["bad.toml"]["unreadable"]
    assert "none.toml" in rows["none.toml"]["unreadable"]
    # Its student stands below a question, and so is a word beside the answer.
    assert (rows["odd.toml"]["A.1a"], rows["odd.toml"]["provisional"]) == ("proposal: right", "provisional")


def test_a_second_run_goes_on(call, write, tmp_path):
    write(RIGHT)
    write(WRONG, "b.toml")
    assert says(call("check a.toml b.toml --csv g.csv")[1], 2)
    write(RIGHT, "b.toml")
    write(RIGHT, "c.toml")
    code, out, _ = call("check a.toml b.toml c.toml --csv g.csv")
    assert code == 0
    assert says(out, 1)
    with (tmp_path / "g.csv").open(newline="") as file:
        rows = [(row["file"], row["sheet A"]) for row in csv.DictReader(file)]
    assert sorted(rows) == [("a.toml", "10"), ("b.toml", "10"), ("c.toml", "10")]
    assert says(call("check a.toml b.toml c.toml --csv g.csv")[1], 3)


def test_a_run_that_is_killed_goes_on(call, write, tmp_path):
    """A real process, killed without warning once its first rows are written."""
    for k in range(40):
        write(RIGHT if k % 2 else WRONG, f"{k:02}.toml")
    names = [f"{k:02}.toml" for k in range(40)]
    code = """
import sys
from headwright.cli import main
from headwright.problems.grading.grade_tables import GradeTable
real, rows = GradeTable.add, []
def add(table, grade):
    real(table, grade)
    rows.append(grade)
    if len(rows) == 2:
        print("two rows", file=sys.stderr, flush=True)
        sys.stdin.read()
GradeTable.add = add
main()
"""
    command = [sys.executable, "-c", code, "check", *names, "--csv", "g.csv", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    table = tmp_path / "g.csv"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, text=True, **pipes) as running:
        assert "two rows" in running.stderr.readline()
        running.kill()
    before = table.read_text("utf-8").count("\n") - 1
    out = call(f"check {' '.join(names)} --csv g.csv")[1]
    assert before == 2
    assert says(out, before)
    with table.open(newline="") as file:
        rows = {row["file"]: row["A.1a"] for row in csv.DictReader(file)}
    assert table.read_text("utf-8").count("\n") == 41
    assert rows == {name: ("right" if k % 2 else "wrong") for k, name in enumerate(names)}


def test_folders_and_patterns(call, write, tmp_path):
    (tmp_path / "in").mkdir()
    write(RIGHT, "in/a.toml")
    write(WRONG, "in/b.toml")
    write("no answers", "in/notes.csv")
    for line in ("check in --json", "check in/*.toml --json", "check in in/a.toml --json"):
        told = json.loads(call(line)[1])
        assert [Path(grade["path"]).name for grade in told["grades"]] == ["a.toml", "b.toml"]


def test_questions_of_ones_own(call):
    examples = ROOT / "examples"
    code, out, _ = call(f"check {examples / 'own_answers.toml'} --problems {examples / 'own_problem.toml'} --explain")
    assert code == 0
    for part in (
        "X.1     right  10 of 10",
        "X.2     wrong  0 of 5",
        "Sheet X: 10 of 15 points",
        "Our answer: q1 = t*u, q2 = t*k_2",
    ):
        assert part in out


def test_text_to_a_file(call, write, tmp_path):
    write(RIGHT)
    assert "out.txt" in call("check a.toml --output out.txt")[1]
    assert "A.1a    right  10 of 10" in (tmp_path / "out.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("check", "Missing argument"),
        ("check none.toml", "`ANSWERS`"),
        ("check a.toml --format xml", "`--format`"),
        ("check a.toml b.toml --format gradescope", "`--format gradescope`"),
        ("check a.toml --csv no/g.csv", "`--csv`"),
        ("check a.toml --output no/g.txt", "`--output`"),
        ("check a.toml --problems none.toml", "`path`"),
        ("check a.toml --problems a.toml", "`A`"),
        ("check a.toml --csv a.toml", "`--csv`"),
        ("check a.toml --jobs 0", "'--jobs'"),
    ],
)
def test_wrong_calls(call, write, tmp_path, line, said):
    write(RIGHT)
    write(RIGHT, "b.toml")
    code, out, err = call(line)
    assert (code, out) == (2, "")
    assert said in err
    assert (tmp_path / "a.toml").read_text() == RIGHT


def test_progress_on_a_terminal_only(call, write, monkeypatch):
    write(RIGHT)
    write(WRONG, "b.toml")
    assert call("check a.toml b.toml")[2] == ""
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda self: True, raising=False)
    assert says(call("check a.toml b.toml")[2], 1, 2)


def test_escape_sequences_do_not_reach_the_terminal(call, write):
    write('student = "\\u001b[31mAda"\n["\\u001b[2J"]\nq = 1\n[A.1a]\nq = "k_1\\u001b[2J"\n')
    assert "\x1b" not in call("check a.toml")[1]
