"""Which tests each command runs: together they run every test, and what the workers count is added up."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import choice_of_tests, kernels
from tests.choice_of_tests import QUICK, Slowest, chosen, first_cases, mark_slow
from tests.conftest import TALLY, pytest_make_collect_report, pytest_report_header, pytest_testnodedown

ROOT = Path(__file__).parents[2]


class Item:
    def __init__(self, file, test, case="", marks=()):
        self.path, self.marks = Path(file), marks
        self.originalname, self.case, self.name = test, case, f"{test}[{case}]"

    def get_closest_marker(self, name):
        return name if name in self.marks else None


def test_the_usual_tests_and_the_rest_are_all_tests():
    plain, slow, needy = Item("a.py", "x"), Item("a.py", "y", marks=["slow"]), Item("a.py", "z", marks=["needs"])
    items = [plain, slow, needy]
    assert chosen(items, "all") == items
    assert chosen(items, "usual") == [plain, needy]  # those whose extra is missing are gone before
    assert chosen(items, "rest") == [slow, needy]
    assert chosen(items, "quick") == [plain, needy]


def test_one_case_of_a_few_tests_of_every_file_and_the_whole_house():
    many = [Item("tests/a.py", f"test_{test}", case) for test in range(QUICK + 2) for case in range(3)]
    house = [Item("tests/house/b.py", "test_rule", case) for case in range(QUICK + 2)]
    quick = first_cases([*many, *house])
    assert [(item.originalname, item.case) for item in quick if item in many] == [
        (f"test_{i}", 0) for i in range(QUICK)
    ]
    assert [item for item in quick if item in house] == house


def test_certificates_of_all_workers_are_added_up_and_what_is_missing_is_named_once():
    config = SimpleNamespace(stash=pytest.Stash())
    config.stash[TALLY] = {"not run": Counter(), "slow": Counter(), "second opinion": Counter()}
    for judged in (5, 7):
        handed = {
            "not run": {"torch": 3},
            "slow": {"left out": 2},
            "second opinion": {"judged within-error": judged, "confirmed within-error": 4},
        }
        pytest_testnodedown(SimpleNamespace(config=config, workeroutput={"tally": handed}))
    pytest_testnodedown(SimpleNamespace(config=config))  # a worker that crashed hands over nothing
    assert config.stash[TALLY] == {
        "not run": {"torch": 3},
        "slow": {"left out": 2},
        "second opinion": {"judged within-error": 12, "confirmed within-error": 8},
    }


def test_continuous_integration_runs_the_usual_tests_and_the_rest():
    commands = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert {"make test", "make test-rest", "make test-kernels", "make check"} <= set(commands)


@pytest.mark.parametrize(("status", "named"), [(0, ["t::b", "t::c"]), (1, ["t::old"])])
def test_the_slowest_tests_are_named_where_all_passed(tmp_path, status, named):
    file = tmp_path / "slow.txt"
    file.write_text("t::old\n", "utf-8")
    slowest = Slowest(file, most=2)
    only = ("one::only", "call", 8)  # a case of every file stays usual
    for name, when, duration in [
        ("t::a", "call", 1),
        ("t::a", "setup", 9),
        ("t::c", "call", 2),
        ("t::b", "call", 3),
        only,
    ]:
        slowest.pytest_runtest_logreport(SimpleNamespace(nodeid=name, when=when, duration=duration))
    slowest.pytest_terminal_summary(SimpleNamespace(line=lambda text: None), status)
    assert file.read_text("utf-8").splitlines() == named


def test_of_a_crowd_of_cases_every_tenth_stays_usual(tmp_path, monkeypatch):
    file = tmp_path / "slow.txt"
    slowest = Slowest(file, most=1)
    for i in range(50):
        slowest.pytest_runtest_logreport(SimpleNamespace(nodeid=f"t::crowd[{i}]", when="call", duration=1 + i))
        slowest.pytest_runtest_logreport(SimpleNamespace(nodeid=f"t::{i}", when="call", duration=9))
    slowest.pytest_terminal_summary(SimpleNamespace(line=lambda text: None), 0)
    assert file.read_text("utf-8").splitlines() == ["t::crowd[*]", "t::crowd[49]"]
    monkeypatch.setattr(choice_of_tests, "NAMES", file)
    marked = []
    for i in range(50):
        marked.append(SimpleNamespace(nodeid=f"t::crowd[{i}]", marks=[]))
        marked[-1].add_marker = marked[-1].marks.append
    mark_slow(marked)
    assert [item.nodeid for item in marked if not item.marks] == [f"t::crowd[{i}]" for i in range(0, 49, 10)]


def test_the_usual_tests_prove_a_claim_of_every_kind():
    assert "test_nothing_depends_on_the_precision_at_rest" not in choice_of_tests.NAMES.read_text("utf-8")


@pytest.mark.parametrize(("file", "outcome"), [("tests/test_a.py", "failed"), ("src/headwright/a.py", "skipped")])
def test_a_test_file_that_cannot_be_imported_fails(file, outcome):
    report = pytest.CollectReport(file, "skipped", (file, 1, "Skipped: unable to import module"), [])
    wrapped = pytest_make_collect_report(None)
    next(wrapped)
    with pytest.raises(StopIteration) as ended:
        wrapped.send(report)
    assert ended.value.value.outcome == outcome


@pytest.mark.parametrize(
    ("has", "used", "why"),
    [
        ({"AVX2", "FMA3"}, ["Haswell (openblas 1)", "Haswell (openblas 2)"], ()),
        ({"AVX2"}, None, ("FMA3",)),  # nothing is asked of a library that would end the process
        ({"AVX2", "FMA3"}, ["Haswell (openblas 1)", "Zen (openblas 2)"], ("Zen",)),
        ({"AVX2", "FMA3"}, ["unknown to threadpoolctl"], ("unknown to threadpoolctl",)),
    ],
)
def test_a_kernel_that_the_machine_lacks_is_named_with_the_reason(has, used, why, monkeypatch, capfd):
    found = kernels.lacking("Haswell", has, lambda kernel: used)
    assert (found is None) == (why == ())
    assert all(part in str(found) for part in why)
    monkeypatch.setattr(kernels, "lacking", lambda kernel, *_: found if kernel == "Haswell" else "nobody asked")
    monkeypatch.setattr(kernels, "TESTS", ["--version"])
    assert kernels.main([]) == 0
    told = capfd.readouterr().out.splitlines()[-2:]
    assert told == [
        "Prescott: not run, since nobody asked",
        f"Haswell: not run, since {found}" if why else "Haswell: passed",
    ]


def test_a_failure_under_one_kernel_fails_the_command(monkeypatch, capfd):
    monkeypatch.setattr(kernels, "lacking", lambda *_: None)
    monkeypatch.setattr(kernels, "TESTS", [])
    assert kernels.main(["--no-such-option"]) == 1
    assert "Prescott: failed, with exit status 4\nHaswell: failed" in capfd.readouterr().out


def test_the_kernels_in_use_are_at_the_head_of_the_output():
    assert all((ROOT / name).exists() for name in kernels.TESTS)
    assert all(name in pytest_report_header() for name in kernels.in_use())
