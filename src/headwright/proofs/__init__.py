"""Proofs: one claim per file, and the certificate files that carry claims from place to place."""

from headwright.proofs import families
from headwright.proofs.attention_kept import AttentionKept
from headwright.proofs.block_equivariant import BlockEquivariant
from headwright.proofs.certificate import BadCertificate, load, verify
from headwright.proofs.claim import Claim
from headwright.proofs.combined import AllOf, Contrary
from headwright.proofs.gap_norm import GapNorm
from headwright.proofs.goals_contradict import GoalsContradict
from headwright.proofs.heads import Heads
from headwright.proofs.hulls_meet import HullsMeet
from headwright.proofs.image import Image
from headwright.proofs.inequality import Inequality
from headwright.proofs.kept_on_ball import KeptOnBall
from headwright.proofs.layer_rows import LayerRows
from headwright.proofs.lead_decides import LEADS, LeadDecides
from headwright.proofs.low_rank import NearLowRank
from headwright.proofs.needs_later import NeedsLater
from headwright.proofs.no_shorter import NoShorter
from headwright.proofs.no_smaller_error import NoSmallerError
from headwright.proofs.none_withstands import NoneWithstands
from headwright.proofs.out_of_reach import OutOfReach
from headwright.proofs.outputs_contradict import OutputsContradict
from headwright.proofs.reads_out import ReadsOut
from headwright.proofs.region import NORMS, Region
from headwright.proofs.row_sets import RowSet, TableRows, WaveRows
from headwright.proofs.rows_apart import RowsApart
from headwright.proofs.runs_program import RunsProgram
from headwright.proofs.singular_squares import SingularSquares, SingularTail, sum_of_squares
from headwright.proofs.singular_values import SingularValues
from headwright.proofs.spans_meet import SpansMeet
from headwright.proofs.top_gap import TopGap
from headwright.proofs.variation_of_each import VariationOfEach
from headwright.proofs.weight_bound import WeightBound
from headwright.proofs.weight_variance import WeightVariance
from headwright.proofs.with_probability import WithProbability, checked_confidence, probability_enclosures
from headwright.proofs.within_error import WithinError
from headwright.proofs.withstands import Withstands
