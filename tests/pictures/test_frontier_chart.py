"""The frontier: one curve per number of heads and the textbook's, told apart without colour, the best lengths marked."""

import numpy as np
import pytest

import headwright as hw
from headwright.constructions import Frontier
from headwright.pictures import frontier_curves, svg
from tests.facts import says

pytestmark = pytest.mark.needs("matplotlib")

NORMS = np.array([1.0, 2, 4, 8, 16, 32])


def made(*, textbook=True, proved=True, error="1/10", heads=(1, 2)):
    curves = {h: (NORMS.copy(), np.array([0, 0.1, 0.2, 0.4, 0.41, 0.41]) * h) for h in heads}
    best = {h: (7.0, 0.3999 * h) for h in heads}
    falling = (NORMS.copy(), np.array([0, 0.05, 0.3, 0.2, 0.1, 0.05])) if textbook else None
    return Frontier(hw.Average(0, 1), error, curves, best, {}, falling, proved)


def lines(figure):
    (axes,) = figure.axes
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


def test_every_curve_is_there_with_its_best():
    found = lines(frontier_curves(made(), confidence=0.75))
    assert list(found) == [
        "asked", "one head", "best of one head", "two heads", "best of two heads", "textbook", "best of textbook",
    ]  # fmt: skip
    assert (found["best of two heads"].get_xdata(), found["best of two heads"].get_ydata()) == ([7.0], [0.7998])
    assert (found["best of textbook"].get_xdata(), found["best of textbook"].get_ydata()) == ([4.0], [0.3])
    assert set(found["asked"].get_ydata()) == {0.75}
    one = found["one head"]
    assert one.get_xdata().tolist() == [1, 2, 4, 7, 8, 16, 32]  # led through the best length
    assert one.get_ydata().tolist() == [0, 0.1, 0.2, 0.3999, 0.4, 0.41, 0.41]


def test_curves_differ_without_colour():
    figure = frontier_curves(made(heads=(1, 2, 3, 4)))
    curves = [line for name, line in lines(figure).items() if not name.startswith("best")]
    assert len(curves) == 5
    assert len({line.get_marker() for line in curves}) == 5
    assert len({(line.get_linestyle(), str(line._dash_pattern)) for line in curves}) == 5
    assert len({line.get_color() for line in curves}) == 5


def test_names_stand_at_the_ends_and_apart():
    (axes,) = frontier_curves(made()).axes
    texts = {text.get_text(): text for text in axes.texts}
    assert {"one head", "two heads", "textbook", "★ 0.799 at norm 7", "★ 0.399 at norm 7", "★ 0.300 at norm 4"} == set(
        texts
    )
    heights = [texts[name].xy[1] for name in ("two heads", "one head", "textbook")]
    assert (np.diff(heights) < -0.1).all()
    equal = made(textbook=False)
    curves = {h: equal.curves[1] for h in (1, 2)}
    equal = Frontier(equal.goal, equal.error, curves, equal.best, equal.designs, None, equal.proved)
    (axes,) = frontier_curves(equal).axes
    close = [text.xy[1] for text in axes.texts if text.get_text() in ("one head", "two heads")]
    assert abs(close[0] - close[1]) > 0.1


def test_proved_and_estimated_are_told_apart():
    for proved, words in ((True, "proved for the queries found"), (False, "estimated, not proved")):
        figure = frontier_curves(made(proved=proved))
        assert any(words in text.get_text() for text in figure.texts)
        assert words in figure.get_label()
        assert says(figure.get_label(), "0.799", 7, "0.820", 32)


def test_scales():
    assert frontier_curves(made()).axes[0].get_xscale() == "log"
    near = Frontier(
        hw.Copy(1), 0.1, {1: (np.array([0.0, 1, 2]), np.array([0.0, 0.5, 1]))}, {1: (2.0, 1.0)}, {}, None, True
    )
    assert frontier_curves(near).axes[0].get_xscale() == "linear"


def test_a_real_frontier_is_drawn():
    model = hw.GaussianKeys(np.eye(4), along={0: 0.5})
    found = hw.frontier(model, hw.Average(0, 1), error=0.1, heads=1, norms=[2, 8])
    figure = frontier_curves(found)
    assert "</svg>" in svg(figure)
    assert lines(figure)["one head"].get_ydata()[-1] > 0.99


@pytest.mark.parametrize(
    ("frontier", "options", "kind", "words"),
    [
        ({}, {}, TypeError, "`frontier`.*dict"),
        (made(heads=()), {}, ValueError, "`frontier`.*0"),
        (made(heads=tuple(range(1, 8))), {}, ValueError, "`frontier`.*7"),
        (made(), {"confidence": 1.0}, ValueError, r"`confidence`.*1\.0"),
    ],
)
def test_wrong_calls(frontier, options, kind, words):
    with pytest.raises(kind, match=words):
        frontier_curves(frontier, **options)
