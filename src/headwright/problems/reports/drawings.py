"""Drawings of the page: made where the extra `plots` is installed, named where it is not.

A question's file describes its pictures in tables [[question.ours.pictures]]: a `caption`, and one of

    key_range = 0                                              # of this key, of keys that vary: `keys` as in a fact
    over_samples = { "one head" = ["t*u_0"] }                  # the weights of some designs over draws of such keys
    shifts = [{ sinusoidal = 4096, dimension = 2 }]            # distance of position codes against their shift
    collisions = { sinusoidal = 4096, dimension = 2 }          # codes that coincide when they are stored
    spectrum = { random = [12, 5], seed = 61 }                 # singular values of a matrix, and their bound
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, final

import numpy as np

from headwright.faces import pictures
from headwright.faces.pictures._save import svg, text_of, title_of
from headwright.faces.pictures.weight_columns import Panel, weight_columns
from headwright.kernel.goals import Goal
from headwright.problems import COUNTEREXAMPLE, Problem, Showing
from headwright.problems.judges.matrix_facts import matrix_of
from headwright.problems.judges.weight_facts import keys_of, queries_of
from headwright.problems.reports.figures import strips_html
from headwright.problems.reports.typesetting import typeset
from headwright.search.positions import Positions, sinusoidal
from headwright.words.key_models import KeyModel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SIZE = (5.2, 3.9)  # inches
# What the pictures draw in by day, and by night; the colours of their series are legible on both.
_INKS = {
    "ink": ("#000000", "#e4e5e7"),
    "paper": ("#ffffff", "#1b1e22"),
    "faint": ("#595959", "#a9afb8"),
    "rest": ("#d9d9d9", "#3a4048"),
    "blue": ("#0072b2", "#4fa3dd"),
}


@final
@dataclass(frozen=True)
class Drawing:
    """A picture under its caption: `make` draws it with matplotlib, and raises ImportError where the extra is missing.

    `html` is how the page draws it, where it needs no library to do so.
    """

    caption: str
    make: Callable[[], Figure]
    html: Callable[[], str] | None = None


def drawings(problem: Problem) -> tuple[Drawing, ...]:
    """The pictures that stand with a question."""
    goal = problem.family.goal if isinstance(problem.family.goal, Goal) else None
    return tuple(_drawing(table, goal) for table in problem.ours.get("pictures", ()))


def sampled(caption: str, model: KeyModel, designs: Mapping[str, np.ndarray], goal: Goal) -> Drawing:
    """The weights of some designs over draws of keys that vary."""
    make = partial(pictures.weights_over_samples, model, designs, goal, error="0.01", mix="equal")
    return Drawing(caption, make, partial(strips_html, model, designs, goal, caption))


def picture_of(showing: Showing) -> Figure:
    """The question's own picture where it has one, else its weights; ImportError where the extra `plots` is missing."""
    own = drawings(showing.problem)
    return own[0].make() if own else weight_chart(showing)


def weight_chart(showing: Showing) -> Figure:
    """The weights that running a question shows, one panel for each set of them."""
    ours, others = panels(showing)
    if not ours + others:
        raise ValueError(f"`showing` of {showing.problem.id} has no weights to draw")
    return weight_columns(f"{showing.problem.id}: attention weights", ours + others)


def panels(showing: Showing) -> tuple[list[Panel], list[Panel]]:
    """The weights that stand with our construction, and those that stand after it, with the published answer."""
    own = [] if showing.weights is None else [(showing.caption, showing.weights, showing.goal)]
    return ([], own + showing.further()) if showing.caption == COUNTEREXAMPLE else (own, showing.further())


def embedded(drawing: Drawing) -> str:
    """The picture as HTML that holds all of it, or a line that says what is missing."""
    if drawing.html is not None:
        return drawing.html()
    try:
        figure = drawing.make()
        title = title_of(figure)
        words = " ".join(text.get_text() for text in figure.texts if text.get_text().strip() != title)
        drawn = b64encode(_themed(figure).encode()).decode()
    except ImportError as missing:
        return f"<p class='soft'>Picture left out ({typeset(drawing.caption)}): {typeset(str(missing))}</p>"
    image = f"<img alt='{escape(text_of(figure), quote=True)}' src='data:image/svg+xml;base64,{drawn}'>"
    return f"<figure>{image}<figcaption>{typeset(drawing.caption)}. {typeset(words)}</figcaption></figure>"


def _themed(figure: Figure) -> str:
    """The picture without its heading, small enough for a phone, in colours that follow the reader's scheme."""
    figure.suptitle("")
    for text in [*figure.texts]:
        text.remove()
    for legend in [*figure.legends]:
        labels = [text.get_text() for text in legend.texts]
        handles = [handle for handle in legend.legend_handles if handle is not None]
        figure.legend(handles, labels, loc="outside lower left", ncols=2, frameon=False)
        legend.remove()
    figure.set_size_inches(_SIZE)
    drawn = svg(figure)
    for name, (light, _) in _INKS.items():
        drawn = drawn.replace(light, f"var(--{name})")
    day, night = (";".join(f"--{name}:{pair[side]}" for name, pair in _INKS.items()) for side in (0, 1))
    style = f"svg{{{day};fill:var(--ink)}}@media screen and (prefers-color-scheme:dark){{svg{{{night}}}}}"
    return drawn.replace("<defs>", f"<style>{style}</style><defs>", 1)


def _drawing(table: Mapping[str, Any], goal: Goal | None) -> Drawing:
    if "over_samples" in table:
        assert goal is not None, "weights over samples are shown where the question has a goal"
        strips = {name: queries_of({**table, "queries": queries}) for name, queries in table["over_samples"].items()}
        return sampled(table["caption"], _model(table), strips, goal)
    return Drawing(table["caption"], partial(_drawn, table))


def _drawn(table: Mapping[str, Any]) -> Figure:
    if "key_range" in table:
        return pictures.key_range(_model(table), table["key_range"])
    if "shifts" in table:
        return pictures.distance_against_shift([_codes(codes) for codes in table["shifts"]])
    if "collisions" in table:
        return pictures.collisions_by_type(_codes(table["collisions"]))
    if "spectrum" in table:
        return pictures.spectrum_and_bound(matrix_of(table["spectrum"]))
    raise ValueError(f"`pictures` has a table that describes no picture: {table['caption']}")


def _codes(table: Mapping[str, Any]) -> Positions:
    return sinusoidal(table["sinusoidal"], table["dimension"])


def _model(table: Mapping[str, Any]) -> KeyModel:
    keys = keys_of(table)
    if not isinstance(keys, KeyModel):
        raise ValueError(f"`keys` of a picture must vary, got {table['keys']!r}")
    return keys
