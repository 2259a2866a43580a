"""Picture: the weights that a design gives the keys, beside the shares that its goal asks for."""

from __future__ import annotations

import numpy as np

from headwright.faces.pictures import palette
from headwright.faces.pictures.weight_columns import OTHERS, columns
from headwright.kernel.goals import Top
from headwright.words.design import Design

_MOST = 24  # keys with a column of their own: more labels would not fit


def design_weights(design: Design) -> palette.Figure:
    """One column per key, with a mark at each share of the goal. Of many keys, the goal's and the heaviest are shown."""
    weights, named = design.weights, list(design.goal.indices)
    n = len(weights)
    order = sorted(range(n), key=lambda j: (j not in named, -weights[j], j))
    shown = sorted(order[:_MOST])
    heights = weights[shown]
    wanted = np.isin(shown, named)
    rest = float(np.delete(weights, shown).sum())
    with palette.house_style():
        note = design.summary().rpartition("): ")[2]
        figure = palette.sheet(width=max(6.0, 1.6 + 0.4 * len(shown)), height=4.0, title=str(design.goal), note=note)
        axes = figure.subplots()
        looks = [("keys of the goal", heights * wanted, palette.LOOKS[0]), ("other keys", heights * ~wanted, OTHERS)]
        columns(axes, looks, gap=0.2)
        if not isinstance(design.goal, Top):
            shares = [float(share) for _, share in _shares(design, shown)]
            places = [place for place, _ in _shares(design, shown)]
            axes.hlines(shares, np.array(places) + 0.02, np.array(places) + 0.98, color=palette.INK, linewidth=1.8)
            axes.plot([], [], color=palette.INK, linewidth=1.8, label="share the goal asks for")
        axes.set(ylim=(0, 1.05), yticks=(0, 0.5, 1), ylabel="weight" if design.confidence is None else "mean weight")
        axes.set_xlabel("key" if len(shown) == n else f"key ({n - len(shown)} others have {rest:.3g} together)")
        axes.set_xticks(np.arange(len(shown)) + 0.5, [str(j) for j in shown])
        figure.legend(loc="outside lower left", ncols=3)
    listed = ", ".join(f"key {j} {weight:.3g}" for j, weight in zip(shown, heights, strict=True))
    return palette.describe(figure, f"{design.summary()}. Weights: {listed}; all others {rest:.3g} together.")


def _shares(design: Design, shown: list[int]) -> list[tuple[int, float]]:
    """(column, share) of every key of the goal that is shown."""
    wanted = design.goal.weights(len(design.weights))  # type: ignore[union-attr]  # not of a Top
    return [(place, float(wanted[j])) for place, j in enumerate(shown) if wanted[j]]
