"""The trusted base, file by file: `kernel/` and `theories/`, with the lines of each file.

A test keeps the folders from importing anything outside of them, so what is not on the list can be wrong without making a
verdict wrong. `verdict.trust()` lists what one verdict rests on.
"""

from __future__ import annotations

from pathlib import Path

from evidence.partial import LIBRARY

CLAIM = "everything a proof runs is in the files listed here, 18,500 lines or fewer"
MOST_LINES = 18_500
FOLDERS = ("kernel", "theories")


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """The files and their lines; `store` and `limit` are not needed."""
    files = lines_of(LIBRARY)
    total = sum(files.values())
    return {"holds": total <= MOST_LINES, "lines": total, "of": lines_in_all(LIBRARY), "files": files}


def lines_of(library: Path) -> dict[str, int]:
    """Lines of every file of the base, by path inside the package."""
    paths = sorted(path for folder in FOLDERS for path in (library / folder).rglob("*.py"))
    return {path.relative_to(library).as_posix(): _lines(path) for path in paths}


def lines_in_all(library: Path) -> int:
    return sum(map(_lines, library.rglob("*.py")))


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())
