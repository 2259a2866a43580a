"""The worker process: it reads jobs, judges one answer after the other, and writes what it finds as lines of JSON.

A line {"begin": …} stands before every piece of work and one with its outcome after it, so that whoever started the
process knows what it died of. It cannot write files, its memory is bounded, and an answer that computes too long ends
the process, where the system offers such limits. It sends nothing but JSON, so reading its lines is
safe.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO, Any

from headwright.problems.answers.answer_files import read_answers
from headwright.problems.catalogue import CATALOGUE, load
from headwright.problems.grading import _grade
from headwright.problems.grading.given_answers import as_given
from headwright.problems.problem import Problem

MEMORY = 4 * 2**30  # of address space, libraries included
_MOST_KNOWN = 1024
_KNOWN: dict[Any, dict[str, Any]] = {}  # results of this process, by teacher's file, question and texts


def serve() -> None:
    """Judge the jobs of the standard input until it ends."""
    lines = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # whatever a library prints must not be taken for a line of ours
    warm_up()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    limit_resources()
    _send(lines, {"ready": True})
    for job in sys.stdin:
        _work(json.loads(job), lines)


def warm_up() -> None:
    """Judge one answer before any clock runs, so that all libraries are loaded."""
    question = next(problem for problem in CATALOGUE.values() if problem.family.basis)
    _grade.judged(question, {name: f"0*{question.family.basis[0]}" for name in question.answers})


def limit_resources() -> None:
    """No core file, no growing file, bounded address space: as far as this system knows such limits."""
    sys.dont_write_bytecode = True
    try:
        import resource
    except ImportError:  # Windows
        return
    for kind, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_AS, MEMORY)):
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):  # a limit that this system does not take
            continue


def _work(job: dict[str, Any], lines: IO[str]) -> None:
    """One file: its reading, then every answer that is not done yet."""
    questions = _questions(**job["files"])
    _send(lines, {"begin": ""})
    _clock(job["seconds"])
    try:
        file = read_answers(Path(job["path"]), ids=questions)
    except (ValueError, TypeError, OSError) as error:
        _clock(0)
        _send(lines, {"unreadable": str(error)})
        return
    _clock(0)
    texts = {"complaints": dict(file.complaints), "explanations": dict(file.explanations)}
    _send(lines, {"file": {"student": file.student, "digest": file.digest, **texts}})
    for name, answer in file.answers.items():
        if name not in job["done"]:
            _send(lines, {"begin": name, "given": as_given(answer)})
            _clock(job["seconds"])
            result = _result(job["files"], name, answer)
            _clock(0)
            _send(lines, {"result": result})
    _send(lines, {"end": True})


def _result(files: dict[str, str | None], name: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """The result as it is sent. An answer that many students give is judged once, unless judging it did not finish."""
    texts = tuple((key, value) for key, value in answer.items() if isinstance(value, str))
    key = (*files.values(), name, texts) if len(texts) == len(answer) else None
    if key in _KNOWN:
        return _KNOWN[key]
    result = _grade.judged(_questions(**files)[name], answer).sent()
    if key is not None and result["status"] not in ("stopped", "fault"):
        if len(_KNOWN) >= _MOST_KNOWN:
            del _KNOWN[next(iter(_KNOWN))]  # the oldest
        _KNOWN[key] = result
    return result


@cache
def _questions(problems: str | None, assignment: str | None) -> Mapping[str, Problem]:
    """The questions of the assignment, or the sheets' and those of a teacher's file; a file is read once."""
    return _grade.Rules.of(assignment, problems=None if problems is None else load(problems)).questions


def _clock(seconds: float) -> None:
    """End this process after so many seconds of computing; 0 stops the clock. Waiting for a busy machine does not count."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _send(lines: IO[str], message: dict[str, Any]) -> None:
    lines.write(json.dumps(message) + "\n")
    lines.flush()
