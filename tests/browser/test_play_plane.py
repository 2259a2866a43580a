"""The drawing of the playground under real hands: mouse, finger and keyboard, and what may be drawn as proved."""

import json
import math

import pytest

from headwright.playground.module import module_text, style_text
from headwright.playground.single_file import page_text
from tests.browser.play_pages import MODEL

pytestmark = pytest.mark.needs("playwright")

# The drawing alone, with the library played by the test.
HARNESS = """
<!doctype html><meta name="viewport" content="width=device-width"><title>plane</title><style>body { margin: 0 } %s</style>
<div id="root" class="headwright-play"></div><div style="height: 2000px"></div><script type="module">
%s
const traits = {opens: {host: "notebook"}}
%s
const store = makeStore(model), plane = makePlane(store)
document.getElementById("root").append(store.show(plane))
Object.assign(window, { store, plane, withKey, withoutKey, withTarget, faultOf, ticksOf, projected, FIRST_SCENE })
</script>
"""
FRAMES = "new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), {wait}))"
SQUARE = [[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]]
COPY = {"goal": "copy", "indices": [3], "shares": ["1"]}
AVERAGE = {"goal": "average", "indices": [1, 3], "shares": ["1/2", "1/2"]}
BLEND = {"goal": "blend", "indices": [3, 1], "shares": ["7/10", "3/10"]}


class Plane:
    """The page with the drawing, and how a person uses it."""

    def __init__(self, page):
        self.page = page

    def rest(self, wait=0):
        """Until what was done is drawn; `wait` milliseconds for a view that glides."""
        self.page.evaluate(FRAMES.replace("{wait}", str(wait)))
        return self

    def show(self, **patch):
        self.page.evaluate("(patch) => store.replace({ ...FIRST_SCENE, ...patch })", patch)
        return self.rest()

    @property
    def scene(self):
        return self.page.evaluate("store.scene")

    def key(self, i):
        return self.page.locator(f'.hw-key[data-key="{i}"]')

    def centre(self, locator):
        box = locator.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, locator, dx, dy, release=True):
        x, y = self.centre(locator)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for step in range(1, 6):
            self.page.mouse.move(x + dx * step / 5, y + dy * step / 5)
        self.rest()
        if release:
            self.page.mouse.up()
        return self.rest()

    def tap(self, x, y):
        self.page.touchscreen.tap(x, y)
        return self.rest()


def opened(browser, said, **options):
    # Without motion nothing must be waited for.
    page = browser.new_context(**{"reduced_motion": "reduce", **options}).new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_content(HARNESS % (style_text(), module_text(), MODEL))
    page.wait_for_function("window.plane !== undefined")
    return Plane(page).rest()


@pytest.fixture
def plane(browser):
    said = []
    opened_plane = opened(browser, said, viewport={"width": 800, "height": 700})
    yield opened_plane
    opened_plane.page.context.close()
    assert said == []


