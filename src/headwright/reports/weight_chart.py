"""A picture for any question: its weights as bars, one panel for each set of weights that running it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from headwright.pictures import palette
from headwright.problems import Showing
from headwright.reports.drawings import drawings

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def picture_of(showing: Showing) -> Figure:
    """The question's own picture where it has one, else its weights; ImportError where the extra `plots` is missing."""
    own = drawings(showing.problem.id)
    return own[0].make() if own else weight_chart(showing)


def weight_chart(showing: Showing) -> Figure:
    """Bars of the weights; those that the goal names are blue, all others grey."""
    panels = [(showing.caption, showing.weights, showing.goal), *showing.further()]
    shown = [(caption, weights, goal) for caption, weights, goal in panels if weights is not None]
    if not shown:
        raise ValueError(f"`showing` of {showing.problem.id} has no weights to draw")
    with palette.house_style():
        figure = palette.sheet(
            width=max(6.0, 1.2 + 0.45 * max(len(weights) for _, weights, _ in shown)),
            height=1.1 + 2.3 * len(shown),
            title=f"{showing.problem.id}: attention weights",
        )
        axes = figure.subplots(len(shown), 1, squeeze=False)[:, 0]
        for axis, (caption, weights, goal) in zip(axes, shown, strict=True):
            _bars(axis, caption, weights, set(goal.indices) if goal else set())
    told = "; ".join(f"{caption}: {np.array2string(w, precision=4, separator=', ')}" for caption, w, _ in shown)
    return palette.describe(figure, f"Attention weights of question {showing.problem.id}. {told}.")


def _bars(axis: Any, caption: str, weights: np.ndarray, wanted: set[int]) -> None:
    """One panel, its caption above it, the weight over each bar that can be seen."""
    looks = [palette.LOOKS[0].colour if j in wanted else palette.REST for j in range(len(weights))]
    bars = axis.bar(range(len(weights)), weights, color=looks, edgecolor=palette.INK, linewidth=0.6)
    axis.bar_label(bars, [f"{w:.3g}" if w >= 0.005 else "" for w in weights], fontsize=9)
    axis.set(ylim=(0, 1.12), yticks=(0, 0.5, 1), xticks=range(len(weights)), xlabel="key", ylabel="weight")
    axis.set_title(caption[:1].upper() + caption[1:], fontsize=10.5)
