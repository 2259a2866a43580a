"""Picture: the singular values of a matrix under the bound σ_k <= ‖A‖_F/√k that no matrix breaks.

The k largest squares σ_1² >= … >= σ_k² sum to at most ‖A‖_F², so that the least of them is at most ‖A‖_F²/k. The bound is reached
at k if and only if the first k values are equal and all others 0. How far below it the spectrum stays says how concentrated
it is.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from headwright.faces.pictures import palette
from headwright.faces.pictures.line_chart import Axis, Line, line_chart, star
from headwright.search.spectrum import energy

_WIDE = 100.0  # values that span more than this factor have a logarithmic axis
_MOST_MARKERS = 40
_VALUES = palette.LOOKS[0]
_BOUND = palette.Look(palette.LOOKS[4].colour, "", palette.LOOKS[1].line, "")
_HOLLOW = {"linestyle": "none", "marker": "^", "markersize": 7, "markerfacecolor": palette.PAPER, "zorder": 5}


def spectrum_and_bound(a: Any, *, name: str = "A") -> palette.Figure:
    """The singular values of a (n, d) against their number k, with ‖a‖_F/√k, and the k that comes nearest to it marked.

    A value whose proved interval reaches down to 0 is drawn at the interval's upper end, as a hollow triangle.
    """
    squares = energy(a)
    spectrum, (n, d) = squares.singular_values, squares.singular_values.shape
    k, values, zero = np.arange(1, len(spectrum) + 1), spectrum.values, spectrum.low <= 0
    heights = np.where(zero, spectrum.high, values)
    bound = float(squares.norm) / np.sqrt(k)
    share = np.minimum(np.divide(values, bound, out=np.zeros_like(bound), where=bound > 0), 1)
    nearest = int(np.argmax(share))
    # The line ends before the values that may be 0, which are marked by themselves; its name stands beside the last value.
    marked, named = partial(Line, look=_VALUES, most_markers=_MOST_MARKERS), ("σ_k", "")
    lines = [
        Line("the bound", k, bound, _BOUND, (f"‖{name}‖_F/√k", ""), down_to=heights),
        marked("σ_k", k[~zero], heights[~zero], end=None if zero[-1] else named),
        marked("may be 0", k[zero], heights[zero], end=named if zero[-1] else None, style=_HOLLOW),
        star("nearest to the bound", (k[nearest], heights[nearest]), _VALUES),
    ]
    headline = f"nearest at k = {nearest + 1}, where σ_k is {share[nearest]:.1%} of it."
    if zero.any():
        headline += f" {np.count_nonzero(zero)} may be 0 (△: at most this)."
    if not bound.any():
        headline = "all are 0, and so is the bound."
    room = max(0.02 * len(k), 0.08)
    least, largest = float(heights.min()), float(bound[0])
    log = largest > _WIDE * least
    limits = (max(least, 1e-18 * largest) / 2, 2 * largest) if log else (0, 1.06 * largest or 1.0)
    return line_chart(
        [line for line in lines if len(line.x)],
        x=Axis("k, the number of the singular value", (1 - room, len(k) + room), whole=True),
        y=Axis("singular value and bound", limits, log=log),
        title=f"The singular values of {name} ({n} × {d}) and what bounds them",
        note=f"σ_k <= ‖{name}‖_F/√k for every k: {headline}",
        text=f"Singular values of {name}, {n} × {d}: the largest {values[0]:.4g}, the smallest {values[-1]:.4g}; {headline}",
    )
