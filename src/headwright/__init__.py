"""headwright: state what attention should do with your keys; get the query that does it, with a proof."""

from headwright import position, problems, spectrum
from headwright._design import Design
from headwright.argued import Argued
from headwright.attention import Attention, attend
from headwright.block import Block
from headwright.bounded import Bounded
from headwright.constructions import (
    Frontier,
    Readout,
    design,
    design_layer,
    design_many,
    error_of_epsilon,
    frontier,
    readout,
)
from headwright.goals import Average, Blend, Copy, Top
from headwright.judging import certify
from headwright.keys import GaussianKeys
from headwright.layer import Layer
from headwright.noise import Outcome, outcome
from headwright.proofs import BadCertificate, verify
from headwright.refusals import AssumptionFailed, NotFound, Unreachable, Witness
from headwright.saving import save
from headwright.scaled_keys import ScaledKeys
from headwright.verdict import NotProved, Proved, Refuted, Undecided

__version__ = "0.1.0"

__all__ = [
    "Argued",
    "AssumptionFailed",
    "Attention",
    "Average",
    "BadCertificate",
    "Blend",
    "Block",
    "Bounded",
    "Copy",
    "Design",
    "Frontier",
    "GaussianKeys",
    "Layer",
    "NotFound",
    "NotProved",
    "Outcome",
    "Proved",
    "Readout",
    "Refuted",
    "ScaledKeys",
    "Top",
    "Undecided",
    "Unreachable",
    "Witness",
    "attend",
    "certify",
    "design",
    "design_layer",
    "design_many",
    "error_of_epsilon",
    "frontier",
    "outcome",
    "position",
    "problems",
    "readout",
    "save",
    "spectrum",
    "verify",
]


def __dir__() -> list[str]:
    return sorted(__all__)
