"""Picture: how far apart sinusoidal position codes are, against the shift between the positions, with the nearest pair marked.

The distance of the rows t and t + s is a function of the shift alone, D(s)² = Σ_i 4 sin²(ω_i s/2) with ω_i = base^(-2i/d). For
d = 2 it falls nearly to 0 wherever s is nearly a multiple of 2π; each further pair of columns lifts those dips.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from headwright.faces.pictures import palette
from headwright.faces.pictures.line_chart import Axis, Line, line_chart, star
from headwright.search.positions import Positions, nearest_pair

_KINDS = ("sinusoidal", "rotary")  # those whose distances depend on the shift alone
_MOST_SERIES = 4
_MOST_POINTS = 240  # of one encoding; where there are more shifts, a point is the least of its neighbours
_AT_ONCE = 2**16  # entries computed together
_DOTS = {"linestyle": "none", "markersize": 4, "markeredgecolor": "none", "alpha": 0.55, "zorder": 2}


def distance_against_shift(positions: Positions | Sequence[Positions]) -> palette.Figure:
    """The distance of two codes against their shift, for one encoding or up to four; the nearest pair of each has a star.

    A small point is a shift; the line is the least distance at that shift or any smaller one.
    """
    given = _checked(positions)
    drawn = [_encoding(one, look) for one, look in zip(given, palette.LOOKS, strict=False)]
    return line_chart(
        [line for lines, _ in drawn for line in lines],
        x=Axis(
            "shift between the two positions", (1, max(2, *(one.length - 1 for one in given))), log=True, form=",.0f"
        ),
        y=Axis("distance of their codes", log=True, form="g"),
        title="How far apart are the codes of two positions?",
        note="Each point is a shift between positions; the line is the least distance so far, the star the nearest pair.",
        text=f"Distance of position codes against the shift between positions. {' '.join(words for _, words in drawn)}",
    )


def shift_distances(positions: Positions, shifts: np.ndarray) -> np.ndarray:
    """D(s) in float64 for every shift of `shifts` (m,)."""
    assert positions.base is not None, "waves have a base"
    frequencies = positions.base ** (-np.arange(0, positions.dim, 2) / positions.dim)
    step = max(1, _AT_ONCE // len(frequencies))
    parts = [shifts[k : k + step] for k in range(0, len(shifts), step)]
    return np.concatenate([2 * np.sqrt((np.sin(s[:, None] * frequencies / 2) ** 2).sum(axis=1)) for s in parts])


def _checked(positions: Any) -> list[Positions]:
    if not isinstance(positions, Positions | Sequence):
        raise TypeError(f"`positions` must be Positions or several of them, got {type(positions).__name__}")
    given = [positions] if isinstance(positions, Positions) else list(positions)
    if not 1 <= len(given) <= _MOST_SERIES:
        raise ValueError(f"`positions` must be between 1 and {_MOST_SERIES} encodings, got {len(given)}")
    for one in given:
        if not isinstance(one, Positions):
            raise TypeError(f"`positions` must be Positions, got {type(one).__name__}")
        if one.kind not in _KINDS:
            raise ValueError(
                f"`positions` must be {' or '.join(_KINDS)}: only their distances depend on the shift alone, got {one.kind}"
            )
        if one.length < 2:
            raise ValueError(f"`positions` must have at least 2 rows, got {one.length}")
    return given


def _encoding(positions: Positions, look: palette.Look) -> tuple[list[Line], str]:
    """A dot for each drawn shift, the least distance so far as a step line, a star at the nearest pair; and all in words."""
    shifts = np.arange(1, positions.length)
    distances = shift_distances(positions, shifts)
    record = np.r_[True, distances[1:] < np.minimum.accumulate(distances)[:-1]]
    # Bins of equal width on the logarithmic axis, each drawn by its nearest shift.
    starts = np.unique(np.geomspace(1, len(shifts) + 1, _MOST_POINTS + 1)[:-1].astype(int)) - 1
    dots = np.array([k + int(np.argmin(distances[k:end])) for k, end in zip(starts, [*starts[1:], None], strict=True)])
    name = f"{'' if positions.kind == 'sinusoidal' else f'{positions.kind}, '}d = {positions.dim}"
    nearest = nearest_pair(positions)
    i, j = nearest.pair
    end = (name, f"★ {nearest.distance:.3g} at shift {j - i:,}")
    least = np.r_[shifts[record], shifts[-1]], np.r_[distances[record], distances[record][-1]]
    lines = [
        Line(f"shifts, {name}", shifts[dots], distances[dots], look, most_markers=_MOST_POINTS, style=_DOTS),
        Line(name, *least, look, end, style={"drawstyle": "steps-post", "marker": ""}),
        star(f"nearest of {name}", (j - i, nearest.distance), look),
    ]
    return lines, (
        f"{name}: the nearest pair is {i} and {j}, at distance {nearest.distance:.4g}; the nearest so far at the shifts "
        f"{', '.join(map(str, shifts[record]))}."
    )
