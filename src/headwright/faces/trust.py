"""What one verdict rests on: the files in which its claim is defined, and every file of headwright that these import.

The list is read off the imports in the sources, wherever in a file they stand. It shortens what a reader must check, and no
proof uses it. The package's own `__init__.py`, which only says where public names live, does not count.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]


def rests_on(claim: Any, *more: str) -> dict[str, int]:
    """The files, by path inside the package, and their lines, for a claim and the modules `more`.

    >>> import headwright as hw
    >>> files = rests_on(hw.certify([[1.0, 0.0], [0.0, 1.0]], [9.0, 0.0], hw.Copy(0)).record)
    >>> "kernel/within_error.py" in files, any(name.startswith("theories/") for name in files)
    (True, False)
    """
    seen: dict[str, int] = {}
    todo = [file for module in {*_modules(claim), *more} for file in files_of(module)]
    while todo:
        file = todo.pop()
        if file not in seen:
            source = (PACKAGE / file).read_text("utf-8")
            seen[file] = len(source.splitlines())
            todo += imported(file, source)
    return dict(sorted(seen.items()))


def _modules(value: Any) -> Iterator[str]:
    """The trusted modules that define a value or a part of it. Key models add sampling to the laws that proofs know."""
    places = {base.__module__ for base in type(value).__mro__}
    yield from (place for place in places if place.startswith(("headwright.kernel.", "headwright.theories.")))
    parts: Iterable[Any] = ()
    if dataclasses.is_dataclass(value):
        parts = [getattr(value, part.name) for part in dataclasses.fields(value)]
    elif isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, tuple | list):
        parts = value
    for part in parts:
        yield from _modules(part)


def imported(file: str, source: str) -> Iterator[str]:
    """The files of the package that this source imports."""
    package = ["headwright", *Path(file).parent.parts]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                dotted = [alias.name for alias in names]
            case ast.ImportFrom(module, names, level):
                base = ".".join(
                    [*package[: len(package) - level + 1], *filter(None, [module])] if level else [module or ""]
                )
                dotted = [base, *(f"{base}.{alias.name}" for alias in names)]
            case _:
                continue
        for name in dotted:
            yield from files_of(name)


def files_of(dotted: str) -> Iterator[str]:
    """The file of a module and the `__init__.py` of every folder around it; nothing for a name inside a module."""
    root, *parts = dotted.split(".")
    for depth in range(1, len(parts) + 1) if root == "headwright" else ():
        place = Path(*parts[:depth])
        for candidate in (place.with_suffix(".py"), place / "__init__.py"):
            if (PACKAGE / candidate).is_file():
                yield candidate.as_posix()
