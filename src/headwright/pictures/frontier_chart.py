"""Picture: the best probability found of meeting an error, against the query norm it takes, for one head and for more.

A longer query leaks less to other keys but feels the noise more: noise acts through τ²qᵀΣq. So a fixed direction, such as the
textbook's, has a best length; with all directions allowed, more length can only help, and the curve ends in a plateau.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from headwright import arrays
from headwright.constructions import Frontier
from headwright.optional import need
from headwright.pictures import palette

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WORDS = {1: "one head", 2: "two heads", 3: "three heads", 4: "four heads"}
_TEXTBOOK = palette.Look(palette.FAINT, "", ":", "x")
_MOST_MARKERS = 8  # on one curve
_APART = 0.13  # between the labels at the curves' ends, as part of the height
_WIDE = 20.0  # norms that span more than this factor have a logarithmic axis


@final
@dataclass(frozen=True, eq=False)
class Series:
    """One curve: its name, norms (m,), probabilities (m,), look, and the norm and probability of its best length."""

    name: str
    norms: np.ndarray
    chances: np.ndarray
    look: palette.Look
    best: tuple[float, float]


def frontier_curves(frontier: Frontier, *, confidence: float | None = None) -> Figure:
    """The curves of a `Frontier`, each with its best length marked; with `confidence`, a line at that probability."""
    if not isinstance(frontier, Frontier):
        raise TypeError(f"`frontier` must be a Frontier, got {type(frontier).__name__}")
    if confidence is not None and not 0 < confidence < 1:
        raise ValueError(f"`confidence` must lie strictly between 0 and 1, got {confidence!r}")
    series = _series(frontier)
    error = f"{float(arrays.rational(frontier.error, name='error')):g}"
    kind = "proved for the queries found" if frontier.proved else "estimated, not proved"
    with palette.house_style():
        figure = palette.sheet(
            width=8.2,
            height=4.9,
            title=f"How surely can queries of some length do {frontier.goal}?",
            note=f"Probability of an error of at most {error}: the best found, {kind}.",
        )
        axes = figure.subplots()
        if confidence is not None:
            _line_at(axes, confidence)
        for one in series:
            _draw(axes, one)
        _axes(axes, np.concatenate([one.norms for one in series]))
        _name_ends(axes, series)
    told = " ".join(
        f"{one.name.capitalize()}: at best {_down(one.best[1])}, at norm {one.best[0]:.3g}; "
        f"{_down(one.chances[-1])} at norm {one.norms[-1]:.3g}."
        for one in series
    )
    return palette.describe(
        figure, f"Probability of an error of at most {error} for {frontier.goal} against query norm, {kind}. {told}"
    )


def _series(frontier: Frontier) -> list[Series]:
    """Every number of heads, as many as there are looks, and the textbook's direction last."""
    counts = sorted(frontier.curves)
    if not 1 <= len(counts) <= len(palette.LOOKS):
        raise ValueError(f"`frontier` must have between 1 and {len(palette.LOOKS)} curves to draw, got {len(counts)}")
    found = []
    for look, heads in zip(palette.LOOKS, counts, strict=False):
        best = frontier.best[heads]
        norms, chances = _with_point(*frontier.curves[heads], best)
        found.append(Series(_WORDS.get(heads, f"{heads} heads"), norms, chances, look, best))
    if frontier.textbook is not None:
        norms, chances = frontier.textbook
        k = int(np.argmax(chances))
        found.append(Series("textbook", norms, chances, _TEXTBOOK, (float(norms[k]), float(chances[k]))))
    return found


def _with_point(norms: np.ndarray, chances: np.ndarray, point: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """The curve led through a point found between its norms; what a norm reaches, every longer one does."""
    order = np.argsort(np.append(norms, point[0]), kind="stable")
    led = np.maximum.accumulate(np.append(chances, point[1])[order])
    return np.append(norms, point[0])[order], led


def _down(probability: float) -> str:
    """Three digits, rounded down: what is not certain is not shown as 1.

    >>> _down(0.99986), _down(1.0), _down(0.0796)
    ('0.999', '1.000', '0.079')
    """
    return f"{math.floor(1000 * probability) / 1000:.3f}"


def _line_at(axes: Any, confidence: float) -> None:
    axes.axhline(confidence, color=palette.INK, linewidth=0.9, label="asked")
    axes.annotate(
        f"asked: {confidence:g}",
        (0.0, confidence),
        xycoords=("axes fraction", "data"),
        xytext=(6, -4),
        textcoords="offset points",
        va="top",
    )


def _draw(axes: Any, one: Series) -> None:
    """The curve, and a star at its best length."""
    axes.plot(
        one.norms,
        one.chances,
        color=one.look.colour,
        linestyle=one.look.line,
        linewidth=2.4,
        marker=one.look.marker,
        markersize=6,
        markeredgecolor=palette.INK if one.look.marker != "x" else one.look.colour,
        markevery=max(1, len(one.norms) // _MOST_MARKERS),
        label=one.name,
        clip_on=False,
        zorder=3,
    )
    axes.plot(
        *one.best,
        marker="*",
        markersize=18,
        color=one.look.colour,
        markeredgecolor=palette.INK,
        linestyle="none",
        label=f"best of {one.name}",
        clip_on=False,
        zorder=6,
    )


def _axes(axes: Any, norms: np.ndarray) -> None:
    if norms.min() > 0 and norms.max() > _WIDE * norms.min():
        axes.set_xscale("log")
        ticker = need("matplotlib.ticker", extra="plots")
        axes.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda x, _: f"{x:g}"))
        axes.xaxis.set_minor_formatter(ticker.NullFormatter())
    axes.set_xlim(norms.min(), norms.max())
    axes.set_ylim(0, 1)
    axes.set_xlabel("largest query norm allowed")
    axes.set_ylabel("probability")


def _name_ends(axes: Any, series: list[Series]) -> None:
    """Each curve's name and best at its right end, the names moved apart where ends are close."""
    ceiling = 1.0 + _APART
    for one in sorted(series, key=lambda one: -one.chances[-1]):
        end = float(one.chances[-1])
        ceiling = min(end, ceiling - _APART)
        place = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "annotation_clip": False}
        axes.annotate(one.name, (1, ceiling), xytext=(20, 1), va="bottom", fontweight="bold", **place)
        best = f"★ {_down(one.best[1])} at norm {one.best[0]:.3g}"
        axes.annotate(best, (1, ceiling), xytext=(20, -1), va="top", fontsize=10, **place)
        axes.plot(
            [1, 1.024],
            [end, ceiling],
            color=one.look.colour,
            linewidth=1.6,
            transform=axes.get_yaxis_transform(),
            clip_on=False,
            label=f"_to the name of {one.name}",
        )
