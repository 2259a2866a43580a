"""Figures of the page, drawn in HTML and SVG without a library: weights as bars, and weights over draws of the keys as strips.

Their colours are those of the page, light and dark, and each colour has a pattern or a label beside it. Panels stand side by side
where there is room and below each other where there is not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from headwright.faces.pictures.weight_columns import Panel
from headwright.kernel.goals import Goal
from headwright.problems.grading.messages import begun
from headwright.problems.reports.typesetting import typeset
from headwright.words.attention import attend
from headwright.words.key_models import KeyModel

_NEGLIGIBLE = 0.005  # a bar of half a hundredth is not seen
_DRAWS = 60
_ERROR = 0.01
_WIDTH, _HEIGHT = 600, 260  # of a strip, in its own units


def figure(parts: Sequence[tuple[str, str]], caption: str = "") -> str:
    """Panels, each a heading and what stands under it, with a caption below all of them."""
    panels = "".join(f"<div><p class='panel'>{typeset(begun(name))}</p>{body}</div>" for name, body in parts)
    below = f"<figcaption>{caption}</figcaption>" if caption else ""
    return f"<figure><div class='panels'>{panels}</div>{below}</figure>" if parts else ""


def panels_html(shown: Sequence[Panel]) -> str:
    """Weights as bars, each set of them under its caption."""
    aims = "<p class='small soft'>The dashed line is the weight that the goal asks for.</p>"
    bars = figure([(caption, bars_html(weights, goal)) for caption, weights, goal in shown])
    return bars.replace("</figure>", f"{aims}</figure>") if "--aim" in bars else bars


def bars_html(weights: np.ndarray, goal: Goal | None) -> str:
    """A bar for each key, with a tick at the share the goal asks for; neighbours that look alike or hardly show share one."""
    wanted = np.zeros(len(weights)) if goal is None else goal.weights(len(weights))
    rows = []
    for keys in _runs(weights, set(goal.indices) if goal else set()):
        least, most = float(weights[keys].min()), float(weights[keys].max())
        name = f"key {keys[0]}" if len(keys) == 1 else f"keys {keys[0]}–{keys[-1]}, each"
        words = f"{most:.4f}" if f"{least:.4f}" == f"{most:.4f}" else f"≤ {math.ceil(most * 1e4) / 1e4:.4f}"
        words = "< 0.0001" if most < 5e-5 else words
        aim = f";--aim:{100 * wanted[keys[0]]:.4g}%" if wanted[keys[0]] else ""
        named = " class='goal'" if aim else ""
        rows.append(f"<span>{name}</span><span>{words}</span><i{named} style='--weight:{100 * most:.4g}%{aim}'></i>")
    return f"<div class='bars'>{''.join(rows)}</div>"


def strips_html(model: KeyModel, designs: Mapping[str, np.ndarray], goal: Goal, caption: str) -> str:
    """The weights of each design over the same draws of the keys, the draws in the order of the first goal key's length."""
    keys = model.sample(_DRAWS, seed=0)
    first = goal.indices[0]
    keys = keys[np.argsort(keys[:, first] @ model.centre[first], kind="stable")]
    legend = "".join(f"<span class='key{j}'>key {key}</span>" for j, key in enumerate(goal.indices))
    words = (
        f"{typeset(caption)}. Each column is one of {_DRAWS} draws, the shortest key {first} first. The dashed line is the goal."
        f"<span class='legend'>{legend}<span class='rest'>all other keys</span></span>"
    )
    return figure([(name, _strip(queries, keys, goal)) for name, queries in designs.items()], words)


def _strip(queries: np.ndarray, keys: np.ndarray, goal: Goal) -> str:
    """One strip: a band for each key the goal names, stacked from below, and above them what goes to all others."""
    weights = np.array([attend(queries, drawn).weights.reshape(-1, len(drawn)).mean(axis=0) for drawn in keys])
    tops = np.cumsum(weights[:, goal.indices], axis=1).clip(0, 1).T
    bands = zip([np.zeros(len(keys)), *tops[:-1]], tops, strict=True)
    drawn = "".join(f"<path class='key{j}' d='{_band(low, high)}'/>" for j, (low, high) in enumerate(bands))
    marks = np.cumsum([float(share) for share in goal.shares])[:-1]
    lines = "".join(2 * f"<path class='aim' d='M0 {_HEIGHT * (1 - mark):.4g}H{_WIDTH}'/>" for mark in marks)  # on white
    near = int(np.count_nonzero(np.abs(weights - goal.weights(weights.shape[1])).sum(axis=1) / 2 <= _ERROR))
    words = f"{near} of {len(keys)} draws within {_ERROR:g} of the goal"
    means = ", ".join(f"key {j} {weights[:, j].mean():.2f} ± {weights[:, j].std():.2f}" for j in goal.indices)
    label = escape(f"{words}; mean weight ± standard deviation: {means}", quote=True)
    return (
        f"<svg class='strip' viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' aria-label='{label}'>{drawn}{lines}</svg>"
        f"<p class='small'>{words}</p>"
    )


def _band(low: np.ndarray, high: np.ndarray) -> str:
    """A path along the tops of the columns and back along their bottoms."""
    step = _WIDTH // len(low)
    there = "".join(f"V{_HEIGHT * (1 - y):.4g}h{step}" for y in high)
    back = "".join(f"V{_HEIGHT * (1 - y):.4g}h-{step}" for y in low[::-1])
    return f"M0 {_HEIGHT}{there}{back}Z"


def _runs(weights: np.ndarray, wanted: set[int]) -> list[list[int]]:
    """The keys in groups of neighbours: alone where the goal names them, else with those of the same or a negligible weight."""
    found: list[list[int]] = []
    for j, weight in enumerate(weights.tolist()):
        last = found[-1] if found and j not in wanted and found[-1][-1] not in wanted else None
        before = weights[last[0]] if last else math.nan
        if last and (f"{before:.4f}" == f"{weight:.4f}" or max(before, weight) < _NEGLIGIBLE):
            last.append(j)
        else:
            found.append([j])
    return found
