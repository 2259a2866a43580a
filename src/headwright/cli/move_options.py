"""How far keys may move, on the command line: a number, or a file with one for every key, channel or entry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, final

import numpy as np
import typer

from headwright.reading.array_files import read_array

_moves = partial(typer.Option, rich_help_panel="Keys that move")
_FILES = (".npy", ".npz", ".safetensors", ".csv")


@final
@dataclass(frozen=True)
class MoveOptions:
    """The region in which keys move, which may be missing."""

    radius: Annotated[
        str | None,
        _moves(metavar="0.05|FILE", help="How far every key may move: a number, or a file of numbers per --per."),
    ] = None
    radius_array: Annotated[str | None, _moves(metavar="NAME", help="Which array of the file of radii.")] = None
    norm: Annotated[str, _moves(help="How a move is measured: box (per coordinate) or ball (length).")] = "box"
    per: Annotated[
        str | None,
        _moves(metavar="AXIS", help="What the numbers of a file are for: key, channel or entry (needed where n = d)."),
    ] = None

    def read(self) -> dict[str, Any]:
        """The arguments of the library.

        >>> MoveOptions("0.05").read()
        {'radius': '0.05', 'norm': 'box', 'per': None}
        """
        radius: np.ndarray | str | None = self.radius
        if self.radius is not None and Path(self.radius).suffix.lower() in _FILES:
            axes = 1 if self.per in ("key", "channel") else (1, 2)  # one for each key or channel, or for each entry
            radius = read_array(Path(self.radius), argument="radius", ndim=axes, name=self.radius_array)
        elif self.radius_array is not None:
            raise ValueError("`--radius-array` needs a file as `--radius`: it names an array of that file")
        return {"radius": radius, "norm": self.norm, "per": self.per}
