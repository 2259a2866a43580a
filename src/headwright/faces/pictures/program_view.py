"""Pictures of a compiled program: its heads, hidden units and registers layer by layer, and what each head attends to."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from headwright.faces.pictures import palette
from headwright.search.compile.model import Model
from headwright.search.compile.steps_proved import ProvedStep
from headwright.search.compile.words import registers_read
from headwright.words.optional import need

_LANE = 0.34  # inches between two registers
_LINE = 0.19  # inches from one line of text to the next
_LETTERS = 46  # of a step's words on one line
_READ, _OWN, _WRITTEN = palette.LOOKS[0], palette.LOOKS[1], palette.LOOKS[2]
_MOST_SQUARES = 40  # tokens of a word up to which weights are squares with their tokens beside them
_LEAST = 1e-3  # weights below this would be drawn smaller than a dot


def program_layers(model: Model) -> palette.Figure:
    """A line down the page for each register, from where it is written, and a row for each head or group of hidden units."""
    _need_model(model)
    steps = model.steps
    if not steps:
        raise ValueError("`model` must be proved: what cannot be walked cannot be drawn")
    registers = list(dict.fromkeys(own.place.register for own in steps))
    lane = {register: 0.2 + _LANE * k for k, register in enumerate(registers)}
    texts = [_wrapped(model.step(own.place, again=own.again), _LETTERS) for own in steps]
    heights = [_LINE * (len(words) + 1) + 0.14 for words in texts]
    names = [model.program.name(register) for register in registers]
    top = 0.075 * max(map(len, names)) + 0.25
    ends = np.cumsum([top, *heights])
    right = max(lane.values()) + 0.35
    width = 1.25 + right + 0.083 * max(len(line) for words in texts for line in words) + 0.3
    with palette.house_style():
        figure = palette.sheet(
            width=max(width, 6.4),
            height=float(ends[-1]) + 1.55,
            title=f"How the model computes {model.program.name(model.claim.output)}",
            note=_note(model),
        )
        axes = figure.subplots()
        axes.set(xlim=(-1.25, max(width, 6.4) - 1.25), ylim=(float(ends[-1]) + 0.3, 0))
        axes.axis("off")
        _lanes(axes, lane, names, steps, ends, model.claim.output)
        for own, words, begin, end in zip(steps, texts, ends, ends[1:], strict=False):
            _row(axes, model, own, words, lane, right, float(begin), float(end))
        _groups(axes, steps, ends, right)
        figure.legend(handles=_legend(), loc="outside lower left", ncols=3)
    told = " ".join(f"{_where(own)}: {' '.join(words)}." for own, words in zip(steps, texts, strict=True))
    return palette.describe(figure, f"{model.summary()}. {told}")


def _wrapped(words: str, most: int) -> list[str]:
    """Lines of so many letters; none ends between the terms of a sum or before a count."""
    tied = words.replace(" − ", "\u00a0−\u00a0").replace(" + ", "\u00a0+\u00a0").replace("… (", "…\u00a0(")
    return wrap(tied, most)


def _note(model: Model) -> str:
    blocks = len(model.blocks)
    return f"{blocks} block{'' if blocks == 1 else 's'}, {model.parameters:,} parameters, {model.verdict.status} for every word."


def _lanes(
    axes: Any, lane: dict[int, float], names: list[str], steps: Sequence[ProvedStep], ends: np.ndarray, output: int
) -> None:
    """The registers, each from its first row to the foot; the output goes on to the unembedding."""
    for (register, x), name in zip(lane.items(), names, strict=True):
        first = next(k for k, own in enumerate(steps) if own.place.register == register)
        begins, foot = (ends[first] + ends[first + 1]) / 2, float(ends[-1])
        axes.plot([x, x], [begins, foot], color=palette.FAINT, linewidth=1.2, zorder=1)
        weight = "bold" if register == output else "normal"
        axes.text(x, ends[0] - 0.08, name, rotation=90, ha="center", va="bottom", fontsize=10, fontweight=weight)
        axes.plot([x, x], [ends[0] - 0.04, begins], color=palette.REST, linewidth=0.8, zorder=0)
        if register == output:
            style = {"arrowstyle": "-|>", "color": palette.INK, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", (x, foot + 0.22), xytext=(x, foot - 0.05), arrowprops=style)
            axes.text(x - 0.12, foot + 0.12, "unembedding", ha="right", va="center", fontsize=10, fontweight="bold")


def _row(
    axes: Any,
    model: Model,
    own: ProvedStep,
    words: list[str],
    lane: dict[int, float],
    right: float,
    begin: float,
    end: float,
) -> None:
    """One place: dots where it reads, a square where it writes, and its step in words."""
    y, written = (begin + end) / 2, lane[own.place.register]
    read, mine = (
        ((), ()) if own.place.block < 0 else registers_read(model.claim.program, own.place.register, again=own.again)
    )
    places = [lane[register] for register in (*read, *mine) if register in lane]
    axes.plot([min([written, *places]), written], [y, y], color=palette.INK, linewidth=1.2, zorder=2)
    axes.plot([written, right - 0.12], [y, y], color=palette.REST, linewidth=0.9, zorder=1)
    dot = {"linestyle": "none", "markeredgecolor": palette.INK, "zorder": 4}
    for register in read:
        if register in lane:
            axes.plot([lane[register]], [y], marker="o", markersize=8, color=_READ.colour, **dot)
    for register in mine:
        if register in lane:  # a ring fits around the dot of a register that is read at both
            look = {"markerfacecolor": "none", "markeredgewidth": 2.0, "markeredgecolor": _OWN.colour}
            axes.plot([lane[register]], [y], marker="o", markersize=12.5, **{**dot, **look, "zorder": 5})
    if (own.place.register,) != mine or not own.again:
        axes.plot([written], [y], marker="s", markersize=9.5, color=_WRITTEN.colour, **dot)
    else:
        axes.plot([written], [y + 0.14], marker="s", markersize=9.5, color=_WRITTEN.colour, **dot)
    axes.text(right, begin + 0.07, "\n".join(words), va="top", fontsize=10.5, linespacing=1.25)
    note_at = begin + 0.07 + _LINE * len(words)
    axes.text(right, note_at, _where(own), va="top", fontsize=9.5, color=palette.FAINT)


def _where(own: ProvedStep) -> str:
    """Which part of the block it is, and how far off it may be."""
    place = own.place
    if place.block < 0:
        return "from the tables"
    off = f"within {own.error:.2g}"
    if place.units is not None:
        return f"{place.units[1] - place.units[0]} hidden units, {off}"
    return f"head {place.head} of rank {own.rank}, {off}"


def _groups(axes: Any, steps: Sequence[ProvedStep], ends: np.ndarray, right: float) -> None:
    """The name of each layer on the left, and a line above it."""
    before = ""
    for own, begin in zip(steps, ends, strict=False):
        half = "attention" if own.place.head is not None else "hidden units"
        group = "tables" if own.place.block < 0 else f"block {own.place.block}\n{half}"
        if group != before:
            axes.plot([-1.2, right], [begin, begin], color=palette.REST, linewidth=1.0, zorder=0)
            axes.text(-1.2, begin + 0.07, group, va="top", fontsize=10, fontweight="bold", linespacing=1.25)
        before = group


def _legend() -> list[Any]:
    line = need("matplotlib.lines", extra="plots").Line2D
    dot = {"linestyle": "none", "markeredgecolor": palette.INK}
    ring = {"linestyle": "none", "markerfacecolor": "none", "markeredgecolor": _OWN.colour, "markeredgewidth": 2.0}
    return [
        line([], [], marker="o", markersize=8, color=_READ.colour, label="read at the keys", **dot),
        line([], [], marker="o", markersize=11, label="read at the position itself", **ring),
        line([], [], marker="s", markersize=9.5, color=_WRITTEN.colour, label="written", **dot),
    ]


def program_attention(model: Model, word: Sequence[str]) -> palette.Figure:
    """One panel for each head: row i shows how position i attends to the tokens, the beginning of the word first."""
    _need_model(model)
    heads = model.attention(word)
    if not heads:
        raise ValueError("`model` must have a head, but all its steps work position by position")
    tokens = ["BOS", *model.program.word(word)]
    columns = min(len(heads), 3)
    rows = -(-len(heads) // columns)
    side = min(max(2.3, 0.27 * len(tokens)), 5.0)
    words = {
        model.program.name(own.place.register): model.step(own.place)
        for own in model.steps
        if own.place.head is not None
    }
    with palette.house_style():
        wide = columns * (side + 0.75) + 0.2
        lines = [_wrapped(f"{name}: {words.get(name, '')}", max(24, int(12.5 * side))) for name in heads]
        figure = palette.sheet(
            width=max(wide, 5.6),
            height=rows * (side + 0.45 + 0.2 * max(map(len, lines))) + 0.75,
            title="What each head attends to",
            note="Rows ask, columns are attended to." + (" Area shows weight." if len(tokens) <= _MOST_SQUARES else ""),
        )
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, weights, caption in zip(panels, heads.values(), lines, strict=False):
            _panel(axes, weights, tokens)
            axes.set_title("\n".join(caption), fontsize=10, linespacing=1.2)
        for axes in panels[len(heads) :]:
            axes.axis("off")
    told = "; ".join(f"{name}: {np.array2string(w, precision=2).replace(chr(10), ' ')}" for name, w in heads.items())
    return palette.describe(figure, f"Attention on {' '.join(tokens)}. {told}")


def _panel(axes: Any, weights: np.ndarray, tokens: list[str]) -> None:
    n = len(tokens)
    axes.set(xlim=(-0.6, n - 0.4), ylim=(n - 0.4, -0.6), aspect="equal")
    if n > _MOST_SQUARES:
        shade = np.zeros((n, n, 4))
        shade[..., :3] = need("matplotlib.colors", extra="plots").to_rgb(_READ.colour)
        shade[..., 3] = weights / weights.max()
        axes.imshow(shade, interpolation="nearest")
        return
    patches = need("matplotlib.patches", extra="plots")
    for i, j in np.argwhere(weights >= _LEAST).tolist():
        half = 0.47 * np.sqrt(weights[i, j])
        square = patches.Rectangle((j - half, i - half), 2 * half, 2 * half, facecolor=_READ.colour, edgecolor="none")
        axes.add_patch(square)
    size = 9 if n <= 14 else 7.5
    axes.set_xticks(range(n), tokens, fontsize=size, rotation=90 if max(map(len, tokens[1:])) > 2 or n > 9 else 0)
    axes.set_yticks(range(n), tokens, fontsize=size)
    axes.tick_params(length=0)


def _need_model(model: Any) -> None:
    if not isinstance(model, Model):
        raise TypeError(f"`model` must be a Model of `hw.compile`, got {type(model).__name__}")
