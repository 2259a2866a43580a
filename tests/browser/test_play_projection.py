"""Keys of many dimensions in the plane of the goal: exact scores, honest about what is lost, whatever the keys are."""

import numpy as np
import pytest

import headwright as hw
from examples.play_real_head import page_of, scene_of, trained_head
from headwright.playground.arguments import changed
from headwright.playground.scene import Scene
from tests.browser.play_module import Module
from tests.browser.playground_hands import press

pytestmark = pytest.mark.needs("playwright")


@pytest.fixture(scope="module")
def project(browser):
    """projected(scene, seen, held, head) of the module, in an empty page."""
    page = Module(browser).page

    def call(keys, queries, goal=None, held=None, head=0, labels=None):
        goal = None if goal is None else {"goal": "average", "indices": goal, "shares": ["1"] * len(goal)}
        scene = {"keys": np.asarray(keys, dtype=float).tolist(), "goal": goal, "labels": labels, "scale": 1}
        seen = {"queries": np.asarray(queries, dtype=float).tolist()}
        return page.evaluate(
            "([scene, seen, held, head]) => own.projected(scene, seen, held, head)", [scene, seen, held, head]
        )

    yield call
    page.close()


def lost_by_numpy(keys, axes):
    about = keys - keys.mean(axis=0)
    shown = about @ np.array(axes).T
    return 1 - (shown**2).sum() / (about**2).sum()


@pytest.mark.parametrize(("n", "d", "m"), [(9, 3, 1), (40, 8, 2), (200, 128, 1), (30, 64, 3), (5, 40, 1)])
def test_axes_scores_and_loss(project, rng, n, d, m):
    keys, query = rng.standard_normal((n, d)), 3 * rng.standard_normal(d)
    targets = list(range(1, 1 + m))
    seen = project(keys, [query], targets)
    e, f = np.array(seen["axes"])
    np.testing.assert_allclose([e @ e, f @ f, e @ f], [1, 1, 0], atol=1e-14)
    points = np.array(seen["points"])
    np.testing.assert_allclose(
        points[:, 0] * np.linalg.norm(query), keys @ query, rtol=0, atol=1e-12 * np.abs(keys @ query).max()
    )
    np.testing.assert_allclose(points, keys @ np.array([e, f]).T, atol=1e-12)
    np.testing.assert_allclose(seen["query"], [[np.linalg.norm(query), 0]], atol=1e-12)
    np.testing.assert_allclose(seen["lost"], lost_by_numpy(keys, [e, f]), atol=1e-12)
    # The runner-up is above the target, and the two differ from each other in the plane only.
    scores = keys @ query
    runner = max(set(range(n)) - set(targets), key=lambda i: scores[i])
    middle = points[targets].mean(axis=0)
    away = keys[runner] - keys[targets].mean(axis=0)
    assert points[runner, 1] > middle[1]
    np.testing.assert_allclose(np.linalg.norm(points[runner] - middle), np.linalg.norm(away), rtol=1e-12)
    assert f"runner-up, key {runner}" in seen["labels"]["y"]
    assert seen["labels"]["x"] == "along the query"
    assert f"A projection of {d} dimensions." in seen["words"]
    assert f"{round(100 * seen['lost'])} % of the spread" in seen["words"]
    assert "may still be a corner" in seen["words"]


def test_the_plane_itself_is_left_alone(project, rng):
    keys = rng.standard_normal((6, 2))
    seen = project(keys, [[1, 2]], [0])
    assert seen["points"] == keys.tolist()
    assert (seen["axes"], seen["lost"], seen["words"], seen["query"]) == (None, 0, None, [[1, 2]])


def test_keys_on_a_line(project):
    seen = project([[3], [-1], [2]], [[-4]], [1])
    assert seen["points"] == [[3, 0], [-1, 0], [2, 0]]
    assert seen["query"] == [[-4, 0]]
    assert seen["lost"] == 0
    assert "one dimension" in seen["words"]


def test_the_chosen_head_lies_along_the_axis(project, rng):
    keys, queries = rng.standard_normal((12, 5)), rng.standard_normal((2, 5))
    for head in (0, 1):
        seen = project(keys, queries, [3], head=head)
        np.testing.assert_allclose(seen["query"][head], [np.linalg.norm(queries[head]), 0], atol=1e-12)
        assert f"Scores of head {head + 1} are exact" in seen["words"]
        assert seen["labels"]["x"] == f"along the query of head {head + 1}"


def test_held_axes_stay(project, rng):
    keys, query = rng.standard_normal((12, 5)), rng.standard_normal(5)
    before = project(keys, [query], [3])
    moved = keys.copy()
    moved[3] += 2 * rng.standard_normal(5)
    during = project(moved, [rng.standard_normal(5)], [3], held=before["axes"])
    assert during["axes"] == before["axes"]
    others = [i for i in range(12) if i != 3]
    assert [during["points"][i] for i in others] == [before["points"][i] for i in others]
    np.testing.assert_allclose(during["lost"], lost_by_numpy(moved, before["axes"]), atol=1e-12)
    assert "are exact" not in during["words"]
    assert "while you drag" in during["words"]


def test_a_small_change_turns_the_plane_a_little(project, rng):
    keys, query = rng.standard_normal((12, 7)), rng.standard_normal(7)
    one = project(keys, [query], [3])
    other = project(keys + 1e-9 * rng.standard_normal(keys.shape), [query], [3])
    np.testing.assert_allclose(one["axes"], other["axes"], atol=1e-7)


