"""Proofs: one claim per file, and the certificate files that carry claims from place to place."""

from headwright.proofs.certificate import BadCertificate, load, save, verify
from headwright.proofs.claim import Claim
from headwright.proofs.heads import Heads
from headwright.proofs.region import NORMS, Region
from headwright.proofs.weight_bound import WeightBound
from headwright.proofs.within_error import WithinError
from headwright.proofs.withstands import Withstands

__all__ = [
    "NORMS",
    "BadCertificate",
    "Claim",
    "Heads",
    "Region",
    "WeightBound",
    "WithinError",
    "Withstands",
    "load",
    "save",
    "verify",
]
