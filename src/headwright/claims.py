"""The claims that can be proved. Each is a class whose `prove()` returns the verdict. `certify` is a short form for some of them.

>>> import numpy as np, headwright as hw
>>> heads = hw.claims.Heads(np.eye(3), [[9.0, 0.0, 0.0]], [1.0], 1)
>>> hw.claims.WithinError(heads, hw.Copy(0), "0.01").prove().status
'proved'
"""

from headwright.proofs import (
    LEADS,
    AllOf,
    BiasRows,
    BlockEquivariant,
    Claim,
    Contrary,
    GapNorm,
    GoalsContradict,
    Heads,
    HullsMeet,
    Inequality,
    LayerRows,
    LeadDecides,
    NearLowRank,
    NoneWithstands,
    NoShorter,
    OutOfReach,
    OutputsContradict,
    ReadsOut,
    RecordedOrder,
    Region,
    RowsApart,
    SingularSquares,
    SingularTail,
    SingularValues,
    SpansMeet,
    TopGap,
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

__all__ = ["LEADS", "Heads", "Region"]  # parts of claims, and one claim without numbers of its own
__all__ += ["AllOf", "BiasRows", "BlockEquivariant", "Claim", "Contrary", "ExactAverage", "GapNorm", "GoalsContradict"]
__all__ += ["HullsMeet", "Inequality", "LayerOutputs", "LayerRows", "LeadDecides", "LowRankFormula", "NearLowRank"]
__all__ += [
    "NoShorter",
    "NoneWithstands",
    "OutOfReach",
    "OutputsContradict",
    "ReadsOut",
    "ReadsOutAlways",
    "RecordedOrder",
    "RowsApart",
]
__all__ += ["ServesFamily", "ServesKeys", "SingularSquares", "SingularTail", "SingularValues", "SpansMeet", "TopGap"]
__all__ += ["WeightBound", "WeightVariance", "WithProbability", "WithinError", "Withstands"]
