"""The tour walks all sheets in order and writes a page that needs nothing from outside."""

import io
import re
from html.parser import HTMLParser

import pytest
from rich.console import Console

import headwright as hw
from headwright.reports import tour


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    out = tmp_path_factory.mktemp("tour") / "report.html"
    console = Console(record=True, width=100, file=io.StringIO())
    tour(out, console)
    return console.export_text(), out.read_text("utf-8")


def test_every_question_is_named_and_the_count_is_right(walked):
    text, page = walked
    for problem_id in hw.problems.CATALOGUE:
        assert problem_id in text
        assert f"id='{problem_id}'" in page
    running, total = len(hw.problems.runs()), len(hw.problems.CATALOGUE)
    assert f"{running} of {total} questions run." in text
    assert f"{running} of {total} questions run." in page


def test_sheets_come_in_order(walked):
    text, _ = walked
    places = [text.index(f"Sheet {letter}:") for letter in "ABCDE"]
    assert places == sorted(places)


def test_each_running_question_shows_construction_bars_verdict_and_reason(walked):
    text, page = walked
    blocks = re.split(r"\n(?=[A-E]\.\S+(?: \d+ points)?\n)", text)
    shown = [block for block in blocks if "Ours:" in block]
    assert len(shown) == len(hw.problems.runs())
    for block in shown:
        assert "█" in block
        assert "Proved" in block
    assert page.count("class='bars'") == len(shown) + 2  # and the two exhibits after the sheets
    assert text.count("Refuted:") == 2


def test_it_ends_with_a_design_for_any_keys_and_an_impossibility(walked):
    text, page = walked
    ending = text[text.index("Beyond the sheets") :]
    assert "30 random keys in 8 dimensions" in ending
    assert "with exact ratios and leak at most" in ending
    assert "k_4 = 1/4·k_0 + 1/2·k_1 + 1/4·k_2" in ending
    assert "no query brings the weights over 5 keys" in ending
    assert "Beyond the sheets" in page


def test_the_page_is_well_formed_and_asks_for_nothing(walked):
    _, page = walked
    assert not re.search(r"(src|href)\s*=|url\(|@import|<script", page)
    open_tags: list[str] = []

    class Balance(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag != "meta":
                open_tags.append(tag)

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Balance().feed(page)
    assert open_tags == []


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(ValueError, match="`out` lies in a folder that does not exist"):
        tour(tmp_path / "absent" / "report.html", Console())
