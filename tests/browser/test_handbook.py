"""The handbook in a real browser, every page at the width of a desk and of a phone, in light and dark colours.

No page asks another machine for anything, writes to the console or scrolls sideways. Words have contrast, and the keyboard
reaches all of it.
"""

import functools
import http.server
import re
import subprocess
import sys
import threading
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
FULL = (("desk", "light"), ("phone", "dark"))
pytestmark = pytest.mark.needs("playwright", "axe_playwright_python", "material", "latex2mathml", "matplotlib")

# Words that are shown: the colour of each and of what lies below it, down to the first ground that hides all others.
WORDS = """() => {
    const seen = new Map()
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
        const word = walk.currentNode, place = word.parentElement
        if (!word.textContent.trim() || place.closest('svg, math, script, style, noscript, .headerlink')) continue
        if (!place.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue
        const grounds = []
        for (let ground = place; ground; ground = ground.parentElement) {
            const colour = getComputedStyle(ground).backgroundColor
            if (colour !== 'rgba(0, 0, 0, 0)') grounds.push(colour)
            if (colour.startsWith('rgb(')) break
        }
        const key = [getComputedStyle(place).color, ...grounds].join('|')
        if (!seen.has(key)) seen.set(key, place.tagName + '.' + place.className + ': ' + word.textContent.trim().slice(0, 40))
    }
    return [...seen]
}"""

# The first typeface of all words that are neither code nor formulas.
FACES = """() => [document.body, document.querySelector('#playground').shadowRoot]
    .flatMap((root) => [...root.querySelectorAll(':not(:is(code, pre, math, script, style, noscript), :is(code, pre, math) *)')])
    .filter((place) => [...place.childNodes].some((each) => each.nodeType === 3 && each.data.trim()))
    .map((place) => getComputedStyle(place).fontFamily.split(',')[0])"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of the handbook, built strictly and served from this machine."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    handler = functools.partial(Silent, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if path.name != "404.html")
    yield f"http://127.0.0.1:{server.server_port}/", pages
    server.shutdown()


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def opened(tab):
    """A tab, what it asks for, what it complains about, and whether to open every page in it."""
    page, asked, said, seen = tab
    return page, asked, said, seen in FULL


def test_every_page_stands_alone_fits_and_can_be_read(opened, site):
    page, asked, said, everything = opened
    address, names = site
    assert len(names) >= 50
    wide, faint = [], set()
    # Width does not change colours, nor colours the width: every page is seen in both widths and both schemes once.
    for name in names if everything else names[::6]:
        page.goto(address + name)
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            wide.append(name)
        for colours, where in page.evaluate(WORDS):
            if contrast(*colours.split("|")) < 4.5:
                faint.add((colours, where, name))
    assert outside(asked, address) == []
    assert said == []
    assert wide == []
    assert sorted(faint) == []


@pytest.mark.parametrize(
    ("html", "left"),
    [("<p>{{ a.b\n}}</p>", 1), ("<td>[a](b.md#c)</td>", 1), ("<pre><code>{{x}}\n</code></pre><p>x</p>", 0)],
)
def test_what_a_placeholder_is(html, left):
    assert len(placeholders(html)) == left


def test_no_placeholder_is_left(site):
    address, names = site
    assert {name: found for name in names if (found := placeholders(urlopen(address + name).read().decode()))} == {}


def placeholders(html):
    """Marks of what a page should have been given, and links still in Markdown, outside of code."""
    outside = re.sub(r"<(code|pre|script|style)\b.*?</\1>", "", html, flags=re.DOTALL)
    return re.findall(r"\{\{[^}]*\}?\}?|<!-- (?:picture|table|walk|playground)\b|\]\([^)\s]*\)", outside)


def test_search_finds_a_page(opened, site):
    page, asked, _, _ = opened
    page.goto(site[0] + "index.html")
    page.keyboard.press("f")
    page.keyboard.type("equivariant")
    page.wait_for_selector(".md-search-result__link")
    assert "equivarian" in page.inner_text(".md-search-result__list").lower()
    assert outside(asked, site[0]) == []


def test_the_landing_page_is_the_walk(opened, site):
    page, asked, said, _ = opened
    page.goto(site[0] + "index.html")
    page.wait_for_selector(".hw-walk-badge:not(:empty)")
    page.locator(".walk-steps a[href='#step=positions']").click()
    page.wait_for_selector(".hw-walk h2:has-text('Positions')")
    assert page.locator(".walk-steps li").count() == 12
    before = page.locator(".headwright-play").get_attribute("data-scheme")
    page.evaluate("""document.body.dataset.mdColorScheme =
        document.body.dataset.mdColorScheme === "slate" ? "default" : "slate" """)
    page.wait_for_selector(f".headwright-play:not([data-scheme={before}])")
    assert outside(asked, site[0]) == []
    assert said == []


def test_half_the_drawing_of_the_landing_page_is_above_the_fold_in_one_typeface(opened, site):
    page, *_ = opened
    width = page.viewport_size["width"]
    page.goto(site[0] + "index.html")
    page.wait_for_selector(".hw-walk-badge:not(:empty)")
    box = page.locator(".hw-drawing").bounding_box()
    assert box["y"] + box["height"] / 2 <= {390: 844, 1280: 800}[width]
    assert set(page.evaluate(FACES)) == {"system-ui"}


def test_the_keyboard_reaches_content_and_pictures(opened, site):
    page, *_ = opened
    page.goto(site[0] + "questions/impossible.html")
    reached = set()
    for _ in range(160):  # on a phone the links of the menu come first, one for each page of the section
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.className || document.activeElement.tagName"))
    assert any("picture" in name for name in reached)
    assert any("skip" in name for name in reached)


@pytest.mark.parametrize("name", ["index", "start", "questions/varying_keys", "theory/layers", "trust", "prior_art"])
def test_axe_finds_nothing(opened, site, name):
    """The theme names several of its landmarks alike, which is out of our hands."""
    from axe_playwright_python.sync_playwright import Axe

    page, *_ = opened
    page.goto(f"{site[0]}{name}.html")
    page.wait_for_function("document.querySelectorAll('.md-typeset__scrollwrap:not([tabindex])').length === 0")
    found = Axe().run(page, options={"rules": {"landmark-unique": {"enabled": False}}}).response["violations"]
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found] == []


def outside(asked, address):
    return [url for url in asked if not url.startswith((address, "data:", "blob:"))]


def contrast(ink, *grounds):
    """The ratio of WCAG 2 between a colour and what lies below it, layer by layer; each may let the next shine through."""
    paper = [1.0, 1.0, 1.0]
    for ground in reversed(grounds):
        paper = over(rgba(ground), paper)
    bright, dark = sorted((luminance(over(rgba(ink), paper)), luminance(paper)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def over(above, below):
    return [above[3] * a + (1 - above[3]) * b for a, b in zip(above[:3], below, strict=True)]


def rgba(colour):
    parts = [float(part) for part in colour[colour.index("(") + 1 : -1].replace("/", ",").split(",")]
    return [part / 255 for part in parts[:3]] + [parts[3] if len(parts) > 3 else 1.0]


def luminance(parts):
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
