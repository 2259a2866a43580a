"""Picture: how many positions share their stored code with an earlier one, per number type, as the sequence grows.

Exact sinusoidal codes never repeat, because π is irrational. Stored codes are rounded, and two positions with near codes may then
have the same: from the first coinciding pair on, no layer can tell those positions apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from headwright.number_types import PRECISIONS
from headwright.optional import need
from headwright.pictures import palette
from headwright.position import Positions, coincidence
from headwright.position.claimed_rows import row_set
from headwright.proofs import StoredWaveRows, WaveRows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROWS = 4096  # made at once
_APART = 0.15  # between the labels at the right, as part of the height


@final
@dataclass(frozen=True, eq=False)
class Series:
    """One number type: its first coinciding pair, or None, and for each position the number of repeats so far (length,)."""

    name: str
    look: palette.Look
    star: int  # its size: first pairs are often neighbours, and a larger star shows from under a smaller one
    first: tuple[int, int] | None
    repeats: np.ndarray


def collisions_by_type(positions: Positions, *, dtypes: Sequence[str] = PRECISIONS) -> Figure:
    """The share of the first L positions whose stored code an earlier one has, against L, one curve for each of `dtypes`.

    A stored code is the exact one with every number rounded to the nearest of the type. The star marks the first coinciding pair.
    """
    if not isinstance(positions, Positions):
        raise TypeError(f"`positions` must be Positions, got {type(positions).__name__}")
    if positions.length < 2:
        raise ValueError(f"`positions` must have at least 2 rows, got {positions.length}")
    unknown = [name for name in dtypes if name not in PRECISIONS]
    if unknown or not dtypes or len(set(dtypes)) < len(dtypes):
        got = ", ".join(map(str, unknown or dtypes)) or "none"
        raise ValueError(f"`dtypes` must be among {', '.join(PRECISIONS)}, each once, got {got}")
    series = [_series(positions, name, place) for place, name in enumerate(dtypes)]
    with palette.house_style():
        figure = palette.sheet(
            width=8.2,
            height=4.9,
            title=f"How many positions lose their own code? {positions.kind.capitalize()}, d = {positions.dim}",
            note="The share of the first L positions whose stored code an earlier position already has.",
        )
        axes = figure.subplots()
        # Before the first coincidence all curves are 0: they start a little before it.
        start = max(1, min((one.first[1] // 4 for one in series if one.first is not None), default=1))
        for one in series:
            _draw(axes, one, start)
        _axes(axes, start, positions.length)
        _name_ends(axes, series)
    told = " ".join(_told(one) for one in series)
    return palette.describe(
        figure, f"Coinciding {positions.kind} codes among {positions.length} positions, d = {positions.dim}. {told}"
    )


def _series(positions: Positions, name: str, place: int) -> Series:
    first = coincidence(positions, dtype=name)
    repeats = np.zeros(positions.length, dtype=int) if first is None else _repeats(positions, name)
    return Series(name, palette.LOOKS[place], 22 - 5 * place, first, repeats)


def _repeats(positions: Positions, name: str) -> np.ndarray:
    """For each position, how many up to it have a stored code that an earlier one has."""
    stored = row_set(positions, name)
    assert not isinstance(stored, WaveRows), "rows of a narrow type are stored"
    seen: set[bytes] = set()
    repeated = np.zeros(positions.length, dtype=bool)
    for start in range(0, positions.length, _ROWS):
        stop = min(start + _ROWS, positions.length)
        block = stored.rows(start, stop) if isinstance(stored, StoredWaveRows) else stored.stored[start:stop]
        for t, row in enumerate(np.ascontiguousarray(block), start):
            code = row.tobytes()
            repeated[t] = code in seen
            seen.add(code)
    return np.cumsum(repeated)


def _told(one: Series) -> str:
    if one.first is None:
        return f"{one.name}: none."
    return f"{one.name}: first {one.first[0]} and {one.first[1]}, {int(one.repeats[-1])} repeats in all."


def _draw(axes: Any, one: Series, start: int) -> None:
    """The share as a curve, and a star at the first coinciding pair."""
    lengths = np.unique(np.geomspace(start, len(one.repeats), 300).astype(int))
    share = one.repeats[lengths - 1] / lengths
    axes.plot(
        lengths,
        share,
        color=one.look.colour,
        linestyle=one.look.line,
        linewidth=2.2,
        marker=one.look.marker,
        markersize=6,
        markeredgecolor=palette.INK,
        markevery=(20, 50),
        label=one.name,
        clip_on=False,
        zorder=3,
    )
    if one.first is not None:
        axes.plot(
            [one.first[1] + 1],
            [one.repeats[one.first[1]] / (one.first[1] + 1)],
            marker="*",
            markersize=one.star,
            color=one.look.colour,
            markeredgecolor=palette.INK,
            linestyle="none",
            label=f"first of {one.name}",
            clip_on=False,
            zorder=6,
        )


def _axes(axes: Any, start: int, length: int) -> None:
    ticker = need("matplotlib.ticker", extra="plots")
    axes.set_xscale("log")
    axes.set_xlim(start, length)
    axes.set_ylim(0, 1)
    if length < 200 * start:
        axes.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axes.xaxis.set_minor_formatter(ticker.NullFormatter())
    axes.yaxis.set_major_formatter(ticker.PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("number L of positions")
    axes.set_ylabel("positions that repeat a code")


def _name_ends(axes: Any, series: list[Series]) -> None:
    """Each type's name and first pair at the right, moved apart upwards from the lowest curve, where many lie at 0."""
    floor = -_APART
    for one in sorted(series, key=lambda one: int(one.repeats[-1])):
        end = float(one.repeats[-1]) / len(one.repeats)
        floor = max(end, floor + _APART)
        place = {"xycoords": "axes fraction", "textcoords": "offset points", "annotation_clip": False}
        axes.annotate(one.name, (1, floor), xytext=(20, 1), va="bottom", fontweight="bold", **place)
        text = "no two alike" if one.first is None else f"★ first {one.first[0]:,} and {one.first[1]:,}"
        axes.annotate(text, (1, floor), xytext=(20, -1), va="top", fontsize=10, **place)
        axes.plot(
            [1, 1.024],
            [end, floor],
            color=one.look.colour,
            linewidth=1.6,
            transform=axes.transAxes,
            clip_on=False,
            label=f"_to the name of {one.name}",
        )
