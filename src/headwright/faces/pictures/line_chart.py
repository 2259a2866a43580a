"""The line chart that several pictures are data for: lines and marks over two axes, each name beside the end of its line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from headwright.faces.pictures import palette
from headwright.words.optional import need

_NAMES_AT = 1.024  # where the names begin, as part of the width of the axes
_NARROW = 200.0  # a logarithmic axis that spans less has ticks at 2 and 5 besides those at 1


@final
@dataclass(frozen=True)
class Axis:
    """What stands at an axis; `form` is the format of its numbers, matplotlib's own where it is empty."""

    label: str
    limits: tuple[float, float] | None = None
    log: bool = False
    form: str = ""
    whole: bool = False  # ticks at whole numbers only


@final
@dataclass(frozen=True, eq=False)
class Line:
    """A line, or marks without one: points x, y (m,), its look, and the bold name and the note beside its end, if any.

    `down_to` (m,) is where the shade below it ends. `style` overrides settings of matplotlib's `plot`.
    """

    name: str
    x: Any
    y: Any
    look: palette.Look
    end: tuple[str, str] | None = None
    down_to: np.ndarray | None = None
    most_markers: int = 8
    style: Mapping[str, Any] = field(default_factory=dict)


def star(name: str, at: tuple[float, float], look: palette.Look, *, size: float = 18) -> Line:
    """A star in the colour of a line, on top of everything."""
    style = {"marker": "*", "markersize": size, "linestyle": "none", "zorder": 6}
    return Line(name, [at[0]], [at[1]], look, style=style)


def line_chart(lines: Sequence[Line], *, x: Axis, y: Axis, title: str, note: str, text: str) -> palette.Figure:
    """The lines in their order under a title and a note, with `text` for those who cannot see them."""
    with palette.house_style():
        figure = palette.sheet(width=8.2, height=4.9, title=title, note=note)
        axes = figure.subplots()
        axes.set(xlabel=x.label, ylabel=y.label)
        axes.set(xscale="log" if x.log else "linear", yscale="log" if y.log else "linear")
        for line in lines:
            _draw(axes, line)
        if x.limits:
            axes.set_xlim(x.limits)
        if y.limits:
            axes.set_ylim(y.limits)
        axes.autoscale_view()  # now, because ticks and names are placed by the limits
        _ticks(axes.xaxis, x)
        _ticks(axes.yaxis, y)
        _name_ends(axes, [line for line in lines if line.end is not None])
    return palette.describe(figure, text)


def _draw(axes: Any, line: Line) -> None:
    look = line.look
    drawn = {"color": look.colour, "linestyle": look.line, "linewidth": 2.2, "zorder": 3, "clip_on": False}
    marks = {"marker": look.marker, "markersize": 6, "markeredgecolor": palette.INK}
    every = max(1, math.ceil(len(line.x) / line.most_markers))
    axes.plot(line.x, line.y, label=line.name, markevery=every, **{**drawn, **marks, **line.style})
    if line.down_to is not None:
        shade = {"color": palette.REST, "alpha": 0.5, "linewidth": 0, "zorder": 1}
        axes.fill_between(line.x, line.down_to, line.y, label="_between", **shade)


def _ticks(axis: Any, wanted: Axis) -> None:
    ticker = need("matplotlib.ticker", extra="plots")
    if wanted.whole:
        axis.set_major_locator(ticker.MaxNLocator(integer=True, min_n_ticks=1))
    if wanted.form:
        axis.set_major_formatter(ticker.StrMethodFormatter(f"{{x:{wanted.form}}}"))
    if wanted.log:
        low, high = axis.get_view_interval()
        if high < _NARROW * low:
            axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axis.set_minor_formatter(ticker.NullFormatter())


def _name_ends(axes: Any, lines: Sequence[Line]) -> None:
    """Each line's name and note at the right, where its end is or near there, and a thin line from the end to them."""
    last = np.array([(line.x[-1], line.y[-1]) for line in lines]).reshape(-1, 2)
    ends = axes.transLimits.transform(axes.transScale.transform(last))
    apart = 0.13 if any(line.end and line.end[1] for line in lines) else 0.07
    for line, (across, up), height in zip(lines, ends, spread(ends[:, 1], apart), strict=True):
        name, note = line.end or ("", "")
        place = {"xycoords": "axes fraction", "textcoords": "offset points", "annotation_clip": False}
        above, lift = ("bottom", 1) if note else ("center", 0)
        axes.annotate(name, (_NAMES_AT, height), xytext=(5, lift), va=above, fontweight="bold", **place)
        if note:
            axes.annotate(note, (_NAMES_AT, height), xytext=(5, -1), va="top", fontsize=10, **place)
        leader = {"color": line.look.colour, "linewidth": 1.0, "transform": axes.transAxes, "clip_on": False}
        axes.plot([across, max(1, across), _NAMES_AT], [up, up, height], label=f"_to the name of {line.name}", **leader)


def spread(heights: np.ndarray, apart: float) -> np.ndarray:
    """Heights between 0 and 1 moved apart: downwards, and up again from the floor where there is no room below.

    >>> spread(np.array([0.5, 0.5, 0.0, 0.0]), 0.125).tolist()
    [0.5, 0.375, 0.125, 0.0]
    """
    order, places = np.argsort(-heights, kind="stable"), np.array(heights, dtype=float)
    above = 1 + apart
    for i in order:
        above = places[i] = min(places[i], above - apart)
    below = -apart
    for i in order[::-1]:
        below = places[i] = max(places[i], below + apart)
    return places
