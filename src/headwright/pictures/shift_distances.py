"""Picture: how far apart sinusoidal position codes are, against the shift between the positions, with the nearest pair marked.

The distance of the rows t and t + s is a function of the shift alone, D(s)² = Σ_i 4 sin²(ω_i s/2) with ω_i = base^(-2i/d). For
d = 2 it falls nearly to 0 wherever s is nearly a multiple of 2π; each further pair of columns lifts those dips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from headwright.optional import need
from headwright.pictures import palette
from headwright.position import NearestPair, Positions, nearest_pair

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_KINDS = ("sinusoidal", "rotary")  # those whose distances depend on the shift alone
_MOST_SERIES = 4
_MOST_POINTS = 240  # of one encoding; where there are more shifts, a point is the least of its neighbours
_AT_ONCE = 2**16  # entries computed together
_APART = 0.15  # between the labels at the right, as part of the height


@final
@dataclass(frozen=True, eq=False)
class Series:
    """One encoding: its nearest pair, the shifts and distances that are drawn (m,), and those nearer than all before (r,)."""

    name: str
    look: palette.Look
    nearest: NearestPair
    last: int
    points: tuple[np.ndarray, np.ndarray]
    records: tuple[np.ndarray, np.ndarray]


def distance_against_shift(positions: Positions | Sequence[Positions]) -> Figure:
    """The distance of two codes against their shift, for one encoding or up to four; the nearest pair of each has a star.

    A small point is a shift; the line is the least distance at that shift or any smaller one.
    """
    series = [_series(one, look) for one, look in zip(_checked(positions), palette.LOOKS, strict=False)]
    with palette.house_style():
        figure = palette.sheet(
            width=8.2,
            height=4.9,
            title="How far apart are the codes of two positions?",
            note="Each point is a shift between positions; the line is the least distance so far, the star the nearest pair.",
        )
        axes = figure.subplots()
        axes.set_xscale("log")
        axes.set_yscale("log")
        for one in series:
            _draw(axes, one)
        _axes(axes, series)
        _name_ends(axes, series)
    told = " ".join(
        f"{one.name}: the nearest pair is {one.nearest.pair[0]} and {one.nearest.pair[1]}, at distance "
        f"{one.nearest.distance:.4g}; the nearest so far at the shifts {', '.join(map(str, one.records[0]))}."
        for one in series
    )
    return palette.describe(figure, f"Distance of position codes against the shift between positions. {told}")


def shift_distances(positions: Positions, shifts: np.ndarray) -> np.ndarray:
    """D(s) in float64 for every shift of `shifts` (m,)."""
    assert positions.base is not None, "waves have a base"
    frequencies = positions.base ** (-np.arange(0, positions.dim, 2) / positions.dim)
    step = max(1, _AT_ONCE // len(frequencies))
    parts = [shifts[k : k + step] for k in range(0, len(shifts), step)]
    found = [2 * np.sqrt((np.sin(part[:, None] * frequencies / 2) ** 2).sum(axis=1)) for part in parts]
    return np.concatenate(found)


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


def _series(positions: Positions, look: palette.Look) -> Series:
    shifts = np.arange(1, positions.length)
    distances = shift_distances(positions, shifts)
    record = np.r_[True, distances[1:] < np.minimum.accumulate(distances)[:-1]]
    # Bins of equal width on the logarithmic axis, each drawn by its nearest shift.
    starts = np.unique(np.geomspace(1, len(shifts) + 1, _MOST_POINTS + 1)[:-1].astype(int)) - 1
    drawn = np.array([k + int(np.argmin(distances[k:end])) for k, end in zip(starts, [*starts[1:], None], strict=True)])
    kind = "" if positions.kind == "sinusoidal" else f"{positions.kind}, "
    return Series(
        f"{kind}d = {positions.dim}",
        look,
        nearest_pair(positions),
        positions.length - 1,
        (shifts[drawn], distances[drawn]),
        (shifts[record], distances[record]),
    )


def _draw(axes: Any, one: Series) -> None:
    """A small point for each drawn shift, the least distance so far as a step line, a star at the nearest pair."""
    look = one.look
    axes.plot(
        *one.points,
        color=look.colour,
        marker=look.marker,
        markersize=3,
        alpha=0.55,
        linestyle="none",
        label=f"shifts, {one.name}",
    )
    axes.plot(
        np.r_[one.records[0], one.last],
        np.r_[one.records[1], one.records[1][-1]],
        color=look.colour,
        linestyle=look.line,
        linewidth=2.2,
        drawstyle="steps-post",
        label=one.name,
        zorder=3,
    )
    i, j = one.nearest.pair
    axes.plot(
        [j - i],
        [one.nearest.distance],
        marker="*",
        markersize=17,
        color=look.colour,
        markeredgecolor=palette.INK,
        linestyle="none",
        label=f"nearest of {one.name}",
        clip_on=False,
        zorder=6,
    )


def _axes(axes: Any, series: list[Series]) -> None:
    ticker = need("matplotlib.ticker", extra="plots")
    axes.set_xlim(1, max(2, *(one.last for one in series)))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda y, _: f"{y:g}"))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(ticker.NullFormatter())
    axes.set_xlabel("shift between the two positions")
    axes.set_ylabel("distance of their codes")


def _name_ends(axes: Any, series: list[Series]) -> None:
    """Each encoding's name and nearest pair beside the end of its line, moved apart where two are close."""
    low, high = (np.log10(edge) for edge in axes.get_ylim())
    ceiling = 1.0 + _APART
    for one in sorted(series, key=lambda one: -float(one.nearest.distance)):
        height = float(np.log10(one.nearest.distance) - low) / float(high - low)
        ceiling = min(height, ceiling - _APART)
        place = {"xycoords": "axes fraction", "textcoords": "offset points", "annotation_clip": False}
        axes.annotate(one.name, (1, ceiling), xytext=(14, 1), va="bottom", fontweight="bold", **place)
        i, j = one.nearest.pair
        text = f"★ {one.nearest.distance:.3g} at shift {j - i:,}"
        axes.annotate(text, (1, ceiling), xytext=(14, -1), va="top", fontsize=10, **place)
        axes.plot(
            [1, 1.016],
            [height, ceiling],
            color=one.look.colour,
            linewidth=1.6,
            transform=axes.transAxes,
            clip_on=False,
            label=f"_to the name of {one.name}",
        )
