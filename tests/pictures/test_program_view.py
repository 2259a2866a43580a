"""Drawings of compiled programs: a line for each register, a row for each place, a panel for each head."""

import numpy as np
import pytest

import headwright as hw
from headwright.faces.pictures import program_attention, program_layers

pytestmark = pytest.mark.needs("matplotlib")


def model(length=6):
    p = hw.Program("abc", length=length, causal=True)
    previous = p.named(p.pick(p.at(p.indices - 1), p.tokens, default="?"), "previous")
    return hw.compile(p, p.named(p.last(previous.matches(p.tokens), p.tokens, default="?"), "follows"))


def texts(axes):
    return [text.get_text().replace("\u00a0", " ") for text in axes.texts]


def test_registers_and_steps_are_named():
    made = model()
    (axes,) = program_layers(made).axes
    said = texts(axes)
    assert [name for name in said if name in ("tokens", "indices", "previous", "follows")][:4] == [
        "tokens", "indices", "previous", "follows",
    ]  # fmt: skip
    assert sum("hidden units" in line and "within" in line for line in said) == made.table()["kind"].count("units")
    assert sum(line.startswith("head 0") for line in said) == 2
    assert {line for line in said if line.startswith("block")} == {
        "block 0\nattention", "block 0\nhidden units", "block 1\nattention",
    }  # fmt: skip


def test_marks_stand_where_a_step_reads_and_writes():
    (axes,) = program_layers(model()).axes
    marks = [
        (line.get_marker(), line.get_markersize(), line.get_xdata()[0])
        for line in axes.lines
        if line.get_marker() != "None"
    ]
    lanes = sorted({x for kind, _, x in marks if kind == "s"})
    assert len(lanes) == 4
    squares = [lanes.index(x) for kind, _, x in marks if kind == "s"]
    assert squares == [0, 1, 2, 2, 3]  # tokens, indices, previous, previous again, follows
    keys = [lanes.index(x) for kind, size, x in marks if kind == "o" and size < 10]
    mine = [lanes.index(x) for kind, size, x in marks if kind == "o" and size > 10]
    assert keys == [0, 1, 0, 1, 2]
    assert mine == [1, 2, 0]


def test_squares_have_the_area_of_the_weights():
    made = model()
    figure = program_attention(made, "abcab")
    for axes, weights in zip(figure.axes, made.attention("abcab").values(), strict=True):
        drawn = np.zeros((6, 6))
        for patch in axes.patches:
            centre = np.add(patch.get_xy(), patch.get_width() / 2).round().astype(int)
            drawn[centre[1], centre[0]] = (patch.get_width() / 0.94) ** 2
        np.testing.assert_allclose(drawn, np.where(weights >= 1e-3, weights, 0), atol=1e-6)
        assert [label.get_text() for label in axes.get_yticklabels()] == ["BOS", *"abcab"]


def test_long_words_are_drawn_as_an_image():
    figure = program_attention(model(60), "abc" * 20)
    assert [len(axes.images) for axes in figure.axes] == [1, 1]
    shade = figure.axes[0].images[0].get_array()
    assert shade.shape == (61, 61, 4)


def test_wrong_calls():
    p = hw.Program("ab", length=3)
    table = hw.compile(p, p.map({"a": "x", "b": "y"}, p.tokens))
    with pytest.raises(ValueError, match="`model`"):
        program_attention(table, "ab")
    for draw in (program_layers, lambda value: program_attention(value, "ab")):
        with pytest.raises(TypeError, match="`model`"):
            draw(p)
