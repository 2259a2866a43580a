"""Certificate files: a claim and its numbers in one safetensors file, proved again from the file alone.

The file holds the arrays, the claim as JSON, a format version and a SHA-256 digest of all of it. A reader obtains a verdict by
proving the claim. What the sender says of it may stand beside it, with arrays of its own: no proof uses that. The digest catches
accidents (a flipped bit, a mixed-up file). It is no reason to trust the file, since whoever edits a claim can recompute the
digest. The edited claim is then judged anew.

The file of a Design holds more beside its claim: a JSON text and arrays of its own. No proof uses them, and `words/files.py`
reads them.

A claim of a kind that is `packed` holds large tables that repeat a few numbers. Its file has one array of bytes, "packed": the
size that its content unpacks to (8 bytes, little-endian), then the content, which is the safetensors text of all arrays,
compressed by zlib. A kind has one form only, packed or not, so that every reader has one form to understand.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headwright.kernel import older_formats
from headwright.kernel.budget import DEFAULT, OverBudget, hold, spend, within
from headwright.kernel.claim import Claim, class_of
from headwright.kernel.verdict import Verdict

FORMAT = "4"
_READ = (*older_formats.VERSIONS, FORMAT)
_A_BYTE = 500  # units for one byte of JSON: an index of two bytes costs a microsecond
# What becomes of one unpacked byte, in bytes: ten are held at a time, and a file of kilobytes must not cost more than 100 MB.
_UNPACKED = 100
_A_BYTE_OF_NAMES = 3000  # units: sixty bytes of a header describe an array, which takes two thousand
_NO_CLAIM = "does not describe a claim that can be judged"
_PARTS = ("headwright", "claim", "digest")
# The parts beside a claim, and with a full stop the beginning of the names of their arrays.
SAID, DESIGN = "said", "design"
VERDICTS = ("proved", "refuted", "undecided")
_UNFIT = (KeyError, TypeError, ValueError, OverflowError, RecursionError, AttributeError)


class BadCertificate(ValueError):  # noqa: N818 - named for what the file is
    """The file is not a certificate, is damaged, or does not describe a claim that can be judged.

    >>> import headwright as hw
    >>> try:
    ...     hw.verify(__file__)
    ... except BadCertificate:
    ...     print("refused")
    refused
    """


def verify(path: str | os.PathLike[str], *, budget: float = DEFAULT) -> Verdict:
    """Prove the claim in the file again, from the file alone; BadCertificate if the file is damaged or not a certificate.

    At most `budget` units of counted work are spent, about a nanosecond each. A byte of memory counts as ten units. If the proof
    would take more, the verdict is Undecided. If reading would take more, BadCertificate is raised. Both name the budget.

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
    return opened(path).claim


class Opened(NamedTuple):
    """The claim in a file, not proved, and what the file says beside it, which no proof uses."""

    claim: Claim
    version: str
    said: dict[str, Any]
    design: str | None
    arrays: dict[str, np.ndarray]  # of the design


def opened(path: str | os.PathLike[str]) -> Opened:
    """What the file holds, checked for damage; BadCertificate if it is damaged or not a certificate."""
    metadata, stored, packed_file = _read(Path(path))
    missing = [part for part in _PARTS if part not in metadata]
    if missing:
        raise BadCertificate(f"`path` {path} is not a certificate: it lacks {', '.join(missing)}")
    beside = {DESIGN} if metadata["headwright"] in older_formats.VERSIONS else {SAID, DESIGN}
    unknown = sorted(metadata.keys() - {*_PARTS} - beside)
    if unknown:
        raise BadCertificate(f"`path` {path} has parts that do not belong in a certificate: {', '.join(unknown)}")
    version, said, design = metadata["headwright"], metadata.get(SAID), metadata.get(DESIGN)
    if version not in _READ:
        read = ", ".join(map(repr, _READ))
        raise BadCertificate(f"`path` {path} has format {version!r}, but this version of headwright reads {read}")
    if metadata["digest"] != digest(metadata, stored):
        raise BadCertificate(f"`path` {path} is damaged: its numbers do not match its digest")
    arrays: dict[str, dict[str, np.ndarray]] = {
        part: {name: stored.pop(name) for name in list(stored) if part in metadata and name.startswith(f"{part}.")}
        for part in (SAID, DESIGN)
    }
    claim = claim_in(metadata["claim"], stored, version, where=f"`path` {path}")
    if claim.packed != packed_file:
        form = "packed" if claim.packed else "plain"
        raise BadCertificate(f"`path` {path} does not have {form} arrays, as claims of kind {claim.kind!r} have")
    return Opened(claim, version, {} if said is None else _said(said, path), design, arrays[DESIGN])


