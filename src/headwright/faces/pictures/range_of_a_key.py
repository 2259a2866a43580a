"""Picture: where a varying key may lie, seen in the plane of its mean and one other direction, with its range along the mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.faces.pictures import palette
from headwright.faces.pictures.plane_view import Frame, View, farthest, frame_around, plane_of, seen
from headwright.kernel import inputs
from headwright.words.key_models import GaussianKeys, KeyModel, count
from headwright.words.optional import need
from headwright.words.scaled_keys import ScaledKeys

_WIDTH = 7.5  # inches
_AROUND = 0.75, 1.7  # what title, labels and legend take of width and height
_LETTER = 0.0135  # width of a letter, as part of the picture's width
_LINE = 0.030  # height of a line of text
_MARK = 0.012  # half the width of a marker
_MOST_COVERED = 2  # points of the soft kind under one label
_SIDES = {  # direction of the label from its point: horizontal and vertical alignment
    (1, 0): ("left", "center"),
    (-1, 0): ("right", "center"),
    (0, 1): ("center", "bottom"),
}


def key_range(
    model: KeyModel, key: int, *, beside: int | None = None, samples: int = 200, seed: int | None = 0
) -> palette.Figure:
    """Draws of one varying key, its mean, the means of the other keys, and its range along the mean.

    The plane is that of its mean and of the key `beside`; by default the one that deviates most from the mean's direction.
    """
    if not isinstance(model, GaussianKeys | ScaledKeys):
        raise TypeError(f"`model` must be GaussianKeys or ScaledKeys, got {type(model).__name__}")
    key = _checked(model, key, "key")
    if key not in model.varying:
        listed = ", ".join(map(str, model.varying[:8])) or "none"
        raise ValueError(f"`key` {key} does not vary; the keys that vary are: {listed}")
    if not model.centre[key].any():
        raise ValueError(f"`key` {key} has a mean of norm zero, along which there is no range")
    other = farthest(model.centre, key) if beside is None else _checked(model, beside, "beside")
    view = seen(model, key, plane_of(model.centre, key, other), count(samples), seed)
    frame = frame_around(view)
    where = f"of its mean and key {other}" if other != key else "of its mean"
    with palette.house_style():
        figure = palette.sheet(
            width=_WIDTH,
            height=_AROUND[1] + (_WIDTH - _AROUND[0]) * frame.height / frame.width,
            title=f"Where key {key} may lie",
            note=f"Seen in the plane {where}; the other keys are projected onto it.",
        )
        axes = figure.subplots()
        if isinstance(model, ScaledKeys):
            _points(axes, view, key, model.laws[key], frame)
        else:
            _draws(axes, view, key)
        _mean(axes, view, key)
        _range(axes, view)
        _others(axes, view, frame)
        axes.set(xlabel=f"along the mean of key {key}", ylabel="across it", aspect="equal")
        axes.set_xlim(frame.left, frame.left + frame.width)
        axes.set_ylim(frame.bottom, frame.bottom + frame.height)
        figure.legend(loc="outside lower left", ncols=3, handletextpad=0.3, columnspacing=1.2)
    low, high = view.ends
    ends = f"Along the direction of its mean key {key} lies between {low:.3g} and {high:.3g} in {view.words}."
    return palette.describe(figure, f"{model.describe()}. {ends} The other keys are marked where they project.")


def _checked(model: KeyModel, value: Any, name: str) -> int:
    i = inputs.index(value, name=name)
    if i >= model.n:
        raise ValueError(f"`{name}` names key {i}, but there are only {model.n} keys (0 to {model.n - 1})")
    return i


def _draws(axes: Any, view: View, key: int) -> None:
    """Draws on one line are strokes across it, others dots."""
    marks = {"marker": "|", "s": 150, "linewidths": 1.1} if view.is_flat else {"marker": "o", "s": 22, "linewidths": 0}
    label = f"{len(view.drawn)} draws of key {key}"
    axes.scatter(*view.drawn.T, color=palette.LOOKS[0].colour, alpha=0.55, label=label, zorder=3, **marks)


def _points(axes: Any, view: View, key: int, law: Mapping[Fraction, Fraction], frame: Frame) -> None:
    """The points of a finite law, and beside as many as there is room for their factors and probabilities."""
    marks = {"color": palette.LOOKS[0].colour, "edgecolor": palette.INK, "linewidths": 0.8}
    sizes = [60 + 340 * float(p) for p in law.values()]
    axes.scatter(*view.drawn.T, s=sizes, label=f"key {key}, larger where likelier", zorder=3, **marks)
    last = -np.inf
    for place, (factor, chance) in sorted(zip(view.drawn[:, 0].tolist(), law.items(), strict=True)):
        if place - last >= 0.09 * frame.width:
            text = f"× {_short(float(factor))}\n{100 * float(chance):.3g} %"
            axes.annotate(text, (place, 0), xytext=(0, 14), textcoords="offset points", ha="center", va="bottom")
            last = place


def _mean(axes: Any, view: View, key: int) -> None:
    """The mean, joined to the origin."""
    axes.plot([0, view.mean], [0, 0], color=palette.INK, linewidth=1.2, zorder=2)
    axes.plot([0], [0], marker="+", color=palette.INK, markersize=11, markeredgewidth=1.4, zorder=2)
    marks = {"marker": "D", "s": 90, "color": palette.PAPER, "edgecolor": palette.INK, "linewidths": 1.6}
    axes.scatter([view.mean], [0], label=f"mean of key {key}", zorder=5, **marks)


def _range(axes: Any, view: View) -> None:
    """A line with end strokes a little below everything else, and under it the range in numbers."""
    floor = float(view.shown[:, 1].min())
    shifted = need("matplotlib.transforms", extra="plots").offset_copy
    below, lower = (shifted(axes.transData, axes.figure, y=-points, units="points") for points in (24, 33))
    strokes = {"marker": "|", "markersize": 12, "markeredgewidth": 2.2}
    axes.plot(view.ends, [floor, floor], color=palette.INK, linewidth=2.2, transform=below, **strokes)
    text = f"{view.words}: {_short(view.ends[0])} … {_short(view.ends[1])}"
    axes.text(sum(view.ends) / 2, floor, text, ha="center", va="top", fontweight="bold", transform=lower)


def _others(axes: Any, view: View, frame: Frame) -> None:
    """The other keys' means where they project, by number; those at one place together, as many as find room."""
    if not view.rest:
        return
    marks = {"marker": "s", "s": 70, "color": palette.LOOKS[1].colour, "edgecolor": palette.INK, "linewidths": 0.9}
    axes.scatter(*view.places.T, label="means of other keys", zorder=4, **marks)
    together: dict[tuple[float, ...], list[int]] = {}
    for j, place in zip(view.rest, view.places, strict=True):
        together.setdefault(tuple((place / (0.02 * frame.width)).round().tolist()), []).append(j)
    labels = [(_named(keys), view.places[view.rest.index(keys[0])]) for keys in together.values()]
    above = view.drawn + np.array([0, 0.06 * frame.width])  # where the factors of a finite law are written
    _label_points(axes, labels, view.places, soft=np.vstack([view.shown, above]), width=frame.width)