def test_without_a_query_the_spread_decides(project, rng):
    keys = rng.standard_normal((50, 6)) * [1, 9, 1, 3, 1, 1]
    seen = project(keys, [], None)
    about = keys - keys.mean(axis=0)
    best = np.linalg.svd(about)[2][:2]
    np.testing.assert_allclose(np.abs(np.array(seen["axes"]) @ best.T), np.eye(2), atol=1e-3)
    assert "are exact" not in seen["words"]
    assert (np.array(seen["axes"]) == np.array(project(keys, [np.zeros(6)], None)["axes"])).all()


def test_keys_in_the_plane_lose_nothing(project, rng):
    keys = rng.standard_normal((7, 2)) @ rng.standard_normal((2, 6))
    query = keys[0] - keys[1]
    seen = project(keys, [query], [0])
    assert seen["lost"] < 1e-20
    assert "nothing is lost" in seen["words"]


DEGENERATE = {
    "one key": (np.ones((1, 4)), [np.ones(4)], [0]),
    "equal keys": (np.ones((5, 4)), [np.ones(4)], [0]),
    "zeros": (np.zeros((5, 4)), [np.zeros(4)], [0]),
    "zero query": (np.eye(5), [np.zeros(5)], [0]),
    "runner-up along the query": (np.outer([3, 2, 1], [1, 1, 1, 0]), [np.array([1, 1, 1, 0])], [0]),
    "every key a target": (np.eye(4), [np.ones(4)], [0, 1, 2, 3]),
    "no goal": (np.eye(4), [np.ones(4)], None),
    "huge": (1e308 * np.eye(5) - 5e307, [1e300 * np.ones(5)], [0]),
    "tiny": (5e-324 * np.eye(5), [5e-324 * np.ones(5)], [0]),
    "very unequal": (np.diag([1e300, 1e-300, 1, 1e8]), [np.array([1e-300, 1e300, 0, 1])], [1]),
    "opposite": (np.array([[1e308] * 3, [-1e308] * 3]), [np.ones(3)], [0]),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_keys_give_numbers(project, name):
    keys, queries, goal = DEGENERATE[name]
    seen = project(keys, queries, goal)
    for part in ("points", "axes", "query", "lost"):
        assert np.isfinite(np.array(seen[part], dtype=float)).all(), part
    assert 0 <= seen["lost"] <= 1
    e, f = np.array(seen["axes"])
    np.testing.assert_allclose([e @ e, f @ f, e @ f], [1, 1, 0], atol=1e-12)
    assert "NaN" not in seen["words"]


def test_labels_name_the_runner_up(project, rng):
    seen = project([[1, 0, 0], [0.5, 1, 0], [0, 0, 1]], [[1, 0, 0]], [0], labels=["the", "cat", "<script>"])
    assert seen["labels"]["y"] == "towards the runner-up, “cat” (key 1)"
    assert seen["runner"] == 1


def test_the_runner_up_is_named_among_many_keys(browser, tmp_path, rng):
    keys = rng.standard_normal((100, 32))
    labels = [f"token{i}" for i in range(100)]
    scene = changed(Scene.of({}), {"keys": keys, "goal": hw.Average(5, 9), "labels": labels})
    page = browser.new_page()
    (tmp_path / "many.html").write_text(page_of(scene), encoding="utf-8")
    page.goto((tmp_path / "many.html").as_uri())
    note = page.locator(".hw-drawing").get_by_text("from the targets towards the runner-up, “")
    note.wait_for()
    runner = note.text_content().split("“")[1].split("”")[0]
    assert page.locator(".hw-names").get_by_text(runner, exact=True).count() == 1
    page.close()


def note(page):
    return page.get_by_text("A projection of 12 dimensions.").first


def test_a_real_heads_keys_with_tokens_as_labels(tab, tmp_path):
    page, asked, said, _ = tab
    path = tmp_path / "head.html"
    path.write_text(page_of(scene_of(trained_head())), encoding="utf-8")
    page.goto(path.as_uri())
    note(page).wait_for()
    assert "Scores are exact along the horizontal axis" in note(page).inner_text()
    assert "of the spread of the keys is not shown" in note(page).inner_text()
    drawing = page.locator(".hw-drawing")
    assert "value 8" in drawing.text_content()
    assert "along the query" in drawing.text_content()
    # Nobody has chosen a goal: no circle, no claim, and the head's own weights.
    assert page.locator(".hw-target, .hw-chip").count() == 0
    assert page.locator(".hw-sentences").inner_text() == "Click a key to choose it as the goal."
    assert page.locator(".hw-weights tbody th").first.inner_text() == "value 8"
    press(page, 8)
    page.get_by_text("towards the runner-up, “").first.wait_for()
    # While a key is in hand the axes stay, and say so.
    box = drawing.locator(".hw-disc").nth(3).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + 30, steps=4)
    page.get_by_text("The axes stay as they are while you drag.").first.wait_for()
    page.mouse.up()
    page.get_by_text("Scores are exact along the horizontal axis").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert said == []
    assert [url for url in asked if not url.startswith("file:")] == []


def test_two_hundred_tokens_of_sixty_four_dimensions(browser, tmp_path, rng):
    keys = rng.standard_normal((200, 64))
    labels = [f"token{i}" for i in range(199)] + ["<script>hit = 1</script>"]
    scene = changed(Scene.of({}), {"keys": keys, "goal": hw.Copy(7), "labels": labels, "error": 0.01})
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    path = tmp_path / "large.html"
    path.write_text(page_of(scene), encoding="utf-8")
    page.goto(path.as_uri())
    page.get_by_text("A projection of 64 dimensions.").first.wait_for()
    assert page.locator(".hw-key").count() == 200
    assert "token7" in page.locator(".hw-panel").inner_text()
    assert page.evaluate("window.hit") is None
    assert said == []
    page.close()
