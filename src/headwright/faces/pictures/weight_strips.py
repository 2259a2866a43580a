"""Picture: the weights over draws of the keys, one strip per design, side by side.

Each column is one draw of the keys, filled from below with the weight of every key the goal names, then of all others; the
columns fill up to one. All strips show the same draws in the same order, so that a column means the same keys in each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.faces.pictures import palette
from headwright.faces.pictures.weight_columns import OTHERS, columns
from headwright.kernel import inputs
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.search.random_keys.outcome import heads_of
from headwright.words.attention import attend
from headwright.words.design import Design
from headwright.words.key_models import GaussianKeys, KeyModel, count
from headwright.words.optional import need
from headwright.words.scaled_keys import ScaledKeys

_MOST_NAMED = 4  # keys of the goal with a band of their own
_MOST_STRIPS = 4
_FRAME = {"boxstyle": "round,pad=0.25", "facecolor": palette.PAPER, "edgecolor": palette.FAINT, "linewidth": 0.6}
_NAMES = ("no head", "one head", "two heads", "three heads", "four heads")


def weights_over_samples(
    model: KeyModel,
    designs: Any,
    goal: Goal | None = None,
    *,
    error: float | str | Fraction | None = None,
    samples: int = 60,
    seed: int | None = 0,
    mix: Any = None,
) -> palette.Figure:
    """Weights of the goal's keys and of all others over `samples` draws, for each of `designs`.

    `designs` is one Design or array of queries, or a mapping from the strip's name to one. The rows of an array (h, d) are heads
    of one output, and `mix`, "equal" or weights, says so. With `error`, each strip says
    how many of its draws lie within that total variation of the goal.
    """
    if not isinstance(model, KeyModel):
        raise TypeError(f"`model` must be GaussianKeys or ScaledKeys, got {type(model).__name__}")
    strips = _strips(model, designs, mix)
    goal = _goal(designs, goal)
    wanted = goal.weights(model.n)
    allowed = None if error is None else float(inputs.rational(error, name="error"))
    drawn, lengths = _drawn(model, list(strips.values()), count(samples), seed)
    order, sorted_by = _order(model, drawn[0][:, goal.indices[0]], lengths, goal)
    with palette.house_style():
        figure = palette.sheet(
            width=max(7.5, 1.8 + 3.6 * len(strips)),
            height=4.9,
            title=f"Where the attention goes when keys vary: {goal}",
            note=f"Each column is one draw of the keys, {sorted_by}.",
        )
        panels = figure.subplots(1, len(strips), sharey=True, squeeze=False)[0]
        words = [
            _strip(axes, name, weights[order], goal, wanted, allowed)
            for axes, name, weights in zip(panels, strips, drawn, strict=True)
        ]
        panels[0].set_ylabel("weight")
        _legend(figure, panels[0], goal)
    text = f"Weights over {samples} draws of {model.describe()}, {sorted_by}. {' '.join(words)}"
    return palette.describe(figure, text)


def _strips(model: KeyModel, designs: Any, mix: Any) -> dict[str, Heads]:
    """The heads of every strip by its name."""
    if not isinstance(designs, Mapping):
        heads = _heads(model, designs, mix)
        h = len(heads.queries)
        return {_NAMES[h] if h < len(_NAMES) else f"{h} heads": heads}
    if not 1 <= len(designs) <= _MOST_STRIPS:
        raise ValueError(f"`designs` must hold between 1 and {_MOST_STRIPS} designs, got {len(designs)}")
    return {str(name): _heads(model, design, mix) for name, design in designs.items()}


def _heads(model: KeyModel, design: Any, mix: Any) -> Heads:
    """The heads of one strip: a Design and a single query have no use for `mix`."""
    alone = isinstance(design, Design) or np.ndim(design) == 1
    return heads_of(model.centre, design, mix=None if alone else mix)


def _goal(designs: Any, goal: Any) -> Goal:
    if goal is None:
        given: Sequence[Any] = list(designs.values()) if isinstance(designs, Mapping) else [designs]
        goal = next((design.goal for design in given if isinstance(design, Design)), None)
    if not isinstance(goal, Goal):
        raise TypeError(f"`goal` must be Copy, Average or Blend, got {type(goal).__name__}")
    return goal


def _drawn(
    model: KeyModel, strips: Sequence[Heads], samples: int, seed: int | None
) -> tuple[list[np.ndarray], np.ndarray]:
    """Mixed weights (samples, n) of every strip over the same draws, and the lengths of all keys along their means.

    One draw at a time: never more keys in memory than the model itself holds.
    """
    sizes = np.linalg.norm(model.centre, axis=1)
    units = model.centre / np.where(sizes > 0, sizes, 1)[:, None]
    weights = [np.empty((samples, model.n)) for _ in strips]
    lengths = np.empty((samples, model.n))
    for i, own in enumerate(np.random.SeedSequence(seed).generate_state(samples)):
        keys = model.sample(1, seed=int(own))[0]
        lengths[i] = np.einsum("nd,nd->n", keys, units)
        for held, heads in zip(weights, strips, strict=True):
            each = attend(heads.rounded, keys, scale=float(heads.scale)).weights
            held[i] = np.array([float(share) for share in heads.shares]) @ each
    return weights, lengths


def _order(model: KeyModel, first: np.ndarray, lengths: np.ndarray, goal: Goal) -> tuple[np.ndarray, str]:
    """One order for all strips: by the length of the only key that varies, or else by the first strip's first weight."""
    varying = model.varying
    if len(varying) == 1 and (isinstance(model, ScaledKeys) or (isinstance(model, GaussianKeys) and model.along.any())):
        by, words = lengths[:, varying[0]], f"by the length of key {varying[0]} along its mean, from the least on"
    else:
        by, words = first, f"sorted by the weight of key {goal.indices[0]} in the first strip"
    return np.argsort(by, kind="stable"), words