def _label_points(
    axes: Any, labels: Sequence[tuple[str, np.ndarray]], marks: np.ndarray, *, soft: np.ndarray, width: float
) -> None:
    """Write each (text, place) beside its place, clear of all `marks` (m, 2) and over at most two of `soft` (k, 2).

    `width` is the picture's, in data units. Each label in turn takes the best free place of three, or none. Sizes are
    estimated from the number of letters, so that they can be placed without drawing a picture.
    """
    taken, avoided = ([_box(mark / width, (0, 0), "") for mark in points] for points in (marks, soft))
    for text, place in labels:
        boxes = {side: _box(np.asarray(place) / width, side, text) for side in _SIDES}
        free = [side for side in _SIDES if not any(_meet(boxes[side], other) for other in taken)]
        covered = {side: sum(_meet(boxes[side], other) for other in avoided) for side in free}
        if covered and min(covered.values()) <= _MOST_COVERED:
            side = min(covered, key=covered.__getitem__)
            across, up = _SIDES[side]
            offset = (9 * side[0], 9 * side[1])
            axes.annotate(text, place, xytext=offset, textcoords="offset points", ha=across, va=up, zorder=6)
            taken.append(boxes[side])


def _box(place: np.ndarray, side: tuple[int, int], text: str) -> tuple[float, float, float, float]:
    """(left, right, bottom, top) of a label beside a point, or of the marker itself for side (0, 0)."""
    if side == (0, 0):
        return place[0] - _MARK, place[0] + _MARK, place[1] - _MARK, place[1] + _MARK
    wide, gap = _LETTER * len(text), 1.3 * _MARK
    x = place[0] + side[0] * (gap + wide / 2)
    y = place[1] + side[1] * (gap + _LINE / 2)
    return x - wide / 2, x + wide / 2, y - _LINE / 2, y + _LINE / 2


def _meet(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _short(number: float) -> str:
    return f"{number:.3g}".replace("-", "−")


def _named(keys: list[int]) -> str:
    """
    >>> _named([4]), _named([2, 3, 4, 5]), _named([1, 3]), _named([1, 3, 4, 8, 9])
    ('key 4', 'keys 2–5', 'keys 1, 3', '5 other keys')
    """
    if len(keys) == 1:
        return f"key {keys[0]}"
    if len(keys) > 2 and keys[-1] - keys[0] == len(keys) - 1:
        return f"keys {keys[0]}–{keys[-1]}"
    return f"keys {', '.join(map(str, keys))}" if len(keys) <= 3 else f"{len(keys)} other keys"
