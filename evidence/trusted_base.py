"""The trusted base, file by file: every file that `headwright.proofs` imports, directly or through others, and its lines.

The list is read off the imports in the sources, those inside functions included. The `__init__.py` of the package itself is left
out: it exports names, and nothing imports from it. What is not on the list can be wrong without making a verdict wrong.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from evidence.partial import LIBRARY

CLAIM = "everything a proof runs is in the files listed here, 18,500 lines or fewer"
MOST_LINES = 18_500
START = "proofs/__init__.py"


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """The files and their lines; `store` and `limit` are not needed."""
    files = lines_of(LIBRARY)
    total = sum(files.values())
    return {"holds": total <= MOST_LINES, "lines": total, "of": lines_in_all(LIBRARY), "files": files}


def lines_of(library: Path) -> dict[str, int]:
    """Lines of every file in the import closure of `proofs/`, by path inside the package."""
    seen: dict[str, int] = {}
    todo = [START]
    while todo:
        file = todo.pop()
        if file not in seen:
            source = (library / file).read_text("utf-8")
            seen[file] = len(source.splitlines())
            todo += imported(library, file, source)
    return dict(sorted(seen.items()))


def lines_in_all(library: Path) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in library.rglob("*.py"))


def imported(library: Path, file: str, source: str) -> Iterator[str]:
    """The files of the package that this source imports, wherever in it the import stands."""
    package = ["headwright", *Path(file).parent.parts]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                dotted = [alias.name for alias in names]
            case ast.ImportFrom(module, names, level):
                base = ".".join(
                    [*package[: len(package) - level + 1], *([module] if module else [])] if level else [module]
                )
                dotted = [base, *(f"{base}.{alias.name}" for alias in names)]
            case _:
                continue
        for name in dotted:
            yield from _files(library, name)


def _files(library: Path, dotted: str) -> Iterator[str]:
    """The file of a module and the `__init__.py` of every package around it; nothing for a name inside a module."""
    root, *parts = dotted.split(".")
    if root != "headwright":
        return
    for depth in range(1, len(parts) + 1):
        place = Path(*parts[:depth])
        for candidate in (place.with_suffix(".py"), place / "__init__.py"):
            if (library / candidate).is_file():
                yield candidate.as_posix()
