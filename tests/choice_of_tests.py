"""Which tests a command runs. `tests/slow_tests.txt` names the slow ones; `make slow` measures all and writes it anew.

A line there is one case, `file::test[case]`, or a test with very many cases, `file::test[*]`: of those every tenth still counts
as usual. A name that fits no test any more does no harm: nothing is left out by it.
"""

from collections import Counter
from pathlib import Path

import pytest

NAMES = Path(__file__).with_name("slow_tests.txt")
SLOW = 420  # cases that `make slow` names
CROWDS = 13  # tests that it names for what their cases take together
CROWD = 40  # cases at least; with fewer, each counts for itself
KEPT = 10  # one case in so many of a crowd stays usual
QUICK = 2  # tests of each file that `make quick` runs
CASES = {
    "all": "every test",
    "usual": "all but the slow ones",
    "rest": "what `usual` leaves out where the extras are missing",
    "quick": "the rules of the house, and a few tests of every file",
}


def mark_slow(items):
    names, seen = set(NAMES.read_text("utf-8").splitlines()), Counter()
    for item in items:
        crowd = crowd_of(item.nodeid)
        seen[crowd] += 1
        if item.nodeid in names or (crowd in names and seen[crowd] % KEPT != 1):
            item.add_marker("slow")


def crowd_of(nodeid):
    """The name that stands for all cases of this case's test."""
    return f"{nodeid.partition('[')[0]}[*]"


def chosen(items, cases):
    """Those of the items that `cases` has."""
    if cases == "all":
        return items
    if cases == "rest":  # a doctest carries no marks, and what it imports may be an extra
        return [item for item in items if slow(item) or needs(item) or isinstance(item, pytest.DoctestItem)]
    usual = [item for item in items if not slow(item)]
    return first_cases(usual) if cases == "quick" else usual


def first_cases(items):
    """The rules of the house, and of every other file the first tests, one case of each.

    A test for which something is made that a whole file shares, such as a report, is not quick.
    """
    tests = {}
    for item in items:
        if not shares(item):
            tests.setdefault(item.path, {}).setdefault(getattr(item, "originalname", item.name), item)
    first = {item for path in tests for item in [*tests[path].values()][:QUICK]}
    return [item for item in items if item in first or "house" in item.path.parts]


def shares(item):
    fixtures = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return any(made.scope == "module" for several in fixtures.values() for made in several)


def slow(item):
    return item.get_closest_marker("slow") is not None


def needs(item):
    return item.get_closest_marker("needs") is not None


class Slowest:
    """A pytest plugin that names the slowest cases, and the crowds of cases that take longest together.

    What fixtures take is left aside: it falls to whichever test is first.
    """

    def __init__(self, file=NAMES, most=SLOW):
        self.file, self.most, self.seconds = file, most, {}

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.seconds[report.nodeid] = report.duration

    def pytest_terminal_summary(self, terminalreporter, exitstatus):
        if exitstatus != 0:
            terminalreporter.line(f"{self.file.name} stays as it was, since not all tests passed")
            return
        fastest_first = sorted(self.seconds, key=self.seconds.get)
        kept = {
            nodeid.partition("::")[0]: nodeid for nodeid in reversed(fastest_first)
        }  # a case of every file stays usual
        slowest = [nodeid for nodeid in reversed(fastest_first) if nodeid not in kept.values()][: self.most]
        cases, together = Counter(), Counter()
        for nodeid in self.seconds.keys() - set(slowest):
            cases[crowd_of(nodeid)] += 1
            together[crowd_of(nodeid)] += self.seconds[nodeid]
        crowds = [name for name, _ in together.most_common() if cases[name] >= CROWD][:CROWDS]
        self.file.write_text("".join(f"{name}\n" for name in sorted([*slowest, *crowds])), "utf-8")
        taken = sum(map(self.seconds.get, slowest)) + sum(together[name] for name in crowds) * (1 - 1 / KEPT)
        share = taken / (sum(self.seconds.values()) or 1)
        terminalreporter.line(f"{self.file.name}: what it leaves to `make test-all` takes {share:.0%} of the time")
