"""The claims that can be proved. Each is a class whose `prove()` returns the verdict. `certify` is a short form for some of them.

>>> import numpy as np, headwright as hw
>>> heads = hw.claims.Heads(np.eye(3), [[9.0, 0.0, 0.0]], [1.0], 1)
>>> hw.claims.WithinError(heads, hw.Copy(0), "0.01").prove().status
'proved'
"""

from headwright.proofs import (
    LEADS,
    AllOf,
    AttentionKept,
    BlockEquivariant,
    Claim,
    Contrary,
    GapNorm,
    GoalsContradict,
    Heads,
    HullsMeet,
    Image,
    Inequality,
    KeptOnBall,
    LayerRows,
    LeadDecides,
    NearLowRank,
    NeedsLater,
    NoneWithstands,
    NoShorter,
    NoSmallerError,
    OutOfReach,
    OutputsContradict,
    ReadsOut,
    Region,
    RowsApart,
    RunsProgram,
    SingularSquares,
    SingularTail,
    SingularValues,
    SpansMeet,
    TopGap,
    VariationOfEach,
    WeightBound,
    WeightVariance,
    WithinError,
    WithProbability,
    Withstands,
)
from headwright.proofs.families import (
    ExactAverage,
    LayerOutputs,
    LowRankFormula,
    ReadsOutAlways,
    ServesFamily,
    ServesKeys,
)

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
