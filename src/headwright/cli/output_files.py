"""Files the commands write. They are checked before the work begins: an hour of work must not end in a missing folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from headwright.cli import screens
from headwright.kernel.verdict import Verdict
from headwright.words.design import Design
from headwright.words.optional import need

SaveOption = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Write a certificate, which `headwright verify` proves again."),
]
_ENDINGS = {
    "--query-out": ".npy",
    "--coordinates-out": ".npy",
    "--html": ".html",
}


def check_files(wanted: Mapping[str, Path | None]) -> None:
    """ValueError unless each option names a file of its own that can be written; ImportError for a picture without matplotlib."""
    given = {option: path for option, path in wanted.items() if path is not None}
    for option, path in given.items():
        _check_ending(option, path)
        if not path.parent.is_dir():
            raise ValueError(f"`{option}` {path} must be in a folder that exists")
        if path.is_dir():
            raise ValueError(f"`{option}` {path} is a folder, not a file")
    for path, times in Counter(given.values()).items():
        if times > 1:
            options = " and ".join(f"`{option}`" for option, other in given.items() if other == path)
            raise ValueError(f"{options} both name {path}")
    if "--picture" in given:
        need("matplotlib", extra="plots")


def _check_ending(option: str, path: Path) -> None:
    from headwright.faces.pictures._save import SUFFIXES

    if option == "--picture" and path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"`{option}` must end in {' or '.join(SUFFIXES)}, got {path.name!r}")
    if not path.name.endswith(ending := _ENDINGS.get(option, "")):
        raise ValueError(f"`{option}` must end in {ending}, got {path.name!r}")


def save_certificate(path: Path | None, verdict: Verdict | Design | None) -> Path | None:
    """Write the verdict's claim, or the design, where both are given; returns the file it wrote, if any."""
    from headwright.words.files import save

    if path is None or verdict is None:
        return None
    save(path, verdict)
    return path


def named(**files: Path | None) -> dict[str, str | None]:
    """The files for JSON, null where there is none."""
    return {name: None if path is None else str(path) for name, path in files.items()}


def print_saved(certificates: Iterable[Path | None], others: Iterable[Path | None] = ()) -> None:
    """The files that were written; of the certificates also how to prove them again.

    >>> print_saved([Path("c.safetensors"), None])
    <BLANKLINE>
    Saved c.safetensors
    Prove it again: headwright verify c.safetensors
    """
    names = [str(path) for path in certificates if path is not None]
    lines = [f"Saved {path}" for path in others if path is not None]
    if names:
        again = f"Prove {'it' if len(names) == 1 else 'them'} again: headwright verify {' '.join(names)}"
        lines = [f"Saved {' and '.join(names)}", again, *lines]
    if lines:
        screens.print_plain(screens.out(), "\n".join(["", *lines]))
