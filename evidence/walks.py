"""The walks through the house: which files four calls enter, and through how many they go at the deepest.

A call is made twice, so that nothing is imported or read for the first time in the one that is looked at. Depth counts the
changes of file on the stack.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import numpy as np

import headwright as hw
from evidence.partial import LIBRARY

CLAIM = "the check of a formula goes through 18 files or fewer"
MOST_FILES = 18
_ANSWERS = '[A.1a]\nq = "2*log(n/eps)*k_1"\n'


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """Files and depth of each walk; `store` and `limit` are not needed."""
    walks = {name: walked(work) for name, work in WALKS.items()}
    return {"holds": len(walks["check of a formula"]["files"]) <= MOST_FILES, "walks": walks}


def walked(work: Callable[[], object]) -> dict[str, object]:
    """The files of the library that a call enters, and the depth of its deepest stack."""
    files: set[str] = set()
    deepest = 0

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal deepest
        if event == "call" and frame.f_code.co_filename.startswith(str(LIBRARY)):
            files.add(Path(frame.f_code.co_filename).relative_to(LIBRARY).as_posix())
            deepest = max(deepest, _depth(frame))

    work()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return {"files": sorted(files), "depth": deepest}


def _depth(frame: FrameType | None) -> int:
    depth, last = 0, ""
    while frame is not None:
        name = frame.f_code.co_filename
        if name != last and name.startswith(str(LIBRARY)):
            depth, last = depth + 1, name
        frame = frame.f_back
    return depth


def _design_and_verify() -> None:
    keys = np.random.default_rng(0).normal(size=(12, 5))
    verdict = hw.certify(keys, hw.design(keys, hw.Copy(3)))
    with tempfile.TemporaryDirectory() as folder:
        hw.save(Path(folder) / "claim", verdict)
        hw.verify(Path(folder) / "claim").expect()


def _outcome() -> None:
    keys = hw.GaussianKeys(np.eye(5), along={0: 0.5})
    hw.outcome(keys, 9 * np.eye(5)[:2].sum(axis=0), hw.Average(0, 1)).probability(0.1)


def _check() -> None:
    hw.problems.check("A.1a", {"q": "2*log(n/eps)*k_1"})


def _grade() -> None:
    """What `headwright check` does with a file, but for its worker processes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.toml"
        path.write_text(_ANSWERS, "utf-8")
        hw.problems.grade(path)


WALKS: dict[str, Callable[[], object]] = {
    "design → verify": _design_and_verify,
    "outcome": _outcome,
    "check of a formula": _check,
    "headwright check": _grade,
}
