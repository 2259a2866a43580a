"""The report in a real browser, at the width of a desk and of a phone: no request, no complaint, no sideways scrolling."""

import shutil

import pytest

import headwright as hw

FLAGS = [
    *["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
    *["--disable-background-networking", "--disable-component-update", "--disable-sync"],
]
WIDTHS = {"desk": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    from headwright.reports.page import write_report

    return write_report(tmp_path_factory.mktemp("report"))[0]


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    assert program, "the tests of the page need the system's chromium (Debian, Ubuntu: apt-get install chromium)"
    with sync_playwright() as player:
        started = player.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(params=[(width, scheme) for width in WIDTHS for scheme in ("light", "dark")], ids="-".join)
def opened(request, browser, report):
    """The page, with what it asked for and what it complained about, in an empty profile of its own."""
    (width, height), scheme = WIDTHS[request.param[0]], request.param[1]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda found: asked.append(found.url))
    page.on("console", lambda found: said.append(found.text))
    page.on("pageerror", lambda found: said.append(str(found)))
    page.goto(report.as_uri())
    page.wait_for_load_state("networkidle")
    yield page, asked, said
    context.close()


@pytest.mark.needs("playwright")
def test_the_page_stands_alone_and_fits(opened, report):
    page, asked, said = opened
    page.evaluate("document.querySelectorAll('details').forEach(found => { found.open = true })")
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if url != report.as_uri() and not url.startswith("data:")] == []
    assert said == []
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= shown
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "16px"


@pytest.mark.needs("playwright")
def test_nothing_is_cut_off_at_the_right(opened):
    page, _, _ = opened
    beyond = page.evaluate(
        """() => [...document.querySelectorAll('article p, article dd, article li, nav a, .bars, .tile')]
            .filter(found => found.getBoundingClientRect().right > window.innerWidth + 1)
            .map(found => found.textContent.slice(0, 60))"""
    )
    assert beyond == []


@pytest.mark.needs("playwright")
def test_every_link_of_the_contents_leads_to_its_question(opened):
    page, _, _ = opened
    links = page.evaluate(
        "[...document.querySelectorAll('nav li a')].map(found => found.getAttribute('href').slice(1))"
    )
    assert len(links) == len(hw.problems.CATALOGUE)
    for name in links:
        assert page.evaluate("name => document.getElementById(name).querySelector('h3 a').textContent", name) == name


@pytest.mark.needs("playwright")
def test_pictures_are_drawn(opened):
    page, _, _ = opened
    widths = page.evaluate("[...document.images].map(found => found.complete && found.naturalWidth)")
    assert widths
    assert all(width > 100 for width in widths)


@pytest.mark.needs("playwright")
def test_words_have_contrast_on_their_ground(opened):
    page, _, _ = opened
    colours = page.evaluate(
        """() => ['p', '.soft', '.proved', '.refuted', '.verdict .badge'].map(name => {
            const found = document.querySelector('article ' + name) || document.querySelector(name)
            let ground = found
            while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement
            return [getComputedStyle(found).color, getComputedStyle(ground).backgroundColor]
        })"""
    )
    for ink, paper in colours:
        assert contrast(ink, paper) >= 4.5, (ink, paper)


def contrast(first, second):
    """The ratio of WCAG 2 between two colours written rgb(r, g, b)."""
    bright, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour):
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
