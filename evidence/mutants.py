"""Small slips in headwright, one at a time, and which of them the stored certificates and the tests of today notice.

The sample is seeded: `BASE` mutants of the trusted base, at least `LEAST` of each file, and `OUTSIDE` of the rest, by folder.
Each is written into a copy of the project and judged in freshly forked children. First the certificates whose proof runs through
the changed line are proved again: another status, another bound or an exception is a kill. Then the tests that run through the
line run, until one fails. What takes `LOOPS` times what it usually takes is killed too, in processor time, so that a busy machine
decides nothing. What meets another bound on time or memory has no result: it is named, and a later run judges it again.

Which certificates and tests are chosen depends on the lines that they run and not on how long they take; the quickest go first.
"""

from __future__ import annotations

import ast
import math
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial as given
from hashlib import sha256
from itertools import chain, islice, zip_longest
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any, NamedTuple

import pytest

from evidence.fork_server import ChildError, Copy
from evidence.mutations import Mutant, mutants
from evidence.partial import LIBRARY, Partial, digest
from evidence.runs_through import (
    ALONE,
    CONFTEST,
    Ran,
    RunsThrough,
    crew,
    digest_of,
    outcome_of,
    path_of,
    without_extras,
)
from evidence.trusted_base import lines_of

CLAIM = "of small slips in the trusted base and outside it, how many today's certificates and tests notice; the others are listed"
ROOT = LIBRARY.parents[1]
SEED, BASE, OUTSIDE, LEAST = 31, 2500, 1500, 15
PRICED = ("spend", "hold")  # a call of these may be missing; another price is no slip
CERTIFICATES, TESTS = 40, 40  # for one mutant, at most
LOOPS = 20
FLOOR = 0.5  # seconds: what takes less is taken to take so long
WAITS = (
    300  # seconds by the clock, and more where tests take long: what still has no answer then may be waiting for itself
)
# Each of these judges all questions, and would take longer than all others together. They are left to the folder of the report.
TOO_LARGE = ("tests/reports/test_report.py::", "tests/reports/test_tour.py::", "tests/problems/test_argued.py::")
CURRENT = "current.txt"  # in a copy: the test that runs


class Slip(NamedTuple):
    file: str
    in_base: bool
    mutant: Mutant

    @property
    def case(self) -> str:
        own = sha256(self.mutant.source.encode()).hexdigest()[:12]
        return f"{self.file}:{self.mutant.line} {own}"


class End(NamedTuple):
    """What ended a stage: the certificate or test, and how."""

    killer: str
    how: str


def run(store: Path, *, limit: int | None = None, processes: int | None = None, root: Path = ROOT) -> dict[str, Any]:
    library = root / "src" / "headwright"
    slips = sample(library)[:limit]
    store = store / "mutants" / digest_of(root)[:16]
    with crew(root, processes or os.cpu_count() or 1) as spread:
        through = RunsThrough(store, root, spread)
        with Partial(store, __file__, parts=()) as partial:
            no_result: dict[str, str] = {}
            todo = [slip for slip in slips if slip.case not in partial]
            for slip, row in zip(todo, spread(given(judge, through), todo), strict=True):
                if "no result" in row:
                    no_result[slip.case] = row["no result"]
                else:
                    partial.add(slip.case, row)
            rows = {slip.case: partial[slip.case] for slip in slips if slip.case in partial}
        blind = blind_among(rows.values(), through, spread)
    for case in [case for case, row in rows.items() if row["killer"] in blind]:
        no_result[case] = f"{rows.pop(case)['killer']} fails without a change too"
    return {
        "holds": not no_result and not through.left_out,
        "base": digest(__file__, library, parts=[*lines_of(library)]),
        **summed(slips, rows, no_result),
        "without a map": through.left_out,
    }


def sample(library: Path = LIBRARY) -> list[Slip]:
    """The mutants to be judged, in a seeded order, so that the first of them are a sample as well."""
    base, made, lines = lines_of(library), {}, Counter[str]()
    for path in sorted(library.rglob("*.py")):
        file, source = path.relative_to(library).as_posix(), path.read_text("utf-8")
        part = file if file in base else folder_of(file)
        made.setdefault((file in base, part), []).extend(
            Slip(file, file in base, mutant) for mutant in mutants(source, priced=PRICED)
        )
        lines[part] += len(source.splitlines())
    chosen: list[Slip] = []
    for in_base, total in ((True, BASE), (False, OUTSIDE)):
        parts = {part: slips for (where, part), slips in made.items() if where == in_base}
        sizes = {part: len(slips) if in_base else lines[part] for part, slips in parts.items()}
        for part, count in shares(total, sizes, {part: len(slips) for part, slips in parts.items()}).items():
            chosen += Random(f"{SEED} {part}").sample(parts[part], count)
    Random(SEED).shuffle(chosen)
    return chosen


