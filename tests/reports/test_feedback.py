"""Pages for a class: complete, alone, small, and deaf to what students write into their files."""

import re
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser

import pytest

import headwright as hw
from headwright.problems.grading.results import Result
from headwright.problems.reports.class_page import class_page
from headwright.problems.reports.feedback import feedback_page, picture, text

HOSTILE = [
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "'\"><svg/onload=alert(1)>",
    "&lt;b&gt;",
    "k_<i>1</i>^<b>2</b>",
    "</style><style>*{display:none}",
    "javascript:alert(1)",
]
ALLOWED = {
    *("html", "head", "meta", "link", "title", "style", "body", "header", "main", "footer", "nav", "section", "article"),
    *("div", "p", "span"),
    *("h1", "h2", "h3", "ul", "li", "a", "b", "i", "dl", "dt", "dd", "pre", "code", "strong", "br", "figure", "figcaption"),
    *("table", "thead", "tbody", "tr", "th", "td", "svg", "rect", "line"),
    *("math", "mi", "mn", "mo", "mrow", "msub", "msup", "msubsup", "msqrt", "mspace"),
}  # fmt: skip


class Tags(HTMLParser):
    """All tags of a page, its attributes and its open elements; an element that is closed out of turn is an error."""

    VOID = ("meta", "link", "br", "rect", "line")

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.open, self.words = set(), [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    path = tmp_path_factory.mktemp("assignment") / "homework.toml"
    asked = "".join(f'[[question]]\nid = "{name}"\npoints = 4\n' for name in ("A.1a", "A.1b", "D.a-i", "E.1c"))
    path.write_text(f'title = "Homework <3>"\n{asked}', "utf-8")
    return hw.problems.read_assignment(path)


def made(assignment, words="", *, student="Ada", path="ada.toml", **rest):
    """A class of one, with the same words wherever a student's words can be."""
    bars = {"at": f"n = 10 {words}", "bars": [[f"k_1{words}", 0.526, 0.667], ["all others", 0.474, None]]}
    said = {"given": f"q = {words}", "written": words, "reading": words, "message": f"At n = 10: {words}"}
    results = {
        "A.1a": Result("A.1a", "A", "refuted", credit="wrong", picture=bars, possible=4, **said),
        "A.1b": Result("A.1b", "A", "proved", "As asked.", credit="right", share=Fraction(1), possible=4),
        "D.a-i": Result("D.a-i", "D", "undecided", f"read this\n    {words}\n    ^", given=words, possible=4),
        "E.1c": Result("E.1c", "E", "missing", possible=4),
    }
    graded = hw.problems.Grade(path, student, "", results, (words,) if words else (), title="Homework <3>", **rest)
    comments = {(path, "D.a-i"): words} if words else {}
    return graded, hw.problems.ClassGrade(assignment, (graded,), comments)


@pytest.mark.parametrize("words", HOSTILE)
def test_what_students_write_is_never_markup(assignment, words):
    graded, found = made(assignment, words, student=words, path=f"{words.replace('/', '')}.toml")
    for page in (feedback_page(graded, found), class_page(found.statistics())):
        tags = Tags(page)
        assert tags.tags <= ALLOWED
        assert not [name for name, _ in tags.attributes if name.startswith("on")]
        links = {value for name, value in tags.attributes if name in ("href", "src")}
        assert all(value == "data:," or value.startswith("#") for value in links)
        assert "http" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    assert words in "".join(Tags(feedback_page(graded, found)).words)


@pytest.mark.parametrize("opening", ["(", "t (", "|", "√", "k_(", "e^(", "[", "-(", "x^2^"])
def test_a_formula_that_is_hard_to_set_is_quick(opening):
    for count in (5, 9, 40, 400):
        assert text(opening * count + "x")
        assert text(f"{opening * count}x{')' * count}")


def test_a_page_says_everything(assignment):
    graded, found = made(assignment, "2·ln(n/ε)·(k_1 + k_2)")
    page = feedback_page(graded, found)
    words = re.sub(r"\s+", " ", "".join(Tags(page).words))
    for part in (
        "Homework <3>",
        "Ada",
        "4 of 16 points",
        "wrong",
        "right",
        "for a person to read",
        "up to 4 points",
        "no answer",
        "0.526",
        "0.667",
    ):
        assert part in words
    assert "<msub><mi>k</mi><mn>1</mn></msub>" in page
    assert page.count("<article") == 4
    assert len(page.encode()) < 20_000


def test_a_chosen_statement_is_shown_by_its_text(assignment):
    graded, found = made(assignment)
    statement = hw.problems.CATALOGUE["D.a-i"].statements[0]
    results = {
        **graded.results,
        "D.a-i": Result("D.a-i", "D", "refuted", given=f"statement = {statement.id}", possible=4),
    }
    graded = hw.problems.Grade(graded.path, None, "", results)
    assert text(statement.text) in feedback_page(graded, found)
    found = hw.problems.ClassGrade(found.assignment, (graded,))
    assert text(statement.text) in class_page(found.statistics())


def test_only_a_counterexample_is_drawn(assignment):
    graded, found = made(assignment)
    assert feedback_page(graded, found).count("<figure>") == 1
    right = {"A.1a": replace(graded.results["A.1a"], status="proved")}
    assert "<figure>" not in feedback_page(replace(graded, results={**graded.results, **right}), found)


def test_pictures():
    assert picture(None) == ""
    assert picture({"at": "n = 2", "bars": []}) == ""
    drawn = picture({"at": "n = 10, ε = 1/2", "bars": [["k_1", 0.526, 0.667], ["k_2", 3e-7, None], ["k_3", 1.5, None]]})
    assert re.findall(r"<rect class='([\w ]+)' x='0' width='([\d.e-]+)'", drawn) == [
        *[("weight asked", "52.6"), ("weight", "3e-05"), ("weight", "100")]
    ]
    assert "x1='66.7'" in drawn
    assert "&lt; 0.001" in drawn or "< 0.001" in drawn
    assert "required" not in picture({"at": "n = 2", "bars": [["k_1", 0.5, None]]})


def test_a_file_that_cannot_be_read_has_a_page(assignment):
    graded, found = made(assignment)
    graded = hw.problems.Grade("eve.toml", None, "", graded.results, (), "The file is <not> valid TOML")
    assert "&lt;not&gt; valid TOML" in feedback_page(graded, found)
    assert "eve.toml" in feedback_page(graded, found)
