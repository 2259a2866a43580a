"""The report in a real browser, at the width of a desk and of a phone, light and dark: complete, alone, and open to everyone."""

import pytest

import headwright as hw

UNFOLD = "document.querySelectorAll('details').forEach(found => { found.open = true })"
SHOWN = "[...document.querySelectorAll('[data-marks]')].filter(card => card.checkVisibility()).length"
pytestmark = pytest.mark.needs("playwright", "axe_playwright_python")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    from headwright.problems.reports.page import write_report

    return write_report(tmp_path_factory.mktemp("report"))[0]


@pytest.fixture
def opened(tab, report):
    """The page, with what it asked for and what it complained about."""
    page, asked, said, _ = tab
    page.goto(report.as_uri())
    page.wait_for_load_state("networkidle")
    return page, asked, said


@pytest.fixture
def page(browser, report):
    """The page at a desk, and nothing else."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(report.as_uri())
    yield page
    context.close()


def test_the_page_stands_alone_and_fits(opened, report):
    page, asked, said = opened
    for unfold in ("0", UNFOLD):
        page.evaluate(unfold)
        wide, shown = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert wide <= shown
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if url != report.as_uri() and not url.startswith("data:")] == []
    assert said == []
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "16px"
    widths = page.evaluate("[...document.images].map(found => found.complete && found.naturalWidth)")
    assert widths
    assert all(width > 100 for width in widths)


def test_nothing_is_cut_off_and_no_formula_breaks(opened):
    page, _, _ = opened
    page.evaluate(UNFOLD)
    assert page.evaluate("document.fonts.check('16px \"Report Math\"')")
    beyond = page.evaluate(
        """() => [...document.querySelectorAll('p, dd, li, h3, summary, math, figure, .bars, .strip, img')]
            .filter(found => found.getBoundingClientRect().right > window.innerWidth + 1 && !found.closest('.long'))
            .map(found => found.textContent.slice(0, 60))"""
    )
    assert beyond == []
    tall = "[...document.querySelectorAll('math')].filter(found => found.getClientRects().length > 1).length"
    assert page.evaluate(tall) == 0


def test_anyone_can_read_it(opened):
    """axe-core: contrast of at least 4.5, names for all controls, headings in order, nothing that the keyboard cannot reach."""
    from axe_playwright_python.sync_playwright import Axe

    page, _, _ = opened
    page.evaluate(UNFOLD)
    # Formulas have the colour of the text around them; as elements they are four fifths of the page, and of the time.
    page.evaluate("document.querySelectorAll('math').forEach(found => found.replaceWith(found.textContent))")
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_figures_stand_side_by_side_or_below_each_other(page):
    panels = """() => { const [one, two] = document.querySelector('.panels').children
        return one.getBoundingClientRect().right <= two.getBoundingClientRect().left }"""
    assert page.evaluate(panels)
    page.set_viewport_size({"width": 699, "height": 900})
    assert not page.evaluate(panels)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_link_leads_to_its_question_and_unfolds_it(browser, report, script):
    context = browser.new_context(java_script_enabled=script)
    page = context.new_page()
    for name in ("A.1d", "A.1a", "B.3e-ii"):
        page.goto("about:blank")
        page.goto(f"{report.as_uri()}#{name}")
        place = page.locator(f"[id='{name}']")
        assert place.locator("h4").first.is_visible() == (name != "A.1d")  # a finding stands open, its rest folded
        assert place.is_visible()
        assert place.bounding_box()["y"] < 400
    assert page.locator("#filters").is_visible() == script
    context.close()


def test_questions_are_found_by_sheet_theme_verdict_and_word(page):
    every = page.evaluate(SHOWN)
    assert every == len(hw.problems.CATALOGUE)
    problems = hw.problems.CATALOGUE.values()
    page.select_option("[data-by=sheet]", "B")
    assert page.evaluate(SHOWN) == sum(problem.sheet == "B" for problem in problems)
    page.select_option("[data-by=theme]", "varying keys")
    both = sum((problem.sheet, problem.theme) == ("B", "varying keys") for problem in problems)
    assert page.evaluate(SHOWN) == both
    assert page.locator("output").inner_text().startswith(f"{both} of {every}")
    page.click("button[type=reset]")
    page.wait_for_function(f"{SHOWN} === {every}")
    page.select_option("[data-by=marks]", "published-wrong")
    assert page.evaluate(SHOWN) == page.locator(".finding.wrong").count()
    assert not page.locator(".sheet").first.is_visible()
    page.click("button[type=reset]")
    page.wait_for_function(f"{SHOWN} === {every}")
    page.fill("#search", "sinusoidal repeat")
    assert 0 < page.evaluate(SHOWN) < 5
    page.evaluate("location.hash = '#C.1.3'")  # a link to what is hidden shows it
    page.wait_for_function(f"{SHOWN} === {every}")


def test_the_keyboard_reaches_everything_and_shows_where_it_is(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#findings"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.finding') !== null")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.focus(".card summary")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open")


def test_everything_is_printed_on_white(browser, report):
    context = browser.new_context(color_scheme="dark", java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    page.emulate_media(media="print")
    assert page.locator(".card article h4").first.is_visible()
    assert not page.locator("nav").is_visible()
    assert page.locator("body").evaluate("found => getComputedStyle(found).backgroundColor") == "rgb(255, 255, 255)"
    context.close()
