"""The queries that a head can form on the command line: the matrix W and the offset b of q = Wx + b, from files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, final

import numpy as np
import typer

from headwright.reading.array_files import read_array

_option = partial(typer.Option, rich_help_panel="Queries Wx + b only")


@final
@dataclass(frozen=True)
class WithinOptions:
    """The image that queries are chosen from, where not all are allowed."""

    within: Annotated[
        Path | None,
        _option(metavar="FILE", help="W (d, r): allow queries Wx, or Wx + b, only, such as those of a model's W_Q."),
    ] = None
    within_array: Annotated[str | None, _option(metavar="NAME", help="Which array of the file W is.")] = None
    within_offset: Annotated[
        Path | None, _option(metavar="FILE", help="b (d,), from the same file or another (default: 0).")
    ] = None
    within_offset_array: Annotated[str | None, _option(metavar="NAME", help="Which array of the file b is.")] = None
    coordinates_out: Annotated[
        Path | None, _option(metavar="FILE.npy", help="Write the coordinates x of the query, or of the queries.")
    ] = None

    def read(self) -> np.ndarray | tuple[np.ndarray, np.ndarray] | None:
        """W, or W and b, or None where all queries are allowed.

        >>> WithinOptions().read() is None
        True
        """
        if self.within is None:
            for name in ("within_array", "within_offset", "within_offset_array", "coordinates_out"):
                if getattr(self, name) is not None:
                    raise ValueError(f"`--{name.replace('_', '-')}` needs `--within`: the matrix W of queries Wx + b")
            return None
        matrix = read_array(self.within, argument="within", ndim=2, name=self.within_array)
        if self.within_offset is None:
            if self.within_offset_array is not None:
                raise ValueError("`--within-offset-array` needs `--within-offset`: it names an array of that file")
            return matrix
        named = self.within_offset_array
        by = "--within-offset-array"
        return matrix, read_array(self.within_offset, argument="within_offset", ndim=1, name=named, chosen_by=by)

    def write(self, coordinates: np.ndarray | None) -> None:
        """Write the coordinates (h, r), of one head as (r,)."""
        if self.coordinates_out is not None and coordinates is not None:
            np.save(self.coordinates_out, coordinates[0] if len(coordinates) == 1 else coordinates, allow_pickle=False)
