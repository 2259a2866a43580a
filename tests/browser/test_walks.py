"""The guided walk in a real browser: steps by their addresses, the judge, the way on, and what is shown as proved."""

import json

import numpy as np
import pytest

import headwright as hw
from handbook import walk_screens
from headwright.kernel.goals import goal_from_dict
from headwright.playground import walks
from headwright.playground.module import module_text, style_text
from headwright.playground.single_file import json_in_html
from tests.browser.play_pages import MODEL, frames

pytestmark = pytest.mark.needs("playwright")

STEPS = walks.stored()
# The library is played by the test, and says at once that it cannot decide.
HARNESS = """<!doctype html><html lang="en"><meta charset="utf-8"><title>walk</title><style>%s</style><main id="here"></main>
<script type="application/json" id="given">%s</script>
<script type="module">
%s
const traits = JSON.parse(document.getElementById("given").textContent)
%s
const { save_changes } = model
model.save_changes = () => {
  const { number, text } = traits.asked
  save_changes()
  setTimeout(() => model.set("answer", { number, text, status: "undecided", sentence: "", question: null }))
}
window.judge = (step, change) => {
  const { scene } = readScene(JSON.stringify(step.scene))
  const next = { ...scene, ...change }
  const seen = compute(next)
  const { goal, error, confidence } = step.question
  const chance = confidence ? chanceOf(next, seen, goal, error) : null
  return { ...judgeStep({ ...step, scene }, next, seen), chance, queries: seen.queries, mix: seen.mix }
}
window.below = normalBelow
render({ model, el: document.getElementById("here") })
</script></html>"""


def harness(tmp_path, **opens):
    path = tmp_path / "walk.html"
    traits = {"opens": {"host": "app", "step": None} | opens, "walks": walks.steps()}
    page = HARNESS % (style_text(), json_in_html(traits), module_text(), MODEL)
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, page.said = context.new_page(), []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    yield page
    assert page.said == []
    context.close()


def last_sent(page):
    """What the page asked last, once it has asked about the state on the screen."""
    frames(page, 400)  # the page asks when the hand has rested for 150 ms
    return page.evaluate("sent.at(-1)")


def judge(page, step, change):
    return page.evaluate("([step, change]) => judge(step, change)", [step, change])


def whole(scene):
    """A scene with every entry, as a page holds it."""
    new = {"labels": None, "values": None, "goal": None, "error": 0.01, "scale": 1, "max_norm": None, "heads": 1}
    new |= {"queries": None, "noise": None, "steady": False, "radius": 0, "layer": None, "row": 0}
    return new | scene


@pytest.mark.parametrize("step", STEPS, ids=walks.names())
def test_an_address_opens_exactly_that_state(page, tmp_path, step):
    page.goto(f"{harness(tmp_path)}#step={step['name']}")
    asked = last_sent(page)
    assert json.loads(asked["text"]) == whole(step["scene"])
    assert page.inner_text(".hw-walk h2") == step["title"]
    assert page.inner_text(".hw-walk-badge").startswith("Not yet")
    question = step["question"]
    if "radius" in question or "layer" in question:
        assert asked["question"] is None
    else:
        assert asked["question"] == {
            **{name: question[name] for name in ("goal", "error")},
            "confidence": question.get("confidence"),
        }


def test_the_judge_takes_solutions_and_nothing_less(page, tmp_path):
    page.goto(harness(tmp_path))
    for step in STEPS:
        judged = {
            name: judge(page, step, change)
            for name, change in [("opening", {}), ("solution", step["solution"]), ("near miss", step["near_miss"])]
        }
        assert [judged[name]["isMet"] for name in judged] == [False, True, False], step["name"]
        assert [judged[name]["changed"] for name in judged] == [[], [], []], step["name"]
        # Every entry that is not free is guarded, a solution beside it or not.
        other = {"scale": 2, "error": 0.007, "radius": 0.5, "steady": True, "max_norm": 3}
        for name in set(other) - set(step["question"]["free"]):
            changed = judge(page, step, step["solution"] | {name: other[name]})
            assert changed["changed"] == [name]
            assert not changed["isMet"]


def test_keys_that_must_stay_are_guarded(page, tmp_path):
    page.goto(harness(tmp_path))
    by_name = {step["name"]: step for step in STEPS}

    def judged(name, keys):
        return judge(page, by_name[name], {"keys": keys})

    assert judged("impossible-key", [[0, 0], [0, 1], [0, 4], [9, 1]])["changed"] == ["keys"]  # key 3 moved
    assert judged("eight-percent", [[6.5, 0], [0, 4], [0, -3]])["changed"] == ["keys"]  # a key is gone
    assert judged("half-and-half", [[2, 0], [0, 2], [-90, -90]])["changed"] == ["keys"]  # moved, not removed
    assert judged("half-and-half", [[2, 0], [-1, -1]])["changed"] == ["keys"]  # a target is gone
    assert judged("half-and-half", [[2, 0], [0, 2]])["changed"] == []


def test_probabilities_are_those_of_the_library(page, tmp_path):
    page.goto(harness(tmp_path))
    for step in STEPS:
        if "confidence" not in step["question"]:
            continue
        for change in ({}, step["solution"], step["near_miss"]):
            seen = judge(page, step, change)
            scene, question = step["scene"] | change, step["question"]
            along = {int(j): variance for j, variance in scene["noise"]["along"].items()}
            model = hw.GaussianKeys(np.array(scene["keys"], dtype=float), along=along)
            goal = goal_from_dict(question["goal"])
            law = hw.outcome(model, np.array(seen["queries"]), goal, mix=seen["mix"])
            assert seen["chance"] == pytest.approx(float(law.probability(question["error"])), abs=1e-6), step["name"]


def test_the_normal_law(page, tmp_path):
    from scipy.stats import norm

    page.goto(harness(tmp_path))
    for x in np.linspace(-8, 8, 33):
        assert page.evaluate("(x) => below(x)", float(x)) == pytest.approx(norm.cdf(x), rel=1e-12)


def test_the_way_from_step_to_step(page, tmp_path):
    address = harness(tmp_path)
    page.goto(f"{address}#step=copy")
    current = "[aria-current=step]"
    page.get_by_role("link", name="Next").click()
    page.wait_for_function("document.querySelector('.hw-walk h2').textContent === 'Average two keys'")
    assert page.url.endswith("#step=average")
    assert page.locator(current).get_attribute("aria-label") == "Step 2: Average two keys"
    assert page.evaluate("document.activeElement.textContent") == "Average two keys"
    page.get_by_role("link", name="Step 7: The impossible key").click()
    page.wait_for_function("document.querySelector('.hw-walk h2').textContent === 'The impossible key'")
    assert page.inner_text(".hw-walk-count") == "Step 7 of 12"
    page.go_back()
    page.wait_for_function("document.querySelector('.hw-walk h2').textContent === 'Average two keys'")
    page.go_back()
    page.wait_for_function("document.querySelector('.hw-walk h2').textContent === 'Copy one key'")
    assert page.get_by_role("link", name="Previous").count() == 0
    assert page.locator(current).count() == 1


def test_start_again_gives_the_scene_back(page, tmp_path):
    page.goto(f"{harness(tmp_path)}#step=moving-keys")
    first = last_sent(page)["text"]
    other = json.loads(first) | {"scale": 2}
    page.evaluate("python", {"number": 50, "text": json.dumps(other)})
    page.wait_for_selector(".hw-walk-badge:has-text('Not this way')")
    assert "the scale" in page.inner_text(".hw-walk-answer")
    page.get_by_role("button", name="Start again").click()
    assert last_sent(page)["text"] == first
    assert page.inner_text(".hw-walk-badge").startswith("Not yet")


def test_what_a_step_does_not_ask_for_folds_behind_one_word(page, tmp_path):
    page.goto(f"{harness(tmp_path)}#step=copy")
    page.locator(".hw-walk h2").wait_for()
    fold, panel = page.get_by_role("button", name="Controls"), page.locator(".hw-panel")
    assert (fold.get_attribute("aria-expanded"), panel.is_visible()) == ("false", False)
    assert page.get_by_role("button", name="Add a key").count() == 0
    fold.click()
    assert (fold.get_attribute("aria-expanded"), panel.is_visible()) == ("true", True)
    undo, answer = page.locator("[data-tool=undo]"), page.locator(".hw-walk-answer")
    assert undo.is_disabled()
    page.get_by_label("Error allowed").focus()
    page.keyboard.press("ArrowRight")
    frames(page)
    assert "You have changed the error allowed" in answer.inner_text()
    page.locator("[data-tool=reset]").click()
    frames(page)
    assert "You have changed" not in answer.inner_text()
    undo.click()
    frames(page)
    assert "You have changed the error allowed" in answer.inner_text()
    page.get_by_role("link", name="Next").click()
    page.get_by_role("heading", name="Average two keys").wait_for()
    assert not panel.is_visible()
    fold.click()
    assert undo.is_disabled()


def test_hands_do_only_what_the_question_leaves_free(page, tmp_path):
    page.goto(f"{harness(tmp_path)}#step=average")
    first = last_sent(page)["text"]
    page.locator("[data-key='2'] .hw-disc").click(force=True)
    page.mouse.dblclick(*[page.locator(".hw-drawing").bounding_box()[side] + 40 for side in "xy"])
    for key in ("a", "Delete", "ArrowLeft"):
        page.locator("[data-key='2']").press(key)
    assert last_sent(page)["text"] == first
    assert page.locator(".hw-key[tabindex='0']").count() == 0
    assert page.locator(".hw-tip[tabindex='0']").count() == 1


def test_in_a_notebook_undo_brings_ones_own_keys_back(page, tmp_path):
    page.goto(harness(tmp_path, host="notebook"))
    page.get_by_role("button", name="Start the walk").click()
    page.get_by_role("button", name="Controls").click()
    frames(page)
    assert page.locator("[data-tool=undo]").is_enabled()


