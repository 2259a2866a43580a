"""pytest run many times in one copy of the project, each time in a fresh process that need not import NumPy and pytest again.

A server process imports the libraries of `LIBRARIES` and nothing of ours. For each request it forks a child, which imports
headwright and the tests from the copy and runs pytest there, or a function of the copy's own. A child that loaded a file of
ours from anywhere else is an error and never a result. So is one that ran out of time or memory, or has a test that did: a busy
machine would decide.

This file is also the server's program. It is started as a script, because a server that had imported `evidence` would hand
that package to its children, in place of the copy's own.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from compileall import compile_dir
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any, NamedTuple, Self

LIBRARIES = (
    "pytest",
    "flint",
    "mpmath",
    "hypothesis.extra.numpy",
    "array_api_strict",
    "_hypothesis_pytestplugin",
    "_pytest.doctest",
    "_pytest.faulthandler",
    "_pytest.junitxml",
    "_pytest.pastebin",
    "_pytest.unittest",
    "pdb",
    "safetensors.numpy",
    "scipy.linalg",
    "scipy.optimize",
    "scipy.special",
    "scipy.stats",
)
OURS = ("headwright", "tests", "evidence", "benchmarks")
COPIED = ("src", "tests", "evidence", "handbook", "benchmarks", "docs", "examples")  # and the files beside them
MEMORY = 4 * 2**30  # bytes of address space for one child; a bug without a bound must not take the machine with it
PLUGINS = "_hypothesis_pytestplugin"  # what else is installed beside pytest takes longer to load than most tests to run
BOUNDS = (
    "MemoryError",
    "TimeoutError",
    "TimeoutExpired",
    "BrokenBarrierError",
    "FailedHealthCheck",
    "DeadlineExceeded",
)
REPORT, OUTPUT = "report.json", "output.txt"  # what a child leaves in the folder of the copy


class Outcome(NamedTuple):
    """How pytest ended: its exit code (minus the signal that killed it), the tests that failed, the end of its output.

    `found` is what the plugin that was asked for has found.
    """

    code: int
    failed: tuple[str, ...]
    tail: str
    found: Any = None


class ChildError(RuntimeError):
    """A child ended before it had an answer, by this code: minus the signal that ended it."""

    def __init__(self, code: int, tail: str) -> None:
        super().__init__(f"the child ended with code {code}: {tail}")
        self.code = code


class ForkServer:
    """A server for the project in `root`, which is a copy made for it: bytecode and reports are written there."""

    cpu = 0.0  # seconds of processor time that the children have taken

    def __init__(self, root: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self,
        tests: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        stop_at_first: bool = True,
        seconds: float = 900,
        plugin: Sequence[Any] = (),
    ) -> Outcome:
        """Run these tests; RuntimeError when they ran on other sources than the copy's.

        `plugin` names a class of the copy and what it is made with, such as ("evidence.runs_through:Tracer",). TimeoutError
        when the tests took too long, when they were killed as what runs out of memory is, and when a test failed by a bound on
        time or memory: that is no result, since the tests may end otherwise on a machine with less to do.
        """
        request = {"tests": [*tests, *(["-x"] if stop_at_first else [])], "plugin": [*plugin]}
        reply = self._asked(request, environment, seconds, f"pytest on {', '.join(tests)}")
        if reply["bounds"]:
            raise TimeoutError(f"a bound on time or memory was met by {', '.join(reply['bounds'])}")
        return Outcome(reply["code"], tuple(reply["failed"]), reply["tail"], reply["found"])

    def call(self, function: str, *arguments: Any, seconds: float = 900) -> Any:
        """What a function of the copy, such as "evidence.mutants:differing", returns in a child; ChildError if that died."""
        reply = self._asked({"call": [function, *arguments]}, {}, seconds, function)
        if reply["code"] != 0:
            raise ChildError(reply["code"], reply["tail"])
        return reply["found"]

    def _asked(
        self, request: dict[str, Any], environment: Mapping[str, str] | None, seconds: float, what: str
    ) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request |= {"environment": dict(environment or {}), "seconds": seconds}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server of forked tests ended with code {self._process.wait()}")
        reply: dict[str, Any] = json.loads(line)
        self.cpu += reply["cpu"]
        if reply["code"] is None:
            raise TimeoutError(f"more than {seconds:g} seconds were taken by {what}")
        if reply["code"] == -signal.SIGKILL:
            raise TimeoutError(f"killed from outside: {what}")
        if reply["elsewhere"]:
            raise RuntimeError(
                f"these files were imported, and are not part of the copy: {', '.join(reply['elsewhere'])}"
            )
        return reply

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Copy:
    """A copy of the project in `root`, in which one file at a time is changed, and a server that runs in it."""

    def __init__(self, root: Path) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.copy = Path(self._folder.name).resolve()
        for source in root.iterdir():
            if source.name in COPIED:
                shutil.copytree(
                    source, self.copy / source.name, ignore=shutil.ignore_patterns("__pycache__", ".partial")
                )
            elif source.is_file() and not source.name.startswith("."):
                shutil.copy(source, self.copy / source.name)
        # Bytecode that is checked against a hash of the source, and rewritten as such, can never be of another bug. By size
        # and time, as Python checks it by default, two bugs of one length planted within a second are the same file.
        compile_dir(self.copy, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        self.server = ForkServer(self.copy)

    @contextmanager
    def changed(self, file: str, source: str) -> Iterator[None]:
        """The copy with another source in this file of headwright."""
        path = self.copy / "src" / "headwright" / file
        right = path.read_bytes()
        path.write_text(source, "utf-8")
        try:
            yield
        finally:
            path.write_bytes(right)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close()
        self._folder.cleanup()


def serve() -> None:
    """Answer each line of standard input by one line of standard output, until the input ends."""
    for name in LIBRARIES:
        import_module(name)
    if loaded := sorted(_ours()):
        raise RuntimeError(f"the server must import nothing of ours, but it has {', '.join(loaded)}")
    for line in sys.stdin:
        print(json.dumps(_forked(json.loads(line))), flush=True)


def _forked(request: dict[str, Any]) -> dict[str, Any]:
    """Run the request in a child; `code` is None when its time was up."""
    report, output = Path(REPORT), Path(OUTPUT)
    report.unlink(missing_ok=True)
    before = sum(os.times()[2:4])
    output.write_bytes(b"")  # a child whose time is up may not have come so far as to open it
    child = multiprocessing.get_context("fork").Process(target=_child, args=(request,))
    child.start()
    assert child.pid is not None
    try:
        child.join(request["seconds"])
        code = child.exitcode
    finally:
        if child.exitcode is None:
            _kill_group(child.pid)
            child.join()
    found = {"failed": [], "elsewhere": [], "bounds": [], "found": None}
    if report.exists():
        found = json.loads(report.read_text("utf-8"))
    cpu = sum(os.times()[2:4]) - before
    return {"code": code, "tail": output.read_text("utf-8", "replace")[-300:], "cpu": cpu, **found}


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)  # the tests of the command line start processes of their own
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)


def _child(request: dict[str, Any]) -> None:
    os.setsid()
    _bound_memory()
    os.environ.update({"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **request["environment"]})
    with open(OUTPUT, "wb") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    # The server's folder is the copy, as for `python -m pytest`.
    sys.path.insert(0, os.getcwd())
    record = Record()
    if "call" in request:
        function, *given = request["call"]
        code, found = 0, _named(function)(*given)
    else:
        code, found = _tested(request, record)
    copy = Path.cwd()
    elsewhere = [path for path in _ours().values() if not Path(path).resolve().is_relative_to(copy)]
    Path(REPORT).write_text(json.dumps({**vars(record), "elsewhere": elsewhere, "found": found}), "utf-8")
    sys.exit(code)


def _tested(request: dict[str, Any], record: Record) -> tuple[int, Any]:
    import pytest

    plugin = None
    if request["plugin"]:
        made, *given = request["plugin"]
        plugin = _named(made)(*given)
    options = ["-q", "-p", "no:cacheprovider", "-p", PLUGINS, "--tb=no"]
    code = int(pytest.main([*request["tests"], *options], plugins=[record, *([plugin] if plugin else [])]))
    return code, getattr(plugin, "found", None)


def _named(dotted: str) -> Any:
    """A function or a class of the copy by its name, such as "evidence.mutants:net"."""
    module, _, name = dotted.partition(":")
    return getattr(import_module(module), name)


def _bound_memory() -> None:
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard), hard))


def _ours() -> dict[str, str]:
    """The loaded modules of the project, and their files."""
    loaded = [(name, getattr(module, "__file__", None)) for name, module in sys.modules.items()]
    return {name: file for name, file in loaded if name.split(".")[0] in OURS and file}


class Record:
    """A pytest plugin: the names of what failed, in order, and of what a bound on time or memory ended."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.bounds: list[str] = []

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        if call.excinfo is not None and call.excinfo.typename in BOUNDS:
            self.bounds.append(f"{item.nodeid} ({call.excinfo.typename})")

    def pytest_collectreport(self, report: Any) -> None:
        self._add(report)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._add(report)

    def _add(self, report: Any) -> None:
        if report.failed and report.nodeid not in self.failed:
            self.failed.append(report.nodeid)


if __name__ == "__main__":
    serve()
