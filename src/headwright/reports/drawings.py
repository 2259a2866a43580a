"""Drawings of the page: made where the extra `plots` is installed, named where it is not."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, final

from headwright.problems.noisy_heads import blind_pair, pair
from headwright.problems.noisy_length import GOAL, T, blind, noisy, textbook

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
    return _PLACES.get(place, ())


def embedded(drawing: Drawing) -> str:
    """The picture as HTML that holds all of it, or a line that says what is missing."""
    from headwright.pictures.saving import svg, text_of

    try:
        figure = drawing.make()
        drawn = b64encode(svg(figure).encode()).decode()
    except ImportError as missing:
        return f"<p class='soft'>Picture left out ({escape(drawing.caption)}): {escape(str(missing))}</p>"
    image = f"<img alt='{escape(text_of(figure), quote=True)}' src='data:image/svg+xml;base64,{drawn}'>"
    return f"<figure>{image}<figcaption class='soft'>{escape(drawing.caption)}</figcaption></figure>"


def _range() -> Figure:
    from headwright.pictures import key_range

    return key_range(noisy(), 0)


def _one_head() -> Figure:
    from headwright.pictures import weights_over_samples

    strips = {"one head, t(μ_a + μ_b)": textbook(math.log(T)), "one head, -t Σ others": blind()}
    return weights_over_samples(noisy(), strips, GOAL, error="0.01")


def _two_heads() -> Figure:
    from headwright.pictures import weights_over_samples

    strips = {"one head, t(μ_a + μ_b)": textbook(math.log(T)), "two heads, t μ_a and t μ_b": pair(math.log(T))}
    return weights_over_samples(noisy(), strips, GOAL, error="0.01")


def _textbook_ways() -> Figure:
    from headwright.pictures import weights_over_samples

    strips = {"one head, t(u_a + u_b)": textbook(math.log(T)), "two heads, t u_a and t u_b": pair(math.log(T))}
    return weights_over_samples(noisy(isotropic=1e-6), strips, GOAL, error="0.01")


def _blind_ways() -> Figure:
    from headwright.pictures import weights_over_samples

    strips = {"one head blind to the length": blind(), "two heads blind to the length": blind_pair()}
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
    from headwright.problems.singular import matrices

    return spectrum_and_bound(next(iter(matrices().values())))


_PLACES = {
    "A.2b": (
        Drawing("Distance of the codes of 4,096 positions against the shift between them, by dimension", _shifts),
        Drawing("Positions whose code is already taken when codes are stored, by number type, d = 2", _collisions),
    ),
    "A.3b": (Drawing("The singular values of a random 12×5 matrix, and ‖A‖_F/√k", _spectrum),),
    "D.c-ii": (
        Drawing("The range of k_a, which is key 0: its length varies, its direction does not", _range),
        Drawing(
            "One head over samples, k_a being key 0 and k_b key 1: the textbook's, and one blind to the length",
            _one_head,
        ),
    ),
    "D.d-ii": (Drawing("The same samples under one head and under two", _two_heads),),
    "varying": (
        Drawing("The textbook's designs over samples; all keys also have noise of variance 1e-6", _textbook_ways),
        Drawing("Designs blind to the length, on the same samples", _blind_ways),
    ),
}
