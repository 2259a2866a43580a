"""What stands beside the drawing: the badge is never a stale one, controls that cannot work say why, words have contrast."""

import json
import re
from fractions import Fraction

import pytest

import headwright as hw
from headwright.playground.answers import answer_to
from tests.browser.play_pages import AVERAGE, SCENE, frames, link_scene, open_pages
from tests.browser.test_handbook import WORDS, contrast

pytestmark = pytest.mark.needs("playwright", "axe_playwright_python")
NOISE = {"isotropic": 0, "along": {"1": 0.3}}
# States that between them show every part of the panel.
STATES = {
    "copy": {},
    "blend of heads under noise": {
        "goal": {"goal": "blend", "indices": [1, 2], "shares": ["7/10", "3/10"]},
        "heads": 2,
        "noise": NOISE,
    },
    "unreachable": {"goal": {"goal": "copy", "indices": [4], "shares": ["1"]}},
    "budget": {"max_norm": 0.5, "goal": {"goal": "average", "indices": [2, 3], "shares": ["1/2", "1/2"]}},
    "moving": {"radius": 0.1},
    "top": {"goal": {"goal": "top", "indices": [3]}},
    "own": {"queries": [[1.0, 0.5]]},
    "no goal": {"goal": None},
}


opened = pytest.fixture(open_pages)


def badge(page):
    frames(page)
    element = page.locator(".hw-badge")
    return element.get_attribute("data-tone"), element.inner_text().replace("\n", " ")


def answer_for(text, number=17, **own):
    return {"number": number, "text": text, "status": "proved", "sentence": "Proved: all is well.", **own}


def set_range(page, label, place):
    """Moves a slider to a place between 0 and 1000, as a hand does."""
    page.get_by_label(label, exact=True).and_(page.locator("input[type=range]")).evaluate(
        "(own, place) => { own.value = place; own.dispatchEvent(new Event('input')); own.dispatchEvent(new Event('change')) }",
        place,
    )
    frames(page)


# The badge


def test_without_a_library_nothing_is_called_proved(opened):
    page = opened({})
    assert badge(page) == ("computed", "Computed, not proved")
    assert "roved:" not in page.locator(".hw-verdict").inner_text()


def test_a_badge_is_green_for_the_very_state_only(opened):
    page = opened({}, host="notebook")
    assert badge(page) == ("stale", "Checking…")
    text = json.dumps(SCENE)
    page.evaluate("answer", answer_for(text + " "))
    assert badge(page)[0] == "stale"
    page.evaluate("answer", answer_for(text))
    assert badge(page) == ("proved", "Proved")
    assert "Proved: all is well." in page.locator(".hw-sentences").inner_text()

    # Every frame from the change on, as it is painted.
    seen = page.evaluate("""async () => {
      const own = document.querySelector("input[type=range]")
      const tones = []
      own.value = 700
      own.dispatchEvent(new Event("input"))
      for (let k = 0; k < 5; k++) {
        await new Promise(requestAnimationFrame)
        tones.push(document.querySelector(".hw-badge").dataset.tone)
      }
      return tones
    }""")
    # The first callback runs after the store's own, which was asked for before it.
    assert seen == ["stale"] * 5
    assert badge(page)[1] == "Proved before the change. Checking…"
    assert "all is well" not in page.locator(".hw-sentences").inner_text()
    page.click("[data-tool=undo]")
    assert badge(page) == ("stale", "Proved before the change. Checking…")


@pytest.mark.parametrize(
    ("status", "tone", "word"),
    [
        ("proved", "proved", "Proved"),
        ("refuted", "refuted", "Refuted"),
        ("unreachable", "unreachable", "Proved impossible"),
        ("undecided", "unknown", "Undecided"),
        ("not found", "unknown", "Not found"),
        ("error", "refuted", "Error"),
        ("<b>", "unknown", "Checked"),
    ],
)
def test_each_status_has_its_word(opened, status, tone, word):
    page = opened({}, host="notebook")
    page.evaluate("answer", answer_for(json.dumps(SCENE), status=status, sentence="", reason="This is why."))
    assert badge(page) == (tone, f"{word}")
    assert "This is why." in page.locator(".hw-sentences").inner_text()


