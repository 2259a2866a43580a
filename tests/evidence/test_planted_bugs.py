"""The table of planted bugs fits the sources; one of them, planted for real, is caught."""

from collections import Counter

import pytest

from evidence.planted_bugs import BUGS, PARTS, PROVER_TESTS, ROOT, TESTS, all_tests, failures, likely_tests, plant
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


def test_bugs_of_the_prover_run_its_own_tests_only():
    prover = {row[0] for row in ROWS}
    assert len(prover) >= 150
    for bug in BUGS:
        assert all_tests(bug) == (PROVER_TESTS if bug.name in prover else all_tests(bug))
        assert bug.name not in prover or likely_tests(bug)
    looked_at = {path for part in PARTS for path in (ROOT / "src" / "headwright").glob(part)}
    assert {ROOT / "src" / "headwright" / bug.file for bug in BUGS if bug.name in prover} <= looked_at
    assert all((ROOT / name).exists() for name in (*TESTS, *PROVER_TESTS))


def test_a_bug_whose_text_is_gone_is_an_error(tmp_path):
    folder = tmp_path / "src" / "headwright" / "balls"
    folder.mkdir(parents=True)
    (folder / "ball.py").write_text("nothing here", "utf-8")
    with pytest.raises(ValueError, match="its text stands 0 times"):
        plant(BUGS[0], tmp_path)


def test_failures_are_named(tmp_path):
    """pytest run as for a planted bug, on one test that passes and one that fails."""
    for name in TESTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".py"):
            (tmp_path / name).write_text("def test_good():\n    assert True\n", "utf-8")
        else:
            (tmp_path / name).mkdir()
    assert list(failures(tmp_path)) == []
    (tmp_path / "tests/test_goals.py").write_text("def test_bad():\n    assert False\n", "utf-8")
    assert list(failures(tmp_path)) == ["tests/test_goals.py::test_bad"]
