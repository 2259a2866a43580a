"""The table of planted bugs fits the sources; one of them, planted for real, is caught."""

import re
from collections import Counter

import pytest

from evidence.fork_server import COPIED, ForkServer
from evidence.planted_bugs import (
    BUGS,
    PARTS,
    PROVER_TESTS,
    ROOT,
    TESTS,
    Bug,
    Nursery,
    all_tests,
    kin_tests,
    likely_tests,
    plant,
    run,
)
from evidence.prover_bugs import ROWS


def test_there_are_enough_and_no_two_alike():
    assert len(BUGS) >= 30
    assert max(Counter(bug.name for bug in BUGS).values()) == 1
    assert max(Counter((bug.file, bug.right, bug.wrong) for bug in BUGS).values()) == 1


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_the_text_stands_in_the_sources_once(bug):
    text = (ROOT / "src" / "headwright" / bug.file).read_text("utf-8")
    assert text.count(bug.right) == 1
    assert bug.wrong != bug.right


def test_what_the_tests_import_is_copied():
    files = [
        file
        for name in (*TESTS, *PROVER_TESTS)
        for file in [ROOT / name, *(ROOT / name).rglob("*.py")]
        if file.is_file()
    ]
    texts = [file.read_text("utf-8") for file in [ROOT / "tests" / "conftest.py", *files]]
    imported = {name for text in texts for name in re.findall(r"^ *(?:from|import) (\w+)", text, re.MULTILINE)}
    assert {"handbook", "evidence"} <= {name for name in imported if (ROOT / name).is_dir()} <= {*COPIED}


def test_bugs_of_the_prover_run_its_own_tests_only():
    prover = {row[0] for row in ROWS}
    assert len(prover) >= 150
    for bug in BUGS:
        assert all_tests(bug) == (PROVER_TESTS if bug.name in prover else all_tests(bug))
        assert bug.name not in prover or likely_tests(bug)
    looked_at = {path for part in PARTS for path in (ROOT / "src" / "headwright").glob(part)}
    assert {ROOT / "src" / "headwright" / bug.file for bug in BUGS if bug.name in prover} <= looked_at
    assert all((ROOT / name).exists() for name in (*TESTS, *PROVER_TESTS))
    # What other claims use too, their tests may catch: these rows were run with the prover's alone, and "missed".
    shared = [bug for bug in BUGS if bug.file == "kernel/balls/ball_matrices.py" and bug.name not in prover]
    assert shared
    assert all(set(TESTS) | set(PROVER_TESTS) == set(all_tests(bug)) for bug in shared)


def test_bugs_whose_text_is_gone_are_an_error_before_the_run(tmp_path, monkeypatch):
    folder = tmp_path / "src" / "headwright" / "kernel" / "balls"
    folder.mkdir(parents=True)
    (folder / "ball.py").write_text(f"nothing here but {BUGS[3].right}", "utf-8")
    with pytest.raises(ValueError, match="its text stands 0 times"):
        plant(BUGS[0], tmp_path)
    monkeypatch.setattr("evidence.planted_bugs.ROOT", tmp_path)
    with pytest.raises(ValueError, match="these bugs") as said:
        run(tmp_path / "store", limit=4)
    assert [bug.name in str(said.value) for bug in BUGS[:4]] == [True, True, True, False]
    assert not (tmp_path / "store").exists()


LIBRARY = "def double(x):\n    return 2 * x\n"
SUITE = """
from headwright.numbers import double

def test_two():
    assert double(2) == 4

def test_three():
    assert double(3) == 6
"""


@pytest.fixture
def small_project(tmp_path):
    """A project of one module and one test file, laid out as ours."""
    library = tmp_path / "src" / "headwright"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("", "utf-8")
    (library / "numbers.py").write_text(LIBRARY, "utf-8")
    for name in TESTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".py"):
            (tmp_path / name).write_text(SUITE, "utf-8")
        else:
            (tmp_path / name).mkdir()
    (tmp_path / "pyproject.toml").write_text(
        "[tool.pytest.ini_options]\naddopts = ['--import-mode=importlib']", "utf-8"
    )
    return tmp_path


