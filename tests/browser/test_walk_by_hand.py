"""Every step of the walk is solved by hand, with real events, at three widths: nothing moves, and what is solved stays solved."""

import pytest

from handbook import walk_screens
from headwright.playground import walks
from tests.browser.play_pages import frames
from tests.browser.walk_hands import SIZES, WATCH, Finger, Keyboard, Mouse

pytestmark = pytest.mark.needs("playwright", "axe_playwright_python")

STEPS = walks.stored()
GUIDES = {page["name"]: page.get("guide") for page in walks.steps()}
# Words have contrast and controls have names; the page around a widget has the heading of the first level.
COLOURS = {(390, Finger): "dark", (1280, Mouse): "light"}


@pytest.mark.parametrize("hands", [Mouse, Finger, Keyboard], ids=["mouse", "finger", "keyboard"])
@pytest.mark.parametrize("width", SIZES)
def test_every_step_is_solved_by_hand(browser, width, hands):
    across, down = SIZES[width]
    scheme = COLOURS.get((width, hands))
    context = browser.new_context(
        viewport={"width": across, "height": down}, has_touch=hands is Finger, color_scheme=scheme or "light"
    )
    page, asked, said, faults = context.new_page(), [], [], {}
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    with walk_screens.written_page() as address:
        for step in STEPS:
            walk_screens.opened(page, address, step["name"])
            if scheme:
                faults[f"{step['name']}, unsolved"] = walk_screens.faults(page)
            if width == 390:
                assert page.locator(".hw-drawing").bounding_box()["y"] < 480, step["name"]
            if hands is not Finger:
                page.locator(".hw-drawing").scroll_into_view_if_needed()
            own = hands(page, step, GUIDES[step["name"]])
            near, solved = (step["scene"] | step[name] for name in ("near_miss", "solution"))
            page.evaluate(WATCH)
            own.go(step["scene"], near)
            assert own.told.inner_text() == "Not yet.", step["name"]
            own.go(near, solved)
            assert own.told.inner_text() == "Solved.", step["name"]
            far, what = page.evaluate("shifted")
            assert far <= 2, (step["name"], far, what)
            if scheme:
                faults[step["name"]] = walk_screens.faults(page)
        page.reload()
        page.wait_for_selector(".hw-walk-badge:not(:empty)")
        assert page.locator(".hw-done").count() == len(STEPS)
        assert page.get_by_role("link", name="Step 1: Copy one key, solved").count() == 1
        page.get_by_role("link", name="Next").click()
        frames(page)
        assert page.inner_text(".hw-walk-count") == "12 of 12 steps solved"
        assert page.inner_text(".hw-walk h2") == "The end of the walk"
        assert not page.locator(".hw-drawing").is_visible()
        if scheme:
            faults["end"] = walk_screens.faults(page)
        page.get_by_role("button", name="Start again").click()
        frames(page)
        assert (page.locator(".hw-done").count(), page.inner_text(".hw-walk-count")) == (0, "Step 1 of 12")
    context.close()
    assert {name: told for name, told in faults.items() if told} == {}
    assert [url for url in asked if not url.startswith("file:")] == []
    assert said == []
