"""Claims that one process sends to another as plain JSON values; floats keep their exact value there."""

from __future__ import annotations

from typing import Any

import numpy as np

from headwright.proofs import BadCertificate, Claim
from headwright.proofs.certificate import claim_in, text_of


def to_parts(claim: Claim) -> dict[str, Any]:
    """The claim as plain values."""
    return {"claim": text_of(claim), "arrays": {name: array.tolist() for name, array in claim.arrays().items()}}


def from_parts(parts: Any) -> Claim:
    """The claim that `to_parts` wrote, not proved; BadCertificate where the parts describe none."""
    try:
        stored = {name: np.array(rows, dtype=np.float64) for name, rows in parts["arrays"].items()}
        text = parts["claim"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadCertificate(f"`parts` describe no claim that can be judged: {error}") from error
    return claim_in(text, stored, where="`parts`")
