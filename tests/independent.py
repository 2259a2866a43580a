"""The standalone checker as a third party: a process of its own judges the file of every verdict that the tests bring about.

The process has the standard library and the one file, and nothing of headwright.
"""

import atexit
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import headwright_check

PROGRAM = Path(headwright_check.__file__)
_LOOP = """
import runpy, sys
checker = runpy.run_path(sys.argv[1])
checker["checked"].__globals__["BASE_BUDGET"] = 2_000_000  # what takes longer stays open: tests are many
for line in sys.stdin:
    print(checker["check"](line.rstrip("\\n"))[0], flush=True)
"""
WORDS = {"proved": "confirmed", "refuted": "refuted", "undecided": "open"}


class Checker:
    """The process; `judge` gives the word for one file."""

    def __init__(self):
        self._folder = TemporaryDirectory()
        self.path = Path(self._folder.name) / "c.safetensors"
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _LOOP, PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        atexit.register(self.close)

    def judge(self, path=None):
        self._process.stdin.write(f"{path or self.path}\n")
        self._process.stdin.flush()
        word = self._process.stdout.readline().strip()
        assert word, "the checker ended"
        return word

    def close(self):
        self._process.communicate()
        self._folder.cleanup()


@cache
def checker(process):
    """One for each process of the tests: a fork must not write into its parent's."""
    return Checker()


def agrees(verdict):
    """Whether the third party finds the same; AssertionError if it finds the contrary, or no certificate.

    None for a claim that no file can hold: a test has its arrays packed, as those of other kinds are.
    """
    from headwright.kernel import budget
    from tests.certificate_files import write

    if verdict.record.packed != (verdict.record.kind == "runs-program"):
        return None
    with budget.within():  # what this costs is not the test's
        own = checker(os.getpid())
        write(own.path, verdict.record, verdict)
    word = own.judge()
    assert word in (WORDS[verdict.status], "open"), f"the standalone checker says {word}, but\n{verdict}"
    return word != "open"
