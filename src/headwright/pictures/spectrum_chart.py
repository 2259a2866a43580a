"""Picture: the singular values of a matrix under the bound σ_k <= ‖A‖_F/√k that no matrix breaks.

The k largest squares σ_1² >= … >= σ_k² sum to at most ‖A‖_F², so that the least of them is at most ‖A‖_F²/k. The bound is reached
at k just when the first k values are equal and all others 0; how far below it the spectrum stays says how concentrated it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from headwright.optional import need
from headwright.pictures import palette
from headwright.spectrum import Energy, energy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDE = 100.0  # values that span more than this factor have a logarithmic axis
_MOST_MARKERS = 40
_BOUND = palette.Look(palette.LOOKS[4].colour, "", palette.LOOKS[1].line, "")


@final
@dataclass(frozen=True, eq=False)
class Shown:
    """What is drawn at k = 1 … p: `heights` of the values, their `bound`, which of them may be 0, and the k nearest the bound."""

    heights: np.ndarray
    bound: np.ndarray
    perhaps_zero: np.ndarray
    share: np.ndarray

    @property
    def tightest(self) -> int:
        """The number, from 1, of the value that comes nearest to its bound."""
        return int(np.argmax(self.share)) + 1


def spectrum_and_bound(a: Any, *, name: str = "A") -> Figure:
    """The singular values of a (n, d) against their number k, with ‖a‖_F/√k, and the k that comes nearest to it marked.

    A value whose proved interval reaches down to 0 is drawn at the interval's upper end, as a hollow triangle.
    """
    found = energy(a)
    shown, (n, d) = _shown(found), found.singular_values.shape
    with palette.house_style():
        figure = palette.sheet(
            width=8.2,
            height=4.9,
            title=f"The singular values of {name} ({n} × {d}) and what bounds them",
            note=f"σ_k <= ‖{name}‖_F/√k for every k: {_headline(shown)}",
        )
        axes = figure.subplots()
        _axes(axes, shown)
        _draw(axes, shown)
        _name_ends(axes, shown, name)
    values = found.singular_values.values
    told = f"the largest {values[0]:.4g}, the smallest {values[-1]:.4g}; {_headline(shown)}"
    return palette.describe(figure, f"Singular values of {name}, {n} × {d}: {told}")


def _shown(found: Energy) -> Shown:
    spectrum = found.singular_values
    bound = float(found.norm) / np.sqrt(np.arange(1, len(spectrum) + 1))
    perhaps_zero = spectrum.low <= 0
    share = np.divide(spectrum.values, bound, out=np.zeros_like(bound), where=bound > 0)
    return Shown(np.where(perhaps_zero, spectrum.high, spectrum.values), bound, perhaps_zero, np.minimum(share, 1))


def _headline(shown: Shown) -> str:
    if not shown.bound.any():
        return "all are 0, and so is the bound."
    k = shown.tightest
    zeros = int(shown.perhaps_zero.sum())
    rest = "" if not zeros else f" {zeros} may be 0 (△: at most this)."
    return f"nearest at k = {k}, where σ_k is {shown.share[k - 1]:.1%} of it.{rest}"


def _axes(axes: Any, shown: Shown) -> None:
    heights, largest = shown.heights, float(shown.bound[0])
    if largest > 0 and (largest > _WIDE * heights.min()):
        axes.set_yscale("log")
        axes.set_ylim(max(float(heights.min()), 1e-18 * largest) / 2, 2 * largest)
    else:
        axes.set_ylim(0, 1.06 * largest or 1.0)
    ticker = need("matplotlib.ticker", extra="plots")
    axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True, min_n_ticks=1))
    room = 0.02 * len(heights)
    axes.set_xlim(1 - max(room, 0.08), len(heights) + max(room, 0.08))
    axes.set_xlabel("k, the number of the singular value")
    axes.set_ylabel("singular value and bound")


def _draw(axes: Any, shown: Shown) -> None:
    """The values as marked points, the bound as a dashed line, what lies between them shaded, the nearest k with a star."""
    look, k = palette.LOOKS[0], np.arange(1, len(shown.heights) + 1)
    known, zero = ~shown.perhaps_zero, shown.perhaps_zero
    every = max(1, math.ceil(len(k) / _MOST_MARKERS))
    axes.fill_between(
        k, shown.heights, shown.bound, color=palette.REST, alpha=0.5, linewidth=0, label="_between", zorder=1
    )
    axes.plot(k, shown.bound, color=_BOUND.colour, linestyle=_BOUND.line, linewidth=2.2, label="the bound", zorder=3)
    points = {"color": look.colour, "linestyle": look.line, "linewidth": 2, "marker": look.marker, "markersize": 5}
    axes.plot(k[known], shown.heights[known], markevery=every, label="σ_k", zorder=4, **points)
    if zero.any():
        hollow = {
            "marker": "^",
            "markersize": 7,
            "markerfacecolor": palette.PAPER,
            "color": look.colour,
            "linestyle": "none",
        }
        axes.plot(k[zero], shown.heights[zero], markevery=every, label="may be 0", clip_on=False, zorder=5, **hollow)
    axes.plot(
        [shown.tightest],
        [shown.heights[shown.tightest - 1]],
        marker="*",
        markersize=17,
        color=look.colour,
        markeredgecolor=palette.INK,
        linestyle="none",
        label="nearest to the bound",
        clip_on=False,
        zorder=6,
    )


def _name_ends(axes: Any, shown: Shown, name: str) -> None:
    """The names of the two curves at their right ends, the lower one moved down where they are close."""
    ends = ((1, shown.bound[-1]), (1, shown.heights[-1]))
    upper, lower = (float(axes.transLimits.transform(axes.transScale.transform(end))[1]) for end in ends)
    place = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "center", "annotation_clip": False}
    axes.annotate(f"‖{name}‖_F/√k", (1, upper), xytext=(8, 0), fontweight="bold", **place)
    axes.annotate("σ_k", (1, min(lower, upper - 0.07)), xytext=(8, 0), fontweight="bold", **place)
