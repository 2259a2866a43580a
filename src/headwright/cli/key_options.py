"""The keys on the command line: a file, or the first standard basis vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from headwright.cli.key_files import read_keys

_PANEL = "Keys (one of a file and --orthonormal)"
_MOST_ORTHONORMAL = 10_000  # they fill an n×n matrix: 800 MB at this size

KeysOption = Annotated[
    Path | None,
    typer.Option("--keys", metavar="FILE", help="Keys (n, d): .npy, .npz, .safetensors, .csv.", rich_help_panel=_PANEL),
]
ArrayOption = Annotated[
    str | None,
    typer.Option(
        "--array", metavar="NAME", help="Which array of the file, where it holds several.", rich_help_panel=_PANEL
    ),
]
OrthonormalOption = Annotated[
    int | None,
    typer.Option("--orthonormal", metavar="N", help="The N standard basis vectors as keys.", rich_help_panel=_PANEL),
]


def keys_of(file: Path | None, array: str | None, orthonormal: int | None) -> np.ndarray:
    """Keys (n, d) from the options; ValueError unless exactly one of file and number is given.

    >>> keys_of(None, None, 3).shape
    (3, 3)
    """
    if (file is None) == (orthonormal is None):
        got = "neither" if file is None else "both"
        raise ValueError(f"`keys` must be given by exactly one of `--keys FILE` and `--orthonormal N`, got {got}")
    if file is not None:
        return read_keys(file, name=array)
    if array is not None:
        raise ValueError("`--array` names an array of a file: it needs `--keys`")
    n = orthonormal or 0
    if not 1 <= n <= _MOST_ORTHONORMAL:
        raise ValueError(f"`--orthonormal` must lie between 1 and {_MOST_ORTHONORMAL}, got {n}")
    return np.eye(n)