def _strip(axes: Any, name: str, weights: np.ndarray, goal: Goal, wanted: np.ndarray, allowed: float | None) -> str:
    """One strip of columns; returns it in words."""
    named, more = list(goal.indices[:_MOST_NAMED]), list(goal.indices[_MOST_NAMED:])
    bands = [(f"key {j}", weights[:, j], look) for j, look in zip(named, palette.LOOKS, strict=False)]
    if more:
        bands.append((f"the goal's {len(more)} other keys", weights[:, more].sum(axis=1), palette.LOOKS[_MOST_NAMED]))
    bands.append(("all other keys", 1 - weights[:, goal.indices].sum(axis=1), OTHERS))
    marks = np.cumsum([float(share) for share in goal.shares])[:-1]
    for (text, _, look), low, high in zip(bands, *columns(axes, bands), strict=True):
        if not text.startswith("the goal's"):  # too long a name
            _label_band(axes, low, high, "others" if look is OTHERS else text, marks)
    for mark in marks:
        axes.axhline(mark, color=palette.PAPER, linewidth=4)
        axes.axhline(mark, color=palette.INK, linewidth=1.8, linestyle=(0, (4, 2)))
    off = np.abs(weights - wanted).sum(axis=1) / 2
    within = ""
    if allowed is not None:
        within = f"{np.count_nonzero(off <= allowed)} of {len(off)} draws within {allowed:g} of the goal"
    axes.set_title(f"{name}\n{within}" if within else name)
    axes.set(xticks=[], xlabel=f"{len(weights)} draws")
    means = ", ".join(f"key {j} {weights[:, j].mean():.2f} ± {weights[:, j].std():.2f}" for j in named)
    return f"{name}: mean weight ± standard deviation of {means}{'; ' + within if within else ''}."


def _label_band(axes: Any, low: np.ndarray, high: np.ndarray, text: str, marks: np.ndarray) -> None:
    """The name inside the band, where it is thick over enough columns to hold it, off the goal's marks; else nowhere."""
    across = max(1, len(low) // 4)
    middles = range(across // 2, len(low) - across // 2)
    thick = [float((high - low)[m - across // 2 : m + across // 2 + 1].min()) for m in middles]
    best = int(np.argmax(thick)) if thick else 0
    if thick and thick[best] > 0.12:
        runs = [m for m, room in zip(middles, thick, strict=True) if room > 0.95 * thick[best]]
        m = runs[len(runs) // 2]
        middle = float(low[m] + high[m]) / 2
        if any(abs(middle - mark) < 0.07 for mark in marks) and high[m] - low[m] > 0.4:
            middle += 0.12
        axes.text(m + 0.5, middle, text, ha="center", va="center", color=palette.INK, bbox=_FRAME)


def _legend(figure: Any, axes: Any, goal: Goal) -> None:
    lines = need("matplotlib.lines", extra="plots").Line2D
    handles, labels = axes.get_legend_handles_labels()
    if len(goal.indices) > 1:
        handles.append(lines([], [], color=palette.INK, linewidth=1.8, linestyle=(0, (4, 2))))
        labels.append("shares the goal asks for")
    figure.legend(handles, labels, loc="outside lower left", ncols=min(4, len(labels)), columnspacing=1.4)
