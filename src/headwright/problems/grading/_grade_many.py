"""grade_many: many answer files graded in worker processes; an answer that takes too long ends its worker, not the run.

    2 seconds of computing for an answer, 5 times as long on the clock of a busy machine; 4 GiB of address space

The worker is killed, the answer is reported as stopped, a new worker takes the rest of the file. Workers send lines
of JSON only, and their parent never reads an answer file itself.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, final

from headwright.problems.answers.answer_files import AnswerFile
from headwright.problems.answers.safe_text import plain
from headwright.problems.catalogue import load
from headwright.problems.grading._grade import Rules, assembled, result_of, ungraded
from headwright.problems.grading.grades import Grade
from headwright.problems.grading.messages import PERSON
from headwright.problems.grading.results import Result

SECONDS = 2.0
_PATIENCE = 5  # seconds on the clock for each second of computing: other programs run, too
_START = 120.0  # seconds until a worker has loaded its libraries
_OUT_OF_TIME = -int(getattr(signal, "SIGPROF", 0))  # how a worker ends whose own clock rang; Windows has none
_TOO_LONG = f"judging it took too long: {PERSON}"
_DIED = f"judging it needed too much memory, or ended the judge: {PERSON}"
# -P keeps the current folder, which may be the strangers' own, out of the places that modules are imported from.
_CODE = "import sys; sys.path.append(sys.argv[1]); from headwright.problems.grading.worker import serve; serve()"


def grade_many(
    paths: Iterable[Path | str],
    *,
    assignment: Path | str | None = None,
    policy: str = "practical",
    problems: Path | str | None = None,
    jobs: int = 2,
    seconds: float = SECONDS,
) -> Iterator[Grade]:
    """The grades of the files as they come, in any order; a file that cannot be read has a grade that says so.

    `assignment` is an assignment's file, `problems` a teacher's problem file, and `policy` counts where there is no assignment.
    Every answer may compute for `seconds`.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ada.toml"
    >>> _ = path.write_text('A.1a = {q = "k_1"}')
    >>> [each.results["A.1a"].status for each in grade_many([path], jobs=1)]
    ['refuted']
    """
    # A wrong file is refused before any worker starts.
    rules = Rules.of(assignment, policy, None if problems is None else load(problems))
    tasks = deque(_Task(str(path)) for path in paths)
    crew = _Crew(
        min(max(jobs, 1), max(len(tasks), 1)), {"problems": problems, "assignment": assignment}, seconds, rules
    )
    try:
        yield from crew.run(tasks)
    finally:
        crew.stop()


@final
@dataclass
class _Task:
    """A file on its way: what is known of it, the results so far, and the piece of work that was begun."""

    path: str
    student: str | None = None
    digest: str = ""
    complaints: dict[str, str] = field(default_factory=dict)
    explanations: dict[str, str] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    begun: str | None = None
    given: str = ""
    unreadable: str | None = None
    deaths: int = 0

    def grade(self, rules: Rules) -> Grade:
        if self.unreadable is not None:
            return ungraded(self.path, self.unreadable, rules, digest=self.digest)
        file = AnswerFile(self.path, self.student, self.digest, {}, self.complaints, self.explanations)
        return assembled(file, self.results.values(), rules)


@final
class _Worker:
    """One process, the file it works on, and the time by which it must be heard of again."""

    def __init__(self, heard: queue.SimpleQueue[tuple[_Worker, str]]) -> None:
        self.task: _Task | None = None
        self.ready = False
        self.stopped_by_us = False
        self.due = monotonic() + _START
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `end`)
        root = str(Path(__file__).parents[3])
        alone = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CODE, root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env={**os.environ, **alone},
            text=True,
            encoding="ascii",
        )
        threading.Thread(target=self._listen, args=(heard,), daemon=True).start()

    def _listen(self, heard: queue.SimpleQueue[tuple[_Worker, str]]) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            heard.put((self, line))
        heard.put((self, ""))  # the end: the process is gone

    def send(self, job: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):  # it is gone already; its end will be heard
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()

    def end(self) -> str:
        """Kill the process; the last line it wrote about an error."""
        self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            with suppress(OSError):  # closing flushes what a dead process will not read
                self.process.stdin.close()
        if self.errors.closed:
            return ""
        self.errors.seek(0)
        said = self.errors.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        self.errors.close()
        return said[-1] if said else "no message"


@final
class _Crew:
    """The workers of one run and what they have been given."""

    def __init__(self, size: int, files: dict[str, Path | str | None], seconds: float, rules: Rules) -> None:
        self.heard: queue.SimpleQueue[tuple[_Worker, str]] = queue.SimpleQueue()
        self.files = {name: None if path is None else str(Path(path).resolve()) for name, path in files.items()}
        self.seconds = seconds
        self.rules = rules
        self.workers = [_Worker(self.heard) for _ in range(size)]

    def run(self, tasks: deque[_Task]) -> Iterator[Grade]:
        left = len(tasks)
        while left:
            for worker in self.workers:
                if worker.ready and worker.task is None and tasks:
                    self._give(worker, tasks.popleft())
            done = self._hear(tasks)
            if done is not None:
                left -= 1
                yield done.grade(self.rules)

    def stop(self) -> None:
        for worker in self.workers:
            worker.end()
        self.workers = []

    def _give(self, worker: _Worker, task: _Task) -> None:
        worker.task, task.begun = task, None
        job = {"path": os.path.abspath(task.path), "files": self.files, "seconds": self.seconds}
        worker.send({**job, "done": list(task.results)})
        worker.due = monotonic() + _START

    def _hear(self, tasks: deque[_Task]) -> _Task | None:
        """Wait for one line, or for the first deadline; a task that is finished."""
        waiting = [worker for worker in self.workers if not worker.ready or worker.task is not None]
        first = min(worker.due for worker in waiting)
        try:
            worker, line = self.heard.get(timeout=max(first - monotonic(), 0))
        except queue.Empty:
            for late in waiting:
                if late.due <= monotonic():
                    late.stopped_by_us = True
                    late.process.kill()  # its end will be heard
                    late.due = monotonic() + _START
            return None
        if worker not in self.workers:
            return None
        return self._take(worker, json.loads(line)) if line else self._bury(worker, tasks)

    def _take(self, worker: _Worker, message: dict[str, Any]) -> _Task | None:
        task = worker.task
        worker.ready = True
        if task is None:
            return None
        worker.due = monotonic() + _START
        if "begin" in message:
            task.begun, task.given = message["begin"], message.get("given", "")
            worker.due = monotonic() + _PATIENCE * self.seconds
        elif "file" in message:
            file = message["file"]
            task.student, task.digest = file["student"], file["digest"]
            task.complaints, task.explanations = file["complaints"], file["explanations"]
            task.begun = None
        elif "result" in message:
            task.begun = None
            task.results[message["result"]["id"]] = Result.from_dict(message["result"])
        elif "unreadable" in message or "end" in message:
            # The caller knows the file by the name that was given, and need not tell others where it lies.
            said = message.get("unreadable")
            task.unreadable = None if said is None else said.replace(os.path.abspath(task.path), task.path)
            worker.task = None
            return task
        return None

    def _bury(self, worker: _Worker, tasks: deque[_Task]) -> _Task | None:
        """A worker has ended: what it had begun is stopped, the rest of its file continues in a new one."""
        code = worker.process.wait()
        said, task = worker.end(), worker.task
        if not worker.ready:
            raise RuntimeError(f"the process that judges answers does not start: {plain(said)}")
        self.workers = [_Worker(self.heard) if other is worker else other for other in self.workers]
        if task is None:
            return None
        too_long = worker.stopped_by_us or code == _OUT_OF_TIME
        task.deaths += 1
        if task.begun:
            why = _TOO_LONG if too_long else _DIED
            stopped = result_of(self.rules.questions[task.begun], "stopped", why)
            task.results[task.begun] = replace(stopped, given=task.given)
        elif task.begun == "" or task.deaths > 2:
            task.unreadable = "reading the file " + ("took too long" if too_long else "ended the judge")
            return task
        tasks.appendleft(task)
        return None
