"""How far keys may move, on the command line: a number, or a file with one for every key, channel or entry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, final

import numpy as np
import typer

from headwright.array_files import read_array

_moves = partial(typer.Option, rich_help_panel="Keys that move")
_FILES = (".npy", ".npz", ".safetensors", ".csv")
Norm = Annotated[str, _moves(help="How a move is measured: box (per coordinate) or ball (length).")]
Per = Annotated[
    str | None,
    _moves(metavar="AXIS", help="What the numbers of a file are for: key, channel or entry (needed where n = d)."),
]


@final
@dataclass(frozen=True)
class MoveOptions:
    """The region in which keys move, which may be missing."""

    radius: Annotated[
        str | None,
        _moves(metavar="0.05|FILE", help="How far every key may move: a number, or a file of numbers per --per."),
    ] = None
    norm: Norm = "box"
    per: Per = None

    def read(self) -> dict[str, Any]:
        """The arguments of the library.

        >>> MoveOptions("0.05").read()
        {'radius': '0.05', 'norm': 'box', 'per': None}
        """
        return {"radius": profile(self.radius), "norm": self.norm, "per": self.per}


def profile(text: str | None, argument: str = "radius") -> np.ndarray | str | None:
    """The numbers in a file, or the text of a number as it is."""
    if text is None or Path(text).suffix.lower() not in _FILES:
        return text
    return read_array(Path(text), argument=argument, ndim=(1, 2))
