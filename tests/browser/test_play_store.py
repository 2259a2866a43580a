"""The state of a page: which answer is shown as valid, undo, and what is sent to the library."""

import json

import pytest

from headwright.playground.module import module_text
from tests.browser.play_pages import MODEL, frames

pytestmark = pytest.mark.needs("playwright")

# `views` has what each frame showed.
HARNESS = """
<!doctype html><title>store</title><script type="module">
%s
const traits = {opens: {host: "notebook"}}
%s
window.views = []
window.store = makeStore(model)
store.show({ element: null, update: ({ seen, ...view }) => window.views.push(structuredClone(view)) })
</script>
"""


@pytest.fixture
def page(browser):
    context = browser.new_context()
    page = context.new_page()
    page.set_content(HARNESS % (module_text(), MODEL))
    page.wait_for_function("window.views?.length > 0")
    yield page
    context.close()


def last(page):
    """What the next frame shows."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate("views.at(-1)")


def sent(page, count):
    page.wait_for_function(f"sent.length >= {count}")
    return page.evaluate("sent")


def test_an_answer_is_valid_for_its_own_text_only(page):
    page.evaluate("store.change({ error: 0.02 })")
    asked = sent(page, 1)[0]
    assert json.loads(asked["text"])["error"] == 0.02
    page.evaluate("answer", {**asked, "status": "proved"})
    assert last(page)["fresh"]
    # The very frame that shows a new scene shows the answer as stale.
    before = page.evaluate("views.length")
    page.evaluate("store.change({ error: 0.03 })")
    last(page)
    later = page.evaluate(f"views.slice({before})")
    assert later
    assert all(view["fresh"] is (view["scene"]["error"] == 0.02) for view in later)
    assert later[-1]["scene"]["error"] == 0.03


def test_a_late_answer_to_an_earlier_state_stays_stale(page):
    page.evaluate("store.change({ error: 0.02 })")
    first = sent(page, 1)[0]
    page.evaluate("store.change({ error: 0.03 })")
    page.evaluate("answer", {**first, "status": "proved"})
    assert not last(page)["fresh"]
    # It was in flight, so the new state is asked about once it has come.
    assert json.loads(sent(page, 2)[1]["text"])["error"] == 0.03


def test_the_number_alone_makes_nothing_valid(page):
    page.evaluate("store.change({ error: 0.02 })")
    asked = sent(page, 1)[0]
    page.evaluate("answer", {"number": asked["number"], "text": asked["text"] + " ", "status": "proved"})
    assert not last(page)["fresh"]


def test_a_question_needs_its_own_answer(page):
    page.evaluate("store.change({ error: 0.02 })")
    asked = sent(page, 1)[0]
    page.evaluate("answer", {**asked, "status": "proved", "question": {"status": "proved"}})
    page.evaluate("store.pose({ goal: null, error: 0.5 })")
    view = last(page)
    assert view["fresh"]
    assert not view["questionFresh"]
    again = sent(page, 2)[1]
    assert again["question"] == {"goal": None, "error": 0.5}
    page.evaluate("answer", {**again, "posed": again["question"], "status": "proved", "question": {"status": "proved"}})
    assert last(page)["questionFresh"]


def test_the_number_makes_no_answer_the_answer_to_another_question(page):
    """Python counts on its own: here it sets a state under the number that the page has given to a newer question."""
    old, new = {"goal": None, "error": 0.9}, {"goal": None, "error": 0.1}
    page.evaluate("store.pose", old)
    first = sent(page, 1)[0]
    page.evaluate("store.pose", new)
    text = json.dumps({**last(page)["scene"], "error": 0.25})
    state = {"number": first["number"] + 1, "text": text, "question": old}
    page.evaluate("python", state)
    page.evaluate("answer", {**state, "posed": old, "status": "proved", "question": {"status": "proved"}})
    view = last(page)
    assert view["fresh"]
    assert view["number"] == state["number"]
    assert not view["questionFresh"]
    # The question that is on the screen is asked in turn, and its entries may come back in another order.
    again = sent(page, 2)[1]
    assert (again["text"], again["question"]) == (text, new)
    page.evaluate("answer", {**again, "posed": {"error": 0.1, "goal": None}, "question": {"status": "proved"}})
    assert last(page)["questionFresh"]


def test_two_views_with_different_questions_do_not_ask_for_ever(page):
    own, other = {"goal": None, "error": 0.1}, {"goal": None, "error": 0.9}
    page.evaluate("store.pose", own)
    asked = sent(page, 1)[0]
    page.evaluate("answer", {**asked, "posed": own, "status": "proved", "question": {"status": "refuted"}})
    # The other view asks about the same state.
    page.evaluate("answer", {**asked, "posed": other, "status": "proved", "question": {"status": "proved"}})
    view = last(page)
    assert (view["fresh"], view["questionFresh"], view["questionAnswer"]) == (True, True, {"status": "refuted"})
    frames(page, 400)  # more than the quiet after which the page asks
    assert len(page.evaluate("sent")) == 1
    page.evaluate("store.change({ error: 0.03 })")
    view = last(page)
    assert (view["questionFresh"], view["questionAnswer"]) == (False, None)


def test_a_view_that_fails_leaves_no_other_with_an_old_badge(page):
    page.evaluate("store.change({ error: 0.02 })")
    page.evaluate("answer", {**sent(page, 1)[0], "status": "proved"})
    assert last(page)["fresh"]
    page.evaluate("""() => {
      window.later = []
      store.show({ element: null, update() { throw new Error("a fault of a test") } })
      store.show({ element: null, update: ({ fresh }) => later.push(fresh) })
      store.change({ error: 0.03 })
    }""")
    last(page)
    assert page.evaluate("later.at(-1)") is False


def test_a_state_set_by_python_during_a_drag_is_not_asked_again(page):
    text = json.dumps({**last(page)["scene"], "error": 0.25})
    # In one turn of the page: a slow machine would otherwise let the drag rest long enough to be asked about.
    drag = "store.change({ error: 0.02 }, { gesture: 'drag' })"
    page.evaluate(f"(asked) => {{ {drag}; python(asked) }}", {"number": 9, "text": text, "question": None})
    page.evaluate("answer", {"number": 9, "text": text, "posed": None, "status": "proved"})
    frames(page, 400)  # more than the quiet after which the page asks
    assert page.evaluate("sent") == []
    assert last(page)["fresh"]


def test_the_heads_drawn_are_those_that_were_judged(page):
    """A layer's queries may be longer than the shortest ones that the page designs."""
    page.evaluate("store.change({ error: 0.02 })")
    asked = sent(page, 1)[0]
    shortest = page.evaluate("store.seen.queries[0]")
    other = [3 * x for x in shortest]
    page.evaluate("answer", {**asked, "status": "proved", "queries": [other], "mix": [1]})
    last(page)
    assert page.evaluate("store.seen.queries") == [other]
    assert page.evaluate("store.seen.status") == "met"
    assert page.evaluate("store.seen.weights[3]") > 0.9999
    page.evaluate("store.change({ error: 0.03 })")
    assert page.evaluate("store.seen.queries[0]") != other
    # Nothing but numbers is drawn.
    asked = sent(page, 2)[1]
    for queries in ([["x", 0]], [[1]], "no", [[1, None]]):
        page.evaluate("answer", {**asked, "status": "proved", "queries": queries, "mix": [1]})
        last(page)
        assert page.evaluate("store.seen.weights.every(Number.isFinite)")


