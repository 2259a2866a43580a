"""Files the commands write: checked before the work begins, so that no hour of work ends in a missing folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from headwright.verdict import Verdict

SaveOption = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Write a certificate, which `headwright verify` proves again."),
]


def check_target(path: Path | None, option: str, *, suffix: str = "") -> None:
    """ValueError unless a file can be meant by `path`: its folder is there, it is none itself, its suffix fits."""
    if path is None:
        return
    if not path.parent.is_dir():
        raise ValueError(f"`{option}` {path} lies in no existing folder")
    if path.is_dir():
        raise ValueError(f"`{option}` {path} is a folder, not a file")
    if suffix and path.suffix != suffix:
        raise ValueError(f"`{option}` must end in {suffix}, got {path.name!r}")


def save_certificate(path: Path | None, verdict: Verdict | None) -> Path | None:
    """Write the verdict's claim where both are given; returns the file it wrote, if any."""
    from headwright.saving import save

    if path is None or verdict is None:
        return None
    save(path, verdict)
    return path


def saved_note(*paths: Path) -> str:
    """
    >>> print(saved_note(Path("c.safetensors")).strip())
    Saved c.safetensors
    Prove it again: headwright verify c.safetensors
    """
    names = [str(path) for path in paths]
    again = "it" if len(paths) == 1 else "them"
    return f"\nSaved {' and '.join(names)}\nProve {again} again: headwright verify {' '.join(names)}"


def save_queries(path: Path | None, queries: np.ndarray) -> None:
    """One head as (d,), several as (h, d): the shapes that `certify` reads."""
    if path is not None:
        np.save(path, queries[0] if len(queries) == 1 else queries, allow_pickle=False)
