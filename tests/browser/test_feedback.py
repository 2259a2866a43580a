"""The pages of a class in a real browser, at the width of a desk and of a phone, light and dark: alone, and open to everyone."""

import json
from dataclasses import replace

import pytest

from headwright.kernel.frozen import FrozenMap
from tests.browser.feedback_class import ROOT, graded

pytestmark = pytest.mark.needs("playwright", "axe_playwright_python")
PICTURE = {"at": "n = 10, ε = 1/2", "bars": [["k_1", 0.526, 0.667], ["k_2", 0.3, None], ["all others", 0.174, None]]}
LONG = "2·ln(n/ε)·(k_1 + k_2) − 3·ln(n/ε)·(k_3 + k_4) + 5·ln(n/ε)·(k_5 + k_6 + k_7 + k_8)"
NASTY = "<img src=http://example.org/x.png onerror=console.log(1)>" + "W" * 200
PAGES = ("feedback/ada.html", "feedback/ben.html", "feedback/cleo.html", "class.html", "nasty.html")


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    """The class of the examples, and a page on which every part is as long and as hostile as it can be."""
    import headwright as hw
    from headwright.problems.reports.feedback import feedback_page

    out = graded(tmp_path_factory.mktemp("class") / "marks")
    examples = ROOT / "examples"
    found = hw.problems.grade_class(examples / "class", examples / "homework.toml", out)
    ben = found.grades[1]
    words = {
        "picture": PICTURE,
        "reading": f"q = {LONG}",
        "written": NASTY,
        "given": f"q = {NASTY}",
        "message": f"{LONG} {NASTY}",
    }
    results = {name: replace(result, **words) for name, result in ben.results.items()}
    graded_badly = replace(ben, results=FrozenMap(results), student=NASTY, complaints=(NASTY,))
    (out / "nasty.html").write_text(feedback_page(graded_badly, found), "utf-8")
    return out


@pytest.fixture(params=PAGES)
def opened(request, tab, marks):
    """A page, its address, what it asked for and what it complained about."""
    page, asked, said, _ = tab
    address = (marks / request.param).as_uri()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return page, address, asked, said


def test_a_page_stands_alone_and_fits(opened):
    page, address, asked, said = opened
    assert [url for url in asked if url != address and not url.startswith("data:")] == []
    assert said == []
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= shown
    beyond = page.evaluate(
        """() => [...document.querySelectorAll('p, dd, li, h1, h2, h3, figure, table, td, svg, pre, .badge')]
            .filter(found => found.getBoundingClientRect().right > window.innerWidth + 1 && !found.closest('.long'))
            .map(found => found.outerHTML.slice(0, 80))"""
    )
    assert beyond == []


def test_anyone_can_read_it(opened):
    """axe-core: contrast of at least 4.5, names for all controls, headings in order, nothing that the keyboard cannot reach."""
    from axe_playwright_python.sync_playwright import Axe

    page = opened[0]
    page.evaluate("document.querySelectorAll('math').forEach(found => found.replaceWith(found.textContent))")
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_the_counterexample_is_drawn_to_scale(tab, marks):
    page = tab[0]
    page.goto((marks / "nasty.html").as_uri())
    drawn = page.evaluate(
        """() => { const box = found => found.getBoundingClientRect()
            const middle = found => (box(found).left + box(found).right) / 2
            const rows = [...document.querySelector('.weights').querySelectorAll('tbody tr')]
            return rows.map(row => { const track = box(row.querySelector('svg')), line = row.querySelector('line')
                return [box(row.querySelector('rect')).width / track.width,
                    line && (middle(line) - track.left) / track.width, track.width] }) }"""
    )
    for (width, line, track), (_, weight, least) in zip(drawn, PICTURE["bars"], strict=True):
        assert width == pytest.approx(weight, abs=0.01)
        assert track >= 80
        assert (line is None) == (least is None)
        assert least is None or line == pytest.approx(least, abs=0.02)


def test_marks_given_by_hand_and_links(tab, marks):
    page = tab[0]
    page.goto((marks / "feedback" / "ada.html").as_uri())
    assert "Say when" in page.locator("#A-1c .note").inner_text()
    assert page.locator("#A-1c .points").inner_text().startswith("1.5 of 2")
    page.click("nav a[href='#E-1c']")
    assert page.evaluate("location.hash") == "#E-1c"
    assert page.locator("#E-1c").bounding_box()["y"] < 600
    names = page.evaluate("[...document.querySelectorAll('article')].map(found => found.id)")
    assert len(names) == len(set(names)) == len(json.loads((marks / "class.json").read_text("utf-8"))["questions"])


def test_a_page_is_printed_on_white_and_whole(browser, marks):
    context = browser.new_context(color_scheme="dark", java_script_enabled=False)
    page = context.new_page()
    page.goto((marks / "feedback" / "ben.html").as_uri())
    page.emulate_media(media="print")
    assert page.locator("body").evaluate("found => getComputedStyle(found).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert page.locator("article").last.is_visible()
    context.close()