def test_a_drag_is_one_step_of_undo_and_one_question(page):
    before = last(page)["scene"]
    for step in range(20):
        page.evaluate(f"store.change({{ error: 0.1 + {step} / 100 }}, {{ gesture: 'drag' }})")
    page.evaluate("store.endGesture()")
    assert len(sent(page, 1)) == 1
    page.evaluate("store.undo()")
    assert last(page)["scene"] == before
    page.evaluate("store.redo()")
    assert last(page)["scene"]["error"] == pytest.approx(0.29)


def test_python_moves_the_picture(page):
    scene = {**last(page)["scene"], "error": 0.25}
    page.evaluate("python", {"number": 40, "text": json.dumps(scene)})
    view = last(page)
    assert (view["scene"]["error"], view["number"]) == (0.25, 40)
    page.evaluate("answer", {"number": 40, "text": json.dumps(scene), "status": "proved"})
    assert last(page)["fresh"]


@pytest.mark.parametrize("text", ["{", "[]", '{"keys": [[NaN, 0]]}', '{"keys": []}', '{"colour": 1}', "null"])
def test_what_cannot_be_read_is_named_and_changes_nothing(page, text):
    before = last(page)["scene"]
    page.evaluate("python", {"number": 2, "text": text})
    view = last(page)
    assert view["problem"]
    assert view["scene"] == before