def test_a_proof_of_less_than_the_error_allowed_says_so_in_the_badge(opened):
    budget = {**SCENE, "max_norm": 0.5}
    page = opened(budget, host="notebook")
    page.evaluate("answer", answer_for(json.dumps(budget), bound=0.23456))
    assert badge(page) == ("unknown", "Proved error 0.235, above the 0.01 allowed")
    page.evaluate("answer", answer_for(json.dumps(budget), bound=0.009))
    assert badge(page) == ("proved", "Proved")
    noise = {**SCENE, "noise": {"isotropic": 0.1, "along": {}}}
    page = opened(noise, host="notebook")
    page.evaluate("answer", answer_for(json.dumps(noise), probability={"low": 0.03119, "high": 1, "proved": True}))
    assert badge(page) == ("proved", "Proved: probability at least 0.0311")
    page.evaluate("answer", answer_for(json.dumps(noise), probability={"low": 1, "high": 1, "proved": True}))
    assert badge(page) == ("proved", "Proved")


def test_only_a_proof_is_green(opened):
    page = opened({}, host="notebook")
    green = page.locator(".hw-badge").evaluate("(own) => getComputedStyle(own).getPropertyValue('--hw-proved')")
    colours = {}
    for status in ("undecided", "not found", "error", "unreachable", "refuted", "proved"):
        page.evaluate("answer", answer_for(json.dumps(SCENE), status=status))
        frames(page)
        colours[status] = page.locator(".hw-badge").evaluate("(own) => getComputedStyle(own).color")
    assert green
    assert [status for status, colour in colours.items() if colour == colours["proved"]] == ["proved"]


def test_the_verdict_is_spoken_when_the_hand_rests(opened):
    page = opened({})
    voice = page.locator(".hw-verdict [role=status]")
    assert voice.get_attribute("aria-live") == "polite"
    page.wait_for_function("document.querySelector('.hw-verdict [role=status]').textContent")
    first = voice.text_content()
    assert first.startswith("Computed, not proved. The query gives key 3 a weight of 0.99")
    spoken = page.evaluate("""async () => {
      const voice = document.querySelector(".hw-verdict [role=status]"), own = document.querySelector("input[type=range]")
      const said = new Set()
      for (let k = 0; k < 20; k++) {
        own.value = 500 + 10 * k
        own.dispatchEvent(new Event("input"))
        await new Promise(requestAnimationFrame)
        said.add(voice.textContent)
      }
      return said.size
    }""")
    assert spoken == 1
    page.wait_for_function(
        "(first) => document.querySelector('.hw-verdict [role=status]').textContent !== first", arg=first
    )


# The goal


def test_a_goal_is_chosen_by_keyboard(opened):
    page = opened({"goal": AVERAGE})
    page.locator("input[value=average]").focus()
    page.keyboard.press("ArrowRight")
    assert link_scene(page)["goal"] == {**AVERAGE, "goal": "blend"}
    page.locator("input[value=blend]").focus()
    page.keyboard.press("ArrowRight")
    assert link_scene(page)["goal"] == {"goal": "top", "indices": [1, 2]}


def test_a_copy_and_back_keeps_the_targets(opened):
    page = opened({"goal": AVERAGE})
    page.check("input[value=copy]")
    assert link_scene(page)["goal"] == {"goal": "copy", "indices": [1], "shares": ["1"]}
    page.check("input[value=average]")
    assert link_scene(page)["goal"] == AVERAGE


def test_a_target_is_removed_by_its_chip(opened):
    page = opened({"goal": AVERAGE})
    page.click("[aria-label='Remove key 1 from the goal']")
    assert link_scene(page)["goal"] == {"goal": "average", "indices": [2], "shares": ["1"]}
    page.click("[aria-label='Remove key 2 from the goal']")
    assert link_scene(page)["goal"] is None
    assert "Click a key to choose it as the goal." in page.locator(".hw-sentences").inner_text()


