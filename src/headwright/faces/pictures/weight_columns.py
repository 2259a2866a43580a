"""Weights as columns filled from below: over draws of the keys (`weight_strips.py`), or one column for each key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from headwright.faces.pictures import palette
from headwright.kernel.goals import Goal

Band = tuple[str, np.ndarray, palette.Look]  # its name, its heights (m,) and its look
Panel = tuple[str, np.ndarray, Goal | None]  # a caption, weights (n,), and the goal that they are to meet
OTHERS = palette.Look(palette.REST, "", "-", "")  # of everything that the goal does not name


def columns(axes: Any, bands: Sequence[Band], *, gap: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Draw m columns of width 1 from 0 to m, bands stacked in each; with a `gap` between them, each has an edge.

    Returns the heights (bands, m) where each band begins and where it ends.
    """
    tops = np.cumsum([heights for _, heights, _ in bands], axis=0).clip(0, 1)
    bottoms = np.vstack([0 * tops[:1], tops[:-1]])
    m = tops.shape[1]
    edges = np.add.outer(np.arange(m), [gap / 2, 1 - gap / 2]).ravel() if gap else np.arange(m + 1)
    for (name, _, look), low, high in zip(bands, bottoms, tops, strict=True):
        axes.stairs(
            _spaced(high) if gap else high,
            edges,
            baseline=_spaced(low) if gap else low,
            fill=True,
            facecolor=look.colour,
            edgecolor=palette.INK if look.hatch or gap else "none",
            hatch=look.hatch,
            linewidth=0.6 if gap else 0,
            label=name,
        )
    axes.set(xlim=(0, m), ylim=(0, 1))
    return bottoms, tops


def weight_columns(title: str, panels: Sequence[Panel]) -> palette.Figure:
    """The panels one below the other; keys that the goal names are blue, all others grey."""
    with palette.house_style():
        width = max(6.0, 1.2 + 0.45 * max(len(weights) for _, weights, _ in panels))
        figure = palette.sheet(width=width, height=1.1 + 2.3 * len(panels), title=title)
        for axes, panel in zip(figure.subplots(len(panels), 1, squeeze=False)[:, 0], panels, strict=True):
            _panel(axes, *panel)
    weights = "; ".join(f"{caption}: {np.array2string(w, precision=4, separator=', ')}" for caption, w, _ in panels)
    return palette.describe(figure, f"{title}. {weights}.")


def _panel(axes: Any, caption: str, weights: np.ndarray, goal: Goal | None) -> None:
    """Its caption above it, and the weight over each column that can be seen."""
    wanted = np.isin(np.arange(len(weights)), goal.indices if goal else ())
    bands = [("keys of the goal", weights * wanted, palette.LOOKS[0]), ("other keys", weights * ~wanted, OTHERS)]
    columns(axes, bands, gap=0.2)
    for j in np.flatnonzero(weights >= 0.005):
        axes.text(j + 0.5, weights[j] + 0.01, f"{weights[j]:.3g}", ha="center", va="bottom", fontsize=9)
    axes.set(ylim=(0, 1.12), yticks=(0, 0.5, 1), xlabel="key", ylabel="weight")
    axes.set_xticks(np.arange(len(weights)) + 0.5, [str(j) for j in range(len(weights))])
    axes.set_title(caption[:1].upper() + caption[1:], fontsize=10.5)


def _spaced(heights: np.ndarray) -> np.ndarray:
    """The heights with nothing between each two."""
    return np.insert(heights.astype(float), range(1, len(heights)), np.nan)
