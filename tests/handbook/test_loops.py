"""The pictures in motion: as today, small, standing alone, still for those who ask for it, and without a seam."""

import re
from xml.etree import ElementTree

import pytest

import headwright as hw
from handbook import loops

STORED = {name: (loops.FOLDER / f"{name}.svg").read_text("utf-8") for name in loops.LOOPS}
MOST_BYTES = 100_000  # of one loop; all of them together may have a megabyte
OUTSIDE = (
    r"<script|<foreignObject|<image|@import|@font-face|url\(|\bon\w+=|href=\"(?!#)|https?://(?!www\.w3\.org/2000/svg\")"
)
MOVING = r"@keyframes (\w+)\{0\.00%\{([^}]*)\}.*?100\.00%\{([^}]*)\}\}"


@pytest.mark.parametrize("name", STORED)
def test_a_loop_is_as_today_to_the_byte(name):
    assert loops.LOOPS[name]() == STORED[name], "run `make pages`"


@pytest.mark.parametrize("text", STORED.values(), ids=STORED)
def test_a_loop_is_small_stands_alone_and_can_stand_still(text):
    assert len(text.encode()) <= MOST_BYTES
    assert ElementTree.fromstring(text).findtext("{*}desc")
    assert re.findall(OUTSIDE, text) == []
    still, _, moving = text.partition("@media (prefers-reduced-motion:no-preference){\n")
    assert "animation:" in moving
    assert re.findall("animation|@keyframes|<animate", still + moving.partition("\n}</style>")[2]) == []
    assert {6 <= float(seconds) <= 10 for seconds in re.findall(r"animation:\w+ (\d+)s", text)} == {True}


@pytest.mark.parametrize("text", STORED.values(), ids=STORED)
def test_a_loop_ends_as_it_begins(text):
    """But for dots and their count, which are gone by then."""
    ends = {name: (first, last) for name, first, last in re.findall(MOVING, text)}
    assert len(ends) == text.count("@keyframes")
    seams = {name for name, (first, last) in ends.items() if first != last}
    assert {re.sub(r"\d", "", name) for name in seams} <= {"d", "count", "all"}
    assert "all" not in ends or ends["all"] == ("opacity:1", "opacity:0")


def test_the_drag_copies_its_key_and_the_query_of_the_toss_is_proved():
    assert loops.weights_at(loops.STILL)[loops.COPIED] >= loops.ENOUGH > max(loops.weights_at(0.0))
    textbook, designed = (hw.outcome(loops.MODEL, q, loops.GOAL).probability("0.05") for q in loops.heads().values())
    assert designed.proved
    assert float(textbook) < 0.05 < 0.99 < float(designed)
