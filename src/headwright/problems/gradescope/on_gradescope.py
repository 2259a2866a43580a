"""What run_autograder calls on Gradescope: it finds the student's file, grades it, and writes results.json, whatever happens.

/autograder/source/assignment/assignment.toml     the assignment
/autograder/submission/                           what the student handed in
/autograder/results/results.json                  what Gradescope reads
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from headwright.problems.answers.answer_files import SUFFIXES
from headwright.problems.grading.gradescope import results_around

_SORRY = "The autograder failed, and this is not your fault. Your instructor can see the reason."
_EXPECTED = "one file with your answers is expected, such as answers.md, whose name ends in .md, .txt or .toml"
_MOST_NAMED = 5


def main(arguments: list[str] | None = None) -> int:
    """Grade the submission below a root folder; exit code 0 once results.json is written."""
    parser = argparse.ArgumentParser(prog="on_gradescope")
    parser.add_argument("root", type=Path)
    parser.add_argument("--visibility", default="visible")
    given = parser.parse_args(arguments)
    try:
        results = results_of(given.root, visibility=given.visibility)
    except Exception as error:
        traceback.print_exc()
        results = failure(f"{type(error).__name__}: {error}")
    _write(given.root / "results", results)
    print(results["output"])
    return 0


def results_of(root: Path, *, visibility: str = "visible") -> dict[str, Any]:
    """The content of results.json for what lies below `root`, graded in a process with bounded time and memory."""
    from headwright.problems import grade_many
    from headwright.problems.grading._grade import Rules, ungraded
    from headwright.problems.grading.gradescope import results_json

    assignment = root / "source" / "assignment" / "assignment.toml"
    handed_in = sorted(_files(root / "submission"))
    answers = [path for path in handed_in if path.suffix.lower() in SUFFIXES]
    if len(answers) == 1:
        (graded,) = grade_many(answers, assignment=assignment, jobs=1)
    else:
        graded = ungraded("", _wanted(answers or handed_in, root / "submission"), Rules.of(assignment))
    results = results_json(graded, visibility=visibility)
    results["output"] = results["output"].replace(f"{root / 'submission'}{os.sep}", "")
    return results


def failure(why: str) -> dict[str, Any]:
    """The content of results.json where nothing could be graded: 0 points, and the reason in a test that students do not see.

    >>> failure("no disk")["tests"][0]["output"], failure("no disk")["tests"][0]["visibility"]
    ('no disk', 'hidden')
    """
    worth = {"score": 0, "max_score": 0, "status": "failed"}
    reason = {"name": "for the instructor", **worth, "output": why, "visibility": "hidden"}
    return results_around([reason], _SORRY)


def _files(folder: Path) -> list[Path]:
    """What was handed in: files in any folder, but no links, which may lead elsewhere, and nothing that a system adds."""
    return [
        Path(at) / name
        for at, _, names in os.walk(folder)
        for name in names
        if not name.startswith(".") and "__MACOSX" not in at and (Path(at) / name).is_file()
        if not (Path(at) / name).is_symlink()
    ]


def _wanted(found: list[Path], folder: Path) -> str:
    names = [str(path.relative_to(folder)) for path in found]
    shown = ", ".join(names[:_MOST_NAMED]) + (f" and {len(names) - _MOST_NAMED} more" if names[_MOST_NAMED:] else "")
    return f"{_EXPECTED}; you handed in {shown or 'nothing'}."


def _write(folder: Path, results: dict[str, Any]) -> None:
    """Replace results.json in one step, so that there is always a whole one."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json.new").write_text(json.dumps(results), "utf-8")
    os.replace(folder / "results.json.new", folder / "results.json")


if __name__ == "__main__":
    sys.exit(main())
