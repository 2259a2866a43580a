"""Drawings of the page: made where the extra `plots` is installed, named where it is not."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, final

from headwright.goals import Goal
from headwright.keys import KeyModel
from headwright.problems.catalogue import CATALOGUE
from headwright.problems.judges.matrix_facts import matrix_of
from headwright.problems.judges.weight_facts import keys_of, queries_of
from headwright.problems.problem import Problem
from headwright.reports.exhibits import BLIND, BLIND_PAIR, GOAL, PAIR, TEXTBOOK, noisy
from headwright.reports.typesetting import typeset

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@final
@dataclass(frozen=True)
class Drawing:
    """A picture under its caption; `make` raises ImportError where the extra is missing."""

    caption: str
    make: Callable[[], Figure]


def drawings(place: str) -> tuple[Drawing, ...]:
    """The pictures that stand with a question, or with the exhibit "varying"."""
    pictured = _pictured(CATALOGUE[place]) if place in CATALOGUE else ()
    return (*_PLACES.get(place, ()), *pictured)


def embedded(drawing: Drawing) -> str:
    """The picture as HTML that holds all of it, or a line that says what is missing."""
    from headwright.pictures.saving import svg, text_of

    try:
        figure = drawing.make()
        drawn = b64encode(svg(figure).encode()).decode()
    except ImportError as missing:
        return f"<p class='soft'>Picture left out ({escape(drawing.caption)}): {escape(str(missing))}</p>"
    image = f"<img alt='{escape(text_of(figure), quote=True)}' src='data:image/svg+xml;base64,{drawn}'>"
    return f"<figure><div>{image}</div><figcaption class='soft'>{typeset(drawing.caption)}</figcaption></figure>"


def _pictured(problem: Problem) -> Iterator[Drawing]:
    """The pictures of a question's file: the range of one key, or the weights of several designs over samples."""
    goal = problem.family.goal if isinstance(problem.family.goal, Goal) else None
    for table in problem.ours.get("pictures", ()):
        make = _range if "key_range" in table else _over_samples
        yield Drawing(table["caption"], partial(make, table, goal))


def _range(table: Mapping[str, Any], goal: Goal | None) -> Figure:
    from headwright.pictures import key_range

    return key_range(_model(table), table["key_range"])


def _over_samples(table: Mapping[str, Any], goal: Goal | None) -> Figure:
    from headwright.pictures import weights_over_samples

    strips = {name: queries_of({**table, "queries": queries}) for name, queries in table["over_samples"].items()}
    return weights_over_samples(_model(table), strips, goal, error="0.01")


def _model(table: Mapping[str, Any]) -> KeyModel:
    keys = keys_of(table)
    if not isinstance(keys, KeyModel):
        raise ValueError(f"`keys` of a picture must vary, got {table['keys']!r}")
    return keys


def _textbook_ways() -> Figure:
    from headwright.pictures import weights_over_samples

    strips = {"one head, t(u_a + u_b)": TEXTBOOK, "two heads, t u_a and t u_b": PAIR}
    return weights_over_samples(noisy(isotropic=1e-6), strips, GOAL, error="0.01")


def _blind_ways() -> Figure:
    from headwright.pictures import weights_over_samples

    strips = {"one head blind to the length": BLIND, "two heads blind to the length": BLIND_PAIR}
    return weights_over_samples(noisy(isotropic=1e-6), strips, GOAL, error="0.01")


def _shifts() -> Figure:
    from headwright.pictures import distance_against_shift
    from headwright.position import sinusoidal

    return distance_against_shift([sinusoidal(4096, dim) for dim in (2, 4, 128)])


def _collisions() -> Figure:
    from headwright.pictures import collisions_by_type
    from headwright.position import sinusoidal

    return collisions_by_type(sinusoidal(4096, 2))


def _spectrum() -> Figure:
    from headwright.pictures import spectrum_and_bound

    return spectrum_and_bound(matrix_of(CATALOGUE["A.3b"].ours["for"][0]["tail"]))


_PLACES = {
    "A.2b": (
        Drawing("Distance of the codes of 4,096 positions against the shift between them, by dimension", _shifts),
        Drawing("Positions whose code is already taken when codes are stored, by number type, d = 2", _collisions),
    ),
    "A.3b": (Drawing("The singular values of a random 12×5 matrix, and ‖A‖_F/√k", _spectrum),),
    "varying": (
        Drawing("The textbook's designs over samples; all keys also have noise of variance 1e-6", _textbook_ways),
        Drawing("Designs blind to the length, on the same samples", _blind_ways),
    ),
}