def test_shares_are_dragged_as_exact_fractions(opened):
    page = opened({"goal": {"goal": "blend", "indices": [1, 2], "shares": ["1/2", "1/2"]}})
    handle, bar = page.locator(".hw-handle"), page.locator(".hw-shares-bar").bounding_box()
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for part in (0.55, 0.6, 0.7001):
        page.mouse.move(bar["x"] + part * bar["width"], box["y"] + 10)
    page.mouse.up()
    assert link_scene(page)["goal"]["shares"] == ["7/10", "3/10"]
    handle.press("ArrowLeft")
    assert link_scene(page)["goal"]["shares"] == ["69/100", "31/100"]
    handle.press("Home")
    assert link_scene(page)["goal"]["shares"] == ["1/100", "99/100"]
    # The whole drag is one step back.
    for _ in range(3):
        page.click("[data-tool=undo]")
    assert link_scene(page)["goal"]["shares"] == ["1/2", "1/2"]


def test_moved_shares_stay_exact_and_positive(opened):
    page = opened({})
    moved = page.evaluate("""() => {
      let shares = ["1/3", "1/3", "1/3"], seed = 1
      const all = []
      for (let k = 0; k < 400; k++) {
        seed = (seed * 48271) % 2147483647
        shares = movedShares(shares, seed % 2, (seed % 1000) / 800 - 0.1)
        all.push(shares)
      }
      all.push(movedShares(["12345678901234567890/24691357802469135780", "1/2"], 0, 0.25))
      all.push(movedShares(["1/100", "1/100", "98/100"], 0, 0.5))
      return all
    }""")
    assert len({tuple(shares) for shares in moved}) > 100
    for shares in moved:
        exact = [Fraction(text) for text in shares]
        assert sum(exact) == 1
        assert min(exact) > 0
        assert max(share.denominator for share in exact) <= 100
        assert [str(share) for share in exact] == list(shares) or shares == ["1/100", "1/100", "98/100"]


# Settings


def test_a_slider_sets_two_figures_and_is_one_step_back(opened):
    page = opened({})
    set_range(page, "Error allowed", 1000)
    assert link_scene(page)["error"] == 0.5
    set_range(page, "Error allowed", 0)
    assert link_scene(page)["error"] == 0.0001
    page.get_by_label("Error allowed", exact=True).press("ArrowRight")
    assert link_scene(page)["error"] == 0.00011
    page.click("[data-tool=undo]")
    page.click("[data-tool=undo]")
    assert link_scene(page)["error"] == 0.5


def test_what_can_be_off_is_off_at_first(opened):
    page = opened({})
    scene = link_scene(page)
    assert "max_norm" not in scene
    assert "radius" not in scene
    assert "noise" not in scene
    page.get_by_role("switch", name="Keys may move by").check()
    assert link_scene(page)["radius"] == 0.1
    page.get_by_role("switch", name="Keys may move by").uncheck()
    page.get_by_role("switch", name="Norm budget").check()
    scene = link_scene(page)
    assert scene["max_norm"] == 2
    assert "radius" not in scene
    page.get_by_role("switch", name="Norm budget").uncheck()
    page.get_by_role("switch", name="The keys vary").check()
    assert link_scene(page)["noise"] == {"isotropic": 0, "along": {"3": 0.1}}
    page.select_option("[aria-label='What varies']", "every")
    assert link_scene(page)["noise"] == {"isotropic": 0.1, "along": {}}


REFUSED = {
    "radius with heads": ({"goal": AVERAGE, "heads": 2}, "Keys may move by", "several heads"),
    "radius with a budget": ({"max_norm": 2}, "Keys may move by", "norm budget"),
    "radius with noise": ({"noise": NOISE}, "Keys may move by", "noise"),
    "radius with top": ({"goal": {"goal": "top", "indices": [3]}}, "Keys may move by", "Top"),
    "budget with a radius": ({"radius": 0.1}, "Norm budget", "keys that move"),
    "noise with a radius": ({"radius": 0.1}, "The keys vary", "keys that move"),
    "noise with top": ({"goal": {"goal": "top", "indices": [3]}}, "The keys vary", "Top"),
    "steady without a noisy length": (
        {"noise": {"isotropic": 0.1, "along": {}}},
        "Steady: the query ignores the direction that varies",
        "length of a key",
    ),
    "heads for one target": ({}, "One per target", "two targets"),
    "heads with a radius": ({"goal": AVERAGE, "radius": 0.1}, "One per target", "keys that move"),
    "top with noise": ({"noise": NOISE}, "Top", "noise"),
    "error of top": ({"goal": {"goal": "top", "indices": [3]}}, "Error allowed", "score gap"),
}


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.replace(" ", "-"))
def test_what_the_library_refuses_is_off_and_says_why(opened, case):
    scene, label, why = REFUSED[case]
    page = opened(scene)
    control = page.locator(".hw-field").get_by_label(label).first
    assert control.is_disabled()
    reasons = [text for text in page.locator(".hw-reason").all_inner_texts() if why.lower() in text.lower()]
    assert reasons


AVERAGED = hw.Average(1, 3)
NOISY = hw.GaussianKeys(SCENE["keys"], along={1: 0.3})
REFUSED_CALLS = {
    "heads and a radius": lambda: hw.design(SCENE["keys"], AVERAGED, heads=2, radius=0.1, norm="ball"),
    "a budget and a radius": lambda: hw.design(SCENE["keys"], AVERAGED, max_norm=2, radius=0.1, norm="ball"),
    "noise and a radius": lambda: hw.design(NOISY, AVERAGED, confidence=0.5, radius=0.1, norm="ball"),
    "top and a radius": lambda: hw.design(SCENE["keys"], hw.Top(3), radius=0.1, norm="ball"),
    "top and noise": lambda: hw.outcome(NOISY, [1.0, 1.0], hw.Top(3)),
    "top and heads": lambda: hw.design(SCENE["keys"], hw.Top(1, 3), heads=2),
    "two heads for one target": lambda: hw.design(SCENE["keys"], hw.Copy(3), heads=2),
}


@pytest.mark.parametrize("case", REFUSED_CALLS, ids=lambda case: case.replace(" ", "-"))
def test_the_library_refuses_it_indeed(case):
    """A control that is off without need would be a lie of its own."""
    with pytest.raises((ValueError, TypeError)):
        REFUSED_CALLS[case]()


def test_your_own_query_starts_from_the_designed_one(opened):
    page = opened({})
    page.check("input[value=own]")
    (query,) = link_scene(page)["queries"]
    designed = page.evaluate("(scene) => compute(scene).queries[0]", SCENE)
    assert query == pytest.approx(designed, rel=1e-5)
    page.check("input[value=designed]")
    assert "queries" not in link_scene(page)


# The output, the samples and the tools


def test_the_output_mixes_the_values_by_the_weights(opened):
    keys = [[0, 0], [30, 0]]
    goal = {"goal": "average", "indices": [0, 1], "shares": ["1/2", "1/2"]}
    page = opened({"keys": keys, "goal": goal, "values": ["#000000", "#ffffff"], "queries": [[0.0, 0.0]]})
    mixed = page.locator(".hw-swatch").evaluate_all("(all) => all.map((own) => own.style.background)")
    assert mixed == ["rgb(128, 128, 128)"] * 2
    # Neither codes of colours nor numbers of states are for people.
    assert re.search(r"#[0-9a-f]{6}|state \d", page.locator(".headwright-play").inner_text()) is None
    assert page.locator(".hw-weights tbody tr").all_inner_texts() == ["key 0\t0.5000\t", "key 1\t0.5000\t"]


def test_many_weights_are_summed_up(opened):
    keys = [[float(i), float(i * i % 7)] for i in range(60)]
    page = opened({"keys": keys, "goal": {"goal": "copy", "indices": [59], "shares": ["1"]}})
    rows = page.locator(".hw-weights tbody tr")
    assert rows.count() == 13
    assert rows.last.inner_text().startswith("48 other keys")


def test_small_weights_stay_on_their_line(opened):
    page = opened({"queries": [[9.0, 9.0]]})
    assert page.locator(".hw-number").last.inner_text() == "< 0.0001"
    heights = page.locator(".hw-number").evaluate_all("(cells) => cells.map((cell) => cell.clientHeight)")
    assert len(set(heights)) == 1


def test_several_queries_of_ones_own_are_neither_one_head_nor_one_per_target(opened):
    page = opened({"goal": AVERAGE, "queries": [[1.0, 0.0], [0.0, 1.0]]})
    assert page.locator("input[value=one]:checked, input[value=each]:checked").count() == 0
    assert (
        "You have 2 queries of your own, which are mixed equally."
        in page.get_by_role("region", name="Settings").inner_text()
    )


