"""headwright autograder: what it writes, and what it refuses."""

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

HOMEWORK = 'title = "Homework 3"\nproblems = "own_problem.toml"\n[[question]]\nid = "A.1a"\n[[question]]\nid = "X.1"\n'
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def here(tmp_path):
    shutil.copy(EXAMPLES / "own_problem.toml", tmp_path)
    (tmp_path / "homework.toml").write_text(HOMEWORK, "utf-8")
    return tmp_path


def test_gradescope(call, here):
    code, out, _ = call("autograder gradescope homework.toml -o a.zip --visibility hidden")
    assert code == 0
    assert "Saved a.zip" in out
    archive = ZipFile(here / "a.zip")
    assert {"setup.sh", "run_autograder", "assignment/own_problem.toml"} <= set(archive.namelist())
    assert b"--visibility hidden" in archive.read("run_autograder")


def test_what_is_there_is_kept_unless_forced(call, answer, here):
    (here / "a.zip").write_text("mine", "utf-8")
    code, out, err = call("autograder gradescope homework.toml -o a.zip")
    assert (code, out) == (2, "")
    assert "`--output`" in err
    assert (here / "a.zip").read_text("utf-8") == "mine"
    code, told = answer("autograder gradescope homework.toml -o a.zip --force")
    assert (code, told["status"], told["output"]) == (0, "done", "a.zip")
    assert ZipFile(here / "a.zip").testzip() is None


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("gradescope none.toml -o a.zip", "`ASSIGNMENT`"),
        ("gradescope homework.toml", "--output"),
        ("gradescope -o a.zip", "ASSIGNMENT"),
        ("gradescope homework.toml -o a.tar", "`--output`"),
        ("gradescope homework.toml -o no/a.zip", "`--output`"),
        ("gradescope homework.toml -o a.zip --visibility never", "`--visibility`"),
        ("gradescope unknown.toml -o a.zip", "question 1 (A.9z): `id`"),
        ("gradescope misspelt.toml -o a.zip", "`policy`"),
        ("moodle homework.toml -o a.zip", "moodle"),
    ],
)
def test_usage_errors_write_nothing(call, here, line, named):
    (here / "unknown.toml").write_text('title = "H"\n[[question]]\nid = "A.9z"', "utf-8")
    (here / "misspelt.toml").write_text('title = "H"\npolicy = "lax"\n[[question]]\nid = "A.1a"', "utf-8")
    before = sorted(here.iterdir())
    code, out, err = call(f"autograder {line}")
    assert (code, out) == (2, "")
    assert named in err
    assert sorted(here.iterdir()) == before
