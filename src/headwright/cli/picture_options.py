"""Pictures on the command line: checked before the work begins, drawn when it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from headwright._design import Design
from headwright.cli.key_files import read_array
from headwright.cli.saving import check_target
from headwright.keys import KeyModel
from headwright.optional import need

_PANEL = "Pictures (they need the extra plots)"
_FILE = "FILE.svg|.png"
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--picture", metavar=_FILE, help="Draw the weights over 60 draws of the keys.", rich_help_panel=_PANEL
    ),
]
AgainstOption = Annotated[
    Path | None,
    typer.Option(
        "--against", metavar="FILE", help="Another query, drawn beside it in --picture.", rich_help_panel=_PANEL
    ),
]
KeyPictureOption = Annotated[
    Path | None,
    typer.Option(
        "--key-picture", metavar=_FILE, help="Draw where the first varying key may lie.", rich_help_panel=_PANEL
    ),
]


def check_pictures(picture: Path | None, against: Path | None, key_picture: Path | None) -> list[Path]:
    """The files that will be drawn, as `check_drawings` says; `--against` needs the picture that it is drawn in."""
    if against is not None and picture is None:
        raise ValueError("`--against` is drawn in a picture: it needs `--picture`")
    return check_drawings({"--picture": picture, "--key-picture": key_picture})


def check_drawings(wanted: Mapping[str, Path | None]) -> list[Path]:
    """The files that will be drawn; ValueError where one cannot be written, ImportError where matplotlib is missing."""
    from headwright.pictures.saving import SUFFIXES

    given = {option: path for option, path in wanted.items() if path is not None}
    for option, path in given.items():
        if path.suffix.lower() not in SUFFIXES:
            raise ValueError(f"`{option}` must end in {' or '.join(SUFFIXES)}, got {path.name!r}")
        check_target(path, option)
    if len(set(given.values())) < len(given):
        raise ValueError(f"{' and '.join(f'`{option}`' for option in given)} both name {next(iter(given.values()))}")
    if given:
        need("matplotlib", extra="plots")
    return list(given.values())


def draw_weights(path: Path, model: KeyModel, design: Design, against: Path | None, *, query: Path, seed: int) -> None:
    """The strips of the design, whose file is `query`, and beside it of the query in the file `against`."""
    from headwright import pictures

    strips = {_name(len(design.queries)): design}
    if against is not None:
        queries = np.atleast_2d(read_array(against, argument="against", ndim=(1, 2)))
        other = replace(design, queries=queries, mix=np.ones(len(queries)))
        names = [f"{file.name}: {_name(len(each.queries))}" for file, each in ((query, design), (against, other))]
        if names[0] == names[1]:
            raise ValueError(f"`--against` {against} and `--query` {query} would have one name in the picture")
        strips = dict(zip(names, (design, other), strict=True))
    figure = pictures.weights_over_samples(model, strips, error=design.asked, seed=seed)
    pictures.save(figure, path)


def _name(heads: int) -> str:
    return "one head" if heads == 1 else f"{heads} heads"


def draw_key(path: Path, model: KeyModel, *, seed: int) -> None:
    """The range of the first key that varies."""
    from headwright import pictures

    if not model.varying:
        raise ValueError("`--key-picture` needs a key that varies")
    pictures.save(pictures.key_range(model, model.varying[0], seed=seed), path)
