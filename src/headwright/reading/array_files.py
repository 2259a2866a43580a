"""Arrays from files: .npy, .npz, .safetensors (bfloat16 too), .csv. Never pickle.

No file is trusted: what its header promises is compared with what the file holds before anything is allocated, and
every number passes `headwright.kernel.inputs.float64`. Decimals in a .csv mean the nearest float64; whole numbers beyond 2^53 are
refused.
"""

from __future__ import annotations

import csv
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Literal

import numpy as np
from numpy.lib import format as npy_format

from headwright.kernel import budget, inputs
from headwright.words.array_libraries import typed

_SAFETENSORS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "BOOL": "|b1"}
_SAFETENSORS |= {f"{sign}{8 * size}": f"<{sign.lower()}{size}" for sign in "IU" for size in (1, 2, 4, 8)}
Choice = Callable[[list[str]], str]  # which of the arrays in a file to read
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, OSError)


def read_array(
    path: Path,
    *,
    argument: str,
    ndim: int | tuple[int, ...],
    name: str | None = None,
    called: str | None = None,
    chosen_by: str | None = None,
) -> np.ndarray:
    """A read-only float64 array with `ndim` dimensions; `name` is the array's, where the file holds several.

    Errors call the array `argument`, and the file `called`, by default its path. Where a file holds several arrays, they say that
    `chosen_by` names one, by default an option of the command line; "" means that nothing does.

    A .csv file has no way to say that its numbers are one vector: where only a vector is expected, one row or column is one.
    """
    readers = {".npy": _npy_file, ".npz": _npz, ".safetensors": _safetensors, ".csv": _csv}
    reader, who = readers.get(path.suffix.lower()), f"`{argument}` {called or path}"
    if reader is None:
        raise ValueError(f"`{argument}` must be a file of type {', '.join(readers)}, got {path.name!r}")
    if not path.is_file():
        raise FileNotFoundError(f"{who} is not a file")
    if name is not None and reader in (_npy_file, _csv):
        raise ValueError(f"{who} holds one array without a name; {name!r} was asked for")
    option = "--array" if argument == "keys" else f"--{argument}-array"
    read = reader(path, who, partial(_choose, name, who, option if chosen_by is None else chosen_by))
    if ndim == 1 and reader is _csv:
        rows = inputs.float64(read, name=argument, ndim=2)
        read = rows.ravel() if 1 in rows.shape else rows
    return inputs.float64(read, name=argument, ndim=ndim)


def _npy_file(path: Path, who: str, _choose: Choice) -> np.ndarray:
    with path.open("rb") as file:
        return _npy(file, path.stat().st_size, who)


def _npy(file: IO[bytes], size: int, who: str) -> np.ndarray:
    """The array of a .npy stream of `size` bytes; `who` begins every complaint."""
    readers: Mapping[tuple[int, int], Callable[[IO[bytes]], tuple[tuple[int, ...], bool, np.dtype]]] = {
        (1, 0): npy_format.read_array_header_1_0,
        (2, 0): npy_format.read_array_header_2_0,
    }
    try:
        shape, columns_first, dtype = readers[npy_format.read_magic(file)](file)
    except Exception:  # the header is parsed as Python text, and fails in as many ways as that does
        raise ValueError(f"{who} is not a .npy array of numbers: its header cannot be read") from None
    if dtype.hasobject:
        raise ValueError(f"{who} holds pickled Python objects, which are never loaded: save a plain array of numbers")
    if dtype.kind not in "biuf":
        raise ValueError(f"{who} must hold real numbers, got dtype {dtype}")
    promised, held = math.prod(shape) * dtype.itemsize, size - file.tell()
    if min(shape, default=0) < 0 or promised > held:
        raise ValueError(f"{who} promises shape {shape}, {promised} bytes, but holds only {held}")
    budget.hold(3 * promised)  # more than the file has, where it is compressed
    data = file.read(promised)
    if len(data) < promised:
        raise ValueError(f"{who} promises shape {shape}, {promised} bytes, but holds only {len(data)}")
    return _shaped(np.frombuffer(data, dtype), shape, who, order="F" if columns_first else "C")


def _shaped(numbers: np.ndarray, shape: Sequence[int], who: str, *, order: Literal["C", "F"] = "C") -> np.ndarray:
    try:
        return numbers.reshape(shape, order=order)
    except (ValueError, OverflowError):
        raise ValueError(f"{who} promises shape {tuple(shape)}, which its {numbers.size} numbers do not have") from None


def _npz(path: Path, who: str, choose: Choice) -> np.ndarray:
    try:
        with zipfile.ZipFile(path) as archive:
            members = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            entry = members[choose(list(members))]
            with archive.open(entry) as file:
                return _npy(file, entry.file_size, f"{who}, {entry.filename}")
    except _BROKEN_ZIP as error:
        raise ValueError(f"{who} is not a readable .npz file: {error}") from error


def _choose(name: str | None, who: str, option: str, names: list[str]) -> str:
    """The array asked for, or the only one there is."""
    listed = ", ".join(sorted(names)[:20]) + (f", … {len(names)} in all" if len(names) > 20 else "")
    if not names:
        raise ValueError(f"{who} holds no array")
    if name is None and len(names) > 1:
        how = f"choose one by `{option}`" if option else "but must hold one here"
        raise ValueError(f"{who} holds several arrays, {how}: {listed}")
    if name is not None and name not in names:
        raise ValueError(f"{who} holds no array {name!r}, only {listed}")
    return names[0] if name is None else name


def _safetensors(path: Path, who: str, choose: Choice) -> np.ndarray:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as checked:  # checks the header against the file; loads nothing
            names = list(checked.keys())
    except (SafetensorError, ValueError, OverflowError, OSError) as error:
        raise ValueError(f"{who} is not a readable .safetensors file: {error}") from error
    chosen = choose(names)
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))[chosen]
        begin, end = header["data_offsets"]
        file.seek(8 + length + begin)
        budget.hold(3 * (end - begin))
        data = file.read(end - begin)
    kind = header["dtype"]
    if kind not in _SAFETENSORS:
        raise ValueError(f"{who}, {chosen}, has type {kind}; readable are {', '.join(_SAFETENSORS)}")
    numbers = np.frombuffer(data, _SAFETENSORS[kind])
    if kind == "BF16":  # the upper half of a float32
        numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
    return _shaped(numbers, header["shape"], f"{who}, {chosen}")


def _csv(path: Path, who: str, _choose: Choice) -> list[list[float | int]]:
    budget.spend(1000 * path.stat().st_size)
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{who} is not text in UTF-8: {error}") from error
    first = next((line for line in text.splitlines() if line.strip()), "")
    lines = csv.reader(text.splitlines(), delimiter=";" if ";" in first else ",")
    try:
        cells = [(lines.line_num, row) for row in lines if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ValueError(f"{who} is not a readable .csv file: {error} in line {lines.line_num}") from error
    if cells and not any(_is_number(cell) for cell in cells[0][1]):
        del cells[0]  # one header line
    if not cells:
        raise ValueError(f"{who} must not be empty: it has no line of numbers")
    width = len(cells[0][1])
    for line, row in cells:
        if len(row) != width:
            raise ValueError(f"{who} must have rows of one length: line {line} has {len(row)} cells, others {width}")
        for column, cell in enumerate(row, start=1):
            if not _is_number(cell):
                raise ValueError(f"{who} must hold numbers: line {line}, column {column} is {cell.strip()!r}")
    return [[typed(cell) for cell in row] for _, row in cells]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell
