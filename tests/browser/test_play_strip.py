"""The strip below the drawing: where draws of the keys fall, how it starts and stops, and that nothing moves meanwhile."""

import pytest

from headwright.playground import walks
from tests.browser.play_module import Module
from tests.browser.play_pages import frames, open_pages

pytestmark = pytest.mark.needs("playwright")
opened = pytest.fixture(open_pages)

HALVES = {"goal": "average", "indices": [0, 1], "shares": ["1/2", "1/2"]}
NOISE = {"isotropic": 0, "along": {"0": 8}}
TOSS = {"keys": [[4, 0], [0, 4], [0, -3], [0, -1]], "goal": HALVES, "noise": NOISE, "error": 1e-6}
UNITS = [[float(i == j) for j in range(6)] for i in range(6)]
STEADY = {"keys": UNITS, "goal": HALVES, "noise": {"isotropic": 0, "along": {"0": 0.5}}, "error": 0.05, "steady": True}
# Bounds on the shares of 2,000 draws near key 0, key 1 and the goal, five standard deviations or more from what the laws say.
HEAPS = {
    "one head tosses a coin": (TOSS, (0.35, 0.52), (0.35, 0.52), (0.01, 0.12)),
    "two heads seldom miss": (TOSS | {"heads": 2}, (0, 0), (0, 0.1), (0.85, 0.97)),
    "a steady head never misses": (STEADY, (0, 0), (0, 0), (1, 1)),
}
LAND = """(scene) => {
  const { scene: whole } = own.readScene(JSON.stringify(scene))
  const next = own.drawsOf(whole, [own.compute(whole)], 3)
  const all = Array.from({ length: 2000 }, () => next().found[0])
  return all.map((one) => [own.nearTo(whole.goal, one, 0.15), own.placeOf(whole.goal, one.weights)])
}"""
PILE = "[...document.querySelectorAll('.hw-brick')].map((own) => own.getAttribute('fill')).join()"
TOPS = """['.hw-count', '.hw-strip button', '.hw-plane-tools', '.hw-panel'].map((name) => document.querySelector(name))
  .flatMap((own) => [own.getBoundingClientRect().top, own.getBoundingClientRect().bottom])"""


SEEN = "document.querySelectorAll('.hw-heaps:not(.hw-beside) .hw-brick').length"


def drawn(page, least=0):
    page.wait_for_function(f"document.querySelectorAll('.hw-brick').length >= {least}")
    return page.evaluate(SEEN)


@pytest.mark.parametrize("name", HEAPS)
def test_where_draws_fall(browser, name):
    scene, *bounds = HEAPS[name]
    landed = Module(browser).page.evaluate(LAND, scene)
    for (near, middle), (low, high) in zip({0: 0, 1: 1, "goal": 0.5}.items(), bounds, strict=True):
        places = [place for own, place in landed if own == near]
        assert low <= len(places) / len(landed) <= high
        assert all(abs(place - middle) <= 0.15 + 1e-9 for place in places)


def test_it_draws_by_itself_pauses_and_another_state_starts_again(opened):
    page = opened(TOSS)
    assert "(computed, not proved)" in page.locator(".hw-sentences").inner_text()
    button = page.locator(".hw-strip button")
    drawn(page, 9)
    assert page.locator(".hw-newest").get_attribute("d").count("M") == 1  # only the key that varies has a ghost
    button.click()
    held = drawn(page)
    frames(page, 600)
    assert (drawn(page), button.inner_text()) == (held, "Go on")
    button.click()
    drawn(page, held + 1)
    # What is asked for and what is seen then, in one go: draws arrive while a call from outside is under way.
    again = f"() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({SEEN}))))"
    assert page.evaluate(f"document.querySelector('input[value=each]').click(), ({again})()") < held
    drawn(page, 3)
    assert page.locator(".hw-beside").is_hidden()  # nothing is compared unasked
    held = page.evaluate(f"Object.defineProperty(document, 'hidden', {{ value: true }}), {SEEN}")
    frames(page, 600)
    assert drawn(page) <= held + 1


def test_without_motion_all_draws_stand_still_and_every_run_is_another(opened):
    pages = [opened(TOSS, calm=True) for _ in range(2)]
    assert [drawn(page, 300) for page in pages] == [300, 300]
    # A short query leaks: what that pulls to the middle is hollow, and counted elsewhere.
    leaks = opened(TOSS | {"queries": [[0.2, 0.25]], "error": 0.15}, calm=True)
    assert drawn(leaks, 300) == 300
    assert leaks.locator(".hw-brick[fill=none]").count() > 100 > 3 >= pages[0].locator(".hw-brick[fill=none]").count()
    page, (first, second) = pages[0], (page.evaluate(PILE) for page in pages)
    frames(page, 400)
    assert page.evaluate(PILE) == first != second
    assert [page.evaluate("document.getAnimations().length"), page.inner_text(".hw-count")[:11]] == [0, "300 draws: "]
    page.click("text=Draw again")
    frames(page)
    assert drawn(page, 300) == 300
    assert page.evaluate(PILE) not in (first, second)


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_nothing_moves_while_draws_arrive(opened, width):
    page = opened(TOSS, size=(width, 844))
    before = page.evaluate(TOPS)
    for least in (4, 13, 41):
        drawn(page, least)
        assert max(abs(now - then) for now, then in zip(page.evaluate(TOPS), before, strict=True)) <= 2
    # The drawing and its strip come first, and both are seen at once.
    assert page.locator(".hw-drawing").bounding_box()["y"] < 20
    assert page.evaluate("document.querySelector('.hw-count').getBoundingClientRect().bottom <= innerHeight")


def test_a_step_may_ask_for_a_comparison_on_the_same_draws(opened):
    steps = [{**step, "compare": {"name": "one head", "heads": 1}} for step in walks.steps()]
    page = opened(calm=True, walks=steps, opens={"host": "file", "step": "eight-percent"})
    page.locator(".hw-strip").scroll_into_view_if_needed()
    drawn(page, 600)  # 300 of each
    assert page.locator(".hw-strip").inner_text().count("The same draws, one head") == 1