@pytest.mark.parametrize("name", ["nowhere", "", "<img src=x onerror=alert(1)>", "x" * 5000, "__proto__"])
def test_an_unknown_step_opens_the_first_and_says_so(page, tmp_path, name):
    page.goto(f"{harness(tmp_path)}#step={name}")
    assert json.loads(last_sent(page)["text"]) == whole(STEPS[0]["scene"])
    assert "The walk has no step called" in page.inner_text(".headwright-play")
    assert page.locator("main img").count() == 0


def test_a_scene_from_elsewhere_leaves_the_walk(page, tmp_path):
    page.goto(f"{harness(tmp_path)}#step=copy")
    last_sent(page)
    page.evaluate("location.hash = '#scene=' + encodeURIComponent(JSON.stringify({keys: [[1, 2], [3, 4]]}))")
    asked = last_sent(page)
    assert asked["question"] is None
    assert page.locator(".hw-walk-answer").is_hidden()


def test_a_notebook_offers_the_walk_and_keeps_its_address(page, tmp_path):
    page.goto(harness(tmp_path, host="notebook"))
    assert page.locator(".hw-walk-answer").is_hidden()
    page.get_by_role("button", name="Start the walk").click()
    page.get_by_role("link", name="Next").click()
    assert page.inner_text(".hw-walk h2") == "Average two keys"
    assert "#" not in page.url


def test_after_the_ending_a_reader_goes_on_alone(page, tmp_path):
    page.goto(f"{harness(tmp_path)}#step=end")
    page.get_by_role("button", name="Try your own keys").click()
    frames(page)
    assert page.get_by_role("button", name="Add a key").is_visible()
    assert page.locator(".hw-panel").is_visible()
    assert page.get_by_role("button", name="Start the walk").is_visible()
    assert last_sent(page)["question"] is None


def test_progress_is_kept_where_there_is_storage_and_forgotten_where_not(page, tmp_path):
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('private') } })")
    solved(page, tmp_path, "copy")
    assert page.locator(".hw-done").count() == 1
    page.reload()
    frames(page)
    assert page.locator(".hw-done").count() == 0


def test_a_notebook_can_open_a_step(page, tmp_path):
    page.goto(harness(tmp_path, host="notebook", step="layer"))
    assert page.inner_text(".hw-walk h2") == "A whole layer"


def solved(page, tmp_path, name):
    """The step with its solution on the screen, and what the page asks the library about it."""
    step = next(step for step in STEPS if step["name"] == name)
    page.goto(f"{harness(tmp_path)}#step={name}")
    first = last_sent(page)
    text = json.dumps(whole(step["scene"] | step["solution"]))
    asked = {"number": first["number"] + 1, "text": text, "posed": first["question"]}
    page.evaluate("python", asked)
    page.wait_for_selector(".hw-walk-badge:has-text('Solved.')")
    return asked


COMPUTED = ("Solved.", "Computed in the page.")


def told(page):
    frames(page)
    return page.inner_text(".hw-walk-badge"), page.inner_text(".hw-walk-answer .hw-note").strip()


def test_the_library_has_the_last_word(page, tmp_path):
    asked = solved(page, tmp_path, "copy")
    assert told(page) == COMPUTED
    said = {"status": "proved", "sentence": "Proved: at most 1.7 · 10^−11, by a test."}
    page.evaluate("answer", {**asked, "status": "refuted", "sentence": "", "question": said})
    assert told(page) == ("Solved.", "Proved at most 1.7·10⁻¹¹, by a test.")
    page.evaluate("answer", {**asked, "status": "proved", "sentence": "", "question": {**said, "status": "refuted"}})
    assert told(page)[0] == "Refuted."


@pytest.mark.parametrize("change", [{"posed": None}, {"posed": {"error": 0.9}}, {"text": "{}"}, {"question": None}])
def test_an_answer_to_something_else_proves_nothing(page, tmp_path, change):
    asked = solved(page, tmp_path, "copy")
    answer = {**asked, "status": "proved", "sentence": "", "question": {"status": "proved", "sentence": "x"}}
    page.evaluate("answer", answer | change)
    assert told(page) == COMPUTED


def test_a_proof_about_a_changed_step_is_not_shown(page, tmp_path):
    asked = solved(page, tmp_path, "copy")
    text = json.dumps(json.loads(asked["text"]) | {"scale": 50})
    page.evaluate("python", {"number": 99, "text": text})
    said = {"status": "proved", "sentence": "x"}
    page.evaluate("answer", {"number": 99, "text": text, "status": "proved", "sentence": "x", "question": said})
    assert told(page) == ("Not this way.", "")


def test_a_step_about_moves_is_proved_by_the_verdict_on_the_scene(page, tmp_path):
    asked = solved(page, tmp_path, "moving-keys")
    page.evaluate("answer", {**asked, "status": "proved", "sentence": "Proved: by a test.", "question": None})
    assert told(page) == ("Solved.", "Proved by a test.")
    page.evaluate("answer", {**asked, "text": "{}", "status": "proved", "sentence": "x", "question": None})
    assert told(page) == COMPUTED


def test_every_step_has_its_pictures():
    names = {path.name for path in walk_screens.FOLDERS["desk"].glob("*.png")}
    assert names == {f"{name}-{scheme}.png" for name in walks.names() for scheme in walk_screens.SCHEMES}
