"""Picture: the best probability found of meeting an error, against the query norm it takes, for one head and for more.

A longer query leaks less to other keys but feels the noise more: noise acts through τ²qᵀΣq. So a fixed direction, such as the
textbook's, has a best length; with all directions allowed, more length can only help, and the curve ends in a plateau.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from headwright import inputs
from headwright.constructions import Frontier
from headwright.pictures import palette
from headwright.pictures.line_chart import Axis, Line, line_chart, star

_WORDS = {1: "one head", 2: "two heads", 3: "three heads", 4: "four heads"}
_TEXTBOOK = palette.Look(palette.FAINT, "", ":", "x")
_ASKED = palette.Look(palette.INK, "", "-", "")
_WIDE = 20.0  # norms that span more than this factor have a logarithmic axis

# Name, norms, probabilities, the best, look.
Curve = tuple[str, np.ndarray, np.ndarray, tuple[float, float], palette.Look]


def frontier_curves(frontier: Frontier, *, confidence: float | None = None) -> palette.Figure:
    """The curves of a `Frontier`, each with its best length marked; with `confidence`, a line at that probability."""
    if not isinstance(frontier, Frontier):
        raise TypeError(f"`frontier` must be a Frontier, got {type(frontier).__name__}")
    if confidence is not None and not 0 < confidence < 1:
        raise ValueError(f"`confidence` must lie strictly between 0 and 1, got {confidence!r}")
    curves = list(_curves(frontier))
    norms = np.concatenate([curve[1] for curve in curves])
    limits = float(norms.min()), float(norms.max())
    lines, words = [], []
    if confidence is not None:
        ask = ("asked", f"at least {confidence:g}")
        lines.append(Line("asked", limits, (confidence, confidence), _ASKED, ask, style={"linewidth": 0.9}))
    for name, norm, chance, best, look in curves:
        reached = f"{_down(best[1])} at norm {best[0]:.3g}"
        lines += [Line(name, norm, chance, look, (name, f"★ {reached}")), star(f"best of {name}", best, look)]
        words.append(f"{name.capitalize()}: at best {reached}; {_down(chance[-1])} at norm {norm[-1]:.3g}.")
    error = f"{float(inputs.rational(frontier.error, name='error')):g}"
    kind = "proved for the queries found" if frontier.proved else "estimated, not proved"
    what = f"Probability of an error of at most {error}"
    return line_chart(
        lines,
        x=Axis("largest query norm allowed", limits, log=0 < _WIDE * limits[0] < limits[1], form="g"),
        y=Axis("probability", (0, 1)),
        title=f"How surely can queries of some length do {frontier.goal}?",
        note=f"{what}: the best found, {kind}.",
        text=f"{what} for {frontier.goal} against query norm, {kind}. {' '.join(words)}",
    )


def _curves(frontier: Frontier) -> Iterator[Curve]:
    """Every number of heads, as many as there are looks, and the textbook's direction last."""
    counts = sorted(frontier.curves)
    if not 1 <= len(counts) <= len(palette.LOOKS):
        raise ValueError(f"`frontier` must have between 1 and {len(palette.LOOKS)} curves to draw, got {len(counts)}")
    for look, heads in zip(palette.LOOKS, counts, strict=False):
        best = frontier.best[heads]
        yield (_WORDS.get(heads, f"{heads} heads"), *_with_point(*frontier.curves[heads], best), best, look)
    if frontier.textbook is not None:
        norms, chances = frontier.textbook
        k = int(np.argmax(chances))
        yield "textbook", norms, chances, (float(norms[k]), float(chances[k])), _TEXTBOOK


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
