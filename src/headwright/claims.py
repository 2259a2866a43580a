"""The claims that can be proved. Each is a class whose `prove()` returns the verdict. `certify` is a short form for some of them.

>>> import numpy as np, headwright as hw
>>> heads = hw.claims.Heads(np.eye(3), [[9.0, 0.0, 0.0]], [1.0], 1)
>>> hw.claims.WithinError(heads, hw.Copy(0), "0.01").prove().status
'proved'
"""

from headwright.kernel.claim import KINDS as KINDS, Claim
from headwright.kernel.combined import AllOf, Contrary
from headwright.kernel.gap_norm import GapNorm
from headwright.kernel.goals_contradict import GoalsContradict
from headwright.kernel.heads import Heads
from headwright.kernel.hulls_meet import HullsMeet
from headwright.kernel.image import Image
from headwright.kernel.no_shorter import NoShorter
from headwright.kernel.no_smaller_error import NoSmallerError
from headwright.kernel.none_withstands import NoneWithstands
from headwright.kernel.out_of_reach import OutOfReach
from headwright.kernel.region import Region
from headwright.kernel.top_gap import TopGap
from headwright.kernel.variation_of_each import VariationOfEach
from headwright.kernel.weight_bound import WeightBound
from headwright.kernel.within_error import WithinError
from headwright.kernel.withstands import Withstands
from headwright.theories.formulas.families.exact_average import ExactAverage
from headwright.theories.formulas.families.layer_outputs import LayerOutputs
from headwright.theories.formulas.families.low_rank_formula import LowRankFormula
from headwright.theories.formulas.families.reads_out_always import ReadsOutAlways
from headwright.theories.formulas.families.serves_family import ServesFamily
from headwright.theories.formulas.families.serves_keys import ServesKeys
from headwright.theories.formulas.inequality import Inequality
from headwright.theories.formulas.lead_decides import LEADS, LeadDecides
from headwright.theories.matrices.layer_rows import LayerRows
from headwright.theories.matrices.low_rank import NearLowRank
from headwright.theories.matrices.outputs_contradict import OutputsContradict
from headwright.theories.matrices.reads_out import ReadsOut
from headwright.theories.matrices.singular_squares import SingularSquares, SingularTail
from headwright.theories.matrices.singular_values import SingularValues
from headwright.theories.matrices.spans_meet import SpansMeet
from headwright.theories.order.block_equivariant import BlockEquivariant
from headwright.theories.positions.rows_apart import RowsApart
from headwright.theories.programs.needs_later import NeedsLater
from headwright.theories.programs.runs_program import RunsProgram
from headwright.theories.random_keys.weight_variance import WeightVariance
from headwright.theories.random_keys.with_probability import WithProbability
from headwright.theories.stored_keys.attention_kept import AttentionKept
from headwright.theories.stored_keys.kept_on_ball import KeptOnBall

__all__ = ["LEADS", "Heads", "Image", "Region"]  # parts of claims, and one claim without numbers of its own
__all__ += ["AllOf", "AttentionKept", "BlockEquivariant", "Claim", "Contrary", "ExactAverage", "GapNorm"]
__all__ += ["GoalsContradict", "HullsMeet", "Inequality", "KeptOnBall", "LayerOutputs", "LayerRows"]
__all__ += ["LeadDecides", "LowRankFormula"]
__all__ += [
    "NearLowRank",
    "NeedsLater",
    "NoShorter",
    "NoneWithstands",
    "NoSmallerError",
    "OutOfReach",
    "OutputsContradict",
    "ReadsOut",
    "ReadsOutAlways",
]
__all__ += [
    "RowsApart",
    "RunsProgram",
    "ServesFamily",
    "ServesKeys",
    "SingularSquares",
    "SingularTail",
    "SingularValues",
    "SpansMeet",
]
__all__ += [
    "TopGap",
    "VariationOfEach",
    "WeightBound",
    "WeightVariance",
    "WithProbability",
    "WithinError",
    "Withstands",
]
