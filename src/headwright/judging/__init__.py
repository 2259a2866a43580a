"""Judging: `certify`, which hands claims to the proofs."""

from headwright.judging._certify import certify

__all__ = ["certify"]