def numbers_bug(wrong):
    return Bug(wrong, "numbers.py", "2 * x", wrong)


def test_each_bug_meets_its_own_sources(small_project, monkeypatch):
    """Bugs of one length follow each other within a second, and the right sources come back after them."""
    monkeypatch.setattr("evidence.planted_bugs.ROOT", small_project)
    monkeypatch.setattr("evidence.planted_bugs.TESTS", ["tests/test_goals.py"])
    with Nursery(small_project) as nursery:
        assert nursery.first_failure(None) is None
        assert nursery.first_failure(numbers_bug("3 * x")) == "tests/test_goals.py::test_two"
        assert nursery.first_failure(numbers_bug("x * x")) == "tests/test_goals.py::test_three"
        assert nursery.first_failure(numbers_bug("x + x")) is None
        assert nursery.failures(["tests/test_goals.py::test_two", "tests/test_goals.py::test_three"]) == []
        hinted = nursery.first_failure(numbers_bug("4 * x"), "tests/test_goals.py::test_three")
        assert hinted == "tests/test_goals.py::test_three"
        for wrong, said in (
            ("2 * (x", "tests/test_goals.py"),
            ("__import__('os').abort()", "pytest itself stopped with code -6"),
        ):
            stopped = nursery.first_failure(numbers_bug(wrong), "tests/test_goals.py::test_gone")
            assert stopped.startswith(said)
        monkeypatch.setattr("evidence.planted_bugs.TESTS", ["tests/test_gone.py"])
        monkeypatch.setattr("evidence.planted_bugs.near_tests", lambda bug: [])
        with pytest.raises(ValueError, match="cannot be run at all"):
            nursery.first_failure(numbers_bug("3 * x"))


def test_other_sources_than_the_copy_are_an_error(small_project, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (small_project / "src").rename(elsewhere)
    test = small_project / "tests" / "test_goals.py"
    test.write_text(f"import sys\nsys.path.insert(0, {str(elsewhere)!r})\n{SUITE}", "utf-8")
    copy = tmp_path / "copy"
    (copy / "tests").mkdir(parents=True)
    test.rename(copy / "tests" / "test_goals.py")
    with ForkServer(copy) as server, pytest.raises(RuntimeError, match=r"numbers\.py"):
        server.run(["tests/test_goals.py"])


def test_a_bound_that_was_met_is_an_error(small_project):
    with ForkServer(small_project) as server:
        for line, seconds, said in (
            ("while True: pass", 0.5, r"test_goals\.py"),
            ("[0] * 2**60", 900, r"test_bound \(MemoryError"),
            ("import subprocess; subprocess.run(['sleep', '900'], timeout=0.01)", 900, r"test_bound \(TimeoutExpired"),
            ("import os; os.kill(0, 9)", 900, "killed from outside"),
        ):
            (small_project / "tests" / "test_goals.py").write_text(f"def test_bound():\n    {line}\n", "utf-8")
            with pytest.raises(TimeoutError, match=said):
                server.run(["tests/test_goals.py"], seconds=seconds)


def test_a_bug_without_a_result_fails_the_run(small_project, tmp_path, monkeypatch):
    bugs = [numbers_bug("[x] * 2**60"), numbers_bug("3 * x")]
    monkeypatch.setattr("evidence.planted_bugs.ROOT", small_project)
    monkeypatch.setattr("evidence.planted_bugs.TESTS", ["tests/test_goals.py"])
    monkeypatch.setattr("evidence.planted_bugs.Nursery", lambda: Nursery(small_project))
    monkeypatch.setattr("evidence.planted_bugs.BUGS", bugs)
    gone = dict.fromkeys("ab", "tests/test_goals.py::test_gone")
    assert kin_tests(bugs[0], {bugs[1].name: "tests/test_goals.py::test_two"}) == ["tests/test_goals.py::test_two"]
    assert kin_tests(bugs[0], {**gone, bugs[1].name: gone["a"]}) == []
    result = run(tmp_path / "store", limit=2)
    assert (result["holds"], result["bugs"], result["missed"]) == (False, 1, [])
    assert list(result["no_result"]) == [bugs[0].name]