def _said(text: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """What the sender says of the claim. Nothing believes it."""
    try:
        said = json.loads(text, object_pairs_hook=_named_once)
        if said["verdict"] not in VERDICTS:
            raise ValueError(f"`verdict` must be one of {', '.join(VERDICTS)}")
    except _UNFIT as error:
        raise BadCertificate(f"`path` {path} does not say what its sender found: {error}") from error
    return dict(said)


def claim_in(text: str, stored: dict[str, np.ndarray], version: str = FORMAT, *, where: str) -> Claim:
    """The claim that a JSON text and arrays describe, not proved; BadCertificate, which says `where`, if they describe none."""
    try:
        return claim_of(json.loads(text, object_pairs_hook=_named_once), stored, version)
    except _UNFIT as error:
        said = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise BadCertificate(f"{where} {_NO_CLAIM}: {said}") from error


def digest(metadata: Mapping[str, str], stored: Mapping[str, np.ndarray]) -> str:
    """SHA-256 over version, claim, what is said and a Design, by name, and every array's name, type, shape and bytes."""
    whole = hashlib.sha256()
    named = metadata["headwright"] not in older_formats.VERSIONS
    texts = [(part, metadata[part]) for part in ("headwright", "claim", SAID, DESIGN) if part in metadata]
    for text in (text.encode() for pair in texts for text in pair[not named :]):
        whole.update(len(text).to_bytes(8, "big") + text)
    for name in sorted(stored):
        array = stored[name]
        text = f"{name} {array.dtype.str} {array.shape}".encode()
        whole.update(len(text).to_bytes(8, "big") + text + array.nbytes.to_bytes(8, "big"))
        whole.update(np.ascontiguousarray(array).data)
    return whole.hexdigest()


def text_of(claim: Claim) -> str:
    """The claim without its arrays, as JSON."""
    return json.dumps(claim.stated(), sort_keys=True)


def _read(path: Path) -> tuple[dict[str, str], dict[str, np.ndarray], bool]:
    """The metadata, the arrays, and whether these were packed."""
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
            names, metadata = list(file.keys()), dict(file.metadata() or {})
            kinds = {name: file.get_slice(name).get_dtype() for name in names}
            if kinds == {"packed": "U8"}:
                return metadata, _unpacked(file.get_tensor("packed")), True
            narrow = [f"{name} ({kind})" for name, kind in kinds.items() if kind != "F64"]
            if narrow:
                shown = ", ".join(narrow[:8]) + (f", … {len(narrow)} arrays" if len(narrow) > 8 else "")
                raise BadCertificate(f"`path` {path} {_NO_CLAIM}: all arrays must be float64 (F64), got {shown}")
            return metadata, {name: file.get_tensor(name) for name in names}, False
    except BadCertificate:
        raise
    except (SafetensorError, zlib.error, *_UNFIT, MemoryError, OSError) as error:
        raise BadCertificate(f"`path` {path} cannot be read as a safetensors file: {error}") from error


def packed(stored: dict[str, np.ndarray]) -> np.ndarray:
    """The arrays as bytes that `_unpacked` reads.

    >>> _unpacked(packed({"x": np.arange(3.0)}))
    {'x': array([0., 1., 2.])}
    """
    from safetensors.numpy import save

    content = save(stored)
    return np.frombuffer(len(content).to_bytes(8, "little") + zlib.compress(content, 9), dtype=np.uint8)


def _unpacked(stored: np.ndarray) -> dict[str, np.ndarray]:
    """The arrays that the bytes hold. No more is unpacked than they declare, and that is paid for first."""
    from safetensors.numpy import load as read

    if stored.ndim != 1:
        raise ValueError("the packed bytes must stand in one row")
    whole = stored.tobytes()
    size = int.from_bytes(whole[:8], "little")
    hold(_UNPACKED * size)
    stream = zlib.decompressobj()
    content = stream.decompress(whole[8:], size + 1)
    if len(content) != size or not stream.eof or stream.unused_data:
        raise ValueError(f"the packed bytes do not unpack to the {size} bytes that they declare")
    header = content[8 : 8 + int.from_bytes(content[:8], "little")]
    spend(_A_BYTE_OF_NAMES * len(header))
    if "__metadata__" in json.loads(header.decode(), object_pairs_hook=_named_once):
        raise ValueError("the packed arrays must not have metadata of their own")
    arrays: dict[str, np.ndarray] = read(content)
    return arrays


def claim_of(fields: Any, stored: dict[str, np.ndarray], version: str = FORMAT) -> Claim:
    """The claim, which must use every part of the file: an unused part could mislead somebody who reads the file."""
    if not isinstance(fields, dict):
        raise ValueError("the claim must be a JSON object")
    owner = class_of(fields.get("kind"))
    if version in older_formats.VERSIONS:
        fields, stored = older_formats.as_today(fields, stored)
    for name, array in stored.items():
        if array.dtype != np.float64:
            raise ValueError(f"array {name} must be float64, got {array.dtype}")
    claim = owner.from_parts(stored, fields)
    used = claim.arrays()
    extra = sorted(name for name in stored if name not in used or not np.array_equal(used[name], stored[name]))
    extra += _differing(fields, json.loads(text_of(claim)))
    if extra:
        raise ValueError(f"the claim does not use these parts, or writes them differently: {', '.join(extra)}")
    return claim


def _differing(read: Any, said: Any, at: str = "") -> list[str]:
    """Where the file differs from what the claim would write: unknown or missing parts, and values in another form or type."""
    if isinstance(read, dict) and isinstance(said, dict):
        names = sorted(read.keys() ^ said.keys())
        inside = [
            place for name in read.keys() & said.keys() for place in _differing(read[name], said[name], f"{at}{name}.")
        ]
        return [f"{at}{name}" for name in names] + inside
    return [] if json.dumps(read, sort_keys=True) == json.dumps(said, sort_keys=True) else [at.rstrip(".")]


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; ValueError if a name occurs twice, since readers could differ in which value they use."""
    named = dict(pairs)
    if len(named) < len(pairs):
        twice = next(name for k, (name, _) in enumerate(pairs) if name in dict(pairs[:k]))
        raise ValueError(f"the name {twice!r} occurs twice in one object")
    return named
