"""save and load: verdicts and designs in certificate files. A file need not be trusted, because its claims are proved again.

The file of a Design is the certificate of its verdict, with a text and arrays beside the claim. What the claim holds (queries,
or coordinates in an image; mix, scale, goal, precision, confidence) is read from the claim alone, so that a Design and its proof
cannot be about different numbers. Whatever else a Design's constructor sets is written field by field, and each of its other
proofs as a claim.
"""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.certificate import (
    DESIGN,
    FORMAT,
    SAID,
    BadCertificate,
    claim_in,
    digest,
    opened,
    packed,
    text_of,
)
from headwright.kernel.claim import KINDS, Claim
from headwright.kernel.exact_inputs import type_name
from headwright.kernel.verdict import Undecided, Verdict
from headwright.words.argued import Argued
from headwright.words.design import Design
from headwright.words.design_record import check_best, held, stated
from headwright.words.hints import what_is_said

_PROOF = "prove_"  # a field of this name, and what follows, makes the verdict that the design has under what follows


def save(path: str | os.PathLike[str], verdict: Verdict | Design) -> None:
    """Write a verdict's claim, or a Design with its claims, to `path`; the file appears whole or not at all.

    `load` gives a Design back, and `verify` proves the claim that it meets its goal. Of any other result that has a `verdict`,
    such as a Layer, the claim of that verdict is written. What is proved or refuted is proved again first, from the numbers that
    are written. ValueError if the new verdict has another status.

    >>> import headwright as hw, numpy as np
    >>> verdict = hw.certify(np.eye(4), 9 * np.eye(4)[2], hw.Copy(2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Path(folder) / "copy.safetensors", verdict)
    ...     hw.verify(Path(folder) / "copy.safetensors").status
    'proved'
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"`path` must be the name of a file and comes before the verdict, got {type(path).__name__}")
    target = Path(path)
    if getattr(verdict, "whole", False) is None:  # of Verdicts
        first = ", ".join("0" for _ in verdict.shape)  # type: ignore[union-attr]
        raise ValueError(
            f"`verdict` holds verdicts that were judged one by one: save each alone, as `verdicts[{first}]`"
        )
    if isinstance(verdict, Design) and verdict.verdict is None:
        raise ValueError("`verdict` is a Design that carries no verdict: judge it with `certify`, and save that")
    judged = verdict if isinstance(verdict, Verdict) else getattr(verdict, "verdict", getattr(verdict, "whole", None))
    if not isinstance(judged, Verdict):
        raise TypeError(
            f"`verdict` must be a verdict of `certify`, a Design, or a result with a verdict, got {type(verdict).__name__}"
        )
    claim = _claim(judged)
    stored, design = claim.arrays(), None
    if isinstance(verdict, Design):
        design, beside = _described(verdict, claim)
        stored = stored | beside
    said, beside = what_is_said(judged, claim)
    stored = stored | beside
    _write(target, claim, {name: np.ascontiguousarray(array) for name, array in stored.items()}, said, design)


def load(path: str | os.PathLike[str]) -> Claim | Design:
    """What `save` wrote: a Design, or the claim of a verdict. Nothing is proved yet, and the file is checked for damage.

    The claims of a Design are proved again when its `verdict` and the figures that rest on it are first asked for.

    >>> import headwright as hw, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Path(folder) / "copy.safetensors", hw.design(np.eye(4), hw.Copy(2)))
    ...     design = load(Path(folder) / "copy.safetensors")
    >>> design.goal, design.verdict.status
    (Copy(2), 'proved')
    """
    claim, version, _, design, arrays = opened(path)
    if design is None:
        return claim
    try:
        said = json.loads(design)
        if json.dumps(said, sort_keys=True) != design:
            raise ValueError("its text is not written as `save` writes it")
        return _design(claim, said, arrays, version)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        why = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise BadCertificate(f"`path` {path} does not describe a Design: {why}") from error


def _claim(verdict: Verdict) -> Claim:
    """The claim of a verdict as a file holds it, in copies of its arrays and proved again from them.

    ValueError if there is none, or if it is judged otherwise.
    """
    record = verdict.record
    if isinstance(verdict, Argued):
        raise ValueError(
            f"`verdict` is argued, not proved: its argument is in {verdict.argument}; save one of its {len(verdict.instances)} "
            "`instances` instead"
        )
    if not isinstance(record, Claim):
        raise ValueError("`verdict` rests on an argument, not on one set of numbers: there is nothing to save")
    if KINDS.get(record.kind) is not type(record):
        raise ValueError(
            f"`verdict` is about a claim of the class {type_name(type(record))}, and a file would hold it as one of the "
            f"kind {record.kind!r}, which is another class: only headwright's own claims can be saved"
        )
    if verdict.changed:
        raise ValueError(
            "`verdict` is not about the arrays of its record as they are: they were changed after the proof"
        )
    own = {name: np.array(array) for name, array in record.arrays().items()}
    claim = claim_in(text_of(record), own, where="`verdict`")
    if not isinstance(verdict, Undecided):
        here = claim.prove().status
        if here != verdict.status:
            raise ValueError(f"`verdict` is {verdict.status}, but its claim, proved again, is {here}")
    return claim


def _write(target: Path, claim: Claim, stored: dict[str, np.ndarray], said: str, design: str | None) -> None:
    from safetensors.numpy import save_file

    metadata = {"headwright": FORMAT, "claim": text_of(claim), SAID: said}
    metadata |= {} if design is None else {DESIGN: design}
    metadata["digest"] = digest(metadata, stored)
    if target.is_dir() or not target.parent.is_dir():
        raise FileNotFoundError(f"`path` must name a file in a folder that exists, got {target}")
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    try:
        save_file({"packed": packed(stored)} if claim.packed else stored, draft, metadata=metadata)
        os.replace(draft, target)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def _own_fields(claim: Any) -> list[str]:
    """The fields that the file holds beside the claim. The weights over fixed keys are computed again instead."""
    known = {"prove", *held(claim), *(() if hasattr(claim, "model") else ("weights",))}
    return [part.name for part in dataclasses.fields(Design) if part.name not in known]


def _described(design: Design, claim: Claim) -> tuple[str, dict[str, np.ndarray]]:
    """The text and the arrays that stand beside the claim of a Design."""
    arrays: dict[str, np.ndarray] = {}
    said: dict[str, Any] = {}
    for name in _own_fields(claim):
        value = getattr(design, name.removeprefix(_PROOF))
        if name.startswith(_PROOF):
            said[name] = None if value is None else _other_claim(name, _claim(value), claim, arrays)
        else:
            said[name] = _plain(value, name, arrays)
    text = json.dumps(said, sort_keys=True, allow_nan=False)
    _design(claim, json.loads(text), dict(arrays), FORMAT)  # what cannot be read back must not be written
    return text, arrays


def _other_claim(name: str, claim: Claim, main: Claim, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """Another claim about the same design, without the arrays that it shares with the main one."""
    known = main.arrays()
    shared = [part for part, array in claim.arrays().items() if part in known and np.array_equal(array, known[part])]
    own = {part: array for part, array in claim.arrays().items() if part not in shared}
    arrays |= {f"{DESIGN}.{name}.{part}": array for part, array in own.items()}
    return {"claim": text_of(claim), "shared": sorted(shared)}


def _plain(value: Any, name: str, arrays: dict[str, np.ndarray]) -> Any:
    """A field as JSON, its arrays put with the others."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Fraction):
        return {"rational": str(value)}
    if isinstance(value, tuple):
        return {"tuple": [_plain(part, f"{name}.{k}", arrays) for k, part in enumerate(value)]}
    if isinstance(value, np.ndarray):
        arrays[f"{DESIGN}.{name}"] = value
        return {"array": f"{DESIGN}.{name}"}
    raise TypeError(f"`verdict` is a Design whose `{name}` cannot be saved: {type(value).__name__}")


