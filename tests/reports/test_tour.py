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
    showings = {problem_id: hw.problems.run(problem_id) for problem_id in hw.problems.runs()}
    for block in shown:
        assert ("█" in block) == (showings[block.split()[0]].weights is not None)
        assert "Proved" in block
    bars = sum((showing.weights is not None) + len(showing.also) for showing in showings.values())
    assert page.count("class='bars'") == bars + 3  # and the three exhibits after the sheets
    assert text.count("Refuted:") == 9 + 2  # published answers, and two designs of the last chapter


def test_it_tells_the_story_of_a_key_that_varies(walked):
    text, page = walked
    ending = text[text.index("A key that varies") : text.index("Any keys")]
    # fixed keys; one head; two; one that is blind to the length; one found; two blind ones
    told = ["Proved", "Refuted", "Refuted", "Proved", "Proved", "Proved"]
    assert re.findall(r"(Proved|Refuted):", ending) == told
    assert "68.4%" in ending
    assert "Draw the range of k_a" in page
    assert text.count("In the page, a picture:") == 8


@pytest.mark.needs("matplotlib")
def test_pictures_stand_in_the_page(walked):
    _, page = walked
    assert page.count("<img alt='") == page.count("src='data:image/svg+xml;base64,") == 8
    assert "Picture left out" not in page


def test_a_missing_library_is_named_where_a_picture_would_stand():
    from headwright.reports.drawings import Drawing, embedded

    def make():
        raise ImportError("this needs `matplotlib`, which the extra `plots` brings")

    assert "Picture left out (a < b): this needs `matplotlib`" in embedded(Drawing("a < b", make)).replace("&lt;", "<")


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
    outside = re.sub(r"src='data:image/svg\+xml;base64,[A-Za-z0-9+/=]+'", "", page)
    assert not re.search(r"(src|href)\s*=|url\(|@import|<script", outside)
    open_tags: list[str] = []

    class Balance(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag not in ("meta", "img"):
                open_tags.append(tag)

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Balance().feed(page)
    assert open_tags == []


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(ValueError, match="`out` lies in a folder that does not exist"):
        tour(tmp_path / "absent" / "report.html", Console())
