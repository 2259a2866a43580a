"""The report holds every question with its verdicts, as a page and as data, needs nothing from outside, and stays small."""

import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import headwright as hw
from headwright import reports
from headwright.problems import run as found
from headwright.reports.drawings import Drawing, drawings, embedded
from headwright.reports.entries import entry_of, setting_in_words
from headwright.reports.exhibits import PICTURES
from headwright.reports.page import FORMAT, page, report_dict, write_files, write_report
from headwright.reports.question_html import bars_html
from headwright.reports.typesetting import sentence, typeset

EMPTY = {"meta", "img", "link", "br"}  # tags without an end


class Reader(HTMLParser):
    """Collects ids, links and text, and sees that tags are closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.sources = [], [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in EMPTY:
            self.open.append(tag)
        known = dict(attrs)
        self.ids += [known["id"]] if "id" in known else []
        self.links += [known["href"]] if "href" in known else []
        self.sources += [known["src"]] if "src" in known else []

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    heard = []
    html, data = write_report(tmp_path_factory.mktemp("sheets") / "new" / "deep", say=heard.append)
    return html, data, heard


def test_it_writes_two_files_and_tells_how_it_goes(written):
    html, data, heard = written
    assert (html.name, data.name) == ("report.html", "report.json")
    assert heard[:-1] == list(hw.problems.CATALOGUE)
    assert html.stat().st_size < 5 * 2**20
    assert sorted(path.name for path in html.parent.iterdir()) == ["report.html", "report.json"]


def test_the_page_is_well_formed_and_asks_for_nothing(written):
    text = written[0].read_text("utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert len(set(reader.ids)) == len(reader.ids)
    assert all(source.startswith("data:image/svg+xml;base64,") for source in reader.sources)
    assert all(link == "data:," or link[1:] in reader.ids for link in reader.links)
    assert not re.search(r"url\(|@import|<script|<iframe|http-equiv", text)
    assert "viewport" in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_every_question_has_its_card_and_a_row_in_the_contents(written):
    text = written[0].read_text("utf-8")
    for problem in hw.problems.CATALOGUE.values():
        card = text[text.index(f"<article id='{problem.id}'>") :]
        card = card[: card.index("</article>")]
        assert typeset(problem.question) in card
        assert typeset(problem.must_show) in card
        assert "<dt>setting</dt>" in card
        assert (f"{len(problem.statements)} statements to choose from" in card) == bool(problem.statements)
        assert ("<h4>Published answer</h4>" in card) == (problem.published is not None)
        assert f"<li><a href='#{problem.id}'>" in text
        assert card.count("class='badge'") == (1 if problem.published is None else 2)
        assert ("class='bars'" in card) == (found(problem.id).weights is not None)


def test_the_data_say_the_same(written):
    data = json.loads(written[1].read_text("utf-8"))
    assert data["format"] == FORMAT
    assert [question["id"] for question in data["questions"]] == list(hw.problems.CATALOGUE)
    for question in data["questions"]:
        problem = hw.problems.CATALOGUE[question["id"]]
        assert question["published"] == problem.published
        assert question["must_show"] == problem.must_show
        assert question["setting"].endswith(".")
        shown = found(problem.id)
        assert question["verdict_on_ours"]["status"] == shown.ours.status
        assert question["construction"] == shown.construction
        assert question["verdict_on_published"] == (None if shown.published is None else shown.published.to_dict())
        assert [s["status"] for s in question["statements"]].count("undecided") == 0
    table = data["counts"]
    assert sum(table["ours"].values()) == len(hw.problems.CATALOGUE)
    assert table["ours"]["proved"] + table["ours"]["argued"] == len(hw.problems.runs())
    argued = [name for name in hw.problems.runs() if found(name).ours.status == "argued"]
    assert table["ours"]["argued"] == len(argued)
    assert table["published"]["refuted"] >= 8
    assert len(data["beyond"]) == 3


def test_the_counts_stand_in_the_page(written):
    text, table = written[0].read_text("utf-8"), json.loads(written[1].read_text("utf-8"))["counts"]
    for name in ("ours", "published", "statements"):
        for status, number in table[name].items():
            assert f"{number} {status}</span>" in text


def test_without_the_plots_extra_the_missing_pictures_are_named(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = page([entry_of(hw.problems.find("D.c-ii"))])
    assert text.count("Picture left out") == 2
    assert "plots" in text
    assert "<img" not in text


@pytest.mark.needs("matplotlib")
def test_pictures_stand_in_the_page(written):
    text = written[0].read_text("utf-8")
    drawn = sum(len(drawings(problem)) for problem in hw.problems.CATALOGUE.values())
    assert text.count("<img alt='") == drawn + len(PICTURES)
    assert "Picture left out" not in text


def test_pictures_and_settings_come_from_the_questions_files():
    count = {name: len(drawings(problem)) for name, problem in hw.problems.CATALOGUE.items()}
    assert (count["A.2b"], count["A.3b"], count["A.1a"]) == (2, 1, 0)
    settings = {name: setting_in_words(hw.problems.find(name)) for name in ("A.2b", "E.2a", "A.2a")}
    assert len(set(settings.values())) == 3
    written = "".join(path.read_text("utf-8") for path in Path(reports.__file__).parent.glob("*.py"))
    assert [name for name in hw.problems.CATALOGUE if f'"{name}"' in written] == []


def test_a_table_that_describes_no_picture_is_named():
    problem = replace(hw.problems.find("A.1a"), ours={"pictures": [{"caption": "nothing", "spectra": 3}]})
    with pytest.raises(ValueError, match=r"`pictures`.*nothing"):
        drawings(problem)[0].make()


def test_a_missing_library_is_named_where_a_picture_would_stand():
    def make():
        raise ImportError("this needs `matplotlib`, which the extra `plots` brings")

    assert "Picture left out (a < b): this needs `matplotlib`" in embedded(Drawing("a < b", make)).replace("&lt;", "<")


def test_what_strangers_might_write_is_escaped():
    assert typeset("<b>&'\"") == "&lt;b&gt;&amp;&#x27;&quot;"
    assert typeset("α_1 ≥ e^(−t(c−1)) and ‖A‖_F, x^2, Σ_{i<j}") == (
        "α<sub>1</sub> ≥ e<sup>−t(c−1)</sup> and ‖A‖<sub>F</sub>, x<sup>2</sup>, Σ<sub>i&lt;j</sub>"
    )
    assert typeset("mu_a key_range __x__ file_1") == "mu_a key_range __x__ file_1"
    assert sentence("it is so") == "It is so."


def test_alike_neighbours_share_a_bar():
    import numpy as np

    text = bars_html(np.array([0.38, 0.38, 0.1, 0.05, 0.05, 0.0301, 0.0041, 0.00012, 0.0056]), {1})
    assert re.findall(r"<span>key[^<\d]*([\d-]*)[^<]*</span>", text) == ["0", "1", "2", "3-4", "5", "6-7", "8"]
    assert "<span>≤ 0.0041</span>" in text
    assert text.count("class='goal'") == 1


def test_files_are_the_same_every_time(tmp_path):
    one = [entry_of(hw.problems.find("A.1c"))]
    first, second = (write_files(tmp_path / name, one) for name in ("a.html", "b.html"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert json.loads(json.dumps(report_dict(one))) == report_dict(one)


def test_a_file_in_the_way_is_named(tmp_path):
    (tmp_path / "taken").write_text("here")
    with pytest.raises(ValueError, match="`folder`"):
        write_report(tmp_path / "taken")
