"""The single file, opened from disk: keys are dragged, nothing is asked for, and no address of a stranger breaks it."""

import json

import pytest

from tests.browser.playground_hands import (
    FRESH,
    GARBAGE,
    KEY,
    drag,
    place,
    press,
    shown,
    still_works,
    touch_drag,
    until,
)

pytestmark = pytest.mark.needs("playwright")
ALONE = "[document.documentElement.scrollWidth, window.innerWidth]"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    from headwright.cli.app import run

    path = tmp_path_factory.mktemp("play") / "playground.html"
    assert run(["play", "--html", str(path), "--copy", "3"]) == 0
    assert path.stat().st_size < 500_000
    return path


@pytest.fixture
def opened(tab, file):
    page, asked, said, _ = tab
    page.goto(file.as_uri())
    page.locator(KEY.format(0)).wait_for()
    yield page
    assert [url for url in asked if url.split("#")[0] != file.as_uri()] == []
    assert said == []


def test_a_key_is_dragged_and_a_goal_is_chosen(opened):
    badge = opened.locator(".hw-badge")
    assert "Computed, not proved" in badge.inner_text()
    was = place(opened, 3)
    drag(opened, 3, -60, 40)
    until(opened, lambda: place(opened, 3) != was)
    before = opened.locator(".hw-sentences").inner_text()
    opened.keyboard.press("Escape")
    press(opened, 4)
    until(opened, lambda: opened.locator(".hw-sentences").inner_text() != before)
    assert "Computed, not proved" in badge.inner_text()
    assert "Proved" not in opened.locator(".headwright-play").inner_text()
    wide, shown = opened.evaluate(ALONE)
    assert wide <= shown


def test_a_phone_of_360_pixels(browser, file):
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(file.as_uri())
    page.locator(KEY.format(3)).wait_for()
    wide, shown = page.evaluate(ALONE)
    assert wide <= shown
    was = place(page, 3)
    touch_drag(page, 3, -40, 30)
    until(page, lambda: place(page, 3) != was)
    assert (asked, said) == ([file.as_uri()], [])
    context.close()


def test_keys_files_and_labels_of_strangers(browser, tmp_path):
    """What the command writes into the page is text, whatever it holds."""
    from headwright.playground.single_file import page_text

    evil = "</script><script>window.hacked=1</script>"
    path = tmp_path / "evil.html"
    text = json.dumps({"keys": [[0, 1], [2, 0]], "labels": [evil[:40], "<img src=x onerror=window.hacked=1>"]})
    path.write_text(page_text({"asked": {"number": 1, "text": text}}), encoding="utf-8", newline="\n")
    context = browser.new_context()
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(path.as_uri())
    page.locator(KEY.format(1)).wait_for()
    assert "</script>" in page.locator(".headwright-play").inner_text()
    assert page.evaluate("window.hacked") is None
    assert (asked, said) == ([path.as_uri()], [])
    context.close()


@pytest.fixture(scope="module")
def survivor(browser, file):
    """One page for all garbage: whatever came before must not matter."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page, asked, said
    context.close()


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_in_the_address(survivor, file, name):
    page, asked, said = survivor
    asked.clear()
    fragment, words = GARBAGE[name]
    page.goto("about:blank")
    page.goto(file.as_uri() + fragment)
    page.locator(KEY.format(0)).wait_for()
    shown(page, words)
    still_works(page, said)
    assert [url for url in asked if not url.startswith((file.as_uri(), "about:"))] == []


def test_garbage_while_the_page_is_open(survivor, file):
    page, asked, said = survivor
    page.goto("about:blank")
    page.goto(file.as_uri())
    page.locator(KEY.format(0)).wait_for()
    asked.clear()
    for fragment, words in GARBAGE.values():
        page.evaluate("fragment => { location.hash = fragment }", fragment)
        shown(page, words)
        still_works(page, said)
        page.evaluate("fragment => { location.hash = fragment }", FRESH)
    assert asked == []


@pytest.mark.parametrize(("letters", "words"), [(1_500_000, "not valid JSON"), (5_000_000, "too long")])
def test_a_very_long_address(survivor, file, letters, words):
    page, _, said = survivor
    page.goto(file.as_uri())
    page.locator(KEY.format(0)).wait_for()
    page.evaluate("letters => { location.hash = 'scene=' + 'x'.repeat(letters) }", letters)
    shown(page, words)
    still_works(page, said)
