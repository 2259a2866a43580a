"""Judging: `certify`, which hands claims to the proofs, and `radius`, which asks how far keys may move."""

from headwright.judging._certify import certify
from headwright.judging._radius import radius
from headwright.judging.radius_result import Radius
from headwright.judging.verdicts import Verdicts

__all__ = ["Radius", "Verdicts", "certify", "radius"]
