"""The report holds every question with its verdicts, as a page and as data, needs nothing from outside, and stays small."""

import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import headwright as hw
from headwright.kernel.goals import Copy
from headwright.problems import reports, run as found
from headwright.problems.reports.drawings import Drawing, drawings, embedded
from headwright.problems.reports.entries import entry_of, setting_in_words
from headwright.problems.reports.exhibits import PICTURES
from headwright.problems.reports.figures import bars_html
from headwright.problems.reports.marks import MARKS, published_entries
from headwright.problems.reports.page import FORMAT, page, report_dict, write_files, write_report
from headwright.problems.reports.typesetting import sentence, typeset

EMPTY = {"meta", "img", "link", "br", "input"}  # tags without an end


class Reader(HTMLParser):
    """Collects ids, links and text, and sees that tags are closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.sources, self.text = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in EMPTY:
            self.open.append(tag)
        known = dict(attrs)
        self.ids += [known["id"]] if "id" in known else []
        self.links += [known["href"]] if "href" in known else []
        self.sources += [known["src"]] if "src" in known else []

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"math", "code", "style", "script"} & set(self.open):
            self.text.append(data)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return write_report(tmp_path_factory.mktemp("sheets") / "new" / "deep")


@pytest.fixture(scope="module")
def read(written):
    reader = Reader()
    reader.feed(written[0].read_text("utf-8"))
    return reader


def test_it_writes_two_files(written):
    html, data = written
    assert (html.name, data.name) == ("report.html", "report.json")
    assert html.stat().st_size < 2 * 10**6
    assert sorted(path.name for path in html.parent.iterdir()) == ["report.html", "report.json"]


def test_the_page_is_well_formed_and_asks_for_nothing(written, read):
    text = written[0].read_text("utf-8")
    assert read.open == []
    assert len(set(read.ids)) == len(read.ids)
    assert all(source.startswith("data:image/svg+xml;base64,") for source in read.sources)
    assert all(link == "data:," or link[1:] in read.ids for link in read.links)
    assert not re.search(r"url\((?!data:|#)|@import|<iframe|http-equiv|fetch\(|<script ", text)
    assert "viewport" in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_every_question_has_its_place_with_all_it_holds(written):
    text = written[0].read_text("utf-8")
    for problem in hw.problems.CATALOGUE.values():
        shown = found(problem.id)
        card = text[text.index(f"id='{problem.id}'") :]
        card = card[: card.index("</article>")]
        assert typeset(problem.question) in card
        assert typeset(problem.must_show) in card
        assert "<dt>setting</dt>" in card
        assert (f"{len(problem.statements)} options to choose from" in card) == bool(problem.statements)
        assert ("<h4>Published answer</h4>" in card) == (problem.published is not None)
        assert card.count("<div class='verdict") == (1 if problem.published is None else 2)
        assert ("class='bars'" in card) == (shown.weights is not None)


def test_the_story_opens_with_the_answers_that_do_not_hold(written):
    text = written[0].read_text("utf-8")
    findings, held = (text.index(f'<section id="{name}"') for name in ("findings", "held"))
    assert findings < held
    for problem in hw.problems.CATALOGUE.values():
        entry, place = entry_of(problem), text.index(f"id='{problem.id}'")
        assert (findings < place < held) == entry.refuted
        if entry.refuted:
            card = text[place : text.index("</article>", place)]
            assert typeset(entry.worded("headline")) in card
            assert typeset(entry.worded("finding")) in card
            assert "<figure>" in card[: card.index("<details>")]
        else:
            assert text.rindex("<details class='card'", 0, place) > held


def test_each_refuted_published_answer_has_its_finding_and_no_other_has_one():
    for problem in hw.problems.CATALOGUE.values():
        entry = entry_of(problem)
        for name in ("headline", "finding"):
            assert bool(entry.worded(name)) == entry.refuted, problem.id
        if entry.refuted:
            assert len(entry.worded("headline")) <= 67
            assert len(re.findall(r"\.(?= [A-Z]|$)", entry.worded("finding"))) == 2
            assert "{" not in entry.worded("finding")
            kept = [("condition" in e, "instead" in e) for e in published_entries(problem)]
            found = hw.problems.published(problem.id)
            assert (found.holds_when is not None) == any(one for one, _ in kept), (
                problem.id
            )  # no condition in prose alone
            assert found.holds_when is None or found.record.where.prove().status == "proved"
            assert any(map(any, kept)), problem.id
            assert entry.published_mark.id == ("conditional" if any(one for one, _ in kept) else "wrong")
        assert problem.title


def test_no_option_of_an_essay_question_counts_as_refuted(written):
    data = json.loads(written[1].read_text("utf-8"))
    offered = [s for question in data["questions"] for s in question["statements"]]
    false = [s for s in offered if s["status"] == "refuted"]
    assert data["marks"]["statements"]["false option"] == len(false)
    assert {s["mark"] for s in false} == {"false option"}
    assert not {"wrong", "conditional", "refuted"} & set(data["marks"]["statements"])


def test_what_is_not_in_a_formula_has_no_formula_in_it(read):
    left = " ".join(read.text)
    assert re.findall(r"\b[a-zA-Zα-ω]_[0-9a-z]\b|[\^≤≥√‖]|<=|>=|(?<![\w.])-\d", left.replace("≤ 0.", "0.")) == []


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
    marks = data["marks"]
    assert {name: sum(table.values()) for name, table in marks.items()} == {
        n: sum(t.values()) for n, t in table.items()
    }
    assert marks["published"]["wrong"] + marks["published"]["conditional"] == table["published"]["refuted"]
    for question in data["questions"]:
        assert {question["mark_on_ours"], question["mark_on_published"] or "proved"} <= set(MARKS)


def test_the_counts_stand_in_the_page(written):
    text, marks = written[0].read_text("utf-8"), json.loads(written[1].read_text("utf-8"))["marks"]
    for name, number in marks["published"].items():
        assert f"<strong>{MARKS[name].sign} {number}</strong> <b>{MARKS[name].name}</b>" in text


def test_without_the_plots_extra_the_missing_pictures_are_named(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = page([entry_of(hw.problems.find("D.c-ii"))])
    assert text.count("Picture left out") == 1
    assert text.count("<svg class='strip'") == 2  # drawn without it
    assert "plots" in text
    assert "<img" not in text


@pytest.mark.needs("matplotlib")
def test_pictures_stand_in_the_page(written):
    text = written[0].read_text("utf-8")
    every = [one for problem in hw.problems.CATALOGUE.values() for one in drawings(problem)] + list(PICTURES)
    assert text.count("<img alt='") == sum(one.html is None for one in every)
    assert text.count("<figcaption>") == len(every)
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

    said = embedded(Drawing("of a <b>", make))
    assert "Picture left out (of " in said
    assert "<code>matplotlib</code>" in said
    assert "<b>" not in said


def test_what_strangers_might_write_is_escaped():
    assert typeset("<b>&'\"") == "<math><mo>&lt;</mo><mi>b</mi></math>&gt;&amp;&#x27;&quot;"
    assert sentence("it is so") == "It is so."


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("the keys k_1, ..., k_n of norm 1", ["k1,…,kn"]),
        ("α_1 ≥ e^(-t(c-1)) and ‖A‖_F², x^2", ["α1≥e−t(c−1)", "‖A‖F2", "x2"]),
        ("a key at distance 0.5 (n = 10; the sheet's t is 6.2)", ["n=10", "t"]),
        ("where k_a points away, a is lost and A is n×d", ["ka", "a", "A", "n×d"]),
        ("q = ln(n/eps) (mu_a + k_2), 2*S*inv(S'*S)", ["q=ln(n/ε)(μa+k2)", "2·S·inv(S′·S)"]),
        ("within 1e-6, see A.1d and docs/theory/order.md#a-set", ["10−6"]),
        ("10 keys, key 3, 99 % of them, the 2nd, float64", []),
        ("√(n/2) < sqrt(10)", ["(n/2)<10"]),
        ("a unit-length head with a c_2 that varies", ["c2"]),
        ("from -1 to 1", ["−1"]),
    ],
)
def test_formulas_are_found_in_running_text(text, formulas):
    found = re.findall("<math>(.*?)</math>", typeset(text))
    assert [re.sub("<[^>]*>|&#x2061;", "", one).replace("&lt;", "<") for one in found] == formulas


def test_scripts_and_roots_are_set():
    assert typeset("a_ij²") == (
        "<math><msubsup><mi>a</mi><mrow><mi>i</mi><mi>j</mi></mrow><mrow><mn>2</mn></mrow></msubsup></math>"
    )
    assert "<msqrt><mi>x</mi></msqrt>" in typeset("√x")
    assert "<msup><mi>S</mi><mrow><mn>−1</mn></mrow></msup>" in typeset("S⁻¹")


def test_a_long_formula_scrolls_by_itself_and_a_comma_stays_with_its_formula():
    assert typeset("x = " + " + ".join(f"k_{i}" for i in range(20))).startswith(
        "<span class='long' tabindex='0'><math>"
    )
    assert typeset("n = 2, and").startswith("<span class='tied'><math>")


def test_alike_neighbours_share_a_bar():
    import numpy as np

    text = bars_html(np.array([0.38, 0.38, 0.1, 0.05, 0.05, 0.0301, 0.0041, 0.00012, 0.0056]), Copy(1))
    assert re.findall(r"<span>keys? ([\d–]*)[^<]*</span>", text) == ["0", "1", "2", "3–4", "5", "6–7", "8"]
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


def test_the_handbook_lists_the_published_answers_that_do_not_hold():
    page = (Path(__file__).parents[2] / "docs" / "sheets.md").read_text("utf-8")
    refuted = [entry for entry in map(entry_of, hw.problems.CATALOGUE.values()) if entry.refuted]
    rows = [f"| {entry.problem.id} | {entry.worded('headline')} | {entry.published_mark.name} |" for entry in refuted]
    assert [line for line in page.splitlines() if line in rows] == rows