def test_moves_go_with_a_query_of_ones_own(opened):
    page = opened({"queries": [[3.0, 3.0]]})
    page.get_by_role("switch", name="Keys may move by").check()
    scene = link_scene(page)
    assert scene["radius"] == 0.1
    verdict = answer_to({"number": 1, "text": json.dumps({**SCENE, **scene}), "question": None})
    assert verdict["status"] == "proved"
    assert "however each key moves by at most 0.1" in verdict["sentence"]


def test_undo_by_keyboard_stays_inside_the_widget(opened):
    page = opened({})
    page.evaluate("window.heard = 0; document.addEventListener('keydown', () => (window.heard += 1))")
    set_range(page, "Error allowed", 1000)
    page.locator("input[value=copy]").focus()
    page.keyboard.press("Control+z")
    assert "error" not in link_scene(page)
    page.locator("input[value=copy]").focus()
    page.keyboard.press("Control+Shift+Z")
    assert link_scene(page)["error"] == 0.5
    # The notebook hears the control keys themselves, but not what they are pressed with.
    assert page.evaluate("heard") <= 3


def test_a_problem_is_shown_as_text_and_closed(opened):
    page = opened({})
    page.evaluate("python({ number: 18, text: JSON.stringify({ keys: [[0]], '<img src=x>': 1 }) })")
    frames(page)
    problem = page.locator(".hw-problem")
    assert "unknown entry" in problem.inner_text()
    assert "<img src=x>" in problem.inner_text()
    assert page.locator(".hw-problem img").count() == 0
    page.click("[aria-label='Close the message']")
    frames(page)
    assert not problem.is_visible()


def test_a_label_is_text_wherever_it_stands(opened):
    labels = ["<script>window.bad = 1</script>", "<img src=x onerror=bad()>", "b", "<b>c</b>", "d"]
    page = opened({"labels": labels, "goal": AVERAGE, "noise": NOISE}, calm=True)
    page.click("[data-tool=python]")
    frames(page)
    assert page.locator(".hw-panel :is(script, img, b)").count() == 0
    assert page.evaluate("window.bad") is None
    assert "<img src=x onerror=bad()>" in page.locator(".hw-chips").inner_text()


def test_there_is_no_link_in_a_notebook(opened):
    assert opened({}, host="notebook").locator("[data-tool=link]").count() == 0


# Looks


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 900), (760, 900), (360, 780)], ids=["desk", "tablet", "phone"])
def test_nothing_overlaps_is_cut_or_too_faint(opened, size, scheme):
    for name, scene in STATES.items():
        page = opened(scene, size=size, scheme=scheme, calm=True, touch=size[0] == 360)
        page.click("[data-tool=python]")
        frames(page)
        assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth"), name
        assert page.evaluate(CUT) == [], name
        assert page.evaluate(OVERLAPS) == [], name
        faint = [(colours, where) for colours, where in page.evaluate(WORDS) if contrast(*colours.split("|")) < 4.5]
        # What is off may be faint, and says why beside it.
        assert [where for _, where in faint if "disabled" not in where] == [], name
        assert page.evaluate(EDGES, 3) == [], name
        page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened, scheme):
    from axe_playwright_python.sync_playwright import Axe

    for name, scene in STATES.items():
        page = opened(scene, scheme=scheme, calm=True)
        found = Axe().run(page, context=".hw-panel").response["violations"]
        assert [(own["id"], own["nodes"][0]["html"][:200]) for own in found] == [], name
        page.context.close()


def test_a_phone_has_the_verdict_below_the_drawing_and_room_for_fingers(opened):
    page = opened(STATES["blend of heads under noise"], size=(360, 780), touch=True)
    boxes = page.evaluate("""() => Object.fromEntries(["plane", "verdict", "toolbar", "goal"].map((name) => {
      const own = document.querySelector(name === "goal" ? "[aria-label=Goal]" : ".hw-" + name)
      const { top, bottom } = own.getBoundingClientRect()
      return [name, [top, bottom]]
    }))""")
    rows = page.locator(".hw-tools .hw-button").evaluate_all(
        "(all) => all.map((own) => own.getBoundingClientRect().top)"
    )
    assert len(set(rows)) == 1  # the tools stand in one line
    assert boxes["plane"][1] <= boxes["verdict"][0] < boxes["toolbar"][0] < boxes["goal"][0]
    small = page.evaluate("""() => [...document.querySelectorAll(".hw-panel :is(button, select, input, .hw-segment)")]
      .filter((own) => own.checkVisibility() && own.getBoundingClientRect().height < 40 && !own.closest(".hw-switch-line"))
      .map((own) => own.outerHTML.slice(0, 120))""")
    assert small == []