def folder_of(file: str) -> str:
    return f"{PurePosixPath(file).parent}/"


def shares(total: int, sizes: Mapping[str, int], most: Mapping[str, int]) -> dict[str, int]:
    """`LEAST` for each, or all where there are fewer, and the rest in proportion to the sizes."""
    counts = {name: min(LEAST, most[name]) for name in sizes}
    for _ in range(total - sum(counts.values())):
        if open_ := [name for name in sizes if counts[name] < most[name]]:
            counts[max(open_, key=lambda name: sizes[name] / (counts[name] + 1))] += 1
    return counts


def judge(through: RunsThrough, copy: Copy, slip: Slip) -> dict[str, Any]:
    """By which stage, certificate or test the mutant is killed, and how; what each stage ran, and its processor time."""
    lines, row = shown_at(slip.mutant), {"stage": None, "killer": None, "how": None, "ran": {}, "seconds": {}}
    certificates = chosen(through.certificates(slip.file, lines) if slip.in_base else [], CERTIFICATES)
    tests = chosen(small_enough(slip.file, through.tests(slip.file, lines)), TESTS)
    tests += chosen(small_enough(slip.file, through.beside(tests)), TESTS - len(tests))
    with copy.changed(slip.file, slip.mutant.source):
        for stage, ask, some in (("net", proofs_of, certificates), ("tests", tests_of, tests)):
            row["ran"][stage], before = len(some), copy.server.cpu
            try:
                end = ask(copy, some) if some else None
            except TimeoutError as error:
                return {"no result": f"{slip.mutant}: {error}"}
            row["seconds"][stage] = round(copy.server.cpu - before, 2)
            if end:
                return row | {"stage": stage, **end._asdict()}
    return row


def small_enough(file: str, tests: Sequence[Ran]) -> list[Ran]:
    return [ran for ran in tests if file.startswith("reports/") or not ran.name.startswith(TOO_LARGE)]


def chosen(runs: Sequence[Ran], most: int) -> list[Ran]:
    """At most so many, those that run least of the library, of each kind one in turn; the quickest of them first."""
    kinds: dict[tuple[str, ...], list[Ran]] = {}
    for ran in sorted(runs, key=lambda ran: (ran.size, ran.name)):
        test, certificate = ran.name.partition("[")[0], ran.name.partition("/")[0]
        kinds.setdefault((certificate, ran.outcome[0]) if ran.outcome[0] else (test,), []).append(ran)
    in_turn = filter(None, chain.from_iterable(zip_longest(*kinds.values())))
    return sorted(islice(in_turn, most), key=lambda ran: ran.seconds)


