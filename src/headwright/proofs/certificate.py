"""Certificate files: a claim and its numbers in one safetensors file, proved again from the file alone.

The file holds the arrays, the claim as JSON, a format version and a SHA-256 digest of all of it. It holds no verdict: a
reader who wants one gets it by proof. The digest catches accidents (a flipped bit, a mixed-up file); it gives no trust,
since whoever edits a claim can recompute it — then the edited claim is simply judged anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from headwright.budget import DEFAULT, OverBudget, hold, spend, within
from headwright.proofs.block_equivariant import BlockEquivariant
from headwright.proofs.claim import Claim
from headwright.proofs.gap_norm import GapNorm
from headwright.proofs.goals_contradict import GoalsContradict
from headwright.proofs.hulls_meet import HullsMeet
from headwright.proofs.layer_rows import LayerRows
from headwright.proofs.low_rank import NearLowRank
from headwright.proofs.no_shorter import NoShorter
from headwright.proofs.out_of_reach import OutOfReach
from headwright.proofs.outputs_contradict import OutputsContradict
from headwright.proofs.reads_out import ReadsOut
from headwright.proofs.rows_apart import RowsApart
from headwright.proofs.singular_values import SingularValues
from headwright.proofs.spans_meet import SpansMeet
from headwright.proofs.top_gap import TopGap
from headwright.proofs.weight_bound import WeightBound
from headwright.proofs.with_probability import WithProbability
from headwright.proofs.within_error import WithinError
from headwright.proofs.withstands import Withstands
from headwright.verdict import Verdict

FORMAT = "1"
KINDS: dict[str, type[Claim]] = {
    claim.kind: claim
    for claim in (
        WithinError,
        Withstands,
        WeightBound,
        NoShorter,
        OutOfReach,
        TopGap,
        HullsMeet,
        GapNorm,
        ReadsOut,
        SpansMeet,
        WithProbability,
        LayerRows,
        OutputsContradict,
        GoalsContradict,
        RowsApart,
        SingularValues,
        NearLowRank,
        BlockEquivariant,
    )
}
_A_BYTE = 500  # units for one byte of JSON: an index of two bytes costs a microsecond
_NO_CLAIM = "describes no claim that can be judged"
_PARTS = ("headwright", "claim", "digest")


class BadCertificate(ValueError):  # noqa: N818 - named for what the file is
    """The file is no certificate, is damaged, or describes no claim that can be judged."""


def save(path: str | os.PathLike[str], verdict: Verdict) -> None:
    """Write the claim of `verdict` to `path`; the file appears whole or not at all.

    >>> import headwright as hw, numpy as np
    >>> verdict = hw.certify(np.eye(4), 9 * np.eye(4)[2], hw.Copy(2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Path(folder) / "copy.safetensors", verdict)
    ...     verify(Path(folder) / "copy.safetensors").status
    'proved'
    """
    if not isinstance(verdict, Verdict):
        raise TypeError(f"`verdict` must be a verdict of `certify`, got {type(verdict).__name__}")
    record = verdict.record
    if not isinstance(record, Claim):
        raise ValueError("`verdict` rests on an argument, not on one set of numbers: there is nothing to save")
    from safetensors.numpy import save_file

    stored = {name: np.ascontiguousarray(array) for name, array in record.arrays().items()}
    claim = json.dumps({"kind": record.kind, **record.fields()}, sort_keys=True)
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


def verify(path: str | os.PathLike[str], *, budget: float = DEFAULT) -> Verdict:
    """Prove the claim in the file again, from the file alone; BadCertificate when it is damaged or no certificate.

    At most `budget` units of counted work are spent, about a nanosecond each; a byte that is held counts as ten. A claim whose
    proof would take more is Undecided, a file whose reading would take more a BadCertificate; both name the budget.
    """
    with within(budget):
        try:
            claim = load(path)
        except OverBudget as over:
            raise BadCertificate(f"reading `path` {path} takes {over}") from over
        try:
            return claim.prove()
        except OverBudget as over:
            said = str(over)
    return claim.undecided(f"the proof takes {said}", "verify the file again with a larger `budget`")


def load(path: str | os.PathLike[str]) -> Claim:
    """The claim in the file, checked for damage but not proved."""
    metadata, stored = _read(Path(path))
    missing = [part for part in _PARTS if part not in metadata]
    if missing:
        raise BadCertificate(f"`path` {path} is no certificate: it lacks {', '.join(missing)}")
    if metadata["headwright"] != FORMAT:
        raise BadCertificate(f"`path` {path} has format {metadata['headwright']!r}; this version reads {FORMAT!r}")
    if metadata["digest"] != digest(FORMAT, metadata["claim"], stored):
        raise BadCertificate(f"`path` {path} is damaged: its numbers do not match its digest")
    try:
        return _claim(json.loads(metadata["claim"]), stored)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError, AttributeError) as error:
        said = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise BadCertificate(f"`path` {path} {_NO_CLAIM}: {said}") from error


def digest(version: str, claim: str, stored: dict[str, np.ndarray]) -> str:
    """SHA-256 over version, claim text, and every array's name, type, shape and bytes."""
    whole = hashlib.sha256()
    texts = [version.encode(), claim.encode()]
    for text in texts:
        whole.update(len(text).to_bytes(8, "big") + text)
    for name in sorted(stored):
        array = stored[name]
        text = f"{name} {array.dtype.str} {array.shape}".encode()
        whole.update(len(text).to_bytes(8, "big") + text + array.nbytes.to_bytes(8, "big"))
        whole.update(np.ascontiguousarray(array).data)
    return whole.hexdigest()


def _read(path: Path) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise FileNotFoundError(f"`path` {path} is not a file")
    size = path.stat().st_size
    hold(3 * size)  # mapped, read and made float64
    try:
        with path.open("rb") as plain:
            spend(
                _A_BYTE * min(size, int.from_bytes(plain.read(8), "little"))
            )  # the header: a JSON text, and with it the claim
        with safe_open(path, framework="numpy") as file:
            names = list(file.keys())
            kinds = {name: file.get_slice(name).get_dtype() for name in names}
            narrow = [f"{name} ({kind})" for name, kind in kinds.items() if kind != "F64"]
            if narrow:
                shown = ", ".join(narrow[:8]) + (f", … {len(narrow)} arrays" if len(narrow) > 8 else "")
                raise BadCertificate(f"`path` {path} {_NO_CLAIM}: all arrays must be float64 (F64), got {shown}")
            return dict(file.metadata() or {}), {name: file.get_tensor(name) for name in names}
    except BadCertificate:
        raise
    except (SafetensorError, ValueError, TypeError, KeyError, OverflowError, MemoryError, OSError) as error:
        raise BadCertificate(f"`path` {path} is no readable safetensors file: {error}") from error


def _claim(fields: Any, stored: dict[str, np.ndarray]) -> Claim:
    if not isinstance(fields, dict):
        raise ValueError("the claim must be a JSON object")
    if fields.get("kind") not in KINDS:
        raise ValueError(f"unknown kind of claim {fields.get('kind')!r}")
    claim = KINDS[fields["kind"]].from_parts(stored, fields)
    extra = (set(stored) - set(claim.arrays())) | (set(fields) - set(claim.fields()) - {"kind"})
    if extra:
        raise ValueError(f"parts that the claim does not use: {', '.join(sorted(extra))}")
    return claim
