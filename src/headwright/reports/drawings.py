"""Drawings of the page: made where the extra `plots` is installed, named where it is not."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, final

import numpy as np

from headwright.problems.catalogue import find
from headwright.problems.judges.matrix_facts import matrix_of
from headwright.problems.noisy_heads import blind_pair, pair
from headwright.problems.noisy_length import GOAL, T, blind, noisy, textbook
from headwright.problems.showing import ODDS, N
from headwright.reports.typesetting import typeset
from headwright.scaled_keys import ScaledKeys

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
    return f"<figure><div>{image}</div><figcaption class='soft'>{typeset(drawing.caption)}</figcaption></figure>"


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


def _tossed() -> Figure:
    from headwright.pictures import weights_over_samples

    t = math.log(N / (2 * ODDS))
    strips = {"one head, t(u + k_2)": t * np.eye(N)[:2].sum(axis=0), "two heads, t u and t k_2": t * np.eye(N)[:2]}
    return weights_over_samples(_coin(), strips, GOAL, error="0.01")


def _long_enough() -> Figure:
    from headwright.pictures import weights_over_samples

    t = {"the sheet's t = ln(n/ε)": math.log(N / (2 * ODDS)), "t = 2 ln((n-1)/odds)": 2 * math.log((N - 1) / ODDS)}
    strips = {name: factor * np.eye(N)[:2] for name, factor in t.items()}
    return weights_over_samples(_coin(), strips, GOAL, error="0.01")


def _coin() -> ScaledKeys:
    half = Fraction(1, 2)
    return ScaledKeys(np.eye(N), {0: {half: half, 3 * half: half}})


def _published_pair() -> Figure:
    from headwright.pictures import weights_over_samples

    strips = {"two heads, t u_a and t u_b": pair(math.log(T)), "two heads blind to the length": blind_pair()}
    return weights_over_samples(noisy(), strips, GOAL, error="0.01")


def _sum_and_difference() -> Figure:
    from headwright.pictures import weights_over_samples

    crossed = math.log(T) * np.array([np.eye(N)[0] + np.eye(N)[1], np.eye(N)[0] - np.eye(N)[1]])
    strips = {"β(μ_a + μ_b) and β(μ_a - μ_b)": crossed, "two heads blind to the length": blind_pair()}
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

    return spectrum_and_bound(matrix_of(find("A.3b").ours["for"][0]["tail"]))


_PLACES = {
    "A.1c": (Drawing("The sheet's head, and the two heads of A.1d with the same t, over tosses of the coin", _tossed),),
    "A.1d": (
        Drawing("The two heads t u and t k_2: the sheet's t is too short for c = 1/2, ours is not", _long_enough),
    ),
    "A.2b": (
        Drawing("Distance of the codes of 4,096 positions against the shift between them, by dimension", _shifts),
        Drawing("Positions whose code is already taken when codes are stored, by number type, d = 2", _collisions),
    ),
    "A.3b": (Drawing("The singular values of a random 12×5 matrix, and ‖A‖_F/√k", _spectrum),),
    "B.3c-ii": (
        Drawing("One head over samples: the textbook's, and one blind to the length of k_a, key 0", _one_head),
    ),
    "B.3d-ii": (
        Drawing("Two heads over samples: the published ones lose v_a where k_a turns around", _published_pair),
    ),
    "C.2.2b": (Drawing("The published heads over samples, and two that do not feel the length", _sum_and_difference),),
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
