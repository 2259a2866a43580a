"""The playground: drag keys, state a goal, see the query that meets it and what the library proves about it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from headwright.kernel.goals import Goal, Top
from headwright.playground.arguments import changed
from headwright.playground.scene import Scene
from headwright.playground.scene_faults import FIRST
from headwright.playground.state import State
from headwright.playground.walks import steps
from headwright.words.design import Design
from headwright.words.key_models import GaussianKeys
from headwright.words.optional import need

if TYPE_CHECKING:
    from headwright.playground.widget import Playground

__all__ = ["Scene", "State", "play"]

Number = float | str | Fraction


def play(
    keys: ArrayLike | GaussianKeys | None = None,
    goal: Goal | Top | Design | None = None,
    *,
    error: Number | None = None,
    scale: Number = 1.0,
    max_norm: Number | None = None,
    heads: int = 1,
    queries: ArrayLike | None = None,
    noise: GaussianKeys | Number | dict[str, Any] | None = None,
    radius: Number | None = None,
    labels: Sequence[str] | None = None,
    values: Sequence[str] | None = None,
) -> Playground:
    """A widget for Jupyter and marimo: drag keys and choose a goal, and the query that meets it is drawn at once.

    `keys` are up to 400 keys (n, d), or GaussianKeys, whose variances become the `noise`. Without keys and goal there are five
    keys in the plane to try, and a guided walk. `goal` may be a Design: then its goal and its queries are shown. `error` (0.01
    unless given), `scale`, `max_norm`, `heads` and `radius` (in Euclidean length) are those of `design`. `queries` of your own
    are judged instead of designed, several as heads mixed equally. `noise` is a variance in every direction, GaussianKeys
    around these keys, or {"isotropic": a, "along": {i: v}}. `labels` name the keys, and `values` are their colours, such as
    "#0072b2".

    `.state` gives keys, goal, noise and design as they are on the screen, and setting it moves the picture:
    `w.state = {"goal": hw.Copy(2)}`. A badge that says Proved stands for a proof by the library for exactly the state on the
    screen, and goes grey as soon as that changes. It needs the extra `play`.

    >>> import headwright as hw
    >>> hw.play([[0.0, 1.0], [float("nan"), 2.0]], hw.Copy(0))
    Traceback (most recent call last):
    ValueError: `keys` must be finite, got nan at [1, 0]
    """
    given: dict[str, Any] = {"scale": scale, "max_norm": max_norm, "heads": heads, "queries": queries}
    given |= {"noise": noise, "radius": radius, "labels": labels, "values": values}
    given |= {name: value for name, value in {"error": error, "keys": keys}.items() if value is not None}
    if keys is not None or goal is not None:
        given["goal"] = goal
    if isinstance(goal, Design):  # what is not given comes from the design
        given = {name: own for name, own in given.items() if not (own is None or (name == "scale" and own == 1.0))}
    scene = changed(Scene.of(FIRST), given)
    need("anywidget", extra="play")
    from headwright.playground.widget import Playground

    return Playground(scene, walks=steps() if keys is None and goal is None else [])
