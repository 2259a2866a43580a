"""The served app in a browser: drags are proved by the kernel, requests stay on loopback, and garbage does not break it."""

import json
import signal
import subprocess
import sys

import pytest

from tests.browser.playground_hands import (
    FRESH,
    GARBAGE,
    KEY,
    drag,
    place,
    press,
    scene,
    shown,
    still_works,
    touch_drag,
    until,
)

pytestmark = pytest.mark.needs("playwright", "marimo", "anywidget")
# One of each kind; the page's code is the single file's, where all of them are tried.
COPY = scene(keys=[[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]], goal={"goal": "copy", "indices": [3], "shares": ["1"]})
SOME = (
    "broken percent-encoding",
    "not JSON",
    "ten thousand keys",
    "the entry __proto__",
    "an unknown entry",
    "script in labels",
)


GROUND = """own => {
    const paper = new OffscreenCanvas(1, 1).getContext("2d")
    paper.fillStyle = getComputedStyle(own).backgroundColor
    paper.fillRect(0, 0, 1, 1)
    return [...paper.getImageData(0, 0, 1, 1).data]
}"""


@pytest.fixture(scope="module")
def address():
    command = [sys.executable, "-m", "headwright", "play", "--no-open", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    assert line, process.stderr.read()
    yield json.loads(line)["address"]
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert (process.returncode, said) == (0, "")


@pytest.fixture
def visit(browser, address):
    """Open the app at a fragment; afterwards, nothing was asked of another machine and the console is empty."""
    asked, said, contexts = [], [], []

    def visit(fragment=COPY, **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(address + fragment)
        page.locator(KEY.format(0)).wait_for()
        return page, said

    yield visit
    for context in contexts:
        context.close()
    own = (address, address.replace("http:", "ws:"))
    assert [url for url in asked if not url.startswith((*own, "data:", f"blob:{address}"))] == []
    assert any(url.startswith(own[1]) for url in asked)
    assert said == []


def badge(page):
    return page.locator(".hw-badge").inner_text()


def tone(page):
    return page.locator(".hw-badge").get_attribute("data-tone")


def test_a_drag_is_proved_and_another_goal_refused(visit):
    page, _ = visit()
    until(page, lambda: tone(page) == "proved")
    first = page.locator(".hw-badge").get_attribute("data-state")
    box = page.locator(KEY.format(3)).locator(".hw-disc").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 40, box["y"] + 40, steps=4)
    until(page, lambda: tone(page) == "stale")
    assert "before the change" in badge(page)
    page.mouse.up()
    until(page, lambda: tone(page) == "proved")
    assert page.locator(".hw-badge").get_attribute("data-state") != first
    press(page, 4)
    until(page, lambda: tone(page) not in ("proved", "stale"))
    assert "Proved impossible" in badge(page)


def test_a_phone_of_360_pixels(visit):
    page, _ = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    beyond = page.locator(".headwright-play").evaluate("own => own.getBoundingClientRect().right - window.innerWidth")
    assert beyond <= 0
    until(page, lambda: tone(page) == "proved")
    was = place(page, 3)
    touch_drag(page, 3, -40, 30)
    until(page, lambda: place(page, 3) != was)
    until(page, lambda: tone(page) == "proved")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_readers_colours(visit, scheme):
    page, _ = visit(color_scheme=scheme)
    grounds = [page.locator(own).evaluate(GROUND) for own in (".headwright-play", "#App")]
    assert [sum(colour[:3]) < 3 * 128 for colour in grounds] == [scheme == "dark"] * 2


def test_fragments_open_a_state_and_a_step(visit):
    page, _ = visit(
        scene(keys=[[0, 0], [7, 1]], labels=["alpha", "beta"], goal={"goal": "copy", "indices": [1], "shares": ["1"]})
    )
    until(page, lambda: "beta" in (place(page, 1) or ""))
    assert page.locator(KEY.format(2)).count() == 0
    until(page, lambda: tone(page) == "proved")
    page.evaluate("location.hash = 'step=coin-toss'")
    until(page, lambda: "coin toss" in page.locator(".headwright-play").inner_text().lower())
    assert page.evaluate("location.hash") == "#step=coin-toss"


def test_garbage_in_the_address(visit):
    for name in SOME:
        fragment, words = GARBAGE[name]
        page, said = visit(fragment)
        shown(page, words)
        still_works(page, said)
        page.context.close()
    page, said = visit()
    for fragment, words in GARBAGE.values():
        page.evaluate("fragment => { location.hash = fragment }", fragment)
        shown(page, words)
        still_works(page, said)
        page.evaluate("fragment => { location.hash = fragment }", FRESH)


def test_each_page_has_its_own_kernel(visit):
    one, _ = visit()
    two, _ = visit()
    until(two, lambda: tone(two) == "proved")
    was = place(two, 3)
    drag(one, 3, -40, 30)
    until(one, lambda: tone(one) == "proved" and place(one, 3) != was)
    assert place(two, 3) == was