def shown_at(mutant: Mutant) -> set[int]:
    """The lines of which one runs where the change may show.

    That is the statement. Of what runs at import it is where its names are used in functions, or else any line of a function.
    """
    tree = ast.parse(mutant.plain)
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= mutant.line <= (node.end_lineno or node.lineno)
    ]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    *outer, own = around
    if isinstance(own, ast.FunctionDef):  # a default
        return set(range(own.body[0].lineno, (own.end_lineno or 0) + 1))
    if any(isinstance(node, ast.FunctionDef) for node in outer):
        body = getattr(own, "body", None)
        last = max(own.lineno, body[0].lineno - 1) if body else own.end_lineno or own.lineno
        return {mutant.line} if isinstance(own, ast.Match) else {mutant.line, *range(own.lineno, last + 1)}
    names = {node.id for node in ast.walk(own) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    inside = [node for function in functions for statement in function.body for node in ast.walk(statement)]
    uses = {
        node.lineno
        for node in inside
        if (isinstance(node, ast.Name) and node.id in names) or (isinstance(node, ast.Attribute) and node.attr in names)
    }
    return uses or {node.lineno for node in inside if isinstance(node, ast.stmt)}


def proofs_of(copy: Copy, certificates: Sequence[Ran]) -> End | None:
    """The first certificate whose outcome is another."""
    usual = sum(each.seconds for each in certificates)
    asked = [(each.name, *each.outcome) for each in certificates]
    try:
        found = copy.server.call(
            "evidence.mutants:differing", asked, True, LOOPS * max(FLOOR, usual), seconds=WAITS + LOOPS * usual
        )
    except ChildError as died:
        if died.code > 0:
            raise TimeoutError(str(died)) from died  # memory
        return End("certificates", ended_by(-died.code))
    return End(*found[0]) if found else None


def tests_of(copy: Copy, tests: Sequence[Ran]) -> End | None:
    """The first test that fails."""
    limits = {test.name: LOOPS * max(FLOOR, test.seconds) for test in tests}
    outcome = copy.server.run(
        [*dict.fromkeys(name.partition("::")[0] for name in limits), CONFTEST],
        ALONE,
        seconds=WAITS + LOOPS * sum(test.seconds for test in tests),
        plugin=("evidence.mutants:Chosen", limits),
    )
    if outcome.code in (0, 5):  # 5: none of the tests has its old name
        return None
    if outcome.code in (1, 2) and outcome.failed:
        return End(outcome.failed[0], "failed")
    return End((copy.copy / CURRENT).read_text("utf-8"), ended_by(-outcome.code))


def ended_by(code: int) -> str:
    return "time" if code == signal.SIGXCPU else f"ended with code {-code}"


def blind_among(
    rows: Iterable[Mapping[str, Any]], through: RunsThrough, spread: Callable[..., Iterable[Any]]
) -> set[str]:
    """The certificates and tests among the killers that come out otherwise on the sources as they are."""
    killers = {row["killer"] for row in rows if row["how"] and not row["how"].startswith(("time", "ended"))}
    some = sorted(killers & through.known.keys())
    parts = [[through.known[name] for name in some[start : start + 100]] for start in range(0, len(some), 100)]
    return {name for names in spread(_blind, parts) for name in names}


def _blind(copy: Copy, runs: Sequence[Ran]) -> list[str]:
    certificates = [(ran.name, *ran.outcome) for ran in runs if ran.outcome[0]]
    tests = {ran.name: math.inf for ran in runs if not ran.outcome[0]}
    found = [name for name, _ in copy.server.call("evidence.mutants:differing", certificates, False, math.inf)]
    files = [*dict.fromkeys(name.partition("::")[0] for name in tests), CONFTEST]
    outcome = copy.server.run(files, ALONE, stop_at_first=False, plugin=("evidence.mutants:Chosen", tests))
    return [*found, *outcome.failed]


def summed(
    slips: Sequence[Slip], rows: Mapping[str, Mapping[str, Any]], no_result: Mapping[str, str]
) -> dict[str, Any]:
    """Counts by file and folder, with the share killed of those that have a result, and the survivors."""
    places: dict[str, dict[str, Counter[str]]] = {"all": {}, "folders": {}, "files": {}}
    for slip in slips:
        row = rows.get(slip.case)
        ended = "no result" if row is None else row["stage"] or "survived"
        where = "trusted base" if slip.in_base else "outside"
        for kind, place in (("all", where), ("folders", f"{where}: {folder_of(slip.file)}"), ("files", slip.file)):
            places[kind].setdefault(place, Counter())[ended] += 1
    alive = [slip for slip in slips if slip.case in rows and rows[slip.case]["stage"] is None]
    return {
        **{kind: {place: shown(counts) for place, counts in sorted(own.items())} for kind, own in places.items()},
        "how": Counter(
            row["how"] if row["how"] in ("failed", "time") else row["stage"] for row in rows.values() if row["stage"]
        ),
        "survivors": [
            [slip.file, slip.mutant.line, slip.mutant.was, slip.mutant.now, rows[slip.case]["ran"]]
            for slip in sorted(alive, key=lambda slip: (slip.file, slip.mutant.line))
        ],
        "no result": dict(no_result),
    }


def shown(counts: Counter[str]) -> dict[str, Any]:
    killed = counts["net"] + counts["tests"]
    judged = killed + counts["survived"]
    return {
        **{name: counts[name] for name in ("net", "tests", "survived", "no result")},
        "share": killed / judged if judged else None,
    }


# What follows runs in a child, in the copy.


def differing(certificates: Sequence[Sequence[str]], stop_at_first: bool, seconds: float) -> list[tuple[str, str]]:
    """The certificates that do not come out as they did, and how they do."""
    bound_processor_time(seconds)
    found = []
    for name, *outcome in certificates:
        try:
            from headwright.kernel.certificate import verify

            said = outcome_of(verify, path_of(name))
        except MemoryError:
            raise
        except BaseException as error:
            said = (type(error).__name__, "")
        if said != tuple(outcome):
            found.append((name, f"{' '.join(outcome)} became {' '.join(said)}"))
            if stop_at_first:
                break
    return found


class Chosen:
    """A pytest plugin: it runs these tests only, in this order, each for so many seconds of processor time at most."""

    def __init__(self, limits: dict[str, float]) -> None:
        without_extras()
        self._limits = limits
        self._start("what pytest does before the first test", LOOPS)

    def _start(self, name: str, seconds: float) -> None:
        bound_processor_time(seconds)
        Path(CURRENT).write_text(name, "utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        named = {item.nodeid: item for item in items}
        items[:] = [named[name] for name in self._limits if name in named]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: Any) -> None:
        self._start(item.nodeid, self._limits[item.nodeid])


def bound_processor_time(seconds: float) -> None:
    """SIGXCPU ends this process when it has worked for so many seconds more. How busy the machine is does not matter."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    resource.setrlimit(
        resource.RLIMIT_CPU, (hard if math.isinf(seconds) else math.ceil(time.process_time() + seconds), hard)
    )
