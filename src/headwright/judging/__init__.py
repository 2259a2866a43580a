"""Judging: `certify`, which hands claims to the proofs."""

from headwright.judging._certify import certify
from headwright.judging.verdicts import Verdicts

__all__ = ["Verdicts", "certify"]
