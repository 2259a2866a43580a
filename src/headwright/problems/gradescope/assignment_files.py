"""The files that an assignment consists of: its own, the questions it names, and the keys that these name."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from headwright.problems import Assignment, read_assignment
from headwright.reading import toml_files

FILE = "assignment.toml"
_ARRAYS = (".npy", ".csv")


def assignment_files(path: Path | str) -> tuple[Assignment, dict[str, bytes]]:
    """The assignment, and its files by the names under which it finds them; ValueError or TypeError where one is wrong.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "homework.toml"
    >>> _ = path.write_text('title = "Homework 3"\\n[[question]]\\nid = "A.1a"')
    >>> assignment, files = assignment_files(path)
    >>> assignment.title, list(files)
    ('Homework 3', ['assignment.toml'])
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"`ASSIGNMENT` {path} is not a file")
    assignment = read_assignment(path)
    files = {FILE: path.read_bytes()}
    own = _parsed(files[FILE]).get("problems")
    if own is not None:
        files[_inside(own, "problems")] = content = (path.parent / own).read_bytes()
        folder = Path(own).parent
        for name in _texts(_parsed(content)):
            if name.lower().endswith(_ARRAYS) and (path.parent / folder / name).is_file():
                files[_inside(str(folder / name), "keys")] = (path.parent / folder / name).read_bytes()
    _read_again(files)
    return assignment, files


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files into a folder, and make the folders that their names have."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _parsed(content: bytes) -> dict[str, Any]:
    return toml_files.parse(content, called="the file", parse_float=Decimal)


def _inside(name: str, entry: str) -> str:
    """The name with / between its parts; ValueError for a file that does not lie beside the assignment or in a folder there."""
    normal = Path(os.path.normpath(name))
    if normal.is_absolute() or ".." in normal.parts:
        raise ValueError(
            f"`{entry}` {name} must lie beside the assignment or in a folder there, to be packed with it: copy it there"
        )
    return normal.as_posix()


def _texts(value: Any) -> Iterator[str]:
    """Every text in a parsed file: one that names a file of arrays beside it stands for that file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _read_again(files: Mapping[str, bytes]) -> None:
    """The files that are packed must be all that the assignment needs: it is read from a copy of them."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), files)
        read_assignment(Path(folder) / FILE)
