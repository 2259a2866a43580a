"""Certificate files: a claim and its numbers in one safetensors file, proved again from the file alone.

The file holds the arrays, the claim as JSON, a format version and a SHA-256 digest of all of it. It holds no verdict: a
reader who wants one gets it by proof. The digest catches accidents (a flipped bit, a mixed-up file); it gives no trust,
since whoever edits a claim can recompute it — then the edited claim is simply judged anew.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from headwright.budget import DEFAULT, OverBudget, hold, spend, within
from headwright.proofs.claim import KINDS, Claim
from headwright.verdict import Verdict

FORMAT = "2"
# Format 1 knew no label for keys rounded to a narrow type in these kinds; the numbers in such a file are what it is about.
_READ = ("1", FORMAT)
_UNLABELLED_IN_1 = ("no-shorter", "out-of-reach", "gap-norm", "hulls-meet")
_A_BYTE = 500  # units for one byte of JSON: an index of two bytes costs a microsecond
_NO_CLAIM = "describes no claim that can be judged"
_PARTS = ("headwright", "claim", "digest")
_UNFIT = (KeyError, TypeError, ValueError, OverflowError, RecursionError, AttributeError)


class BadCertificate(ValueError):  # noqa: N818 - named for what the file is
    """The file is not a certificate, is damaged, or describes no claim that can be judged.

    >>> import headwright as hw
    >>> try:
    ...     hw.verify(__file__)
    ... except hw.BadCertificate:
    ...     print("refused")
    refused
    """


def verify(path: str | os.PathLike[str], *, budget: float = DEFAULT) -> Verdict:
    """Prove the claim in the file again, from the file alone; BadCertificate when it is damaged or no certificate.

    At most `budget` units of counted work are spent, about a nanosecond each; a byte that is held counts as ten. A claim whose
    proof would take more is Undecided, a file whose reading would take more a BadCertificate; both name the budget.

    >>> import headwright as hw
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "c.safetensors"
    >>> hw.save(path, hw.design([[1.0, 0.0], [0.0, 1.0]], hw.Copy(0)))
    >>> verify(path).status
    'proved'
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
    """The claim in the file, checked for damage but not proved.

    >>> import headwright as hw
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "c.safetensors"
    >>> hw.save(path, hw.design([[1.0, 0.0], [0.0, 1.0]], hw.Copy(0)))
    >>> type(load(path)).__name__
    'WithinError'
    """
    metadata, stored = _read(Path(path))
    missing = [part for part in _PARTS if part not in metadata]
    if missing:
        raise BadCertificate(f"`path` {path} is no certificate: it lacks {', '.join(missing)}")
    unknown = sorted(metadata.keys() - set(_PARTS))
    if unknown:
        raise BadCertificate(f"`path` {path} has parts that no certificate has: {', '.join(unknown)}")
    version = metadata["headwright"]
    if version not in _READ:
        read = " and ".join(map(repr, _READ))
        raise BadCertificate(f"`path` {path} has format {version!r}, but this version of headwright reads {read}")
    if metadata["digest"] != digest(version, metadata["claim"], stored):
        raise BadCertificate(f"`path` {path} is damaged: its numbers do not match its digest")
    return claim_in(metadata["claim"], stored, version, where=f"`path` {path}")


def claim_in(text: str, stored: dict[str, np.ndarray], version: str = FORMAT, *, where: str) -> Claim:
    """The claim that a JSON text and arrays describe, not proved; BadCertificate, which says `where`, when they describe none."""
    try:
        return claim_of(json.loads(text, object_pairs_hook=_named_once), stored, version)
    except _UNFIT as error:
        said = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise BadCertificate(f"{where} {_NO_CLAIM}: {said}") from error


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


def text_of(claim: Claim) -> str:
    """The claim but for its arrays, as JSON."""
    return json.dumps(claim.stated(), sort_keys=True)


def _read(path: Path) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise FileNotFoundError(f"`path` {path} is not a file")
    size = path.stat().st_size
    hold(3 * size)  # mapped, read and made float64
    try:
        with path.open("rb") as plain:
            # the header: a JSON text, and with it the claim
            spend(_A_BYTE * min(size, int.from_bytes(plain.read(8), "little")))
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


def claim_of(fields: Any, stored: dict[str, np.ndarray], version: str = FORMAT) -> Claim:
    """The claim, which must say all that the file says: a part it does not take up could mislead a reader of the file."""
    if not isinstance(fields, dict):
        raise ValueError("the claim must be a JSON object")
    if fields.get("kind") not in KINDS:
        raise ValueError(f"unknown kind of claim {fields.get('kind')!r}")
    if version == "1" and fields["kind"] in _UNLABELLED_IN_1:
        if "precision" in fields:
            raise ValueError("format '1' has no part precision in this kind of claim")
        fields["precision"] = None
    for name, array in stored.items():
        if array.dtype != np.float64:
            raise ValueError(f"array {name} must be float64, got {array.dtype}")
    claim = KINDS[fields["kind"]].from_parts(stored, fields)
    used = claim.arrays()
    extra = sorted(name for name in stored if name not in used or not np.array_equal(used[name], stored[name]))
    extra += _differing(fields, json.loads(text_of(claim)))
    if extra:
        raise ValueError(f"parts that the claim does not use, or not as they are written: {', '.join(extra)}")
    return claim


def _differing(read: Any, said: Any, at: str = "") -> list[str]:
    """Where what was read is not what the claim writes: unknown parts, missing ones, and values in another form or type."""
    if isinstance(read, dict) and isinstance(said, dict):
        names = sorted(read.keys() ^ said.keys())
        inside = [
            place for name in read.keys() & said.keys() for place in _differing(read[name], said[name], f"{at}{name}.")
        ]
        return [f"{at}{name}" for name in names] + inside
    return [] if json.dumps(read, sort_keys=True) == json.dumps(said, sort_keys=True) else [at.rstrip(".")]


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; ValueError where a name stands twice, of which a reader may see one and we the other."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for k, (name, _) in enumerate(pairs) if name in dict(pairs[:k]))
        raise ValueError(f"the name {twice!r} stands twice in one object")
    return found
