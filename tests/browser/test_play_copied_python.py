"""What "copy as Python" gives: text that runs, and that asks the library for what the scene shows."""

import contextlib
import io

import numpy as np
import pytest

import headwright as hw
from tests.browser.play_pages import SCENE, link_scene, open_widget, widget_page

pytestmark = pytest.mark.needs("playwright")

COPY = {"goal": "copy", "indices": [3], "shares": ["1"]}
PAIR = {"goal": "average", "indices": [2, 3], "shares": ["1/2", "1/2"]}
BLEND = {"goal": "blend", "indices": [1, 3], "shares": ["7/10", "3/10"]}
INSIDE = {"goal": "copy", "indices": [4], "shares": ["1"]}
TOP = {"goal": "top", "indices": [1, 3]}
ALONG = {"isotropic": 0, "along": {"3": 0.04}}
FAR = {"keys": [[0, 0, 1], [4, 0, 0.125], [1e-7, 4, -2], [5, 5, 1.5], [2, 1, 0.1]]}
CASES = {
    "copy": {},
    "average": {"goal": PAIR},
    "blend": {"goal": BLEND},
    "top": {"goal": TOP},
    "impossible": {"goal": INSIDE},
    "impossible top": {"goal": {"goal": "top", "indices": [1, 2]}},
    "error and scale": {"goal": PAIR, "error": 0.0005, "scale": 0.25},
    "budget": {"max_norm": 1.5},
    "budget and heads": {"goal": BLEND, "max_norm": 1.5, "heads": 2},
    "budget, impossible": {"goal": INSIDE, "max_norm": 1.5},
    "budget of a top": {"goal": TOP, "max_norm": 1.5},
    "heads": {"goal": BLEND, "heads": 2},
    "moving": {"radius": 0.1},
    "noise": {"noise": ALONG, "error": 0.05},
    "noise everywhere": {"noise": {"isotropic": 0.001, "along": {}}, "error": 0.05},
    "noise of both kinds": {"noise": {"isotropic": 0.001, "along": {"1": 0.2, "3": 0.04}}, "error": 0.05},
    "noise and heads": {"noise": ALONG, "error": 0.05, "goal": PAIR, "heads": 2},
    "steady": {"noise": {"isotropic": 0, "along": {"1": 0.5}}, "steady": True, "error": 0.05},
    "own": {"queries": [[1.5, -0.25]]},
    "own, several": {"queries": [[1.5, -0.25], [0.1, 3.0]], "goal": PAIR, "scale": 2},
    "own, top": {"queries": [[1.5, 0.25]], "goal": TOP},
    "own, noisy": {"queries": [[1.5, 1.25]], "noise": ALONG, "error": 0.05},
    "three dimensions": {**FAR, "goal": PAIR},
    "layer": {
        "keys": np.eye(5).tolist(),
        "layer": [COPY, None, PAIR, None, BLEND],
        "row": 2,
        "goal": PAIR,
    },
    "no goal": {"goal": None},
    "many keys": {"keys": [[float(i), float(i * i % 11)] for i in range(60)], "goal": {**COPY, "indices": [59]}},
}


page = pytest.fixture(scope="module")(open_widget)


def goal_of(told):
    if told["goal"] == "top":
        return hw.Top(*told["indices"])
    return hw.Blend(dict(zip(told["indices"], told["shares"], strict=True)))


def same_goal(goal, told):
    """Whether a goal says what a scene says; shares of a copy and an average count too."""
    if told["goal"] == "top":
        return goal == hw.Top(*told["indices"])
    return type(goal).__name__.lower() == told["goal"] and goal.to_dict() == told


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.replace(" ", "-"))
def test_the_text_runs_and_does_the_same(page, case):
    scene = {**SCENE, **CASES[case]}
    text, seen = page.evaluate(
        """(scene) => {
          const seen = compute(scene)
          return [pythonOf(scene, ["unreachable", "not found"].includes(seen.status)), seen]
        }""",
        scene,
    )
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, case, "exec"), names)  # the text that a reader runs
    assert text.startswith("import headwright as hw\n")
    assert names["keys"] == scene["keys"]
    if scene["goal"] is None:
        assert "design" not in names
    elif scene["layer"]:
        goals = names["layer"].goals
        assert sorted(goals) == [0, 2, 4]
        assert all(same_goal(goal, scene["layer"][row]) for row, goal in goals.items())
        assert names["layer"].asked == scene["error"]
    elif scene["queries"]:
        expected = hw.certify(
            scene["keys"],
            scene["queries"],
            goal_of(scene["goal"]),
            scale=scene["scale"],
            mix="equal",
            **({} if scene["goal"]["goal"] == "top" else {"error": scene["error"]}),
        )
        assert names["verdict"].status == expected.status
        assert names["verdict"].bound == pytest.approx(expected.bound)
    elif seen["status"] == "unreachable":
        assert isinstance(names["design"], hw.Unreachable)
    else:
        design = names["design"]
        assert same_goal(design.goal, scene["goal"])
        assert design.scale == scene["scale"]
        assert design.max_norm == scene["max_norm"]
        assert len(design.queries) == scene["heads"]
        np.testing.assert_allclose(design.queries, seen["queries"], rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(design.weights, seen["weights"], atol=1e-6)
    if scene["noise"]:
        noisy = names["noisy"]
        assert {str(j): v for j, v in enumerate(noisy.along.tolist()) if v} == scene["noise"]["along"]
        assert float(np.max(noisy.isotropic)) == scene["noise"]["isotropic"]
        assert 0 <= float(printed.getvalue().splitlines()[-1].removeprefix("≈ ").split()[0]) <= 1
    if scene["steady"]:
        directions = [scene["keys"][int(j)] for j in scene["noise"]["along"]]
        assert abs(np.array(directions) @ names["design"].queries.T).max() < 1e-9


def test_three_lines_for_the_plain_case(page):
    text = page.evaluate("pythonOf", {**SCENE, "goal": {**PAIR, "indices": [0, 1]}})
    assert text.splitlines() == [
        "import headwright as hw",
        "",
        "keys = [[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]]",
        "design = hw.design(keys, hw.Average(0, 1), error=0.01)",
        "print(design)",
    ]


def test_numbers_are_written_as_python_reads_them(page):
    keys = [[1e-7, 1e21], [-2.5e-300, 0.1], [12345678901234567890.0, 5e-324]]
    names = {}
    exec(page.evaluate("pythonOf", {**SCENE, "keys": keys, "goal": None}), names)
    assert names["keys"] == keys


def test_the_text_follows_the_state(browser):
    context = browser.new_context()
    page = context.new_page()
    page.set_content(widget_page({"goal": PAIR}))
    page.click("[data-tool=python]")
    assert "hw.Average(2, 3)" in page.locator(".hw-code").inner_text()
    page.check("input[value=top]")
    page.wait_for_function("document.querySelector('.hw-code').textContent.includes('hw.Top(2, 3)')")
    page.click("[data-tool=link]")
    assert link_scene(page)["goal"] == {"goal": "top", "indices": [2, 3]}
    context.close()
