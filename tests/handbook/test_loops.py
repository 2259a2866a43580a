"""The pictures in motion: as today, small, standing alone, still for those who ask for it, and without a seam."""

import re
from xml.etree import ElementTree

import pytest

import headwright as hw
from handbook import loops

OUTSIDE = r"<script|<foreignObject|<image|<animate|@import|@font-face|url\(|\bon\w+=|href=\"(?!#)|//(?!www\.w3\.org/2000/svg\")"
MOVING = r"\.(\w+)\{animation:\1 (\d+)s [\w-]+ infinite\}@keyframes \1\{0\.00%\{([^}]*)\}.*100\.00%\{([^}]*)\}\}"


@pytest.mark.parametrize("name", loops.LOOPS)
def test_a_loop_is_as_today_to_the_byte_and_small_and_stands_alone(name):
    text = (loops.FOLDER / f"{name}.svg").read_text("utf-8")
    assert loops.LOOPS[name]() == text, "run `make pages`"
    assert len(text.encode()) <= 100_000
    assert ElementTree.fromstring(text).findtext("{*}desc")
    assert re.findall(OUTSIDE, text) == []


@pytest.mark.parametrize("loop", loops.LOOPS.values())
def test_a_loop_stands_still_on_request_and_ends_as_it_begins(loop):
    still, _, moving = loop().partition("@media (prefers-reduced-motion:no-preference){\n")
    moving, _, drawn = moving.partition("\n}</style>")
    assert "animation" not in still + drawn
    rules = [re.fullmatch(MOVING, line).groups() for line in moving.split("\n")]
    assert {6 <= int(seconds) <= 10 for _, seconds, _, _ in rules} == {True}
    seams = {(re.sub(r"\d", "", name), last) for name, _, first, last in rules if first != last}
    assert not seams or ({name for name, _ in seams} == {"d", "count", "all"} and ("all", "opacity:0") in seams)


def test_the_drag_copies_its_key_and_the_query_of_the_toss_is_proved():
    assert loops.weights_at(loops.STILL)[loops.COPIED] >= loops.ENOUGH > max(loops.weights_at(0.0))
    textbook, designed = (hw.outcome(loops.MODEL, q, loops.GOAL).probability("0.05") for q in loops.heads().values())
    assert (designed.proved, float(textbook) < 0.05, float(designed) > 0.99) == (True, True, True)
