"""Certificate files as a forger writes them: any claim and arrays, under a digest that fits."""

import json
import struct

import numpy as np
from safetensors.numpy import load_file, save_file

from headwright.kernel.certificate import FORMAT, SAID, _unpacked, digest, packed, text_of
from headwright.words.hints import what_is_said


def metadata(path):
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    return json.loads(raw[8 : 8 + length])["__metadata__"]


def signed(claim, arrays, version=FORMAT, **other):
    """The metadata of a file with this claim, a text, and these arrays; what is None is left out."""
    made = {"headwright": version, "claim": claim, **other}
    made = {name: text for name, text in made.items() if text is not None}
    return {"digest": digest(made, arrays), **made}


def write(path, claim, verdict):
    """The file that `save` writes, without proving anything again."""
    said, beside = what_is_said(verdict, claim)
    arrays = {name: np.ascontiguousarray(own) for name, own in {**claim.arrays(), **beside}.items()}
    stored = {"packed": packed(arrays)} if claim.packed else arrays
    save_file(stored, path, metadata=signed(text_of(claim), arrays, **{SAID: said}))


def rewrite(path, *, claim=None, arrays=None, version=None, **other):
    """The file with some parts replaced and the digest computed anew."""
    before, stored = metadata(path), load_file(path)
    packs = list(stored) == ["packed"]
    if arrays is None:
        arrays = _unpacked(stored["packed"]) if packs else stored
    kept = {name: text for name, text in before.items() if name not in ("claim", "headwright", "digest")}
    claim, version = before["claim"] if claim is None else claim, before["headwright"] if version is None else version
    made = signed(claim, arrays, version, **{**kept, **other})
    save_file({"packed": packed(arrays)} if packs else arrays, path, metadata=made)
