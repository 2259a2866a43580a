"""The tour fits one screen and says what was found; --verbose walks all sheets in order; both write the page."""

import io
import re

import pytest
from rich.console import Console

import headwright as hw
from headwright.problems import run as shown
from headwright.problems.reports import tour
from headwright.problems.reports.drawings import drawings
from headwright.problems.reports.entries import mark_counts
from headwright.problems.reports.exhibits import PICTURES
from headwright.problems.reports.marks import MARKS
from tests.facts import says
from tests.reports.conftest import judged_once


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    out = tmp_path_factory.mktemp("tour") / "report.html"
    console = Console(record=True, width=100, file=io.StringIO())
    tour(out, console, verbose=True)
    assert out.with_suffix(".json").stat().st_size > 10_000
    return console.export_text(), out.read_text("utf-8")


@pytest.fixture(scope="module")
def screen(tmp_path_factory):
    written = io.StringIO()
    tour(tmp_path_factory.mktemp("screen") / "report.html", Console(width=80, file=written))
    return written.getvalue()


def test_the_screen_is_small(screen):
    told = [line for line in screen.splitlines() if not line.startswith(("Report:", "Data:"))]
    assert len(told) <= 38  # and two lines that say where the files are, however long their names
    assert max(map(len, told)) <= 80


def test_the_screen_says_what_was_found(screen):
    entries = [judged_once(problem) for problem in hw.problems.CATALOGUE.values()]
    lines = screen.splitlines()
    for entry in entries:
        named = [line for line in lines if line.split()[1:2] == [entry.problem.id]]
        assert len(named) == entry.refuted
        if named:
            assert named[0].split()[0] == entry.published_mark.sign
            assert entry.worded("headline") in named[0]
    marks = mark_counts(entries)
    for name in {*marks["ours"], *marks["published"]}:
        mark = MARKS[name]
        (line,) = [line for line in lines if mark.name in line]
        assert line.split()[-2:] == [str(marks[kind].get(name, 0)) for kind in ("ours", "published")]
    assert says(screen, 30, 8)
    assert "k_4 = 1/4·k_0 + 1/2·k_1 + 1/4·k_2" in screen
    assert "report.html" in screen
    assert "--verbose" in screen


def test_nothing_is_said_on_stderr_where_it_is_no_terminal(tmp_path, capsys):
    tour(tmp_path / "report.html", Console(quiet=True))
    assert capsys.readouterr() == ("", "")


def test_every_question_is_named(walked):
    text, page = walked
    for problem_id in hw.problems.CATALOGUE:
        assert problem_id in text
        assert f"id='{problem_id}'" in page
    assert len(hw.problems.runs()) == len(hw.problems.CATALOGUE)


def test_sheets_come_in_order(walked):
    text, _ = walked
    places = [text.index(f"Sheet {letter}:") for letter in "ABCDE"]
    assert places == sorted(places)


def test_each_running_question_shows_construction_bars_verdict_and_reason(walked):
    text, page = walked
    blocks = re.split(r"\n(?=[A-E]\.\S+(?: \d+ points)?\n)", text)
    answered = [block for block in blocks if "Ours:" in block]
    assert len(answered) == len(hw.problems.runs())
    showings = {problem_id: shown(problem_id) for problem_id in hw.problems.runs()}
    for block in answered:
        assert ("█" in block) == (showings[block.split()[0]].weights is not None)
        assert showings[block.split()[0]].ours.status.capitalize() in block
    bars = sum((showing.weights is not None) + len(showing.also) for showing in showings.values())
    assert page.count("class='bars'") >= bars
    published = [shown(problem_id).published for problem_id in hw.problems.runs()]
    refuted = sum(verdict is not None and verdict.status == "refuted" for verdict in published)
    assert refuted >= 8
    assert text.count("Refuted:") == refuted + 2  # and two designs of the last chapter


def test_it_tells_the_story_of_a_key_that_varies(walked):
    text, page = walked
    ending = text[text.index("A key that varies") : text.index("Any keys")]
    # fixed keys; one head; two; one that is blind to the length; one found; two blind ones
    told = ["Proved", "Refuted", "Refuted", "Proved", "Proved", "Proved"]
    assert re.findall(r"(Proved|Refuted):", ending) == told
    assert "68.4%" in ending
    assert "Draw the range of <" in page
    drawn = sum(len(drawings(problem)) for problem in hw.problems.CATALOGUE.values())
    assert text.count("In the page, a picture:") == drawn + len(PICTURES)


def test_it_ends_with_a_design_for_any_keys_and_an_impossibility(walked):
    text, page = walked
    ending = text[text.index("Beyond the sheets") :]
    assert says(ending, 30, 8)
    assert "k_4 = 1/4·k_0 + 1/2·k_1 + 1/4·k_2" in ending
    assert says(ending, 5)
    assert "Beyond the sheets" in page


def test_the_page_is_that_of_the_report_and_the_data_lie_beside_it(walked):
    _, page = walked
    assert "What does not hold" in page
    assert page.rstrip().endswith("</html>")


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(ValueError, match="`out`"):
        tour(tmp_path / "absent" / "report.html", Console())
