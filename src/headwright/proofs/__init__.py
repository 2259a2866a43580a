"""Proofs: one claim per file, and the certificate files that carry claims from place to place."""

from headwright.proofs.certificate import BadCertificate, load, save, verify
from headwright.proofs.claim import Claim
from headwright.proofs.gap_norm import GapNorm
from headwright.proofs.goals_contradict import GoalsContradict
from headwright.proofs.heads import Heads, heads_of
from headwright.proofs.hulls_meet import HullsMeet
from headwright.proofs.layer_rows import LayerRows
from headwright.proofs.no_shorter import NoShorter
from headwright.proofs.out_of_reach import OutOfReach
from headwright.proofs.outputs_contradict import OutputsContradict
from headwright.proofs.reads_out import ReadsOut
from headwright.proofs.region import NORMS, Region
from headwright.proofs.spans_meet import SpansMeet
from headwright.proofs.top_gap import TopGap
from headwright.proofs.weight_bound import WeightBound
from headwright.proofs.with_probability import WithProbability, checked_confidence, probability_enclosures
from headwright.proofs.within_error import WithinError
from headwright.proofs.withstands import Withstands

__all__ = [
    "NORMS",
    "BadCertificate",
    "Claim",
    "GapNorm",
    "GoalsContradict",
    "Heads",
    "HullsMeet",
    "LayerRows",
    "NoShorter",
    "OutOfReach",
    "ReadsOut",
    "OutputsContradict",
    "Region",
    "SpansMeet",
    "TopGap",
    "WeightBound",
    "WithProbability",
    "WithinError",
    "Withstands",
    "checked_confidence",
    "heads_of",
    "load",
    "probability_enclosures",
    "save",
    "verify",
]