def _read(said: Any, arrays: dict[str, np.ndarray]) -> Any:
    if not isinstance(said, dict):
        return said
    ((kind, value),) = said.items()
    if kind == "rational":
        return inputs.rational(value, name="rational")
    if kind == "tuple":
        return tuple(_read(part, arrays) for part in value)
    return arrays.pop({"array": value}[kind])


def _design(claim: Any, said: dict[str, Any], arrays: dict[str, np.ndarray], version: str) -> Design:
    """The Design that a claim and the parts beside it describe. Every part must be used."""
    own, fields = _own_fields(claim), held(claim)
    if unknown := sorted(said.keys() - set(own)):
        raise ValueError(f"it has parts that do not belong to a Design: {', '.join(unknown)}")
    for name, value in said.items():
        if name.startswith(_PROOF):
            fields[name] = None if value is None else _read_claim(name, value, claim, arrays, version)
        else:
            fields[name] = _read(value, arrays)
    if arrays:
        raise ValueError(f"it has arrays that do not belong to a Design: {', '.join(sorted(arrays))}")
    for name, wanted in stated(claim).items():
        if (None if fields[name] is None else inputs.rational(fields[name], name=name)) != wanted:
            raise ValueError(f"`{name}` is {fields[name]}, but its claim is about {wanted}")
    most = fields.get("max_norm")
    for name in [name for name in said if name.startswith(_PROOF) and fields[name] is not None]:
        check_best(fields[name], claim, most, name)
        fields[name] = fields[name].prove
    if "weights" in own:
        return Design(**fields, prove=claim.prove)
    return Design(**fields, weights=np.zeros(claim.heads.n), prove=claim.prove)  # the Design computes them


def _read_claim(name: str, said: dict[str, Any], main: Claim, arrays: dict[str, np.ndarray], version: str) -> Claim:
    """Another claim of the file."""
    begins, known = f"{DESIGN}.{name}.", main.arrays()
    own = {part.removeprefix(begins): arrays.pop(part) for part in list(arrays) if part.startswith(begins)}
    shared = {part: known[part] for part in said["shared"]}
    return claim_in(said["claim"], own | shared, version, where=f"`{name}`")
