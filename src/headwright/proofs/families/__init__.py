"""Claims about formulas: for a whole family of attention problems, or at given keys."""

from headwright.proofs.families.exact_average import ExactAverage
from headwright.proofs.families.family import LARGE, NO_FORM, Queries, QueryFamily
from headwright.proofs.families.layer_outputs import LayerOutputs
from headwright.proofs.families.low_rank_formula import LowRankFormula
from headwright.proofs.families.members import Finding, Member
from headwright.proofs.families.reads_out_always import ReadsOutAlways
from headwright.proofs.families.regions import Part
from headwright.proofs.families.serves_family import ServesFamily
from headwright.proofs.families.serves_keys import ServesKeys

__all__ = [
    "LARGE",
    "NO_FORM",
    "ExactAverage",
    "Finding",
    "LayerOutputs",
    "LowRankFormula",
    "Member",
    "Part",
    "Queries",
    "QueryFamily",
    "ReadsOutAlways",
    "ServesFamily",
    "ServesKeys",
]
