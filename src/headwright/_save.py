"""save: write the claim of a verdict to a certificate file. The file need not be trusted, because `verify` proves it again."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np

from headwright._design import Design
from headwright.argued import Argued
from headwright.proofs import Claim
from headwright.proofs.certificate import FORMAT, digest, text_of
from headwright.verdict import Verdict


def save(path: str | os.PathLike[str], verdict: Verdict | Design) -> None:
    """Write the claim of `verdict`, or of the verdict that a Design carries, to `path`; the file appears whole or not at all.

    The claim of a verdict from another process is proved again first. ValueError if the new verdict has another status.

    >>> import headwright as hw, numpy as np
    >>> verdict = hw.certify(np.eye(4), 9 * np.eye(4)[2], hw.Copy(2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Path(folder) / "copy.safetensors", verdict)
    ...     hw.verify(Path(folder) / "copy.safetensors").status
    'proved'
    """
    if isinstance(verdict, Design):
        if verdict.verdict is None:
            raise ValueError("`verdict` is a Design that carries no verdict: judge it with `certify`, and save that")
        verdict = verdict.verdict
    if not isinstance(verdict, Verdict):
        raise TypeError(f"`verdict` must be a verdict of `certify`, got {type(verdict).__name__}")
    record = verdict.record
    if isinstance(verdict, Argued):
        raise ValueError(
            f"`verdict` is argued, not proved: its argument is in {verdict.argument}; save one of its {len(verdict.instances)} "
            "`instances` instead"
        )
    if not isinstance(record, Claim):
        raise ValueError("`verdict` rests on an argument, not on one set of numbers: there is nothing to save")
    if verdict.restored:
        here = record.prove().status
        if here != verdict.status:
            raise ValueError(f"`verdict` was {verdict.status} in another process, but its claim is {here} in this one")
    from safetensors.numpy import save_file

    stored = {name: np.ascontiguousarray(array) for name, array in record.arrays().items()}
    claim = text_of(record)
    metadata = {"headwright": FORMAT, "claim": claim, "digest": digest(FORMAT, claim, stored)}
    target = Path(path)
    if target.is_dir() or not target.parent.is_dir():
        raise FileNotFoundError(f"`path` must name a file in a folder that exists, got {target}")
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    try:
        save_file(stored, draft, metadata=metadata)
        os.replace(draft, target)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
