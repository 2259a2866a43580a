"""Picture: how far attention moves, for each share of the queries, when stored keys replace the keys."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright.faces.pictures import palette
from headwright.faces.pictures.line_chart import Axis, Line, line_chart
from headwright.kernel.balls import decimal_above
from headwright.search.compress.comparison import Comparison

_LEAST = 1e-16  # a move that is drawn no lower: the axis is logarithmic, and a move may be 0
_POINTS = 1000  # of a line, which has one for each query where there are fewer


def variation_by_share(comparison: Comparison) -> palette.Figure:
    """The total variation that a share of the queries is proved not to exceed, against that share."""
    if not isinstance(comparison, Comparison):
        raise TypeError(f"`comparison` must be a Comparison, got {type(comparison).__name__}")
    moved = np.maximum(np.sort(comparison.variation, axis=None), _LEAST)
    count = moved.size
    drawn = np.unique(np.linspace(0, count - 1, min(count, _POINTS)).round().astype(int))
    _, n, d = comparison.weights_claim.keys.shape
    half, most = (decimal_above(Fraction(comparison.quantile(share).high), 3) for share in ("1/2", 1))
    return line_chart(
        [Line("total variation", (drawn + 1) / count, moved[drawn], palette.LOOKS[0], ("at most", "proved"))],
        x=Axis("share of the queries", (0, 1)),
        y=Axis("total variation at most", log=True, form="g"),
        title="How far does attention move with the stored keys?",
        note=f"{count:,} {'query' if count == 1 else 'queries'}, {n:,} keys in dimension {d}. Each point is proved.",
        text=f"The total variation that a share of the queries does not exceed: half of them {half}, all of them {most}.",
    )
