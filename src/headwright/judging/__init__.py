"""Judging: `certify`, which hands claims to the proofs."""

from headwright.judging.certifying import certify

__all__ = ["certify"]
