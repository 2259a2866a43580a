"""The line chart: names stand apart and beside the axes, ticks are readable, a shade ends where it must."""

import numpy as np
import pytest

from headwright.faces.pictures import palette
from headwright.faces.pictures.line_chart import Axis, Line, line_chart, spread, star

NEEDS = pytest.mark.needs("matplotlib")


def chart(*lines, x=None, y=None):
    told = {"title": "a title", "note": "a note", "text": "words"}
    figure = line_chart(lines, x=x or Axis("x"), y=y or Axis("y"), **told)
    figure.canvas.draw()
    return figure


def test_names_keep_their_distance_and_stay_beside_the_axes(rng):
    for n in range(1, 8):
        for heights in (np.zeros(n), np.ones(n), rng.random(n), 3 * rng.random(n) - 1):
            places = spread(heights, 0.13)
            assert ((places >= 0) & (places <= 1)).all()
            if n > 1:
                assert np.diff(np.sort(places)).min() > 0.13 - 1e-12
                assert (np.diff(places[np.argsort(-heights, kind="stable")]) < 0).all()  # in the order of the ends
    far = np.array([0.9, 0.5, 0.1])
    assert spread(far, 0.13).tolist() == far.tolist()


@NEEDS
@pytest.mark.parametrize("log", [True, False])
def test_a_leader_begins_where_its_line_ends(log):
    look = palette.LOOKS[0]
    figure = chart(
        Line("a", [1, 10], [1, 100], look, ("a", "note")), x=Axis("x", (1, 1000), log=log), y=Axis("y", log=log)
    )
    (axes,) = figure.axes
    (leader,) = [line for line in axes.lines if line.get_label() == "_to the name of a"]
    start = axes.transAxes.transform((leader.get_xdata()[0], leader.get_ydata()[0]))
    np.testing.assert_allclose(start, axes.transData.transform((10, 100)), atol=1e-6)
    assert figure.get_label() == "words"


@NEEDS
def test_ticks():
    look = palette.LOOKS[0]
    narrow = chart(
        Line("a", [1, 50], [0, 1], look), x=Axis("x", (1, 50), log=True, form="g"), y=Axis("y", (0, 1), form=".0%")
    )
    shown = [text.get_text() for text in narrow.axes[0].get_xticklabels()]
    assert {"1", "2", "5", "10", "20", "50"} <= set(shown)
    assert "100%" in [text.get_text() for text in narrow.axes[0].get_yticklabels()]
    whole = chart(Line("a", [1, 2], [0, 1], look), x=Axis("x", (0.9, 2.1), whole=True))
    assert all(float(tick).is_integer() for tick in whole.axes[0].get_xticks())


@NEEDS
def test_shades_and_stars():
    look = palette.LOOKS[1]
    figure = chart(Line("a", [1, 2], [3, 4], look, down_to=np.array([1, 2])), star("best", (2, 4), look))
    (axes,) = figure.axes
    corners = axes.collections[0].get_paths()[0].vertices.tolist()
    assert all([x, y] in corners for x, y in ((1, 1), (1, 3), (2, 2), (2, 4)))
    marks = {line.get_label(): line.get_marker() for line in axes.lines}
    assert marks == {"a": look.marker, "best": "*"}
