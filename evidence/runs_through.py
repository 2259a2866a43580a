"""Which tests and which stored certificates run through which lines of headwright: found once for given sources, and kept.

Each test file, and the docstrings of each folder, run in a child of their own under the tracer of coverage.py, as `make test`
runs them: without the slow tests, and without those that need an extra, even where extras are installed. The second opinion is
off. What does not pass is left out. A certificate is proved again from its file; later outcomes are compared with this one.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import pytest

from evidence.fork_server import COPIED, Copy
from evidence.partial import Partial

ALONE = {"HEADWRIGHT_NO_SECOND_OPINION": "1"}
EXTRAS = (
    "torch",
    "jax",
    "ml_dtypes",
    "matplotlib",
    "anywidget",
    "marimo",
    "playwright",
    "nbgrader",
    "otter",
    "latex2mathml",
)
EXTRAS += ("ipykernel", "nbclient", "material", "axe_playwright_python")
AT_A_TIME = 600  # certificates in one child
PATIENCE = 1800  # seconds for one child, on a machine that has other work
PACKAGE = "src/headwright/"
CONFTEST = "tests/conftest.py"  # it speaks of examples in docstrings too, and is not loaded for these alone


class Ran(NamedTuple):
    """A test or a certificate, what it took, the number of lines that it ran, and the outcome of a certificate."""

    name: str
    seconds: float
    size: int
    outcome: tuple[str, str] = ("", "")


class RunsThrough:
    """The map, by file of headwright. `spread(function, cases)` is `map`, with a copy as the first argument."""

    def __init__(self, store: Path, root: Path, spread: Callable[..., Iterable[Any]]) -> None:
        self.left_out: dict[str, str] = {}
        self._tests: list[Ran] = []
        self._certificates: list[Ran] = []
        self._lines: dict[
            tuple[bool, str], list[tuple[int, int]]
        ] = {}  # (certificates?, file): number and lines as bits
        cases = [*map(str, range(0, number_of_certificates(), AT_A_TIME)), *test_files(root)]
        with Partial(store, __file__, parts=()) as partial:
            todo = [case for case in cases if case not in partial]
            for case, row in zip(todo, spread(_examined, todo), strict=True):
                partial.add(case, row)
            for case in cases:
                self._take(case, partial[case])

    def _take(self, case: str, row: dict[str, Any]) -> None:
        if "left out" in row:
            self.left_out[case] = row["left out"]
        for name, (seconds, outcome, lines) in row["ran"].items():
            several = self._certificates if case.isdecimal() else self._tests
            bits = {row["files"][int(number)]: int(text, 16) for number, text in lines.items()}
            for file, own in bits.items():
                self._lines.setdefault((case.isdecimal(), file), []).append((len(several), own))
            several.append(Ran(name, seconds, sum(own.bit_count() for own in bits.values()), tuple(outcome)))

    @cached_property
    def known(self) -> dict[str, Ran]:
        return {ran.name: ran for ran in (*self._tests, *self._certificates)}

    def tests(self, file: str, lines: Iterable[int]) -> list[Ran]:
        """The tests that run through one of the lines."""
        return [self._tests[k] for k in self._through(False, file, lines)]

    def certificates(self, file: str, lines: Iterable[int]) -> list[Ran]:
        return [self._certificates[k] for k in self._through(True, file, lines)]

    def _through(self, certificates: bool, file: str, lines: Iterable[int]) -> Iterator[int]:
        wanted = sum(1 << line for line in set(lines))
        return (k for k, own in self._lines.get((certificates, file), []) if own & wanted)

    def beside(self, tests: Sequence[Ran]) -> list[Ran]:
        """The other tests of the same files: they may share what one of these has made."""
        files, names = {test.name.partition("::")[0] for test in tests}, {test.name for test in tests}
        return [test for test in self._tests if test.name.partition("::")[0] in files and test.name not in names]


def digest_of(root: Path) -> str:
    """SHA-256 of all that the copies hold, but for the results of evidence: a line that moves changes the map."""
    total = sha256()
    for path in sorted(path for name in COPIED for path in (root / name).rglob("*") if path.is_file()):
        name = path.relative_to(root).as_posix()
        if "__pycache__" not in name and not name.startswith("evidence/.") and not _is_result(path, root):
            content = path.read_bytes()
            total.update(f"{name} {len(content)}\n".encode() + content)
    return total.hexdigest()


def _is_result(path: Path, root: Path) -> bool:
    return path.parent == root / "evidence" and path.suffix != ".py"


def number_of_certificates() -> int:
    from tests.many_certificates import certificates

    return len(certificates())


def test_files(root: Path) -> list[str]:
    """The test files, and the folders with examples in docstrings."""
    paths = [path.relative_to(root) for path in (root / "tests").rglob("test_*.py")]
    folders = {
        path.parent.relative_to(root) for path in (root / PACKAGE).rglob("*.py") if ">>>" in path.read_text("utf-8")
    }
    return [path.as_posix() for path in sorted([*paths, *folders])]


@contextmanager
def crew(root: Path, processes: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """`map` with so many copies of the project, one of which is the first argument of each call."""
    copies: SimpleQueue[Copy] = SimpleQueue()
    made: list[Copy] = []
    with ThreadPoolExecutor(processes) as pool:
        try:
            for _ in range(processes):
                made.append(Copy(root))
                _lay_out(made[-1])
                copies.put(made[-1])

            def spread(function: Callable[[Copy, Any], Any], cases: Iterable[Any]) -> Iterable[Any]:
                def one(case: Any) -> Any:
                    copy = copies.get()
                    try:
                        return function(copy, case)
                    finally:
                        copies.put(copy)

                return pool.map(one, cases)

            yield spread
        finally:
            pool.shutdown(cancel_futures=True)
            for copy in made:
                copy.__exit__()


def _lay_out(copy: Copy) -> None:
    """The certificates, as files of the copy."""
    from tests.many_certificates import certificates

    for each in certificates():
        path = copy.copy / path_of(each.name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(each.content)


def path_of(certificate: str) -> Path:
    """Where a certificate lies in a copy."""
    return Path("certificates", f"{certificate.replace('/', '_')}.safetensors")


def _examined(copy: Copy, case: str) -> dict[str, Any]:
    try:
        if case.isdecimal():
            from tests.many_certificates import certificates

            names = [each.name for each in certificates()[int(case) : int(case) + AT_A_TIME]]
            found = copy.server.call("evidence.runs_through:proved_again", names, seconds=PATIENCE)
        else:
            place = (
                [case]
                if case.endswith(".py")
                else sorted(f"{case}/{path.name}" for path in (copy.copy / case).glob("*.py"))
            )
            outcome = copy.server.run(
                [*place, CONFTEST, "--cases", "usual"],
                ALONE,
                stop_at_first=False,
                seconds=PATIENCE,
                plugin=("evidence.runs_through:Tracer",),
            )
            if outcome.code not in (0, 1, 5):  # 5: no tests
                return {"left out": outcome.tail, "files": [], "ran": {}}
            found = outcome.found
    except TimeoutError as error:
        return {"left out": str(error), "files": [], "ran": {}}
    files = sorted({file for _, _, lines in found.values() for file in lines})
    numbers = {file: str(k) for k, file in enumerate(files)}
    packed = {
        name: (round(seconds, 4), outcome, {numbers[file]: f"{_bits(own):x}" for file, own in lines.items()})
        for name, (seconds, outcome, lines) in found.items()
    }
    return {"files": files, "ran": packed}


def _bits(lines: Iterable[int]) -> int:
    return sum(1 << line for line in lines)


# What follows runs in a child, in the copy.


def without_extras() -> None:
    """Make imports of the extras fail, so that the same tests run wherever the extras are installed."""
    sys.meta_path.insert(0, _NoExtras())


class _NoExtras:
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"no extras here: {name}", name=name)


class Traced:
    """The lines of headwright that run inside `with traced:`, by file, and the processor time, subprocesses included."""

    def __init__(self) -> None:
        import coverage

        self._home = Path.cwd() / PACKAGE
        self._coverage = coverage.Coverage(data_file=None, config_file=False, include=[f"{self._home}/*"])
        self._coverage.set_option("run:disable_warnings", ["no-data-collected", "trace-changed", "module-not-measured"])

    def __enter__(self) -> Traced:
        self._coverage.erase()
        self._began = sum(os.times()[:4])
        self._coverage.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._coverage.stop()
        self.seconds = sum(os.times()[:4]) - self._began
        data = self._coverage.get_data()
        self.lines = {
            Path(file).relative_to(self._home).as_posix(): data.lines(file) or [] for file in data.measured_files()
        }


class Tracer:
    """A pytest plugin: `found` has what each test that passed took, and the lines that it ran."""

    def __init__(self) -> None:
        without_extras()
        self.found: dict[str, tuple[float, tuple[str, str], dict[str, list[int]]]] = {}
        self._traced = Traced()
        self._passed = True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Any:
        self._passed = False
        with self._traced:
            done = yield
        if self._passed:
            self.found[item.nodeid] = (self._traced.seconds, ("", ""), self._traced.lines)
        return done

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call":
            self._passed = report.passed
        elif report.failed:
            self._passed = False


def proved_again(names: Sequence[str]) -> dict[str, tuple[float, tuple[str, str], dict[str, list[int]]]]:
    """What each certificate took, its outcome, and the lines that ran. A first run of all of them fills what is kept."""
    from headwright.kernel.certificate import verify  # the whole base, before anything is traced

    found, traced = {}, Traced()
    for name in names:
        path = path_of(name)
        with traced:
            said = outcome_of(verify, path)
        began = time.process_time()
        said = outcome_of(verify, path)
        found[name] = (time.process_time() - began, said, traced.lines)
    return found


def outcome_of(verify: Callable[[Path], Any], path: Path) -> tuple[str, str]:
    verdict = verify(path)
    return verdict.status, repr(getattr(verdict, "bound", None))