@pytest.mark.parametrize(
    ("host", "attributes", "scheme"),
    [
        ("JupyterLab, dark", {"data-jp-theme-light": "false"}, "dark"),
        ("JupyterLab, light", {"data-jp-theme-light": "true"}, "light"),
        ("marimo, dark", {"class": "dark dark-theme"}, "dark"),
        ("handbook, dark", {"data-md-color-scheme": "slate"}, "dark"),
        ("handbook, light", {"data-md-color-scheme": "default"}, "light"),
    ],
)
@pytest.mark.parametrize("system", ["light", "dark"])
def test_colours_follow_the_host_and_then_the_system(opened, host, attributes, scheme, system):
    page = opened({}, scheme=system)
    paper = "getComputedStyle(document.querySelector('.headwright-play')).backgroundColor"
    colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 31)"}
    assert page.evaluate(paper) == colours[system]
    page.evaluate(
        "(own) => Object.entries(own).forEach(([name, value]) => document.body.setAttribute(name, value))", attributes
    )
    frames(page)
    assert page.evaluate(paper) == colours[scheme], host
    page.evaluate("(own) => Object.keys(own).forEach((name) => document.body.removeAttribute(name))", attributes)
    frames(page)
    assert page.evaluate(paper) == colours[system]


# Texts that are wider or higher than the place they stand in.
CUT = """() => [...document.querySelectorAll(".hw-panel *")].filter((own) => {
    if (!own.checkVisibility() || own.closest(".hw-unseen, svg, math, select, .hw-share, [title]")) return false
    const { overflowX, overflowY } = getComputedStyle(own)
    if (overflowY === "auto") return own.scrollWidth > own.clientWidth + 1
    return own.scrollWidth > own.clientWidth + 1 && own.clientWidth > 0 && overflowX !== "visible"
  }).map((own) => own.className + ": " + own.textContent.slice(0, 60))"""

# Leaves of the panel that lie over one another.
OVERLAPS = """() => {
    const names = "p, button, select, h3, pre, th, td, output, li, figcaption, input[type=range]"
    const leaves = [...document.querySelectorAll(`.hw-panel :is(${names}, .hw-segments, .hw-badge > span)`)]
      .filter((own) => own.checkVisibility() && !own.closest(".hw-unseen") && own.textContent + own.tagName !== "P")
    const boxes = leaves.map((own) => own.getBoundingClientRect())
    const found = []
    for (let a = 0; a < leaves.length; a++) for (let b = a + 1; b < leaves.length; b++) {
      if (leaves[a].contains(leaves[b]) || leaves[b].contains(leaves[a]) || leaves[b].matches(".hw-handle")) continue
      const across = Math.min(boxes[a].right, boxes[b].right) - Math.max(boxes[a].left, boxes[b].left)
      const down = Math.min(boxes[a].bottom, boxes[b].bottom) - Math.max(boxes[a].top, boxes[b].top)
      if (across > 1 && down > 1) found.push(leaves[a].textContent.slice(0, 40) + " | " + leaves[b].textContent.slice(0, 40))
    }
    return found
  }"""

# Edges of controls whose contrast with the ground behind them is below the given one.
EDGES = """(least) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
    const parts = (text) => {
      canvas.fillStyle = text
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data]
    }
    const light = (text) => {
      const [r, g, b] = parts(text).map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const ground = (own) => {
      for (let at = own.parentElement; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor
        if (colour.startsWith("rgb(")) return colour
      }
      return "rgb(255, 255, 255)"
    }
    return [...document.querySelectorAll(".hw-panel :is(.hw-button, select, .hw-segments, .hw-switch, .hw-chip, .hw-shares-bar)")]
      .filter((own) => own.checkVisibility() && !own.disabled)
      .filter((own) => {
        const [a, b] = [light(getComputedStyle(own).borderTopColor), light(ground(own))]
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < least
      })
      .map((own) => own.className + " " + getComputedStyle(own).borderTopColor + " on " + ground(own))
  }"""
