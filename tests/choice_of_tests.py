"""Which tests a command runs. `tests/slow_tests.txt` names the slow ones; `make slow` measures all and writes it anew.

A name in that file that fits no test any more does no harm: nothing is left out by it.
"""

from pathlib import Path

import pytest

NAMES = Path(__file__).with_name("slow_tests.txt")
SLOW = 60  # tests that `make slow` names
QUICK = 2  # tests of each file that `make quick` runs
CASES = {
    "all": "every test",
    "usual": "all but the slow ones",
    "rest": "what `usual` leaves out where the extras are missing",
    "quick": "the rules of the house, and a few tests of every file",
}


def mark_slow(items):
    names = set(NAMES.read_text("utf-8").splitlines())
    for item in items:
        if item.nodeid in names:
            item.add_marker("slow")


def chosen(items, cases):
    """Those of the items that `cases` has."""
    if cases == "all":
        return items
    if cases == "rest":  # a doctest carries no marks, and what it imports may be an extra
        return [item for item in items if slow(item) or needs(item) or isinstance(item, pytest.DoctestItem)]
    usual = [item for item in items if not slow(item)]
    return first_cases(usual) if cases == "quick" else usual


def first_cases(items):
    """The rules of the house, and of every other file the first tests, one case of each."""
    tests = {}
    for item in items:
        tests.setdefault(item.path, {}).setdefault(getattr(item, "originalname", item.name), item)
    first = {item for path in tests for item in [*tests[path].values()][:QUICK]}
    return [item for item in items if item in first or "house" in item.path.parts]


def slow(item):
    return item.get_closest_marker("slow") is not None


def needs(item):
    return item.get_closest_marker("needs") is not None


class Slowest:
    """A pytest plugin that names the slowest tests. What fixtures take is left aside: it falls to whichever test is first."""

    def __init__(self, file=NAMES, most=SLOW):
        self.file, self.most, self.seconds = file, most, {}

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.seconds[report.nodeid] = report.duration

    def pytest_terminal_summary(self, terminalreporter, exitstatus):
        if exitstatus != 0:
            terminalreporter.line(f"{self.file.name} stays as it was, since not all tests passed")
            return
        slowest = sorted(self.seconds, key=self.seconds.get, reverse=True)[: self.most]
        self.file.write_text("".join(f"{name}\n" for name in sorted(slowest)), "utf-8")
        share = sum(map(self.seconds.get, slowest)) / (sum(self.seconds.values()) or 1)
        terminalreporter.line(f"{self.file.name}: the {len(slowest)} slowest tests take {share:.0%} of the time")