@pytest.fixture
def phone(browser):
    said = []
    opened_plane = opened(browser, said, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    yield opened_plane
    opened_plane.page.context.close()
    assert said == []


# Changes of a scene


def without(plane, i, **patch):
    given = {**plane.page.evaluate("FIRST_SCENE"), "keys": SQUARE, **patch}
    left = plane.page.evaluate("([scene, i]) => withoutKey(scene, i)", [given, i])
    assert left is None or plane.page.evaluate("faultOf", left) is None
    return left


def test_a_key_is_removed_with_all_that_names_it(plane):
    left = without(
        plane,
        1,
        goal=AVERAGE,
        labels=list("abcde"),
        values=[f"#00000{i}" for i in range(5)],
        noise={"isotropic": 0, "along": {"1": 0.5, "0": 0.1, "4": 2}},
    )
    assert left["keys"] == [SQUARE[0], *SQUARE[2:]]
    assert left["goal"] == {"goal": "average", "indices": [2], "shares": ["1"]}
    assert left["labels"] == list("acde")
    assert left["values"] == ["#000000", "#000002", "#000003", "#000004"]
    assert left["noise"] == {"isotropic": 0, "along": {"0": 0.1, "3": 2}}


def test_a_goal_without_targets_is_no_goal(plane):
    assert without(plane, 3, goal=COPY)["goal"] is None
    assert without(plane, 0, goal=COPY)["goal"] == {**COPY, "indices": [2]}
    assert without(plane, 0, goal={"goal": "top", "indices": [1, 2, 3, 4]})["goal"] is None


def test_the_noise_goes_with_the_last_key_that_varies(plane):
    left = without(plane, 2, noise={"isotropic": 0, "along": {"2": 1}}, steady=True)
    assert (left["noise"], left["steady"]) == (None, False)
    assert without(plane, 2, noise={"isotropic": 0.5, "along": {"2": 1}})["noise"] == {"isotropic": 0.5, "along": {}}


def test_the_shares_of_a_blend_keep_their_ratios(plane):
    three = {"goal": "blend", "indices": [3, 1, 0], "shares": ["1/2", "1/3", "1/6"]}
    assert without(plane, 1, goal=three)["goal"] == {"goal": "blend", "indices": [2, 0], "shares": ["3/4", "1/4"]}
    assert without(plane, 4, goal=three)["goal"] == three


def test_a_layer_loses_a_token_and_the_row_follows(plane):
    layer = [None, COPY, AVERAGE, None, {"goal": "copy", "indices": [0], "shares": ["1"]}]
    left = without(plane, 3, layer=layer, row=4, goal=layer[4])
    average = {"goal": "average", "indices": [1], "shares": ["1"]}
    assert left["layer"] == [None, None, average, layer[4]]
    assert (left["row"], left["goal"]) == (3, layer[4])
    last = without(plane, 4, layer=layer, row=4, goal=layer[4])
    assert (last["row"], last["goal"]) == (3, last["layer"][3])


def test_colours_stay_with_their_keys(plane):
    left = without(plane, 0, values=None)
    assert left["values"][:2] == ["#e69f00", "#009e73"]
    assert without(plane, 4, values=None)["values"] is None
    circle = [[math.cos(k), math.sin(k)] for k in range(24)]
    for labels, colours in (None, 24), (["[CLS]", *["the"] * 2, *map(str, range(19)), "<s>", "cat"], 22):
        plane.show(keys=circle, labels=labels, goal=None)
        discs = plane.page.locator(".hw-disc").evaluate_all("(all) => all.map((disc) => disc.getAttribute('fill'))")
        assert len(set(discs)) == colours  # the same token has the same colour, and special tokens are grey


def test_the_last_key_stays(plane):
    assert without(plane, 0, keys=[[1, 2]], goal=None) is None


def test_heads_follow_the_number_of_targets(plane):
    three = {"goal": "average", "indices": [0, 1, 3], "shares": ["1/3"] * 3}
    assert without(plane, 1, goal=three, heads=3)["heads"] == 2
    assert without(plane, 1, goal=AVERAGE, heads=2)["heads"] == 1
    assert without(plane, 1, goal=three, heads=1)["heads"] == 1


@pytest.mark.parametrize("goal", [None, COPY, AVERAGE, BLEND, {"goal": "top", "indices": [0, 4]}], ids=str)
def test_any_key_may_be_removed_or_pressed_from_any_goal(plane, goal):
    scene = {**plane.page.evaluate("FIRST_SCENE"), "keys": SQUARE, "goal": goal}
    for i in range(5):
        without(plane, i, goal=goal)
        pressed = plane.page.evaluate("([scene, i]) => withTarget(scene, i)", [scene, i])
        assert plane.page.evaluate("faultOf", pressed) is None
        was = goal is not None and i in goal["indices"]
        now = pressed["goal"] is not None and i in pressed["goal"]["indices"]
        assert now is not was


def test_a_key_is_added_to_every_list(plane):
    scene = {
        **plane.page.evaluate("FIRST_SCENE"),
        **{"keys": SQUARE, "labels": list("abcde"), "values": ["#0072b2"] * 5, "layer": [None] * 5},
    }
    more = plane.page.evaluate("(scene) => withKey(scene, [7, 8])", scene)
    assert plane.page.evaluate("faultOf", more) is None
    assert more["keys"][5] == [7, 8]
    assert (more["labels"][5], more["values"][5], more["layer"][5]) == ("key 5", "#e69f00", None)
    full = {**scene, "keys": [[0, 0]] * 400}
    assert plane.page.evaluate("(scene) => withKey(scene, [7, 8])", full) is None


def test_a_new_target_of_a_blend_takes_the_mean_share(plane):
    scene = {**plane.page.evaluate("FIRST_SCENE"), "keys": SQUARE, "goal": BLEND}
    more = plane.page.evaluate("(scene) => withTarget(scene, 0)", scene)
    assert more["goal"] == {"goal": "blend", "indices": [3, 1, 0], "shares": ["7/15", "1/5", "1/3"]}


# Mouse


def test_a_key_follows_the_mouse_and_undo_takes_it_back(plane):
    before = plane.scene["keys"]
    here = plane.centre(plane.key(3))
    plane.drag(plane.key(3), -60, 40, release=False)
    there = plane.centre(plane.key(3))
    assert there == pytest.approx((here[0] - 60, here[1] + 40), abs=1.5)
    plane.page.mouse.up()
    moved = plane.scene["keys"]
    assert moved[3][0] < before[3][0]
    assert moved[3][1] < before[3][1]
    assert moved[:3] + moved[4:] == before[:3] + before[4:]
    plane.page.evaluate("store.undo()")
    assert plane.scene["keys"] == before


def test_escape_takes_a_drag_back(plane):
    before = plane.scene
    plane.drag(plane.key(3), 50, 50, release=False)
    assert plane.scene != before
    plane.page.keyboard.press("Escape")
    assert plane.scene == before
    plane.page.mouse.move(10, 10)
    plane.page.mouse.up()
    assert plane.scene == before
    assert not plane.page.evaluate("store.canUndo")


def test_a_press_makes_the_key_the_target(plane):
    x, y = plane.centre(plane.key(1))
    plane.page.mouse.click(x, y)
    assert plane.scene["goal"] == {**COPY, "indices": [1]}
    plane.rest()
    assert plane.key(1).get_attribute("aria-pressed") == "true"
    assert plane.key(3).get_attribute("aria-pressed") == "false"
    plane.page.mouse.click(x, y)
    assert plane.scene["goal"] is None


def test_a_press_joins_and_leaves_an_average(plane):
    plane.show(goal=AVERAGE)
    plane.page.mouse.click(*plane.centre(plane.key(2)))
    assert plane.scene["goal"] == {"goal": "average", "indices": [1, 3, 2], "shares": ["1/3"] * 3}
    plane.page.mouse.click(*plane.centre(plane.key(3)))
    assert plane.scene["goal"] == {"goal": "average", "indices": [1, 2], "shares": ["1/2"] * 2}


def test_a_top_goal_leaves_a_key_out(plane):
    plane.show(keys=[[0, 0], [1, 1]], goal={"goal": "top", "indices": [0]})
    plane.page.mouse.click(*plane.centre(plane.key(1)))
    assert plane.scene["goal"] == {"goal": "top", "indices": [0]}


def test_two_clicks_on_the_empty_plane_add_a_key_there(plane):
    box = plane.page.locator(".hw-drawing").bounding_box()
    x, y = box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.7
    plane.page.mouse.dblclick(x, y)
    plane.rest()
    assert len(plane.scene["keys"]) == 6
    assert plane.centre(plane.key(5)) == pytest.approx((x, y), abs=1.5)
    plane.page.mouse.dblclick(*plane.centre(plane.key(0)))
    assert len(plane.scene["keys"]) == 6


def test_the_query_is_dragged_by_its_tip(plane):
    plane.show(queries=[[1, 2.5]])
    tip = plane.page.locator("[data-head='0']")
    here = plane.centre(tip)
    plane.drag(tip, 40, -30, release=False)
    assert plane.centre(tip) == pytest.approx((here[0] + 40, here[1] - 30), abs=1.5)
    plane.page.mouse.up()
    query = plane.scene["queries"][0]
    assert query[0] > 1
    assert query[1] > 2.5
    said = plane.rest().page.locator(".hw-norms text").text_content()
    assert said.replace(" ", "").startswith("‖q‖=")
    assert float(said.split("=")[1]) == pytest.approx(math.hypot(*query), rel=0.01)


def test_a_dragged_query_leaves_the_other_heads_alone(plane):
    plane.show(queries=[[2, 1], [-1, 2]])
    plane.drag(plane.page.locator("[data-head='1']"), -30, 0)
    first, second = plane.scene["queries"]
    assert first == [2, 1]
    assert second[0] < -1
    assert second[1] == pytest.approx(2, abs=0.05)


def test_a_query_beyond_the_view_has_a_break_and_its_norm(plane):
    plane.show(keys=[[1, 0], [0, 1], [-1, -1]], goal=None, queries=[[300, 400]])
    shaft = plane.page.locator(".hw-shaft").get_attribute("d")
    assert shaft.count("M") == 4  # two strokes of the break between the halves
    assert plane.page.locator(".hw-norms text").text_content() == "‖q‖ = 500"
    tip, box = plane.page.locator("[data-head='0'] .hw-grip").bounding_box(), plane.page.locator(".hw-drawing")
    assert tip["y"] > box.bounding_box()["y"]
    # The hand turns it, and its length keeps its ratio.
    plane.drag(plane.page.locator("[data-head='0']"), -10, 20)
    assert 350 < math.hypot(*plane.scene["queries"][0]) < 500


def test_the_view_rests_during_a_drag_and_glides_after_it(browser):
    said = []
    plane = opened(browser, said, viewport={"width": 800, "height": 700}, reduced_motion="no-preference")
    origin = plane.centre(plane.key(0))
    plane.drag(plane.key(3), 60, -200, release=False)
    assert plane.centre(plane.key(0)) == origin
    plane.page.mouse.up()
    plane.rest(500)
    box, key = plane.page.locator(".hw-drawing").bounding_box(), plane.centre(plane.key(3))
    assert plane.centre(plane.key(0)) != origin
    assert box["y"] + 10 < key[1] < box["y"] + box["height"] - 10
    assert box["x"] + 10 < key[0] < box["x"] + box["width"] - 10
    assert said == []
    plane.page.context.close()


def test_a_small_move_leaves_the_view(plane):
    origin = plane.centre(plane.key(0))
    plane.drag(plane.key(4), 30, 20).rest(500)
    assert plane.centre(plane.key(0)) == origin


def test_keys_of_other_dimensions_without_a_plane_stay_where_they_are(plane):
    plane.show(keys=[[0, 0, 1], [4, 0, 2], [0, 4, 3]], goal=None)
    before = plane.scene
    plane.drag(plane.key(1), 40, 30)
    axes = plane.page.evaluate("projected(store.scene, store.seen).axes")
    assert (plane.scene == before) is (axes is None)


# Finger


def finger(plane, start, end):
    """A finger that is put down, moved and lifted, as the browser hears it from the machine."""
    session = plane.page.context.new_cdp_session(plane.page)

    def touch(kind, points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", [{"x": start[0], "y": start[1]}])
    for step in range(1, 9):
        place = [a + (b - a) * step / 8 for a, b in zip(start, end, strict=True)]
        touch("touchMove", [{"x": place[0], "y": place[1]}])
        plane.rest()
    touch("touchEnd", [])
    plane.rest(100)


def test_a_finger_drags_a_key_and_the_page_stays(phone):
    x, y = phone.centre(phone.key(3))
    before = phone.scene["keys"]
    # Twenty pixels beside the centre: a finger is not exact.
    finger(phone, (x - 14, y + 14), (x - 64, y + 114))
    moved = phone.scene["keys"]
    assert moved[3][0] < before[3][0]
    assert moved[3][1] < before[3][1]
    assert moved[:3] == before[:3]
    assert phone.page.evaluate("scrollY") == 0


def test_a_finger_on_the_empty_plane_scrolls_the_page(phone):
    box = phone.page.locator(".hw-drawing").bounding_box()
    place = box["x"] + box["width"] - 30, box["y"] + box["height"] - 40
    before = phone.scene
    finger(phone, place, (place[0], place[1] - 200))
    phone.page.wait_for_function("scrollY > 100")
    assert phone.scene == before


def test_a_tap_chooses_and_two_taps_add(phone):
    phone.tap(*phone.centre(phone.key(1)))
    assert phone.scene["goal"] == {**COPY, "indices": [1]}
    box = phone.page.locator(".hw-drawing").bounding_box()
    place = box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.6
    phone.tap(*place).tap(*place)
    assert len(phone.scene["keys"]) == 6
    assert phone.page.evaluate("visualViewport.scale") == 1


def test_a_key_is_large_enough_for_a_finger_and_nothing_is_wider_than_the_phone(phone):
    for i in range(5):
        box = phone.key(i).bounding_box()
        assert min(box["width"], box["height"]) >= 44
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 360
    phone.page.locator(".hw-plane-tools button", has_text="Add").tap()
    assert len(phone.rest().scene["keys"]) == 6
    phone.page.evaluate("store.undo()")
    button = phone.rest().page.locator(".hw-plane-tools button", has_text="Remove")
    phone.tap(*phone.centre(phone.key(2)))
    assert button.text_content() == "Remove key 2"
    button.tap()
    assert len(phone.scene["keys"]) == 4


# Keyboard


def test_the_keyboard_reaches_every_key_moves_it_and_chooses_it(plane):
    plane.page.keyboard.press("Tab")
    assert plane.page.evaluate("document.activeElement.dataset.key") == "0"
    plane.page.keyboard.press("Tab")
    assert plane.page.evaluate("document.activeElement.dataset.key") == "1"
    before = plane.scene["keys"][1]
    plane.page.keyboard.press("ArrowRight")
    step = plane.scene["keys"][1][0] - before[0]
    assert step > 0
    plane.page.keyboard.press("Shift+ArrowUp")
    assert plane.scene["keys"][1][1] - before[1] == pytest.approx(5 * step)
    plane.page.keyboard.press("Alt+ArrowLeft")
    assert plane.scene["keys"][1][0] - before[0] == pytest.approx(0.9 * step)
    plane.page.keyboard.press("Enter")
    assert plane.scene["goal"] == {**COPY, "indices": [1]}
    plane.page.keyboard.press("PageDown")
    assert plane.page.evaluate("document.activeElement.dataset.key") == "2"
    plane.page.keyboard.press(" ")
    assert plane.scene["goal"] == {**COPY, "indices": [2]}


def test_steps_of_one_key_are_one_undo(plane):
    before = plane.scene
    plane.key(2).focus()
    for _ in range(5):
        plane.page.keyboard.press("ArrowUp")
    plane.page.evaluate("store.undo()")
    assert plane.scene == before


def test_the_keyboard_adds_and_removes(plane):
    plane.key(0).focus()
    plane.page.keyboard.press("a")
    plane.rest()
    assert len(plane.scene["keys"]) == 6
    assert plane.page.evaluate("document.activeElement.dataset.key") == "5"
    plane.page.keyboard.press("+")
    plane.rest()
    assert len({tuple(key) for key in plane.scene["keys"]}) == 7
    for left in range(6, 0, -1):
        plane.page.keyboard.press("Delete" if left % 2 else "Backspace")
        plane.rest()
        assert len(plane.scene["keys"]) == left
        assert plane.page.evaluate("document.activeElement.dataset.key") is not None
    plane.page.keyboard.press("Delete")
    assert len(plane.scene["keys"]) == 1


def test_of_many_keys_one_is_a_stop_of_tab(plane):
    plane.show(keys=[[i % 7, i // 7] for i in range(40)], goal=None)
    assert plane.page.locator("[data-key][tabindex='0']").count() == 1
    plane.key(0).focus()
    plane.page.keyboard.press("End")
    plane.rest()
    assert plane.page.evaluate("document.activeElement.dataset.key") == "39"
    assert plane.key(39).get_attribute("tabindex") == "0"


def test_a_screen_reader_hears_where_a_key_is_and_what_it_weighs(plane):
    plane.show(keys=[[1.25, -0.5], [-3, 2]], goal={**COPY, "indices": [0]})
    said = plane.key(0).get_attribute("aria-label")
    weight = plane.page.evaluate("store.seen.weights[0]")
    assert said.startswith("key 0 at 1.25, −0.5, weight ")
    assert float(said.split("weight ")[1].split(",")[0]) == pytest.approx(weight, rel=0.01)
    assert said.endswith(", target")
    assert not plane.key(1).get_attribute("aria-label").endswith("target")
    # One key named as it is labelled.
    plane.show(keys=[[1, 2]], labels=["<b>cat</b>"], goal=None)
    assert plane.key(0).get_attribute("aria-label") == "key 0, <b>cat</b>, at 1, 2"
    assert plane.page.locator(".hw-names text").text_content() == "<b>cat</b>"


# What is drawn


def test_a_proved_radius_is_drawn_for_the_state_it_was_proved_for_only(plane):
    proved = plane.page.locator(".hw-radius-proved")
    assert not proved.get_attribute("d")
    text = plane.page.evaluate("JSON.stringify(store.scene)")
    plane.page.evaluate("answer", {"number": 1, "text": text, "status": "proved", "radius": {"low": 0.5, "high": 0.6}})
    assert plane.rest().page.evaluate("store.scene.keys.length") == proved.get_attribute("d").count("M")
    plane.drag(plane.key(4), 20, 10, release=False)
    assert not proved.get_attribute("d")
    plane.page.keyboard.press("Escape")
    plane.rest()
    assert proved.get_attribute("d")
    plane.page.evaluate(
        "answer", {"number": 9, "text": text + " ", "status": "proved", "radius": {"low": 1, "high": 2}}
    )
    assert not plane.rest().page.locator(".hw-radius-proved").get_attribute("d")


def test_moves_that_are_allowed_for_are_drawn_where_no_query_withstands_them(plane):
    plane.show(keys=[[0, 0], [4, 0], [0, 4], [3, 3]], goal=COPY, error=0.05, radius=1)
    rings = plane.page.locator(".hw-radius")
    assert rings.get_attribute("d").count("M") == 4
    wide = plane.page.evaluate("plane.element.querySelector('.hw-radius').getBBox().width")
    plane.show(keys=[[0, 0], [4, 0], [0, 4], [3, 3]], goal=COPY, error=0.05, radius=0.5)
    assert plane.page.evaluate("plane.element.querySelector('.hw-radius').getBBox().width") < wide
    # Where keys vary, nothing is said of moves, and no ring is a riddle.
    plane.show(keys=SQUARE, goal=COPY, queries=[[3, 3]], noise={"isotropic": 0.1, "along": {}})
    assert not rings.get_attribute("d")


def test_a_query_of_ones_own_has_a_handle(plane):
    grip = plane.page.locator(".hw-grip")
    stroke = "(own) => getComputedStyle(own).stroke"
    plane.show(keys=SQUARE, goal=COPY)
    assert grip.evaluate(stroke) == "rgba(0, 0, 0, 0)"
    plane.show(keys=SQUARE, goal=COPY, queries=[[1, 2]])
    assert grip.evaluate(stroke) != "rgba(0, 0, 0, 0)"


def test_an_arrow_leaves_the_number_of_its_target_free(plane):
    keys = [[0, 1], [-1, -1], [1, -1]]
    plane.show(keys=keys, goal={"goal": "copy", "indices": [0], "shares": ["1"]}, queries=[[0.15, 1.2]])
    number = plane.page.locator(".hw-weight text").first.bounding_box()
    shaft = plane.page.locator(".hw-shaft").bounding_box()
    assert number["x"] + number["width"] <= shaft["x"] or number["x"] >= shaft["x"] + shaft["width"]
    # Where there is no room elsewhere, the number lies on the arrow and not below it.
    layers = plane.page.locator(".hw-drawing > g").evaluate_all("(all) => all.map((own) => own.getAttribute('class'))")
    assert layers.index("hw-queries") < layers.index("hw-bars") < layers.index("hw-keys")


def test_an_unreachable_target_lies_in_the_polygon_of_its_witness(plane):
    plane.show(goal={**COPY, "indices": [4]})
    assert len(plane.page.locator(".hw-witness").first.get_attribute("points").split()) == 3
    mark = plane.centre(plane.page.locator(".hw-target-mark"))
    assert mark == pytest.approx(plane.centre(plane.key(4)), abs=1.5)
    assert plane.page.locator(".hw-shares text").count() == 3
    # The library's own witness, once it has come, with its exact weights.
    text = plane.page.evaluate("JSON.stringify(store.scene)")
    witness = {"indices": [0, 1, 2], "weights": ["1/4", "1/2", "1/4"]}
    plane.page.evaluate(
        "answer", {"number": 2, "text": text, "status": "unreachable", "witness": witness, "radius": None}
    )
    plane.rest()
    assert plane.page.locator(".hw-shares text").all_text_contents() == ["¼", "½", "¼"]
    assert plane.centre(plane.page.locator(".hw-target-mark")) == pytest.approx(mark, abs=1.5)
    plane.show(goal=COPY)
    assert plane.page.locator(".hw-shares text").count() == 0
    assert not plane.page.locator(".hw-witness").first.get_attribute("points")


def test_hulls_that_meet_are_both_drawn(plane):
    plane.show(keys=[[0, 0], [4, 4], [4, 0], [0, 4]], goal={"goal": "top", "indices": [0, 1]})
    points = [polygon.get_attribute("points").split() for polygon in plane.page.locator(".hw-witness").all()]
    assert [len(corners) for corners in points] == [2, 2]
    places = [plane.centre(plane.key(i)) for i in range(4)]
    middle = [sum(axis) / 4 for axis in zip(*places, strict=True)]
    assert plane.centre(plane.page.locator(".hw-target-mark")) == pytest.approx(middle, abs=2)


STRANGE = {
    "one": [[1, 2]],
    "origin": [[0, 0]],
    "coincident": [[1, 1], [1, 1], [1, 1], [-2, 0]],
    "collinear": [[1, 1], [2, 2], [3, 3]],
    "huge": [[1e6, 2e6], [-3e6, 1e6], [2e6, -1e6]],
    "tiny": [[1e-6, 2e-6], [-3e-6, 1e-6], [2e-6, -1e-6]],
    "vast": [[1e300, 2e300], [-1.7e308, 1e306], [1.7e308, 3]],
    "minute": [[5e-324, 0], [0, 1e-310]],
    "far": [[1e6, 1e6], [1e6 + 1, 1e6], [1e6, 1e6 + 2]],
    "sixty": [[math.cos(i) * i, math.sin(i * i) * 9] for i in range(60)],
    "most": [[i % 20, i // 20] for i in range(400)],
}


@pytest.mark.parametrize("name", STRANGE)
def test_keys_of_any_size_are_inside_the_drawing_and_apart(plane, name):
    plane.show(keys=STRANGE[name], goal=None)
    box = plane.page.locator(".hw-drawing").bounding_box()
    places = plane.page.evaluate(
        """[...document.querySelectorAll(".hw-disc")].map((disc) => {
             const { x, y, width, height } = disc.getBoundingClientRect(); return [x + width / 2, y + height / 2] })"""
    )
    assert len(places) == len(STRANGE[name])
    assert all(
        box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"] for x, y in places
    )
    # Keys in one place are drawn beside one another, so that each can be seen and taken.
    if len(places) <= 4 and name not in ("minute", "vast"):
        assert all(math.dist(a, b) > 9 for i, a in enumerate(places) for b in places[:i])
    if name != "most":
        plane.drag(plane.key(0), 25, 15)
        assert plane.scene["keys"] != STRANGE[name]
        assert all(map(math.isfinite, plane.scene["keys"][0]))


def overlaps(page):
    """Pairs of texts, or of a text and a disc, that lie on one another."""
    return page.evaluate(
        """() => {
          const boxes = (which) => [...document.querySelectorAll(which)]
            .filter((e) => e.textContent !== "" || e.matches("circle"))
            .map((e) => [e.getBoundingClientRect(), e.textContent])
          const texts = boxes(".hw-names text, .hw-norms text, .hw-weight text"), discs = boxes(".hw-disc")
          const apart = (a, b) => a.left >= b.right - 2 || b.left >= a.right - 2 || a.top >= b.bottom - 3 || b.top >= a.bottom - 3
          const hit = ([a], [b]) => !apart(a, b)
          const found = []
          texts.forEach((a, i) => { texts.slice(0, i).concat(discs).forEach((b) => hit(a, b) && found.push([a[1], b[1]])) })
          return found
        }"""
    )


@pytest.mark.parametrize("width", [800, 360])
def test_names_are_legible(browser, width):
    said = []
    plane = opened(browser, said, viewport={"width": width, "height": 700})
    words = [
        "the",
        "quick",
        "brown",
        "fox",
        "<script>alert(1)</script>",
        "over",
        "a very long label of 40 characters here",
    ]
    keys = [[3 * math.cos(2.4 * i), 2 * math.sin(1.7 * i)] for i in range(7)]
    plane.show(keys=keys, labels=words, goal={"goal": "average", "indices": [0, 4], "shares": ["1/2", "1/2"]})
    assert overlaps(plane.page) == []
    box = plane.page.locator(".hw-drawing").bounding_box()
    for text in plane.page.locator(".hw-names text").all():
        own = text.bounding_box()
        assert box["x"] <= own["x"]
        assert own["x"] + own["width"] <= box["x"] + box["width"] + 1
    assert plane.page.locator(".hw-names script").count() == 0
    assert said == []
    plane.page.context.close()


def test_ticks_are_round_numbers_in_sight(plane):
    for unit in (3e-7, 0.02, 1, 37, 4e6):
        ticks = plane.page.evaluate("(unit) => ticksOf({ x: 0, y: 0, unit, width: 700, height: 500 })", unit)
        assert 4 <= len(ticks["along"]) <= 14
        assert all(len(text) <= 6 for _, text in ticks["along"])
        assert all(abs(x) * unit <= 350 for x, _ in ticks["along"])


def test_the_single_file_has_the_drawing(browser, tmp_path):
    path, said = tmp_path / "play.html", []
    path.write_text(page_text(), encoding="utf-8")
    page = browser.new_context(viewport={"width": 800, "height": 900}).new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{path.as_uri()}#scene={json.dumps({'keys': SQUARE, 'goal': COPY})}")
    plane = Plane(page)
    page.wait_for_selector(".hw-key[data-key='4']")
    before = plane.rest(400).centre(plane.key(4))
    plane.drag(plane.key(4), 30, 20)
    assert plane.centre(plane.key(4)) == pytest.approx((before[0] + 30, before[1] + 20), abs=1.5)
    assert not page.locator(".hw-radius-proved").get_attribute("d")
    assert said == []
    page.context.close()
