"""The archive that a teacher uploads to Gradescope, which unpacks it into /autograder/source.

setup.sh            runs once, when the image is built
run_autograder      runs for every submission, and writes /autograder/results/results.json
headwright-….whl    this installation of headwright
constraints.txt     the versions of what it needs
assignment/         the assignment and the files it names
"""

from __future__ import annotations

import json
from pathlib import Path

from headwright.problems.gradescope.assignment_files import assignment_files
from headwright.problems.gradescope.on_gradescope import failure
from headwright.problems.gradescope.wheels import constraints, wheel, zipped
from headwright.problems.grading.gradescope import checked

_HERE = Path(__file__).parent
_NOT_RUN = "The judge did not finish: it could not start, or it was stopped. The output of run_autograder says more."


def gradescope_zip(assignment: Path | str, *, visibility: str = "visible") -> bytes:
    """The archive for an assignment's file; `visibility` says when students see the results."""
    checked(visibility)
    _, files = assignment_files(assignment)
    name, content = wheel()
    run = (
        _script("gradescope_run.sh")
        .replace("@FALLBACK@", json.dumps(failure(_NOT_RUN)))
        .replace("@VISIBILITY@", visibility)
    )
    archive = {
        "setup.sh": _script("gradescope_setup.sh").encode(),
        "run_autograder": run.encode(),
        "constraints.txt": constraints(),
        name: content,
        **{f"assignment/{inner}": held for inner, held in files.items()},
    }
    return zipped(archive, executable=("setup.sh", "run_autograder"))


def _script(name: str) -> str:
    """A script with the line ends of Unix, also where a checkout has others."""
    return (_HERE / name).read_text("utf-8")
