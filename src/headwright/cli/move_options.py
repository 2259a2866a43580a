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
    radius_array: Annotated[str | None, _moves(metavar="NAME", help="Which array of the file of radii.")] = None
    norm: Norm = "box"
    per: Per = None

    def read(self) -> dict[str, Any]:
        """The arguments of the library.

        >>> MoveOptions("0.05").read()
        {'radius': '0.05', 'norm': 'box', 'per': None}
        """
        radius: np.ndarray | str | None = self.radius
        if self.radius is not None and Path(self.radius).suffix.lower() in _FILES:
            radius = profile(Path(self.radius), "radius", self.per, self.radius_array)
        elif self.radius_array is not None:
            raise ValueError("`--radius-array` needs a file as `--radius`: it names an array of that file")
        return {"radius": radius, "norm": self.norm, "per": self.per}


def profile(file: Path, argument: str, per: str | None, name: str | None) -> np.ndarray:
    """The numbers in a file: one for each key or channel, or for each entry."""
    return read_array(file, argument=argument, ndim=1 if per in ("key", "channel") else (1, 2), name=name)
